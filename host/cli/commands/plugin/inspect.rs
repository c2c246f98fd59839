//! `hookbox plugin inspect`: the content of a plugin's file, its signers, and the capabilities that it would get now. The plugin
//! is not run.

use std::path::{Path, PathBuf};

use hookbox::{
    Sha256Digest,
    config::{did_you_mean, quote_word},
    sandbox::{
        compile::Compiler,
        inspect::{Inspection, inspect_file},
    },
};
use hookbox_app::FolderHooks;
use hookbox_platform::file::is_there;

use super::{
    added_plugins::Added,
    file_signers::FileSigners,
    json,
    plugin_uses::{self, InstalledPlugin, PluginUse},
    text,
};
use crate::{
    args::InspectArgs,
    commands::{block_on, read, resolve_project},
    environment,
    exit::ExitStatus,
    printer::Printer,
    report::sanitize_line,
};

/// Prefix of a digest in place of a file.
const DIGEST: &str = "sha256:";

pub(super) struct InspectedFile<'a> {
    pub(super) file: &'a Path,
    pub(super) inspection: &'a Inspection,
    pub(super) signers: FileSigners,
    pub(super) installed: Vec<InstalledPlugin>,
    pub(super) uses: Vec<PluginUse<'a>>,
}

pub(super) fn show_plugin(args: &InspectArgs, printer: &Printer) -> ExitStatus {
    let project = match resolve_project(args.project.as_deref()) {
        Ok(project) => project,
        Err(error) => {
            printer.print_error(&error);
            return ExitStatus::Usage;
        }
    };
    let surroundings = environment::build_surroundings(super::find_places());
    let folder_hooks = FolderHooks::read_files(surroundings, read::of_layers(&project, &args.source));
    match try_show(args, (&folder_hooks, &project), printer) {
        Ok(true) => ExitStatus::Success,
        Ok(false) => ExitStatus::Problems,
        Err(error) => {
            printer.print_error(&error);
            ExitStatus::Problems
        }
    }
}

/// Prints the inspection; returns true if the file can be a plugin.
fn try_show(
    args: &InspectArgs,
    (folder_hooks, project): (&FolderHooks, &Path),
    printer: &Printer,
) -> Result<bool, String> {
    let added = plugin_uses::read_added(&folder_hooks.places, project);
    let file = resolve_plugin_file(&args.file, &added, folder_hooks)?;
    let inspection = inspect_plugin(&file, folder_hooks)?;
    let inspected = InspectedFile {
        file: &file,
        inspection: &inspection,
        signers: FileSigners::of_file(&file, &inspection.sha256, &folder_hooks.places),
        installed: plugin_uses::find_installed(&inspection.sha256, &added),
        uses: plugin_uses::find_uses(&file, &inspection, folder_hooks),
    };
    if args.json {
        printer.print_line(&format!("{:#}", json::encode_inspection(&inspected)));
    } else {
        text::print_inspection(&inspected, printer);
    }
    Ok(is_plugin(&file, &inspection))
}

/// Returns the file of this name; if it does not exist, the installed file with this digest, or the shipped plugin of this name.
fn resolve_plugin_file(file: &Path, added: &[Added], folder_hooks: &FolderHooks) -> Result<PathBuf, String> {
    let plugins = environment::shipped_plugins();
    if is_there(file) {
        return Ok(file.to_owned());
    }
    let name = file.to_string_lossy();
    if let Some(digest) = parse_digest(&name)? {
        return plugin_uses::find_installed_file(&digest, added, folder_hooks).ok_or_else(|| {
            format!(
                "no installed plugin has the SHA-256 {}: none of hookbox.lock, of the store and of the hooks\nhelp: `hookbox plugin \
                 list` shows the digests of the added plugins",
                digest.as_str()
            )
        });
    }
    // A path is always a file, and its reader reports problems.
    if name.contains(['/', '.']) {
        return Ok(file.to_owned());
    }
    if let Some(plugin) = plugins.find(&name) {
        return Ok(plugin.path);
    }
    Err(format!(
        "no file and no built-in plugin is called {0}; {1}",
        quote_word(&name),
        did_you_mean(&name, &plugins.names())
    ))
}

/// Returns the digest, if the text is one. An error for an incomplete digest.
fn parse_digest(text: &str) -> Result<Option<Sha256Digest>, String> {
    let Some(digits) = text.strip_prefix(DIGEST) else { return Ok(Sha256Digest::parse(text)) };
    Sha256Digest::parse(digits).map(Some).ok_or_else(|| {
        format!(
            "`{}` is not a SHA-256\nhelp: write its {} hexadecimal digits, as `hookbox plugin list` shows them",
            sanitize_line(text),
            Sha256Digest::DIGITS
        )
    })
}

/// Inspects the file with the compiler's process.
pub(super) fn inspect_plugin(file: &Path, folder_hooks: &FolderHooks) -> Result<Inspection, String> {
    let compiler = environment::find_compiler().map_or(Compiler::None, Compiler::Process);
    let cache = folder_hooks.places.opened_cache();
    let looked = block_on(true, inspect_file(file, &compiler, cache.as_ref()))?;
    looked.map_err(|failure| failure.message)
}

fn is_plugin(file: &Path, inspection: &Inspection) -> bool {
    let is_hook = inspection.anatomy.as_ref().is_ok_and(|anatomy| anatomy.kind.is_plugin());
    is_hook && inspection.list_problems(file).is_empty()
}
