//! The capabilities that a plugin asks for. Effective is what is asked and granted.

use crate::{Folder, Grants, HttpRule, KvGrant, Scope, Secret};

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
    /// To make requests.
    pub http: RequestsAsked,
    /// To have these secrets sent; `*` for those that the operator names.
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

/// Which requests a plugin asks for. The default is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestsAsked {
    /// By these rules.
    These(Vec<HttpRule>),
    /// Whichever the operator names.
    Any,
}

impl Default for RequestsAsked {
    fn default() -> Self {
        Self::These(Vec::new())
    }
}

impl RequestsAsked {
    /// The narrower of each rule that is asked and each that is granted, where one includes the other.
    fn admits(&self, granted: &[HttpRule]) -> Vec<HttpRule> {
        let Self::These(asked) = self else { return granted.to_vec() };
        let narrower = |asked: &HttpRule, granted: &HttpRule| {
            if asked.includes(granted) {
                return Some(granted.clone());
            }
            granted.includes(asked).then(|| asked.clone())
        };
        granted
            .iter()
            .flat_map(|granted| asked.iter().filter_map(move |asked| narrower(asked, granted)))
            .collect()
    }

    /// The rules that no grant includes.
    fn missing<'a>(&'a self, granted: &'a [HttpRule]) -> impl Iterator<Item = &'a HttpRule> {
        let rules = if let Self::These(rules) = self { rules.as_slice() } else { &[] };
        rules.iter().filter(|asked| !granted.iter().any(|rule| rule.includes(asked)))
    }

    /// Is it left to the operator, who grants none?
    fn is_open(&self, granted: &[HttpRule]) -> bool {
        *self == Self::Any && granted.is_empty()
    }
}

/// Is this one asked for by its name, or whichever there are?
fn is_named(asked: &[String], name: &str) -> bool {
    asked.iter().any(|asked| asked == name || asked == "*")
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
        let Grants { clock, random, env, read, write, http, addresses, secrets, kv } = granted;
        let http = self.http.admits(http);
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
            addresses: if http.is_empty() { Vec::new() } else { addresses.clone() },
            http,
            secrets: secrets.iter().filter(|secret| is_named(&self.secret, &secret.name)).cloned().collect(),
            kv: kv.only(|scope| is_named(&self.kv, scope.as_str())),
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
        let open = self.http.is_open(&granted.http).then(|| "http *".to_owned());
        let http = self.http.missing(&granted.http).map(|rule| format!("http {rule}")).chain(open);
        let is_granted = |name: &&String| granted.secrets.iter().any(|secret| secret.name == **name);
        let secrets = self.secret.iter().filter(|name| *name != "*" && !is_granted(name));
        let secrets = secrets.map(|name| format!("secret {name}"));
        let kv = self.kv_missing(granted).map(|scope| format!("kv {scope}"));
        flags.chain(env).chain(read).chain(write).chain(http).chain(secrets).chain(kv).collect()
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
        joined.http.extend(self.http.missing(&granted.http).cloned());
        let to = || joined.http.iter().map(HttpRule::of_its_server).collect();
        let new =
            |name: &&String| *name != "*" && !granted.secrets.iter().any(|secret| secret.name == **name);
        let secrets: Vec<_> = self
            .secret
            .iter()
            .filter(new)
            .map(|name| Secret { name: name.clone(), env: name.to_uppercase().replace('-', "_"), to: to() })
            .collect();
        joined.secrets.extend(secrets);
        let scopes = joined.kv.scopes().iter().copied().chain(self.kv_missing(granted));
        joined.kv = KvGrant::new(scopes).with_quota(granted.kv.quota());
        joined
    }

    fn kv_missing<'a>(&'a self, granted: &'a Grants) -> impl Iterator<Item = Scope> + 'a {
        let asked = self.kv.iter().filter_map(|name| Scope::named(name));
        asked.filter(|scope| !granted.kv.covers(*scope))
    }

    /// Everything that is asked, each by its name.
    pub fn names(&self) -> Vec<String> {
        let open = self.secret.iter().filter(|name| *name == "*").map(|name| format!("secret {name}"));
        let any = self.kv.iter().filter(|name| *name == "*").map(|name| format!("kv {name}"));
        self.missing(&Grants::default()).into_iter().chain(open).chain(any).collect()
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
            ..Grants::default()
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
    fn of_two_rules_for_requests_the_narrower_is_given() {
        let rules =
            |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<HttpRule>>();
        for (asked, granted, given) in [
            (&["https://a.example/v1"][..], &["https://a.example/"][..], &["https://a.example/v1"][..]),
            (&["https://a.example/"], &["https://a.example/v1"], &["https://a.example/v1"]),
            (
                &["* https://*.a.example/"],
                &["GET,POST https://x.a.example/"],
                &["GET,POST https://x.a.example/"],
            ),
            (&["https://*.b.a.example/"], &["https://*.a.example/"], &["https://*.b.a.example/"]),
            (&["https://a.example/"], &["https://*.a.example/"], &[]),
            (&["https://a.example/"], &["http://a.example/"], &[]),
            (&["https://a.example:8443/"], &["https://a.example/"], &[]),
            (&["POST https://a.example/"], &["https://a.example/"], &[]),
            (&["https://a.example/v1"], &["https://a.example/v10"], &[]),
        ] {
            let asks = Asks { http: RequestsAsked::These(rules(asked)), ..Asks::default() };
            let grants = Grants { http: rules(granted), ..Grants::default() };
            assert_eq!(asks.admits(&grants).http, rules(given), "{asked:?} {granted:?}");
        }
        let grants = Grants { http: rules(&["https://a.example/"]), ..Grants::default() };
        assert_eq!(Asks::default().admits(&grants), Grants::default());
        assert_eq!(Asks { http: RequestsAsked::Any, ..Asks::default() }.admits(&grants), grants);
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
