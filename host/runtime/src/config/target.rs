//! `wasm`, `shell`, `webhook`, `python`: the target of a hook.

use hookbox_model::{Layer, Proposal, Proposals, Tier};
use toml::{Spanned, de::DeTable};

use super::{
    confine, grant, path,
    report::Report,
    suggest::{self, quoted},
    values, webhook,
};
use crate::{
    Sha256Digest,
    handler::{ShellSpecError, check_shell},
    hook::{Provenance, PythonSpec, ShellCommand, ShellSpec, Target, WasmSpec},
    hookfile::{Found, Source},
};

/// Returns the target, if there is one without an error.
pub(super) fn resolve(table: &DeTable<'_>, source: &Source, report: &mut Report) -> Option<Target> {
    // Every target key is resolved, so that all errors are reported together; a second one is itself an error.
    let wasm = component(table, source, report);
    if let Some(webhook) = values::table(table, "webhook") {
        webhook::hide_secrets(webhook.get_ref(), report);
    }
    if source.tier == Tier::Unknown {
        // The others are left out in any case: no time is spent on an untrusted file's content.
        return wasm.map(Target::Wasm);
    }
    let shell = values::table(table, "shell").and_then(|shell| process(shell.get_ref(), source, report));
    let webhook =
        values::table(table, "webhook").and_then(|webhook| webhook::resolve(webhook.get_ref(), report));
    let python = values::table(table, "python").and_then(|python| function(python.get_ref(), source, report));
    let wasm = wasm.map(Target::Wasm);
    wasm.or(shell.map(Target::Shell)).or(webhook.map(Target::Webhook)).or(python.map(Target::Python))
}

fn function(python: &DeTable<'_>, source: &Source, report: &mut Report) -> Option<PythonSpec> {
    let text = |key: &str| values::text(python, key).map(|text| *text.get_ref());
    let folders =
        values::texts(python, "path").into_iter().map(|folder| path::resolve(&folder, source, report));
    let folders: Vec<_> = folders.collect();
    let confinement = confine::resolve(python, source, report);
    check_variables(&ShellCommand::Argv(vec!["python3".to_owned()]), python, report);
    let folders: Option<Vec<_>> =
        folders.into_iter().map(|folder| folder?.to_str().map(str::to_owned)).collect();
    Some(PythonSpec {
        path: folders?,
        env: values::strings(python, "env"),
        confinement,
        ..PythonSpec::new(text("module")?, text("function")?)
    })
}

fn component(table: &DeTable<'_>, source: &Source, report: &mut Report) -> Option<WasmSpec> {
    let grants = grant::resolve(table, source, report);
    let wasm = *values::table(table, "wasm")?.get_ref();
    let proposals = proposals(wasm, source, report)?;
    let isolate = isolate(wasm, table, source, report)?;
    if let Some(name) = values::text(wasm, "plugin") {
        if let Some(digest) = values::text(wasm, "sha256") {
            let error = Found::error(digest.span(), "a plugin that comes with hookbox is pinned already");
            report.add(error.help("leave `sha256` out, or name the file by `path`"));
        }
        return Some(WasmSpec { grants, isolate, ..shipped(&name, source, report)? });
    }
    let path = values::text(wasm, "path").and_then(|path| path::resolve(&path, source, report))?;
    let provenance = if matches!(source.tier, Tier::Unknown | Tier::Reviewed) {
        // A source without a folder has no boundary, so no file is inside it.
        Provenance::Untrusted { within: source.boundary()?.to_owned() }
    } else {
        Provenance::User
    };
    let sha256 = values::text(wasm, "sha256").and_then(|digest| Sha256Digest::parse(digest.get_ref()));
    Some(WasmSpec { provenance, sha256, grants, proposals, isolate, ..WasmSpec::new(path) })
}

/// Returns true if the hook runs in an isolated process. Such a process has no access to anything else, so only `clock`
/// and `random` can be granted.
fn isolate(wasm: &DeTable<'_>, table: &DeTable<'_>, source: &Source, report: &mut Report) -> Option<bool> {
    let Some(isolate) = values::flag(wasm, "isolate") else { return Some(false) };
    let problem = if is_own(source) {
        let granted = values::table(table, "grant").filter(|_| *isolate.get_ref());
        let acting = granted.and_then(|grant| acting(grant.get_ref()));
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
    report.add(Found::error(isolate.span(), why).help(help));
    None
}

/// Returns the first grant of something outside the process.
fn acting(grant: &DeTable<'_>) -> Option<String> {
    let key = grant.keys().map(|key| key.get_ref().to_string());
    key.into_iter().find(|key| !["clock", "random"].contains(&key.as_str()))
}

/// Returns true if this file is the user's own, or the administrator's.
fn is_own(source: &Source) -> bool {
    matches!(source.layer, Layer::Managed | Layer::User) && source.tier != Tier::Unknown
}

/// Returns the wasm proposals that the component needs. If this file may not request them, that is reported, and the
/// hook left out.
fn proposals(wasm: &DeTable<'_>, source: &Source, report: &mut Report) -> Option<Proposals> {
    let features = values::texts(wasm, "features");
    let Some(first) = features.first() else { return Some(Proposals::NONE) };
    let (why, help) = match () {
        () if !is_own(source) => (
            "`features` are for hooks of your own file, or the administrator's",
            "leave `features` out, or move the hook to `~/.config/hookbox/hooks.toml`",
        ),
        () if values::text(wasm, "plugin").is_some() => {
            ("a plugin that comes with hookbox needs no `features`", "leave `features` out")
        }
        () => {
            let known = features.iter().filter_map(|feature| Proposal::named(feature.get_ref()));
            return Some(known.collect());
        }
    };
    report.add(Found::error(first.span(), why).help(help));
    None
}

/// Returns the plugin of this name that is shipped with hookbox. Its file is the installation's, whichever file names
/// it.
fn shipped(name: &Spanned<&str>, source: &Source, report: &mut Report) -> Option<WasmSpec> {
    let found = source.plugins.find(name.get_ref());
    if found.is_none() {
        let error = format!("no plugin {} comes with this hookbox", quoted(name.get_ref()));
        report.add(Found::error(name.span(), error).help(unknown_plugin(name.get_ref(), source)));
    }
    found.map(WasmSpec::shipped)
}

fn unknown_plugin(name: &str, source: &Source) -> String {
    match source.plugins.names().as_slice() {
        [] => "it was built without any; name a file: wasm = { path = \"…\" }".to_owned(),
        names => suggest::help(name, names),
    }
}

fn process(shell: &DeTable<'_>, source: &Source, report: &mut Report) -> Option<ShellSpec> {
    let cwd = values::text(shell, "cwd").and_then(|cwd| path::resolve(&cwd, source, report));
    let line = values::text(shell, "command").map(|line| line_of(&line, report));
    let command = line.or_else(|| argv(shell, source, report));
    let confinement = confine::resolve(shell, source, report);
    let command = command?;
    check_variables(&command, shell, report);
    let (env, reads_project) = (values::strings(shell, "env"), !values::strings(shell, "reads").is_empty());
    Some(ShellSpec { cwd, env, confinement, reads_project, ..ShellSpec::new(command) })
}

fn check_variables(command: &ShellCommand, handler: &DeTable<'_>, report: &mut Report) {
    for variable in values::texts(handler, "env") {
        let env = vec![(*variable.get_ref()).to_owned()];
        // An invalid name is reported with the shape of the file.
        if let Err(error @ ShellSpecError::DangerousVariable(_)) = ask(command.clone(), env) {
            report.error(variable.span(), error.to_string());
        }
    }
}

/// Validates the command by the handler's own check.
fn ask(command: ShellCommand, env: Vec<String>) -> Result<(), ShellSpecError> {
    check_shell(&ShellSpec { env, ..ShellSpec::new(command) })
}

fn line_of(line: &Spanned<&str>, report: &mut Report) -> ShellCommand {
    let command = ShellCommand::Line((*line.get_ref()).to_owned());
    check(&command, line, report);
    command
}

/// Returns the argument list. A program with a `/` is resolved here: at the call, the event decides the working
/// directory, and the project would decide which program runs.
fn argv(shell: &DeTable<'_>, source: &Source, report: &mut Report) -> Option<ShellCommand> {
    let program = values::texts(shell, "argv").into_iter().next()?;
    let mut argv = values::strings(shell, "argv");
    if program.get_ref().contains('/') {
        let path = path::resolve(&program, source, report)?;
        path.to_str()?.clone_into(argv.first_mut()?);
    }
    let command = ShellCommand::Argv(argv);
    check(&command, &program, report);
    Some(command)
}

fn check(command: &ShellCommand, place: &Spanned<&str>, report: &mut Report) {
    if let Err(error @ ShellSpecError::EmptyCommand) = ask(command.clone(), Vec::new()) {
        report.error(place.span(), error.to_string());
    }
}
