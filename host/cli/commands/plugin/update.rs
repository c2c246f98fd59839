//! `hookbox plugin outdated` and `update`: newer releases of what was fetched. Only what is new about one is asked about.

use hookbox::{
    config::did_you_mean,
    model::{Effect, Effects, Grants, Manifest, RequestedGrants},
    sandbox::inspect::identify,
};
use hookbox_files::{
    HookFiles, Setup,
    places::Places,
    plugin_home::{PluginHome, PluginTurn},
    plugin_lock::LockedPlugin,
};
use hookbox_platform::stream::Standard;

use super::{
    add::{candidate::Candidate, granting, inspected, source::Source, verify},
    added::{self, Added, of_pin, shown},
    fetch::{self, Fetched},
    locked,
    trusted::{self, Judged, Words},
};
use crate::{
    args::{ConsentArgs, OutdatedArgs, PluginAddArgs, UpdateArgs},
    commands::{
        agent_change::{Stopped, problem, usage},
        install::ended,
        person, progress,
    },
    environment,
    exit::ExitStatus,
    printer::Printer,
    report::plain,
};

pub(super) fn outdated(args: &OutdatedArgs, printer: &Printer) -> ExitStatus {
    let places = super::places();
    let added = added::home(args.project, &places).and_then(|home| Added::read(home, &places));
    let added = match added {
        Ok(added) => added,
        Err(stopped) => return ended(Err(stopped), printer),
    };
    let mut status = ExitStatus::Success;
    for row in added.lock.iter().filter(|row| fetch::is_remote(&row.source)) {
        let (has, name) = (of(row), &row.name);
        match Fetched::new(&row.source, &places) {
            Err(why) => {
                printer.line(&format!("{name}  {has}: cannot be told: {}", plain(&why)));
                status = ExitStatus::Problems;
            }
            Ok(newest) if newest.component.as_str() == row.sha256 => {
                printer.line(&format!("{name}  {has} is the newest"));
            }
            Ok(newest) => {
                let release = newest.release.as_ref();
                let what = release.map_or_else(
                    || "another file, of which nobody signed what it is".to_owned(),
                    |release| format!("{} (release {})", release.version, release.seq),
                );
                let is_moved = release.is_some_and(|release| Some(release.seq) == row.seq);
                let moved =
                    if is_moved { ", which is another file than before: the tag was moved" } else { "" };
                printer.line(&format!("{name}  {has} -> {}{moved}", plain(&what)));
                status = ExitStatus::Problems;
            }
        }
    }
    status
}

fn of(row: &LockedPlugin) -> String {
    let version = row.version.as_deref().unwrap_or("no version");
    plain(&format!("{version} (release {})", row.seq.unwrap_or_default()))
}

pub(super) fn update(args: &UpdateArgs, printer: &Printer) -> ExitStatus {
    match try_update(args, printer) {
        Ok(status) => status,
        Err(stopped) => ended(Err(stopped), printer),
    }
}

fn try_update(args: &UpdateArgs, printer: &Printer) -> Result<ExitStatus, Stopped> {
    let places = super::places();
    let home = added::home(args.project, &places)?;
    if args.locked {
        return locked::check(&Added::read(home, &places)?, None, printer).map(|()| ExitStatus::Success);
    }
    if !args.dry_run {
        person::is_no_agent("updated").map_err(usage)?;
    }
    let _turn = (!args.dry_run).then(|| PluginTurn::take(&places)).transpose().map_err(problem)?;
    let mut worst = ExitStatus::Success;
    for name in names(args, &Added::read(home.clone(), &places)?)? {
        let status = match update_one(&name, args, &home, &places, printer) {
            Ok(()) => ExitStatus::Success,
            Err((status, why)) => {
                printer.error(&format!("`{name}`: {why}"));
                status
            }
        };
        if worst.code() < status.code() {
            worst = status;
        }
    }
    Ok(worst)
}

/// Those that are meant and can be fetched.
fn names(args: &UpdateArgs, added: &Added) -> Result<Vec<String>, Stopped> {
    let Some(name) = &args.name else {
        let fetched = added.lock.iter().filter(|row| fetch::is_remote(&row.source));
        return Ok(fetched.map(|row| row.name.clone()).collect());
    };
    match added.lock.get(name) {
        Some(row) if fetch::is_remote(&row.source) => Ok(vec![row.name.clone()]),
        Some(row) => Err(problem(format!(
            "`{name}` came from a file ({}): add the newer file, which takes its place",
            plain(&row.source)
        ))),
        None => {
            let known: Vec<_> = added.lock.iter().map(|row| row.name.as_str()).collect();
            let help = did_you_mean(name, &known);
            Err(problem(format!(
                "no plugin `{}` was added to {}; {help}",
                plain(name),
                shown(&added.home.folder())
            )))
        }
    }
}

fn update_one(
    name: &str,
    args: &UpdateArgs,
    home: &PluginHome,
    places: &Places,
    printer: &Printer,
) -> Result<(), Stopped> {
    let added = Added::read(home.clone(), places)?;
    let Some(row) = added.lock.get(name).cloned() else { return Ok(()) };
    let fetched = Fetched::new(&row.source, places).map_err(problem)?;
    let is_pinned = added.hook(name).is_none_or(|hook| of_pin(hook, &row).is_none());
    if fetched.component.as_str() == row.sha256
        && is_pinned
        && added.digest(&row).as_ref() == Some(&row.sha256)
    {
        printer.line(&format!("`{name}` is the newest: {}", of(&row)));
        return Ok(());
    }
    let is_same = trusted::is_same_publisher(&row, fetched.signer().as_ref());
    if !is_same {
        let now =
            fetched.signer().map_or_else(|| "unsigned".to_owned(), |signer| format!("signed by {signer}"));
        return Err(problem(format!(
            "it stays as it is: the newest is {}, and the one that is there {}; another publisher's is another plugin: `hookbox plugin \
             remove {name}`, and add that one",
            plain(&now),
            plain(&row.signed())
        )));
    }
    let source = Source::fetched(fetched).map_err(problem)?;
    let root = home.project().unwrap_or(std::path::Path::new("/"));
    let files = HookFiles::Layers { folder: root, session: None };
    let setup = Setup::read(progress::told(environment::surroundings(places.clone())), files);
    let inspection = inspected(&source, &setup, printer)?;
    let manifest = inspection.manifest.as_ref().ok().and_then(Option::as_ref);
    let judged = Judged {
        component: &source.sha256,
        manifest,
        fetched: source.fetched.as_ref(),
        project: home.project(),
    };
    // Whoever took one that nobody signed is asked about each that follows.
    let words = Words { unsigned: row.signer.is_none(), allow_downgrade: args.allow_downgrade };
    let trusted = judged.judge(words, places, printer)?;
    let as_added = as_added(name, args, &row);
    let candidate = Candidate::new(&as_added, &source, &inspection, &added)?;
    let before = Before::of(&row, &added);
    let grants = Wanted { name, row: &row, before, manifest, args }.agreed(&candidate, printer)?;
    let Some(grants) = grants else { return Ok(()) };
    let mut candidate = candidate.with(grants);
    let change = candidate.change(&added)?;
    verify(&candidate, &setup)?;
    let release = added.lock.get(name).map(of).unwrap_or_default();
    let now = change.lock.get(name).map(of).unwrap_or_default();
    if args.dry_run {
        printer.line(&format!("`{name}`: {release} -> {now}, and nothing was written (--dry-run)"));
        return Ok(());
    }
    trusted.keep(places)?;
    candidate.put(&source.bytes, &change, &added)?;
    printer.line(&format!("updated `{name}`: {release} -> {now}"));
    Ok(())
}

/// What `plugin add` would have been told.
fn as_added(name: &str, args: &UpdateArgs, row: &LockedPlugin) -> PluginAddArgs {
    PluginAddArgs {
        file: row.source.clone().into(),
        name: Some(name.to_owned()),
        project: args.project,
        on: Vec::new(),
        classes: Vec::new(),
        grant: Vec::new(),
        settings: None,
        locked: false,
        unsigned: false,
        allow_downgrade: args.allow_downgrade,
        consent: ConsentArgs { yes: false, dry_run: args.dry_run },
    }
}

/// What the one that is there says of itself.
enum Before {
    /// It is the file that was added, and says this.
    Said(Box<Manifest>),
    /// It is, and says nothing, so its answers can do everything.
    Nothing,
    /// It is gone, or another file: whatever it says, nobody has agreed to it.
    Unknown,
}

impl Before {
    fn of(row: &LockedPlugin, added: &Added) -> Self {
        match identify(&added.file(row)) {
            Ok(there) if there.sha256 == row.sha256 => match there.manifest {
                Ok(Some(manifest)) => Self::Said(Box::new(manifest)),
                Ok(None) => Self::Nothing,
                Err(_) => Self::Unknown,
            },
            _ => Self::Unknown,
        }
    }

    /// What it asks for, as people read it.
    fn asks(&self) -> Vec<String> {
        match self {
            Self::Said(manifest) => manifest.asks.names(),
            Self::Nothing | Self::Unknown => Vec::new(),
        }
    }

    /// What its answers can do.
    fn may(&self) -> Effects {
        match self {
            Self::Said(manifest) => manifest.may(),
            Self::Nothing => Effects::ALL,
            Self::Unknown => Effects::of(&[]),
        }
    }
}

/// A release that would take the place of the one that is there.
struct Wanted<'a> {
    name: &'a str,
    row: &'a LockedPlugin,
    before: Before,
    manifest: Option<&'a Manifest>,
    args: &'a UpdateArgs,
}

impl Wanted<'_> {
    /// What it is granted; `None` if a person wants the old one to stay.
    fn agreed(&self, candidate: &Candidate, printer: &Printer) -> Result<Option<Grants>, Stopped> {
        let mut grants = candidate.entry.grants.clone();
        let mut questions = Vec::new();
        if self.row.signer.is_none() {
            questions.push(("nobody signed it; take it all the same?".to_owned(), None));
        }
        for effect in self.effects() {
            questions.push((format!("its answers can {} now; take it?", effect.as_str()), None));
        }
        for one in self.additions(&grants) {
            questions.push((
                format!("it asks for {} now; grant it?", plain(&granting::listed(&one.names()))),
                Some(one),
            ));
        }
        if questions.is_empty() {
            return Ok(Some(grants));
        }
        let (name, stays) = (self.name, of(self.row));
        if self.args.dry_run || !Standard::Input.is_terminal() {
            let what: Vec<_> = questions.iter().map(|(question, _)| question.as_str()).collect();
            return Err(usage(format!(
                "it stays at {stays}, since there is nobody to ask: {}",
                what.join(" ")
            )));
        }
        for (question, one) in questions {
            if !person::agrees(&format!("`{name}`: {question}"), printer) {
                printer.line(&format!("`{name}` stays at {stays}"));
                return Ok(None);
            }
            if let Some(one) = one {
                grants = one.joined_to(&grants);
            }
        }
        Ok(Some(grants))
    }

    /// What it asks for, was not asked for before, and is not granted anyway. In a project nothing can be granted.
    fn additions(&self, grants: &Grants) -> Vec<RequestedGrants> {
        let (Some(manifest), false) = (self.manifest, self.args.project) else { return Vec::new() };
        let before = self.before.asks();
        let is_new = |one: &RequestedGrants| {
            !one.missing(grants).is_empty() && !one.names().iter().all(|name| before.contains(name))
        };
        manifest.asks.each().into_iter().filter(is_new).collect()
    }

    /// What its answers can do, and could not before.
    fn effects(&self) -> Vec<Effect> {
        let Some(now) = self.manifest else { return Vec::new() };
        let before = self.before.may();
        now.effects.iter().filter(|effect| !before.contains(*effect)).collect()
    }
}
