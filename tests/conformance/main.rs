//! What hookbox says in each agent's place. A file of `cases/<dialect>/` is a case, and holds the files below
//! (`tests/support/case_archive.rs` has the form); each dialect is a test, which shows all its cases that differ. One case:
//! `HOOKBOX_CASE=claude-code/ask-over-allow cargo nextest run --test conformance -E 'test(=claude-code)'`.
//!
//! - `case.toml`: `rule` (the sentence of the contract that it proves), and if they are not the usual, `source` (the
//!   agent's own hook file; without one the hooks are the user's `hooks.toml`), `exit`, `stderr` where the agent reads the
//!   answer there, `variables` that the agent has, `called` (the hooks that must have been called), `without_hooks` (why the case is the
//!   same without any hook, if it is), and `import` (see `imported_case.rs`);
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
//! `docs/internals/conformance.md` lists the cases. To write it and the answers anew: `HOOKBOX_BLESS=1 cargo nextest run --test
//! conformance`, and read what changed.
#![expect(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods, reason = "tests and their helpers")]

mod case;
#[path = "../support/case_archive.rs"]
#[expect(unreachable_pub, reason = "other crates read cases too")]
mod case_archive;
mod case_summary;
mod compare_case;
mod conflicts;
mod coverage;
mod events;
mod home;
mod imported_case;
#[path = "../support/long_ago.rs"]
mod long_ago;
mod page;
mod run;
#[path = "../support/schemas.rs"]
mod schemas;
mod server;

use std::{fs, process::ExitCode};

use case::{Case, manifest_folder};
use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // A script that was just written cannot be started while a child of another thread still has it open.
    arguments.test_threads.get_or_insert(1);
    let mut dialects: Vec<_> = fs::read_dir(manifest_folder().join("tests/conformance/cases"))
        .unwrap()
        .map(|dialect| dialect.unwrap().path())
        .collect();
    dialects.sort();
    let cases = dialects.into_iter().map(|dialect| {
        let name = dialect.file_name().unwrap().to_str().unwrap().to_owned();
        Trial::test(name, move || Ok(compare_case::compare_all(&Case::of_dialect(&dialect))?))
    });
    libtest_mimic::run(&arguments, cases.chain(case_summary::list_trials()).collect()).exit_code()
}
