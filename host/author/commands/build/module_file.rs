//! A core module that another tool made, in a single file: it becomes a component of the world in its custom section, as
//! `wit-bindgen` writes it.

use std::{path::Path, time::Instant};

use hookbox::{
    model::Failure,
    sandbox::inspect::{Kind, inspect_component_file, inspect_file},
};
use hookbox_component::encode_module;
use hookbox_platform::signals::ShutdownDelay;

use super::one_file;
use crate::{
    args::BuildArgs,
    call, environment,
    exit::{ExitStatus, Fault},
    plugin_assembly,
    printer::{Printer, to_plain_line},
    project::MANIFEST,
};

const EXTENSION: &str = "wasm";
/// Extension of the component, next to the module.
const COMPONENT: &str = "component.wasm";

/// Returns true for a wasm file outside of a project.
pub(super) fn is_one(at: &Path) -> bool {
    let file = environment::current_folder().join(at);
    at.extension().is_some_and(|extension| extension == EXTENSION)
        && file.is_file()
        && !file.with_file_name(MANIFEST).is_file()
}

/// Makes the component. If that fails, the previous output stays.
pub(super) fn build_component(
    module: &Path,
    args: &BuildArgs,
    printer: &Printer,
) -> Result<ExitStatus, Fault> {
    let shown = to_plain_line(&module.display().to_string());
    if args.time().is_some() {
        let why = format!("--timeout is for Python, and {shown} is a wasm file: omit --timeout");
        return Err(Fault::Usage(why));
    }
    // Before the temporary folder is made, so that an interrupted build leaves none behind.
    let _held = ShutdownDelay::begin_delay();
    let begun = Instant::now();
    let file = environment::current_folder().join(module);
    let out = args.out.clone().unwrap_or_else(|| module.with_extension(COMPONENT));
    let out = environment::current_folder().join(out);
    if out == file {
        return Err(Fault::Usage(format!("--out is the input {shown}; name another file")));
    }
    let core = read_module(&file, &shown)?;
    let component =
        encode_module(&core).map_err(|error| format!("{shown} cannot be converted to a hook: {error}"))?;
    check_component(&component, &shown, &out)?;
    plugin_assembly::write_file(&out, &component)?;
    one_file::print_report((out.as_path(), component.as_slice()), begun, args, printer);
    Ok(ExitStatus::Success)
}

/// Reads the module, which must carry a world.
fn read_module(file: &Path, shown: &str) -> Result<Vec<u8>, Fault> {
    let taken = call::block_on(inspect_component_file(file, &environment::find_compiler()))?;
    let (core, anatomy) =
        taken.map_err(|failure| failure.message.replace(&file.display().to_string(), shown))?;
    let about = anatomy.kind.about();
    if anatomy.kind.is_plugin() {
        return Err(Fault::Usage(format!(
            "{shown} is a {about} and needs no build\nhelp: hookbox plugin add {shown}"
        )));
    }
    if anatomy.kind != Kind::CoreModule {
        return Err(Fault::Failed(format!("{shown} is {about}; a hook exports `handle`")));
    }
    if !plugin_assembly::carries_world(&core) {
        return Err(Fault::Failed(format!(
            "{shown} is a core module without a world: it has no section `component-type`, which wit-bindgen writes\n\
             help: hookbox plugin wit --out wit && wasm-tools component embed wit {shown} --world hook -o embedded.wasm"
        )));
    }
    Ok(core)
}

/// Checks that hookbox accepts the component that will be at `out`.
fn check_component(component: &[u8], shown: &str, out: &Path) -> Result<(), Fault> {
    let work = one_file::make_temporary_folder()?;
    let file = work.path().join("checked.wasm");
    plugin_assembly::write_file(&file, component)?;
    let final_name = to_plain_line(&out.display().to_string());
    let message = |failure: Failure| failure.message.replace(&file.display().to_string(), &final_name);
    let inspected = call::block_on(inspect_file(&file, &environment::find_compiler(), None))?;
    let inspection = inspected.map_err(message)?;
    if let Some(problem) = inspection.list_problems(out).into_iter().next() {
        return Err(Fault::Failed(message(problem)));
    }
    let kind = inspection.anatomy.map_err(message)?.kind;
    if kind.is_plugin() {
        return Ok(());
    }
    Err(Fault::Failed(format!("the component of {shown} is {}; a hook exports `handle`", kind.about())))
}
