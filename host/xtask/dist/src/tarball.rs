//! Archives of the formats tar and gzip with the same bytes on each machine: entries in order, one time, no owner, no names.

use std::collections::BTreeMap;
use std::io::Write as _;

use anyhow::{Context as _, Result};
use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};

use crate::tree::{File, PROGRAM, Tree};

/// Entries for folders.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Folders {
    /// Each folder has an entry.
    Listed,
    /// The unpacking program makes them.
    Implied,
}

/// Returns the archive of a tree.
pub(crate) fn pack_tree(tree: &Tree, time: u64, folders: Folders) -> Result<Vec<u8>> {
    let mut entries: BTreeMap<String, Option<&File>> =
        tree.list_files().map(|(path, file)| (path.to_owned(), Some(file))).collect();
    if folders == Folders::Listed {
        entries.extend(tree.list_folders().into_iter().map(|folder| (folder, None)));
    }
    let mut archive = Builder::new(Vec::new());
    for (path, file) in entries {
        let bytes: &[u8] = file.map_or(&[], |file| file.bytes.as_ref());
        let mut header = Header::new_gnu();
        header.set_entry_type(if file.is_some() { EntryType::Regular } else { EntryType::Directory });
        header.set_mode(file.map_or(PROGRAM, |file| file.mode));
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(time);
        header.set_size(u64::try_from(bytes.len())?);
        archive.append_data(&mut header, &path, bytes).with_context(|| format!("cannot pack {path}"))?;
    }
    Ok(archive.into_inner()?)
}

/// Compresses bytes; the header has neither a name nor a time.
pub(crate) fn compress_bytes(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzBuilder::new().write(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;
    use tar::Archive;

    use super::*;
    use crate::tree::DATA;

    /// Returns a line for each entry: type, mode, owner, group, time, path, content.
    fn list_entries(bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        let mut archive = Archive::new(bytes);
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut content = String::new();
            entry.read_to_string(&mut content).unwrap();
            let header = entry.header();
            lines.push(format!(
                "{:?} {:o} {} {} {} {} {content}",
                header.entry_type(),
                header.mode().unwrap(),
                header.uid().unwrap(),
                header.gid().unwrap(),
                header.mtime().unwrap(),
                entry.path().unwrap().display()
            ));
        }
        lines
    }

    #[test]
    fn entries_are_sorted_with_one_time_and_no_owner() {
        let mut tree = Tree::default();
        tree.add_file("x/share/b", *b"two", DATA);
        tree.add_file("x/bin/a", *b"one", PROGRAM);
        let packed = pack_tree(&tree, 1_700_000_000, Folders::Listed).unwrap();
        assert_eq!(
            list_entries(&packed),
            [
                "Directory 755 0 0 1700000000 x/ ",
                "Directory 755 0 0 1700000000 x/bin/ ",
                "Regular 755 0 0 1700000000 x/bin/a one",
                "Directory 755 0 0 1700000000 x/share/ ",
                "Regular 644 0 0 1700000000 x/share/b two",
            ]
        );
        let implied = pack_tree(&tree, 1, Folders::Implied).unwrap();
        assert_eq!(
            list_entries(&implied),
            ["Regular 755 0 0 1 x/bin/a one", "Regular 644 0 0 1 x/share/b two"]
        );
        assert_eq!(packed, pack_tree(&tree, 1_700_000_000, Folders::Listed).unwrap());
    }

    #[test]
    fn a_path_of_more_than_a_hundred_bytes_is_kept() {
        let (mut tree, path) = (Tree::default(), format!("{}/{}", "a".repeat(90), "b".repeat(90)));
        tree.add_file(path.as_str(), *b"x", DATA);
        let packed = pack_tree(&tree, 0, Folders::Implied).unwrap();
        assert_eq!(list_entries(&packed), [format!("Regular 644 0 0 0 {path} x")]);
    }

    #[test]
    fn a_path_that_leaves_the_archive_is_refused() {
        let mut tree = Tree::default();
        tree.add_file("../a", *b"x", DATA);
        let error = pack_tree(&tree, 0, Folders::Implied).unwrap_err();
        assert_eq!(error.to_string(), "cannot pack ../a");
    }

    #[test]
    fn compressed_bytes_have_no_name_and_no_time_and_come_back() {
        let packed = compress_bytes(b"text text text").unwrap();
        // Magic number, method, no flags, no time.
        assert!(packed.starts_with(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), "{packed:?}");
        let mut text = String::new();
        GzDecoder::new(packed.as_slice()).read_to_string(&mut text).unwrap();
        assert_eq!(text, "text text text");
    }
}
