//! Programs that are safe with the options in a table.

mod data;
mod files;
mod git;
mod search;
mod shell;
mod system;
mod text;
mod versions;

use shell_commands::facts::SimpleCommand;

use crate::{
    decide::Context,
    options::{Given, read_options},
    wrappers::is_harmless_wrapper,
};

/// Folders in front of a program's name that only the administrator changes.
const FOLDERS: &[&str] = &["/bin/", "/usr/bin/"];

/// A further condition on the options and operands of a command.
type Check = fn(&SimpleCommand, &Given<'_>, &Context<'_>) -> bool;

/// A program, and the options that are known to be harmless.
pub(crate) struct Program {
    names: &'static [&'static str],
    options: Options,
    check: Check,
}

/// The options of a program.
enum Options {
    /// No option and no operand writes a file or starts a program, so that words may be unknown. Files that are read are judged by the paths.
    Any,
    /// The listed ones, as [`read_options`] reads them. Each word must be known.
    Listed(&'static str),
    /// None of this kind: the check reads the words itself.
    Own,
}

const fn any(names: &'static [&'static str]) -> Program {
    Program { names, options: Options::Any, check: |_, _, _| true }
}

const fn listed(names: &'static [&'static str], options: &'static str) -> Program {
    Program { names, options: Options::Listed(options), check: |_, _, _| true }
}

const fn checked(names: &'static [&'static str], options: &'static str, check: Check) -> Program {
    Program { names, options: Options::Listed(options), check }
}

const fn own(names: &'static [&'static str], check: Check) -> Program {
    Program { names, options: Options::Own, check }
}

/// Every table.
const TABLES: &[&[Program]] = &[
    data::PROGRAMS,
    files::PROGRAMS,
    git::PROGRAMS,
    search::PROGRAMS,
    shell::PROGRAMS,
    system::PROGRAMS,
    text::PROGRAMS,
];

/// Returns true if a name is that of a program in a table: a file with this name could be started in place of the program.
pub(crate) fn is_program(name: &str) -> bool {
    TABLES.iter().copied().flatten().any(|program| program.names.contains(&name)) && name != "test"
        || versions::is_listed(name)
}

/// Returns true if a command is known to be safe, except for the files that it reads.
pub(crate) fn check_program(command: &SimpleCommand, context: &Context<'_>) -> bool {
    if !is_installed_program(command) {
        return false;
    }
    if versions::prints_version(command) || is_harmless_wrapper(command, context) {
        return true;
    }
    let words = command.words.get(1..).unwrap_or_default();
    let rows = TABLES.iter().copied().flatten().filter(|row| row.names.contains(&command.program.as_str()));
    let mut rows = rows.map(|row| match row.options {
        Options::Any | Options::Own => (row.check)(command, &Given::default(), context),
        Options::Listed(known) => {
            read_options(words, known).is_some_and(|given| (row.check)(command, &given, context))
        }
    });
    rows.any(|is_safe| is_safe)
}

/// Returns true if a program is looked up in `PATH`, or is in a folder of the system.
fn is_installed_program(command: &SimpleCommand) -> bool {
    command.words.first().is_some_and(|first| {
        let name = FOLDERS.iter().find_map(|folder| first.text.strip_prefix(folder)).unwrap_or(&first.text);
        first.certain && name == command.program
    })
}
