//! Capabilities requested by a plugin. The effective capabilities are those both requested and granted.

use super::{CAPABILITIES, Grants, RequestedFolders, RequestedHttp};

/// Capabilities requested by a plugin. The default is an empty set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestedGrants {
    /// Read the time of day.
    pub clock: bool,
    /// Get unpredictable bytes.
    pub random: bool,
    /// Read the values of these environment variables.
    pub env: Vec<String>,
    /// Read folders.
    pub read: RequestedFolders,
    /// Read and change folders.
    pub write: RequestedFolders,
    /// Send requests.
    pub http: RequestedHttp,
    /// Have these secrets sent; `*` for those that the operator names.
    pub secret: Vec<String>,
    /// Keep values in these stores; `*` for those that the operator names.
    pub kv: Vec<String>,
}

impl RequestedGrants {
    /// Returns the effective capabilities: the granted ones that are requested.
    #[must_use]
    pub fn narrow_grants(&self, granted: &Grants) -> Grants {
        let mut given = Grants::default();
        for capability in &CAPABILITIES {
            (capability.admit)(self, granted, &mut given);
        }
        given
    }

    /// Returns the names of requested capabilities that are not granted.
    pub fn list_missing(&self, granted: &Grants) -> Vec<String> {
        CAPABILITIES.iter().flat_map(|capability| (capability.missing)(self, granted)).collect()
    }

    /// Returns the union of granted and requested capabilities.
    #[must_use]
    pub fn joined_to(&self, granted: &Grants) -> Grants {
        let mut joined = granted.clone();
        for capability in &CAPABILITIES {
            (capability.join)(self, &mut joined);
        }
        joined
    }

    /// Splits the request into single requests, one for each item, so that the operator can be asked about each.
    pub fn each(&self) -> Vec<Self> {
        // All fields by name: a new capability does not compile before the operator can be asked about it.
        let Self { clock, random, env, read, write, http, secret, kv } = self;
        let nothing = Self::default;
        let mut each = vec![
            Self { clock: *clock, ..nothing() },
            Self { random: *random, ..nothing() },
            Self { read: *read, ..nothing() },
            Self { write: *write, ..nothing() },
        ];
        each.extend(env.iter().map(|name| Self { env: vec![name.clone()], ..nothing() }));
        each.extend(http.each().map(|http| Self { http, ..nothing() }));
        each.extend(secret.iter().map(|name| Self { secret: vec![name.clone()], ..nothing() }));
        each.extend(kv.iter().map(|scope| Self { kv: vec![scope.clone()], ..nothing() }));
        each.retain(|one| *one != nothing());
        each
    }

    /// Returns the name of every capability, as a member of a manifest's `capabilities`.
    pub fn all_names() -> Vec<&'static str> {
        CAPABILITIES.iter().map(|capability| capability.name).collect()
    }

    /// Returns the names of all requested capabilities.
    pub fn names(&self) -> Vec<String> {
        let open = CAPABILITIES.iter().flat_map(|capability| (capability.open)(self));
        self.list_missing(&Grants::default()).into_iter().chain(open).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Folder, HttpRule};

    fn make_folder(path: &str) -> Folder {
        Folder::At(path.into())
    }

    fn make_request(read: RequestedFolders, write: RequestedFolders) -> RequestedGrants {
        RequestedGrants { read, write, ..RequestedGrants::default() }
    }

    #[test]
    fn what_is_asked_and_granted_is_given_and_nothing_else() {
        use RequestedFolders::{Any, None, Project};
        let all = Grants {
            clock: true,
            random: true,
            env: vec!["LANG".into(), "HOME".into()],
            read: vec![Folder::Project, make_folder("/data")],
            write: vec![make_folder("/log")],
            ..Grants::default()
        };
        let env = RequestedGrants { env: vec!["HOME".into(), "PATH".into()], ..RequestedGrants::default() };
        for (asked, given) in [
            (RequestedGrants::default(), vec![]),
            (RequestedGrants { clock: true, ..RequestedGrants::default() }, vec!["clock"]),
            (RequestedGrants { random: true, ..RequestedGrants::default() }, vec!["random"]),
            (env, vec!["env HOME"]),
            (make_request(Project, None), vec!["fs.read project"]),
            (make_request(Any, None), vec!["fs.read project", "fs.read /data", "fs.read /log"]),
            (make_request(None, Project), vec!["fs.read project"]),
            (make_request(None, Any), vec!["fs.read project", "fs.read /data", "fs.write /log"]),
        ] {
            assert_eq!(asked.narrow_grants(&all).names(), given, "{asked:?}");
            assert_eq!(asked.narrow_grants(&Grants::default()), Grants::default(), "{asked:?}");
        }
    }

    #[test]
    fn one_by_one_it_is_all_that_is_asked() {
        use RequestedFolders::{Any, Project};
        let text = |text: &str| text.to_owned();
        let asked = RequestedGrants {
            clock: true,
            random: true,
            env: vec![text("LANG"), text("HOME")],
            http: RequestedHttp::These(vec![
                "https://a.example/".parse().unwrap(),
                "https://b.example/".parse().unwrap(),
            ]),
            secret: vec![text("token")],
            kv: vec![text("session"), text("user")],
            ..make_request(Project, Any)
        };
        let mut one_by_one: Vec<_> = asked.each().iter().flat_map(RequestedGrants::names).collect();
        let mut all = asked.names();
        one_by_one.sort();
        all.sort();
        assert_eq!(one_by_one, all);
        assert!(asked.each().iter().all(|one| one.names().len() == 1));
        let any = RequestedGrants { http: RequestedHttp::Any, ..RequestedGrants::default() };
        assert_eq!(any.each(), std::slice::from_ref(&any));
        assert_eq!(RequestedGrants::default().each(), []);
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
            let asks =
                RequestedGrants { http: RequestedHttp::These(rules(asked)), ..RequestedGrants::default() };
            let grants = Grants { http: rules(granted), ..Grants::default() };
            assert_eq!(asks.narrow_grants(&grants).http, rules(given), "{asked:?} {granted:?}");
        }
        let grants = Grants { http: rules(&["https://a.example/"]), ..Grants::default() };
        assert_eq!(RequestedGrants::default().narrow_grants(&grants), Grants::default());
        assert_eq!(
            RequestedGrants { http: RequestedHttp::Any, ..RequestedGrants::default() }.narrow_grants(&grants),
            grants
        );
    }

    #[test]
    fn what_is_asked_and_not_granted_is_named_with_the_line_that_grants_it() {
        use RequestedFolders::{Any, Project};
        let asked = RequestedGrants { clock: true, env: vec!["LANG".into()], ..make_request(Project, Any) };
        assert_eq!(
            asked.list_missing(&Grants::default()),
            ["clock", "env LANG", "fs.read project", "fs.write *"]
        );
        assert_eq!(
            asked.joined_to(&Grants::default()).line(),
            r#"grant = { clock = true, env = ["LANG"], fs = { write = ["project"] } }"#
        );
        let granted = Grants { random: true, write: vec![make_folder("/log")], ..Grants::default() };
        assert_eq!(asked.list_missing(&granted), ["clock", "env LANG", "fs.read project"]);
        let joined = asked.joined_to(&granted);
        assert_eq!(
            joined.line(),
            r#"grant = { clock = true, random = true, env = ["LANG"], fs = { read = ["project"], write = ["/log"] } }"#
        );
        assert_eq!(asked.list_missing(&joined), Vec::<String>::new());
    }
}
