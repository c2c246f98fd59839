//! Layouts of package managers that move a program at each upgrade, and keep a path that leads to it.

use std::path::{Path, PathBuf};

use hookbox_platform::account::Account;

use crate::places::Places;

/// A layout of a package manager.
struct Layout {
    /// Part of the program's real path.
    marker: &'static str,
    /// Number of components behind the marker that name the package and its version.
    versioned: usize,
    /// Paths that survive an upgrade, in the order in which they are tried. `<before>` is the path in front of the marker,
    /// `<first>` the component behind it, `<rest>` the path behind the versioned components.
    stable: &'static [&'static str],
}

/// Homebrew, Nix, Guix, pnpm, npm, mise and asdf, snap. Other managers keep the program's own path: pip's and uv's environments, dpkg.
const LAYOUTS: [Layout; 7] = [
    Layout { marker: "/Cellar/", versioned: 2, stable: &["<before>/opt/<first>/<rest>"] },
    Layout {
        marker: "/nix/store/",
        versioned: 1,
        stable: &[
            "<home>/.nix-profile/<rest>",
            "<home>/.local/state/nix/profile/<rest>",
            "/etc/profiles/per-user/<user>/<rest>",
            "/run/current-system/sw/<rest>",
            "/nix/var/nix/profiles/default/<rest>",
        ],
    },
    Layout {
        marker: "/gnu/store/",
        versioned: 1,
        stable: &["<home>/.guix-profile/<rest>", "/run/current-system/profile/<rest>"],
    },
    Layout { marker: "/node_modules/.pnpm/", versioned: 2, stable: &["<before>/node_modules/<rest>"] },
    // The link is tried although npm's package has a launcher there, which is another file: then the path of the program stays.
    Layout {
        marker: "/node_modules/@hookbox/",
        versioned: 1,
        stable: &["<before>/node_modules/.bin/hookbox"],
    },
    Layout {
        marker: "/installs/hookbox/",
        versioned: 1,
        stable: &["<before>/installs/hookbox/latest/<rest>"],
    },
    Layout { marker: "/snap/hookbox/", versioned: 1, stable: &["<before>/snap/hookbox/current/<rest>"] },
];

/// Returns the paths that a package manager may keep for this program, whether they exist or not.
pub(crate) fn list_stable_paths(program: &Path, places: &Places) -> Vec<PathBuf> {
    let Some(program) = program.to_str() else { return Vec::new() };
    LAYOUTS.iter().filter_map(|layout| layout.list_paths(program, places)).flatten().collect()
}

impl Layout {
    fn list_paths(&self, program: &str, places: &Places) -> Option<Vec<PathBuf>> {
        let (before, behind) = program.split_once(self.marker)?;
        let mut parts = behind.splitn(self.versioned + 1, '/');
        let first = parts.next()?;
        let rest = parts.nth(self.versioned.checked_sub(1)?)?;
        let account = Account::of_this_user();
        let values = [
            ("<before>", Some(before)),
            ("<first>", Some(first)),
            ("<rest>", Some(rest)),
            ("<home>", places.home().and_then(Path::to_str)),
            ("<user>", account.as_ref().map(|account| account.name.as_str())),
        ];
        Some(self.stable.iter().filter_map(|path| fill_path(path, &values)).collect())
    }
}

/// Returns the path with its values; `None` if one of them is unknown.
fn fill_path(path: &str, values: &[(&str, Option<&str>)]) -> Option<PathBuf> {
    let mut filled = path.to_owned();
    for (name, value) in values.iter().filter(|(name, _)| path.contains(name)) {
        filled = filled.replace(name, (*value)?);
    }
    Some(filled.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::places::NamedPlaces;

    #[test]
    fn each_package_manager_has_a_path_without_a_version() {
        let named = NamedPlaces { home: Some("/home/dev".into()), ..NamedPlaces::default() };
        let places = Places::of_account(&named);
        for (program, stable) in [
            ("/opt/homebrew/Cellar/hookbox/0.1.0/bin/hookbox", "/opt/homebrew/opt/hookbox/bin/hookbox"),
            ("/nix/store/abc-hookbox-0.1.0/bin/hookbox", "/home/dev/.nix-profile/bin/hookbox"),
            ("/nix/store/abc-hookbox-0.1.0/bin/hookbox", "/run/current-system/sw/bin/hookbox"),
            ("/gnu/store/abc-hookbox-0.1.0/bin/hookbox", "/home/dev/.guix-profile/bin/hookbox"),
            (
                "/g/node_modules/.pnpm/@hookbox+cli-linux-x64@0.1.0/node_modules/@hookbox/cli-linux-x64/bin/hookbox",
                "/g/node_modules/@hookbox/cli-linux-x64/bin/hookbox",
            ),
            (
                "/usr/lib/node_modules/@hookbox/cli-linux-x64/bin/hookbox",
                "/usr/lib/node_modules/.bin/hookbox",
            ),
            (
                "/home/dev/.local/share/mise/installs/hookbox/0.1.0/bin/hookbox",
                "/home/dev/.local/share/mise/installs/hookbox/latest/bin/hookbox",
            ),
            ("/snap/hookbox/12/bin/hookbox", "/snap/hookbox/current/bin/hookbox"),
        ] {
            let paths = list_stable_paths(Path::new(program), &places);
            assert!(paths.iter().any(|path| path == Path::new(stable)), "{program}: {paths:?}");
        }
        for program in ["/usr/bin/hookbox", "/home/dev/venv/bin/hookbox", "/nix/store/hookbox"] {
            assert_eq!(list_stable_paths(Path::new(program), &places), Vec::<PathBuf>::new(), "{program}");
        }
    }
}
