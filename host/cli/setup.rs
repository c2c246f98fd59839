//! From places and layers to a host.

use std::{
    io,
    path::{Path, PathBuf},
};

use hookbox::{
    Callback, CallbackHook, ChainPolicy, Counts, HookSpec, Host, HostBuilder,
    dialect::{Dialect, OwnHooks, settings},
    hookfile::{Loaded, Problem, Severity},
    model::{Answer, Event, EventName, Layer},
    port::Environment,
    sandbox::compile::Compiler,
};

use crate::{
    args::{OwnArgs, SourceArgs},
    counts, environment, hook_environment, layers, once,
    places::Places,
    switches::Switches,
};

const CHECK: &str = "hookbox check";

/// The same for an agent's own files.
fn check_of(dialect: &dyn Dialect, files: &[PathBuf]) -> String {
    files.iter().fold(format!("{CHECK} --agent {}", dialect.name()), |line, file| {
        let file = std::path::absolute(file).unwrap_or_else(|_| file.clone());
        format!("{line} --source {}", settings::quoted_word(&file.display().to_string()))
    })
}

/// Everything that one command works with.
pub(crate) struct Setup {
    pub(crate) places: Places,
    pub(crate) loaded: Loaded,
    pub(crate) counts: Counts,
    project: PathBuf,
    policy: ChainPolicy,
    /// What hooks may be given, if their configuration names it.
    hooks_environment: Environment,
    /// The command that shows what is wrong with the files.
    check: String,
}

impl Setup {
    /// Reads the files of all layers around `project`.
    pub(crate) fn read(places: Places, project: &Path, source: &SourceArgs) -> Self {
        let loaded = layers::load(&places, project, source.config.as_deref());
        let counts = places.failures().map(|path| counts::load(&path)).unwrap_or_default();
        let hooks_environment = hook_environment::of_own_hooks(&places, project, &loaded.hooks);
        let project = project.to_owned();
        Self {
            places,
            loaded,
            counts,
            project,
            policy: ChainPolicy::NATIVE,
            hooks_environment,
            check: CHECK.to_owned(),
        }
    }

    /// Reads the agent's own hook files, if any is given, else all layers.
    pub(crate) fn read_for(
        places: Places,
        dialect: &dyn Dialect,
        project: &Path,
        (source, own): (&SourceArgs, &OwnArgs),
    ) -> Self {
        match own.files.as_slice() {
            [] => Self::read(places, project, source),
            files => Self::read_own(places, dialect, files),
        }
    }

    /// The agent's own hooks do not trip: the agent does not do that. They get its variables, as they would from it.
    fn read_own(places: Places, dialect: &dyn Dialect, files: &[PathBuf]) -> Self {
        let loaded = layers::load_own(dialect, files);
        let policy = dialect.own_hooks().map(OwnHooks::policy).unwrap_or_default();
        Self {
            places,
            loaded,
            counts: Counts::default(),
            project: PathBuf::new(),
            policy,
            hooks_environment: environment::all().collect(),
            check: check_of(dialect, files),
        }
    }

    /// With what is known of the event's session.
    pub(crate) fn in_session(mut self, event: &Event) -> Self {
        let once = self.loaded.hooks.iter().any(|hook| hook.once);
        if let Some(file) = self.places.once().filter(|_| once) {
            self.counts.turns = once::taken(&file, &event.session);
        }
        self
    }

    /// Keeps which hooks have had their one turn.
    pub(crate) fn keep_turns(&self, event: &Event, after: &Counts) -> io::Result<()> {
        match self.places.once() {
            Some(file) => once::save(&file, &event.session, &self.counts.turns, &after.turns),
            None => Ok(()),
        }
    }

    /// By what all hooks of the project here are switched off, if they are.
    pub(crate) fn projects_off(&self) -> Option<String> {
        let project = self.places.project_config(&self.project)?;
        Switches::of([&self.loaded], self.places.switches().as_deref()).off(&project.root)
    }

    /// By what this hook is switched off, if its own entry does not do it.
    pub(crate) fn switched_off_by(&self, hook: &HookSpec) -> Option<String> {
        let project = self.places.project_config(&self.project)?;
        let switches = Switches::of([&self.loaded], self.places.switches().as_deref());
        switches.disables(&hook.name, &project.root).filter(|_| hook.origin.layer == Layer::Project)
    }

    /// Where counts are kept; the agent's own hooks have no such place.
    pub(crate) fn failures_file(&self, own: &OwnArgs) -> Option<PathBuf> {
        if own.files.is_empty() { self.places.failures() } else { None }
    }

    /// The host with all hooks.
    pub(crate) fn host(&self) -> Host {
        self.builder().hooks(self.loaded.hooks.clone()).build()
    }

    /// A host with this hook alone, which knows of no failures before.
    pub(crate) fn host_of(&self, hook: HookSpec) -> Host {
        self.builder().counts(Counts::default()).hooks([hook]).build()
    }

    /// The host that decides about an event of this name.
    pub(crate) fn host_for(&self, event: &EventName) -> Host {
        self.guarded(self.builder().hooks(self.loaded.hooks.clone()), event).build()
    }

    /// The same with wasm hooks that send nothing only; the others are in it and say nothing.
    pub(crate) fn dry_host_for(&self, event: &EventName) -> Host {
        let mut builder = self.builder();
        for spec in self.loaded.hooks.clone() {
            builder = if spec.is_harmless() {
                builder.hooks([spec])
            } else {
                builder.callback(CallbackHook::from(spec), Callback::sync(|_| Ok(Answer::default())))
            };
        }
        self.guarded(builder, event).build()
    }

    /// A broken file of the user's own may hold the very hook that would have denied, so what can be denied is. It is
    /// an answer and not a failure: failures are counted, and a tripped hook does not say why.
    fn guarded(&self, builder: HostBuilder, event: &EventName) -> HostBuilder {
        let Some(problem) = self.own_error().filter(|_| event.moment().block) else { return builder };
        let said = format!("{}: {}; run `{}`", problem.place(), problem.message, self.check);
        let answer = Answer::deny("bad-configuration", &said);
        let guard = Callback::sync(move |_| Ok(answer.clone()));
        builder.callback(CallbackHook::gate("configuration", [event.clone()]), guard)
    }

    fn builder(&self) -> HostBuilder {
        let mut builder = Host::builder()
            .environment(self.hooks_environment.clone())
            .counts(self.counts.clone())
            .policy(self.policy);
        if let Some(cache) = self.places.cache() {
            builder = builder.cache(&cache);
        }
        builder = match self.places.state() {
            Some(state) => builder.state(&state),
            None => builder.stops_are_lost(),
        };
        match environment::compiler() {
            Some(compiler) => builder.compiler(Compiler::Process(compiler)),
            None => builder.compiler(Compiler::Missing(environment::NOWHERE.to_owned())),
        }
    }

    fn own_error(&self) -> Option<&Problem> {
        let own = |problem: &&Problem| problem.layer != Layer::Project;
        self.loaded.problems.iter().filter(own).find(|problem| problem.severity == Severity::Error)
    }
}
