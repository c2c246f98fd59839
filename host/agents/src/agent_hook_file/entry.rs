//! Entries of a file: each becomes a hook, whose keys and variables are checked.

use hookbox_core::{Condition, HookSpec, Origin, Target, WrittenAt, interfaces::Contract};
use hookbox_model::{EventName, Json, Limit, Limits, OnFailure, Role};
use serde_json::Value;

use super::{line, reader::Reader, uses_variable};

/// Maximum number of hooks in one file: agents that run hooks side by side start all their processes concurrently.
const MAX_HOOKS: usize = 256;

/// A place in the file: `hooks.PreToolUse[0].hooks[1]`.
pub(crate) type EntryPlace<'a> = &'a str;

/// The keys that an agent's hooks may have.
pub(crate) struct Keys {
    pub(crate) read: &'static [&'static str],
    /// Keys that only affect how a hook is shown, or that another system uses.
    pub(crate) idle: &'static [&'static str],
}

pub(crate) struct Entry {
    pub(crate) name: Option<String>,
    /// The agent's name for the event, and hookbox's.
    pub(crate) event: (&'static str, EventName),
    /// Milliseconds; clamped to hookbox's bounds.
    pub(crate) timeout: u64,
    pub(crate) on_failure: OnFailure,
    pub(crate) target: Target,
    pub(crate) contract: &'static dyn Contract,
    pub(crate) condition: Option<Condition>,
    pub(crate) sequential: bool,
    /// See [`WrittenAt::key`].
    pub(crate) key: Option<String>,
}

impl Entry {
    /// Creates an entry without a name, for every event of that name, whose failure lets the event pass.
    pub(crate) fn new(
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

impl Reader<'_> {
    pub(crate) fn add_entry(&mut self, place: EntryPlace<'_>, entry: Entry) {
        self.add_configured(place, entry, Json::empty_object());
    }

    /// Adds a hook with settings of its own: an object.
    pub(crate) fn add_configured(&mut self, place: EntryPlace<'_>, entry: Entry, config: Json) {
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
    pub(crate) fn mark_once(&mut self) {
        if let Some(hook) = self.loaded.hooks.last_mut() {
            hook.once = true;
        }
    }

    /// Declares that the last added hook is switched off in its file.
    pub(crate) fn mark_disabled(&mut self) {
        self.loaded.disabled.extend(self.loaded.hooks.pop());
    }

    /// Declares that the entry of the last added hook cannot be read, for this reason: each call of the hook fails.
    pub(crate) fn mark_unreadable(&mut self, problem: &str) {
        if let Some(written) = self.last_place() {
            written.unreadable = Some(problem.to_owned());
        }
    }

    pub(crate) fn set_description(&mut self, text: &str) {
        if let Some(written) = self.last_place() {
            written.description = Some(text.to_owned());
        }
    }

    fn last_place(&mut self) -> Option<&mut WrittenAt> {
        self.loaded.hooks.last_mut()?.origin.written.as_deref_mut()
    }

    /// Reports the members of an entry that the agent does not know.
    pub(crate) fn report_unknown_keys<'k>(
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
    pub(crate) fn unset_variables(
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
    pub(crate) fn mark_observer(&mut self) {
        if let Some(hook) = self.loaded.hooks.last_mut() {
            hook.role = Role::Observe;
        }
    }

    /// Reports keys of a hook at this place that are unknown to its agent, according to hookbox. `idle` keys have no effect here; they are
    /// kept for code that converts the hook, if it was the last that was added.
    pub(crate) fn report_member_keys(
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
}
