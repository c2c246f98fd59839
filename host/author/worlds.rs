//! The WIT files of hookbox's world, compiled in (`build/templates.rs`).

/// A file: its name, and its text.
type WitFile = (&'static str, &'static str);

type WorldFiles = (&'static str, &'static [WitFile]);

/// All versions, the newest last.
const WORLDS: &[WorldFiles] = include!(concat!(env!("OUT_DIR"), "/worlds.rs"));

/// Returns the world of this version, or the newest one.
pub(crate) fn find_world(version: Option<&str>) -> Option<WorldFiles> {
    match version {
        Some(version) => WORLDS.iter().find(|(known, _)| *known == version).copied(),
        None => WORLDS.last().copied(),
    }
}

pub(crate) fn list_versions() -> impl Iterator<Item = &'static str> {
    WORLDS.iter().map(|(version, _)| *version)
}

/// Returns the longest text of a file with this name in any version; 0 if no version has the file.
pub(crate) fn find_longest(name: &str) -> usize {
    list_texts(name).map(str::len).max().unwrap_or_default()
}

/// Returns true if the file of this name is unchanged in some version.
pub(crate) fn is_unchanged(name: &str, content: &[u8]) -> bool {
    list_texts(name).any(|text| text.as_bytes() == content)
}

fn list_texts(name: &str) -> impl Iterator<Item = &'static str> {
    let files = WORLDS.iter().flat_map(|(_, files)| files.iter());
    files.filter(move |(known, _)| *known == name).map(|(_, text)| *text)
}
