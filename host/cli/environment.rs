//! The variables, the working folder and the program of this process. The only reader of the environment.
//!
//! A project may have set the variables that an agent's hook is started with, so none of them decides where `hookbox run` finds
//! configuration, state or programs: see [`hookbox_app::places`].

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

use hookbox::{Pin, ShippedPlugins, sandbox::compile::Compiler};
use hookbox_app::{
    Surroundings,
    places::{Places, require_absolute},
};
use hookbox_platform::process::{Ancestor, executed_file, list_ancestors};

use crate::args::ProgramArgs;

/// The folder of the shipped plugins, relative to the folder above that of the program.
const SHIPPED: &str = "share/hookbox/plugins";
/// Digests of the shipped plugins when the program was built (`build.rs`).
const PINS: &[Pin] = include!(concat!(env!("OUT_DIR"), "/shipped_plugins.rs"));

/// The user's hooks, in a home folder.
const USER_FILE: &str = ".config/hookbox/hooks.toml";

pub(crate) fn read_variable(name: &str) -> Option<OsString> {
    #[expect(clippy::disallowed_methods, reason = "the one reader of the environment")]
    env::var_os(name)
}

pub(crate) fn read_text_variable(name: &str) -> Option<String> {
    read_variable(name)?.into_string().ok()
}

pub(crate) fn read_all_variables() -> impl Iterator<Item = (String, String)> {
    // `env::vars` would panic at a value that is not UTF-8, which a project can set.
    #[expect(clippy::disallowed_methods, reason = "the one reader of the environment")]
    let variables = env::vars_os();
    variables.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

/// The home that `HOME` names and its file with the user's hooks, if that is another file than the one that was read. For a message
/// alone: who sets the variable does not decide which hooks are asked.
pub(crate) fn unread_hooks(read: &Path) -> Option<(PathBuf, PathBuf)> {
    let home = require_absolute(read_variable("HOME")?).ok()?;
    let file = home.join(USER_FILE);
    (file != read && file.is_file()).then_some((home, file))
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

/// Returns the evidence that an agent runs this: a variable of an agent in the environment of this process, of a process that
/// led to it, or of the leader of its session.
pub(crate) fn mark_of_an_agent() -> Option<String> {
    let own = OF_AGENTS.into_iter().find(|name| read_variable(name).is_some_and(|value| !value.is_empty()));
    own.map(str::to_owned).or_else(|| {
        let ancestors = list_ancestors();
        ancestors.iter().take_while(|ancestor| !is_test_program(ancestor)).find_map(|ancestor| {
            let set = |name: &&str| ancestor.variables.iter().any(|set| set == name);
            let name = OF_AGENTS.into_iter().find(|name| set(name))?;
            Some(format!("{name} in the environment of process {}", ancestor.number))
        })
    })
}

/// Returns true for a test of cargo's. A developer of hookbox may have an agent run the tests, and these run commands that are
/// reserved for users. Released programs are built without debug assertions.
fn is_test_program(ancestor: &Ancestor) -> bool {
    let folder = ancestor.program.as_deref().and_then(Path::parent);
    cfg!(debug_assertions) && folder.is_some_and(|folder| folder.ends_with("deps"))
}

pub(crate) fn current_folder() -> PathBuf {
    env::current_dir().unwrap_or_default()
}

/// Returns the file that this process runs, without links.
pub(crate) fn find_program() -> Option<PathBuf> {
    // It needs `/proc`.
    env::current_exe().ok().or_else(find_executed_file)
}

/// Returns that file without `/proc`: the path that the system executed, which is not the caller's `argv[0]`. A relative path
/// depends on the folder that the caller was in, and may lead into a project.
fn find_executed_file() -> Option<PathBuf> {
    require_absolute(executed_file()?).ok()?.canonicalize().ok()
}

/// Reason for a missing compiler where [`find_compiler`] returns `None`.
const NOWHERE: &str = "hookbox-compile is expected next to hookbox, whose folder is unknown: mount /proc, \
     or start hookbox by its absolute path";

pub(crate) fn find_compiler() -> Option<PathBuf> {
    find_companion("hookbox-compile")
}

/// Returns the path of another of hookbox's programs, in this program's folder.
pub(crate) fn find_companion(name: &str) -> Option<PathBuf> {
    Some(find_program()?.parent()?.join(name))
}

/// Returns the plugins that were installed with this program: `<prefix>/share/hookbox/plugins` for `<prefix>/bin/hookbox`.
/// Neither variables nor projects affect that place.
pub(crate) fn shipped_plugins() -> ShippedPlugins {
    let program = find_program().unwrap_or_default();
    let prefix = program.parent().and_then(Path::parent);
    prefix.map(|prefix| ShippedPlugins::new(&prefix.join(SHIPPED), PINS)).unwrap_or_default()
}

/// Returns the places of a user who started `install`, `setup` or `doctor`.
pub(crate) fn read_places(args: &ProgramArgs) -> Places {
    Places::of_terminal(&read_variable).assuming_private(args.assume_private.clone())
}

/// Returns this process's surroundings for the files in these places.
pub(crate) fn build_surroundings(places: Places) -> Surroundings {
    let compiler = find_compiler().map_or_else(|| Compiler::Missing(NOWHERE.to_owned()), Compiler::Process);
    Surroundings {
        places,
        shipped: shipped_plugins(),
        program: find_program(),
        compiler,
        variables: read_all_variables().collect(),
        session_folders: Vec::new(),
    }
}
