//! External tools that build plugins: found on PATH, started with arguments and without a shell.

mod bounded_run;

use std::{
    ffi::{OsStr, OsString},
    fmt::Write as _,
    fs::File,
    io,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    time::Duration,
};

use self::bounded_run::ToolEnd;
use crate::{
    environment,
    printer::{self, DIM, Printer, to_plain_line},
};

/// Variable with the folder for a program's temporary files.
const TEMPORARY: &str = "TMPDIR";

#[derive(Clone, Copy, Debug)]
pub(crate) struct Tool {
    /// The program, and the words that always follow it: `python3`, `-m`, `ziglang`.
    pub(crate) words: &'static [&'static str],
    /// Arguments with which the program succeeds if it has everything it needs; empty if its presence is enough.
    pub(crate) probe: &'static [&'static str],
    /// The version that hookbox's own tests build with.
    pub(crate) tried: &'static str,
    pub(crate) get: &'static str,
}

impl Tool {
    fn find(&self) -> Option<PathBuf> {
        let program = environment::on_path(self.words.first()?)?;
        let works = self.probe.is_empty() || is_good(&program, self.probe);
        works.then_some(program)
    }

    /// Returns the first of these tools that exists.
    pub(crate) fn find_first(tools: &[Self]) -> Result<FoundTool, String> {
        let found =
            tools.iter().find_map(|tool| Some(FoundTool { program: tool.find()?, words: tool.words }));
        found.ok_or_else(|| describe_missing_tools(tools))
    }
}

fn describe_missing_tools(tools: &[Tool]) -> String {
    let names: Vec<_> = tools.iter().map(|tool| format!("`{}`", tool.words.join(" "))).collect();
    let mut message = match names.as_slice() {
        [name] => format!("{name} is not on PATH; to get it:"),
        names => format!("neither {} is on PATH; to get one of them:", names.join(" nor ")),
    };
    for tool in tools {
        let _ = write!(message, "\n  {}   # tried with {}", tool.get, tool.tried);
    }
    message
}

#[derive(Debug)]
pub(crate) struct FoundTool {
    program: PathBuf,
    words: &'static [&'static str],
}

impl FoundTool {
    pub(crate) fn from_path(program: PathBuf) -> Self {
        Self { program, words: &[] }
    }
}

pub(crate) struct Call<'a> {
    words: Vec<OsString>,
    program: &'a Path,
    variables: Vec<(&'a str, &'a str)>,
    folder: &'a Path,
    temporary: Option<&'a Path>,
    input: Option<File>,
}

impl<'a> Call<'a> {
    pub(crate) fn new(tool: &'a FoundTool, folder: &'a Path) -> Self {
        let words = tool.words.iter().skip(1).map(OsString::from).collect();
        Self { words, program: &tool.program, variables: Vec::new(), folder, temporary: None, input: None }
    }

    pub(crate) fn with_words<W: AsRef<OsStr>>(mut self, words: impl IntoIterator<Item = W>) -> Self {
        self.words.extend(words.into_iter().map(|word| word.as_ref().to_owned()));
        self
    }

    pub(crate) fn with_variable(mut self, name: &'a str, value: &'a str) -> Self {
        self.variables.push((name, value));
        self
    }

    /// Sets the folder for temporary files, which the tool may leave behind if it is killed.
    pub(crate) fn with_temporary_folder(mut self, folder: &'a Path) -> Self {
        self.temporary = Some(folder);
        self
    }

    pub(crate) fn with_input(mut self, file: File) -> Self {
        self.input = Some(file);
        self
    }

    /// Runs the call; the tool's output goes to standard error immediately.
    pub(crate) fn run(mut self, printer: &Printer) -> Result<(), String> {
        self.show_call(printer);
        let ended = self.build_command().stdout(printer::for_tools()).status();
        self.check_status(ended.map_err(|error| self.describe_start_error(&error))?)
    }

    /// Runs the call with limits, for at most `time`; `late` is the advice if that is not enough.
    pub(crate) fn run_within(mut self, time: Duration, late: &str, printer: &Printer) -> Result<(), String> {
        self.show_call(printer);
        let mut command = self.build_command();
        command.stdout(printer::for_tools());
        match bounded_run::run(command, time).map_err(|error| self.describe_start_error(&error))? {
            ToolEnd::Ended(status) => self.check_status(status),
            ToolEnd::Late => {
                let (name, seconds) = (self.name(), time.as_secs());
                Err(format!("`{name}` was stopped after the time limit of {seconds} s: {late}"))
            }
            ToolEnd::Stopped => {
                Err(format!("`{}` was stopped, since the build was interrupted", self.name()))
            }
        }
    }

    pub(crate) fn run_for_output(mut self, printer: &Printer) -> Result<Vec<u8>, String> {
        self.show_call(printer);
        // By default `output` would capture standard error, which has the tool's messages.
        let ended = self.build_command().stdout(Stdio::piped()).stderr(Stdio::inherit()).output();
        let output = ended.map_err(|error| self.describe_start_error(&error))?;
        self.check_status(output.status).map(|()| output.stdout)
    }

    /// Runs the call and returns its standard output, without showing anything; `None` if it fails.
    pub(crate) fn run_quietly(mut self) -> Option<Vec<u8>> {
        let output = self.build_command().stderr(Stdio::null()).output().ok()?;
        output.status.success().then_some(output.stdout)
    }

    fn build_command(&mut self) -> Command {
        let mut command = new_command(self.program);
        command.args(&self.words).envs(self.variables.iter().copied());
        command.envs(self.temporary.map(|folder| (TEMPORARY, folder)));
        // Without an input, a tool that asks a question fails and does not wait.
        command.current_dir(self.folder).stdin(self.input.take().map_or_else(Stdio::null, Stdio::from));
        command
    }

    fn name(&self) -> String {
        self.program.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn show_call(&self, printer: &Printer) {
        let variables = self.variables.iter().map(|(name, value)| format!("{name}={value} "));
        let words = self.words.iter().map(|word| format!(" {}", word.to_string_lossy()));
        let line: String = variables.chain([self.name()]).chain(words).collect();
        printer.print_note(&format!("{DIM}$ {}{DIM:#}", to_plain_line(&line)));
    }

    fn check_status(&self, status: ExitStatus) -> Result<(), String> {
        if status.success() {
            Ok(())
        } else {
            Err(format!("`{}` failed with {status}; its output is above", self.name()))
        }
    }

    fn describe_start_error(&self, error: &io::Error) -> String {
        format!("`{}` cannot be started: {error}", self.program.display())
    }
}

/// Returns true if the program succeeds with these arguments; its output is ignored.
fn is_good(program: &Path, words: &[&str]) -> bool {
    let mut command = new_command(program);
    command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[expect(clippy::disallowed_methods, reason = "where the tools of languages start")]
fn new_command(program: &Path) -> Command {
    Command::new(program)
}
