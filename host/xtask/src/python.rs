//! Python, which the tests need: hook functions of some agents are Python, and so is the class for a proxy.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::debian;

/// Where the tests' hooks find it.
const PLACES: [&str; 2] = ["/usr/local/bin/python3", "/usr/bin/python3"];

/// Installs it if it is not there.
pub(crate) fn make_ready() -> Result<()> {
    if is_ready() {
        return Ok(());
    }
    debian::install(&["python3"])
        .with_context(|| format!("the tests need Python; install python3 as {}", PLACES.join(" or ")))?;
    ensure!(is_ready(), "python3 has been installed, but is neither of {PLACES:?}");
    Ok(())
}

fn is_ready() -> bool {
    PLACES.iter().any(|place| Path::new(place).exists())
}
