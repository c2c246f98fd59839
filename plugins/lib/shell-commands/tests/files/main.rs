//! Files that a command line touches, with the kind of access, as rules over files receive them.

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
/// Accesses that may change a file.
const CHANGES: &[Access] = &[Access::Write, Access::Give];

fn touched(command: &str) -> Vec<Touched> {
    files(command, FOLDER, "").touched.into_iter().collect()
}

/// Returns true if the command has such an access to a path.
fn does(command: &str, accesses: &[Access], path: &str) -> bool {
    touched(command).iter().any(|touched| accesses.contains(&touched.access) && touched.path == path)
}

/// Every command of a table has this access to the path; all that do not are reported together.
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

/// Every command of a table starts an operation of hookbox that only the user may start; all others are reported
/// together.
fn of_a_person(commands: &[&str]) {
    let wrong: Vec<&&str> =
        commands.iter().filter(|command| files(command, FOLDER, "").of_a_person.is_none()).collect();
    assert!(wrong.is_empty(), "nothing: {wrong:?}");
}
