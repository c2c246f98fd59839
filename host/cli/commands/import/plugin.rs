//! The hooks of a plugin that an agent has installed: the place where the agent keeps it, and the variables for its folder.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use hookbox::{config::quote_word, hookfile::Source};
use hookbox_app::bundle::HOOKS;
use hookbox_platform::file::{self, FileKind, FileStatus, is_there};
use serde_json::Value;

const FILE: &str = "hooks/hooks.json";
/// Files with its name.
const MANIFESTS: [&str; 3] =
    [".claude-plugin/plugin.json", ".codex-plugin/plugin.json", "gemini-extension.json"];
/// Maximum length of an agent's file about its plugins, bytes.
const MAX_BYTES: u64 = 4 << 20;
/// Maximum number of subfolders that are read.
const MAX_FOLDERS: usize = 1000;

pub(super) struct InstalledPlugin {
    folder: PathBuf,
    /// Variables for the folder in its hooks.
    variables: &'static [&'static str],
    /// The agent's file in which a user switches one of its hooks off.
    pub(super) off: String,
}

/// An agent's storage of plugins.
struct Keeper {
    agent: &'static str,
    variables: &'static [&'static str],
    /// The file of the user's settings that can switch off one hook of a plugin, if there is one.
    find: fn(&Path, &str) -> Vec<PathBuf>,
    off: fn(&str) -> String,
}

/// The files of a user's settings in which single hooks of other files are switched off.
const SWITCHES: [(&str, &str); 3] =
    [("codex", "config.toml"), ("gemini-cli", "settings.json"), ("llxprt", "settings.json")];

/// The file in which the user of this agent switches single hooks off, if it is there; `settings` is the folder of the user's settings.
pub(super) fn find_switches_file(agent: &str, settings: Option<&Path>) -> Option<PathBuf> {
    let (_, file) = SWITCHES.iter().find(|(named, _)| *named == agent)?;
    Some(settings?.join(file)).filter(|file| is_there(file))
}

static KEEPERS: [Keeper; 3] = [
    Keeper {
        agent: "claude-code",
        variables: &["CLAUDE_PLUGIN_ROOT"],
        find: of_claude_code,
        off: |name| format!("`claude plugin disable {name}` switches the whole plugin off"),
    },
    Keeper {
        agent: "codex",
        variables: &["PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT"],
        find: of_codex,
        off: |name| {
            format!(
                "switch the hooks of {name} off in `/hooks`, or the plugin by `enabled = false` in config.toml"
            )
        },
    },
    Keeper {
        agent: "gemini-cli",
        variables: &["extensionPath"],
        find: |folder, name| vec![folder.join("extensions").join(name)],
        off: |name| format!("`gemini extensions disable {name}` switches the whole extension off"),
    },
];

impl InstalledPlugin {
    /// Finds the plugin that has this name in the agent, or is in this folder; `settings` is the folder of the user's settings
    /// of the agent.
    pub(super) fn find(agent: &str, name: &str, settings: Option<&Path>) -> Result<Self, String> {
        let Some(keeper) = KEEPERS.iter().find(|keeper| keeper.agent == agent) else {
            let known: Vec<_> = KEEPERS.iter().map(|keeper| keeper.agent).collect();
            return Err(format!(
                "the plugin folder of {agent} is unknown; it is known for {}",
                known.join(", ")
            ));
        };
        // A bare word is a name in the agent, even if a folder here is called so.
        let is_folder = Path::new(name).is_absolute() || name.contains('/') && Path::new(name).is_dir();
        let found = if is_folder {
            vec![PathBuf::from(name)]
        } else {
            let settings = settings.ok_or("the home folder is unknown; set HOME")?;
            (keeper.find)(settings, name)
        };
        let mut found: Vec<_> = found.into_iter().filter_map(|folder| folder.canonicalize().ok()).collect();
        found.sort();
        // A plugin that is installed for the user and for a project is listed twice.
        found.dedup();
        let folder = match found.as_slice() {
            [] => {
                return Err(format!("{agent} has no plugin {} installed; name its folder", quote_word(name)));
            }
            [one] => one.clone(),
            several => {
                let several: Vec<_> = several.iter().map(|folder| folder.display().to_string()).collect();
                return Err(format!("there are several: name one by its folder: {}", several.join(", ")));
            }
        };
        // Imported hooks would be called once by hookbox's rules, and once by the exported plugin.
        if folder.join(HOOKS).exists() {
            let shown = folder.display();
            return Err(format!(
                "{shown} was made by `hookbox export`, so its plugins are hookbox's already: \
                 `hookbox plugin add {shown}/plugins/NAME.wasm` makes one yours"
            ));
        }
        let off = if is_folder { (keeper.off)(&read_plugin_name(&folder)) } else { (keeper.off)(name) };
        Ok(Self { folder, variables: keeper.variables, off })
    }

    /// Returns the file with its hooks. Hooks that its manifest has elsewhere are not read.
    pub(super) fn file(&self) -> Result<PathBuf, String> {
        let file = self.folder.join(FILE);
        let manifests: Vec<_> = MANIFESTS.iter().map(|name| self.folder.join(name)).collect();
        // An unreadable manifest may have further hooks.
        if let Some(unread) = manifests.iter().find(|file| is_there(file) && read_json(file).is_none()) {
            return Err(format!("{} cannot be read as JSON", unread.display()));
        }
        let manifests = manifests.iter().filter_map(|file| read_json(file));
        let elsewhere = manifests.into_iter().filter_map(|manifest| manifest.get("hooks").cloned());
        let is_usual =
            |hooks: &Value| hooks.as_str().is_some_and(|path| path.trim_start_matches("./") == FILE);
        if elsewhere.into_iter().any(|hooks| !is_usual(&hooks)) {
            return Err(format!(
                "the manifest in {} has hooks outside of {FILE}; copy them to a file, and name the file: `hookbox import AGENT FILE`",
                self.folder.display()
            ));
        }
        if !file.is_file() {
            return Err(format!("{} has no {FILE}, so it has no hooks", self.folder.display()));
        }
        Ok(file)
    }

    /// Returns the text of its hooks with the folder filled in as the agent would do. A path that a shell would split is an
    /// error.
    pub(super) fn resolve_folder(&self, source: Source) -> Result<Source, String> {
        let folder = self.folder.to_str().filter(|folder| folder.chars().all(is_plain));
        let Some(folder) = folder else {
            return Err(format!(
                "{} holds a character that a shell may read; copy the plugin to a folder of letters, digits and `/._-+@`, and name that",
                self.folder.display()
            ));
        };
        let text = self.variables.iter().fold(source.text, |text, name| put_in(&text, name, folder));
        Ok(Source { text, ..source })
    }
}

/// Returns the agent's name for the plugin in this folder. It is shown in a command, so it may contain only characters that no
/// shell interprets.
fn read_plugin_name(folder: &Path) -> String {
    let read_name =
        |manifest: &&str| Some(read_json(&folder.join(manifest))?.get("name")?.as_str()?.to_owned());
    let named = MANIFESTS.iter().find_map(read_name);
    let is_name = |name: &String| !name.is_empty() && name.chars().all(is_plain);
    named.filter(is_name).unwrap_or_else(|| "NAME".to_owned())
}

fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "/._-+@".contains(letter)
}

/// Replaces `${NAME}`, and `$NAME` where the name ends.
fn put_in(text: &str, name: &str, value: &str) -> String {
    let text = text.replace(&format!("${{{name}}}"), value);
    let bare = format!("${name}");
    let mut parts = text.split(bare.as_str());
    let mut put = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // `$CLAUDE_PLUGIN_ROOT_OLD` is another variable.
        let is_longer = part.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_');
        put.push_str(if is_longer { &bare } else { value });
        put.push_str(part);
    }
    put
}

/// Reads JSON from a plain file: an untrusted plugin could have a pipe in its place, or a device that never ends.
fn read_json(file: &Path) -> Option<Value> {
    let file = file::open(file).ok()?;
    if FileStatus::of_file(&file).ok()?.kind != FileKind::Plain {
        return None;
    }
    let mut bytes = Vec::new();
    // A truncated file is invalid JSON.
    file.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Finds the folders of a plugin in the list of installed ones: `NAME@MARKET`.
fn of_claude_code(folder: &Path, name: &str) -> Vec<PathBuf> {
    let list = read_json(&folder.join("plugins/installed_plugins.json"));
    let plugins = list.as_ref().and_then(|list| list.get("plugins")?.as_object());
    let is_it = |key: &str| key == name || key.split('@').next() == Some(name);
    let installed = plugins
        .into_iter()
        .flatten()
        .filter(|(key, _)| is_it(key))
        .filter_map(|(_, places)| places.as_array());
    let paths = installed.flatten().filter_map(|place| place.get("installPath")?.as_str());
    paths.map(PathBuf::from).collect()
}

/// Finds the folders `plugins/cache/MARKET/NAME/VERSION`.
fn of_codex(folder: &Path, name: &str) -> Vec<PathBuf> {
    let (name, market) = name.split_once('@').map_or((name, None), |(name, market)| (name, Some(market)));
    let markets = list_folders(&folder.join("plugins/cache"));
    let markets = markets.into_iter().filter(|path| market.is_none_or(|market| path.ends_with(market)));
    markets.flat_map(|market| list_folders(&market.join(name))).collect()
}

fn list_folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().take(MAX_FOLDERS);
    entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir()).collect()
}
