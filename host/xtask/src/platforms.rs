//! `platforms`: checks for other platforms that are possible on this machine. The code for each is compiled, for one that is not Unix as
//! well, and with everything that uses it; and the tests of its refusals run.

use anyhow::Result;

use crate::project::{FEATURES, Project};

/// Values of `HOOKBOX_PLATFORM`, which has the platform crate built as on another system.
const PLATFORMS: [&str; 2] = ["portable", "any-unix"];

/// Compiles the host for other platforms and tests the platform crate as built there.
pub(crate) fn run(project: &Project) -> Result<()> {
    let target =
        ["check", "--quiet", "--locked", "-p", "hookbox-platform", "--target", "wasm32-unknown-unknown"];
    project.cargo(target).run()?;
    for platform in PLATFORMS {
        let run = |words: &[&str]| {
            project.cargo(words.iter().copied()).args(["--locked"]).env("HOOKBOX_PLATFORM", platform).run()
        };
        run(&["check", "--quiet", "--workspace", "--features", FEATURES])?;
        run(&["test", "--quiet", "-p", "hookbox-platform", "--lib"])?;
    }
    Ok(())
}
