//! The capabilities that a plugin asks for. Effective is what is asked and granted.

use crate::{Folder, Grants};

/// What a plugin asks for. The default is nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asks {
    /// To know what time it is.
    pub clock: bool,
    /// To get unpredictable bytes.
    pub random: bool,
    /// To know the values of these environment variables.
    pub env: Vec<String>,
    /// To read folders.
    pub read: FoldersAsked,
    /// To read and to change folders.
    pub write: FoldersAsked,
    /// To make requests by these rules; `*` for those that the operator names.
    pub http: Vec<String>,
    /// To use these secrets; `*` for those that the operator names.
    pub secret: Vec<String>,
    /// To keep values in these stores; `*` for those that the operator names.
    pub kv: Vec<String>,
}

/// Which folders a plugin asks for; where they are is the operator's to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum FoldersAsked {
    /// None.
    #[default]
    None,
    /// The one that the event happens in.
    Project,
    /// Whichever the operator names.
    Any,
}

impl FoldersAsked {
    fn admits(self, folder: &Folder) -> bool {
        match self {
            Self::None => false,
            Self::Project => *folder == Folder::Project,
            Self::Any => true,
        }
    }

    /// The word for it in a manifest.
    fn word(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Project => Some(crate::PROJECT),
            Self::Any => Some("*"),
        }
    }
}

impl Asks {
    /// What is granted of what is asked.
    #[must_use]
    pub fn admits(&self, granted: &Grants) -> Grants {
        // Field by field: what is new to grants must be narrowed here, too.
        let Grants { clock, random, env, read, write } = granted;
        let (write, only_read): (Vec<_>, Vec<_>) =
            write.iter().cloned().partition(|folder| self.write.admits(folder));
        // Writing includes reading, asked as well as granted.
        let readable = self.read.max(self.write);
        let read = read.iter().cloned().chain(only_read).filter(|folder| readable.admits(folder));
        Grants {
            clock: self.clock && *clock,
            random: self.random && *random,
            env: env.iter().filter(|name| self.env.contains(name)).cloned().collect(),
            read: read.collect(),
            write,
        }
    }

    /// What is asked and not granted, each by its name.
    pub fn missing(&self, granted: &Grants) -> Vec<String> {
        let flags = [("clock", self.clock && !granted.clock), ("random", self.random && !granted.random)];
        let flags = flags.into_iter().filter(|(_, missing)| *missing).map(|(name, _)| name.to_owned());
        let env =
            self.env.iter().filter(|name| !granted.env.contains(name)).map(|name| format!("env {name}"));
        let read =
            unmet(self.read, granted.read.iter().chain(&granted.write)).map(|word| format!("fs.read {word}"));
        let write = unmet(self.write, granted.write.iter()).map(|word| format!("fs.write {word}"));
        flags.chain(env).chain(read).chain(write).collect()
    }

    /// What is granted and, beside it, what is asked: what the operator would grant who agrees. Where the plugin leaves
    /// the folder to the operator it is the project's.
    #[must_use]
    pub fn joined_to(&self, granted: &Grants) -> Grants {
        let mut joined = granted.clone();
        joined.clock |= self.clock;
        joined.random |= self.random;
        joined.env.extend(self.env.iter().filter(|name| !granted.env.contains(name)).cloned());
        if unmet(self.write, granted.write.iter()).is_some() {
            joined.write.push(Folder::Project);
        }
        if unmet(self.read, joined.read.iter().chain(&joined.write)).is_some() {
            joined.read.push(Folder::Project);
        }
        joined
    }

    /// Everything that is asked, each by its name.
    pub fn names(&self) -> Vec<String> {
        let rules = [("http", &self.http), ("secret", &self.secret), ("kv", &self.kv)];
        let rules = rules
            .into_iter()
            .flat_map(|(name, rules)| rules.iter().map(move |rule| format!("{name} {rule}")));
        self.missing(&Grants::default()).into_iter().chain(rules).collect()
    }
}

/// The word for what is asked, if no folder meets it.
fn unmet<'a>(asked: FoldersAsked, mut granted: impl Iterator<Item = &'a Folder>) -> Option<&'static str> {
    asked.word().filter(|_| !granted.any(|folder| asked.admits(folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(path: &str) -> Folder {
        Folder::At(path.into())
    }

    fn folders(read: FoldersAsked, write: FoldersAsked) -> Asks {
        Asks { read, write, ..Asks::default() }
    }

    #[test]
    fn what_is_asked_and_granted_is_given_and_nothing_else() {
        use FoldersAsked::{Any, None, Project};
        let all = Grants {
            clock: true,
            random: true,
            env: vec!["LANG".into(), "HOME".into()],
            read: vec![Folder::Project, at("/data")],
            write: vec![at("/log")],
        };
        let env = Asks { env: vec!["HOME".into(), "PATH".into()], ..Asks::default() };
        for (asked, given) in [
            (Asks::default(), vec![]),
            (Asks { clock: true, ..Asks::default() }, vec!["clock"]),
            (Asks { random: true, ..Asks::default() }, vec!["random"]),
            (env, vec!["env HOME"]),
            (folders(Project, None), vec!["fs.read project"]),
            (folders(Any, None), vec!["fs.read project", "fs.read /data", "fs.read /log"]),
            (folders(None, Project), vec!["fs.read project"]),
            (folders(None, Any), vec!["fs.read project", "fs.read /data", "fs.write /log"]),
        ] {
            assert_eq!(asked.admits(&all).names(), given, "{asked:?}");
            assert_eq!(asked.admits(&Grants::default()), Grants::default(), "{asked:?}");
        }
    }

    #[test]
    fn what_is_asked_and_not_granted_is_named_with_the_line_that_grants_it() {
        use FoldersAsked::{Any, Project};
        let asked = Asks { clock: true, env: vec!["LANG".into()], ..folders(Project, Any) };
        assert_eq!(asked.missing(&Grants::default()), ["clock", "env LANG", "fs.read project", "fs.write *"]);
        assert_eq!(
            asked.joined_to(&Grants::default()).line(),
            r#"grant = { clock = true, env = ["LANG"], fs = { write = ["project"] } }"#
        );
        let granted = Grants { random: true, write: vec![at("/log")], ..Grants::default() };
        assert_eq!(asked.missing(&granted), ["clock", "env LANG", "fs.read project"]);
        let joined = asked.joined_to(&granted);
        assert_eq!(
            joined.line(),
            r#"grant = { clock = true, random = true, env = ["LANG"], fs = { read = ["project"], write = ["/log"] } }"#
        );
        assert_eq!(asked.missing(&joined), Vec::<String>::new());
    }
}
