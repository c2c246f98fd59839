//! What hookbox says in each agent's place. A folder of `cases/<dialect>/` is a case, and a test of its own:
//! `cargo nextest run -E 'test(=claude-code/ask-over-allow)'`.
//!
//! - `case.toml`: `rule` (the sentence of the contract that it proves), and if they are not the usual, `source` (the
//!   agent's own hook file; without one the hooks are the user's `hooks.toml`), `exit`, `stderr` where the agent reads the
//!   answer there, `variables` that the agent has, and `import` (see `imported.rs`);
//! - `event.json`: what the agent sends; `answer`: the bytes that it gets;
//! - `home/`: what is in the home folder, called `[HOME]` in files of the case, with `bin` first in `PATH`; `left/`: files
//!   that must be there in the end. `[PLUGINS]` in `hooks.toml` is where the shipped plugins are;
//! - `response.http`: what a server says whose address is `[SERVER]` in the hook file, or what `server` in `case.toml` says;
//!   `request.http`: a request that it must have got, some of its head and all of its body. It must get
//!   one, or none if this is empty.
//!
//! Cases called `example-…` have a hook file that was not written for hookbox, byte for byte.
//!
//! `schemas/<dialect>/<event>.json` says which answers an agent takes, as far as its code or its documentation does.
//!
//! `docs/conformance.md` lists the cases. To write it and the answers anew: `HOOKBOX_BLESS=1 cargo nextest run --test
//! conformance`, and read what changed.
#![expect(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods, reason = "tests and their helpers")]

mod case;
mod compared;
mod conflicts;
mod coverage;
mod events;
mod home;
mod imported;
#[path = "../support/long_ago.rs"]
mod long_ago;
mod page;
mod run;
#[path = "../support/schemas.rs"]
mod schemas;
mod server;
mod together;

use std::process::ExitCode;

use case::Case;
use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // A script that was just written cannot be started while a child of another thread still has it open.
    arguments.test_threads.get_or_insert(1);
    let cases = Case::folders().into_iter().map(|folder| {
        let name = Case::name_of(&folder);
        Trial::test(name, move || Ok(compared::compare(&Case::read(&folder))?))
    });
    libtest_mimic::run(&arguments, cases.chain(together::trials()).collect()).exit_code()
}
