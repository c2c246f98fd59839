//! Facts about a release that its artifacts contain.

use anyhow::{Context, Result};
use xtask::process::Process;
use xtask::project::Project;

/// Variable with the time of the sources, as other tools that repeat a build have it.
const TIME: &str = "SOURCE_DATE_EPOCH";

/// A target, and its names in the registries.
#[derive(Debug)]
pub(crate) struct Platform {
    /// The name that Rust has for it.
    pub(crate) triple: &'static str,
    /// Operating system and processor in `package.json`.
    pub(crate) npm: (&'static str, &'static str),
    /// The tag of a wheel. The programs are static, so the oldest tag that pip knows by a version of glibc is true.
    pub(crate) wheel: &'static str,
    pub(crate) debian: &'static str,
}

static PLATFORMS: [Platform; 1] = [Platform {
    triple: "x86_64-unknown-linux-gnu",
    npm: ("linux", "x64"),
    wheel: "manylinux_2_17_x86_64",
    debian: "amd64",
}];

/// One version for one platform.
#[derive(Debug)]
pub(crate) struct Release {
    pub(crate) version: String,
    /// Time of each file in an archive, in seconds since 1970.
    pub(crate) time: u64,
    pub(crate) platform: &'static Platform,
}

impl Release {
    /// Returns the release of this checkout for a target.
    pub(crate) fn read_facts(project: &Project, triple: &str) -> Result<Self> {
        let platform = PLATFORMS.iter().find(|platform| platform.triple == triple);
        let platform =
            platform.with_context(|| format!("cannot pack for `{triple}`: the target is unknown"))?;
        Ok(Self { version: env!("CARGO_PKG_VERSION").to_owned(), time: read_time(project)?, platform })
    }
}

/// Returns the time that the environment sets, else that of the commit.
fn read_time(project: &Project) -> Result<u64> {
    let seconds = match std::env::var(TIME) {
        Ok(seconds) => seconds,
        Err(_) => Process::new("git")
            .args(["log", "-1", "--format=%ct"])
            .directory(&project.root)
            .output()
            .with_context(|| {
            format!("cannot read the time of the commit\nhelp: `{TIME}=SECONDS cargo xtask dist`")
        })?,
    };
    let seconds = seconds.trim();
    seconds.parse().with_context(|| {
        format!("cannot read `{seconds}` as seconds since 1970\nhelp: `{TIME}=1700000000 cargo xtask dist`")
    })
}

#[cfg(test)]
impl Release {
    /// Returns a release for tests.
    pub(crate) fn create_sample() -> Self {
        let [platform] = &PLATFORMS;
        Self { version: "1.2.3".to_owned(), time: 1_700_000_000, platform }
    }
}
