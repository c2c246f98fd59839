//! A plugin in a single Python file. It is built as a project that has this file, the SDK, and nothing else; so other files of
//! its folder have no effect.

use std::{fs, io::Read, path::Path, time::Instant};

use hookbox::{Sha256Digest, sandbox::inspect::inspect_component_file, sandbox::script::MAX_SCRIPT_BYTES};
use hookbox_manifest::plugin_toml::{Build, LanguageBuild};
use hookbox_platform::{file, signals::ShutdownDelay};
use serde_json::json;
use tempfile::TempDir;

use crate::{
    args::BuildArgs,
    build_lock::BuildLock,
    call, environment,
    exit::{ExitStatus, Fault},
    languages::{self, BuildOptions},
    plugin_assembly,
    printer::{Printer, to_plain_line},
    templates,
};

const LANGUAGE: &str = "python";
const EXTENSION: &str = "py";
/// Name of the file during the build: its own name could be that of a module which Python needs.
const MODULE: &str = "app.py";
/// Folder of the SDK in a project.
const SDK: &str = "hookbox/";

/// Returns true if the path is a file that is built by itself.
pub(super) fn is_one(at: &Path) -> bool {
    at.extension().is_some_and(|extension| extension == EXTENSION) && !at.is_dir()
}

/// Builds the plugin. If that fails, the previous output stays.
pub(super) fn build_script(script: &Path, args: &BuildArgs, printer: &Printer) -> Result<ExitStatus, Fault> {
    let shown = to_plain_line(&script.display().to_string());
    let read_fault = |why: String| Fault::Usage(format!("cannot read {shown}: {why}"));
    // Before signals are held back, so that a waiting process can be interrupted.
    let _lock = BuildLock::wait_for_file(script, printer).map_err(|error| read_fault(error.to_string()))?;
    // Dropped after all folders, so that an interrupted build leaves none behind.
    let _held = ShutdownDelay::begin_delay();
    let begun = Instant::now();
    let source = read_script(script).map_err(read_fault)?;
    if !String::from_utf8_lossy(&source).lines().any(uses_decorator) {
        return Err(Fault::Failed(format!(
            "no function in {shown} is marked `@hook`; write `from hookbox_sdk import hook` at the top, and `@hook` above the function that \
             takes the event"
        )));
    }
    let out = args.out.clone().unwrap_or_else(|| script.with_extension("wasm"));
    let out = environment::current_folder().join(out);
    let (project, work) = (project_of(&source)?, make_temporary_folder()?);
    let build = LanguageBuild { language: LANGUAGE.to_owned(), source: Some(MODULE.to_owned()) };
    printer.print_note(&format!("{shown} is built as {MODULE}"));
    let wishes = BuildOptions { shown: Some(shown.as_str()), time: args.time() };
    let wasm =
        languages::build_wasm(&Build::Language(build), (project.path(), work.path()), wishes, printer)?;
    let file = work.path().join("checked.wasm");
    plugin_assembly::write_file(&file, &wasm)?;
    let taken = call::block_on(inspect_component_file(&file, &environment::find_compiler()))?;
    let (_, anatomy) = taken.map_err(|failure| {
        failure.message.replace(&file.display().to_string(), &to_plain_line(&out.display().to_string()))
    })?;
    if !anatomy.kind.is_plugin() {
        let what = anatomy.kind.about();
        return Err(Fault::Failed(format!(
            "the component of {shown} is {what}; a hook has `@hook` above its function"
        )));
    }
    plugin_assembly::write_file(&out, &wasm)?;
    print_report((out.as_path(), wasm.as_slice()), begun, args, printer);
    Ok(ExitStatus::Success)
}

/// Prints the place of the written plugin, and its size.
pub(super) fn print_report((out, wasm): (&Path, &[u8]), begun: Instant, args: &BuildArgs, printer: &Printer) {
    let (bytes, sha256) = (wasm.len(), Sha256Digest::of_content(wasm));
    let place = to_plain_line(&out.display().to_string());
    if args.json {
        let report = json!({ "file": out.display().to_string(), "bytes": bytes, "sha256": sha256.as_str() });
        printer.print_line(&format!("{report:#}"));
    } else {
        printer.print_row(
            "built",
            &format!("{place} ({bytes} bytes) in {:.1} s", begun.elapsed().as_secs_f64()),
        );
    }
}

fn read_script(script: &Path) -> Result<Vec<u8>, String> {
    let mut source = Vec::new();
    let opened = file::open(script).map_err(|error| error.to_string())?;
    opened.take(MAX_SCRIPT_BYTES + 1).read_to_end(&mut source).map_err(|error| error.to_string())?;
    if source.len() as u64 > MAX_SCRIPT_BYTES {
        return Err(format!("it is longer than {MAX_SCRIPT_BYTES} bytes, the maximum for a script"));
    }
    Ok(source)
}

/// Returns true if the line uses the decorator, and does not only import or mention it. Without one Python would report a name
/// that the author has not written.
fn uses_decorator(line: &str) -> bool {
    const HOOK: &str = "hook";
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let line = line.trim_start();
    let is_used = |(at, _)| {
        let (before, after) = line.split_at(at);
        let after = after.strip_prefix(HOOK).unwrap_or_default();
        let is_whole = !before.ends_with(is_of_name) && !after.starts_with(is_of_name);
        let is_called_or_named = after.trim_start().starts_with('(') || after.starts_with(" as ");
        is_whole && (line.starts_with('@') || is_called_or_named || before.trim_end().ends_with(['=', '.']))
    };
    // The class that the decorator makes can be written by hand.
    !line.starts_with('#') && (line.contains("WitWorld") || line.match_indices(HOOK).any(is_used))
}

fn project_of(source: &[u8]) -> Result<TempDir, String> {
    let folder = make_temporary_folder()?;
    let files = templates::find_template(LANGUAGE).unwrap_or_default().iter();
    let sdk = files.filter(|(place, _)| place.starts_with(SDK)).copied();
    for (place, content) in sdk.chain([(MODULE, source)]) {
        let file = folder.path().join(place);
        let above = file.parent().map_or(Ok(()), fs::create_dir_all);
        above.map_err(|error| format!("cannot create the folder of {}: {error}", file.display()))?;
        plugin_assembly::write_file(&file, content)?;
    }
    Ok(folder)
}

/// Makes a folder that is removed when it is dropped.
pub(super) fn make_temporary_folder() -> Result<TempDir, String> {
    let made = tempfile::Builder::new().prefix("hookbox-").tempdir();
    made.map_err(|error| format!("cannot create a temporary folder for the build: {error}"))
}
