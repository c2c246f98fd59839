//! What files say for the event of one folder and session, and what is kept of it afterwards.

mod kept;
mod late;
mod told;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use hookbox::{
    Callback, CallbackHook, ChainPolicy, Counts, HookSpec, Hooks, Host, Machine, MachineBuilder, OwnRule,
    ShippedPlugins, Target,
    dialect::{Dialect, OwnHooks, settings},
    hook::{PythonSpec, RefusedPlugins},
    hookfile::{Loaded, Problem, Severity},
    model::{Answer, Event, EventName, Layer, Reason},
    port::Environment,
    sandbox::compile::Compiler,
};

use crate::{
    allowances::Allowance,
    bundle,
    confine::OwnConfiner,
    counts, hook_environment, layers,
    own_gate::OwnGate,
    places::Places,
    surroundings::{HookFiles, Surroundings},
    switches::{self, OffBy, Switches},
    trust_files::TrustFiles,
};

use self::kept::Kept;
pub use self::told::PLUGIN_HOOKS;

const CHECK: &str = "hookbox check";

/// The same for an agent's own files.
fn check_of(dialect: &dyn Dialect, files: &[PathBuf]) -> String {
    files.iter().fold(format!("{CHECK} --agent {}", dialect.name()), |line, file| {
        let file = std::path::absolute(file).unwrap_or_else(|_| file.clone());
        format!("{line} --source {}", settings::quoted_word(&file.display().to_string()))
    })
}

/// Where its module may be, in the folders of its own.
fn module_files(python: &PythonSpec) -> impl Iterator<Item = PathBuf> {
    let module = python.module.replace('.', "/");
    python.path.iter().flat_map(move |folder| {
        let module = Path::new(folder).join(&module);
        [module.with_added_extension("py"), module.join("__init__.py")]
    })
}

/// What no hook calls. If it cannot be said what that is, the files have an error.
fn refused(
    places: &Places,
    folder: Option<&Path>,
    shipped: &ShippedPlugins,
    loaded: &mut Loaded,
) -> (RefusedPlugins, RefusedPlugins) {
    // Without a component there is nothing to refuse.
    if !loaded.hooks.iter().any(|hook| hook.wasm().is_some()) {
        return Default::default();
    }
    let project = folder.and_then(|folder| places.project_config(folder)).map(|project| project.root);
    let (files, mut problems) = TrustFiles::read(places, project.as_deref(), shipped);
    let refused = files.refused((places, project.as_deref()), &loaded.hooks, shipped, &mut problems);
    loaded.problems.append(&mut problems);
    refused
}

/// The hooks for one folder, read from their files once, and what is known of them from earlier events.
pub struct Setup {
    /// Where the user's files are.
    pub places: Places,
    /// The hooks, and what is wrong with their files.
    pub loaded: Loaded,
    /// What is on the disk, as far as it is known here.
    counts: Mutex<Kept>,
    /// Where counts are kept, if they are.
    counts_file: Option<PathBuf>,
    /// Is it written down what hooks say?
    logs: bool,
    /// Hooks that are not asked, since a person has allowed the call.
    allowed: Option<Allowance>,
    project: PathBuf,
    policy: ChainPolicy,
    /// What is never called: of the user's own hooks, and of strangers'.
    refused: (RefusedPlugins, RefusedPlugins),
    program: Option<PathBuf>,
    compiler: Compiler,
    /// What no call may write, whatever the files say.
    own_gate: Arc<OwnGate>,
    /// What hooks may be given, if their configuration names it.
    hooks_environment: Environment,
    /// The command that shows what is wrong with the files.
    check: String,
    /// The folder whose plugins these are, if they are those of one that was exported.
    bundle: Option<PathBuf>,
}

impl Setup {
    /// Reads the files as they are now. What is wrong with them is in [`Self::loaded`].
    ///
    /// It blocks its thread: a file that was changed within two seconds is waited for until it stays as it is, for at most
    /// 900 ms.
    pub fn read(surroundings: Surroundings, files: HookFiles<'_>) -> Self {
        let configuration: Vec<PathBuf> = files.of_this_session().map(Path::to_owned).into_iter().collect();
        match files {
            HookFiles::Layers { folder, session } => {
                let from = (&surroundings.places, &surroundings.shipped);
                let loaded = layers::load(from, folder, session, &surroundings.started_in());
                Self::of_configuration(surroundings, folder, loaded, configuration)
            }
            HookFiles::Alone { folder, file } => {
                let loaded = layers::load_alone(&surroundings.shipped, file);
                Self::of_configuration(surroundings, folder, loaded, configuration)
            }
            HookFiles::Bundle { folder, of } => {
                let loaded = bundle::load((&surroundings.places, &surroundings.shipped), folder, &of);
                let setup = Self::of_configuration(surroundings, folder, loaded, configuration);
                let setup = Self { bundle: Some(of.bundle.to_owned()), ..setup };
                // That looks at the user's files, and not at this folder.
                let is_theirs = setup.own_error().is_some_and(|problem| problem.layer == Layer::Session);
                if is_theirs { Self { check: String::new(), ..setup } } else { setup }
            }
            HookFiles::Own { dialect, files } => Self::read_own(surroundings, dialect, files),
        }
    }

    fn of_configuration(
        surroundings: Surroundings,
        project: &Path,
        mut loaded: Loaded,
        configuration: Vec<PathBuf>,
    ) -> Self {
        let own_gate = OwnGate::of(&surroundings, &loaded, configuration);
        let Surroundings { places, shipped, program, compiler, variables } = surroundings;
        let refused = refused(&places, Some(project), &shipped, &mut loaded);
        let counts_file = places.failures();
        let hooks_environment = hook_environment::of_own_hooks(&places, project, &loaded.hooks, variables);
        Self {
            counts: Kept::new(counts_file.as_deref().map(counts::load).unwrap_or_default()),
            counts_file,
            places,
            logs: !loaded.log_off,
            allowed: None,
            loaded,
            project: project.to_owned(),
            policy: ChainPolicy::NATIVE,
            refused,
            program,
            compiler,
            own_gate,
            hooks_environment,
            check: CHECK.to_owned(),
            bundle: None,
        }
    }

    /// The agent's own hooks do not trip: the agent does not do that. They get its variables, as they would from it.
    fn read_own(surroundings: Surroundings, dialect: &dyn Dialect, files: &[PathBuf]) -> Self {
        let mut loaded = layers::load_own(dialect, &surroundings.shipped, files);
        let own_gate = OwnGate::of(&surroundings, &loaded, Vec::new());
        let Surroundings { places, shipped, program, compiler, variables } = surroundings;
        let refused = refused(&places, None, &shipped, &mut loaded);
        Self {
            // Where hooks print into a log, the user's own is one.
            logs: dialect.shows_logs() && !layers::is_log_off(&places, &shipped),
            places,
            loaded,
            refused,
            counts: Kept::new(Counts::default()),
            counts_file: None,
            allowed: None,
            project: PathBuf::new(),
            policy: dialect.own_hooks().map(OwnHooks::policy).unwrap_or_default(),
            program,
            compiler,
            own_gate,
            hooks_environment: variables.into_iter().collect(),
            check: check_of(dialect, files),
            bundle: None,
        }
    }

    /// The files of the plugins and of the Python modules that its hooks call.
    pub fn plugin_files(&self) -> impl Iterator<Item = PathBuf> {
        self.loaded.hooks.iter().flat_map(|hook| match &hook.target {
            Target::Wasm(wasm) => vec![wasm.path.clone()],
            Target::Python(python) => module_files(python).collect(),
            Target::Shell(_) | Target::Webhook(_) | Target::Callback => Vec::new(),
        })
    }

    /// The folder that events come from.
    pub fn folder(&self) -> &Path {
        &self.project
    }

    /// What hooks may be given, if their configuration names it.
    pub fn environment(&self) -> &Environment {
        &self.hooks_environment
    }

    /// Is a hook missing because the user's own configuration cannot be read? Then what can be denied is denied.
    pub fn is_broken(&self) -> bool {
        self.own_error().is_some()
    }

    /// Has a person switched hooks off, which may end at some time?
    pub fn has_switches(&self) -> bool {
        self.places.switches().is_some_and(|file| file.exists())
    }

    /// What hooks run on, with what was counted before. A program that lives on makes one machine for each user, and a host on it
    /// for each of that user's setups ([`Machine::host`]): variables, secrets, the cache and what hooks keep are the machine's, so
    /// on another user's machine hooks would be given that user's. The variables are those of this setup's hooks.
    pub fn machine(&self) -> MachineBuilder {
        let mut builder = Machine::builder()
            .environment(self.hooks_environment.clone())
            .counts(self.kept().counts.clone())
            .compiler(self.compiler.clone());
        if let Some(cache) = self.places.cache() {
            builder = builder.cache(&cache);
        }
        match self.places.state() {
            Some(state) => builder.state(&state),
            None => builder.stops_are_lost(),
        }
    }

    /// All hooks, to be looked at.
    pub fn hooks(&self) -> Hooks {
        self.no_hooks().hooks(self.loaded.hooks.clone())
    }

    /// The hooks that decide about an event of this name. If a file of the user's own is broken, they deny what can be denied.
    pub fn hooks_for(&self, event: &EventName) -> Hooks {
        self.guarded(self.hooks(), event)
    }

    /// The same with wasm hooks that send nothing only; the others are in it and say nothing.
    pub fn dry_hooks_for(&self, event: &EventName) -> Hooks {
        let mut hooks = self.no_hooks();
        for spec in self.loaded.hooks.clone() {
            hooks = if spec.is_harmless() {
                hooks.hooks([spec])
            } else {
                hooks.callback(CallbackHook::from(spec), Callback::sync(|_| Ok(Answer::default())))
            };
        }
        self.guarded(hooks, event)
    }

    /// A host with these hooks, on a machine of its own.
    pub fn host(&self, hooks: Hooks) -> Host {
        self.machine().build().host(hooks)
    }

    /// A host with this hook alone, which knows of no failures before.
    pub fn host_of(&self, hook: HookSpec) -> Host {
        self.machine().counts(Counts::default()).build().host(self.no_hooks().hooks([hook]))
    }

    /// Why nobody lets this call pass, hook or person, if that is so: it would change hookbox's own files.
    pub fn forbids(&self, event: &Event) -> Option<Reason> {
        self.own_gate.is_about(event).then(|| self.own_gate.refuses(event))?
    }

    /// Is nothing read for any event once the files are, but what a person has allowed? Its hooks can be asked without waiting for a
    /// disk then.
    pub fn has_all(&self) -> bool {
        !self.is_broken() && !self.loaded.hooks.iter().any(|hook| hook.once)
    }

    /// What a person has allowed is in this file, which need not be there; `None` if nothing can be.
    pub fn allowances_file(&self) -> Option<PathBuf> {
        // Of a session that runs an agent's own files nothing was written down, so nothing was allowed.
        self.places.allowances().filter(|_| self.counts_file.is_some())
    }

    /// By what all hooks of the project here are switched off, if they are.
    pub fn projects_off(&self) -> Option<OffBy> {
        let project = self.places.project_config(&self.project)?;
        self.switches().off(&project.root)
    }

    /// By what this hook is switched off, if its own entry does not do it.
    pub fn switched_off_by(&self, hook: &HookSpec) -> Option<OffBy> {
        let folder = match hook.origin.layer {
            Layer::Project => self.places.project_config(&self.project)?.root,
            _ => self.project.clone(),
        };
        self.switches().of_hook(hook, &folder)
    }

    fn switches(&self) -> Switches<'_> {
        let kept = self.places.switches().as_deref().map(switches::load).unwrap_or_default();
        Switches::of([&self.loaded], kept)
    }

    fn no_hooks(&self) -> Hooks {
        let (own, strangers) = self.refused.clone();
        let confiner = OwnConfiner {
            places: self.places.clone(),
            profiles: self.loaded.profiles.clone(),
            program: self.program.clone(),
        };
        Hooks::new()
            .policy(self.policy)
            .refusing(own, strangers)
            .own_rule(self.own_gate.clone())
            .confiner(Arc::new(confiner))
    }

    /// A broken file of the user's own may hold the very hook that would have denied, so what can be denied is. It is
    /// an answer and not a failure: failures are counted, and a tripped hook does not say why.
    fn guarded(&self, hooks: Hooks, event: &EventName) -> Hooks {
        let Some(problem) = self.own_error().filter(|_| event.traits().block) else { return hooks };
        let mut said = format!("{}: {}", problem.place(), problem.message);
        if !self.check.is_empty() {
            said = format!("{said}; run `{}`", self.check);
        }
        let guard = Callback::sync(move |_| Ok(Answer::deny("bad-configuration", &said)));
        hooks.callback(CallbackHook::gate("configuration", [event.clone()]), guard)
    }

    fn own_error(&self) -> Option<&Problem> {
        let own = |problem: &&Problem| problem.layer != Layer::Project;
        self.loaded.problems.iter().filter(own).find(|problem| problem.severity == Severity::Error)
    }
}
