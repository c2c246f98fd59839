//! Decides whether a fetched plugin may be added: by its signers, the policies, the former release, and the user's consent.

use hookbox::model::Manifest;
use hookbox_app::{
    places::Places,
    plugin_lock::{LockedPlugin, PluginLock},
    releases::{Releases, SeenRelease},
    trust_files::TrustFiles,
};
use hookbox_trust::policies::{Candidate, CheckedKey, Verdict};

use super::fetch::Fetched;
use crate::{
    commands::agent_change::{CommandError, problem_error},
    environment,
    printer::{Printer, WARNING},
    report::sanitize_line,
};

/// Maximum length of a publisher's own word that is shown unabridged, characters.
const MAX_WORD: usize = 40;

/// Consent that the user gave beforehand.
#[derive(Clone, Copy, Default)]
pub(super) struct GivenConsent {
    pub(super) unsigned: bool,
    pub(super) allow_downgrade: bool,
}

/// The decision's record, which is stored once the plugin is added.
#[derive(Default)]
pub(super) struct TrustRecord {
    releases: Option<Releases>,
}

#[derive(Clone, Copy)]
pub(super) struct JudgedPlugin<'a> {
    pub(super) component: &'a hookbox::Sha256Digest,
    pub(super) manifest: Option<&'a Manifest>,
    pub(super) fetched: Option<&'a Fetched>,
    /// Root of the project that it is for, if any.
    pub(super) project: Option<&'a std::path::Path>,
    pub(super) lock: &'a PluginLock,
}

impl JudgedPlugin<'_> {
    /// Prints the signers and the result of the policies; an error if it may not be added.
    pub(super) fn judge_release(
        self,
        words: GivenConsent,
        places: &Places,
        printer: &Printer,
    ) -> Result<TrustRecord, CommandError> {
        let (files, problems) = TrustFiles::read_files(places, self.project, &environment::shipped_plugins());
        // A policy that cannot be read may forbid it.
        if let Some(wrong) = problems.first() {
            return Err(problem_error(format!("nothing was added: {wrong}")));
        }
        self.print_signers(printer);
        match self.by_policy(&files).map_err(|why| nothing_was_added(&why))? {
            Verdict::Accepted(of) => print_row(printer, "policy", &format!("accepted by {of}")),
            Verdict::Unknown if self.fetched.is_some() => {
                print_row(printer, "policy", "no policy lists its publisher: you decide whether to trust it");
            }
            Verdict::Unknown | Verdict::Refused(_) => {}
        }
        self.check_release(words, &files, places).map_err(|why| nothing_was_added(&why))
    }

    /// Returns the reason why it may not be added, if so. Nothing is printed or stored.
    pub(super) fn find_refusal(self, words: GivenConsent, places: &Places) -> Option<String> {
        let (files, problems) = TrustFiles::read_files(places, self.project, &environment::shipped_plugins());
        if let Some(wrong) = problems.first() {
            return Some(wrong.to_string());
        }
        self.by_policy(&files).and_then(|_| self.check_release(words, &files, places)).err()
    }

    /// Returns the verdict of the policies; an error if one rejects it, or if it is not the signed plugin.
    fn by_policy(self, files: &TrustFiles) -> Result<Verdict, String> {
        self.check_statement()?;
        let registry = self.fetched.and_then(|fetched| fetched.registry.as_deref());
        let candidate =
            Candidate { component: self.component, manifest: self.manifest, registry, keys: self.keys() };
        match files.policies.judge_release(&candidate) {
            Verdict::Refused(why) => Err(why),
            verdict => Ok(verdict),
        }
    }

    fn keys(&self) -> &[CheckedKey] {
        self.fetched.map(|fetched| fetched.keys.as_slice()).unwrap_or_default()
    }

    fn print_signers(self, printer: &Printer) {
        let Some(fetched) = self.fetched else { return };
        print_row(printer, "source", &fetched.source);
        for CheckedKey { key, principals } in &fetched.keys {
            let who = if principals.is_empty() {
                "no line of allowed_signers verifies it".to_owned()
            } else {
                principals.join(", ")
            };
            print_row(printer, "signed", &format!("{key}, {who}"));
        }
        if fetched.keys.is_empty() {
            print_row(printer, "signed", "unsigned");
        }
        for bad in &fetched.bad {
            printer.print_line(&format!("{WARNING}warning{WARNING:#}   {}", sanitize_line(bad)));
        }
        if fetched.tag_moved {
            printer
                .print_line(&format!("{WARNING}warning{WARNING:#}   the tag was moved while it was fetched"));
        }
        if let Some(channel) = fetched.release.as_ref().and_then(|release| release.channel.as_ref()) {
            print_row(printer, "channel", &shorten_word(channel));
        }
        if let Some(until) = fetched.expires() {
            print_row(printer, "expires", until);
        }
        for untimely in fetched.early().into_iter().chain(fetched.overdue()) {
            printer.print_line(&format!("{WARNING}warning{WARNING:#}   {untimely}"));
        }
    }

    /// Checks that the statement is about this very plugin. The fetching program has compared them; this one does so again.
    fn check_statement(self) -> Result<(), String> {
        let Some(release) = self.fetched.and_then(|fetched| fetched.release.as_ref()) else { return Ok(()) };
        let stated = (release.name.as_str(), release.version.clone(), release.seq);
        let is = self
            .manifest
            .map(|manifest| (manifest.name.as_str(), manifest.version.to_string(), manifest.seq));
        if is == Some(stated) {
            return Ok(());
        }
        Err("the signed statement is about another plugin".to_owned())
    }

    fn check_release(
        self,
        words: GivenConsent,
        files: &TrustFiles,
        places: &Places,
    ) -> Result<TrustRecord, String> {
        if self.keys().is_empty() && self.fetched.is_some() && !words.unsigned {
            return Err("it has no known signature, so its origin is not certain; to accept it anyway, add \
                 --unsigned"
                .to_owned());
        }
        let (Some(fetched), Some(manifest)) = (self.fetched, self.manifest) else {
            return Ok(TrustRecord::default());
        };
        // The lock file has the number as an integer of TOML, which ends here.
        if i64::try_from(manifest.seq).is_err() {
            return Err(format!("its release number {} is larger than the maximum", manifest.seq));
        }
        // Without a signature the number may be made up, and would block the publisher's own releases.
        let Some(path) = places.releases().filter(|_| !fetched.keys.is_empty()) else {
            return Ok(TrustRecord::default());
        };
        let name = manifest.name.as_str();
        let all = SeenRelease::list_by_signer(&fetched.keys, name, manifest.seq, self.component.as_str());
        let mut releases = Releases::load(&path).map_err(|error| error.to_string())?;
        let before = releases.clone().and_locked(self.lock);
        for release in all.iter().filter(|_| !words.allow_downgrade) {
            let checked = before.check_release(release, &|key| files.is_revoked(key));
            checked.map_err(|error| error.to_string())?;
        }
        for release in all {
            releases = releases.with_release(release);
        }
        Ok(TrustRecord { releases: Some(releases) })
    }
}

fn nothing_was_added(why: &str) -> CommandError {
    problem_error(format!("nothing was added: {}", sanitize_line(why)))
}

impl TrustRecord {
    /// Stores the release. It is written before the plugin is: if the process is killed in between, the plugin can be added
    /// again.
    pub(super) fn store_release(self, places: &Places) -> Result<(), CommandError> {
        let (Some(releases), Some(path)) = (self.releases, places.releases()) else { return Ok(()) };
        releases.save(&path).map_err(problem_error)
    }
}

/// Returns true if it is from the publisher of the existing one.
pub(super) fn is_same_publisher(before: &LockedPlugin, fetched: Option<&Fetched>) -> bool {
    let keys = fetched.map(|fetched| fetched.keys.as_slice()).unwrap_or_default();
    before.signer.as_ref().map_or(keys.is_empty(), |signer| signer.is_among(keys))
}

/// Shortens a publisher's own word, so that it cannot fill a line and fake a line of hookbox's.
fn shorten_word(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(MAX_WORD) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

fn print_row(printer: &Printer, key: &str, value: &str) {
    printer.print_line(&format!("{key:<10}{}", sanitize_line(value)));
}
