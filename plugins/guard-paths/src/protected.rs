//! What is protected unless the configuration says otherwise.

use protected_places::{
    CREDENTIAL_NAMES, CREDENTIAL_PLACES, KEY_NAMES, Kind, PLACES, Path, SHADOWS, is_environment_template,
    is_key_file,
};

use crate::{
    Access,
    path::{FilePath, is_home},
};

/// A kind of protected file.
pub(crate) struct Protection {
    /// The stable code.
    pub(crate) code: &'static str,
    /// What such a file is, as part of a sentence.
    pub(crate) what: &'static str,
    /// Whether reading is fine.
    pub(crate) write_only: bool,
    /// Whether a file is one.
    matches: fn(&FilePath, Access) -> bool,
}

/// Every kind, in the order in which they are looked at.
pub(crate) const PROTECTIONS: &[Protection] = &[
    Protection { code: "private-key", what: "a private key", write_only: false, matches: private_key },
    Protection { code: "credentials", what: "a credentials file", write_only: false, matches: credentials },
    Protection { code: "secret-file", what: "a file with secrets", write_only: false, matches: secret },
    Protection {
        code: Kind::Hooks.code(),
        what: Kind::Hooks.what(),
        write_only: true,
        matches: |path, _| configures(path, Kind::Hooks),
    },
    Protection {
        code: Kind::Agent.code(),
        what: Kind::Agent.what(),
        write_only: true,
        matches: |path, _| configures(path, Kind::Agent),
    },
];

/// The first protection that forbids this.
pub(crate) fn find(path: &FilePath, access: Access) -> Option<&'static Protection> {
    PROTECTIONS.iter().find(|protection| {
        (access == Access::Write || !protection.write_only) && (protection.matches)(path, access)
    })
}

fn has_any(path: &FilePath, places: &[&[&str]]) -> bool {
    places.iter().any(|place| path.has(place))
}

fn ending(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

fn secret(path: &FilePath, _: Access) -> bool {
    let environment = matches!(path.parts(), [proc, .., last] if proc == "proc" && last == "environ");
    environment
        || match path.name().strip_prefix(".env") {
            Some("") => true,
            Some(rest) => rest.strip_prefix('.').is_some_and(|kinds| !is_environment_template(kinds)),
            None => false,
        }
}

fn private_key(path: &FilePath, _: Access) -> bool {
    let name = path.name();
    KEY_NAMES.contains(&name) || is_key_file(name)
}

fn credentials(path: &FilePath, access: Access) -> bool {
    if access == Access::Read && ending(path.name()) == "pub" {
        return false;
    }
    let shadow = matches!(path.parts(), [etc, name] if etc == "etc" && SHADOWS.contains(&name.as_str()));
    shadow
        || CREDENTIAL_NAMES.contains(&path.name())
        || path.is_in_home(&[".npmrc"])
        || has_any(path, CREDENTIAL_PLACES)
}

fn configures(path: &FilePath, kind: Kind) -> bool {
    let parts: Vec<&str> = path.parts().iter().map(String::as_str).collect();
    let path = Path { parts: &parts, same: &|part, name| part == name, is_home: &is_home };
    PLACES.iter().any(|place| place.kind == kind && place.holds(&path))
}
