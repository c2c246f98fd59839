//! A failing hookbox in real clients: each client must refuse the model's command when hookbox's entry gives no answer.
//!
//! hookbox fails from the model's first command on, so that the client has started its session and accepted the prompt before. The fate of
//! the command is observed from outside, by the file that it writes.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};

use super::{
    client::{Client, RefusalReaction},
    home::Home,
    leftovers,
    model::{Model, Script},
    package,
    processes::ProcessLimit,
    session::{MAX_WAIT, run_client},
};
use xtask::project::Project;

const PAGE: &str = "docs/internals/transcripts/failing-hookbox-in-clients.md";
const BEGINNING: &str = "\
# A failing hookbox, in real clients

`cargo xtask clients --failing` writes this page. Each client comes from its registry and gets a fresh home in which `hookbox setup --yes`
was run. The model's only command is `echo ran > proof.txt`, which no hook denies. Before the client asks hookbox about the command,
hookbox begins to fail. *refused*: the command did not run. *ran*: the client took the failed hook for a hook without an opinion.
*waits*: the command had not run after three minutes, and the session went on waiting.

| column | hookbox |
|---|---|
| works | answers: the command runs |
| killed | is killed (SIGKILL) when it starts, as by the kernel when memory is short |
| crashed | ends by SIGSEGV before its first byte |
| missing | was removed |
| not executable | has mode 0644 |
| stopped | is stopped (SIGSTOP) when it starts the first time, so the client's own timeout ends the wait |
| no process | is not started: the system refuses the client a process for the entry (EAGAIN), and grants the next one |
";

/// Kind of hookbox's failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failure {
    None,
    Killed,
    Crashed,
    Missing,
    NotExecutable,
    Stopped,
    NoProcess,
}

/// The columns of the page.
const COLUMNS: [(Failure, &str); 7] = [
    (Failure::None, "works"),
    (Failure::Killed, "killed"),
    (Failure::Crashed, "crashed"),
    (Failure::Missing, "missing"),
    (Failure::NotExecutable, "not executable"),
    (Failure::Stopped, "stopped"),
    (Failure::NoProcess, "no process"),
];

/// Behaviour of clients after their timeout, independent of the entry. Clients that are not listed refuse.
const LATE: &[(&str, &str)] = &[
    ("codex", RAN),
    ("gemini-cli", WAITS),
    ("copilot", RAN),
    ("qwen-code", RAN),
    ("cline", RAN),
    ("droid", RAN),
    ("kimi-code", RAN),
    ("openhands", RAN),
];
/// Clients that run the command if they cannot start a process for the entry, independent of its form.
const WITHOUT_PROCESS: &[&str] =
    &["codex", "gemini-cli", "qwen-code", "cline", "droid", "kimi-code", "openhands"];
const RAN: &str = "ran";
const REFUSED: &str = "refused";
const WAITS: &str = "waits";

/// Runs each of the clients with each failure. The page is written only if all clients were there.
pub(super) fn run(project: &Project, clients: &[&'static Client], are_all: bool) -> Result<()> {
    let (mut rows, mut failed) = (Vec::new(), Vec::new());
    for client in clients {
        println!("\n{} {}", client.agent, client.package.version());
        let mut cells = Vec::new();
        for (failure, name) in COLUMNS {
            let cell = command_becomes(project, client, failure).unwrap_or_else(|error| {
                println!("{error:#}");
                "not seen"
            });
            println!("{name}: {cell}");
            if cell != select_expected_fate(client.agent, failure) {
                failed.push(format!("{} ({name}: {cell})", client.agent));
            }
            cells.push(cell);
        }
        rows.push(format!("| {} | {} | {} |\n", client.agent, client.package.version(), cells.join(" | ")));
    }
    let titles = COLUMNS.map(|(_, title)| title);
    let head =
        format!("\n| agent | version | {} |\n|{}\n", titles.join(" | "), "---|".repeat(titles.len() + 2));
    let page = BEGINNING.to_owned() + &head + &rows.concat();
    println!("\n{page}");
    ensure!(failed.is_empty(), "not as it should be: {}", failed.join(", "));
    if are_all {
        let file = project.root.join(PAGE);
        fs::write(&file, page).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

/// Returns the expected fate of the command.
fn select_expected_fate(agent: &str, failure: Failure) -> &'static str {
    match failure {
        Failure::None => RAN,
        Failure::NoProcess if WITHOUT_PROCESS.contains(&agent) => RAN,
        Failure::Stopped => LATE.iter().find(|(late, _)| *late == agent).map_or(REFUSED, |(_, cell)| cell),
        _ => REFUSED,
    }
}

/// Numbers of processes and threads that the system grants a client after the model's answer, and refuses after these. A client may start
/// some before the process for its hook, and may go on without a part of them.
const GRANTED_AND_REFUSED: [(u64, u64); 6] = [(0, 1), (0, 2), (1, 1), (0, 3), (1, 2), (2, 1)];

/// Runs a session; without a process for the hook several, since a command that did not run may itself have been refused a process. Returns
/// the fate of the model's command.
fn command_becomes(project: &Project, client: &Client, failure: Failure) -> Result<&'static str> {
    let sessions = if failure == Failure::NoProcess { GRANTED_AND_REFUSED.len() } else { 1 };
    let mut fate = None;
    for numbers in GRANTED_AND_REFUSED.into_iter().take(sessions) {
        fate = run_session(project, client, (failure, numbers))?.or(fate);
        if fate == Some(RAN) {
            break;
        }
    }
    fate.context("in no session the client went on without a process for the hook")
}

/// Runs one session. Returns the fate of the model's command, or nothing if the system refused another process than the one for the hook.
fn run_session(
    project: &Project,
    client: &Client,
    (failure, (granted, refused)): (Failure, (u64, u64)),
) -> Result<Option<&'static str>> {
    let folder = project.target.join("clients").join(client.agent);
    let programs = package::make_ready(client, &folder)?;
    let commands = vec!["echo ran > proof.txt".to_owned()];
    let model = Model::serve_script(Script { shell: client.shell, commands })?;
    let home = Home::create_for(project, client, &folder.join("home"), programs, &model.url())?;
    let log = folder.join("setup.txt");
    let ended = home.create_process("hookbox").args(["setup", "--yes"]).run_recorded(&log, MAX_WAIT)?;
    // `setup` exits with an error if a step remains for the user.
    let is_well = ended.success() || client.by_hand.is_some();
    ensure!(is_well, "`hookbox setup` ends with {ended}: {}", log.display());
    let (program, events) = (home.program(), folder.join("events"));
    let limit = (failure == Failure::NoProcess).then(ProcessLimit::create_group).transpose()?;
    match limit.clone() {
        Some(limit) => {
            home.record_events(&events)?;
            model.before_first_command(move || limit.refuse_processes(granted, refused));
        }
        None => model.before_first_command(move || make_program_fail(failure, &program)),
    }
    let log = folder.join(format!("failing-{failure:?}.txt"));
    let ended = run_client(client, &home, &model, &log);
    leftovers::end_all()?;
    // The session was killed at its time limit, while the client still waited for hookbox.
    if ended.is_err() && failure == Failure::Stopped && !home.proof().exists() {
        return Ok(Some(WAITS));
    }
    ended?;
    let tool = client.shell.tool;
    // Without the tool no command runs, and the client would seem to refuse.
    let offered = model.seen().tools;
    ensure!(
        offered.iter().any(|name| name == tool),
        "the model was never offered the tool {tool}, but {offered:?}; what the client said is in {}",
        log.display()
    );
    let has_run = home.proof().exists();
    if let Some(limit) = limit {
        let is_refused = limit.remove_group()? > 0;
        // A client without a thread may end its session without a result.
        let has_gone_on =
            has_run || client.refused == RefusalReaction::Ends || !model.seen().results.is_empty();
        if !is_refused || !has_gone_on || has_asked(&events)? {
            return Ok(None);
        }
    }
    Ok(Some(if has_run { RAN } else { REFUSED }))
}

/// The clients' names of the event before a command.
const BEFORE_COMMAND: [&str; 4] =
    [r#""PreToolUse""#, r#""BeforeTool""#, r#""tool.execute.before""#, r#""tool_call""#];

/// Returns true if hookbox was started for the command.
fn has_asked(events: &Path) -> Result<bool> {
    for event in fs::read_dir(events)? {
        let text = fs::read_to_string(event?.path())?;
        if text.contains("proof.txt") && BEFORE_COMMAND.iter().any(|name| text.contains(name)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Stops where it is first started, which is before the command. A program that stopped at each event would have the client wait ten
/// minutes at the end of its session.
const STOPS_ONCE: &str = "#!/bin/sh\nif mkdir \"$0.stopped\"; then kill -STOP $$; fi 2>/dev/null\n";

/// Has the program fail from now on.
fn make_program_fail(failure: Failure, program: &PathBuf) -> Result<()> {
    let signal = |name: &str| replace_program(program, &format!("#!/bin/sh\nkill -{name} $$\n"));
    match failure {
        Failure::None | Failure::NoProcess => Ok(()),
        Failure::Killed => signal("KILL"),
        Failure::Crashed => signal("SEGV"),
        Failure::Stopped => replace_program(program, STOPS_ONCE),
        Failure::Missing => Ok(fs::remove_file(program)?),
        Failure::NotExecutable => Ok(fs::set_permissions(program, fs::Permissions::from_mode(0o644))?),
    }
}

/// Replaces the program by a script. A running program is not changed.
fn replace_program(program: &Path, script: &str) -> Result<()> {
    let new = program.with_extension("new");
    fs::write(&new, script)?;
    fs::set_permissions(&new, fs::Permissions::from_mode(0o755))?;
    Ok(fs::rename(&new, program)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_late_answer_or_a_missing_process_may_let_a_command_run() {
        for (failure, _) in COLUMNS {
            let passes = matches!(failure, Failure::Stopped | Failure::NoProcess);
            let works = failure == Failure::None;
            assert_eq!(select_expected_fate("codex", failure) == "ran", passes || works, "{failure:?}");
            assert_eq!(select_expected_fate("claude-code", failure) == "ran", works, "{failure:?}");
        }
    }
}
