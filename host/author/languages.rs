//! Languages that a plugin can be written in, with the calls of their tools. A file for each.

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
use hookbox_manifest::plugin_toml::{Build, LanguageBuild};

use crate::{
    printer::{Printer, to_plain_line},
    project_command,
};

pub(crate) struct Language {
    /// Its name in `plugin.toml`.
    pub(crate) name: &'static str,
    /// The default path of its source.
    pub(crate) source: &'static str,
    /// The extensions of the files that its compiler may read.
    pub(crate) endings: &'static [&'static str],
    /// The commands that set up a new project before its first build.
    pub(crate) set_up: &'static [&'static str],
    /// True if the time of its tool can be limited. A tool that runs the author's code may not end.
    pub(crate) takes_time: bool,
    /// Runs the tools and returns the wasm file that they made.
    build: fn(&BuildJob<'_>) -> Result<PathBuf, String>,
}

static ALL: [&Language; 8] = [
    &rust::LANGUAGE,
    &script::JAVASCRIPT,
    &script::TYPESCRIPT,
    &python::LANGUAGE,
    &c::LANGUAGE,
    &zig::LANGUAGE,
    &assemblyscript::LANGUAGE,
    &go::LANGUAGE,
];

pub(crate) fn find_language(name: &str) -> Option<&'static Language> {
    ALL.iter().copied().find(|language| language.name == name)
}

pub(crate) struct BuildJob<'a> {
    /// The plugin's folder, where tools are started.
    pub(crate) folder: &'a Path,
    /// The source, relative to that folder.
    pub(crate) source: &'a str,
    /// The source's name for messages.
    pub(crate) shown: &'a str,
    /// Time limit, if one is set and the tool runs the author's code.
    pub(crate) time: Option<Duration>,
    /// An empty folder, which is removed after the build.
    pub(crate) work: &'a Path,
    pub(crate) printer: &'a Printer,
}

impl BuildJob<'_> {
    /// Returns the path of a tool's output.
    pub(crate) fn made(&self) -> PathBuf {
        self.work.join("made.wasm")
    }

    /// Checks that the source exists and has a usable name.
    pub(crate) fn check_source(&self) -> Result<(), String> {
        if self.source.starts_with(['-', '@']) {
            return Err(format!(
                "a compiler would read the source `{}` as an option: choose a name that begins with a letter",
                to_plain_line(self.source)
            ));
        }
        let file = self.folder.join(self.source);
        if file.is_file() {
            return Ok(());
        }
        Err(format!(
            "the source {} does not exist; name it in plugin.toml: [build] source = \"…\"",
            file.display()
        ))
    }
}

#[derive(Clone, Copy, Default)]
pub(crate) struct BuildOptions<'a> {
    /// The source's name for messages, if it differs from its path in the folder.
    pub(crate) shown: Option<&'a str>,
    /// Time limit.
    pub(crate) time: Option<Duration>,
}

/// Builds the plugin in this folder and returns the wasm.
pub(crate) fn build_wasm(
    build: &Build,
    (folder, work): (&Path, &Path),
    wishes: BuildOptions<'_>,
    printer: &Printer,
) -> Result<Vec<u8>, String> {
    let made = match build {
        Build::Language(build) => run_language_tools(build, (folder, work), wishes, printer)?,
        Build::Command(build) => project_command::run_command(build, folder, printer)?,
    };
    let unread = |error| format!("cannot read the build output {}: {error}", made.display());
    // Checked before the file is read: a tool may write one of any length.
    let length = fs::metadata(&made).map_err(unread)?.len();
    if length > MAX_COMPONENT_BYTES {
        return Err(format!("the build output is {length} bytes long; the maximum is {MAX_COMPONENT_BYTES}"));
    }
    fs::read(&made).map_err(unread)
}

/// Runs the tools of the language and returns the wasm file that they made.
fn run_language_tools(
    build: &LanguageBuild,
    (folder, work): (&Path, &Path),
    wishes: BuildOptions<'_>,
    printer: &Printer,
) -> Result<PathBuf, String> {
    let name = &build.language;
    let language = find_language(name).ok_or_else(|| format!("the language {name} is not supported"))?;
    let source = build.source.as_deref().unwrap_or(language.source);
    let shown = wishes.shown.unwrap_or(source);
    let job = BuildJob { folder, source, shown, time: wishes.time, work, printer };
    job.check_source()?;
    (language.build)(&job)
}

/// Returns the language of this build, and its settings; `None` for a build by a command.
pub(crate) fn find_language_of(build: &Build) -> Option<(&LanguageBuild, &'static Language)> {
    match build {
        Build::Language(build) => Some((build, find_language(&build.language)?)),
        Build::Command(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use hookbox_manifest::plugin_toml::LANGUAGES;

    use super::*;
    use crate::templates;

    #[test]
    fn every_language_that_plugin_toml_knows_can_be_built() {
        assert_eq!(ALL.map(|language| language.name), LANGUAGES);
    }

    #[test]
    fn every_language_that_plugin_toml_knows_has_a_template() {
        assert_eq!(templates::list_languages().collect::<Vec<_>>(), LANGUAGES);
    }
}
