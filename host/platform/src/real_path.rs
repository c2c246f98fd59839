//! Resolution of paths: links, and the identities of files and folders on the way.

use std::{
    collections::VecDeque,
    ffi::OsString,
    io,
    path::{Component, Path, PathBuf},
};

/// Most links that are followed in one path.
const MOST_LINKS: usize = 40;

/// Identity of a file or folder, independent of its names: the number of its file system, and its inode.
pub type Object = (u64, u64);

/// The resolution of an absolute path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RealPath {
    /// The target: without links where files exist, and unchanged after that.
    pub path: PathBuf,
    /// Identities of the existing files and folders on the way without links, the last of them last. Empty where the system has no
    /// identities.
    pub objects: Vec<Object>,
    /// True if all of the path exists.
    pub is_there: bool,
    /// Number of names (hard links) of an existing plain file at its end: with more than one it can be written by another.
    pub names: u64,
    /// The links on the way, each as a name in its real folder.
    pub links: Vec<PathBuf>,
    /// Its last name in its real folder: the path that is removed or replaced where a link is not followed.
    pub own_name: PathBuf,
}

impl RealPath {
    /// Resolves a path. A part that cannot be read counts as missing.
    pub fn resolve_path(path: &Path) -> Self {
        let mut way = Self { path: PathBuf::from("/"), is_there: true, names: 1, ..Self::default() };
        let mut left = names_of(path);
        // Remaining components of the original path, which end with its own name.
        let mut written = left.len();
        while let Some(name) = left.pop_front() {
            let is_own = left.len() < written;
            written = written.min(left.len());
            // After the links before it are resolved, as the kernel does: `link/..` is the parent of the link's target.
            if name == ".." {
                way.path.pop();
                // The root is not in the list.
                way.objects.truncate(way.path.iter().count().saturating_sub(1));
                continue;
            }
            way.path.push(&name);
            if is_own {
                way.own_name.clone_from(&way.path);
            }
            if way.is_there {
                way.resolve_next(&mut left);
            }
        }
        way
    }

    /// Looks up the next component, and puts the target of a link before the remaining components.
    fn resolve_next(&mut self, left: &mut VecDeque<OsString>) {
        match look_up(&self.path) {
            // Linux follows 40 links at most and then fails with ELOOP; a cycle ends here in the same way.
            Ok(Found::Link(target)) if self.links.len() < MOST_LINKS => {
                self.links.push(self.path.clone());
                if target.is_absolute() {
                    (self.path, self.objects) = (PathBuf::from("/"), Vec::new());
                } else {
                    self.path.pop();
                }
                for name in names_of(&target).into_iter().rev() {
                    left.push_front(name);
                }
            }
            Ok(Found::Object { object, names }) => {
                self.objects.extend(object);
                self.names = names;
            }
            Ok(Found::Link(_)) | Err(_) => (self.is_there, self.names) = (false, 1),
        }
    }
}

fn names_of(path: &Path) -> VecDeque<OsString> {
    let name = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some(OsString::from("..")),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    };
    path.components().filter_map(name).collect()
}

/// The file at a path, links not followed.
enum Found {
    Link(PathBuf),
    Object { object: Option<Object>, names: u64 },
}

#[cfg(on_unix)]
fn look_up(path: &Path) -> io::Result<Found> {
    use rustix::fs::FileType;

    let stat = rustix::fs::lstat(path)?;
    let kind = FileType::from_raw_mode(stat.st_mode);
    if kind == FileType::Symlink {
        return Ok(Found::Link(std::fs::read_link(path)?));
    }
    let names = if kind == FileType::RegularFile { widen_number(stat.st_nlink) } else { 1 };
    Ok(Found::Object { object: Some((widen_number(stat.st_dev), widen_number(stat.st_ino))), names })
}

/// The types of these fields differ from platform to platform.
#[cfg(on_unix)]
fn widen_number<T: TryInto<u64>>(value: T) -> u64 {
    value.try_into().unwrap_or(u64::MAX)
}

#[cfg(not(on_unix))]
fn look_up(path: &Path) -> io::Result<Found> {
    if std::fs::symlink_metadata(path)?.is_symlink() {
        return Ok(Found::Link(std::fs::read_link(path)?));
    }
    Ok(Found::Object { object: None, names: 1 })
}

#[cfg(on_unix)]
#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn a_path_is_resolved_up_to_its_last_existing_part() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(root.join("a/file"), "").unwrap();
        symlink("a/b", root.join("relative")).unwrap();
        symlink(root.join("a"), root.join("absolute")).unwrap();
        symlink("absolute/new", root.join("to-nothing")).unwrap();
        symlink("round", root.join("round")).unwrap();
        for (path, leads, is_there) in [
            ("a/file", "a/file", true),
            ("absolute/file", "a/file", true),
            ("relative/../file", "a/file", true),
            ("relative/x/y", "a/b/x/y", false),
            ("to-nothing", "a/new", false),
            ("x/../a", "a", false),
            ("round", "round", false),
        ] {
            let way = RealPath::resolve_path(&root.join(path));
            assert_eq!((way.path, way.is_there), (root.join(leads), is_there), "{path}");
        }
    }

    #[test]
    fn the_links_of_a_path_and_the_other_names_of_its_file_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir(root.join("a")).unwrap();
        fs::write(root.join("a/file"), "").unwrap();
        fs::hard_link(root.join("a/file"), root.join("other")).unwrap();
        symlink("a", root.join("link")).unwrap();
        symlink("link/file", root.join("end")).unwrap();

        let end = RealPath::resolve_path(&root.join("end"));
        assert_eq!(end.links, [root.join("end"), root.join("link")]);
        assert_eq!(end.own_name, root.join("end"));
        assert_eq!((end.is_there, end.names), (true, 2));
        assert_eq!(end.objects.last(), RealPath::resolve_path(&root.join("other")).objects.last());
        assert_eq!(RealPath::resolve_path(&root.join("link/file")).own_name, root.join("a/file"));
    }
}
