//! A place, and whether a path leads there.

/// Subject of the configuration at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An agent's permissions.
    Agent,
    /// Commands that hooks run.
    Hooks,
}

impl Kind {
    /// The stable code of a finding.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Agent => "agent-config",
            Self::Hooks => "hook-config",
        }
    }

    /// Returns the description of such a file, as part of a sentence.
    pub const fn what(self) -> &'static str {
        match self {
            Self::Agent => "configuration of an agent",
            Self::Hooks => "configuration of hooks",
        }
    }
}

/// A file or folder that only the user may change.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Place {
    /// Kind of the configuration.
    pub kind: Kind,
    /// The last components of its path. A `*` in one stands for any text; `**` alone for any number of components.
    pub parts: &'static [&'static str],
    /// True if the place is directly in a home folder, and is nothing special elsewhere.
    pub in_home: bool,
    /// True if everything below the place is protected, too.
    pub subtree: bool,
    /// True if the removal of a folder above, up to the first of `parts`, must be noticed.
    pub lost_with_parent: bool,
    /// True if the first folder of `parts` is so specific that unseen files put there may be this place.
    pub filled_with_parent: bool,
}

/// A path and the caller's way to compare its components.
pub struct Path<'a> {
    /// The components, from the root if that is known.
    pub parts: &'a [&'a str],
    /// Returns true if a component may be a name; neither contains this crate's `*`.
    pub same: &'a dyn Fn(&str, &str) -> bool,
    /// Returns true if these leading components are a home folder.
    pub is_home: &'a dyn Fn(&[&str]) -> bool,
}

impl Place {
    /// Returns true if a path is this place, or below it where `subtree` is true.
    pub fn holds(&self, path: &Path<'_>) -> bool {
        (0..path.parts.len()).any(|start| {
            let (before, rest) = path.parts.split_at(start);
            (!self.in_home || (path.is_home)(before))
                && covers(self.parts, rest, path.same, &|rest| self.subtree || rest.is_empty())
        })
    }

    /// Returns true if this place is lost when a folder is removed or replaced.
    pub fn is_lost_with(&self, folder: &Path<'_>) -> bool {
        self.lost_with_parent && (1..self.parts.len()).any(|count| self.ends_with_first(count, folder))
    }

    /// Returns true if unseen files that are put in a folder may contain this place.
    pub fn may_come_with(&self, folder: &Path<'_>) -> bool {
        self.filled_with_parent && self.ends_with_first(1, folder)
    }

    /// Returns true if a folder is the first components of this place.
    fn ends_with_first(&self, count: usize, folder: &Path<'_>) -> bool {
        let Some(prefix) = self.parts.get(..count) else { return false };
        let (before, end) = folder.parts.split_at(folder.parts.len().saturating_sub(count));
        (!self.in_home || (folder.is_home)(before))
            && covers(prefix, end, folder.same, &|rest| rest.is_empty())
    }
}

/// Returns true if components begin with the wanted ones, and `rest` accepts the remainder.
fn covers(
    wanted: &[&str],
    parts: &[&str],
    same: &dyn Fn(&str, &str) -> bool,
    rest: &dyn Fn(&[&str]) -> bool,
) -> bool {
    match (wanted.split_first(), parts.split_first()) {
        (None, _) => rest(parts),
        (Some((&"**", after)), _) => {
            (0..=parts.len()).any(|skip| covers(after, parts.get(skip..).unwrap_or_default(), same, rest))
        }
        (Some(_), None) => false,
        (Some((first, after)), Some((part, behind))) => {
            is_like(first, part, same) && covers(after, behind, same, rest)
        }
    }
}

/// Returns true if a component may match a name with one `*`.
fn is_like(name: &str, part: &str, same: &dyn Fn(&str, &str) -> bool) -> bool {
    match name.split_once('*') {
        Some((start, end)) => {
            part.len() >= start.len() + end.len() && part.starts_with(start) && part.ends_with(end)
                || same(part, &format!("{start}{end}"))
        }
        None => same(part, name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Place = Place {
        kind: Kind::Agent,
        parts: &[".claude", "settings*.json"],
        in_home: false,
        subtree: false,
        lost_with_parent: true,
        filled_with_parent: true,
    };
    const HOOKS: Place = Place {
        kind: Kind::Hooks,
        parts: &[".git", "**", "hooks"],
        subtree: true,
        lost_with_parent: false,
        ..SETTINGS
    };
    const GITCONFIG: Place = Place { parts: &[".gitconfig"], in_home: true, ..HOOKS };

    fn path<T>(text: &str, look: impl FnOnce(&Path<'_>) -> T) -> T {
        let parts: Vec<&str> = text.split('/').collect();
        look(&Path {
            parts: &parts,
            same: &|part, name| part == name,
            is_home: &|parts| parts == ["home", "me"],
        })
    }

    #[test]
    fn a_place_is_known_wherever_it_is() {
        for (place, inside, outside) in [
            (
                SETTINGS,
                vec!["p/.claude/settings.json", ".claude/settings.local.json"],
                vec!["p/.claude/x.json", "settings.json"],
            ),
            (
                HOOKS,
                vec!["p/.git/hooks", ".git/hooks/x", ".git/modules/a/hooks/x"],
                vec!["hooks/x", ".git/x"],
            ),
            (GITCONFIG, vec!["home/me/.gitconfig"], vec!["p/.gitconfig", "home/me/p/.gitconfig"]),
        ] {
            for text in inside {
                assert!(path(text, |path| place.holds(path)), "{text}");
            }
            for text in outside {
                assert!(!path(text, |path| place.holds(path)), "{text}");
            }
        }
    }

    #[test]
    fn a_place_goes_with_a_folder_that_is_there_for_it() {
        assert!(path("p/.claude", |path| SETTINGS.is_lost_with(path)));
        assert!(!path("p", |path| SETTINGS.is_lost_with(path)));
        assert!(
            !path("p/.git", |path| HOOKS.is_lost_with(path)),
            "a repository is there for more than its hooks"
        );
        let state = Place { parts: &[".local", "state", "x"], in_home: true, ..SETTINGS };
        for folder in ["home/me/.local", "home/me/.local/state"] {
            assert!(path(folder, |path| state.is_lost_with(path)), "{folder}");
        }
        assert!(!path("p/.local", |path| state.is_lost_with(path)), "another `.local`");
    }

    #[test]
    fn a_place_may_come_with_what_is_put_in_a_folder_of_its_own() {
        assert!(path("p/.claude", |path| SETTINGS.may_come_with(path)));
        assert!(path("p/.git", |path| HOOKS.may_come_with(path)));
        for folder in ["p", "p/.claude/agents", "p/.git/info"] {
            assert!(
                !path(folder, |path| SETTINGS.may_come_with(path) || HOOKS.may_come_with(path)),
                "{folder}"
            );
        }
    }
}
