//! Grants as the operator would write them.

use super::{Folder, Grants, Secret};

impl Grants {
    /// The line of a hook's entry that gives them; empty if nothing is given.
    pub fn line(&self) -> String {
        let flags = [("clock", self.clock), ("random", self.random)];
        let flags = flags.into_iter().filter(|(_, given)| *given).map(|(name, _)| format!("{name} = true"));
        let env = list("env", self.env.iter().map(String::as_str));
        let folders = |key, folders: &[Folder]| {
            let folders: Vec<_> = folders.iter().map(ToString::to_string).collect();
            list(key, folders.iter().map(String::as_str))
        };
        let fs = [folders("read", &self.read), folders("write", &self.write)];
        let fs = table(fs.into_iter().flatten()).map(|fs| format!("fs = {fs}"));
        let shown = |key, rules: Vec<String>| list(key, rules.iter().map(String::as_str));
        let http = shown("http", self.http.iter().map(ToString::to_string).collect());
        let addresses = shown("addresses", self.addresses.iter().map(ToString::to_string).collect());
        let secrets = self.secrets.iter().map(|Secret { name, env, to }| {
            let env = serde_json::Value::from(env.as_str()).to_string();
            let to =
                list("to", to.iter().map(ToString::to_string).collect::<Vec<_>>().iter().map(String::as_str));
            format!("{name} = {{ env = {env}, {} }}", to.unwrap_or_else(|| "to = []".to_owned()))
        });
        let secrets = table(secrets).map(|secrets| format!("secret = {secrets}"));
        table(flags.chain(env).chain(fs).chain(http).chain(addresses).chain(secrets).chain(self.kv.entry()))
            .map(|table| format!("grant = {table}"))
            .unwrap_or_default()
    }
}

fn table(keys: impl Iterator<Item = String>) -> Option<String> {
    let keys: Vec<_> = keys.collect();
    (!keys.is_empty()).then(|| format!("{{ {} }}", keys.join(", ")))
}

fn list<'a>(key: &str, texts: impl Iterator<Item = &'a str>) -> Option<String> {
    // What JSON escapes, TOML escapes alike.
    let texts: Vec<_> = texts.map(|text| serde_json::Value::from(text).to_string()).collect();
    (!texts.is_empty()).then(|| format!("{key} = [{}]", texts.join(", ")))
}
