//! `hookbox plugin update`: installs newer releases of fetched plugins. The user is asked only about changes.

mod before;
mod wanted;

use std::path::Path;

use hookbox::config::did_you_mean;
use hookbox_files::{
    HookFiles, Setup,
    places::Places,
    plugin_home::{PluginChange, PluginHome},
    plugin_lock::LockedPlugin,
};

use self::{before::Before, wanted::Wanted};
use super::{
    add::{NOTHING_IN_A_PROJECT, candidate::Candidate, inspected, source::Source, verify},
    added::{self, Added, of_pin, shown},
    clock::warn_if_set_back,
    fetch::{self, Fetched},
    locked,
    trusted::{self, Judged, Words},
};
use crate::{
    args::{ConsentArgs, PluginAddArgs, UpdateArgs},
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

/// Returns the selected plugins that can be fetched.
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
    // Before the newest is fetched: both use the same folder.
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
    // If the user accepted an unsigned release, each following one is asked about.
    let words = Words { unsigned: row.signer.is_none(), allow_downgrade: args.allow_downgrade };
    let trusted = judged.judge(words, places, printer)?;
    let as_added = as_added(name, args, &row);
    let candidate = Candidate::new(&as_added, &source, &inspection, &added)?;
    let grants = Wanted { name, row: &row, before, manifest, args }.agreed(&candidate, printer)?;
    // A script needs to know that the newest release was not installed.
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

pub(super) fn warn(fetched: &Fetched, printer: &Printer) {
    for untimely in fetched.early().into_iter().chain(fetched.overdue()) {
        printer.line(&format!("    {WARNING}warning{WARNING:#}: {}", plain(&untimely)));
    }
}

pub(super) fn of(row: &LockedPlugin) -> String {
    let version = row.version.as_deref().unwrap_or("no version");
    plain(&format!("{version} (release {})", row.seq.unwrap_or_default()))
}

pub(super) fn other_publisher(row: &LockedPlugin, newest: &Fetched) -> String {
    let now = newest.signer(None);
    let now = now.map_or_else(|| "unsigned".to_owned(), |signer| format!("signed by {signer}"));
    let before = row.signed();
    format!("the newest is {now}, and the one that is there {before}; another publisher's is another plugin")
}

/// Returns a problem if the release is of another plugin than the existing one. A publisher has several, and a distributor
/// could swap them.
pub(super) fn other_plugin(row: &LockedPlugin, now: Option<&str>) -> Option<String> {
    let called = |name: Option<&str>| plain(name.unwrap_or("nothing"));
    let before = row.plugin.as_deref();
    (before != now).then(|| {
        format!("the newest calls itself {}, and the one that is there {}", called(now), called(before))
    })
}

/// Records a later expiry that the publisher has stated for an unchanged file. An earlier one is ignored: a distributor could
/// replay an old statement.
fn renew(row: LockedPlugin, fetched: &Fetched, added: &Added) -> Result<(), Stopped> {
    let (before, now) = (row.expires.as_deref(), fetched.expires());
    // Their format is uniform, so texts compare like times.
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

/// Returns the arguments with which `plugin add` would have been called.
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
