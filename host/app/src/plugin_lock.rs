//! `hookbox.lock`: the plugins that were added next to a `hooks.toml`, and the state of each file then.
//!
//! The lock file pins and grants nothing: a plugin's capabilities are those that its hook's entry grants. `hookbox plugin` is
//! its only writer; equal plugins make equal text.

mod signer;

use std::{collections::BTreeMap, error::Error, fmt, fmt::Write as _};

use hookbox::{Sha256Digest, model::is_visible};
use serde::Deserialize;

pub use self::signer::Signer;

/// The version of the format.
const VERSION: i64 = 2;
/// The previous version, which can still be read: its plugins are unsigned, and come from files.
const BEFORE: i64 = 1;
/// Longest file that is read, bytes.
pub const MAX_LOCK_BYTES: usize = 1 << 20;
/// Maximum number of plugins in one file.
const MAX_PLUGINS: usize = 1000;
/// Longest text of a row, characters.
const MAX_TEXT: usize = 1024;
/// Maximum number of grants in a row.
const MAX_GRANTED: usize = 256;
/// Longest name of a hook, characters.
const MAX_NAME: usize = 64;
/// Prefix of a copy in the user's store instead of the file's own folder.
const STORED: &str = "store/sha256/";
/// The folder of plugins, relative to the folder of the file.
pub const PLUGINS: &str = "plugins";

const HEAD: &str =
    "# Plugins that `hookbox plugin add` added, with the digests of their files. Do not edit it.\n";

/// The plugins, by the names of their hooks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PluginLock(BTreeMap<String, LockedPlugin>);

/// One plugin.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedPlugin {
    /// The hook's name.
    pub name: String,
    /// The plugin's own name, if it states one; it is not verified.
    pub plugin: Option<String>,
    /// Its version, if it states one.
    pub version: Option<String>,
    /// Its release number, if it states one.
    pub seq: Option<u64>,
    /// Its source: `file:guard.wasm`.
    pub source: String,
    /// The digest of its manifest in a registry, for fetching it again: `sha256:…`.
    pub manifest: Option<String>,
    /// The digest of the statement that its publisher signed, `sha256:…`.
    pub statement: Option<String>,
    /// Its signer; `None` if unsigned.
    pub signer: Option<Signer>,
    /// Time until which the release is current, as its publisher stated it: `2027-01-31T00:00:00Z`.
    pub expires: Option<String>,
    /// Its copy, relative to the folder of this file; `store/sha256/….wasm` is in the user's store.
    pub file: String,
    /// Length of the copy, bytes.
    pub size: u64,
    /// SHA-256 of the copy.
    pub sha256: String,
    /// The grants when it was added, in readable form. The entry is authoritative.
    pub granted: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LockFile {
    #[expect(dead_code, reason = "it was looked at before")]
    version: i64,
    #[serde(default)]
    plugin: Vec<LockedPlugin>,
}

/// Reason why a lock file is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockError(String);

impl fmt::Display for LockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for LockError {}

impl PluginLock {
    /// Parses the text of a file.
    ///
    /// # Errors
    ///
    /// The text is too long, of another version, not TOML, or contains something that hookbox does not write.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        if text.len() > MAX_LOCK_BYTES {
            return Err(LockError(format!("it is longer than {MAX_LOCK_BYTES} bytes")));
        }
        let no_toml = |error: toml::de::Error| {
            // Without the line itself, which is untrusted in a project's file.
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let why: String = error.message().chars().filter(|c| is_visible(*c) && *c != '\n').collect();
            LockError(format!("it was edited or damaged: TOML parse error at line {line}: {why}"))
        };
        // The version is read first: a newer format would otherwise be reported as an invalid file and not as a reason
        // to update hookbox.
        let table: toml::Table = text.parse().map_err(no_toml)?;
        match table.get("version") {
            Some(toml::Value::Integer(VERSION | BEFORE)) => {}
            Some(other) => {
                return Err(LockError(format!(
                    "it has the version {other}, and this hookbox supports {VERSION}: update hookbox"
                )));
            }
            None => return Err(LockError("it has no `version`".to_owned())),
        }
        let LockFile { plugin, .. } = toml::from_str(text).map_err(no_toml)?;
        if plugin.len() > MAX_PLUGINS {
            return Err(LockError(format!("it has {} plugins; the maximum is {MAX_PLUGINS}", plugin.len())));
        }
        let mut lock = Self::default();
        for row in plugin {
            row.check()?;
            if let Some(twice) = lock.0.insert(row.name.clone(), row) {
                return Err(LockError(format!("it has `{}` twice", twice.name)));
            }
        }
        Ok(lock)
    }

    /// Returns the text of the file.
    pub fn text(&self) -> String {
        let mut text = format!("{HEAD}version = {VERSION}\n");
        for row in self.0.values() {
            row.write_row(&mut text);
        }
        text
    }

    /// Returns the plugin of this hook.
    pub fn get(&self, name: &str) -> Option<&LockedPlugin> {
        self.0.get(name)
    }

    /// Returns every plugin, ordered by the names of their hooks.
    pub fn iter(&self) -> impl Iterator<Item = &LockedPlugin> {
        self.0.values()
    }

    /// Adds this plugin, replacing one with its name.
    #[must_use]
    pub fn with_plugin(mut self, row: LockedPlugin) -> Self {
        self.0.insert(row.name.clone(), row);
        self
    }

    /// Removes this plugin.
    #[must_use]
    pub fn without_plugin(mut self, name: &str) -> Self {
        self.0.remove(name);
        self
    }
}

impl LockedPlugin {
    /// Checks that the row is one that `hookbox plugin` writes. A project's file is untrusted, but its texts are shown and its
    /// files removed.
    fn check(&self) -> Result<(), LockError> {
        let Self { name, plugin, version, seq: _, source, file, size: _, sha256, granted, .. } = self;
        if !is_hook_name(name) {
            return Err(LockError(format!("{} cannot be the name of a plugin", quote_toml(name))));
        }
        let wrong = |what: &str| Err(LockError(format!("{what} of `{name}` was edited or damaged")));
        if !is_copy_of(name, file) && *file != build_stored_path(sha256) {
            return wrong("`file`");
        }
        let digests = [("manifest", &self.manifest), ("statement", &self.statement)];
        if let Some((key, _)) =
            digests.into_iter().find(|(_, digest)| !digest.as_deref().is_none_or(is_digest))
        {
            return wrong(&format!("`{key}`"));
        }
        if !self.signer.as_ref().is_none_or(Signer::is_plain) {
            return wrong("`signer`");
        }
        if Sha256Digest::parse(sha256).is_none_or(|digest| digest.as_str() != sha256) {
            return wrong("`sha256`");
        }
        let texts = plugin.iter().chain(version).chain(&self.expires).chain([source]).chain(granted);
        if granted.len() > MAX_GRANTED || !texts.into_iter().all(|text| is_plain(text)) {
            return wrong("a text");
        }
        Ok(())
    }

    fn write_row(&self, text: &mut String) {
        let Self { name, plugin, version, seq, source, manifest, statement, signer, .. } = self;
        let Self { file, size, sha256, granted, .. } = self;
        let granted: Vec<_> = granted.iter().map(|grant| quote_toml(grant)).collect();
        let mut line = |key: &str, value: Option<String>| {
            if let Some(value) = value {
                let _ = writeln!(text, "{key} = {value}");
            }
        };
        line("\n[[plugin]]\nname", Some(quote_toml(name)));
        line("plugin", plugin.as_deref().map(quote_toml));
        line("version", version.as_deref().map(quote_toml));
        line("seq", seq.map(|seq| seq.to_string()));
        line("source", Some(quote_toml(source)));
        line("manifest", manifest.as_deref().map(quote_toml));
        line("statement", statement.as_deref().map(quote_toml));
        line("signer", signer.as_ref().map(Signer::line));
        line("expires", self.expires.as_deref().map(quote_toml));
        line("file", Some(quote_toml(file)));
        line("size", Some(size.to_string()));
        line("sha256", Some(quote_toml(sha256)));
        line("granted", Some(format!("[{}]", granted.join(", "))));
    }
}

impl LockedPlugin {
    /// Returns true if the copy is in the store and not next to the lock file.
    pub fn is_stored(&self) -> bool {
        self.file.starts_with(STORED)
    }

    /// Describes the signer for the user.
    pub fn signed(&self) -> String {
        self.signer.as_ref().map_or_else(|| "unsigned".to_owned(), |signer| format!("signed by {signer}"))
    }
}

/// Returns the path that a row has for the file of the store with this digest.
pub fn build_stored_path(sha256: &str) -> String {
    format!("{STORED}{sha256}.wasm")
}

/// Quotes a string for TOML. JSON's escapes are valid in TOML.
pub(crate) fn quote_toml(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns true if the text can be the name of a hook, and of a file. A first character that would hide the file or make it an
/// option is not allowed.
pub fn is_hook_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=MAX_NAME).contains(&name.len())
        && name.bytes().all(allowed)
        && name.starts_with(|first: char| first.is_ascii_alphanumeric())
}

/// Returns true for `plugins/NAME.EXTENSION`, and nothing that leads elsewhere.
fn is_copy_of(name: &str, file: &str) -> bool {
    let copy = file.strip_prefix(PLUGINS).and_then(|rest| rest.strip_prefix('/'));
    let extension = copy.and_then(|copy| copy.strip_prefix(name)).and_then(|rest| rest.strip_prefix('.'));
    extension.is_some_and(|extension| {
        (1..=8).contains(&extension.len()) && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

fn is_digest(text: &str) -> bool {
    let digits = text.strip_prefix("sha256:");
    digits.is_some_and(|digits| Sha256Digest::parse(digits).is_some_and(|digest| digest.as_str() == digits))
}

fn is_plain(text: &str) -> bool {
    text.chars().count() <= MAX_TEXT && !text.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make_row(name: &str) -> LockedPlugin {
        LockedPlugin {
            name: name.to_owned(),
            plugin: Some("acme/guard".to_owned()),
            version: Some("1.2.0".to_owned()),
            seq: Some(12),
            source: "file:my \"guard\".wasm".to_owned(),
            manifest: Some(format!("sha256:{}", Sha256Digest::of_content(b"manifest").as_str())),
            statement: Some(format!("sha256:{}", Sha256Digest::of_content(b"statement").as_str())),
            signer: Some(Signer {
                principal: Some("release@acme.example".to_owned()),
                key: "SHA256:one".to_owned(),
                also: vec!["SHA256:two".to_owned()],
            }),
            expires: Some("2027-01-31T00:00:00Z".to_owned()),
            file: format!("plugins/{name}.wasm"),
            size: 7,
            sha256: Sha256Digest::of_content(b"").as_str().to_owned(),
            granted: vec!["clock".to_owned(), "kv session".to_owned()],
        }
    }

    #[test]
    fn what_is_written_is_sorted_and_reads_back_to_the_same() {
        let one = PluginLock::default().with_plugin(make_row("b")).with_plugin(make_row("a"));
        let other = PluginLock::default().with_plugin(make_row("a")).with_plugin(make_row("b"));
        assert_eq!(one.text(), other.text());
        assert_eq!(PluginLock::parse(&one.text()), Ok(one.clone()));
        assert_eq!(
            one.text().lines().filter(|line| line.starts_with("name")).collect::<Vec<_>>(),
            ["name = \"a\"", "name = \"b\""]
        );
        let nothing = PluginLock::default().text();
        assert_eq!(PluginLock::parse(&nothing), Ok(PluginLock::default()));
        assert_eq!(one.without_plugin("a").without_plugin("b").text(), nothing);
    }

    #[test]
    fn what_an_earlier_hookbox_wrote_is_read_and_written_anew() {
        let digest = Sha256Digest::of_content(b"");
        let before = format!(
            "version = 1\n\n[[plugin]]\nname = \"a\"\nsource = \"file:a.js\"\nfile = \"plugins/a.js\"\nsize = 0\nsha256 = \"{}\"\ngranted = []\n",
            digest.as_str()
        );
        let lock = PluginLock::parse(&before).unwrap();
        assert_eq!(lock.get("a").unwrap().signed(), "unsigned");
        assert_eq!(lock.text(), format!("{HEAD}{}", before.replace("version = 1", "version = 2")));
    }

    #[test]
    fn a_file_of_the_store_has_the_name_of_its_digest() {
        let row = make_row("a");
        let row = LockedPlugin { file: build_stored_path(&row.sha256), ..row };
        let lock = PluginLock::default().with_plugin(row);
        assert_eq!(PluginLock::parse(&lock.text()), Ok(lock));
    }

    #[test]
    fn what_hookbox_does_not_write_is_refused() {
        let good = PluginLock::default().with_plugin(make_row("a")).text();
        for (from, to, problem) in [
            (
                "version = 2\n",
                "version = 3\n",
                "it has the version 3, and this hookbox supports 2: update hookbox",
            ),
            ("version = 2\n", "", "it has no `version`"),
            ("manifest = \"sha256:", "manifest = \"sha512:", "`manifest` of `a` was edited or damaged"),
            ("statement = \"sha256:", "statement = \"", "`statement` of `a` was edited or damaged"),
            ("key = \"SHA256:", "key = \"MD5:", "`signer` of `a` was edited or damaged"),
            ("release@", "\\u001b@", "`signer` of `a` was edited or damaged"),
            ("plugins/a.wasm", "store/sha256/00.wasm", "`file` of `a` was edited or damaged"),
            ("name = \"a\"", "name = \"../a\"", "\"../a\" cannot be the name of a plugin"),
            ("plugins/a.wasm", "plugins/../a.wasm", "`file` of `a` was edited or damaged"),
            ("plugins/a.wasm", "plugins/b.wasm", "`file` of `a` was edited or damaged"),
            ("plugins/a.wasm", "plugins/a.wasm/b", "`file` of `a` was edited or damaged"),
            ("sha256 = \"e3", "sha256 = \"E3", "`sha256` of `a` was edited or damaged"),
            ("kv session", "kv\\u001b session", "a text of `a` was edited or damaged"),
        ] {
            assert!(good.contains(from), "{from}");
            assert_eq!(PluginLock::parse(&good.replace(from, to)).unwrap_err().to_string(), problem);
        }
        let twice = format!("{good}{}", good.split_once("\n\n").unwrap().1);
        assert_eq!(PluginLock::parse(&twice).unwrap_err().to_string(), "it has `a` twice");
        for text in ["version = 1\nnew = true", "version = ", "version = 1\n[[plugin]]\nname = \"a\""] {
            let problem = PluginLock::parse(text).unwrap_err().to_string();
            assert!(problem.starts_with("it was edited or damaged: "), "{problem}");
        }
        let conflict =
            good.replace("version = \"1.2.0\"", "<<<<<<< HEAD\nversion = \"1.2.0\"\n=======\n>>>>>>> x");
        let problem = PluginLock::parse(&conflict).unwrap_err().to_string();
        assert!(problem.starts_with("it was edited or damaged: "), "{problem}");
        let long = format!("version = 1\n# {}", "x".repeat(MAX_LOCK_BYTES));
        assert_eq!(PluginLock::parse(&long).unwrap_err().to_string(), "it is longer than 1048576 bytes");
    }
}
