//! Interpreters that the tests need: hook functions of some agents are Python, and so is the class for a proxy; the plugin for
//! opencode is JavaScript. And OpenSSH, which makes signatures over plugins and checks those of hookbox.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::debian;

/// A program and its package.
struct Interpreter {
    package: &'static str,
    /// Where the tests find it.
    places: [&'static str; 2],
}

const ALL: [Interpreter; 3] = [
    Interpreter { package: "python3", places: ["/usr/local/bin/python3", "/usr/bin/python3"] },
    Interpreter { package: "nodejs", places: ["/usr/local/bin/node", "/usr/bin/node"] },
    Interpreter { package: "openssh-client", places: ["/usr/local/bin/ssh-keygen", "/usr/bin/ssh-keygen"] },
];

/// Installs those that are not there.
pub(crate) fn make_ready() -> Result<()> {
    ALL.iter().try_for_each(Interpreter::make_ready)
}

impl Interpreter {
    fn make_ready(&self) -> Result<()> {
        if self.is_ready() {
            return Ok(());
        }
        let Self { package, places } = self;
        debian::install(&[package])
            .with_context(|| format!("the tests need it; install {package} as {}", places.join(" or ")))?;
        ensure!(self.is_ready(), "{package} has been installed, but is at neither of {places:?}");
        Ok(())
    }

    fn is_ready(&self) -> bool {
        self.places.iter().any(|place| Path::new(place).exists())
    }
}
