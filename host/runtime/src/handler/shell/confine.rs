//! Confinement of a shell hook by the platform's means: weaker than the sandbox of a wasm hook.
//!
//! A native hook gets restrictions that do not affect ordinary use: a session of its own, so that it has no terminal;
//! no new privileges; no core dumps; limits that only a runaway process reaches. Its configuration may restrict it
//! further. A requested restriction that this machine does not support makes the hook fail; an unsupported default is
//! skipped, and [`EffectiveConfinement`] reports that. A hook of another system's file keeps that system's behaviour: it is only killed
//! when hookbox dies.
//!
//! Limitations: the hook still runs as the user. Without rules for files it can read and write the user's files;
//! without a network it can still connect to programs on this machine over Unix sockets, and they may have one.

mod effective_restrictions;

use std::path::{Path, PathBuf};

use hookbox_model::{Failure, FailureCode};
use hookbox_platform::confinement::{CommandSeccomp, Group, LandlockGrants, Limits, Ruleset, Steps};
pub use hookbox_platform::confinement::{KernelSupport, LEAST_LANDLOCK};

pub use self::effective_restrictions::{EffectiveConfinement, EffectiveFileRules, UnsupportedSetting};
use crate::hook::{ClosedProject, Confinement, FileRules, Place, ResourceLimits};

/// The hook or profile that is confined, with the facts that its confinement depends on.
#[derive(Clone, Copy)]
pub(in super::super) struct Subject<'a> {
    /// Kind in messages: a hook, or a profile.
    pub(in super::super) kind: &'static str,
    pub(in super::super) name: &'a str,
    /// The program, if it is a path.
    pub(in super::super) program: Option<&'a Path>,
    /// Folder of the event.
    pub(in super::super) project: &'a str,
    pub(in super::super) home: Option<&'a Path>,
}

/// Kind of a hook in messages.
pub(in super::super) const HOOK: &str = "hook";

/// Returns the steps of the child before its program starts; `None` is a hook of another system's file.
pub(in super::super) fn resolve_steps(
    confinement: Option<&Confinement>,
    closed: Option<&ClosedProject>,
    subject: Subject<'_>,
) -> Result<Steps, Failure> {
    let machine = KernelSupport::detect_features();
    // A trusted hook runs without Landlock, too: the trust is in the files that it names, and this only keeps
    // it from other files of the project.
    let closed = closed.filter(|_| machine.confines_files());
    let Some(confinement) = confinement else {
        let files = closed.map(|project| build_project_ruleset(project, subject)).transpose()?;
        return Ok(Steps {
            group: Group::Own,
            no_new_privileges: files.is_some(),
            files,
            ..Steps::default()
        });
    };
    if let Some(refusal) = refused_by(confinement, &machine) {
        return Err(refused_failure(subject, &refusal.to_string()));
    }
    let files = match (&confinement.files, closed) {
        (Some(rules), _) => Some(file_rules(rules, subject)?),
        (None, Some(project)) => Some(build_project_ruleset(project, subject)?),
        (None, None) => None,
    };
    // The kernel accepts rules of Landlock from an unprivileged process only with it.
    let is_kept = confinement.without_new_privileges() || files.is_some();
    let no_new_privileges = is_kept && machine.no_new_privileges;
    Ok(Steps {
        group: Group::Session,
        limits: Some(limits_of(&confinement.limits, &machine)),
        no_new_privileges,
        files,
        network: if confinement.network {
            None
        } else {
            let filter_error = |error| format!("its filter for the network cannot be made: {error}");
            Some(CommandSeccomp::new().map_err(|error| refused_failure(subject, &filter_error(error)))?)
        },
    })
}

/// Returns the confinement of a command that replaces this process (`hookbox confine`).
///
/// # Errors
///
/// A setting is not supported on this machine, or a place that it names does not exist.
pub fn steps_of_command(
    profile: &str,
    confinement: &Confinement,
    project: &str,
    home: Option<&Path>,
) -> Result<Steps, Failure> {
    let subject = Subject { kind: "profile", name: profile, program: None, project, home };
    let mut steps = resolve_steps(Some(confinement), None, subject)?;
    // A hook has no terminal. This command keeps the user's, and could type commands into it (`TIOCSTI`).
    if steps.network.is_none() && steps.no_new_privileges && KernelSupport::detect_features().seccomp {
        let filter_error = |error| format!("its filter for the terminal cannot be made: {error}");
        steps.network = Some(
            CommandSeccomp::of_terminal().map_err(|error| refused_failure(subject, &filter_error(error)))?,
        );
    }
    Ok(steps)
}

/// Returns the first requested setting that `machine` does not support.
fn refused_by(confinement: &Confinement, machine: &KernelSupport) -> Option<UnsupportedSetting> {
    let asked = [
        (confinement.files.is_some() && !machine.confines_files(), UnsupportedSetting::Files),
        (!confinement.network && !machine.seccomp, UnsupportedSetting::Network),
        (confinement.privileges == Some(false) && !machine.no_new_privileges, UnsupportedSetting::Privileges),
        (confinement.limits.processes.is_some() && !machine.counts_processes, UnsupportedSetting::Processes),
        (confinement.limits.memory.is_some() && !machine.counts_memory, UnsupportedSetting::Memory),
    ];
    asked.into_iter().find_map(|(refused, refusal)| refused.then_some(refusal))
}

/// Returns the limits of each process, where they are supported.
fn limits_of(limits: &ResourceLimits, machine: &KernelSupport) -> Limits {
    Limits {
        memory: machine.counts_memory.then(|| limits.memory()),
        processes: limits.processes,
        file_size: limits.file_size(),
        cpu: limits.cpu(),
    }
}

/// Returns the rules that deny a trusted hook the files of its project that are not covered by the trust.
fn build_project_ruleset(project: &ClosedProject, subject: Subject<'_>) -> Result<Ruleset, Failure> {
    let ruleset_error = |error| {
        format!(
            "the files of {} cannot be closed to it: {error}; a hook that may read them has `reads = [\"project\"]` in its entry",
            project.folder.display()
        )
    };
    Ruleset::of_closed_folder(&project.folder, &project.copies)
        .map_err(|error| refused_failure(subject, &ruleset_error(error)))
}

fn file_rules(rules: &FileRules, subject: Subject<'_>) -> Result<Ruleset, Failure> {
    let paths = |setting, places: &[Place]| {
        let paths = places.iter().filter_map(|place| subject.resolve_path(setting, place).transpose());
        paths.collect::<Result<Vec<_>, _>>()
    };
    let granted = LandlockGrants {
        read: paths("read", &rules.read)?,
        write: paths("write", &rules.write)?,
        program: subject.program,
    };
    let ruleset_error = |error| format!("its rules for files cannot be made: {error}");
    Ruleset::new(&granted).map_err(|error| refused_failure(subject, &ruleset_error(error)))
}

impl Subject<'_> {
    /// Returns the path of a place that a setting names; `None` for the project of an event that has none.
    fn resolve_path(&self, setting: &str, place: &Place) -> Result<Option<PathBuf>, Failure> {
        let path = match place {
            Place::Project => {
                let project = Path::new(self.project);
                return Ok((project.is_absolute() && project.is_dir()).then(|| project.to_owned()));
            }
            Place::Home(path) => match self.home.filter(|home| home.is_absolute()) {
                Some(home) => home.join(path),
                None => {
                    return Err(refused_failure(
                        *self,
                        &format!("`confine.{setting}` names `{place}`, and HOME is not set"),
                    ));
                }
            },
            Place::Path(path) => path.clone(),
        };
        // Landlock's rules need an open file, so a missing place cannot be granted in advance.
        if path.exists() {
            return Ok(Some(path));
        }
        let (Self { kind, name, .. }, path) = (self, path.display());
        let message = format!(
            "{kind} `{name}` is granted `{path}` by `confine.{setting}`, which does not exist: create it or take it out"
        );
        Err(Failure::new(FailureCode::Missing, &message))
    }
}

fn refused_failure(subject: Subject<'_>, why: &str) -> Failure {
    let Subject { kind, name, .. } = subject;
    Failure::new(FailureCode::Refused, &format!("{kind} `{name}` is not run unconfined: {why}"))
}

#[cfg(test)]
mod tests;
