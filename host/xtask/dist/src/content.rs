//! Content of a release: the files of an installation, and the texts about them.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use xtask::process::Process;
use xtask::project::Project;

use crate::elf;
use crate::tree::{DATA, PROGRAM, Tree};

/// The programs that an installation has, in its folder `bin`.
const PROGRAMS: [&str; 4] = ["hookbox", "hookbox-author", "hookbox-bundle", "hookbox-compile"];
/// Folder of the plugins: in the target folder, and in an installation.
const PLUGINS: &str = "share/hookbox/plugins";
/// The completions for each shell, where its packages have them.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/hookbox"),
    ("fish", "share/fish/vendor_completions.d/hookbox.fish"),
    ("zsh", ZSH),
];
/// The completions for zsh.
pub(crate) const ZSH: &str = "share/zsh/site-functions/_hookbox";
/// The manual page.
pub(crate) const PAGE: &str = "share/man/man1/hookbox.1";
/// A text for the users of any of the packages.
const README: &str = include_str!("../files/README.md");

/// Files of a release.
#[derive(Debug)]
pub(crate) struct Content {
    /// The files of an installation, relative to the folder above `bin`.
    pub(crate) installed: Tree,
    /// Licences, and a text about the installation.
    pub(crate) notices: Tree,
}

/// Collects the files of an installation from the output of `cargo xtask build`.
pub(crate) fn collect_installed(project: &Project) -> Result<Tree> {
    let (mut tree, folder) = (Tree::default(), project.target.join("dist"));
    for name in PROGRAMS {
        let file = folder.join(name);
        let bytes = read_file(&file)?;
        ensure!(
            elf::is_static(&bytes) == Some(true),
            "cannot pack {}: it is not linked statically, so other machines may lack its C library\n\
             help: build it with `-C target-feature=+crt-static` (host/xtask/src/build.rs)",
            file.display()
        );
        tree.add_file(format!("bin/{name}"), bytes, PROGRAM);
    }
    add_plugins(&mut tree, &project.target.join(PLUGINS))?;
    let start_hookbox = || Process::new(folder.join("hookbox")).without_environment();
    for (shell, path) in COMPLETIONS {
        tree.add_file(path, start_hookbox().args(["completions", shell]).read_bytes()?, DATA);
    }
    tree.add_file(PAGE, start_hookbox().args(["man"]).read_bytes()?, DATA);
    Ok(tree)
}

fn add_plugins(tree: &mut Tree, folder: &Path) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().into_string().ok().context("the name of a plugin is not UTF-8")?;
        tree.add_file(format!("{PLUGINS}/{name}"), read_file(&entry.path())?, DATA);
    }
    Ok(())
}

/// Returns the names of the plugins in an installation.
pub(crate) fn list_plugins(installed: &Tree) -> Vec<String> {
    let files = installed.list_files().filter_map(|(path, _)| path.strip_prefix(PLUGINS)?.strip_prefix('/'));
    files.filter_map(|file| file.strip_suffix(".wasm")).map(str::to_owned).collect()
}

/// Collects the texts about an installation.
pub(crate) fn collect_notices(project: &Project, licences: &str) -> Result<Tree> {
    let mut tree = Tree::default();
    tree.add_file("LICENSE", read_file(&project.root.join("LICENSE"))?, DATA);
    tree.add_file("LICENSES.txt", licences.as_bytes(), DATA);
    tree.add_file("README.md", README.as_bytes(), DATA);
    Ok(tree)
}

fn read_file(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).with_context(|| format!("cannot read {}\nhelp: `cargo xtask build`", file.display()))
}

#[cfg(test)]
impl Content {
    /// Returns a small installation for tests.
    pub(crate) fn create_sample() -> Self {
        let (mut installed, mut notices) = (Tree::default(), Tree::default());
        installed.add_file("bin/hookbox", *b"program", PROGRAM);
        installed.add_file(format!("{PLUGINS}/guard.wasm"), *b"plugin", DATA);
        installed.add_file(PAGE, *b"page", DATA);
        installed.add_file(ZSH, *b"completions", DATA);
        notices.add_file("LICENSE", *b"licence", DATA);
        notices.add_file("LICENSES.txt", *b"licences", DATA);
        notices.add_file("README.md", *b"readme", DATA);
        Self { installed, notices }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plugins_of_an_installation_are_known_by_their_files() {
        assert_eq!(list_plugins(&Content::create_sample().installed), ["guard"]);
    }
}
