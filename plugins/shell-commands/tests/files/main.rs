//! Which files a command line touches, and how: what a rule over files is told.

mod code;
mod folders;
mod in_place;
mod lists;
mod names;
mod outputs;
mod patterns;
mod programs;

use shell_commands::{Access, Touched, files};

/// The folder that a command runs in.
const FOLDER: &str = "/home/me/project";
/// What is done with a file that may come to be another.
const CHANGES: &[Access] = &[Access::Write, Access::Give];

fn touched(command: &str) -> Vec<Touched> {
    files(command, FOLDER, "").touched.into_iter().collect()
}

/// Whether this is done with a path.
fn does(command: &str, accesses: &[Access], path: &str) -> bool {
    touched(command).iter().any(|touched| accesses.contains(&touched.access) && touched.path == path)
}

/// Every command of a table does this with the path; all that do not are told at once.
fn all(accesses: &[Access], path: &str, commands: &[&str]) {
    let wrong: Vec<String> = commands
        .iter()
        .filter(|command| !does(command, accesses, path))
        .map(|command| format!("{command}: {:?}", touched(command)))
        .collect();
    assert!(wrong.is_empty(), "not {accesses:?} {path:?}:\n{}", wrong.join("\n"));
}

/// No command of a table does this with the path.
fn none(accesses: &[Access], path: &str, commands: &[&str]) {
    let wrong: Vec<&&str> = commands.iter().filter(|command| does(command, accesses, path)).collect();
    assert!(wrong.is_empty(), "{accesses:?} {path:?}:\n{wrong:?}");
}

/// What each command of a table has hookbox do that only a person has it do; all that have it do nothing are told at once.
fn of_a_person(commands: &[&str]) {
    let wrong: Vec<&&str> =
        commands.iter().filter(|command| files(command, FOLDER, "").of_a_person.is_none()).collect();
    assert!(wrong.is_empty(), "nothing: {wrong:?}");
}
