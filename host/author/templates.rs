//! The projects that `plugin new` makes, compiled in (`build/templates.rs`).

/// A file of a project: its path there, and its content.
type File = (&'static str, &'static [u8]);

type Template = (&'static str, &'static [File]);

const TEMPLATES: &[Template] = include!(concat!(env!("OUT_DIR"), "/templates.rs"));

/// Placeholder for the plugin's name.
const NAME: &str = "{{name}}";

/// The file that gets the whole name; others get its last part, which is usable as a file name.
const MANIFEST: &str = "plugin.toml";

/// Returns the files of a new project of this language.
pub(crate) fn find_template(language: &str) -> Option<&'static [File]> {
    TEMPLATES.iter().find(|(name, _)| *name == language).map(|(_, files)| *files)
}

pub(crate) fn list_languages() -> impl Iterator<Item = &'static str> {
    TEMPLATES.iter().map(|(name, _)| *name)
}

/// Returns the content of a file, for the plugin of this name.
pub(crate) fn fill_in((place, content): &File, name: &str) -> Vec<u8> {
    let name = if *place == MANIFEST { name } else { last_part(name) };
    match str::from_utf8(content) {
        Ok(text) => text.replace(NAME, name).into_bytes(),
        Err(_) => content.to_vec(),
    }
}

/// Returns the part of a name that folders and files use: `guard` of `acme/guard`.
pub(crate) fn last_part(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}
