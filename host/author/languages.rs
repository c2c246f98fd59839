//! Languages that a plugin can be written in, with the calls of their tools. A file and a type for each.

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

/// A language, and its own tools.
pub(crate) trait Language: Sync {
    /// Returns its name in `plugin.toml`.
    fn name(&self) -> &'static str;

    /// Returns the default path of its source.
    fn source(&self) -> &'static str;

    /// Returns the extensions of the files that its compiler may read.
    fn endings(&self) -> &'static [&'static str];

    /// Returns the commands that set up a new project before its first build.
    fn set_up(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns true if the time of its tool can be limited. A tool that runs the author's code may not end.
    fn takes_time(&self) -> bool {
        false
    }

    /// Runs the tools and returns the wasm file that they made.
    fn build(&self, job: &BuildJob<'_>) -> Result<PathBuf, String>;
}

/// All languages.
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

/// Returns the language of this name.
pub(crate) fn find_language(name: &str) -> Option<&'static dyn Language> {
    ALL.into_iter().find(|language| language.name() == name)
}

/// A running build.
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

/// Options of a build.
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
    let source = build.source.as_deref().unwrap_or(language.source());
    let shown = wishes.shown.unwrap_or(source);
    let job = BuildJob { folder, source, shown, time: wishes.time, work, printer };
    job.check_source()?;
    language.build(&job)
}

/// Returns the language of this build, and its settings; `None` for a build by a command.
pub(crate) fn find_language_of(build: &Build) -> Option<(&LanguageBuild, &'static dyn Language)> {
    match build {
        Build::Language(build) => Some((build, find_language(&build.language)?)),
        Build::Command(_) => None,
    }
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
