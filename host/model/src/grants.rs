//! What the operator lets a sandboxed hook do.

mod folder;
mod kv;

pub use self::{
    folder::{Folder, PROJECT},
    kv::{KvGrant, Scope},
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
        let kv = self.kv.scopes().iter().map(|scope| format!("kv {scope}"));
        flags.chain(env).chain(read).chain(write).chain(kv).collect()
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
            kv: KvGrant::new([Scope::User]),
        };
        assert_eq!(
            grants.names(),
            ["clock", "random", "env LANG", "fs.read project", "fs.write /var/log/hooks", "kv user"]
        );
    }
}
