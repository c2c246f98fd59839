//! The languages that a plugin can be written in: how the tools of each are called. A file and a type for each.

mod assemblyscript;
mod c;
mod go;
mod python;
mod rust;
mod script;
mod zig;

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use hookbox::sandbox::component_file::MAX_COMPONENT_BYTES;
use hookbox_manifest::plugin_toml::Build;

use crate::printer::{Printer, plain};

/// A language, and its own tools.
pub(crate) trait Language: Sync {
    /// As `plugin.toml` names it.
    fn name(&self) -> &'static str;

    /// Where its source is if nobody says.
    fn source(&self) -> &'static str;

    /// How the files end that its compiler may read.
    fn endings(&self) -> &'static [&'static str];

    /// What is typed once in a new project before anything can be built.
    fn set_up(&self) -> &'static [&'static str] {
        &[]
    }

    /// May somebody say how long its tool takes? One that runs what the author wrote need not end.
    fn takes_time(&self) -> bool {
        false
    }

    /// Runs the tools; the file of wasm that they made.
    fn build(&self, job: &Job<'_>) -> Result<PathBuf, String>;
}

/// All of them.
const ALL: [&dyn Language; 8] = [
    &rust::Rust,
    &script::JavaScript,
    &script::TypeScript,
    &python::Python,
    &c::C,
    &zig::Zig,
    &assemblyscript::AssemblyScript,
    &go::Go,
];

/// The one of this name.
pub(crate) fn named(name: &str) -> Option<&'static dyn Language> {
    ALL.into_iter().find(|language| language.name() == name)
}

/// A build under way.
pub(crate) struct Job<'a> {
    /// The plugin's folder, where tools are started.
    pub(crate) folder: &'a Path,
    /// The source, from there.
    pub(crate) source: &'a str,
    /// What its author calls it.
    pub(crate) shown: &'a str,
    /// How long it may take, if somebody says so and the tool runs what the author wrote.
    pub(crate) time: Option<Duration>,
    /// An empty folder, which goes when the build has ended.
    pub(crate) work: &'a Path,
    pub(crate) printer: &'a Printer,
}

impl Job<'_> {
    /// Where a tool leaves what it makes.
    pub(crate) fn made(&self) -> PathBuf {
        self.work.join("made.wasm")
    }

    /// The source, or why there is none.
    pub(crate) fn check_source(&self) -> Result<(), String> {
        if self.source.starts_with(['-', '@']) {
            return Err(format!(
                "the source `{}` would be an option to a compiler: give it a name that begins with a letter",
                plain(self.source)
            ));
        }
        let file = self.folder.join(self.source);
        if file.is_file() {
            return Ok(());
        }
        Err(format!(
            "the source {} is not there; name it in plugin.toml: [build] source = \"…\"",
            file.display()
        ))
    }
}

/// How somebody wants it built.
#[derive(Clone, Copy, Default)]
pub(crate) struct Wishes<'a> {
    /// What the source is called, if not by its place in the folder.
    pub(crate) shown: Option<&'a str>,
    /// How long it may take.
    pub(crate) time: Option<Duration>,
}

/// What was built of a plugin in this folder.
pub(crate) fn build(
    build: &Build,
    (folder, work): (&Path, &Path),
    wishes: Wishes<'_>,
    printer: &Printer,
) -> Result<Vec<u8>, String> {
    let name = &build.language;
    let language = named(name).ok_or_else(|| format!("there is no way to build {name}"))?;
    let source = build.source.as_deref().unwrap_or(language.source());
    let shown = wishes.shown.unwrap_or(source);
    let job = Job { folder, source, shown, time: wishes.time, work, printer };
    job.check_source()?;
    let made = language.build(&job)?;
    let unread = |error| format!("{} was to be built and cannot be read: {error}", made.display());
    let length = fs::metadata(&made).map_err(unread)?.len();
    if length > MAX_COMPONENT_BYTES {
        return Err(format!("what was built is {length} bytes long; the most is {MAX_COMPONENT_BYTES}"));
    }
    fs::read(&made).map_err(unread)
}

#[cfg(test)]
mod tests {
    use hookbox_manifest::plugin_toml::LANGUAGES;

    use super::*;

    #[test]
    fn every_language_that_plugin_toml_knows_can_be_built() {
        assert_eq!(ALL.map(Language::name), LANGUAGES);
    }
}
