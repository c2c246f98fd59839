//! `wasm`, `shell`, `webhook`, `python`: the target of a hook.

use std::path::PathBuf;

use hookbox_model::{Layer, Proposal, Proposals, TrustLevel};
use toml::{Spanned, de::DeTable};

use super::{confine, did_you_mean, grant, path, quote_word, report::Report, values, webhook};
use crate::{
    Sha256Digest,
    handler::{ShellSpecError, check_shell},
    hook::{PythonSpec, ShellCommand, ShellSpec, Target, WasmSpec},
    hookfile::{PlacedProblem, Source},
};

/// Returns the target, if there is one without an error.
pub(super) fn resolve_target(table: &DeTable<'_>, source: &Source, report: &mut Report) -> Option<Target> {
    // Every target key is resolved, so that all errors are reported together; a second one is itself an error.
    let wasm = resolve_component(table, source, report);
    if let Some(webhook) = values::get_table(table, "webhook") {
        webhook::hide_secrets(webhook.get_ref(), report);
    }
    if source.trust_level == TrustLevel::Untrusted {
        // The others are left out in any case: no time is spent on an untrusted file's content.
        return wasm.map(Target::Wasm);
    }
    let shell =
        values::get_table(table, "shell").and_then(|shell| resolve_process(shell.get_ref(), source, report));
    let webhook = values::get_table(table, "webhook")
        .and_then(|webhook| webhook::resolve_webhook(webhook.get_ref(), report));
    let python = values::get_table(table, "python")
        .and_then(|python| resolve_function(python.get_ref(), source, report));
    let wasm = wasm.map(Target::Wasm);
    wasm.or(shell.map(Target::Shell)).or(webhook.map(Target::Webhook)).or(python.map(Target::Python))
}

fn resolve_function(python: &DeTable<'_>, source: &Source, report: &mut Report) -> Option<PythonSpec> {
    let text = |key: &str| values::get_text(python, key).map(|text| *text.get_ref());
    // The adapter of a contract expands variables, as its agent does.
    let is_expanded = |folder: &str| {
        python.contains_key("speaks") && folder.starts_with(['$', '~']) && !folder.contains(char::is_control)
    };
    let folders = values::get_texts(python, "path").into_iter().map(|folder| {
        if is_expanded(folder.get_ref()) {
            return Some(PathBuf::from(*folder.get_ref()));
        }
        path::resolve_absolute(&folder, source, report)
    });
    let folders: Vec<_> = folders.collect();
    let confinement = confine::resolve_confinement(python, source, report);
    // The check takes a command, but only the variables matter here.
    check_variables(&ShellCommand::Argv(vec!["python3".to_owned()]), python, report);
    let folders: Option<Vec<_>> =
        folders.into_iter().map(|folder| folder?.to_str().map(str::to_owned)).collect();
    Some(PythonSpec {
        path: folders?,
        env: values::get_strings(python, "env"),
        confinement,
        ..PythonSpec::new(text("module")?, text("function")?)
    })
}

fn resolve_component(table: &DeTable<'_>, source: &Source, report: &mut Report) -> Option<WasmSpec> {
    let grants = grant::resolve_grants(table, source, report);
    let wasm = *values::get_table(table, "wasm")?.get_ref();
    let proposals = resolve_proposals(wasm, source, report)?;
    let isolate = resolve_isolation(wasm, table, source, report)?;
    if let Some(name) = values::get_text(wasm, "plugin") {
        if let Some(digest) = values::get_text(wasm, "sha256") {
            let error =
                PlacedProblem::error(digest.span(), "a plugin that comes with hookbox is pinned already");
            report.add_problem(error.help("leave `sha256` out, or name the file by `path`"));
        }
        return Some(WasmSpec { grants, isolate, ..find_shipped_plugin(&name, source, report)? });
    }
    let path =
        values::get_text(wasm, "path").and_then(|path| path::resolve_absolute(&path, source, report))?;
    let confined_to = if matches!(source.trust_level, TrustLevel::Untrusted | TrustLevel::Reviewed) {
        // A source without a folder has no boundary, so no file is inside it.
        Some(source.boundary()?.to_owned())
    } else {
        None
    };
    let sha256 = values::get_text(wasm, "sha256").and_then(|digest| Sha256Digest::parse(digest.get_ref()));
    Some(WasmSpec { confined_to, sha256, grants, proposals, isolate, ..WasmSpec::new(path) })
}

/// Returns true if the hook runs in an isolated process. Such a process has no access to anything else, so only `clock`
/// and `random` can be granted.
fn resolve_isolation(
    wasm: &DeTable<'_>,
    table: &DeTable<'_>,
    source: &Source,
    report: &mut Report,
) -> Option<bool> {
    let Some(isolate) = values::get_flag(wasm, "isolate") else { return Some(false) };
    let problem = if is_own(source) {
        let granted = values::get_table(table, "grant").filter(|_| *isolate.get_ref());
        let acting = granted.and_then(|grant| find_outside_grant(grant.get_ref()));
        acting.map(|key| {
            let help =
                format!("leave `isolate` out, or `{key}` in `grant`; `clock` and `random` can be had there");
            ("a hook with `isolate = true` runs where nothing is to be had that its `grant` gives", help)
        })
    } else {
        Some((
            "`isolate` is for hooks of your own file, or the administrator's",
            "leave `isolate` out: an untrusted hook always runs isolated".to_owned(),
        ))
    };
    let Some((why, help)) = problem else { return Some(*isolate.get_ref()) };
    report.add_problem(PlacedProblem::error(isolate.span(), why).help(help));
    None
}

/// Returns the first grant of something outside the process.
fn find_outside_grant(grant: &DeTable<'_>) -> Option<String> {
    let key = grant.keys().map(|key| key.get_ref().to_string());
    key.into_iter().find(|key| !["clock", "random"].contains(&key.as_str()))
}

/// Returns true if this file is the user's own, or the administrator's.
fn is_own(source: &Source) -> bool {
    matches!(source.layer, Layer::Managed | Layer::User) && source.trust_level != TrustLevel::Untrusted
}

/// Returns the wasm proposals that the component needs. If this file may not request them, that is reported, and the
/// hook left out.
fn resolve_proposals(wasm: &DeTable<'_>, source: &Source, report: &mut Report) -> Option<Proposals> {
    let features = values::get_texts(wasm, "features");
    let Some(first) = features.first() else { return Some(Proposals::NONE) };
    let (why, help) = match () {
        () if !is_own(source) => (
            "`features` are for hooks of your own file, or the administrator's",
            "leave `features` out, or move the hook to `~/.config/hookbox/hooks.toml`",
        ),
        () if values::get_text(wasm, "plugin").is_some() => {
            ("a plugin that comes with hookbox needs no `features`", "leave `features` out")
        }
        () => {
            let known = features.iter().filter_map(|feature| Proposal::named(feature.get_ref()));
            return Some(known.collect());
        }
    };
    report.add_problem(PlacedProblem::error(first.span(), why).help(help));
    None
}

/// Returns the plugin of this name that is shipped with hookbox. Its file is the installation's, whichever file names
/// it.
fn find_shipped_plugin(name: &Spanned<&str>, source: &Source, report: &mut Report) -> Option<WasmSpec> {
    let found = source.plugins.find(name.get_ref());
    if found.is_none() {
        let error = format!("no plugin {} comes with this hookbox", quote_word(name.get_ref()));
        report.add_problem(
            PlacedProblem::error(name.span(), error).help(unknown_plugin(name.get_ref(), source)),
        );
    }
    found.map(WasmSpec::from_shipped)
}

fn unknown_plugin(name: &str, source: &Source) -> String {
    match source.plugins.names().as_slice() {
        [] => "it was built without any; name a file: wasm = { path = \"…\" }".to_owned(),
        names => did_you_mean(name, names),
    }
}

fn resolve_process(shell: &DeTable<'_>, source: &Source, report: &mut Report) -> Option<ShellSpec> {
    let cwd = values::get_text(shell, "cwd").and_then(|cwd| path::resolve_absolute(&cwd, source, report));
    let line = values::get_text(shell, "command").map(|line| line_of(&line, report));
    let command = line.or_else(|| resolve_argv(shell, source, report));
    let confinement = confine::resolve_confinement(shell, source, report);
    let command = command?;
    check_variables(&command, shell, report);
    let (env, reads_project) =
        (values::get_strings(shell, "env"), !values::get_strings(shell, "reads").is_empty());
    Some(ShellSpec { cwd, env, confinement, reads_project, ..ShellSpec::new(command) })
}

fn check_variables(command: &ShellCommand, handler: &DeTable<'_>, report: &mut Report) {
    for variable in values::get_texts(handler, "env") {
        let env = vec![(*variable.get_ref()).to_owned()];
        // An invalid name is reported with the shape of the file.
        if let Err(error @ ShellSpecError::DangerousVariable(_)) = validate_command(command.clone(), env) {
            report.add_error(variable.span(), error.to_string());
        }
    }
}

/// Validates the command by the handler's own check.
fn validate_command(command: ShellCommand, env: Vec<String>) -> Result<(), ShellSpecError> {
    check_shell(&ShellSpec { env, ..ShellSpec::new(command) })
}

fn line_of(line: &Spanned<&str>, report: &mut Report) -> ShellCommand {
    let command = ShellCommand::Line((*line.get_ref()).to_owned());
    check_command(&command, line, report);
    command
}

/// Returns the argument list. A program with a `/` is resolved here: at the call, the event decides the working
/// directory, and the project would decide which program runs.
fn resolve_argv(shell: &DeTable<'_>, source: &Source, report: &mut Report) -> Option<ShellCommand> {
    let program = values::get_texts(shell, "argv").into_iter().next()?;
    let mut argv = values::get_strings(shell, "argv");
    if program.get_ref().contains('/') {
        let path = path::resolve_absolute(&program, source, report)?;
        path.to_str()?.clone_into(argv.first_mut()?);
    }
    let command = ShellCommand::Argv(argv);
    check_command(&command, &program, report);
    Some(command)
}

fn check_command(command: &ShellCommand, place: &Spanned<&str>, report: &mut Report) {
    if let Err(error @ ShellSpecError::EmptyCommand) = validate_command(command.clone(), Vec::new()) {
        report.add_error(place.span(), error.to_string());
    }
}
