//! The wheel `hookbox-cli`: pip puts the programs into the environment's `bin`, and the other files into its `share`.

use std::io::{Cursor, Write as _};

use anyhow::{Context as _, Result};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions};

use crate::artifacts::Artifact;
use crate::content::Content;
use crate::release::Release;
use crate::tree::{DATA, Tree};

/// The name of the package in the names of files.
const NAME: &str = "hookbox_cli";
/// Smallest files for most time: users download them.
const LEVEL: i64 = 9;

/// Packs `hookbox_cli-VERSION-py3-none-PLATFORM.whl`.
pub(crate) fn pack_wheel(release: &Release, content: &Content) -> Result<Vec<Artifact>> {
    let tree = collect_files(release, content);
    let name = format!("{NAME}-{}-{}.whl", release.version, format_tag(release));
    Ok(vec![Artifact { name, bytes: pack_zip(&tree)? }])
}

fn format_tag(release: &Release) -> String {
    format!("py3-none-{}", release.platform.wheel)
}

fn collect_files(release: &Release, content: &Content) -> Tree {
    let base = format!("{NAME}-{}", release.version);
    let mut tree = Tree::default();
    for (path, file) in content.installed.list_files() {
        let place = match path.strip_prefix("bin/") {
            Some(program) => format!("{base}.data/scripts/{program}"),
            None => format!("{base}.data/data/{path}"),
        };
        tree.add_file(place, file.bytes.clone(), file.mode);
    }
    for (path, file) in content.notices.list_files().filter(|(path, _)| *path != "README.md") {
        tree.add_file(format!("{base}.dist-info/licenses/{path}"), file.bytes.clone(), DATA);
    }
    tree.add_file(format!("{base}.dist-info/METADATA"), format_metadata(release, content).into_bytes(), DATA);
    let wheel = format!(
        "Wheel-Version: 1.0\nGenerator: xtask-dist\nRoot-Is-Purelib: false\nTag: {}\n",
        format_tag(release)
    );
    tree.add_file(format!("{base}.dist-info/WHEEL"), wheel.into_bytes(), DATA);
    let record = format!("{base}.dist-info/RECORD");
    tree.add_file(record.as_str(), format_record(&tree, &record).into_bytes(), DATA);
    tree
}

fn format_metadata(release: &Release, content: &Content) -> String {
    let readme = content.notices.list_files().find(|(path, _)| *path == "README.md");
    let readme =
        readme.map(|(_, file)| String::from_utf8_lossy(&file.bytes).into_owned()).unwrap_or_default();
    format!(
        "Metadata-Version: 2.4\n\
         Name: hookbox-cli\n\
         Version: {}\n\
         Summary: One hook host for every coding agent.\n\
         License-Expression: Apache-2.0\n\
         License-File: LICENSE\n\
         License-File: LICENSES.txt\n\
         Requires-Python: >=3.8\n\
         Description-Content-Type: text/markdown\n\
         \n\
         {readme}",
        release.version
    )
}

/// Returns a line for each file: path, digest and length. The list itself has neither digest nor length.
fn format_record(tree: &Tree, record: &str) -> String {
    let rows = tree.list_files().fold(String::new(), |rows, (path, file)| {
        let digest = URL_SAFE_NO_PAD.encode(Sha256::digest(&file.bytes));
        format!("{rows}{path},sha256={digest},{}\n", file.bytes.len())
    });
    format!("{rows}{record},,\n")
}

fn pack_zip(tree: &Tree) -> Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, file) in tree.list_files() {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(LEVEL))
            .last_modified_time(DateTime::default())
            .unix_permissions(file.mode);
        zip.start_file(path, options).with_context(|| format!("cannot pack {path}"))?;
        zip.write_all(&file.bytes).with_context(|| format!("cannot pack {path}"))?;
    }
    Ok(zip.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use zip::ZipArchive;

    use super::*;

    #[test]
    fn programs_are_scripts_and_each_file_is_recorded() {
        let (release, content) = (Release::create_sample(), Content::create_sample());
        let mut artifacts = pack_wheel(&release, &content).unwrap().into_iter();
        let wheel = artifacts.next().unwrap();
        assert_eq!(wheel.name, "hookbox_cli-1.2.3-py3-none-manylinux_2_17_x86_64.whl");
        let mut zip = ZipArchive::new(Cursor::new(wheel.bytes)).unwrap();
        let mut rows = Vec::new();
        for at in 0..zip.len() {
            let file = zip.by_index(at).unwrap();
            rows.push(format!("{:o} {}", file.unix_mode().unwrap(), file.name().unwrap()));
        }
        assert_eq!(
            rows,
            [
                "100644 hookbox_cli-1.2.3.data/data/share/hookbox/plugins/guard.wasm",
                "100644 hookbox_cli-1.2.3.data/data/share/man/man1/hookbox.1",
                "100644 hookbox_cli-1.2.3.data/data/share/zsh/site-functions/_hookbox",
                "100755 hookbox_cli-1.2.3.data/scripts/hookbox",
                "100644 hookbox_cli-1.2.3.dist-info/METADATA",
                "100644 hookbox_cli-1.2.3.dist-info/RECORD",
                "100644 hookbox_cli-1.2.3.dist-info/WHEEL",
                "100644 hookbox_cli-1.2.3.dist-info/licenses/LICENSE",
                "100644 hookbox_cli-1.2.3.dist-info/licenses/LICENSES.txt",
            ]
        );
        let mut record = String::new();
        let mut file = zip.by_name("hookbox_cli-1.2.3.dist-info/RECORD").unwrap();
        file.read_to_string(&mut record).unwrap();
        assert_eq!(record.lines().count(), rows.len());
        assert_eq!(record.lines().last(), Some("hookbox_cli-1.2.3.dist-info/RECORD,,"));
    }

    #[test]
    fn a_recorded_file_has_its_digest_and_its_length() {
        let mut tree = Tree::default();
        tree.add_file("a", *b"abc", DATA);
        assert_eq!(
            format_record(&tree, "RECORD"),
            "a,sha256=ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0,3\nRECORD,,\n"
        );
    }

    #[test]
    fn a_wheel_has_the_same_bytes_again() {
        let pack = || pack_wheel(&Release::create_sample(), &Content::create_sample()).unwrap();
        let bytes = || pack().into_iter().map(|wheel| wheel.bytes).collect::<Vec<_>>();
        assert_eq!(bytes(), bytes());
    }
}
