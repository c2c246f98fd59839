//! `hookbox import`: converts an agent's own hooks to hookbox's configuration. A file is written only if one is named, and an
//! existing one is never replaced.

mod plugin;

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use hookbox::{
    agents::{self, Dialect},
    atomic_file::{Access, Draft},
    hookfile::Source,
    import::{self, Imported},
};
use hookbox_app::{own_source, places::Places};
use hookbox_platform::folder::Folder;

use self::plugin::InstalledPlugin;
use super::read;
use crate::{
    args::ImportArgs,
    diagnostic, environment,
    exit::ExitStatus,
    printer::{Printer, WARNING},
    report,
};

/// Mode of the new file; the process's mask applies.
const NEW_FILE: u32 = 0o644;

pub(super) fn import_hooks(args: &ImportArgs, printer: &Printer) -> ExitStatus {
    let ImportSource { agent, file, plugin, switches } = match choose_source(args) {
        Ok(which) => which,
        Err(message) => {
            printer.print_error(&message);
            return ExitStatus::Usage;
        }
    };
    let Some((source, switches)) = read_sources((&file, switches.as_deref()), plugin.as_ref(), printer)
    else {
        return ExitStatus::Problems;
    };
    let off = plugin.map(|plugin| plugin.off);
    match import::import_beside(agent, &source, switches.as_ref()) {
        Some(imported) if !imported.unreadable => {
            // An empty file would be in the way of the next import, since no file is replaced.
            if let (0, Some(output)) = (imported.hooks, args.output.as_deref()) {
                print_result(&imported, (&file, off.as_deref()), printer);
                let output = report::sanitize_line(&output.display().to_string());
                printer.print_error(&format!("there is no hook to write, so {output} was not written"));
                return ExitStatus::Problems;
            }
            if let Err(message) = write_output(args.output.as_deref(), &imported.text, printer) {
                printer.print_error(&message);
                return ExitStatus::Problems;
            }
            print_result(&imported, (&file, off.as_deref()), printer)
        }
        Some(imported) => {
            let file = report::sanitize_line(&file.display().to_string());
            imported
                .lost
                .iter()
                .for_each(|line| printer.print_error(&format!("{file}: {}", report::sanitize_line(line))));
            ExitStatus::Problems
        }
        None => {
            printer.print_error(&describe_unknown_agent(agent));
            ExitStatus::Usage
        }
    }
}

/// Reads the file with the hooks, and the one in which the agent's user switches hooks of its plugins off. `None` if one cannot
/// be read, which is reported.
fn read_sources(
    (file, switches): (&Path, Option<&Path>),
    plugin: Option<&InstalledPlugin>,
    printer: &Printer,
) -> Option<(Source, Option<Source>)> {
    let read = |file: &Path| {
        let read = own_source(file, &environment::shipped_plugins());
        read.map_err(|problem| diagnostic::print_problems(&[*problem], printer)).ok()
    };
    let source = read(file)?;
    let switches = match switches {
        Some(file) => Some(read(file)?),
        None => None,
    };
    let Some(plugin) = plugin else { return Some((source, switches)) };
    match plugin.resolve_folder(source) {
        Ok(source) => Some((source, switches)),
        Err(message) => {
            printer.print_error(&report::sanitize_line(&message));
            None
        }
    }
}

/// Writes the text to this new file, else to standard output.
fn write_output(output: Option<&Path>, text: &str, printer: &Printer) -> Result<(), String> {
    let Some(path) = output else {
        printer.write_raw(text);
        return Ok(());
    };
    let shown = report::sanitize_line(&path.display().to_string());
    write_new_file(path, text).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            format!("{shown} exists; name a new file with --output, and copy the hooks from it into {shown}")
        }
        _ => format!("{shown} cannot be written: {error}"),
    })
}

/// Writes a new file and the folders above it; an existing file is an error.
pub(super) fn write_new_file(path: &Path, text: &str) -> io::Result<()> {
    let name = path.file_name().and_then(OsStr::to_str).ok_or(io::ErrorKind::InvalidFilename)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    Draft::write_temporary(&Folder::open(folder)?, Access::New(NEW_FILE), text.as_bytes())?.persist_new(name)
}

/// Agent and place of the hooks.
struct ImportSource {
    agent: &'static dyn Dialect,
    file: PathBuf,
    plugin: Option<InstalledPlugin>,
    /// Where the user switches single hooks of it off, if that is another file.
    switches: Option<PathBuf>,
}

/// Returns the agent, and its hook file or that of one of its plugins.
fn choose_source(args: &ImportArgs) -> Result<ImportSource, String> {
    let agent = read::dialect_named(Some(&args.agent))?.ok_or("name the agent")?;
    if agent.hook_file().is_none() {
        return Err(describe_unknown_agent(agent));
    }
    let files = agents::usual_files(agent.name());
    let folder = files.and_then(|files| {
        let places = Places::of_terminal(&environment::read_variable);
        places.settings_folder(&files.user, &environment::read_variable)
    });
    if let Some(name) = &args.plugin {
        let plugin = InstalledPlugin::find(agent.name(), name, folder.as_deref())?;
        let switches = plugin::find_switches_file(agent.name(), folder.as_deref());
        return Ok(ImportSource { agent, file: plugin.file()?, plugin: Some(plugin), switches });
    }
    let switches = plugin::find_switches_file(agent.name(), folder.as_deref());
    let usual = || Some(folder?.join(files?.file));
    let file = args.file.clone().or_else(usual);
    let nowhere = || {
        format!("the place of {0}'s hook file is unknown; name it: `hookbox import {0} FILE`", agent.name())
    };
    let file = file.ok_or_else(nowhere)?;
    let real = |file: &Path| file.canonicalize().unwrap_or_else(|_| file.to_owned());
    // Gemini CLI has hooks and switches in one file, which is read once.
    let switches = switches.filter(|switches| real(switches) != real(&file));
    Ok(ImportSource { agent, file, plugin: None, switches })
}

fn describe_unknown_agent(agent: &dyn Dialect) -> String {
    format!("hookbox cannot read {}'s own hook files", agent.name())
}

/// Reports the result; `off` is the way to switch a plugin's own hooks off.
fn print_result(imported: &Imported, (file, off): (&Path, Option<&str>), printer: &Printer) -> ExitStatus {
    for line in &imported.lost {
        printer.print_note(&format!("{WARNING}not carried over{WARNING:#}: {}", report::sanitize_line(line)));
    }
    for line in &imported.notes {
        printer.print_note(&report::sanitize_line(line));
    }
    for line in &imported.differences {
        printer.print_note(&format!("in hookbox's chain: {line}"));
    }
    let file = report::sanitize_line(&file.display().to_string());
    let hooks = diagnostic::format_count(imported.hooks, "hook");
    let then = match off {
        _ if imported.hooks == 0 => String::new(),
        Some(off) => format!(
            "; {}, else they run twice. What they call stays where the agent keeps it: import it again after an update of the plugin",
            report::sanitize_line(off)
        ),
        None => "; take them out there, else they run twice".to_owned(),
    };
    printer.print_note(&format!("{hooks} of {file}{then}"));
    if imported.lost.is_empty() { ExitStatus::Success } else { ExitStatus::Problems }
}
