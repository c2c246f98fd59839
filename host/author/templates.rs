//! The projects that `plugin new` makes, compiled in (`build/templates.rs`).

/// A file of a project: its place there, and what is in it.
type File = (&'static str, &'static [u8]);

/// A language, and its project.
type Template = (&'static str, &'static [File]);

const TEMPLATES: &[Template] = include!(concat!(env!("OUT_DIR"), "/templates.rs"));

/// What stands in a file where the plugin's name belongs.
const NAME: &str = "{{name}}";

/// Where the whole name belongs; elsewhere it is its last part, which files can be called by.
const MANIFEST: &str = "plugin.toml";

/// The files of a new project of this language.
pub(crate) fn of(language: &str) -> Option<&'static [File]> {
    TEMPLATES.iter().find(|(name, _)| *name == language).map(|(_, files)| *files)
}

/// The languages that there is a template for.
pub(crate) fn languages() -> impl Iterator<Item = &'static str> {
    TEMPLATES.iter().map(|(name, _)| *name)
}

/// The content of a file, for the plugin of this name.
pub(crate) fn filled((place, content): &File, name: &str) -> Vec<u8> {
    let name = if *place == MANIFEST { name } else { last_part(name) };
    match str::from_utf8(content) {
        Ok(text) => text.replace(NAME, name).into_bytes(),
        Err(_) => content.to_vec(),
    }
}

/// What folders and files are called by: `guard` of `acme/guard`.
pub(crate) fn last_part(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}
