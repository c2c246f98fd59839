//! `plugin new`: makes a project that builds and passes its tests without changes.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use hookbox::{
    atomic_file::{self, Access},
    config::{did_you_mean, quoted},
    model::PluginName,
};
use hookbox_manifest::plugin_toml::meant;
use hookbox_platform::folder::Folder;

use crate::{
    args::NewArgs,
    environment,
    exit::{ExitStatus, Fault},
    languages,
    printer::{Printer, plain},
    templates,
};

/// Modes of new folders and files; the process's mask applies.
const NEW_FOLDER: u32 = 0o777;
const NEW_FILE: Access = Access::New(0o666);

pub(super) fn new(args: &NewArgs, printer: &Printer) -> Result<ExitStatus, Fault> {
    let name = PluginName::parse(&args.name).filter(|name| !has_a_leading_hyphen(name.as_str()));
    let name = name.ok_or_else(|| Fault::Usage(no_name(&args.name)))?;
    let files = templates::of(&args.lang).ok_or_else(|| Fault::Usage(no_language(&args.lang)))?;
    let short = templates::last_part(name.as_str());
    let around = environment::current_folder();
    let folder = around.join(short);
    check_free(&folder)?;
    let unmade = |error: io::Error| format!("{} cannot be made: {error}", folder.display());
    let draft = Draft::make(&around).map_err(unmade)?;
    for file in files {
        draft.write(file.0, &templates::filled(file, name.as_str())).map_err(unmade)?;
    }
    draft.give(short).map_err(unmade)?;
    tell(&args.lang, name.as_str(), short, files.len(), printer);
    Ok(ExitStatus::Success)
}

/// Returns true for a part with a leading hyphen; every command would take such a folder for an option.
fn has_a_leading_hyphen(name: &str) -> bool {
    name.split('/').any(|part| part.starts_with('-'))
}

fn no_name(name: &str) -> String {
    format!(
        "{} is not a plugin name: lower-case letters, digits and hyphens, in parts joined by `/`, none with a hyphen first, at most \
         128; for example \
         `guard` or `acme/guard`",
        quoted(&plain(name))
    )
}

fn no_language(language: &str) -> String {
    let known: Vec<_> = templates::languages().collect();
    format!(
        "there is no template for {}; {}",
        quoted(&plain(language)),
        did_you_mean(meant(language), &known)
    )
}

/// Returns an error if the place is occupied, since existing files are not overwritten.
fn check_free(folder: &Path) -> Result<(), String> {
    let occupied = match fs::symlink_metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(format!("cannot look at {}: {error}", folder.display())),
        Ok(found) if found.is_dir() => {
            fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_some())
        }
        Ok(_) => true,
    };
    if occupied {
        return Err(format!(
            "{} exists and is not an empty folder; nothing was written. Take another name, or move it away",
            folder.display()
        ));
    }
    Ok(())
}

/// A project that is being made, next to its final place; removed unless it gets there.
struct Draft {
    around: PathBuf,
    name: String,
    given: bool,
}

impl Draft {
    fn make(around: &Path) -> io::Result<Self> {
        let name = format!(".hookbox-new-{}", std::process::id());
        Folder::open(around)?.make_folder(OsStr::new(&name), NEW_FOLDER)?;
        Ok(Self { around: around.to_owned(), name, given: false })
    }

    fn write(&self, place: &str, content: &[u8]) -> io::Result<()> {
        let file = self.around.join(&self.name).join(place);
        let (folder, name) = (file.parent(), file.file_name().and_then(OsStr::to_str));
        let (folder, name) = folder.zip(name).ok_or(io::ErrorKind::InvalidFilename)?;
        fs::create_dir_all(folder)?;
        atomic_file::write(&Folder::open(folder)?, name, NEW_FILE, content)
    }

    /// Moves the whole project to its place; an empty folder of that name is replaced, anything else is an error.
    fn give(mut self, name: &str) -> io::Result<()> {
        Folder::open(&self.around)?.rename(&self.name, name)?;
        self.given = true;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.given {
            // A folder that cannot be removed has a name that identifies it.
            drop(fs::remove_dir_all(self.around.join(&self.name)));
        }
    }
}

fn tell(language: &str, name: &str, short: &str, files: usize, printer: &Printer) {
    printer.line(&format!("made {short}/: the plugin {name} in {language}, {files} files"));
    printer.line("next:");
    printer.line(&format!("  cd {short}"));
    for line in languages::named(language).map(languages::Language::set_up).unwrap_or_default() {
        printer.line(&format!("  {line}"));
    }
    printer.line(&format!("  hookbox plugin build                     # build/{short}.wasm"));
    printer.line("  hookbox plugin test                      # each tests/*.json, in the sandbox");
    printer.line(&format!("  hookbox plugin add build/{short}.wasm"));
}
