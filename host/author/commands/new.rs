//! `plugin new`: makes a project that builds and passes its tests without changes.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use hookbox::{
    atomic_file::{self, Access},
    config::{did_you_mean, quote_word},
    model::PluginName,
};
use hookbox_manifest::plugin_toml::resolve_alias;
use hookbox_platform::folder::Folder;

use crate::{
    args::NewArgs,
    environment,
    exit::{ExitStatus, Fault},
    languages,
    printer::{Printer, to_plain_line},
    templates,
};

/// Modes of new folders and files; the process's mask applies.
const NEW_FOLDER: u32 = 0o777;
const NEW_FILE: Access = Access::New(0o666);

pub(super) fn create_project(args: &NewArgs, printer: &Printer) -> Result<ExitStatus, Fault> {
    let name = PluginName::parse(&args.name).filter(|name| !has_a_leading_hyphen(name.as_str()));
    let name = name.ok_or_else(|| Fault::Usage(no_name(&args.name)))?;
    let files = templates::find_template(&args.lang).ok_or_else(|| Fault::Usage(no_language(&args.lang)))?;
    let short = templates::last_part(name.as_str());
    let around = environment::current_folder();
    let folder = around.join(short);
    // For the message: the rename at the end replaces nothing but an empty folder anyway.
    check_free(&folder)?;
    let unmade = |error: io::Error| format!("{} cannot be created: {error}", folder.display());
    // Next to the final place, since a rename cannot cross file systems.
    let draft = Draft::make_folder(&around).map_err(unmade)?;
    for file in files {
        draft.write_file(file.0, &templates::fill_in(file, name.as_str())).map_err(unmade)?;
    }
    draft.move_into_place(short).map_err(unmade)?;
    print_next_steps(&args.lang, name.as_str(), short, files.len(), printer);
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
        quote_word(&to_plain_line(name))
    )
}

fn no_language(language: &str) -> String {
    let known: Vec<_> = templates::list_languages().collect();
    format!(
        "no template for {}; {}",
        quote_word(&to_plain_line(language)),
        did_you_mean(resolve_alias(language), &known)
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
            "{} exists and is not an empty folder; nothing was written. Choose another name, or move it away",
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
    fn make_folder(around: &Path) -> io::Result<Self> {
        let name = format!(".hookbox-new-{}", std::process::id());
        Folder::open(around)?.make_folder(OsStr::new(&name), NEW_FOLDER)?;
        Ok(Self { around: around.to_owned(), name, given: false })
    }

    fn write_file(&self, place: &str, content: &[u8]) -> io::Result<()> {
        let file = self.around.join(&self.name).join(place);
        let (folder, name) = (file.parent(), file.file_name().and_then(OsStr::to_str));
        let (folder, name) = folder.zip(name).ok_or(io::ErrorKind::InvalidFilename)?;
        fs::create_dir_all(folder)?;
        atomic_file::replace_or_create(&Folder::open(folder)?, name, NEW_FILE, content)
    }

    /// Moves the whole project to its place; an empty folder of that name is replaced, anything else is an error.
    fn move_into_place(mut self, name: &str) -> io::Result<()> {
        Folder::open(&self.around)?.rename_file(&self.name, name)?;
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

fn print_next_steps(language: &str, name: &str, short: &str, files: usize, printer: &Printer) {
    printer.print_line(&format!("created {short}/: the plugin {name} in {language}, {files} files"));
    printer.print_line("next:");
    printer.print_line(&format!("  cd {short}"));
    for line in languages::find_language(language).map(|found| found.set_up).unwrap_or_default() {
        printer.print_line(&format!("  {line}"));
    }
    printer.print_line(&format!("  hookbox plugin build                     # build/{short}.wasm"));
    printer.print_line("  hookbox plugin test                      # each tests/*.json, in the sandbox");
    printer.print_line(&format!("  hookbox plugin add build/{short}.wasm"));
}
