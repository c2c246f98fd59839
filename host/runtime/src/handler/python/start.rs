//! Starts interpreters.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use hookbox_model::{Failure, FailureCode};
use hookbox_platform::process::{ProcessGroup, ThreadPipes};

use super::{super::shell, FUNCTIONS, resolve_variables};
use crate::{
    handler::shell::{callers::Callers, confine, confine::Subject},
    hook::{Confinement, Place, PythonSpec},
    interfaces::Environment,
};

const SERVES: &str = include_str!("worker.py");
/// Runs before any import: the interpreter starts in the event's folder, which may be an untrusted project.
const NOT_FROM_HERE: &str = "import sys; sys.path[:] = [folder for folder in sys.path if folder]";

/// CPU limit beyond any machine's uptime: a long-running interpreter is not ended for its accumulated time.
const FOREVER: Duration = Duration::from_secs(u32::MAX as u64);

/// Settings of an interpreter. Functions with equal settings share one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InterpreterSettings {
    path: Vec<String>,
    env: Vec<String>,
    confinement: Option<Confinement>,
    /// The folder of its events, if the interpreter depends on it.
    project: Option<String>,
}

impl InterpreterSettings {
    pub(super) fn from_spec(spec: &PythonSpec, project: &str) -> Self {
        let PythonSpec { path, env, confinement, .. } = spec.clone();
        let project = needs_project(spec).then(|| project.to_owned());
        Self { path, env, confinement, project }
    }

    fn folder(&self) -> &Path {
        // A function of another system's file runs in the event's folder, as under that system. Others run
        // where no project has put modules.
        let folder = self.project.as_deref().map(Path::new).filter(|_| self.confinement.is_none());
        folder.filter(|folder| folder.is_absolute() && folder.is_dir()).unwrap_or(Path::new("/"))
    }

    /// Returns the confinement: only the interpreter's own folders and the configured places, and no CPU limit by
    /// default, as the interpreter is long-running.
    fn confinement(&self) -> Option<Confinement> {
        let mut confinement = self.confinement.clone()?;
        confinement.limits.cpu.get_or_insert(FOREVER);
        if let Some(files) = &mut confinement.files {
            let folders = self.path.iter().map(PathBuf::from).filter(|folder| folder.exists());
            files.read.extend(folders.map(Place::Path));
        }
        Some(confinement)
    }
}

/// Returns true if the interpreter depends on the event's folder: a foreign system's function runs there, and rules for
/// files may name it.
pub(super) fn needs_project(spec: &PythonSpec) -> bool {
    let Some(confinement) = &spec.confinement else { return true };
    let rules = confinement.files.as_ref();
    rules.is_some_and(|rules| rules.read.iter().chain(&rules.write).any(|place| *place == Place::Project))
}

/// Starts an interpreter for this function and others of its kind.
pub(super) async fn start_interpreter(
    hook: &str,
    spec: &PythonSpec,
    kind: &InterpreterSettings,
    environment: &Environment,
) -> Result<(ProcessGroup, ThreadPipes), Failure> {
    let failed = |what: &str| Failure::new(FailureCode::Spawn, &format!("Python cannot be started: {what}"));
    let variables = resolve_variables(spec, environment).map_err(|error| failed(&error.to_string()))?;
    let program = find_interpreter(&variables)?;
    let (callers, marks) = Callers::from_environment(environment).variable_for_hook("python", &kind.path)?;
    let mut command = build_command(&program, kind);
    command.envs(variables).env(callers, marks);
    let home = shell::home_folder(environment);
    let project = kind.project.as_deref().unwrap_or_default();
    let subject =
        Subject { kind: confine::HOOK, name: hook, program: Some(&program), project, home: home.as_deref() };
    let steps = confine::resolve_steps(kind.confinement().as_ref(), None, subject)?;
    steps.apply_to(&mut command).map_err(|error| failed(&error.to_string()))?;
    ProcessGroup::spawn_for_threads(command).await.map_err(|error| failed(&error.to_string()))
}

#[expect(clippy::disallowed_methods, reason = "one of the places where a process starts")]
fn build_command(program: &Path, kind: &InterpreterSettings) -> Command {
    let mut command = Command::new(program);
    if kind.confinement.is_some() {
        // Neither variables nor the user's site folder decide which modules are imported.
        command.arg("-I");
    }
    command
        .args(["-c", &format!("{NOT_FROM_HERE}\n{FUNCTIONS}\n{SERVES}")])
        .env_clear()
        .current_dir(kind.folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Finds the interpreter as the system would for a process with these variables.
fn find_interpreter(variables: &[(String, String)]) -> Result<PathBuf, Failure> {
    let path = variables.iter().find(|(name, _)| name == "PATH").map_or("", |(_, value)| value);
    let mut programs = env::split_paths(path).map(|folder| folder.join("python3"));
    programs.find(|program| shell::check_executable(program).is_ok()).ok_or_else(|| {
        let message = "no `python3` is in the folders of PATH: install it, or take the hook out";
        Failure::new(FailureCode::Missing, message)
    })
}
