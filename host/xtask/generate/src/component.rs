//! Conversion of core modules to components, on disk.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use hookbox_component::{HTTP, IMPORTS, encode_module, import_beyond};
use hookbox_manifest::section;
use hookbox_model::{Manifest, RequestedHttp};

/// Makes the validated component of one core module, with its manifest, and returns its size in bytes.
///
/// A file that already holds it is not touched, and a reader never sees half of one.
pub(crate) fn make_component(module: &Path, manifest: &[u8], component: &Path) -> Result<usize> {
    let core = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    let allowed = if asks_for_http(manifest)? { &HTTP[..] } else { &IMPORTS };
    let encoded = encode_module(&core).map_err(anyhow::Error::from);
    let mut bytes = encoded
        .and_then(|bytes| check_imports(&bytes, allowed).map(|()| bytes))
        .with_context(|| format!("{} makes no hook", module.display()))?;
    bytes = section::put_section(&bytes, manifest).map_err(|_| anyhow!("{} is damaged", module.display()))?;
    write_if_changed(component, &bytes)?;
    Ok(bytes.len())
}

/// Writes the file, and the folders above it, unless it holds these bytes already: dependants are then not rebuilt.
pub(crate) fn write_if_changed(file: &Path, bytes: &[u8]) -> Result<()> {
    if read_existing(file)?.as_deref() != Some(bytes) {
        file.parent().map_or(Ok(()), fs::create_dir_all)?;
        replace_file(file, bytes).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

fn asks_for_http(manifest: &[u8]) -> Result<bool> {
    let manifest = Manifest::parse(manifest).map_err(|error| anyhow!("{error}"))?;
    Ok(manifest.asks.http != RequestedHttp::default())
}

/// Checks that a shipped plugin imports only the host of hooks, and the capabilities that it declares.
fn check_imports(component: &[u8], allowed: &[&str]) -> Result<()> {
    if let Some(name) = import_beyond(component, allowed)? {
        bail!("it imports `{name}`, which its manifest does not ask for");
    }
    Ok(())
}

fn read_existing(file: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(file) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
    }
}

fn replace_file(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    // Concurrent builds must not write one temporary file.
    let new = file.with_extension(format!("wasm.{}", std::process::id()));
    fs::write(&new, bytes)?;
    fs::rename(&new, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty module.
    const EMPTY: &[u8] = b"\0asm\x01\0\0\0";

    /// A component with one import: the empty instance `wasi:http/types@0.2.12`.
    const SENDING: &str =
        r#"(component (type (instance)) (import "wasi:http/types@0.2.12" (instance (type 0))))"#;

    fn format_manifest(asks: &str) -> Vec<u8> {
        let text = r#"{"schema":1,"name":"a/b","version":"1.0.0","capabilities":{ASKS}}"#;
        text.replace("ASKS", asks).into_bytes()
    }

    #[test]
    fn http_is_imported_by_those_whose_manifest_asks_for_it_alone() {
        let component = wat::parse_str(SENDING).unwrap();
        assert!(check_imports(&component, &HTTP).is_ok());
        let error = check_imports(&component, &IMPORTS).unwrap_err().to_string();
        assert_eq!(error, "it imports `wasi:http/types@0.2.12`, which its manifest does not ask for");
        let asks = [r#""http":["*"]"#, r#""kv":["session"]"#]
            .map(|asks| asks_for_http(&format_manifest(asks)).unwrap());
        assert_eq!(asks, [true, false]);
    }

    #[test]
    fn an_unchanged_component_is_not_written_again() {
        let folder = std::env::temp_dir().join(format!("xtask-component-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (module, component) = (folder.join("a.module"), folder.join("a.wasm"));
        fs::write(&module, EMPTY).unwrap();
        let written = || {
            make_component(&module, &format_manifest(""), &component).unwrap();
            fs::metadata(&component).unwrap().modified().unwrap()
        };
        assert_eq!(written(), written());
        fs::remove_dir_all(&folder).unwrap();
    }
}
