//! Files that are protected unless the configuration overrides it.

use protected_places::{
    CREDENTIAL_NAMES, CREDENTIAL_PLACES, KEY_NAMES, Kind, PLACES, Path, SHADOWS, is_environment_template,
    is_key_file,
};

use crate::{
    Access, Decision, Severity,
    path::{FilePath, is, is_home},
};
use shell_commands::{is_pattern, matches_name};

/// A kind of protected file.
pub(crate) struct Protection {
    /// The stable code.
    pub(crate) code: &'static str,
    /// Description of such a file, as part of a sentence.
    pub(crate) what: &'static str,
    /// True if reading is allowed.
    pub(crate) write_only: bool,
    /// Alternative to reading or writing such a file.
    pub(crate) instead: &'static str,
    /// Returns true if a file belongs to this protection.
    matches: fn(&FilePath, Access) -> bool,
}

const SECRET: &str =
    "let the program that needs the file read it itself, or ask the person for the one value";
const CONFIGURATION: &str = "tell the person what should change, and why";

/// Every kind, in the order in which they are looked at.
pub(crate) const PROTECTIONS: &[Protection] = &[
    Protection {
        code: "private-key",
        what: "a private key",
        write_only: false,
        instead: SECRET,
        matches: private_key,
    },
    Protection {
        code: "credentials",
        what: "a credentials file",
        write_only: false,
        instead: SECRET,
        matches: credentials,
    },
    Protection {
        code: "secret-file",
        what: "a file with secrets",
        write_only: false,
        instead: SECRET,
        matches: secret,
    },
    Protection {
        code: Kind::Hooks.code(),
        what: Kind::Hooks.what(),
        write_only: true,
        instead: CONFIGURATION,
        matches: |path, _| configures(path, Kind::Hooks),
    },
    Protection {
        code: Kind::Agent.code(),
        what: Kind::Agent.what(),
        write_only: true,
        instead: CONFIGURATION,
        matches: |path, _| configures(path, Kind::Agent),
    },
];

impl Protection {
    /// Returns the decision for a file. The exception names its last component, because a user would allow it wherever
    /// it is.
    pub(crate) fn decision(&self, text: String, file: &FilePath) -> Decision {
        Decision {
            severity: Severity::Deny,
            code: self.code,
            text,
            instead: self.instead,
            always: crate::plain_name(file).map(|name| format!("with `allow = [\"**/{name}\"]`")),
        }
    }
}

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

fn secret(path: &FilePath, access: Access) -> bool {
    let environment = matches!(path.parts(), [proc, .., last] if proc == "proc" && last == "environ");
    environment
        || is(path.name(), ".env")
        // `.*` means no file in particular, but prints this one.
        || (access == Access::Read && matches_name(path.name(), ".env"))
        || path.name().strip_prefix(".env.").is_some_and(|kinds| !is_environment_template(kinds))
}

/// Returns true if a file is a template, made to be shared and filled in afterwards.
pub(crate) fn is_template(path: &FilePath) -> bool {
    let kinds = path.name().strip_prefix(".env.").or_else(|| path.name().strip_prefix("env."));
    kinds.is_some_and(is_environment_template)
}

fn private_key(path: &FilePath, _: Access) -> bool {
    let name = path.name();
    KEY_NAMES.iter().any(|key| is(name, key)) || is_key_file(name)
}

fn credentials(path: &FilePath, access: Access) -> bool {
    if access == Access::Read && ending(path.name()) == "pub" {
        return false;
    }
    let shadow =
        matches!(path.parts(), [etc, name] if etc == "etc" && SHADOWS.iter().any(|shadow| is(name, shadow)));
    shadow
        || CREDENTIAL_NAMES.iter().any(|name| is(path.name(), name))
        || path.is_in_home(&[".npmrc"])
        || has_any(path, CREDENTIAL_PLACES)
}

fn is_mark(c: char) -> bool {
    is_pattern(c.encode_utf8(&mut [0; 4]))
}

fn configures(path: &FilePath, kind: Kind) -> bool {
    let parts: Vec<&str> = path.parts().iter().map(String::as_str).collect();
    // `*.json` means no file in particular, wherever it is.
    let same = |part: &str, name: &str| part == name || (!part.starts_with(is_mark) && is(part, name));
    let path = Path { parts: &parts, same: &same, is_home: &is_home };
    PLACES.iter().any(|place| place.kind == kind && place.holds(&path))
}
