//! A fixture in the sandbox: on a machine of its own, with an empty store and only its recorded servers.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use hookbox::{
    Clock, HookSpec, Host,
    model::{CapabilityRefusal, Effect, Event, Failure, FailureCode, HookReport, Manifest, Status, Usage},
    sandbox::{compile::Compiler, engine_settings::Allocation, inspect::identify_file},
};
use serde_json::Value;
use tempfile::TempDir;

use crate::{
    call, environment,
    exit::Fault,
    fixture::{self, Fixture, FixtureContent, FixtureError, Records, to_json},
    printer::to_plain_line,
    project::Project,
    sources::changed_since_built,
};

/// A plugin to be tested, and the folder of its fixtures.
pub(crate) struct TestedPlugin {
    pub(crate) component: PathBuf,
    pub(crate) fixtures: PathBuf,
    /// Set if the plugin was named by its folder.
    pub(crate) project: Option<Project>,
    compiler: Compiler,
    cache: Option<PathBuf>,
}

impl TestedPlugin {
    /// Returns the plugin in this folder, or in this file.
    pub(crate) fn find_at(place: Option<&Path>) -> Result<Self, Fault> {
        let (compiler, cache) = (environment::find_compiler(), environment::find_cache_folder());
        let of = |component, fixtures, project| Self { component, fixtures, project, compiler, cache };
        let file =
            place.map(|place| environment::current_folder().join(place)).filter(|place| place.is_file());
        let Some(component) = file else {
            let project = Project::open(place)?;
            return Ok(of(project.component(), project.folder.join(fixture::FOLDER), Some(project)));
        };
        // A built plugin is in `build`, one folder below that of its fixtures.
        let beside = component.ancestors().skip(1).take(2).map(|folder| folder.join(fixture::FOLDER));
        let fixtures = beside.clone().find(|folder| folder.is_dir()).or_else(|| beside.clone().next());
        let fixtures =
            fixtures.ok_or_else(|| Fault::Usage("the plugin's file has no parent folder".to_owned()))?;
        Ok(of(component, fixtures, None))
    }

    /// Returns a message if the plugin is older than its sources.
    pub(crate) fn stale(&self) -> Option<String> {
        let project = self.project.as_ref()?;
        let file = changed_since_built(project)?;
        let (file, built) = (file.display().to_string(), project.component().display().to_string());
        Some(format!("{} has changed since {} was built", to_plain_line(&file), to_plain_line(&built)))
    }

    /// Returns the error for a stale plugin.
    pub(crate) fn not_of_now(stale: &str) -> Fault {
        Fault::Failed(format!("{stale}; build it first: hookbox plugin build"))
    }

    /// Reads the manifest in the plugin's file, which must exist.
    pub(crate) fn manifest(&self) -> Result<Option<Manifest>, Fault> {
        let file = self.component.display();
        if !self.component.is_file() {
            return Err(Fault::Failed(format!(
                "{file} does not exist; build it first: hookbox plugin build"
            )));
        }
        let identity = identify_file(&self.component).map_err(|failure| Fault::Failed(failure.message))?;
        identity.manifest.map_err(|failure| Fault::Failed(failure.message))
    }

    /// Loads the plugin once, so that no fixture waits for the compiler.
    pub(crate) fn load_once(&self, manifest: Option<&Manifest>) -> Result<(), Fault> {
        let hook = call::build_spec(&self.component, manifest, None, hookbox::model::Json::empty_object());
        let loaded = call::load_plugin(hook, self.cache.as_deref(), self.compiler.clone());
        loaded.map(drop).map_err(|failure| Fault::Failed(failure.message))
    }
}

/// A fixture that is ready to be called repeatedly.
pub(crate) struct Trial {
    pub(crate) host: Host,
    pub(crate) event: Event,
    records: Arc<Records>,
    /// Reasons why the event may not be one for this plugin.
    doubts: Vec<String>,
    _store: TempDir,
}

impl Trial {
    /// Prepares the fixture. Must be called within a runtime.
    pub(crate) async fn new(
        subject: &TestedPlugin,
        manifest: Option<&Manifest>,
        fixture: (&Fixture, &FixtureContent<'_>),
        allocation: Allocation,
    ) -> Result<Self, FixtureError> {
        let (fixture, content) = fixture;
        let event = content.parse_event(fixture)?;
        let (grants, config) = (content.parse_grants(&subject.fixtures)?, content.parse_config(fixture)?);
        let hook = call::build_spec(&subject.component, manifest, grants, config).on([event.name.clone()]);
        let store = tempfile::tempdir().map_err(|error| {
            FixtureError::without_place(format!("cannot create a temporary folder: {error}"))
        })?;
        // Created by the store, for this user alone.
        let kept = store.path().join("state");
        content.write_entries(&kept, &hook, &event).await?;
        let records = Arc::new(content.records());
        let time = event.time;
        let machine = call::configure_machine(subject.cache.as_deref(), subject.compiler.clone())
            .state(&kept)
            .allocation(allocation)
            .environment(content.env.iter().collect())
            // A fixture has the same result on every day.
            .clock(Clock::new(move || time))
            .recording(Arc::<Records>::clone(&records));
        let doubts = manifest.map(|manifest| collect_warnings(manifest, &hook)).unwrap_or_default();
        Ok(Self { host: call::build_host(&machine.build(), hook), event, records, doubts, _store: store })
    }

    pub(crate) async fn call(&self) -> Result<CallResult, FixtureError> {
        let report = call::ask_hook(&self.host, &self.event).await.map_err(FixtureError::without_place)?;
        let mut got = CallResult::from_report(report);
        got.unknown = self.records.unknown();
        got.doubts.clone_from(&self.doubts);
        Ok(got)
    }
}

fn collect_warnings(manifest: &Manifest, hook: &HookSpec) -> Vec<String> {
    let other: Vec<_> = hook.events.iter().filter(|event| !manifest.events.includes_event(event)).collect();
    let warning =
        |event| format!("`events` of plugin.toml does not contain {event}, only {}", manifest.events);
    other.into_iter().map(warning).collect()
}

pub(crate) struct CallResult {
    /// The answer in the form of fixtures; an error's text.
    pub(crate) answer: Result<Value, String>,
    pub(crate) log: Vec<String>,
    pub(crate) usage: Usage,
    /// Requests without a recorded answer.
    pub(crate) unknown: Vec<String>,
    pub(crate) refused: Vec<CapabilityRefusal>,
    /// Effects that hookbox removed from its answer.
    pub(crate) clamped: Vec<Effect>,
    pub(crate) doubts: Vec<String>,
}

impl CallResult {
    pub(crate) fn new(answer: Result<Value, String>, log: Vec<String>, usage: Usage) -> Self {
        Self { answer, log, usage, unknown: vec![], refused: vec![], clamped: vec![], doubts: vec![] }
    }

    fn from_report(report: HookReport) -> Self {
        let HookReport { status, clamped, refused, usage, log, .. } = report;
        let mut log: Vec<_> = log.into_iter().map(|line| line.message).collect();
        let answer = match status {
            Status::Answered(answer) => Ok(to_json(&answer)),
            Status::Failed(failure) => Err(take_error(&failure, &mut log, &refused)),
            Status::Skipped => Err("the hook was not called".to_owned()),
        };
        Self { refused, clamped, ..Self::new(answer, log, usage) }
    }
}

/// Returns the text of a failure. An error of the hook is its own text. A program's is the last line of its standard error,
/// which is then removed from the log.
fn take_error(failure: &Failure, log: &mut Vec<String>, refused: &[CapabilityRefusal]) -> String {
    match failure.code {
        FailureCode::HookError => {
            // The refusal is reported separately.
            let added = refused.first().map(|first| format!("; it was refused {first}")).unwrap_or_default();
            failure.message.strip_suffix(&added).unwrap_or(&failure.message).to_owned()
        }
        FailureCode::Exit => log.pop().unwrap_or_else(|| failure.to_string()),
        _ => to_plain_line(&failure.to_string()),
    }
}
