//! A folder in memory: files by their paths, in order.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Mode of a program.
pub(crate) const PROGRAM: u32 = 0o755;
/// Mode of any other file.
pub(crate) const DATA: u32 = 0o644;

/// Content and mode of a file. Several archives have the same content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) bytes: Rc<[u8]>,
    pub(crate) mode: u32,
}

/// Files by their paths, which are relative and have `/` between their parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree(BTreeMap<String, File>);

impl Tree {
    /// Adds a file, or replaces it.
    pub(crate) fn add_file(&mut self, path: impl Into<String>, bytes: impl Into<Rc<[u8]>>, mode: u32) {
        self.0.insert(path.into(), File { bytes: bytes.into(), mode });
    }

    /// Adds the files of another tree below a folder.
    pub(crate) fn add_below(&mut self, folder: &str, other: &Self) {
        for (path, file) in &other.0 {
            self.0.insert(format!("{folder}/{path}"), file.clone());
        }
    }

    /// Returns the files, ordered by path.
    pub(crate) fn list_files(&self) -> impl Iterator<Item = (&str, &File)> {
        self.0.iter().map(|(path, file)| (path.as_str(), file))
    }

    /// Returns each folder that has a file or a folder, with `/` at the end.
    pub(crate) fn list_folders(&self) -> BTreeSet<String> {
        let mut folders = BTreeSet::new();
        for path in self.0.keys() {
            let ends = path.match_indices('/').map(|(at, _)| at + 1);
            folders.extend(ends.filter_map(|end| path.get(..end)).map(str::to_owned));
        }
        folders
    }

    /// Returns the number of bytes in all files.
    pub(crate) fn count_bytes(&self) -> usize {
        self.0.values().map(|file| file.bytes.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_folder_is_listed_once_and_before_its_content() {
        let mut tree = Tree::default();
        tree.add_file("share/man/b", *b"bb", DATA);
        tree.add_file("bin/a", *b"a", PROGRAM);
        tree.add_file("share/man/a", *b"c", DATA);
        assert_eq!(tree.list_folders().into_iter().collect::<Vec<_>>(), ["bin/", "share/", "share/man/"]);
        assert_eq!(tree.count_bytes(), 4);
        let mut outer = Tree::default();
        outer.add_below("usr", &tree);
        let paths: Vec<_> = outer.list_files().map(|(path, _)| path).collect();
        assert_eq!(paths, ["usr/bin/a", "usr/share/man/a", "usr/share/man/b"]);
    }
}
