//! `hookbox export`: writes agents' plugins that contain signed hookbox plugins.

use std::{
    fs,
    io::{Cursor, Write},
    path::{Path, PathBuf},
};

use hookbox::{Sha256Digest, ShippedPlugins};
use hookbox_app::{bundle::HOOKS, trust_files::TrustFiles};
use serde_json::{Value, json};
use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions};

use crate::{
    args::{ExportArgs, Target},
    bundle::{Plugin, display_path, if_there, write_file},
    environment,
    exit::{ExitStatus, Fault},
    export::{
        BundleFile, ExportedPlugin, Title, build_files, check_foreign_files, files_in, hooks_of_agent,
        keep_only, list_added_plugins, list_other_manifests, manifest_of, of_file, read_existing,
        write_files,
    },
    printer::{Printer, to_plain_line},
};

/// Maximum length of an agent's manifest.
const MAX_MANIFEST: usize = 1 << 20;

pub(super) fn export_plugins(args: &ExportArgs, printer: &Printer) -> Result<ExitStatus, Fault> {
    let chosen = choose_plugins(&args.plugins)?;
    match (&args.out, args.target) {
        (Some(out), Target::Archive) => export_archive(args, &chosen, out, printer)?,
        (Some(out), _) => export_folder(args, chosen, out, printer)?,
        (None, _) => export_own_folder(args, &chosen, printer)?,
    }
    Ok(ExitStatus::Success)
}

/// Returns the chosen plugins. A name with the extension `.wasm` is always a path.
fn choose_plugins(named: &[String]) -> Result<Vec<ExportedPlugin>, Fault> {
    let is_file = |name: &str| Path::new(name).extension().is_some_and(|extension| extension == "wasm");
    let (paths, others): (Vec<_>, Vec<_>) = named.iter().map(String::as_str).partition(|name| is_file(name));
    let mut chosen = Vec::new();
    if !others.is_empty() || paths.is_empty() {
        chosen = list_added_plugins(&others, &environment::find_user_places())?;
    }
    for file in paths {
        chosen.push(of_file(Path::new(file))?);
    }
    let chosen = merge_plugins(chosen)?;
    check_distributable(&chosen)?;
    Ok(chosen)
}

/// Sorts plugins by their names; a later one replaces an earlier one of the same plugin. An error if two plugins would have one
/// file.
fn merge_plugins(plugins: Vec<ExportedPlugin>) -> Result<Vec<ExportedPlugin>, Fault> {
    let mut merged: Vec<ExportedPlugin> = Vec::new();
    for plugin in plugins {
        let own = |one: &ExportedPlugin| one.plugin.manifest.name.clone();
        let twin = merged.iter().find(|other| other.name == plugin.name && own(other) != own(&plugin));
        if let Some(twin) = twin {
            return Err(Fault::Usage(format!(
                "{} and {} would both have the name {} in the folder; export them into separate folders",
                own(twin),
                own(&plugin),
                plugin.name
            )));
        }
        merged.retain(|other| other.name != plugin.name);
        merged.push(plugin);
    }
    merged.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(merged)
}

/// Rejects plugins that are never called here, which are not distributed to others either.
fn check_distributable(plugins: &[ExportedPlugin]) -> Result<(), Fault> {
    let (trust, problems) =
        TrustFiles::read_files(&environment::find_user_places(), None, &ShippedPlugins::default());
    if let Some(problem) = problems.first() {
        return Err(Fault::Failed(format!("cannot export plugins: {}", to_plain_line(&problem.to_string()))));
    }
    for plugin in plugins {
        let Plugin { digest, manifest, .. } = &plugin.plugin;
        let denied = trust.policies.denied().find(|(_, denied, _)| *denied == digest);
        let denied = denied.map(|(of, _, why)| format!("{of} denies it: {why}"));
        let revoked = || plugin.keys().find(|key| trust.is_revoked(key));
        let of_revoked = || Some(format!("it is signed with the key {}, which is revoked", revoked()?));
        if let Some(why) = denied.or_else(of_revoked) {
            return Err(Fault::Failed(format!("cannot export {}: {}", manifest.name, to_plain_line(&why))));
        }
    }
    Ok(())
}

/// Exports into a folder that may already contain plugins.
fn export_folder(
    args: &ExportArgs,
    chosen: Vec<ExportedPlugin>,
    out: &Path,
    printer: &Printer,
) -> Result<(), Fault> {
    for manifest in list_other_manifests(args.target) {
        if out.join(manifest).exists() {
            let out = display_path(out);
            return Err(Fault::Usage(format!(
                "{out} contains {manifest} of another agent's plugin; name another folder"
            )));
        }
    }
    let within = if args.target == Target::AgentPlugins { out.join("dev.hookbox") } else { out.to_owned() };
    let before = read_existing(&within)?;
    // hookbox's folder always has this file, even without plugins.
    check_foreign_files(out, within.join(HOOKS).exists(), hooks_of_agent(args.target))?;
    let plugins = merge_plugins(before.into_iter().chain(chosen).collect())?;
    // The folder's own plugins may have been revoked since they were exported.
    check_distributable(&plugins)?;
    let manifest = out.join(manifest_of(args.target));
    let existing = manifest_in(&manifest)?;
    let called = args
        .name
        .clone()
        .or(existing.as_ref().map(|existing| read_existing_name(&manifest, existing)).transpose()?);
    let title = (args.target, Title::from_plugins(&plugins, called)?);
    let (title, files) = files_in(out, &existing.unwrap_or_default(), title, &plugins)?;
    write_files(out, &files)?;
    print_export(&title, &plugins, printer);
    printer.print_row("folder", &display_path(out));
    Ok(())
}

/// Reads the existing manifest, if there is one. Invalid JSON counts as `null`.
fn manifest_in(file: &Path) -> Result<Option<Value>, Fault> {
    let bytes = if_there(file, MAX_MANIFEST)?;
    Ok(bytes.map(|bytes| serde_json::from_slice(&bytes).unwrap_or_default()))
}

/// Returns the name that the agent already uses: a changed name would be another plugin to it.
fn read_existing_name(file: &Path, manifest: &Value) -> Result<String, Fault> {
    let name = manifest.get("name").and_then(Value::as_str).map(str::to_owned);
    name.ok_or_else(|| Fault::Failed(format!("{} has no name; name another folder", display_path(file))))
}

/// Exports into hookbox's own folder, which then has the named plugins and nothing else.
fn export_own_folder(args: &ExportArgs, chosen: &[ExportedPlugin], printer: &Printer) -> Result<(), Fault> {
    if args.target == Target::Archive {
        return Err(Fault::Usage("--print-dir is not supported for an archive; add --out".to_owned()));
    }
    let own = environment::find_user_places().exported();
    let own = own.ok_or_else(|| Fault::Failed("the home folder is unknown; set HOME".to_owned()))?;
    let title = Title::from_plugins(chosen, args.name.clone())?;
    let folder = own.join(args.target.name()).join(&title.name);
    let existing = manifest_in(&folder.join(manifest_of(args.target)))?.unwrap_or_default();
    let (_, files) = files_in(&folder, &existing, (args.target, title), chosen)?;
    write_files(&folder, &files)?;
    keep_only(&folder, &files)?;
    // The agent reads this line, so the path is printed unchanged.
    printer.print_line(&folder.display().to_string());
    Ok(())
}

/// Exports one file, which is reproducible for equal plugins.
fn export_archive(
    args: &ExportArgs,
    chosen: &[ExportedPlugin],
    out: &Path,
    printer: &Printer,
) -> Result<(), Fault> {
    let title = Title::from_plugins(chosen, args.name.clone())?;
    let zip = zip_files(&build_files(args.target, &title, chosen)?)?;
    let digest = Sha256Digest::of_content(&zip);
    let name = format!("{}-{}.zip", title.name, title.version);
    let file: PathBuf = out.join(&name);
    fs::create_dir_all(out)
        .map_err(|error| Fault::Failed(format!("{} cannot be created: {error}", display_path(out))))?;
    write_file(&file, &zip)?;
    write_file(&out.join(format!("{name}.sha256")), format!("{}  {name}\n", digest.as_str()).as_bytes())?;
    print_export(&title, chosen, printer);
    printer.print_row("file", &display_path(&file));
    printer.print_row("sha256", digest.as_str());
    let source =
        json!({ "source": "archive", "url": format!("https://…/{name}"), "sha256": digest.as_str() });
    let entry = json!({ "name": title.name, "source": source });
    printer.print_row("entry", &format!("{entry}, in a marketplace.json of Claude Code"));
    Ok(())
}

fn zip_files(files: &[BundleFile]) -> Result<Vec<u8>, Fault> {
    let failed = |why: String| Fault::Failed(format!("the archive cannot be created: {why}"));
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for made in files {
        // Nothing that differs between machines or versions of a library, so that equal plugins make an equal file.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(DateTime::default())
            .unix_permissions(made.mode());
        zip.start_file(made.path.as_str(), options).map_err(|error| failed(error.to_string()))?;
        zip.write_all(&made.bytes).map_err(|error| failed(error.to_string()))?;
    }
    let zipped = zip.finish().map_err(|error| failed(error.to_string()))?;
    Ok(zipped.into_inner())
}

fn print_export(title: &Title, plugins: &[ExportedPlugin], printer: &Printer) {
    printer.print_row("exported", &format!("{} {}", title.name, title.version));
    for plugin in plugins {
        printer.print_row("plugin", &to_plain_line(&plugin.plugin.called()));
    }
}
