//! `plugin build`: runs the language's own tools, and makes a plugin that hookbox accepts.

mod misplaced_file;
mod module_file;
mod one_file;

use std::time::{Duration, Instant};

use hookbox::{model::Json, sandbox::compile::Compiler};
use hookbox_manifest::plugin_toml::{Build, LANGUAGES};
use serde_json::json;

use crate::{
    args::BuildArgs,
    build_lock::BuildLock,
    call::{self, Loaded},
    environment,
    exit::{ExitStatus, Fault},
    languages::{self, BuildOptions},
    plugin_assembly::{self, AcceptedPlugin},
    printer::{Printer, to_plain_line},
    project::Project,
    sources::Sources,
};

pub(super) fn build_plugin(args: &BuildArgs, printer: &Printer) -> Result<ExitStatus, Fault> {
    if let Some(script) = args.at.as_deref().filter(|at| one_file::is_one(at)) {
        return one_file::build_script(script, args, printer);
    }
    if let Some(module) = args.at.as_deref().filter(|at| module_file::is_one(at)) {
        return module_file::build_component(module, args, printer);
    }
    if args.out.is_some() {
        return Err(Fault::Usage(
            "--out is for a single file; a project is built in its folder `build`".to_owned(),
        ));
    }
    args.at.as_deref().map_or(Ok(()), misplaced_file::check_kind)?;
    let project = Project::open(args.at.as_deref())?;
    check_time(args, &project)?;
    let begun = Instant::now();
    let built = make_plugin(&project, args.time(), printer)?;
    if args.json {
        printer.print_line(&format!("{:#}", built.to_json(&project)));
    } else {
        built.print_report(&project, begun.elapsed(), printer);
    }
    Ok(ExitStatus::Success)
}

/// Rejects `--timeout` for languages that ignore it.
fn check_time(args: &BuildArgs, project: &Project) -> Result<(), Fault> {
    let what = match &project.build {
        Some(Build::Command(_)) => "by a command".to_owned(),
        Some(build) => match languages::find_language_of(build) {
            Some((_, language)) if !language.takes_time => format!("in {}", language.name),
            _ => return Ok(()),
        },
        None => return Ok(()),
    };
    if args.time().is_none() {
        return Ok(());
    }
    Err(Fault::Usage(format!(
        "--timeout is for Python, whose tool runs the top level of a hook; a build {what} has no time limit: omit --timeout"
    )))
}

/// A plugin that was built and written.
pub(super) struct Built {
    made: AcceptedPlugin,
    loaded: Loaded,
}

/// Builds the plugin. On any error the previous plugin file stays.
pub(super) fn make_plugin(
    project: &Project,
    time: Option<Duration>,
    printer: &Printer,
) -> Result<Built, Fault> {
    let Some(build) = &project.build else {
        let known = LANGUAGES.join(", ");
        let why = format!(
            "plugin.toml has no [build] with the plugin's language; add [build] and below it \
                           language = \"rust\" (or another of {known}), or the command of another tool and the file that it writes: \
                           command = [\"make\", \"hook.wasm\"] and output = \"hook.wasm\""
        );
        return Err(Fault::Failed(why));
    };
    check_output(build, project)?;
    let folder = project.create_build_folder()?;
    let _lock = BuildLock::wait_for(&folder, printer)?;
    let work = tempfile::Builder::new().prefix(".work-").tempdir_in(&folder);
    let work = work.map_err(|error| format!("{} cannot be written to: {error}", folder.display()))?;
    // Before the tools read them, so that a change during the build counts as a later change.
    let mut sources = Sources::read_current(project);
    let wishes = BuildOptions { time, shown: None };
    let wasm = languages::build_wasm(build, (project.folder.as_path(), work.path()), wishes, printer)?;
    if matches!(build, Build::Command(_)) {
        // The file that the command made is the source of the plugin.
        sources = Sources::read_current(project);
    }
    let compiler = environment::find_compiler();
    let made = plugin_assembly::finish_plugin(project, wasm, work.path(), &compiler)?;
    let loaded = load_once(project, &made, work.path(), compiler)?;
    // Only now, so that a plugin that cannot be loaded does not replace the previous one.
    plugin_assembly::write_file(&project.component(), &made.bytes)?;
    sources.write_list(project, &made.sha256)?;
    Ok(Built { made, loaded })
}

/// Refuses a command that makes the plugin's own file, which is replaced only if all steps succeed.
fn check_output(build: &Build, project: &Project) -> Result<(), Fault> {
    let Build::Command(build) = build else { return Ok(()) };
    if project.folder.join(&build.output) != project.component() {
        return Ok(());
    }
    let place = to_plain_line(&build.output);
    Err(Fault::Failed(format!(
        "`output` of plugin.toml is {place}, where hookbox writes the finished plugin\nhelp: let the command write another file: \
         output = \"hook.wasm\""
    )))
}

/// Loads the plugin once, as a host would: problems are reported now, and the native code is cached.
fn load_once(
    project: &Project,
    made: &AcceptedPlugin,
    work: &std::path::Path,
    compiler: Compiler,
) -> Result<Loaded, String> {
    let file = work.join(project.file_name());
    let spec = call::build_spec(&file, Some(&made.manifest), None, Json::empty_object());
    let loaded = call::load_plugin(spec, environment::find_cache_folder().as_deref(), compiler);
    loaded.map_err(|failure| plugin_assembly::without_work(&failure.message, &file))
}

impl Built {
    fn print_report(&self, project: &Project, taken: Duration, printer: &Printer) {
        let Self { made, loaded } = self;
        for doubt in &made.doubts {
            printer.print_warning(doubt);
        }
        let bytes = made.bytes.len();
        printer.print_row(
            "built",
            &format!("build/{} ({bytes} bytes) in {:.1} s", project.file_name(), taken.as_secs_f64()),
        );
        let manifest = &made.manifest;
        printer.print_row(
            "plugin",
            &format!("{} {}, release {}", manifest.name, manifest.version, manifest.seq),
        );
        printer.print_row("kind", made.anatomy.kind.about());
        for (name, import) in made.anatomy.list_displayed_imports() {
            printer.print_row("imports", &format!("{}  {}", to_plain_line(&name), import.about()));
        }
        let asks = manifest.asks.names();
        printer.print_row(
            "asks for",
            &if asks.is_empty() { "nothing".to_owned() } else { to_plain_line(&asks.join(", ")) },
        );
        printer.print_row(
            "compiled",
            &match loaded.compiled {
                Some(time) => format!("to native code in {} ms", time.as_millis()),
                None => "before, native code reused".to_owned(),
            },
        );
        printer.print_row("sha256", &made.sha256);
    }

    fn to_json(&self, project: &Project) -> serde_json::Value {
        let Self { made, loaded } = self;
        let AcceptedPlugin { bytes, anatomy, manifest, sha256, doubts } = made;
        json!({
            "file": project.component().display().to_string(), "bytes": bytes.len(), "sha256": sha256,
            "name": manifest.name.as_str(), "version": manifest.version.to_string(), "world": manifest.world,
            "kind": anatomy.kind, "imports": anatomy.imports, "asks": manifest.asks.names(),
            "compile_ms": loaded.compiled.map(|time| time.as_secs_f64() * 1e3), "warnings": doubts,
        })
    }
}
