//! Packs what `cargo xtask build` makes into the artifacts of a release. `cargo xtask dist` starts this program.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line program talks to its user")]

mod archive;
mod artifacts;
mod content;
mod deb;
mod dependencies;
mod elf;
mod licences;
mod npm;
mod release;
mod sbom;
mod tarball;
mod tree;
mod wheel;

use std::process::ExitCode;

use anyhow::{Result, bail};
use xtask::project::Project;

use self::artifacts::Artifact;
use self::content::Content;
use self::release::Release;

/// Packs the content of a release in one form.
type Packer = fn(&Release, &Content) -> Result<Vec<Artifact>>;

const PACKERS: [Packer; 4] = [archive::pack_archive, deb::pack_deb, npm::pack_npm, wheel::pack_wheel];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask-dist: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[String]) -> Result<()> {
    let [triple] = words else { bail!("usage: xtask-dist TARGET") };
    let project = Project::open()?;
    let release = Release::read_facts(&project, triple)?;
    let installed = content::collect_installed(&project)?;
    let plugins = content::list_plugins(&installed);
    let packages = dependencies::list_shipped(&project, &plugins, release.platform.triple)?;
    let licences = licences::format_licences(&packages);
    let content = Content { notices: content::collect_notices(&project, &licences)?, installed };
    let mut artifacts = Vec::new();
    for pack in PACKERS {
        artifacts.extend(pack(&release, &content)?);
    }
    artifacts.push(sbom::pack_bom(&release, &packages)?);
    let name = format!("hookbox-{}-LICENSES.txt", release.version);
    artifacts.push(Artifact { name, bytes: licences.into_bytes() });
    artifacts::write_artifacts(&project.target.join("dist-artifacts"), artifacts)
}
