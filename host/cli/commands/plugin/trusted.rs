//! Who signed a plugin that was fetched, and whether it may be added: by the policies, by what was there before, and by a person's word.

use hookbox::model::Manifest;
use hookbox_files::{
    places::Places,
    plugin_lock::{LockedPlugin, Signer},
    releases::{Releases, SeenRelease},
    trust_files::TrustFiles,
};
use hookbox_trust::policies::{Candidate, CheckedKey, Verdict};

use super::fetch::Fetched;
use crate::{
    commands::agent_change::{Stopped, problem},
    environment,
    printer::{Printer, WARNING},
    report::plain,
};

/// What a person said beforehand.
#[derive(Clone, Copy, Default)]
pub(super) struct Words {
    pub(super) unsigned: bool,
    pub(super) allow_downgrade: bool,
}

/// What was decided, and is to be kept once the plugin is added.
#[derive(Default)]
pub(super) struct Trusted {
    release: Option<(Releases, SeenRelease)>,
}

/// What is judged.
#[derive(Clone, Copy)]
pub(super) struct Judged<'a> {
    pub(super) component: &'a hookbox::Sha256Digest,
    pub(super) manifest: Option<&'a Manifest>,
    pub(super) fetched: Option<&'a Fetched>,
    /// Of the project with this root, if it is for one.
    pub(super) project: Option<&'a std::path::Path>,
}

impl Judged<'_> {
    /// Shows who signed it and what policies say; an error if it may not be added.
    pub(super) fn judge(self, words: Words, places: &Places, printer: &Printer) -> Result<Trusted, Stopped> {
        let (files, problems) = TrustFiles::read(places, self.project, &environment::shipped_plugins());
        if let Some(wrong) = problems.first() {
            return Err(problem(format!("nothing was added: {wrong}")));
        }
        self.tell(printer);
        self.is_itself()?;
        let keys = self.fetched.map(|fetched| fetched.keys.as_slice()).unwrap_or_default();
        let registry = self.fetched.and_then(|fetched| fetched.registry.as_deref());
        let candidate = Candidate { component: self.component, manifest: self.manifest, registry, keys };
        match files.policies.judge(&candidate) {
            Verdict::Refused(why) => return Err(problem(format!("nothing was added: {}", plain(&why)))),
            Verdict::Accepted(of) => row(printer, "policy", &format!("accepted by {of}")),
            Verdict::Unknown if self.fetched.is_some() => {
                row(
                    printer,
                    "policy",
                    "none speaks for it: it is for you to say whether its publisher is to be trusted",
                );
            }
            Verdict::Unknown => {}
        }
        if keys.is_empty() && self.fetched.is_some() && !words.unsigned {
            return Err(problem(
                "nothing was added: nobody whom hookbox can tell signed it, so anybody between you and its author could have \
                 made it; to take it all the same, say --unsigned"
                    .to_owned(),
            ));
        }
        self.release(words, &files, places)
    }

    fn tell(self, printer: &Printer) {
        let Some(fetched) = self.fetched else { return };
        row(printer, "source", &fetched.source);
        for CheckedKey { key, principals } in &fetched.keys {
            let who = if principals.is_empty() {
                "nobody in allowed_signers vouches for it".to_owned()
            } else {
                principals.join(", ")
            };
            row(printer, "signed", &format!("{key}, {who}"));
        }
        if fetched.keys.is_empty() {
            row(printer, "signed", "unsigned");
        }
        for bad in &fetched.bad {
            printer.line(&format!("{WARNING}warning{WARNING:#}   {}", plain(bad)));
        }
        if fetched.tag_moved {
            printer.line(&format!("{WARNING}warning{WARNING:#}   the tag was moved while it was fetched"));
        }
        if let Some(channel) = fetched.release.as_ref().and_then(|release| release.channel.as_ref()) {
            row(printer, "channel", channel);
        }
    }

    /// Is the statement about this very plugin? The program that checked it has compared them; so does this one.
    fn is_itself(self) -> Result<(), Stopped> {
        let Some(release) = self.fetched.and_then(|fetched| fetched.release.as_ref()) else { return Ok(()) };
        let said = (release.name.as_str(), release.version.clone(), release.seq);
        let is = self
            .manifest
            .map(|manifest| (manifest.name.as_str(), manifest.version.to_string(), manifest.seq));
        if is == Some(said) {
            return Ok(());
        }
        Err(problem("nothing was added: what was signed is said of another plugin than this one"))
    }

    fn release(self, words: Words, files: &TrustFiles, places: &Places) -> Result<Trusted, Stopped> {
        let (Some(fetched), Some(manifest)) = (self.fetched, self.manifest) else {
            return Ok(Trusted::default());
        };
        if i64::try_from(manifest.seq).is_err() {
            return Err(problem(format!(
                "nothing was added: it calls itself release {}, and no plugin has as many",
                manifest.seq
            )));
        }
        let (Some(signer), Some(path)) = (fetched.signer(), places.releases()) else {
            return Ok(Trusted::default());
        };
        let mut keys: Vec<_> = signer.keys().map(str::to_owned).collect();
        keys.sort();
        let release = SeenRelease {
            publisher: publisher(&signer),
            name: manifest.name.as_str().to_owned(),
            keys,
            seq: manifest.seq,
            component: self.component.as_str().to_owned(),
        };
        let releases = Releases::load(&path).map_err(problem)?;
        if !words.allow_downgrade {
            releases
                .admits(&release, &|key| files.is_revoked(key))
                .map_err(|why| problem(format!("nothing was added: {}", plain(&why))))?;
        }
        Ok(Trusted { release: Some((releases, release)) })
    }
}

impl Trusted {
    /// Keeps which release it was. It is written before the plugin is: who is killed between can add it again.
    pub(super) fn keep(self, places: &Places) -> Result<(), Stopped> {
        let (Some((releases, release)), Some(path)) = (self.release, places.releases()) else {
            return Ok(());
        };
        releases.with(release).save(&path).map_err(problem)
    }
}

/// Who hands it out: the name if somebody vouches for it, else the key.
fn publisher(signer: &Signer) -> String {
    signer.principal.clone().unwrap_or_else(|| signer.key.clone())
}

/// Is it by the publisher of the one that is there? Where nobody vouched for that one its key is who it is by, and stays so when
/// somebody vouches for the key.
pub(super) fn is_same_publisher(before: &LockedPlugin, signer: Option<&Signer>) -> bool {
    match (&before.signer, signer) {
        (Some(before), Some(signer)) if before.principal.is_none() => {
            signer.keys().any(|key| key == before.key)
        }
        (before, signer) => before.as_ref().map(publisher) == signer.map(publisher),
    }
}

fn row(printer: &Printer, key: &str, value: &str) {
    printer.line(&format!("{key:<10}{}", plain(value)));
}
