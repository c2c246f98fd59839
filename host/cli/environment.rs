//! The variables, the working folder and the program of this process. The only reader of the environment.
//!
//! Who starts an agent's hook may have been told by a project which variables to set, so nothing of this decides where
//! `hookbox run` finds configuration, state or programs: see [`hookbox_files::places`].

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

use hookbox::{Pin, ShippedPlugins, sandbox::compile::Compiler};
use hookbox_files::{
    Surroundings,
    places::{Places, absolute},
};
use hookbox_platform::process::{Ancestor, ancestors, executed_file};

use crate::args::ProgramArgs;

/// The plugins that come with the program, from the folder above that of the program.
const SHIPPED: &str = "share/hookbox/plugins";
/// What they were when the program was built (`build.rs`).
const PINS: &[Pin] = include!(concat!(env!("OUT_DIR"), "/shipped_plugins.rs"));

/// A variable as it is.
pub(crate) fn variable(name: &str) -> Option<OsString> {
    #[expect(clippy::disallowed_methods, reason = "the one reader of the environment")]
    env::var_os(name)
}

/// A variable that is text.
pub(crate) fn text(name: &str) -> Option<String> {
    variable(name)?.into_string().ok()
}

/// All variables that are text.
pub(crate) fn all() -> impl Iterator<Item = (String, String)> {
    #[expect(clippy::disallowed_methods, reason = "the one reader of the environment")]
    let variables = env::vars_os();
    variables.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

/// Variables that agents set for the commands that they run in a shell: each one's own name for "an agent runs this".
const OF_AGENTS: [&str; 13] = [
    "AI_AGENT",
    "CLAUDECODE",
    "CLINE_ACTIVE",
    "CODEX_CI",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_THREAD_ID",
    "COPILOT_CLI",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "LLXPRT_CODE",
    "OPENCODE",
    "QWEN_CODE",
];

/// Returns what tells that an agent runs this: a variable of an agent in the environment of this process, of a process that led to
/// it, or of the leader of its session.
pub(crate) fn mark_of_an_agent() -> Option<String> {
    let own = OF_AGENTS.into_iter().find(|name| variable(name).is_some_and(|value| !value.is_empty()));
    own.map(str::to_owned).or_else(|| {
        let ancestors = ancestors();
        ancestors.iter().take_while(|ancestor| !is_test_program(ancestor)).find_map(|ancestor| {
            let set = |name: &&str| ancestor.variables.iter().any(|set| set == name);
            let name = OF_AGENTS.into_iter().find(|name| set(name))?;
            Some(format!("{name} in the environment of process {}", ancestor.number))
        })
    })
}

/// Is it a test of cargo's? Who works on hookbox may have an agent run the tests, and these run commands that need a person. Programs that
/// users get are built without debug assertions.
fn is_test_program(ancestor: &Ancestor) -> bool {
    let folder = ancestor.program.as_deref().and_then(Path::parent);
    cfg!(debug_assertions) && folder.is_some_and(|folder| folder.ends_with("deps"))
}

/// The folder that this process works in.
pub(crate) fn current_folder() -> PathBuf {
    env::current_dir().unwrap_or_default()
}

/// The file that this process runs, without links.
pub(crate) fn program() -> Option<PathBuf> {
    env::current_exe().ok().or_else(executed)
}

/// The same without `/proc`: what the system was told to execute, which is not what the caller calls it. A relative path
/// depends on the folder that the caller was in, and may lead into a project.
fn executed() -> Option<PathBuf> {
    absolute(executed_file()?).ok()?.canonicalize().ok()
}

/// Why there is no compiler where [`compiler`] knows none.
const NOWHERE: &str = "hookbox-compile is expected next to hookbox, whose folder is unknown: mount /proc, \
     or start hookbox by its absolute path";

/// The compiler beside this program.
pub(crate) fn compiler() -> Option<PathBuf> {
    beside("hookbox-compile")
}

/// Another of hookbox's programs, beside this one.
pub(crate) fn beside(name: &str) -> Option<PathBuf> {
    Some(program()?.parent()?.join(name))
}

/// The plugins that were installed with this program: `<prefix>/share/hookbox/plugins` for `<prefix>/bin/hookbox`. No
/// variable and no project has a say in where that is.
pub(crate) fn shipped_plugins() -> ShippedPlugins {
    let program = program().unwrap_or_default();
    let prefix = program.parent().and_then(Path::parent);
    prefix.map(|prefix| ShippedPlugins::new(&prefix.join(SHIPPED), PINS)).unwrap_or_default()
}

/// Returns the places of a user who started `install`, `setup` or `doctor`.
pub(crate) fn places(args: &ProgramArgs) -> Places {
    Places::of_terminal(&variable).assuming_private(args.assume_private.clone())
}

/// What this process brings along to the files in these places.
pub(crate) fn surroundings(places: Places) -> Surroundings {
    let compiler = compiler().map_or_else(|| Compiler::Missing(NOWHERE.to_owned()), Compiler::Process);
    Surroundings {
        places,
        shipped: shipped_plugins(),
        program: program(),
        compiler,
        variables: all().collect(),
    }
}
