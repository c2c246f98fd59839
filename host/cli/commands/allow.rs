//! `hookbox allow`: the user lets one call pass that hooks have stopped.

use std::time::Duration;

use hookbox::{Clock, redaction::REDACTED};
use hookbox_files::{
    OWN_FILES,
    allowances::{self, Allowance},
    event_log::{Entry, HookName, Kept, Log},
    places::Places,
};
use serde_json::Value;

use super::{
    log::{age, file, told},
    person, read,
    trust::text::seen,
    try_event,
};
use crate::{
    args::{AllowArgs, OwnArgs, SourceArgs},
    environment,
    exit::ExitStatus,
    printer::Printer,
    report::plain,
};

/// Time within which a call that is allowed once has to come.
const ONCE_WITHIN: Duration = Duration::from_hours(1);
/// Longest time for which a call can be allowed.
const LONGEST: Duration = Duration::from_hours(24);
const INSTEAD: &str = "your hooks.toml decides what hooks do";

pub(super) fn allow(args: &AllowArgs, printer: &Printer) -> ExitStatus {
    match try_allow(args, printer) {
        Ok(done) => {
            printer.line(&plain(&done));
            ExitStatus::Success
        }
        Err(problem) => {
            printer.error(&plain(&problem));
            ExitStatus::Usage
        }
    }
}

/// Allows a call after showing it to the user and asking. The user must be at a terminal, since otherwise the agent could
/// bypass every hook.
fn try_allow(args: &AllowArgs, printer: &Printer) -> Result<String, String> {
    person::check("allowed", INSTEAD)?;
    let lasts = lasts(args)?;
    let places = Places::of_terminal(&environment::variable);
    let log = Log::read(&file(&places)?);
    let Kept { id, entry } = chosen(args.id.as_deref(), &log)?;
    let call = entry.call.clone().ok_or_else(|| format!("`{id}` is not a blocked tool call"))?;
    let hooks = stopped_by(entry)?;
    let arguments = arguments(id, entry)?;
    if let Some(why) = forbidden(entry) {
        return Err(format!(
            "nothing was allowed: `{id}` would be stopped all the same, by `{OWN_FILES}`: {why}"
        ));
    }
    show(id, entry, &arguments, printer);
    let how = if args.how_long.once {
        "once, within an hour".to_owned()
    } else {
        format!("for {}", in_words(lasts))
    };
    if !person::agrees(&format!("Allow exactly this call {how}?"), printer) {
        return Ok("nothing was allowed".to_owned());
    }
    let now = Clock::machine().now_ms();
    let until = now.saturating_add(u64::try_from(lasts.as_millis()).unwrap_or(u64::MAX));
    let kept = places.allowances().ok_or("no home folder is known, so nothing can be kept; set HOME")?;
    let names: Vec<_> = hooks.iter().map(|hook| format!("`{}`", hook.name)).collect();
    let allowance = Allowance { call, hooks, until, once: args.how_long.once };
    allowances::add(&kept, allowance).map_err(|error| error.to_string())?;
    Ok(format!("allowed {how}: {} will not be asked about it; have the agent try again", names.join(", ")))
}

fn lasts(args: &AllowArgs) -> Result<Duration, String> {
    match args.how_long.lasts {
        None => Ok(ONCE_WITHIN),
        Some(lasts) if lasts.as_millis() == 0 => {
            Err("`--for` is zero; give a duration, such as `--for 1h`".to_owned())
        }
        Some(lasts) if lasts > LONGEST => {
            Err("`--for` may be 1 day at most; what is to hold for longer belongs into your hooks.toml"
                .to_owned())
        }
        Some(lasts) => Ok(lasts),
    }
}

fn in_words(lasts: Duration) -> String {
    humantime::format_duration(lasts).to_string()
}

/// Returns the entry with this id, else the last one that was stopped.
fn chosen<'a>(id: Option<&str>, log: &'a Log) -> Result<&'a Kept, String> {
    let mut entries = log.entries.iter().rev();
    match id {
        Some(id) => entries.find(|kept| kept.id == id).ok_or_else(|| {
            format!(
                "the log has no `{id}`; `hookbox log --denied` shows what was stopped, each with its name"
            )
        }),
        None => entries
            .find(|kept| kept.entry.call.is_some())
            .ok_or_else(|| "the log has no recently blocked tool call; see `hookbox log`".to_owned()),
    }
}

/// Returns the hooks that stopped the call, and those that were skipped for a former allowance, which would stop it again.
fn stopped_by(entry: &Entry) -> Result<Vec<HookName>, String> {
    let mut hooks = entry.allowed.clone();
    for said in entry.hooks.iter().filter(|said| said.is_stop()) {
        let HookName { layer, name } = &said.hook;
        match layer.as_str() {
            "managed" => {
                return Err(format!("`{name}` is the administrator's, and stays: nothing was allowed"));
            }
            "session" if name == "configuration" => {
                return Err(
                    "your configuration has an error, and everything is denied until it is fixed; run `hookbox check`"
                        .to_owned(),
                );
            }
            _ => {}
        }
        if !hooks.contains(&said.hook) {
            hooks.push(said.hook.clone());
        }
    }
    if hooks.is_empty() {
        return Err("the log does not say which hook stopped it, so nothing was allowed".to_owned());
    }
    Ok(hooks)
}

/// Returns the reason if self-protection stops the call, which cannot be allowed; checked where the log has the arguments.
fn forbidden(entry: &Entry) -> Option<String> {
    let input = serde_json::from_str(entry.arguments.as_deref()?).ok()?;
    let question =
        try_event::tool_event(&entry.agent, (entry.tool.as_deref()?, input), folder(entry)).ok()?;
    let places = Places::of_terminal(&environment::variable);
    let setup = read::setup_for(&question, places, (&SourceArgs::default(), &OwnArgs::default())).ok()?;
    setup.forbids(&question.event).map(|reason| reason.text().to_owned())
}

/// Returns the folder to which relative paths of the call refer.
fn folder(entry: &Entry) -> &str {
    entry.cwd.as_ref().unwrap_or(&entry.project)
}

/// Returns the arguments, if they can be shown completely.
fn arguments(id: &str, entry: &Entry) -> Result<Vec<(String, String)>, String> {
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

fn show(id: &str, entry: &Entry, arguments: &[(String, String)], printer: &Printer) {
    let age = age(entry.time, Clock::machine().now_ms());
    let verdict = if entry.verdict == "ask" { "asked about" } else { "denied" };
    printer.line(&format!("{id} {verdict} {age}, {}", plain(&entry.agent)));
    printer.line(&format!("  in {}", plain(&seen(folder(entry)))));
    printer.line(&format!("  {}", plain(entry.tool.as_deref().unwrap_or_default())));
    for (name, value) in arguments {
        printer.line(&format!("    {}: {}", plain(&seen(name)), plain(&seen(value))));
    }
    for said in &entry.hooks {
        printer.line(&format!("  {}", told(said)));
    }
}
