//! Names and passwords for registries from docker's configuration: `config.json`, and the helpers that it names.

use std::{
    collections::BTreeMap,
    io::{ErrorKind as IoErrorKind, Read as _},
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hookbox_platform::file;
use serde::Deserialize;

use crate::{
    error::{Error, ErrorKind},
    helper, json,
};

/// Largest configuration, bytes.
const MAX_BYTES: u64 = 1 << 20;
/// User name that marks a token in place of a password.
const TOKEN_USER: &str = "<token>";
/// Key of Docker's own registry in helpers.
const HUB_KEY: &str = "https://index.docker.io/v1/";
const HUB: &str = "index.docker.io";

/// Paths of docker's configuration and its helpers. The environment is not read.
#[derive(Clone, Debug, Default)]
pub struct Docker {
    /// The folder with `config.json`; `None` for no configuration.
    pub folder: Option<PathBuf>,
    /// Folders to search for helpers: those of `PATH`. Folders that are not absolute are skipped.
    pub path: Vec<PathBuf>,
}

/// Credentials. They are never displayed.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Credentials {
    Password {
        user: String,
        password: String,
    },
    /// A refresh token, with which tokens are requested.
    Identity(String),
}

#[derive(Default, Deserialize)]
struct Config {
    #[serde(default)]
    auths: BTreeMap<String, Entry>,
    #[serde(default, rename = "credHelpers")]
    helpers: BTreeMap<String, String>,
    #[serde(default, rename = "credsStore")]
    store: Option<String>,
}

#[derive(Default, Deserialize)]
struct Entry {
    auth: Option<String>,
    username: Option<String>,
    password: Option<String>,
    identitytoken: Option<String>,
}

impl Docker {
    /// Returns the credentials for this host, with its port as it is written in a reference.
    pub(crate) fn find_credentials(&self, host: &str) -> Result<Option<Credentials>, Error> {
        let Some(config) = self.config()? else { return Ok(None) };
        let own = config.helpers.iter().find(|(key, _)| is_for(key, host)).map(|(_, helper)| helper);
        if let Some(helper) = own.or(config.store.as_ref()).filter(|helper| !helper.is_empty()) {
            // Docker stores the credentials of its own registry under this old address.
            let key = if host == HUB { HUB_KEY } else { host };
            if let Some(found) = helper::ask_helper(helper, key, &self.path)? {
                return Ok(Some(found));
            }
        }
        // A key equal to the host has precedence over other spellings, and an entry without credentials is skipped: docker keeps such an
        // entry where a helper has the credentials.
        let mut entries: Vec<_> = config.auths.iter().filter(|(key, _)| is_for(key, host)).collect();
        entries.sort_by_key(|(key, _)| *key != host);
        let mut with_credentials = entries.into_iter().map(|(_, entry)| entry.to_credentials(host));
        with_credentials.find(|found| !matches!(found, Ok(None))).unwrap_or(Ok(None))
    }

    fn config(&self) -> Result<Option<Config>, Error> {
        let Some(file) = self.folder.as_ref().map(|folder| folder.join("config.json")) else {
            return Ok(None);
        };
        let Some(bytes) = read_config(&file)? else { return Ok(None) };
        json::parse_document(&bytes, &file.display().to_string()).map(Some)
    }
}

fn read_config(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    let shown = path.display();
    let opened = match file::open(path) {
        Ok(opened) => opened,
        Err(error) if error.kind() == IoErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::new(ErrorKind::Usage, format!("{shown} cannot be read: {error}"))),
    };
    let mut bytes = Vec::new();
    let read = opened.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| Error::new(ErrorKind::Usage, format!("{shown} cannot be read: {error}")))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Error::new(ErrorKind::TooLarge, format!("{shown} is larger than {MAX_BYTES} bytes")));
    }
    Ok(Some(bytes))
}

/// Returns true if a key of the configuration is for this host. Docker writes it with and without a scheme; a key for a part of a
/// registry is for no other part of it.
fn is_for(key: &str, host: &str) -> bool {
    let key = key.strip_prefix("https://").or_else(|| key.strip_prefix("http://")).unwrap_or(key);
    let (name, path) = key.split_once('/').unwrap_or((key, ""));
    // Only the paths that docker itself writes; credentials of one repository must not be sent for another.
    name == host && matches!(path.trim_end_matches('/'), "" | "v1" | "v2")
}

impl Entry {
    fn to_credentials(&self, host: &str) -> Result<Option<Credentials>, Error> {
        let filled = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        // docker uses the token where there is one.
        if let Some(token) = filled(&self.identitytoken) {
            return Ok(Some(Credentials::Identity(token)));
        }
        if let Some(auth) = filled(&self.auth) {
            let pair = STANDARD.decode(auth).ok().and_then(|bytes| String::from_utf8(bytes).ok());
            let pair = pair.as_deref().and_then(|pair| pair.split_once(':'));
            let (user, password) = pair.ok_or_else(|| make_unreadable_error(host))?;
            // docker removes zero bytes behind the password, too.
            return Ok(Some(Credentials::new(user, password.trim_end_matches('\0'))));
        }
        let pair = filled(&self.username).zip(filled(&self.password));
        Ok(pair.map(|(user, password)| Credentials::new(&user, &password)))
    }
}

fn make_unreadable_error(host: &str) -> Error {
    let what = format!(
        "the credentials for `{host}` in docker's configuration cannot be read; run: docker login {host}"
    );
    Error::new(ErrorKind::Usage, what)
}

impl Credentials {
    pub(crate) fn new(user: &str, password: &str) -> Self {
        if user == TOKEN_USER {
            return Self::Identity(password.to_owned());
        }
        Self::Password { user: user.to_owned(), password: password.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn write_config(config: &str) -> (tempfile::TempDir, Docker) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("config.json"), config).unwrap();
        let docker = Docker { folder: Some(folder.path().to_owned()), path: vec![folder.path().to_owned()] };
        (folder, docker)
    }

    fn find_text(config: &str, host: &str) -> String {
        let (_folder, docker) = write_config(config);
        match docker.find_credentials(host) {
            Ok(Some(Credentials::Password { user, password })) => format!("{user} {password}"),
            Ok(Some(Credentials::Identity(token))) => format!("token {token}"),
            Ok(None) => "none".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn an_entry_is_for_its_host_however_docker_wrote_it_and_for_no_other() {
        // `ann:pass:word`
        let auth = r#"{"auth": "YW5uOnBhc3M6d29yZA=="}"#;
        for key in
            ["r.example:5000", "https://r.example:5000", "http://r.example:5000/v1/", "r.example:5000/"]
        {
            let config = format!(r#"{{"auths": {{"{key}": {auth}}}, "HttpHeaders": {{"X": "1"}}}}"#);
            assert_eq!(find_text(&config, "r.example:5000"), "ann pass:word", "{key}");
            for other in ["r.example", "r.example:5001", "x.r.example:5000", "example:5000"] {
                assert_eq!(find_text(&config, other), "none", "{key} {other}");
            }
        }
        let part = format!(r#"{{"auths": {{"r.example/acme": {auth}}}}}"#);
        assert_eq!(find_text(&part, "r.example"), "none");
    }

    #[test]
    fn tokens_and_separate_names_are_read_and_other_entries_give_no_credentials() {
        let with = |entry: &str| find_text(&format!(r#"{{"auths": {{"r.example": {entry}}}}}"#), "r.example");
        assert_eq!(with(r#"{"identitytoken": "t", "auth": "YTpi"}"#), "token t");
        assert_eq!(with(r#"{"username": "a", "password": "b"}"#), "a b");
        assert_eq!(with("{}"), "none");
        assert_eq!(
            with(r#"{"auth": "canary"}"#),
            "the credentials for `r.example` in docker's configuration cannot be read; run: docker login r.example"
        );
        assert_eq!(find_text("{}", "r.example"), "none");
    }

    #[test]
    fn of_several_entries_for_a_host_the_one_with_credentials_counts_every_time() {
        let filled = |key: &str, pair: &str| format!(r#""{key}": {{"auth": "{pair}"}}"#);
        let (ann, bob) = ("YTpi", "Yjpj");
        for (entries, expected) in [
            (format!(r#""r.example": {{}}, {}"#, filled("http://r.example", ann)), "a b"),
            (format!(r#"{}, "https://r.example/v1/": {{}}"#, filled("https://r.example", ann)), "a b"),
            (format!("{}, {}", filled("https://r.example", ann), filled("r.example", bob)), "b c"),
            (format!("{}, {}", filled("r.example", bob), filled("https://r.example", ann)), "b c"),
        ] {
            for _ in 0..20 {
                assert_eq!(
                    find_text(&format!(r#"{{"auths": {{{entries}}}}}"#), "r.example"),
                    expected,
                    "{entries}"
                );
            }
        }
    }

    #[test]
    fn an_invalid_docker_configuration_is_reported_without_its_content() {
        let message = find_text(r#"{"auths": {"r.example": {"auth": "canary"}}"#, "r.example");
        assert!(message.contains("config.json is not JSON") && !message.contains("canary"), "{message}");
        let message = find_text(r#"{"auths": {"r.example": {"auth": ["canary"]}}}"#, "r.example");
        assert!(
            message.contains("does not have the expected form") && !message.contains("canary"),
            "{message}"
        );
        assert!(Docker::default().find_credentials("r.example").unwrap().is_none());
    }
}
