//! One `[[hook]]` entry: its keys are resolved to a [`HookSpec`].

use std::ops::Range;

use hookbox_model::{Json, OnFailure, Role, TrustLevel};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    DialectEvents, Value, events, foreign_contract, hook_config, keys, limits, report::Report, review,
    table_shape, target, tool, trust, values,
};
use crate::{
    hook::{HookSpec, Origin, Target},
    hookfile::{Lines, Source},
};

#[derive(Debug)]
pub(super) struct Entry<'a> {
    /// Keys and values of the entry.
    pub(super) table: &'a DeTable<'a>,
    /// The file that it is in.
    pub(super) source: &'a Source,
    span: Range<usize>,
    /// Position in the file, from 1.
    number: usize,
    /// True if an earlier entry has its name.
    pub(super) repeats: bool,
}

impl<'a> Entry<'a> {
    /// Creates the entry that is the `number`th of its file, from 1. `None` if it is not a table.
    pub(super) fn new(number: usize, item: &'a Value<'a>, source: &'a Source) -> Option<Self> {
        let table = item.get_ref().as_table()?;
        Some(Self { table, source, span: item.span(), number, repeats: false })
    }

    /// Returns the place of its header.
    pub(super) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    pub(super) fn name(&self) -> Option<Spanned<&'a str>> {
        values::get_text(self.table, "name")
    }

    pub(super) fn enabled(&self) -> bool {
        self.table.get("enabled").and_then(|value| value.get_ref().as_bool()).unwrap_or(true)
    }

    /// Returns the hook, unless a part of it is an error or not allowed in a file of this origin.
    pub(super) fn resolve_hook(
        &self,
        dialects: &[DialectEvents<'_>],
        lines: &Lines<'_>,
        report: &mut Report,
    ) -> Option<HookSpec> {
        let source = self.source;
        // All parts are read before any of them can leave the hook out, so that one run reports all problems
        // of an entry.
        let errors = report.errors();
        table_shape::check_table(self.table, self.span(), &keys::HOOK, report);
        let tool = tool::resolve_matcher(self.table, report);
        let mut events = events::resolve_events(self.table, dialects, tool.is_some(), report);
        let target = target::resolve_target(self.table, source, report);
        let speech =
            target.as_ref().and_then(|target| foreign_contract::resolve_speech(self, target, report));
        let limits = limits::resolve_limits(self.table, source.trust_level, report);
        let config = hook_config::resolve_hook_config(self.table, report);
        let config = match (&target, &speech) {
            // The settings that the contract's adapter gets next to the entry's.
            (Some(Target::Python(_)), Some(_)) => Json::from_members([("config", config.as_str())]),
            _ => config,
        };
        let role = self.role().unwrap_or_else(|| review::natural_role(&events, speech.is_some()));
        review::review_entry(self, role, &events, report);
        let admitted = match source.trust_level {
            TrustLevel::Untrusted => trust::admits_hook(self, report),
            TrustLevel::Reviewed => trust::admits_reviewed(self, report),
            TrustLevel::Signed | TrustLevel::Own => true,
        };
        // A default in the place of an invalid part could make the hook laxer than its author wants.
        if report.errors() > errors || self.repeats || !admitted {
            return None;
        }
        if let Some(speech) = &speech {
            speech.add_proxied_events(&mut events);
        }
        let hook = HookSpec::new(self.name()?.get_ref(), target?).on(events).role(role);
        let in_role = speech.is_none() || self.role().is_some();
        let (contract, condition) = speech.map(|speech| (speech.contract, speech.condition)).unzip();
        Some(HookSpec {
            tool,
            priority: self.priority(),
            on_failure: self.on_failure(),
            once: self.once(),
            limits,
            config,
            contract,
            condition,
            in_role,
            origin: self.to_origin(lines),
            ..hook
        })
    }

    fn to_origin(&self, lines: &Lines<'_>) -> Origin {
        let Source { layer, trust_level, ref file, .. } = *self.source;
        let line = lines.find_line(self.span.start);
        Origin { file: file.clone(), line, number: self.number, ..Origin::new(layer, trust_level) }
    }

    pub(super) fn role(&self) -> Option<Role> {
        let configured = values::get_text(self.table, "role")?;
        Role::ALL.into_iter().find(|role| role.as_str() == *configured.get_ref())
    }

    fn once(&self) -> bool {
        self.table.get("once").and_then(|value| value.get_ref().as_bool()).unwrap_or(false)
    }

    fn on_failure(&self) -> Option<OnFailure> {
        let configured = values::get_text(self.table, "on-failure")?;
        OnFailure::ALL.into_iter().find(|policy| policy.as_str() == *configured.get_ref())
    }

    fn priority(&self) -> i32 {
        let number = match self.table.get("priority").map(Spanned::get_ref) {
            Some(DeValue::Integer(number)) => table_shape::parse_integer(number),
            _ => None,
        };
        number.and_then(|number| i32::try_from(number).ok()).unwrap_or_default()
    }
}
