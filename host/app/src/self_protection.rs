//! Self-protection: no tool of an agent writes hookbox's own files or takes hookbox's entries out of agents' settings.
//!
//! No tool sets a switch in these settings that stops all hooks, either.
//!
//! The rule applies in every host that is made from files. The rule is not a hook: no configuration, switch, allowance or
//! session takes it away, and it needs no plugin.
//!
//! It checks the files that a call names and those that a command line writes, with links followed. It does not see the effects
//! inside a program (a script, an interpreter, an unknown variable): `integrity` finds what these have changed.

mod call;
mod entries;
mod links;
mod list_and_delete;
mod off_switches;
mod path_names;
mod pattern;
mod places;
mod relation;
mod target;
mod text;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use hookbox::{
    SelfProtectionRule,
    hookfile::Loaded,
    model::{Event, EventMoment, EventName, Reason, ToolClass, TrustLevel},
    sandbox::compile::Compiler,
};

use self::{
    call::of_call,
    off_switches::SwitchedAgents,
    places::{OwnPlaces, ProtectedPlaces},
    target::Target,
};
use crate::Surroundings;

/// Name and reason code of the rule.
pub const OWN_FILES: &str = "hookbox-files";
/// Time for which the looked-up places are reused.
const PLACES_LIFETIME: Duration = Duration::from_millis(100);
/// Advice for the agent: the user may do this, an agent may not.
const PERSON: &str =
    "Only the user may do this, in a terminal or an editor: tell the user what should change, and why";

/// Refusal of a command that follows links in a folder with too many entries.
const TOO_MANY_LINKS: &str = "it follows links, in a folder with too many entries for hookbox to see that none of them leads to \
                              hookbox's own files. Name a smaller folder, or leave out the option that follows links";

pub(crate) struct SelfProtection {
    places: OwnPlaces,
    /// The home folders that `~` may mean.
    homes: Vec<PathBuf>,
    switched: SwitchedAgents,
    known: Mutex<Option<(Instant, Arc<ProtectedPlaces>)>>,
}

impl SelfProtection {
    /// Returns the rule for these surroundings and hooks; `named` are the configuration files given for this session.
    pub(crate) fn new_shared(surroundings: &Surroundings, loaded: &Loaded, named: Vec<PathBuf>) -> Arc<Self> {
        let Surroundings { places, shipped, compiler, variables, .. } = surroundings;
        let own = loaded.hooks.iter().filter(|hook| hook.origin.trust_level == TrustLevel::Own);
        let plugins = own.filter_map(|hook| Some(hook.wasm()?.path.as_path()));
        let own_places = OwnPlaces::of_user(places)
            .with_programs(program_of(compiler), shipped.folder())
            .with_configuration(named)
            .with_stores_of(plugins);
        // The agent's shell expands `~` by this variable, which may differ from the account's home folder.
        let from_variables =
            variables.iter().filter(|(name, _)| name == "HOME").map(|(_, home)| PathBuf::from(home));
        let mut homes: Vec<PathBuf> =
            places.home().map(Path::to_owned).into_iter().chain(from_variables).collect();
        homes.retain(|home| home.is_absolute());
        homes.dedup();
        let switched = SwitchedAgents::of_user(surroundings);
        Arc::new(Self { places: own_places, homes, switched, known: Mutex::default() })
    }

    /// Returns the protected places, as they are on the disk.
    fn own(&self) -> Arc<ProtectedPlaces> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match known.as_ref() {
            Some((since, own)) if since.elapsed() < PLACES_LIFETIME => Arc::clone(own),
            _ => {
                let own = Arc::new(self.places.look());
                *known = Some((Instant::now(), Arc::clone(&own)));
                own
            }
        }
    }
}

impl SelfProtectionRule for SelfProtection {
    fn name(&self) -> &'static str {
        OWN_FILES
    }

    fn is_about(&self, event: &Event) -> bool {
        // A custom event may come before or after the call; an event after it has an output.
        let is_before = matches!(event.name, EventName::Custom(_))
            || event.name.traits().moment == EventMoment::PendingCall;
        let Some(tool) = event.tool.as_ref().filter(|tool| is_before && tool.output.is_none()) else {
            return false;
        };
        match tool.class {
            // A tool's arguments may do more than its name suggests.
            ToolClass::Shell | ToolClass::FileWrite | ToolClass::Mcp | ToolClass::Other => true,
            // A tool that is not in the agent's table was given this class because of its name.
            ToolClass::FileRead | ToolClass::Search => !tool_arguments::reads(&tool.name),
            ToolClass::Web | ToolClass::Agent => false,
        }
    }

    fn refuses(&self, event: &Event) -> Option<Reason> {
        let writes = of_call(event, &self.homes)?;
        if let Some(what) = &writes.reserved_command {
            return Some(build_reason(&format!("the command {what}")));
        }
        let own = (!writes.targets.is_empty()).then(|| self.own());
        let keeps_entries =
            |file: &Path| event.tool.as_ref().is_some_and(|tool| entries::are_kept_by(tool, file));
        let find_hit = |target: &Target| own.as_ref()?.hit_by(target, &keeps_entries);
        let named = writes.targets.iter().find_map(|target| Some((target.shown.clone(), find_hit(target)?)));
        let led = if named.is_some() { Ok(None) } else { links::find_led(&writes, &find_hit) };
        if let Some((shown, what)) = named.or_else(|| led.as_ref().ok()?.clone()) {
            return Some(build_reason(&format!("`{shown}` would be changed, and that is {what}")));
        }
        if let Some(switch) = self.switched.find_set(event, &writes.targets) {
            return Some(build_reason(&switch.describe_effect()));
        }
        if led.is_err() {
            return Some(Reason::new(OWN_FILES, TOO_MANY_LINKS));
        }
        let why = "it does too much for hookbox to see that it leaves hookbox's own files alone. Split it into several calls";
        writes.is_cut.then(|| Reason::new(OWN_FILES, why))
    }
}

/// Returns the compiler's file, which is in the folder of the other programs.
fn program_of(compiler: &Compiler) -> Option<&Path> {
    match compiler {
        Compiler::Process(file) => Some(file),
        Compiler::Watched(compiler, _) => program_of(compiler),
        _ => None,
    }
}

fn build_reason(found: &str) -> Reason {
    Reason::new(OWN_FILES, &format!("{found}. {PERSON}"))
}
