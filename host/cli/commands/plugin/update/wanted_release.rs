//! A release that would replace the existing one, and the questions about it: only about changes.

use hookbox::model::{Effect, Grants, Manifest, RequestedGrants};
use hookbox_app::plugin_lock::LockedPlugin;
use hookbox_platform::stream::Standard;

use super::{describe_version, previous_manifest::ExistingManifest};
use crate::{
    args::UpdateArgs,
    commands::{
        agent_change::{CommandError, usage_error},
        plugin::add::{candidate::Candidate, granting},
        user_presence,
    },
    printer::Printer,
    report::sanitize_line,
};

/// Advice for a command that cannot ask.
const CONSENT_HINT: &str = " --yes installs it, and --grant grants its requests";

/// A release that would replace the existing one.
pub(super) struct Replacement<'a> {
    pub(super) name: &'a str,
    pub(super) row: &'a LockedPlugin,
    pub(super) before: ExistingManifest,
    pub(super) manifest: Option<&'a Manifest>,
    pub(super) args: &'a UpdateArgs,
}

impl Replacement<'_> {
    /// Returns its grants; `None` if the user keeps the old release.
    pub(super) fn confirm_grants(
        &self,
        candidate: &Candidate,
        printer: &Printer,
    ) -> Result<Option<Grants>, CommandError> {
        let asks = self.manifest.map(|manifest| &manifest.asks);
        let mut grants = granting::named_on_the_line(&self.args.grant, asks, &candidate.entry.grants)?;
        // `--yes` takes the release, and grants nothing new.
        if self.args.consent.yes {
            self.reject_unsigned()?;
            self.report_missing_grants(&grants, printer);
            return Ok(Some(grants));
        }
        let mut questions = Vec::new();
        if self.row.signer.is_none() {
            questions.push(("it is not signed; accept it anyway?".to_owned(), None));
        }
        for effect in self.effects() {
            questions.push((format!("its answers may now {}; take it?", in_words(effect)), None));
        }
        for one in self.find_new_requests(&grants) {
            questions.push((
                format!("it asks for {} now; grant it?", sanitize_line(&granting::join_names(&one.names()))),
                Some(one),
            ));
        }
        if questions.is_empty() {
            return Ok(Some(grants));
        }
        let (name, stays) = (self.name, describe_version(self.row));
        if self.args.consent.dry_run || !Standard::Input.is_terminal() {
            let what: Vec<_> = questions.iter().map(|(question, _)| question.as_str()).collect();
            return Err(usage_error(format!(
                "it stays at {stays}, since the question needs a terminal: {}{}",
                what.join(" "),
                if self.row.signer.is_some() { CONSENT_HINT } else { "" }
            )));
        }
        for (question, one) in questions {
            if !user_presence::ask_yes_no(&format!("`{name}`: {question}"), printer) {
                printer.print_line(&format!("`{name}` stays at {stays}"));
                return Ok(None);
            }
            if let Some(one) = one {
                grants = one.joined_to(&grants);
            }
        }
        Ok(Some(grants))
    }

    /// Rejects an unsigned release with `--yes`, which does not cover a file of unknown origin; `plugin add` has an option for
    /// it.
    fn reject_unsigned(&self) -> Result<(), CommandError> {
        if self.row.signer.is_some() {
            return Ok(());
        }
        let (name, source) = (self.name, sanitize_line(&self.row.source));
        Err(usage_error(format!(
            "it stays at {}: the newest is not signed, and --yes does not accept unsigned plugins; `hookbox plugin add \
             {source} --name {name} --unsigned --yes` does",
            describe_version(self.row)
        )))
    }

    /// Prints new requests that the command line has not granted, if the user is not asked.
    fn report_missing_grants(&self, grants: &Grants, printer: &Printer) {
        let left: Vec<_> = self.find_new_requests(grants).iter().flat_map(RequestedGrants::names).collect();
        if !left.is_empty() {
            printer.print_line(&format!(
                "`{}` asks for {} now, which --yes does not grant; --grant does, with `hookbox plugin add`",
                self.name,
                sanitize_line(&granting::join_names(&left))
            ));
        }
    }

    /// Returns the new requests that are not granted yet. In a project nothing can be granted.
    fn find_new_requests(&self, grants: &Grants) -> Vec<RequestedGrants> {
        let (Some(manifest), false) = (self.manifest, self.args.here) else { return Vec::new() };
        let before = self.before.asks();
        let is_new = |one: &RequestedGrants| {
            !one.list_missing(grants).is_empty() && !one.names().iter().all(|name| before.contains(name))
        };
        manifest.asks.each().into_iter().filter(is_new).collect()
    }

    /// Returns the new effects of its answers.
    fn effects(&self) -> Vec<Effect> {
        let Some(now) = self.manifest else { return Vec::new() };
        let before = self.before.may();
        now.effects.iter().filter(|effect| !before.contains(*effect)).collect()
    }
}

fn in_words(effect: Effect) -> &'static str {
    match effect {
        Effect::Observe => "appear in reports",
        Effect::Ask => "have the user asked",
        Effect::DenyCode => "deny with a code",
        Effect::Context => "add context",
        Effect::DenyText => "deny with a text of their own",
        Effect::Rewrite => "rewrite",
        Effect::Allow => "allow",
    }
}
