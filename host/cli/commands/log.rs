//! `hookbox log`: shows recent answers of hooks.

mod follow;

use std::{path::PathBuf, time::Duration};

use hookbox::{Clock, model::is_visible};
use hookbox_app::{
    FolderHooks, HookFiles,
    event_log::{Entry, Log, LoggedAnswer, StoredEntry},
    places::Places,
};
use serde_json::{Value, json};

use super::rule_counts::{self, RuleCount};
use crate::{
    args::LogArgs,
    diagnostic, environment,
    exit::ExitStatus,
    printer::{DIM, ERROR, GOOD, Printer, WARNING},
    report::{SCHEMA_VERSION, sanitize_line},
};

/// The period of `--today`: the log has no time zone.
const DAY: Duration = Duration::from_hours(24);

pub(super) fn locate_log(places: &Places) -> Result<PathBuf, String> {
    places.event_log().ok_or_else(|| "the home folder is unknown, so nothing is stored; set HOME".to_owned())
}

pub(super) fn print_log(args: &LogArgs, printer: &Printer) -> ExitStatus {
    let places = Places::of_terminal(&environment::read_variable);
    let file = match locate_log(&places) {
        Ok(file) => file,
        Err(problem) => {
            printer.print_error(&problem);
            return ExitStatus::Usage;
        }
    };
    let Log { mut entries, damaged } = Log::read_file(&file);
    let now = Clock::machine().now_ms();
    let meant: Vec<_> = entries.iter().filter(|kept| is_meant(args, &kept.entry, now)).collect();
    if args.counts {
        print_counts(&meant, args.json, printer);
    } else {
        let last = meant.get(meant.len().saturating_sub(args.last)..).unwrap_or_default();
        for kept in last {
            print_kept(kept, args.json, now, printer);
        }
    }
    if meant.is_empty() {
        printer.print_note(&explain_empty_log(places, &file, entries.is_empty()));
    }
    if damaged > 0 {
        let lines = diagnostic::format_count(damaged, "damaged line");
        printer.print_note(&format!("{lines} left out of {}", sanitize_line(&file.display().to_string())));
    }
    if args.follow {
        follow::follow_log(&file, entries.pop(), |kept| {
            let now = Clock::machine().now_ms();
            if is_meant(args, &kept.entry, now) {
                print_kept(kept, args.json, now, printer);
            }
            !printer.is_closed()
        });
    }
    ExitStatus::Success
}

fn print_kept(kept: &StoredEntry, is_json: bool, now: u64, printer: &Printer) {
    if is_json {
        printer.print_line(&format_json(kept));
    } else {
        print_entry(kept, now, printer);
    }
}

/// Prints the number of calls that each rule stopped.
fn print_counts(entries: &[&StoredEntry], is_json: bool, printer: &Printer) {
    let rules = rule_counts::count_rules(entries.iter().map(|kept| &kept.entry));
    if is_json {
        let rules: Vec<_> = rules.iter().map(rule_json).collect();
        let object = json!({ "schema_version": SCHEMA_VERSION, "command": "log", "rules": rules });
        return printer.print_line(&format!("{object:#}"));
    }
    for rule in &rules {
        printer.print_line(&format_rule(rule));
    }
    if rules.is_empty() && !entries.is_empty() {
        printer.print_note("no rule has stopped a call");
    }
}

fn is_meant(args: &LogArgs, entry: &Entry, now: u64) -> bool {
    let since = args.since.or(args.today.then_some(DAY));
    let since = since.map(|since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX));
    let is_of = |name: &String| entry.hooks.iter().any(|answer| answer.hook.name == *name);
    (!args.denied || entry.is_stopped())
        && args.hook.as_ref().is_none_or(is_of)
        && since.is_none_or(|since| entry.time >= now.saturating_sub(since))
}

/// Returns the reason why nothing is shown.
fn explain_empty_log(places: Places, file: &std::path::Path, is_empty: bool) -> String {
    let folder = environment::current_folder();
    let files = HookFiles::Layers { folder: &folder, session: None };
    if !FolderHooks::read_files(environment::build_surroundings(places), files).logs() {
        return "nothing is kept: your configuration has `log = false`".to_owned();
    }
    let file = sanitize_line(&file.display().to_string());
    if is_empty {
        format!("no hook has answered yet ({file})")
    } else {
        format!("nothing of that kind is in the log ({file})")
    }
}

fn format_json(kept: &StoredEntry) -> String {
    let mut value = json!({ "id": kept.id });
    if let (Some(members), Ok(Value::Object(entry))) =
        (value.as_object_mut(), serde_json::to_value(&kept.entry))
    {
        members.extend(entry);
    }
    strip_invisible(&value.to_string())
}

/// Removes invisible characters: JSON escapes terminal sequences, but not every misleading character.
fn strip_invisible(json: &str) -> String {
    json.chars().filter(|c| is_visible(*c)).collect()
}

fn print_entry(kept: &StoredEntry, now: u64, printer: &Printer) {
    let StoredEntry { id, entry } = kept;
    let (verdict, age, agent) =
        (format_verdict(&entry.verdict), format_age(entry.time, now), sanitize_line(&entry.agent));
    printer.print_line(&format!("{id} {verdict}  {DIM}{age}  {agent}{DIM:#}"));
    printer.print_line(&format!("  {}", describe_call(entry)));
    for answer in &entry.hooks {
        printer.print_line(&format!("  {}", describe_answer(answer)));
        for line in &answer.log {
            printer.print_line(&format!("    {DIM}{}{DIM:#}", sanitize_line(line)));
        }
    }
}

/// Describes a rule and the number of calls that it stopped, in a line.
pub(super) fn format_rule(rule: &RuleCount) -> String {
    let code = rule.code.as_ref().map(|code| format!(" {}", sanitize_line(code))).unwrap_or_default();
    format!("{:>5}  {}{code}", rule.count, sanitize_line(&rule.hook))
}

/// Returns a rule and its count as JSON.
pub(super) fn rule_json(rule: &RuleCount) -> Value {
    let code = rule.code.as_deref().map(sanitize_line);
    json!({ "hook": sanitize_line(&rule.hook), "code": code, "count": rule.count })
}

pub(super) fn format_verdict(word: &str) -> String {
    let style = match word {
        "deny" => ERROR,
        "ask" | "defer" => WARNING,
        _ => GOOD,
    };
    let word = if word == "none" { "no opinion".to_owned() } else { sanitize_line(word) };
    format!("{style}{word}{style:#}")
}

/// Describes the call: the tool and its command or paths, else the event.
pub(super) fn describe_call(entry: &Entry) -> String {
    match (&entry.tool, entry.what.as_str()) {
        (None, _) => sanitize_line(&entry.event),
        (Some(tool), "") => format!("{} ({})", sanitize_line(tool), sanitize_line(&entry.event)),
        (Some(tool), what) => format!("{}: {}", sanitize_line(tool), sanitize_line(what)),
    }
}

/// Describes the answer of one hook, in a line.
pub(super) fn describe_answer(answer: &LoggedAnswer) -> String {
    let name = sanitize_line(&answer.hook.name);
    // Untrusted text is marked as such.
    let whose = if answer.unreviewed { " (of the untrusted project)" } else { "" };
    let code = answer.code.as_ref().map(|code| format!(" {}", sanitize_line(code))).unwrap_or_default();
    let verdict = match answer.verdict.as_str() {
        "none" => String::new(),
        word => format!(" {}", format_verdict(word)),
    };
    let failed = answer.failure.as_ref().map(|failure| format!(" failed: {}", sanitize_line(failure)));
    let text =
        if answer.text.is_empty() { String::new() } else { format!(": {}", sanitize_line(&answer.text)) };
    format!("{name}{whose}{verdict}{code}{}{text}", failed.unwrap_or_default())
}

/// Returns the age, in the largest unit that fits.
pub(super) fn format_age(time: u64, now: u64) -> String {
    let seconds = now.saturating_sub(time) / 1_000;
    match seconds {
        0..60 => format!("{seconds} s ago"),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..86_400 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}
