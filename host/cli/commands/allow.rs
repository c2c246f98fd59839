//! `hookbox allow`: the user lets one call pass that hooks have stopped.

use std::time::Duration;

use hookbox::{Clock, redaction::REDACTED};
use hookbox_app::{
    OWN_CHANGES, OWN_FILES,
    allowances::{self, Allowance},
    event_log::{Entry, HookName, Log, StoredEntry},
    places::Places,
};
use serde_json::Value;

use super::{
    log::{describe_answer, format_age, locate_log},
    read,
    trust::text::escape_invisible,
    try_event, user_presence,
};
use crate::{
    args::{AllowArgs, OwnArgs, SourceArgs},
    environment,
    exit::ExitStatus,
    printer::Printer,
    report::sanitize_line,
};

/// Time within which a call that is allowed once has to come.
const ONCE_WITHIN: Duration = Duration::from_hours(1);
/// Longest time for which a call can be allowed.
const LONGEST: Duration = Duration::from_hours(24);
const INSTEAD: &str = "your hooks.toml decides what hooks do";

pub(super) fn allow_call(args: &AllowArgs, printer: &Printer) -> ExitStatus {
    match try_allow(args, printer) {
        Ok(done) => {
            printer.print_line(&sanitize_line(&done));
            ExitStatus::Success
        }
        Err(problem) => {
            printer.print_error(&sanitize_line(&problem));
            ExitStatus::Usage
        }
    }
}

/// Allows a call after showing it to the user and asking. The user must be at a terminal, since otherwise the agent could
/// bypass every hook.
fn try_allow(args: &AllowArgs, printer: &Printer) -> Result<String, String> {
    user_presence::require_user("allowed", INSTEAD)?;
    let lasts = choose_duration(args)?;
    let places = Places::of_terminal(&environment::read_variable);
    let log = Log::read_file(&locate_log(&places)?);
    let StoredEntry { id, entry } = find_entry(args.id.as_deref(), &log)?;
    let call = entry.call.clone().ok_or_else(|| format!("`{id}` is not a blocked tool call"))?;
    let hooks = stopped_by(entry)?;
    let arguments = parse_arguments(id, entry)?;
    if let Some(why) = find_self_protection_reason(entry) {
        return Err(format!(
            "nothing was allowed: `{id}` would be stopped all the same, by `{OWN_FILES}`: {why}"
        ));
    }
    print_call(id, entry, &arguments, printer);
    let how = if args.how_long.once {
        "once, within an hour".to_owned()
    } else {
        format!("for {}", in_words(lasts))
    };
    if !user_presence::ask_yes_no(&format!("Allow exactly this call {how}?"), printer) {
        return Ok("nothing was allowed".to_owned());
    }
    let now = Clock::machine().now_ms();
    let until = now.saturating_add(u64::try_from(lasts.as_millis()).unwrap_or(u64::MAX));
    let kept = places.allowances().ok_or("the home folder is unknown, so nothing can be stored; set HOME")?;
    let names: Vec<_> = hooks.iter().map(|hook| format!("`{}`", hook.name)).collect();
    let allowance = Allowance { call, hooks, until, once: args.how_long.once };
    allowances::add_allowance(&kept, allowance).map_err(|error| error.to_string())?;
    Ok(format!("allowed {how}: {} will not be asked about it; have the agent try again", names.join(", ")))
}

fn choose_duration(args: &AllowArgs) -> Result<Duration, String> {
    match args.how_long.lasts {
        None => Ok(ONCE_WITHIN),
        Some(lasts) if lasts.as_millis() == 0 => {
            Err("`--for` is zero; give a duration, such as `--for 1h`".to_owned())
        }
        Some(lasts) if lasts > LONGEST => {
            Err("`--for` may be 1 day at most; write a longer exception into your hooks.toml".to_owned())
        }
        Some(lasts) => Ok(lasts),
    }
}

fn in_words(lasts: Duration) -> String {
    humantime::format_duration(lasts).to_string()
}

/// Returns the entry with this id, else the last one that was stopped.
fn find_entry<'a>(id: Option<&str>, log: &'a Log) -> Result<&'a StoredEntry, String> {
    let mut entries = log.entries.iter().rev();
    match id {
        // An id has four digits only, so entries may share one: the newest is meant.
        Some(id) => entries.find(|kept| kept.id == id).ok_or_else(|| {
            format!("the log has no `{id}`; `hookbox log --denied` lists the blocked calls with their names")
        }),
        None => entries
            // Only the entry of a stopped tool call identifies the call.
            .find(|kept| kept.entry.call.is_some())
            .ok_or_else(|| "the log has no recently blocked tool call; see `hookbox log`".to_owned()),
    }
}

/// Returns the hooks that stopped the call, and those that were skipped for a former allowance, which would stop it again.
fn stopped_by(entry: &Entry) -> Result<Vec<HookName>, String> {
    let mut hooks = entry.allowed.clone();
    for answer in entry.hooks.iter().filter(|answer| answer.is_stop()) {
        let HookName { layer, name } = &answer.hook;
        match layer.as_str() {
            "managed" => {
                return Err(format!("`{name}` is the administrator's, and stays: nothing was allowed"));
            }
            "session" if name == OWN_CHANGES => {
                return Err(
                    "a file of hookbox's changed, and every call is denied until you have run `hookbox restore`".to_owned(),
                );
            }
            // hookbox's own gate for a broken file has this layer, since no file configures it.
            "session" if name == "configuration" => {
                return Err(
                    "your configuration has an error, and everything is denied until it is fixed; run `hookbox check`"
                        .to_owned(),
                );
            }
            _ => {}
        }
        if !hooks.contains(&answer.hook) {
            hooks.push(answer.hook.clone());
        }
    }
    if hooks.is_empty() {
        return Err("the log does not name the hook that stopped it, so nothing was allowed".to_owned());
    }
    Ok(hooks)
}

/// Returns the reason if self-protection stops the call, which cannot be allowed; checked where the log has the arguments.
fn find_self_protection_reason(entry: &Entry) -> Option<String> {
    let input = serde_json::from_str(entry.arguments.as_deref()?).ok()?;
    let request =
        try_event::tool_event(&entry.agent, (entry.tool.as_deref()?, input), resolve_base_folder(entry))
            .ok()?;
    let places = Places::of_terminal(&environment::read_variable);
    let folder_hooks =
        read::load_for_event(&request, places, (&SourceArgs::default(), &OwnArgs::default())).ok()?;
    folder_hooks.find_forbid_reason(&request.event).map(|reason| reason.text().to_owned())
}

/// Returns the folder to which relative paths of the call refer.
fn resolve_base_folder(entry: &Entry) -> &str {
    entry.cwd.as_ref().unwrap_or(&entry.project)
}

/// Returns the arguments, if they can be shown completely.
fn parse_arguments(id: &str, entry: &Entry) -> Result<Vec<(String, String)>, String> {
    let whole = entry.arguments.as_ref().filter(|_| !entry.cut);
    let Some(Ok(Value::Object(members))) = whole.map(|text| serde_json::from_str(text)) else {
        return Err(format!(
            "`{id}` is too long to be shown whole, so an allowance cannot be reviewed; `hookbox disable NAME --for 10m` switches \
             a hook off for a time"
        ));
    };
    if whole.is_some_and(|text| text.contains(REDACTED)) {
        return Err(format!(
            "a part of `{id}` looks like a secret and is not kept, so an allowance cannot be reviewed; `hookbox disable NAME --for \
             10m` switches a hook off for a time"
        ));
    }
    let shown = |value: Value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    Ok(members.into_iter().map(|(name, value)| (name, shown(value))).collect())
}

fn print_call(id: &str, entry: &Entry, arguments: &[(String, String)], printer: &Printer) {
    let age = format_age(entry.time, Clock::machine().now_ms());
    let verdict = if entry.verdict == "ask" { "asked about" } else { "denied" };
    printer.print_line(&format!("{id} {verdict} {age}, {}", sanitize_line(&entry.agent)));
    printer.print_line(&format!("  in {}", sanitize_line(&escape_invisible(resolve_base_folder(entry)))));
    let tool = entry.tool.as_deref().unwrap_or_default();
    printer.print_line(&format!("  {}", sanitize_line(&escape_invisible(tool))));
    // An invisible character could make the call look like a harmless one to the user.
    for (name, value) in arguments {
        printer.print_line(&format!(
            "    {}: {}",
            sanitize_line(&escape_invisible(name)),
            sanitize_line(&escape_invisible(value))
        ));
    }
    for answer in &entry.hooks {
        printer.print_line(&format!("  {}", describe_answer(answer)));
    }
}
