//! The package for Debian: an archive of the format `ar` with a version, a description and the files.

use anyhow::Result;

use crate::artifacts::Artifact;
use crate::content::{Content, PAGE, ZSH};
use crate::release::Release;
use crate::tarball::{Folders, compress_bytes, pack_tree};
use crate::tree::{DATA, PROGRAM, Tree};

/// Reports, when the package is removed, the step that each user has to do.
const BEFORE_REMOVAL: &str = include_str!("../files/prerm.sh");
/// Folder of the completions for zsh that packages of Debian bring.
const DEBIAN_ZSH: &str = "share/zsh/vendor-completions/_hookbox";

/// Packs `hookbox_VERSION_ARCHITECTURE.deb`.
pub(crate) fn pack_deb(release: &Release, content: &Content) -> Result<Vec<Artifact>> {
    let files = collect_files(content)?;
    let mut control = Tree::default();
    control.add_file("control", format_control(release, &files).into_bytes(), DATA);
    control.add_file("prerm", BEFORE_REMOVAL.as_bytes(), PROGRAM);
    let pack = |tree: &Tree| compress_bytes(&pack_tree(tree, release.time, Folders::Listed)?);
    let members = [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", pack(&control)?),
        ("data.tar.gz", pack(&files)?),
    ];
    let name = format!("hookbox_{}_{}.deb", release.version, release.platform.debian);
    Ok(vec![Artifact { name, bytes: join_members(&members, release.time) }])
}

/// Returns the files, where Debian's policy has them.
fn collect_files(content: &Content) -> Result<Tree> {
    let mut tree = Tree::default();
    for (path, file) in content.installed.list_files() {
        match path {
            PAGE => tree.add_file(format!("usr/{PAGE}.gz"), compress_bytes(&file.bytes)?, DATA),
            ZSH => tree.add_file(format!("usr/{DEBIAN_ZSH}"), file.bytes.clone(), DATA),
            _ => tree.add_file(format!("usr/{path}"), file.bytes.clone(), file.mode),
        }
    }
    for (path, file) in content.notices.list_files() {
        let name = if path == "LICENSE" { "copyright" } else { path };
        tree.add_file(format!("usr/share/doc/hookbox/{name}"), file.bytes.clone(), DATA);
    }
    Ok(tree)
}

/// Returns the description of the package. It depends on no other package: the programs are static.
fn format_control(release: &Release, files: &Tree) -> String {
    format!(
        "Package: hookbox\n\
         Version: {}\n\
         Architecture: {}\n\
         Maintainer: hookbox maintainers <maintainers@hookbox.invalid>\n\
         Installed-Size: {}\n\
         Section: utils\n\
         Priority: optional\n\
         Description: hook host for coding agents\n \
         Runs the hooks of every coding agent as WebAssembly components in a sandbox, fails closed, and answers\n \
         each agent in its own format. `hookbox setup` adds it to the agents of a user; `hookbox setup --remove`\n \
         takes it out again, and is run before the package is removed.\n",
        release.version,
        release.platform.debian,
        // In units of 1024 bytes.
        files.count_bytes().div_ceil(1024)
    )
}

/// Returns an archive of the format `ar`.
fn join_members(members: &[(&str, Vec<u8>)], time: u64) -> Vec<u8> {
    let mut archive = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        // Name, time, owner, group, mode and size, each in a field of its own width.
        let header = format!("{name:<16}{time:<12}0     0     100644  {:<10}`\n", bytes.len());
        archive.extend_from_slice(header.as_bytes());
        archive.extend_from_slice(bytes);
        if !bytes.len().is_multiple_of(2) {
            archive.push(b'\n');
        }
    }
    archive
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_headers_of_sixty_bytes_and_begin_at_even_places() {
        let archive = join_members(&[("a", b"xyz".to_vec()), ("b.tar.gz", b"12".to_vec())], 7);
        assert_eq!(
            String::from_utf8(archive).unwrap(),
            "!<arch>\n\
             a               7           0     0     100644  3         `\n\
             xyz\n\
             b.tar.gz        7           0     0     100644  2         `\n\
             12"
        );
    }

    #[test]
    fn files_are_where_debian_has_them() {
        let files = collect_files(&Content::create_sample()).unwrap();
        let rows: Vec<_> = files.list_files().map(|(path, file)| format!("{:o} {path}", file.mode)).collect();
        assert_eq!(
            rows,
            [
                "755 usr/bin/hookbox",
                "644 usr/share/doc/hookbox/LICENSES.txt",
                "644 usr/share/doc/hookbox/README.md",
                "644 usr/share/doc/hookbox/copyright",
                "644 usr/share/hookbox/plugins/guard.wasm",
                "644 usr/share/man/man1/hookbox.1.gz",
                "644 usr/share/zsh/vendor-completions/_hookbox",
            ]
        );
    }

    #[test]
    fn each_further_line_of_the_description_begins_with_a_blank() {
        let control = format_control(&Release::create_sample(), &Tree::default());
        let (head, description) = control.split_once("Description: ").unwrap();
        assert!(head.contains("Version: 1.2.3\nArchitecture: amd64\n"), "{head}");
        let mut further = description.lines().skip(1);
        assert!(further.clone().count() > 1 && further.all(|line| line.starts_with(' ')), "{description}");
    }

    #[test]
    fn the_package_has_the_same_bytes_again() {
        let pack = || pack_deb(&Release::create_sample(), &Content::create_sample()).unwrap();
        let artifacts: Vec<_> = pack().into_iter().chain(pack()).map(|it| (it.name, it.bytes)).collect();
        let [first, second] = artifacts.as_slice() else { unreachable!("one package each") };
        assert_eq!(first, second);
        assert_eq!(first.0, "hookbox_1.2.3_amd64.deb");
    }
}
