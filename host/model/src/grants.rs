//! What the operator lets a sandboxed hook do.

mod address;
mod error;
mod folder;
mod http;
mod kv;
mod line;
mod secret;

pub use self::{
    address::{AddressRange, is_public},
    error::GrantError,
    folder::{Folder, PROJECT},
    http::{HttpHost, HttpRule, HttpScheme, HttpTarget},
    kv::{KvGrant, Scope},
    secret::Secret,
};

/// The operator's yes to powers that a hook does not have by itself. The default is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Grants {
    /// To know what time it is. Without it the time is the event's.
    pub clock: bool,
    /// To get unpredictable bytes. Without it they follow from the event.
    pub random: bool,
    /// To know the values of these environment variables.
    pub env: Vec<String>,
    /// To read what is in these folders.
    pub read: Vec<Folder>,
    /// To read and to change what is in these folders.
    pub write: Vec<Folder>,
    /// To send these requests.
    pub http: Vec<HttpRule>,
    /// To reach these addresses by them, though they are not public.
    pub addresses: Vec<AddressRange>,
    /// To have these secrets sent.
    pub secrets: Vec<Secret>,
    /// To keep entries in a store of its own.
    pub kv: KvGrant,
}

impl Grants {
    /// Those that are given, each as the configuration names it, with its value.
    pub fn names(&self) -> Vec<String> {
        let flags = [("clock", self.clock), ("random", self.random)];
        let flags = flags.into_iter().filter(|(_, given)| *given).map(|(name, _)| name.to_owned());
        let env = self.env.iter().map(|name| format!("env {name}"));
        let read = self.read.iter().map(|folder| format!("fs.read {folder}"));
        let write = self.write.iter().map(|folder| format!("fs.write {folder}"));
        let http = self.http.iter().map(|rule| format!("http {rule}"));
        let addresses = self.addresses.iter().map(|range| format!("addresses {range}"));
        let secrets = self.secrets.iter().map(|secret| format!("secret {secret}"));
        let kv = self.kv.scopes().iter().map(|scope| format!("kv {scope}"));
        flags
            .chain(env)
            .chain(read)
            .chain(write)
            .chain(http)
            .chain(addresses)
            .chain(secrets)
            .chain(kv)
            .collect()
    }

    /// May it talk to other machines?
    pub fn reach_the_network(&self) -> bool {
        !self.http.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_given_by_default_and_what_is_given_is_named() {
        assert_eq!(Grants::default().names(), Vec::<String>::new());
        let grants = Grants {
            clock: true,
            random: true,
            env: vec!["LANG".to_owned()],
            read: vec![Folder::Project],
            write: vec![Folder::At("/var/log/hooks".into())],
            http: vec!["https://a.example".parse().unwrap()],
            addresses: vec!["10.0.0.0/8".parse().unwrap()],
            secrets: vec![Secret {
                name: "api".to_owned(),
                env: "TOKEN".to_owned(),
                to: vec![HttpRule::of_any_method("https://a.example").unwrap()],
            }],
            kv: KvGrant::new([Scope::User]),
        };
        assert_eq!(
            grants.names(),
            [
                "clock",
                "random",
                "env LANG",
                "fs.read project",
                "fs.write /var/log/hooks",
                "http https://a.example/",
                "addresses 10.0.0.0/8",
                "secret api (TOKEN) to * https://a.example/",
                "kv user",
            ]
        );
    }
}
