//! A build by a command of the project, `[build] command` of `plugin.toml`, for languages whose tools hookbox does not call itself.

use std::{
    fs,
    path::{Path, PathBuf},
};

use hookbox_manifest::plugin_toml::CommandBuild;

use crate::{
    environment,
    printer::{Printer, to_plain_line},
    tool::{Call, FoundTool},
};

/// Runs the command in the project's folder and returns the wasm file that it made. Like the tools of languages it has the power of
/// the author, and is started without a shell.
pub(crate) fn run_command(build: &CommandBuild, folder: &Path, printer: &Printer) -> Result<PathBuf, String> {
    let (program, words) = build.argv.split_first().ok_or("`command` of plugin.toml is empty")?;
    let tool = FoundTool::from_path(find_program(program, folder)?);
    Call::new(&tool, folder).with_words(words).run(printer)?;
    let output = folder.join(&build.output);
    // A tool that has nothing to do leaves the file of an earlier build. A pipe or a device would be read without end.
    if fs::metadata(&output).is_ok_and(|status| status.is_file()) {
        return Ok(output);
    }
    Err(format!(
        "the command did not write the file {}\nhelp: name the file that it writes in plugin.toml: [build] output = \"…\"",
        to_plain_line(&output.display().to_string())
    ))
}

/// Returns the path of the program: a name without `/` is looked for on `PATH`, any other word starts at the project's folder.
fn find_program(word: &str, folder: &Path) -> Result<PathBuf, String> {
    if word.contains('/') {
        return Ok(folder.join(word));
    }
    environment::on_path(word).ok_or_else(|| {
        let word = to_plain_line(word);
        format!(
            "`{word}` of `command` in plugin.toml is not on PATH\nhelp: install it, or write the path of a program in the project: \
             command = [\"./{word}\"]"
        )
    })
}
