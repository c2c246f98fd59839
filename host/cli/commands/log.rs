//! `hookbox log`: shows recent answers of hooks.

use std::path::PathBuf;

use hookbox::{Clock, model::is_visible};
use hookbox_files::{
    HookFiles, Setup,
    event_log::{Entry, Kept, Log, Said},
    places::Places,
};
use serde_json::{Value, json};

use crate::{
    args::LogArgs,
    diagnostic, environment,
    exit::ExitStatus,
    printer::{DIM, ERROR, GOOD, Printer, WARNING},
    report::plain,
};

/// Returns the path of the log.
pub(super) fn file(places: &Places) -> Result<PathBuf, String> {
    places.event_log().ok_or_else(|| "no home folder is known, so nothing is kept; set HOME".to_owned())
}

pub(super) fn log(args: &LogArgs, printer: &Printer) -> ExitStatus {
    let places = Places::of_terminal(&environment::variable);
    let file = match file(&places) {
        Ok(file) => file,
        Err(problem) => {
            printer.error(&problem);
            return ExitStatus::Usage;
        }
    };
    let Log { entries, damaged } = Log::read(&file);
    let now = Clock::machine().now_ms();
    let meant: Vec<_> = entries.iter().filter(|kept| is_meant(args, &kept.entry, now)).collect();
    let last = meant.get(meant.len().saturating_sub(args.last)..).unwrap_or_default();
    for kept in last {
        if args.json {
            printer.line(&line(kept));
        } else {
            print(kept, now, printer);
        }
    }
    if last.is_empty() {
        printer.note(&nothing(places, &file, entries.is_empty()));
    }
    if damaged > 0 {
        let lines = diagnostic::plural(damaged, "damaged line");
        printer.note(&format!("{lines} left out of {}", plain(&file.display().to_string())));
    }
    ExitStatus::Success
}

fn is_meant(args: &LogArgs, entry: &Entry, now: u64) -> bool {
    let since = args.since.map(|since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX));
    let is_of = |name: &String| entry.hooks.iter().any(|said| said.hook.name == *name);
    (!args.denied || entry.is_stopped())
        && args.hook.as_ref().is_none_or(is_of)
        && since.is_none_or(|since| entry.time >= now.saturating_sub(since))
}

/// Returns the reason why nothing is shown.
fn nothing(places: Places, file: &std::path::Path, is_empty: bool) -> String {
    let folder = environment::current_folder();
    let files = HookFiles::Layers { folder: &folder, session: None };
    if !Setup::read(environment::surroundings(places), files).logs() {
        return "nothing is kept: your configuration has `log = false`".to_owned();
    }
    let file = plain(&file.display().to_string());
    if is_empty {
        format!("no hook has said anything yet ({file})")
    } else {
        format!("nothing of that kind is in the log ({file})")
    }
}

fn line(kept: &Kept) -> String {
    let mut value = json!({ "id": kept.id });
    if let (Some(members), Ok(Value::Object(entry))) =
        (value.as_object_mut(), serde_json::to_value(&kept.entry))
    {
        members.extend(entry);
    }
    bounded(&value.to_string())
}

/// Removes invisible characters: JSON escapes terminal sequences, but not every misleading character.
fn bounded(json: &str) -> String {
    json.chars().filter(|c| is_visible(*c)).collect()
}

fn print(kept: &Kept, now: u64, printer: &Printer) {
    let Kept { id, entry } = kept;
    let (verdict, age, agent) = (verdict(&entry.verdict), age(entry.time, now), plain(&entry.agent));
    printer.line(&format!("{id} {verdict}  {DIM}{age}  {agent}{DIM:#}"));
    printer.line(&format!("  {}", about(entry)));
    for said in &entry.hooks {
        printer.line(&format!("  {}", told(said)));
        for line in &said.log {
            printer.line(&format!("    {DIM}{}{DIM:#}", plain(line)));
        }
    }
}

fn verdict(word: &str) -> String {
    let style = match word {
        "deny" => ERROR,
        "ask" | "defer" => WARNING,
        _ => GOOD,
    };
    let word = if word == "none" { "no opinion".to_owned() } else { plain(word) };
    format!("{style}{word}{style:#}")
}

/// Describes the call: the tool and its command or paths, else the event.
pub(super) fn about(entry: &Entry) -> String {
    match (&entry.tool, entry.what.as_str()) {
        (None, _) => plain(&entry.event),
        (Some(tool), "") => format!("{} ({})", plain(tool), plain(&entry.event)),
        (Some(tool), what) => format!("{}: {}", plain(tool), plain(what)),
    }
}

/// Describes the answer of one hook, in a line.
pub(super) fn told(said: &Said) -> String {
    let name = plain(&said.hook.name);
    // Untrusted text is marked as such.
    let whose = if said.unreviewed { " (of the untrusted project)" } else { "" };
    let code = said.code.as_ref().map(|code| format!(" {}", plain(code))).unwrap_or_default();
    let verdict = match said.verdict.as_str() {
        "none" => String::new(),
        word => format!(" {}", verdict(word)),
    };
    let failed = said.failure.as_ref().map(|failure| format!(" failed: {}", plain(failure)));
    let text = if said.text.is_empty() { String::new() } else { format!(": {}", plain(&said.text)) };
    format!("{name}{whose}{verdict}{code}{}{text}", failed.unwrap_or_default())
}

/// Returns the age, in the largest unit that fits.
pub(super) fn age(time: u64, now: u64) -> String {
    let seconds = now.saturating_sub(time) / 1_000;
    match seconds {
        0..60 => format!("{seconds} s ago"),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..86_400 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}
