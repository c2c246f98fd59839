//! An agent's own hook file, read as the agent reads it and run as the agent runs it.

pub(super) mod line;

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use hookbox_model::{Event, EventName, Json, Limit, Limits, OnFailure, Role, TrustLevel};
use hookbox_port::{
    ChainPolicy, Condition, HookSpec, Origin, ShippedPlugin, Target, WrittenAt,
    hook::{PythonSpec, WasmSpec},
    hookfile::{Loaded, Severity, Source},
    port::Contract,
};
use serde_json::{Map, Value};

pub(super) use self::line::{Language, Step};
use super::{
    file_rules::{CheckedForm, FileFault, FileRules},
    json_comments, yaml,
};

/// Interpreter of an agent's own hook file.
pub trait OwnHooks: Sync {
    /// Returns the policy of the agent's chain.
    fn policy(&self) -> ChainPolicy;

    /// Returns the hooks of a file. Hooks that cannot run here, or that the agent would ignore, are reported.
    fn load(&self, source: &Source) -> Loaded;

    /// Returns the hooks of several files, in this order. A hook that the agent runs once even if several of its entries match has one
    /// [`WrittenAt::key`].
    fn load_all(&self, sources: &[Source]) -> Loaded {
        one_after_another(sources.iter().map(|source| self.load(source)))
    }

    /// Returns the contract that a hook of hookbox's own configuration may use (`speaks`), if one contract serves all hooks.
    fn contract(&self) -> Option<&'static dyn Contract> {
        None
    }

    /// Returns the contract that a Python function of hookbox's own configuration may use (`speaks`).
    fn function_contract(&self) -> Option<&'static dyn Contract> {
        None
    }

    /// Returns the Python function that the file names for a hook, if a component runs in its place.
    fn replaced_function(&self, hook: &HookSpec) -> Option<PythonSpec> {
        let _ = hook;
        None
    }

    /// Returns the name that `agent`, whose hook files these are, has for an event; `None` if no hook with its contract is called for the
    /// event. An agent that is built on a proxy has names for the proxy's events.
    fn name_event<'e>(&self, agent: &str, event: &'e Event) -> Option<&'e str> {
        (event.agent == agent).then_some(event.agent_event.as_str())
    }

    /// Returns the events of a proxy that the agent has one name for together with this event.
    fn proxied_events(&self, event: &EventName) -> &'static [EventName] {
        let _ = event;
        &[]
    }

    /// Returns true if the contract has webhooks.
    fn webhooks(&self) -> bool {
        false
    }

    /// Returns the differences when these hooks run in hookbox's own chain, a sentence each.
    fn differences(&self) -> &'static [&'static str] {
        &[]
    }
}

/// Concatenates the results of several files.
pub(super) fn one_after_another(files: impl Iterator<Item = Loaded>) -> Loaded {
    let mut all = Loaded::default();
    for file in files {
        all.hooks.extend(file.hooks);
        all.disabled.extend(file.disabled);
        all.problems.extend(file.problems);
    }
    all
}

/// Maximum number of hooks in one file: agents that run hooks side by side start all their processes concurrently.
const MAX_HOOKS: usize = 256;

/// A file while it is read.
pub(super) struct Reader<'a> {
    source: &'a Source,
    /// Text to read: the file, with comments removed.
    text: Cow<'a, str>,
    language: Language,
    loaded: Loaded,
}

/// A place in the file: `hooks.PreToolUse[0].hooks[1]`.
pub(super) type EntryPlace<'a> = &'a str;

/// The keys that an agent's hooks may have.
pub(super) struct Keys {
    pub(super) read: &'static [&'static str],
    /// Keys that only affect how a hook is shown, or that another system uses.
    pub(super) idle: &'static [&'static str],
}

/// One hook of a file.
pub(super) struct Entry {
    pub(super) name: Option<String>,
    /// The agent's name for the event, and hookbox's.
    pub(super) event: (&'static str, EventName),
    /// Milliseconds; clamped to hookbox's bounds.
    pub(super) timeout: u64,
    pub(super) on_failure: OnFailure,
    pub(super) target: Target,
    pub(super) contract: &'static dyn Contract,
    pub(super) condition: Option<Condition>,
    pub(super) sequential: bool,
    /// See [`WrittenAt::key`].
    pub(super) key: Option<String>,
}

impl Entry {
    /// Creates an entry without a name, for every event of that name, whose failure lets the event pass.
    pub(super) fn new(
        event: (&'static str, EventName),
        target: Target,
        contract: &'static dyn Contract,
        timeout: u64,
    ) -> Self {
        Self {
            name: None,
            event,
            timeout,
            on_failure: OnFailure::Allow,
            target,
            contract,
            condition: None,
            sequential: false,
            key: None,
        }
    }
}

/// Returns the folder of the plugin that a `hooks/hooks.json` belongs to: one of these manifests is next to the folder `hooks`.
pub(super) fn plugin_root(source: &Source, manifests: &[&str]) -> Option<String> {
    // Only in this folder do agents look for a plugin's hooks; a settings file next to a manifest is not a
    // plugin's.
    let folder = source.file.as_deref().and_then(Path::parent).filter(|folder| folder.ends_with("hooks"))?;
    let root = std::path::absolute(folder.parent()?).ok()?;
    manifests.iter().any(|manifest| root.join(manifest).exists()).then(|| root.to_string_lossy().into_owned())
}

/// Returns true if a command uses this variable.
pub fn uses_variable(command: &str, name: &str) -> bool {
    let braced = command.contains(&format!("${{{name}}}")) || command.contains(&format!("${{{name}:"));
    // `$CLAUDE_PROJECT_DIR_2` is another variable.
    let is_over = |rest: &str| !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_');
    braced || command.split(&format!("${name}")).skip(1).any(is_over)
}

/// Returns where a byte of the text is, for the end of a message: line and column, both from 1.
fn describe_position(text: &str, byte: usize) -> String {
    let before = text.get(..byte).unwrap_or_default();
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    format!(", at line {} column {column}", before.matches('\n').count() + 1)
}

impl<'a> Reader<'a> {
    pub(super) fn new(source: &'a Source) -> Self {
        let text = Cow::Borrowed(source.text.as_str());
        Self { source, text, language: Language::Json, loaded: Loaded::default() }
    }

    /// Parses the text as JSON, without its comments, for an agent that removes them first.
    pub(super) fn json_with_comments(&mut self) -> Option<Value> {
        self.text = json_comments::blank_comments(&self.source.text);
        self.parse_json()
    }

    /// Parses the text as a JSON object; reports a problem and returns `None` if it is something else.
    pub(super) fn parse_json(&mut self) -> Option<Value> {
        let value = self.any_json()?;
        if !value.is_object() {
            self.report_error("the file is not a JSON object, so no hook of it can be read");
            return None;
        }
        Some(value)
    }

    /// Parses the text as JSON of any kind; reports a problem and returns `None` if it is not JSON.
    pub(super) fn any_json(&mut self) -> Option<Value> {
        // JavaScript programs remove a byte order mark. For an agent that refuses it, [`Self::report_discarded`] reports the file.
        match Json::parse(self.text.trim_start_matches('\u{feff}')) {
            Ok(json) => Some(json.to_value()),
            Err(error) => {
                self.report_error(&format!("the file is not acceptable JSON: {error}"));
                None
            }
        }
    }

    /// Parses the text as TOML into JSON values; reports a problem and returns `None` if it is not TOML.
    pub(super) fn parse_toml(&mut self) -> Option<Value> {
        self.written_in_toml();
        match toml::from_str(&self.source.text) {
            Ok(value) => Some(value),
            Err(error) => {
                let place = error
                    .span()
                    .map(|span| describe_position(&self.source.text, span.start))
                    .unwrap_or_default();
                self.report_error(&format!("the file is not acceptable TOML: {}{place}", error.message()));
                None
            }
        }
    }

    /// Parses the text as YAML into JSON values. An agent that reads YAML ignores a file that it cannot read.
    pub(super) fn parse_yaml(&mut self) -> Option<Value> {
        self.language = Language::Yaml;
        match yaml::parse(&self.source.text) {
            Ok(value) => Some(value),
            Err(error) => {
                self.report_warning(&format!(
                    "the file is not acceptable YAML, so no hook of it runs: {error}"
                ));
                None
            }
        }
    }

    /// Declares that the file is TOML, and read by its agent's parser.
    pub(super) fn written_in_toml(&mut self) {
        self.language = Language::Toml;
    }

    /// Returns true, and reports an error, if the agent discards the file as a whole.
    pub(super) fn report_discarded(
        &mut self,
        file: &Value,
        (agent, rules): (&str, &FileRules),
        of: CheckedForm<'_>,
    ) -> bool {
        let has_mark = rules.refuses_mark && self.source.text.starts_with('\u{feff}');
        let Some(fault) = has_mark.then(FileFault::byte_order_mark).or_else(|| rules.find_fault(file, of))
        else {
            return false;
        };
        let line = line::find_line(&self.text, self.language, &fault.place);
        let message = format!("{fault}, and {agent} loads no hook of such a file: correct it or take it out");
        let mut problem = self.source.make_problem(Severity::Error, &message, None);
        problem.line = line;
        self.loaded.problems.push(problem);
        true
    }

    /// See [`plugin_root`].
    pub(super) fn plugin_root(&self, manifests: &[&str]) -> Option<String> {
        plugin_root(self.source, manifests)
    }

    /// Returns the plugin of this name that comes with hookbox.
    pub(super) fn find_plugin(&self, name: &str) -> Option<ShippedPlugin> {
        self.source.plugins.find(name)
    }

    /// Returns the component that an entry names: a plugin that comes with hookbox, or a file by its absolute path or by one from the
    /// folder of the hook file.
    ///
    /// # Errors
    ///
    /// There is no such plugin, or the file with the hooks is not the user's.
    pub(super) fn find_component(&self, name: &str) -> Result<WasmSpec, String> {
        // A bare name never means a file: a file of that name in the project must not replace a shipped
        // plugin.
        if !name.contains(['/', '.']) {
            let plugin = self.source.plugins.find(name).map(WasmSpec::from_shipped);
            return plugin.ok_or_else(|| {
                let known = self.source.plugins.names().join(", ");
                format!("no plugin `{name}` comes with hookbox (these do: {known}); name a file by a path with a `/`")
            });
        }
        // The component would run without having been reviewed or pinned.
        if self.source.trust_level == TrustLevel::Untrusted {
            return Err("an untrusted file names a component; add it with `hookbox plugin add`".to_owned());
        }
        let folder = self.source.file.as_deref().and_then(Path::parent);
        let path = folder.map_or_else(|| PathBuf::from(name), |folder| folder.join(name));
        if path.is_absolute() {
            return Ok(WasmSpec::new(path));
        }
        Err(format!("`{name}` is not absolute, and the folder of the hook file is not known"))
    }

    pub(super) fn report_error(&mut self, message: &str) {
        self.loaded.problems.push(self.source.make_problem(Severity::Error, message, None));
    }

    pub(super) fn report_warning(&mut self, message: &str) {
        self.loaded.problems.push(self.source.make_problem(Severity::Warning, message, None));
    }

    pub(super) fn add_entry(&mut self, place: EntryPlace<'_>, entry: Entry) {
        self.add_configured(place, entry, Json::empty_object());
    }

    /// Adds a hook with settings of its own: an object.
    pub(super) fn add_configured(&mut self, place: EntryPlace<'_>, entry: Entry, config: Json) {
        if self.loaded.hooks.len() + self.loaded.disabled.len() == MAX_HOOKS {
            return self.too_many();
        }
        let written = WrittenAt {
            place: place.to_owned(),
            event: entry.event.0,
            key: entry.key,
            description: None,
            idle: Vec::new(),
            unreadable: None,
        };
        let origin = Origin {
            file: self.source.file.clone(),
            line: line::find_line(&self.text, self.language, place),
            written: Some(Box::new(written)),
            ..Origin::new(self.source.layer, self.source.trust_level)
        };
        let hook = HookSpec::new(entry.name.as_deref().unwrap_or(place), entry.target)
            .on([entry.event.1])
            // Any hook of an agent's file may block and rewrite; its answer decides what it does.
            .role(Role::Transform);
        let limits = self.clamp_limits(place, entry.timeout);
        self.loaded.hooks.push(HookSpec {
            on_failure: Some(entry.on_failure),
            contract: Some(entry.contract),
            condition: entry.condition,
            sequential: entry.sequential,
            in_role: false,
            limits,
            config,
            origin,
            ..hook
        });
    }

    /// Returns the default limits with this timeout (ms), clamped to hookbox's bounds.
    fn clamp_limits(&mut self, place: EntryPlace<'_>, timeout: u64) -> Limits {
        let most = Limit::Timeout.max();
        if timeout > most {
            self.report_warning(&format!(
                "`{place}` may take {} s at most, not {} s",
                most / 1000,
                timeout / 1000
            ));
        }
        let timeout = timeout.clamp(Limit::Timeout.min(), most);
        Limits::default().with_limit(Limit::Timeout, timeout).unwrap_or_default()
    }

    /// Declares that a host calls the last added hook only once.
    pub(super) fn mark_once(&mut self) {
        if let Some(hook) = self.loaded.hooks.last_mut() {
            hook.once = true;
        }
    }

    /// Declares that the last added hook is switched off in its file.
    pub(super) fn mark_disabled(&mut self) {
        self.loaded.disabled.extend(self.loaded.hooks.pop());
    }

    /// Declares that the entry of the last added hook cannot be read, for this reason: each call of the hook fails.
    pub(super) fn mark_unreadable(&mut self, problem: &str) {
        if let Some(written) = self.last_place() {
            written.unreadable = Some(problem.to_owned());
        }
    }

    /// Sets the description of the last added hook.
    pub(super) fn set_description(&mut self, text: &str) {
        if let Some(written) = self.last_place() {
            written.description = Some(text.to_owned());
        }
    }

    /// Returns the place of the last added hook.
    fn last_place(&mut self) -> Option<&mut WrittenAt> {
        self.loaded.hooks.last_mut()?.origin.written.as_deref_mut()
    }

    /// Reports the members of an entry that the agent does not know.
    pub(super) fn report_unknown_keys<'k>(
        &mut self,
        place: EntryPlace<'_>,
        keys: impl Iterator<Item = &'k String>,
        known: &[&str],
    ) {
        for key in keys.filter(|key| !known.contains(&key.as_str())) {
            self.report_warning(&format!(
                "`{place}` has a member `{key}`, which has no meaning here; it is ignored"
            ));
        }
    }

    /// Reports a variable that the agent sets, or puts in itself, for hooks of a plugin only, in a file that is not a plugin's.
    pub(super) fn unset_variables(
        &mut self,
        (place, command): (EntryPlace<'_>, &str),
        (agent, names): (&str, &[&str]),
        marks: &[&str],
    ) {
        if let Some(name) = names.iter().find(|name| uses_variable(command, name)) {
            self.report_warning(&format!(
                "`{place}` uses `${{{name}}}`, which {agent} knows for a plugin's hooks only, and this file is not the \
                 `hooks/hooks.json` of one (next to {}): write the path",
                marks.join(" or ")
            ));
        }
    }

    /// Declares that the last added hook decides nothing: its agent does not wait for it.
    pub(super) fn mark_observer(&mut self) {
        if let Some(hook) = self.loaded.hooks.last_mut() {
            hook.role = Role::Observe;
        }
    }

    /// Reports keys of a hook at this place that are unknown to its agent, according to hookbox. `idle` keys have no effect here; they are
    /// kept for code that converts the hook, if it was the last that was added.
    pub(super) fn report_member_keys(
        &mut self,
        place: EntryPlace<'_>,
        hook: &serde_json::Map<String, Value>,
        known: &Keys,
    ) {
        let is_known = |key: &str| known.read.contains(&key) || known.idle.contains(&key);
        for key in hook.keys().filter(|key| !is_known(key)) {
            self.report_warning(&format!("`{place}.{key}` is not known here, and nothing is done about it"));
        }
        if let Some(written) = self.last_place().filter(|written| written.place == place) {
            let idle = hook.keys().filter(|key| known.idle.contains(&key.as_str()));
            written.idle = idle.cloned().collect();
        }
    }

    /// Reports once that the file has too many hooks.
    fn too_many(&mut self) {
        let message = format!("the file has more than {MAX_HOOKS} hooks; the rest is left out");
        // The rest of a long file would repeat the message for each of its hooks.
        if self.loaded.problems.last().is_none_or(|problem| problem.message != message) {
            self.report_error(&message);
        }
    }

    pub(super) fn finish(self) -> Loaded {
        self.loaded
    }
}

/// A group of the shape that Claude Code gave to others: `hooks.<Event>[n]` with a matcher and a list of hooks.
pub(super) struct Group<'v> {
    pub(super) event: &'v str,
    pub(super) place: String,
    /// All members of the group.
    pub(super) members: &'v Map<String, Value>,
    pub(super) matcher: Option<&'v str>,
    pub(super) sequential: bool,
    pub(super) hooks: Vec<(String, &'v Map<String, Value>)>,
}

/// Returns the groups of a file. Parts of another shape are reported and left out, each on its own.
pub(super) fn read_groups<'v>(file: &'v Value, reader: &mut Reader<'_>, skipped: &[&str]) -> Vec<Group<'v>> {
    let Some(hooks) = file.get("hooks") else { return Vec::new() };
    let Some(events) = hooks.as_object() else {
        reader.report_error("`hooks` is not an object");
        return Vec::new();
    };
    let mut groups = Vec::new();
    for (event, list) in events.iter().filter(|(event, _)| !skipped.contains(&event.as_str())) {
        let Some(list) = list.as_array() else {
            reader.report_warning(&format!("`hooks.{event}` is not an array; it is left out"));
            continue;
        };
        for (at, group) in list.iter().enumerate() {
            groups.extend(self::read_group(event, &format!("hooks.{event}[{at}]"), group, reader));
        }
    }
    groups
}

fn read_group<'v>(
    event: &'v str,
    place: &str,
    group: &'v Value,
    reader: &mut Reader<'_>,
) -> Option<Group<'v>> {
    let members = group.as_object();
    let list = members.and_then(|members| members.get("hooks")).and_then(Value::as_array);
    let (Some(members), Some(list)) = (members, list) else {
        reader.report_warning(&format!("`{place}` has no array `hooks`; it is left out"));
        return None;
    };
    let mut hooks = Vec::new();
    for (at, hook) in list.iter().enumerate() {
        let place = format!("{place}.hooks[{at}]");
        match hook.as_object() {
            Some(hook) => hooks.push((place, hook)),
            None => reader.report_warning(&format!("`{place}` is not an object; it is left out")),
        }
    }
    let matcher = group.get("matcher").and_then(Value::as_str);
    // Its hooks run: a guard that runs too often is safe.
    if group.get("matcher").is_some_and(|matcher| !matcher.is_string() && !matcher.is_null()) {
        reader.report_warning(&format!(
            "`{place}.matcher` is not a text; its hooks are called for every event"
        ));
    }
    let sequential = group.get("sequential") == Some(&Value::Bool(true));
    Some(Group { event, place: place.to_owned(), members, matcher, sequential, hooks })
}
