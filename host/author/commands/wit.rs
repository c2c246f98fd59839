//! `plugin wit`: prints the WIT of hookbox's world, or writes its files, for tools that hookbox does not call itself.

use std::{fs, io::Read, path::Path};

use hookbox::config::did_you_mean;
use hookbox_platform::file;

use crate::{
    args::WitArgs,
    environment,
    exit::{ExitStatus, Fault},
    plugin_assembly,
    printer::{Printer, to_plain_line},
    worlds,
};

/// The file with the world and the name of the package.
const WORLD: &str = "world.wit";

/// Extension of the files that are one package in a folder.
const EXTENSION: &str = "wit";

pub(super) fn print_world(args: &WitArgs, printer: &Printer) -> Result<ExitStatus, Fault> {
    let (version, files) =
        worlds::find_world(args.version.as_deref()).ok_or_else(|| describe_unknown_version(args))?;
    let Some(folder) = &args.out else {
        printer.print_line(&join_files(files));
        return Ok(ExitStatus::Success);
    };
    let folder = environment::current_folder().join(folder);
    fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    check_folder(&folder, version, files)?;
    for (name, text) in files {
        plugin_assembly::write_file(&folder.join(name), text.as_bytes())?;
    }
    let place = to_plain_line(&folder.display().to_string());
    printer.print_line(&format!("wrote the {} files of hookbox:hook@{version} to {place}", files.len()));
    Ok(ExitStatus::Success)
}

fn describe_unknown_version(args: &WitArgs) -> Fault {
    let known: Vec<_> = worlds::list_versions().collect();
    let version = to_plain_line(args.version.as_deref().unwrap_or_default());
    Fault::Usage(format!("hookbox's world has no version `{version}`; {}", did_you_mean(&version, &known)))
}

/// Returns the files as one text, which is itself a file of WIT: the name of the package comes first.
fn join_files(files: &[(&str, &str)]) -> String {
    let (world, others): (Vec<_>, Vec<_>) = files.iter().partition(|(name, _)| *name == WORLD);
    let texts: Vec<_> = world.into_iter().chain(others).map(|(_, text)| text.trim_end()).collect();
    texts.join("\n\n")
}

/// Refuses a folder with other WIT files: they would be replaced, or be a part of hookbox's package.
fn check_folder(folder: &Path, version: &str, files: &[(&str, &str)]) -> Result<(), Fault> {
    let unread = |error| format!("cannot read {}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        if path.extension().is_none_or(|extension| extension != EXTENSION) {
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_of_version = files.iter().any(|(known, _)| *known == name);
        if !(is_of_version && is_unchanged(&path, &name)) {
            return Err(Fault::Failed(format!(
                "{} is not a file of hookbox:hook@{version}, and all WIT files of a folder are one package; nothing was written\n\
                 help: name another folder with --out, or move the file away",
                to_plain_line(&path.display().to_string())
            )));
        }
    }
    Ok(())
}

/// Returns true if the file has the text of some version. Of a longer one only a part is read.
fn is_unchanged(path: &Path, name: &str) -> bool {
    let mut content = Vec::new();
    let most = worlds::find_longest(name) as u64 + 1;
    let read = file::open(path).and_then(|file| file.take(most).read_to_end(&mut content));
    read.is_ok() && worlds::is_unchanged(name, &content)
}
