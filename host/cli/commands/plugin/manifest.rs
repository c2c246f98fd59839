//! `hookbox plugin manifest`: writes `plugin.toml` into the plugin's file. A manifest that hookbox would reject is not written.

use std::{
    ffi::OsStr,
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use hookbox::{
    Sha256Digest,
    atomic_file::{self, Access},
    hookfile::Problem,
    model::{MAX_MANIFEST_BYTES, Manifest},
    sandbox::{
        compile::Compiler,
        component_file::MAX_COMPONENT_BYTES,
        inspect::{Anatomy, Kind, identify_file, inspect_component_file},
        manifest::of_plugin,
        script::Language,
    },
};
use hookbox_manifest::{
    plugin_toml::{self, PluginToml},
    section,
};
use hookbox_platform::{
    file::{self, FileKind, FileStatus},
    folder::Folder,
};

use crate::{
    args::ManifestArgs,
    commands::block_on,
    diagnostic, environment,
    exit::ExitStatus,
    printer::{Printer, WARNING},
    report::sanitize_line,
};

/// Mode of a new file; the process's mask applies.
const NEW_FILE: u32 = 0o666;

enum ManifestFailure {
    /// A sentence.
    Because(String),
    /// Problems at lines of `plugin.toml`.
    Lines(Vec<Problem>),
}

impl From<String> for ManifestFailure {
    fn from(why: String) -> Self {
        Self::Because(why)
    }
}

/// A plugin with its manifest, not yet written.
struct ManifestedPlugin {
    bytes: Vec<u8>,
    manifest: Manifest,
    /// Manifest of the file before.
    before: Option<Manifest>,
    unchanged: bool,
    doubt: Option<String>,
}

pub(super) fn embed_manifest(args: &ManifestArgs, printer: &Printer) -> ExitStatus {
    match build_output(args)
        .and_then(|made| write_output(args, &made, printer).map_err(ManifestFailure::from))
    {
        Ok(()) => return ExitStatus::Success,
        Err(ManifestFailure::Because(why)) => printer.print_error(&why),
        Err(ManifestFailure::Lines(problems)) => diagnostic::print_problems(&problems, printer),
    }
    ExitStatus::Problems
}

fn build_output(args: &ManifestArgs) -> Result<ManifestedPlugin, ManifestFailure> {
    if let Some(language) = Language::from_path(&args.file) {
        let (file, language) = (format_path(&args.file), language.name());
        return Err(format!(
            "{file} is a script in {language}, and a script has no manifest: it has the granted capabilities"
        )
        .into());
    }
    let toml = read_manifest(&args.manifest)?;
    let compiler = environment::find_compiler().map_or(Compiler::None, Compiler::Process);
    let taken = block_on(true, inspect_component_file(&args.file, &compiler))?;
    let (plugin, anatomy) = taken.map_err(|failure| failure.message)?;
    check_kind(&args.file, &anatomy)?;
    let read = plugin_toml::parse_file(&args.manifest, toml, anatomy.world().as_deref());
    let PluginToml { json, .. } = read.map_err(ManifestFailure::Lines)?;
    let damaged =
        |_| format!("{} is cut off or damaged: its sections do not add up", format_path(&args.file));
    let bytes = section::put_section(&plugin, &json).map_err(damaged)?;
    if bytes.len() as u64 > MAX_COMPONENT_BYTES {
        let (file, length) = (format_path(&args.file), bytes.len());
        return Err(format!(
            "with its manifest {file} is {length} bytes long; the most is {MAX_COMPONENT_BYTES}"
        )
        .into());
    }
    // Read as the host does: it also checks the required version of hookbox, and nested components.
    let manifest = of_plugin(&args.file, &bytes).map_err(|failure| failure.message)?;
    let manifest = manifest.ok_or_else(|| format!("{} takes no manifest", format_path(&args.file)))?;
    Ok(ManifestedPlugin {
        before: of_plugin(&args.file, &plugin).ok().flatten(),
        unchanged: bytes == plugin,
        doubt: manifest.world.as_deref().and_then(|world| anatomy.find_mismatch(world)),
        bytes,
        manifest,
    })
}

/// Reads the file up to one byte more than the maximum, which reveals that it is too long.
fn read_manifest(path: &Path) -> Result<Vec<u8>, String> {
    let most = MAX_MANIFEST_BYTES as u64 + 1;
    let bytes = file::open(path).and_then(|file| {
        if FileStatus::of_file(&file)?.kind != FileKind::Plain {
            return Err(io::Error::other("it is not a plain file"));
        }
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes).map(|_| bytes)
    });
    bytes.map_err(|error| format!("cannot read {}: {error}", format_path(path)))
}

fn check_kind(path: &Path, anatomy: &Anatomy) -> Result<(), String> {
    if anatomy.kind.is_plugin() {
        return Ok(());
    }
    let (path, about) = (format_path(path), anatomy.kind.about());
    let help = match anatomy.kind {
        Kind::CoreModule => {
            format!("; make a component of it first: wasm-tools component new {path} -o component.wasm")
        }
        _ => "; build it for hookbox's world (see `hookbox plugin inspect`)".to_owned(),
    };
    Err(format!("{path} is {about}{help}"))
}

fn write_output(args: &ManifestArgs, made: &ManifestedPlugin, printer: &Printer) -> Result<(), String> {
    let to = args.output.as_deref().unwrap_or(&args.file);
    // A named output is written in any case.
    let changed = !(made.unchanged && args.output.is_none());
    if changed {
        replace_file(to, args.output.is_none(), &made.bytes)?;
    }
    let what = if changed { "wrote" } else { "unchanged" };
    print_row(printer, what, &format!("{} ({} bytes)", to.display(), made.bytes.len()));
    print_row(printer, "manifest", &describe_manifest(&made.manifest));
    if let Some(before) = made.before.as_ref().filter(|_| changed) {
        print_row(printer, "before", &describe_manifest(before));
    }
    print_row(printer, "sha256", Sha256Digest::of_content(&made.bytes).as_str());
    if let Some(doubt) = &made.doubt {
        printer.print_line(&format!("{WARNING}warning{WARNING:#}   {}", sanitize_line(doubt)));
    }
    Ok(())
}

fn describe_manifest(manifest: &Manifest) -> String {
    format!("{} {}, release {}", manifest.name, manifest.version, manifest.seq)
}

fn print_row(printer: &Printer, key: &str, value: &str) {
    printer.print_line(&format!("{key:<10}{}", sanitize_line(value)));
}

/// Writes the output. An existing file other than the plugin itself is replaced only if it is wasm: the order of two names is
/// easily confused.
fn replace_file(path: &Path, in_place: bool, bytes: &[u8]) -> Result<(), String> {
    let unwritten = |error: io::Error| format!("{} cannot be written: {error}", format_path(path));
    let real = match path.canonicalize() {
        Ok(real) => real,
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(unwritten(error)),
    };
    if !in_place && file::is_there(&real) && identify_file(&real).is_err() {
        return Err(format!(
            "{} exists and is not a wasm file; name another file by --output",
            format_path(path)
        ));
    }
    let status = file::open(&real).and_then(|file| FileStatus::of_file(&file));
    // The bits that run a file as its owner do not carry over to a file with other content.
    let access = status.map_or(Access::New(NEW_FILE), |status| Access::Kept(status.mode & 0o777));
    write_file(&real, access, bytes).map_err(unwritten)
}

fn write_file(path: &Path, access: Access, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().and_then(OsStr::to_str).ok_or(io::ErrorKind::InvalidFilename)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.map_or_else(|| PathBuf::from("."), Path::to_owned);
    fs::create_dir_all(&folder)?;
    atomic_file::replace_or_create(&Folder::open(&folder)?, name, access, bytes)
}

fn format_path(path: &Path) -> String {
    sanitize_line(&path.display().to_string())
}
