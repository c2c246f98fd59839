//! Hooks and settings for the events of one folder and session, read from files, with the state that is kept afterwards.

mod kept_state;
mod notices;
mod own_changes;
mod suspended_bundles;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use hookbox::{
    Callback, CallbackHook, ChainPolicy, Counts, HookSpec, Hooks, Host, Machine, MachineBuilder,
    SelfProtectionRule, ShippedPlugins, Target,
    agents::{AgentHookFile, Dialect, settings},
    hook::{PythonSpec, RefusedPlugins, WasmSpec},
    hookfile::{Loaded, Problem, Severity},
    interfaces::Environment,
    model::{Answer, Event, EventName, Layer, Reason},
    sandbox::compile::Compiler,
};

use crate::{
    allowances::Allowance,
    bundle,
    confine::OwnConfiner,
    counts, hook_environment, layers,
    places::Places,
    self_protection::SelfProtection,
    surroundings::{HookFiles, Surroundings},
    switches::{self, OffBy, Switches},
    trust_files::TrustFiles,
};

use self::kept_state::KeptState;
pub use self::{notices::PLUGIN_HOOKS, own_changes::OWN_CHANGES};

const CHECK: &str = "hookbox check";
/// Option of [`CHECK`] for both hookbox's hooks and an agent's own files.
const JOINED: &str = "--with-hookbox";

/// Returns the checking command for an agent's own files.
fn check_of(dialect: &dyn Dialect, files: &[PathBuf]) -> String {
    files.iter().fold(format!("{CHECK} --agent {}", dialect.name()), |line, file| {
        let file = std::path::absolute(file).unwrap_or_else(|_| file.clone());
        format!("{line} --source {}", settings::quoted_word(&file.display().to_string()))
    })
}

/// Returns the possible files of its module, in the configured folders.
fn module_files(python: &PythonSpec) -> impl Iterator<Item = PathBuf> {
    let module = python.module.replace('.', "/");
    python.path.iter().flat_map(move |folder| {
        let module = Path::new(folder).join(&module);
        [module.with_added_extension("py"), module.join("__init__.py")]
    })
}

/// Returns the plugins that no hook may call. If that cannot be determined, problems are added to `loaded`.
fn find_refused_plugins(
    places: &Places,
    folder: Option<&Path>,
    shipped: &ShippedPlugins,
    loaded: &mut Loaded,
) -> (RefusedPlugins, RefusedPlugins) {
    // Without a component, nothing can be refused.
    if !loaded.hooks.iter().any(|hook| hook.wasm().is_some()) {
        return Default::default();
    }
    let project = folder.and_then(|folder| places.project_config(folder)).map(|project| project.root);
    let (files, mut problems) = TrustFiles::read_files(places, project.as_deref(), shipped);
    let refused = files.find_refused((places, project.as_deref()), &loaded.hooks, shipped, &mut problems);
    loaded.problems.append(&mut problems);
    refused
}

/// The hooks for one folder, read from their files once, with the state of earlier events.
pub struct FolderHooks {
    /// The user's folders.
    pub places: Places,
    /// The hooks, and the problems of their files.
    pub loaded: Loaded,
    /// The counts on the disk, as last read or written here.
    counts: Mutex<KeptState>,
    /// File of the counts, if they are stored.
    counts_file: Option<PathBuf>,
    /// True if the hooks' answers are logged.
    logs: bool,
    /// The hooks that are skipped, since the user has allowed the call.
    allowed: Option<Allowance>,
    project: PathBuf,
    policy: ChainPolicy,
    /// The policy of an agent's own hooks in a chain with hookbox's.
    own_policy: Option<ChainPolicy>,
    /// Plugins that are never called: by the user's own hooks, and by untrusted ones.
    refused: (RefusedPlugins, RefusedPlugins),
    program: Option<PathBuf>,
    compiler: Compiler,
    /// The shipped plugin that computes facts about command lines.
    facts: Option<WasmSpec>,
    /// The self-protection rule, which no configuration can turn off.
    self_protection: Arc<SelfProtection>,
    /// Variables that hooks may receive if their configuration names them.
    hooks_environment: Environment,
    /// The command that shows the problems of the files.
    check: String,
    /// The exported folder that provides the plugins, if there is one.
    bundle: Option<PathBuf>,
}

impl FolderHooks {
    /// Reads the files as they are now. Their problems are in [`Self::loaded`].
    ///
    /// It blocks its thread: a file that was changed within two seconds is read again until it stays as it is, for at most 900
    /// ms.
    pub fn read_files(surroundings: Surroundings, files: HookFiles<'_>) -> Self {
        let configuration: Vec<PathBuf> = files.of_this_session().map(Path::to_owned).into_iter().collect();
        match files {
            HookFiles::Layers { folder, session } => {
                let from = (&surroundings.places, &surroundings.shipped);
                let loaded = layers::load_layers(from, folder, session, &surroundings.started_in());
                Self::of_configuration(surroundings, folder, loaded, configuration)
            }
            HookFiles::Alone { folder, file } => {
                let loaded = layers::load_alone(&surroundings.shipped, file);
                Self::of_configuration(surroundings, folder, loaded, configuration)
            }
            HookFiles::Bundle { folder, of } => {
                let loaded = bundle::load_bundle((&surroundings.places, &surroundings.shipped), folder, &of);
                let folder_hooks = Self::of_configuration(surroundings, folder, loaded, configuration);
                let folder_hooks = Self { bundle: Some(of.bundle.to_owned()), ..folder_hooks };
                // The command checks the user's files, and not this folder.
                let is_theirs =
                    folder_hooks.own_error().is_some_and(|problem| problem.layer == Layer::Session);
                if is_theirs { Self { check: String::new(), ..folder_hooks } } else { folder_hooks }
            }
            HookFiles::Own { dialect, files } => Self::read_own(surroundings, dialect, files),
            HookFiles::Joined { folder, dialect, files } => {
                let from = (&surroundings.places, &surroundings.shipped);
                let loaded = layers::load_joined(from, folder, &surroundings.started_in(), (dialect, files));
                let folder_hooks = Self::of_configuration(surroundings, folder, loaded, configuration);
                let own_policy = dialect.hook_file().map(AgentHookFile::policy);
                Self { own_policy, check: format!("{} {JOINED}", check_of(dialect, files)), ..folder_hooks }
            }
        }
    }

    fn of_configuration(
        surroundings: Surroundings,
        project: &Path,
        mut loaded: Loaded,
        configuration: Vec<PathBuf>,
    ) -> Self {
        let self_protection = SelfProtection::new_shared(&surroundings, &loaded, configuration);
        let Surroundings { places, shipped, program, compiler, variables, .. } = surroundings;
        let refused = find_refused_plugins(&places, Some(project), &shipped, &mut loaded);
        let counts_file = places.failures();
        let hooks_environment =
            hook_environment::build_hook_environment(&places, project, &loaded.hooks, variables);
        Self {
            counts: KeptState::new(counts_file.as_deref().map(counts::load_counts).unwrap_or_default()),
            counts_file,
            places,
            logs: !loaded.log_off,
            allowed: None,
            loaded,
            project: project.to_owned(),
            policy: ChainPolicy::NATIVE,
            own_policy: None,
            refused,
            program,
            compiler,
            facts: WasmSpec::find_facts_plugin(&shipped),
            self_protection,
            hooks_environment,
            check: CHECK.to_owned(),
            bundle: None,
        }
    }

    /// Reads an agent's own hooks. They do not trip, because the agent does not trip them. They receive the agent's variables,
    /// as they would from the agent.
    fn read_own(surroundings: Surroundings, dialect: &dyn Dialect, files: &[PathBuf]) -> Self {
        let mut loaded = layers::load_own(dialect, &surroundings.shipped, files);
        let self_protection = SelfProtection::new_shared(&surroundings, &loaded, Vec::new());
        let Surroundings { places, shipped, program, compiler, variables, .. } = surroundings;
        let refused = find_refused_plugins(&places, None, &shipped, &mut loaded);
        Self {
            logs: !layers::is_log_off(&places, &shipped),
            places,
            loaded,
            refused,
            counts: KeptState::new(Counts::default()),
            counts_file: None,
            allowed: None,
            project: PathBuf::new(),
            policy: dialect.hook_file().map(AgentHookFile::policy).unwrap_or_default(),
            own_policy: None,
            program,
            compiler,
            facts: WasmSpec::find_facts_plugin(&shipped),
            self_protection,
            hooks_environment: variables.into_iter().collect(),
            check: check_of(dialect, files),
            bundle: None,
        }
    }

    /// Returns the files of the plugins and of the Python modules that its hooks call.
    pub fn plugin_files(&self) -> impl Iterator<Item = PathBuf> {
        self.loaded.hooks.iter().flat_map(|hook| match &hook.target {
            Target::Wasm(wasm) => vec![wasm.path.clone()],
            Target::Python(python) => module_files(python).collect(),
            Target::Shell(_) | Target::Webhook(_) | Target::Callback => Vec::new(),
        })
    }

    /// Returns the folder that events come from.
    pub fn folder(&self) -> &Path {
        &self.project
    }

    /// Returns the variables that hooks may receive if their configuration names them.
    pub fn environment(&self) -> &Environment {
        &self.hooks_environment
    }

    /// Returns true if the user's own configuration cannot be read, so that a hook may be missing. Every event that can be
    /// denied is denied then.
    pub fn is_broken(&self) -> bool {
        self.own_error().is_some()
    }

    /// Returns true if the user has switched hooks off, perhaps for a limited time.
    pub fn has_switches(&self) -> bool {
        self.places.switches().is_some_and(|file| file.exists())
    }

    /// Returns the machine for the hooks, with the former counts. A long-running program makes one machine for each user, and a
    /// host on it for each of that user's folders ([`Machine::create_host`]): variables, secrets, the cache and the hooks' state belong
    /// to the machine, so on another user's machine hooks would get that user's. The variables are those of these hooks.
    pub fn machine(&self) -> MachineBuilder {
        let mut builder = Machine::builder()
            .environment(self.hooks_environment.clone())
            .counts(self.kept().counts.clone())
            .compiler(self.compiler.clone());
        if let Some(cache) = self.places.cache() {
            builder = builder.cache(&cache);
        }
        if let Some(facts) = &self.facts {
            builder = builder.facts_plugin(facts.clone());
        }
        match self.places.state() {
            Some(state) => builder.state(&state),
            // A project's settings can move the state to a folder that is not used; its hooks could then keep the agent
            // without end.
            None => builder.stops_are_lost(),
        }
    }

    /// Returns all hooks, for inspection.
    pub fn hooks(&self) -> Hooks {
        self.no_hooks().hooks(self.loaded.hooks.clone())
    }

    /// Returns the hooks that decide about an event of this name. If a file of the user's own is broken, they deny every event
    /// that can be denied.
    pub fn hooks_for(&self, event: &EventName) -> Hooks {
        self.add_guard(self.hooks(), event)
    }

    /// Returns the hooks for an event of this name, with only those wasm hooks that send nothing; the others are replaced by
    /// hooks with empty answers.
    pub fn dry_hooks_for(&self, event: &EventName) -> Hooks {
        let mut hooks = self.no_hooks();
        for spec in self.loaded.hooks.clone() {
            hooks = if spec.is_harmless() {
                hooks.hooks([spec])
            } else {
                hooks.callback(CallbackHook::from(spec), Callback::sync(|_| Ok(Answer::default())))
            };
        }
        self.add_guard(hooks, event)
    }

    /// Returns a host with these hooks, on a machine of its own.
    pub fn build_host(&self, hooks: Hooks) -> Host {
        self.machine().build().create_host(hooks)
    }

    /// Returns a host with this hook alone, without former failures.
    pub fn host_of(&self, hook: HookSpec) -> Host {
        // A tripped hook would not be called, and a successful check is what ends the trip.
        self.machine().counts(Counts::default()).build().create_host(self.no_hooks().hooks([hook]))
    }

    /// Returns the reason why this call is denied whatever hooks or the user decide, if it would change hookbox's own files.
    pub fn find_forbid_reason(&self, event: &Event) -> Option<Reason> {
        self.self_protection.is_about(event).then(|| self.self_protection.refuses(event))?
    }

    /// Returns true if, after the configuration, an event reads no file other than that of the allowances. Its hooks can be
    /// called without waiting for a disk then.
    pub fn has_all(&self) -> bool {
        !self.is_broken() && !self.loaded.hooks.iter().any(|hook| hook.once)
    }

    /// Returns the file of the user's allowances, which may not exist; `None` if calls cannot be allowed.
    pub fn allowances_file(&self) -> Option<PathBuf> {
        // A session that runs an agent's own files has no records, so nothing was allowed in it.
        self.places.allowances().filter(|_| self.counts_file.is_some())
    }

    /// Returns the switch that turns all hooks of this folder's project off, if there is one.
    pub fn projects_off(&self) -> Option<OffBy> {
        let project = self.places.project_config(&self.project)?;
        self.switches().find_off(&project.root)
    }

    /// Returns the switch that turns this hook off, other than its own entry.
    pub fn switched_off_by(&self, hook: &HookSpec) -> Option<OffBy> {
        let folder = match hook.origin.layer {
            Layer::Project => self.places.project_config(&self.project)?.root,
            _ => self.project.clone(),
        };
        self.switches().of_hook(hook, &folder)
    }

    fn switches(&self) -> Switches<'_> {
        let kept = self.places.switches().as_deref().map(switches::load_switches).unwrap_or_default();
        Switches::from_layers([&self.loaded], kept)
    }

    fn no_hooks(&self) -> Hooks {
        let (own, untrusted) = self.refused.clone();
        let confiner = OwnConfiner {
            places: self.places.clone(),
            profiles: self.loaded.profiles.clone(),
            program: self.program.clone(),
        };
        Hooks::new()
            .policy(self.policy)
            .own_policy(self.own_policy)
            .refuse_plugins(own, untrusted)
            .own_rule(self.self_protection.clone())
            .confiner(Arc::new(confiner))
    }

    /// Adds a gate that denies every event that can be denied if a file of the user's own is broken, since it may contain the
    /// very hook that would have denied. The denial is an answer and not a failure: failures are counted, and a tripped hook
    /// does not give its reason.
    fn add_guard(&self, hooks: Hooks, event: &EventName) -> Hooks {
        let Some(problem) = self.own_error().filter(|_| event.traits().block) else { return hooks };
        let message = self.describe_problem(problem);
        let guard = Callback::sync(move |_| Ok(Answer::deny("bad-configuration", &message)));
        hooks.callback(CallbackHook::gate("configuration", [event.clone()]), guard)
    }

    /// Returns why [`Self::is_broken`].
    pub fn broken(&self) -> Option<String> {
        self.own_error().map(|problem| self.describe_problem(problem))
    }

    fn describe_problem(&self, problem: &Problem) -> String {
        let message = format!("{}: {}", problem.place(), problem.message);
        if self.check.is_empty() { message } else { format!("{message}; run `{}`", self.check) }
    }

    fn own_error(&self) -> Option<&Problem> {
        // A broken file of a project must not deny: otherwise any repository could block the user's agent.
        let own = |problem: &&Problem| problem.layer != Layer::Project;
        self.loaded.problems.iter().filter(own).find(|problem| problem.severity == Severity::Error)
    }
}
