//! Turns the output of a language's tools into a plugin: a component or a program, with its manifest, checked against it.

use std::path::{Path, PathBuf};

use hookbox::{
    Sha256Digest,
    atomic_file::{self, Access},
    model::{Manifest, RequestedHttp},
    sandbox::{
        compile::Compiler,
        component_file::MAX_COMPONENT_BYTES,
        inspect::{Anatomy, Import, Inspection, Kind, inspect_component_file, inspect_file},
    },
};
use hookbox_component::{embed_world, encode_module};
use hookbox_manifest::{
    section,
    sections::{self, CUSTOM, Sections},
};
use hookbox_platform::folder::Folder;

use crate::{call, environment, languages, printer::to_plain_line, project::Project};

/// Folder of the contract in a project, for languages whose modules do not carry it.
const WIT: &str = "hookbox/wit";

/// Name of the world in the contract.
const WORLD: &str = "hook";

/// Name of a module's section with its world.
const CARRIED: &[u8] = b"component-type";

/// Interfaces without which a capability is of no use; programs use others, and are not checked.
const USED_BY: [(&str, &[&str]); 2] =
    [("http", &["hookbox:hook/http@", "wasi:http/"]), ("kv", &["hookbox:hook/kv@"])];

pub(crate) struct AcceptedPlugin {
    pub(crate) bytes: Vec<u8>,
    pub(crate) anatomy: Anatomy,
    pub(crate) manifest: Manifest,
    pub(crate) sha256: String,
    /// Likely mistakes.
    pub(crate) doubts: Vec<String>,
}

/// Makes the plugin from these bytes of wasm, in the folder `work`.
pub(crate) fn finish_plugin(
    project: &Project,
    wasm: Vec<u8>,
    work: &Path,
    compiler: &Compiler,
) -> Result<AcceptedPlugin, String> {
    let file = work.join(project.file_name());
    let anatomy = read_anatomy(&wasm, &file, compiler)?;
    // Several compilers can make core modules only.
    let (wasm, anatomy) = if anatomy.kind == Kind::CoreModule {
        let component = encode_component(&wasm, &project.folder)?;
        let anatomy = self::read_anatomy(&component, &file, compiler)?;
        (component, anatomy)
    } else {
        (wasm, anatomy)
    };
    if !anatomy.kind.is_plugin() {
        return Err(format!("the build output is {}; a hook exports `handle`", anatomy.kind.about()));
    }
    let json = project.encode_section(anatomy.world().as_deref())?;
    let bytes = section::put_section(&wasm, &json)
        .map_err(|_| "the build output is damaged: its sections do not add up")?;
    if bytes.len() as u64 > MAX_COMPONENT_BYTES {
        return Err(format!(
            "the plugin is {} bytes long; the maximum is {MAX_COMPONENT_BYTES}",
            bytes.len()
        ));
    }
    write_file(&file, &bytes)?;
    // Read from a file, as a host reads it.
    let inspected = call::block_on(inspect_file(&file, compiler, None))?;
    let inspection = inspected.map_err(|failure| without_work(&failure.message, &file))?;
    check_plugin(project, inspection, bytes).map_err(|why| without_work(&why, &file))
}

/// Returns the plugin, or the first problem with it.
fn check_plugin(project: &Project, inspection: Inspection, bytes: Vec<u8>) -> Result<AcceptedPlugin, String> {
    if let Some(problem) = inspection.list_problems(&project.component()).into_iter().next() {
        return Err(problem.message);
    }
    if let Some(mismatch) = inspection.mismatch() {
        let world = inspection.anatomy.as_ref().ok().and_then(Anatomy::world);
        let right = world.map_or_else(
            || "remove `world` from plugin.toml".to_owned(),
            |world| format!("write world = \"{world}\" into plugin.toml, or remove `world`"),
        );
        return Err(format!("{mismatch}; {right}"));
    }
    let (Ok(anatomy), Ok(Some(manifest))) = (inspection.anatomy, inspection.manifest) else {
        return Err("a manifest cannot be added to the plugin".to_owned());
    };
    let asks_for_http = manifest.asks.http != RequestedHttp::default();
    let sends = anatomy.meanings().find(|(_, import)| *import == Import::Http);
    if let (Some((name, _)), false) = (sends, asks_for_http) {
        return Err(format!(
            "the plugin imports {}, and plugin.toml does not request it; write below [capabilities]: \
             http = [\"https://api.example.com/\"]",
            to_plain_line(name)
        ));
    }
    let mut doubts = collect_warnings(&anatomy, &manifest);
    doubts.extend(find_folder_trace(&bytes, &[Some(project.folder.clone()), cargo_home(project)]));
    let sha256 = Sha256Digest::of_content(&bytes).as_str().to_owned();
    Ok(AcceptedPlugin { bytes, anatomy, manifest, sha256, doubts })
}

/// Returns a warning for each requested capability that cannot be used.
fn collect_warnings(anatomy: &Anatomy, manifest: &Manifest) -> Vec<String> {
    let asks = manifest.asks.names();
    let is_asked = |name: &str| asks.iter().any(|asked| asked.split(' ').next() == Some(name));
    let is_used = |interfaces: &[&str]| {
        anatomy.imports.iter().any(|import| interfaces.iter().any(|name| import.starts_with(name)))
    };
    let idle = |(name, interfaces): &(&str, &[&str])| {
        (is_asked(name) && !is_used(interfaces))
            .then(|| format!("plugin.toml requests `{name}`, which the plugin does not use; remove it"))
    };
    if anatomy.kind == Kind::Hook { USED_BY.iter().filter_map(idle).collect() } else { Vec::new() }
}

/// Returns cargo's home for a plugin that cargo builds. Paths in other tools' output come from builds elsewhere, maybe in a
/// folder of this name.
fn cargo_home(project: &Project) -> Option<PathBuf> {
    let language = project.build.as_ref().and_then(languages::find_language_of);
    let is_by_cargo = language.is_some_and(|(build, _)| build.language == "rust");
    environment::cargo_home().filter(|_| is_by_cargo)
}

/// Returns a warning if the plugin contains a folder of this machine: it would be different on each, and identify its builder.
fn find_folder_trace(bytes: &[u8], folders: &[Option<PathBuf>]) -> Option<String> {
    let is_in = |folder: &&Path| {
        let name = folder.as_os_str().as_encoded_bytes();
        // A plugin may well be about `/` or `/src`.
        folder.components().count() > 2 && bytes.windows(name.len()).any(|window| window == name)
    };
    let found = folders.iter().flatten().map(|folder| folder.components().as_path()).find(is_in)?;
    let shown = to_plain_line(&found.display().to_string());
    Some(format!(
        "the plugin contains the path {shown} of this machine, so the build is not reproducible elsewhere"
    ))
}

fn read_anatomy(wasm: &[u8], file: &Path, compiler: &Compiler) -> Result<Anatomy, String> {
    write_file(file, wasm)?;
    let taken = call::block_on(inspect_component_file(file, compiler))?;
    taken.map(|(_, anatomy)| anatomy).map_err(|failure| without_work(&failure.message, file))
}

/// Replaces the path of the temporary file in a message by that of the final one.
pub(crate) fn without_work(message: &str, file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    message.replace(&file.display().to_string(), &format!("build/{name}"))
}

/// Makes the component of a core module, with the world that the module carries or that of its project.
fn encode_component(module: &[u8], folder: &Path) -> Result<Vec<u8>, String> {
    let unfit = |error| format!("the build output cannot be converted to a hook: {error}");
    let wit = folder.join(WIT);
    if carries_world(module) {
        return encode_module(module).map_err(unfit);
    }
    if !wit.is_dir() {
        return Err(format!(
            "the build output is a core module without a world, and the project has none in {WIT}\n\
             help: hookbox plugin wit --out {WIT} && hookbox plugin build"
        ));
    }
    embed_world(module, &wit, WORLD).and_then(|module| encode_module(&module)).map_err(unfit)
}

/// Returns true if the module has its world in a custom section.
pub(crate) fn carries_world(module: &[u8]) -> bool {
    let Ok(sections) = Sections::of_file(module) else { return false };
    let custom = sections.flatten().filter(|(number, _)| *number == CUSTOM);
    custom
        .filter_map(|(_, content)| sections::split_custom(content))
        .any(|(name, _)| name.starts_with(CARRIED))
}

/// Writes a file of the build, whole or not at all.
pub(crate) fn write_file(file: &Path, bytes: &[u8]) -> Result<(), String> {
    let (folder, name) = (file.parent(), file.file_name().and_then(|name| name.to_str()));
    let written = folder.zip(name).ok_or_else(|| std::io::ErrorKind::InvalidFilename.into());
    let written = written.and_then(|(folder, name)| {
        atomic_file::replace_or_create(&Folder::open(folder)?, name, Access::New(0o666), bytes)
    });
    written.map_err(|error| format!("{} cannot be written: {error}", file.display()))
}
