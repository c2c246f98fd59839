//! `hookbox plugin outdated` and `update`: newer releases of what was fetched. Only what is new about one is asked about.

use std::path::Path;

use hookbox::{
    config::did_you_mean,
    model::{Effect, Effects, Grants, Manifest, RequestedGrants},
    sandbox::inspect::identify,
};
use hookbox_files::{
    HookFiles, Setup,
    places::Places,
    plugin_home::{PluginChange, PluginHome},
    plugin_lock::LockedPlugin,
};
use hookbox_platform::stream::Standard;

use super::{
    add::{NOTHING_IN_A_PROJECT, candidate::Candidate, granting, inspected, source::Source, verify},
    added::{self, Added, of_pin, shown},
    clock::warn_if_set_back,
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
    printer::{Printer, WARNING},
    report::plain,
};

pub(super) fn outdated(args: &OutdatedArgs, printer: &Printer) -> ExitStatus {
    let places = super::places();
    let added = added::home(args.project, &places).and_then(|home| Added::read(home, &places));
    let added = match added {
        Ok(added) => added,
        Err(stopped) => return ended(Err(stopped), printer),
    };
    warn_if_set_back(&added, printer);
    let mut status = ExitStatus::Success;
    for row in added.lock.iter().filter(|row| fetch::is_remote(&row.source)) {
        let (has, name) = (of(row), &row.name);
        match Fetched::again(row, &places) {
            Err(why) => {
                printer.line(&format!("{name}  {has}: cannot be told: {}", plain(&why)));
                status = ExitStatus::Problems;
            }
            Ok(newest) if newest.component.as_str() == row.sha256 => {
                printer.line(&format!("{name}  {has} is the newest"));
                warn(&newest, printer);
                if let Some(why) = added.refused(row) {
                    printer.error(&format!("`{name}`: {}", plain(&why)));
                    status = ExitStatus::Problems;
                }
            }
            Ok(newest) => {
                let release = newest.release.as_ref();
                let what = release.map_or_else(
                    || "another file, of which nobody signed what it is".to_owned(),
                    |release| format!("{} (release {})", release.version, release.seq),
                );
                let other = release.and_then(|release| other_plugin(row, Some(&release.name)));
                let is_moved = release.is_some_and(|release| Some(release.seq) == row.seq);
                let but = match other {
                    Some(why) => format!(", which is another plugin: {why}"),
                    None if is_moved => {
                        ", which is another file of the same release: its `seq` was not counted up, or the tag was moved"
                            .to_owned()
                    }
                    None => refusal(row, &newest, &added, &places)
                        .map_or_else(String::new, |why| format!(", refused: {}", plain(&why))),
                };
                printer.line(&format!("{name}  {has} -> {}{but}", plain(&what)));
                status = ExitStatus::Problems;
            }
        }
    }
    status
}

fn warn(fetched: &Fetched, printer: &Printer) {
    for untimely in fetched.early().into_iter().chain(fetched.overdue()) {
        printer.line(&format!("    {WARNING}warning{WARNING:#}: {}", plain(&untimely)));
    }
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
    if !args.consent.dry_run {
        person::is_no_agent("updated").map_err(usage)?;
    }
    if args.project && !args.grant.is_empty() {
        return Err(usage(NOTHING_IN_A_PROJECT.to_owned()));
    }
    let _turn = (!args.consent.dry_run).then(|| super::turn(&places, printer)).transpose()?;
    let added = Added::read(home.clone(), &places)?;
    warn_if_set_back(&added, printer);
    let mut worst = ExitStatus::Success;
    for name in names(args, &added)? {
        let status = match update_one(&name, args, &home, &places, printer) {
            Ok(status) => status,
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
            let (name, folder) = (plain(name), shown(&added.home.folder()));
            let known: Vec<_> = added.lock.iter().map(|row| row.name.as_str()).collect();
            let help = match known.as_slice() {
                [] => "none was: `hookbox plugin add SOURCE` does that".to_owned(),
                known => did_you_mean(&name, known),
            };
            Err(problem(format!("no plugin `{name}` was added to {folder}; {help}")))
        }
    }
}

fn update_one(
    name: &str,
    args: &UpdateArgs,
    home: &PluginHome,
    places: &Places,
    printer: &Printer,
) -> Result<ExitStatus, Stopped> {
    let added = Added::read(home.clone(), places)?;
    let Some(row) = added.lock.get(name).cloned() else { return Ok(ExitStatus::Success) };
    // Before the newest is: both are fetched into the same folder.
    let before = Before::found(&row, &added, places, printer);
    let fetched = Fetched::again(&row, places).map_err(problem)?;
    let is_pinned = added.hook(name).is_none_or(|hook| of_pin(hook, &row).is_none());
    if fetched.component.as_str() == row.sha256
        && is_pinned
        && added.digest(&row).as_ref() == Some(&row.sha256)
    {
        printer.line(&format!("`{name}` is the newest: {}", of(&row)));
        warn(&fetched, printer);
        if let Some(why) = added.refused(&row) {
            return Err(problem(format!("no newer release is there, and {why}")));
        }
        let source = plain(&row.source);
        if !args.consent.dry_run {
            renew(row, &fetched, &added)?;
        }
        if !args.grant.is_empty() {
            return Err(usage(format!(
                "nothing was granted, since no release takes its place; `hookbox plugin add {source} --name {name} --grant …` grants"
            )));
        }
        return Ok(ExitStatus::Success);
    }
    let is_same = trusted::is_same_publisher(&row, Some(&fetched));
    if !is_same {
        for bad in &fetched.bad {
            printer.line(&format!("{WARNING}warning{WARNING:#}   {}", plain(bad)));
        }
        return Err(problem(format!(
            "it stays as it is: {}: `hookbox plugin remove {name}`, and add that one",
            plain(&other_publisher(&row, &fetched))
        )));
    }
    let source = Source::fetched(fetched).map_err(problem)?;
    let root = home.project().unwrap_or(Path::new("/"));
    let files = HookFiles::Layers { folder: root, session: None };
    let setup = Setup::read(progress::told(environment::surroundings(places.clone())), files);
    let inspection = inspected(&source, &setup, printer)?;
    let manifest = inspection.manifest.as_ref().ok().and_then(Option::as_ref);
    let judged = Judged {
        component: &source.sha256,
        manifest,
        fetched: source.fetched.as_ref(),
        project: home.project(),
        lock: &added.lock,
    };
    if let Some(why) = other_plugin(&row, manifest.map(|manifest| manifest.name.as_str())) {
        return Err(problem(format!(
            "it stays as it is: {why}; `hookbox plugin remove {name}`, and add that one if you want it"
        )));
    }
    // Whoever took one that nobody signed is asked about each that follows.
    let words = Words { unsigned: row.signer.is_none(), allow_downgrade: args.allow_downgrade };
    let trusted = judged.judge(words, places, printer)?;
    let as_added = as_added(name, args, &row);
    let candidate = Candidate::new(&as_added, &source, &inspection, &added)?;
    let grants = Wanted { name, row: &row, before, manifest, args }.agreed(&candidate, printer)?;
    // A script that goes on is to know that it has not the newest.
    let Some(grants) = grants else { return Ok(ExitStatus::Problems) };
    let mut candidate = candidate.with(grants);
    let change = candidate.change(&added)?;
    verify(&candidate, &setup, printer)?;
    let release = added.lock.get(name).map(of).unwrap_or_default();
    let now = change.lock.get(name).map(of).unwrap_or_default();
    if args.consent.dry_run {
        printer.line(&format!("`{name}`: {release} -> {now}, and nothing was written (--dry-run)"));
        return Ok(ExitStatus::Success);
    }
    trusted.keep(places)?;
    candidate.put(&source.bytes, &change, &added)?;
    printer.line(&format!("updated `{name}`: {release} -> {now}"));
    Ok(ExitStatus::Success)
}

fn other_publisher(row: &LockedPlugin, newest: &Fetched) -> String {
    let now = newest.signer(None);
    let now = now.map_or_else(|| "unsigned".to_owned(), |signer| format!("signed by {signer}"));
    let before = row.signed();
    format!("the newest is {now}, and the one that is there {before}; another publisher's is another plugin")
}

/// Why `update` would not take it, if it would not.
fn refusal(row: &LockedPlugin, newest: &Fetched, added: &Added, places: &Places) -> Option<String> {
    if !trusted::is_same_publisher(row, Some(newest)) {
        return Some(other_publisher(row, newest));
    }
    let Ok(Ok(manifest)) = identify(&newest.file()).map(|there| there.manifest) else {
        return Some("it says of itself what hookbox does not understand".to_owned());
    };
    let judged = Judged {
        component: &newest.component,
        manifest: manifest.as_ref(),
        fetched: Some(newest),
        project: added.home.project(),
        lock: &added.lock,
    };
    judged.refusal(Words { unsigned: row.signer.is_none(), allow_downgrade: false }, places)
}

/// Is what comes another plugin than the one that is there? A publisher has several, and whoever hands them out could put one in the
/// place of another.
fn other_plugin(row: &LockedPlugin, now: Option<&str>) -> Option<String> {
    let called = |name: Option<&str>| plain(name.unwrap_or("nothing"));
    let before = row.plugin.as_deref();
    (before != now).then(|| {
        format!("the newest calls itself {}, and the one that is there {}", called(now), called(before))
    })
}

/// Keeps that the same file is the newest for longer now, as its publisher says. Never for less long: whoever hands it out could have
/// kept what was said before.
fn renew(row: LockedPlugin, fetched: &Fetched, added: &Added) -> Result<(), Stopped> {
    let (before, now) = (row.expires.as_deref(), fetched.expires());
    // All of them are written alike.
    if now <= before || !trusted::is_same_publisher(&row, Some(fetched)) {
        return Ok(());
    }
    let row = LockedPlugin {
        expires: now.map(str::to_owned),
        manifest: fetched.manifest.clone(),
        statement: fetched.statement.clone(),
        ..row
    };
    let hooks = added.found.clone().unwrap_or_default();
    let change = PluginChange { found: added.found.clone(), hooks, lock: added.lock.clone().with(row) };
    added.home.change(&change).map_err(problem)
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
        consent: ConsentArgs { yes: args.consent.yes, dry_run: args.consent.dry_run },
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
    /// By its file; where that is gone or another, by the same release, which is fetched once more. A damaged disk takes nobody's word back.
    fn found(row: &LockedPlugin, added: &Added, places: &Places, printer: &Printer) -> Self {
        let before = Self::in_file(&added.file(row), row);
        if !matches!(before, Self::Unknown) || added.digest(row).as_ref() == Some(&row.sha256) {
            return before;
        }
        let again = Fetched::once_more(row, places).map(|fetched| Self::in_file(&fetched.file(), row));
        let again = again.unwrap_or(Self::Unknown);
        let how = match again {
            Self::Unknown => {
                "and its release cannot be had again, so what it asks for is asked about as though all were new"
            }
            Self::Said(_) | Self::Nothing => "so its release was fetched again to know what is new",
        };
        let (name, file) = (&row.name, shown(&added.file(row)));
        printer.line(&format!("`{name}`: {file} is gone, or damaged, {how}"));
        again
    }

    fn in_file(file: &Path, row: &LockedPlugin) -> Self {
        match identify(file) {
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

/// How it is taken where nobody can be asked.
const UNASKED: &str = " --yes takes it, and --grant grants what it asks for";

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
        let asks = self.manifest.map(|manifest| &manifest.asks);
        let mut grants = granting::named_on_the_line(&self.args.grant, asks, &candidate.entry.grants)?;
        if self.args.consent.yes {
            self.may_be_taken_unasked()?;
            self.tell_what_is_left(&grants, printer);
            return Ok(Some(grants));
        }
        let mut questions = Vec::new();
        if self.row.signer.is_none() {
            questions.push(("nobody signed it; take it all the same?".to_owned(), None));
        }
        for effect in self.effects() {
            questions.push((format!("its answers may now {}; take it?", in_words(effect)), None));
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
        if self.args.consent.dry_run || !Standard::Input.is_terminal() {
            let what: Vec<_> = questions.iter().map(|(question, _)| question.as_str()).collect();
            return Err(usage(format!(
                "it stays at {stays}, since there is nobody to ask: {}{}",
                what.join(" "),
                if self.row.signer.is_some() { UNASKED } else { "" }
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

    /// `--yes` is no word for a file that anybody could have made; `plugin add` has one.
    fn may_be_taken_unasked(&self) -> Result<(), Stopped> {
        if self.row.signer.is_some() {
            return Ok(());
        }
        let (name, source) = (self.name, plain(&self.row.source));
        Err(usage(format!(
            "it stays at {}: nobody signed the newest, and --yes does not say that you take it all the same; `hookbox plugin add \
             {source} --name {name} --unsigned --yes` does",
            of(self.row)
        )))
    }

    /// What is new, was not granted by the command line and is asked of nobody.
    fn tell_what_is_left(&self, grants: &Grants, printer: &Printer) {
        let left: Vec<_> = self.additions(grants).iter().flat_map(RequestedGrants::names).collect();
        if !left.is_empty() {
            printer.line(&format!(
                "`{}` asks for {} now, which --yes does not grant; --grant does, with `hookbox plugin add`",
                self.name,
                plain(&granting::listed(&left))
            ));
        }
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

/// What an answer with this effect does.
fn in_words(effect: Effect) -> &'static str {
    match effect {
        Effect::Observe => "be heard in reports",
        Effect::Ask => "have a person asked",
        Effect::DenyCode => "deny with a code",
        Effect::Context => "add context",
        Effect::DenyText => "deny with a text of their own",
        Effect::Rewrite => "rewrite",
        Effect::Allow => "allow",
    }
}
