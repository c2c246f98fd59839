//! What registries send and folders hold: lists, manifests, and how they are named.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use hookbox_registry::{
    Digest, Found, Package, Pick, Reference, Release, Signed,
    layout::{self, Layout},
};
use tempfile::TempDir;

/// What the folder has besides: the smallest component.
const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

/// The bytes are a reference, the list of a layout, or a manifest in one.
pub fn run(data: &[u8]) {
    // One for all inputs: to make a folder takes longer than all the rest.
    static FOLDER: OnceLock<Option<TempDir>> = OnceLock::new();
    if let Some(reference) = str::from_utf8(data).ok().and_then(|text| Reference::parse(text).ok()) {
        assert_eq!(Reference::parse(&reference.to_string()).as_ref(), Ok(&reference));
    }
    let Some(folder) = FOLDER.get_or_init(folder).as_ref().map(TempDir::path) else { return };
    write(folder, Path::new("index.json"), data);
    look(folder, &Pick::Newest);
    let digest = Digest::of_content(data);
    let blob = Path::new("blobs/sha256").join(digest.digits());
    write(folder, &blob, data);
    for kind in ["manifest", "index"] {
        let list = format!(
            r#"{{"schemaVersion":2,"manifests":[{{"mediaType":"application/vnd.oci.image.{kind}.v1+json","digest":"{digest}","size":{}}}]}}"#,
            data.len()
        );
        write(folder, Path::new("index.json"), list.as_bytes());
        look(folder, &Pick::Digest(digest.clone()));
    }
    assert!(fs::remove_file(folder.join(blob)).is_ok());
}

/// A layout with one plugin, in memory where there is such a place: a disk is slower than what is looked at.
fn folder() -> Option<TempDir> {
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).ok()?;
    for (name, content) in content() {
        write(folder.path(), &name, &content);
    }
    Some(folder)
}

/// Whatever is found is what its digest says.
fn look(folder: &Path, pick: &Pick) {
    match Layout::open(folder).and_then(|layout| layout.pull(pick)) {
        Ok(Found::Plugin(pulled)) => assert_eq!(pulled.digest, Digest::of_content(&pulled.component)),
        Ok(Found::Pack(listed)) => assert!(listed.len() <= 256, "{}", listed.len()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// The files of a layout with one plugin.
fn content() -> Vec<(PathBuf, Vec<u8>)> {
    let release = Release {
        component: COMPONENT.into(),
        name: "acme/guard".to_owned(),
        version: "1.2.0".to_owned(),
        annotations: BTreeMap::new(),
        signed: Signed { statement: Some(b"{}".to_vec()), signatures: Vec::new() },
    };
    let version = "1.2.0".parse().ok();
    let package = Package::new(&[release]).ok();
    let files = package
        .zip(version)
        .and_then(|(package, version)| layout::build_files(None, &package, &version, false).ok());
    files.unwrap_or_default().into_iter().map(|(name, content)| (name, content.to_vec())).collect()
}

fn write(folder: &Path, name: &Path, content: &[u8]) {
    let file = folder.join(name);
    let written = file.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&file, content));
    assert!(written.is_ok(), "{}: {written:?}", file.display());
}
