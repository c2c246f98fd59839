//! The files of a release, and the list of their digests.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest as _, Sha256};

/// List of digests, in the format of `sha256sum`.
const SUMS: &str = "SHA256SUMS";

/// One file of a release.
#[derive(Debug)]
pub(crate) struct Artifact {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// Writes the artifacts and the list of their digests into the folder, and removes the folder's previous content.
pub(crate) fn write_artifacts(folder: &Path, mut artifacts: Vec<Artifact>) -> Result<()> {
    artifacts.sort_by(|one, other| one.name.cmp(&other.name));
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let sums = Artifact { name: SUMS.to_owned(), bytes: format_sums(&artifacts).into_bytes() };
    for Artifact { name, bytes } in artifacts.iter().chain([&sums]) {
        let file = folder.join(name);
        fs::write(&file, bytes).with_context(|| format!("cannot write {}", file.display()))?;
        println!("{:>10} bytes  {name}", bytes.len());
    }
    println!("{} artifacts: {}", artifacts.len() + 1, folder.display());
    Ok(())
}

/// Returns a line for each artifact: digest and name.
fn format_sums(artifacts: &[Artifact]) -> String {
    artifacts.iter().fold(String::new(), |lines, Artifact { name, bytes }| {
        format!("{lines}{}  {name}\n", hash_bytes(bytes))
    })
}

/// Returns the SHA-256 of bytes, in hexadecimal.
pub(crate) fn hash_bytes(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_digests_is_that_of_sha256sum() {
        let artifact = |name: &str, text: &str| Artifact { name: name.to_owned(), bytes: text.into() };
        assert_eq!(
            format_sums(&[artifact("a", ""), artifact("b c", "abc")]),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n\
             ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b c\n"
        );
    }
}
