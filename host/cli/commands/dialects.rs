//! `hookbox dialects`: lists each agent's events and the answers it supports.

use hookbox::{
    agents::{self, Dialect, EventSupport},
    config::did_you_mean,
    model::EventName,
};
use serde_json::{Value, json};

use crate::{
    args::DialectsArgs,
    exit::ExitStatus,
    printer::{Printer, WARNING},
    report,
};

/// The version of the JSON form.
const VERSION: u32 = 1;

pub(super) fn list_dialects(args: &DialectsArgs, printer: &Printer) -> ExitStatus {
    let Some(chosen) = choose_dialects(args.name.as_deref()) else {
        let name = args.name.as_deref().unwrap_or_default();
        let known: Vec<_> = agents::all_dialects().iter().map(|dialect| dialect.name()).collect();
        printer.print_error(&format!(
            "unknown dialect `{}`; {}",
            report::sanitize_line(name),
            did_you_mean(name, &known)
        ));
        return ExitStatus::Usage;
    };
    if args.json {
        let dialects: Vec<_> = chosen.iter().map(|dialect| dialect_json(*dialect)).collect();
        printer.print_line(&format!("{:#}", json!({ "version": VERSION, "dialects": dialects })));
    } else {
        for dialect in chosen {
            print_dialect(dialect, printer);
        }
    }
    ExitStatus::Success
}

fn choose_dialects(name: Option<&str>) -> Option<Vec<&'static dyn Dialect>> {
    match name {
        None => Some(agents::all_dialects().to_vec()),
        Some(name) => agents::find_dialect(name).map(|dialect| vec![dialect]),
    }
}

/// Returns each event with the supported effects of an answer.
fn list_events(dialect: &dyn Dialect) -> Vec<(&'static str, EventName, EventSupport)> {
    let support = |(name, event): (&'static str, EventName)| {
        let support = dialect.support(name, &event);
        (name, event, support)
    };
    dialect.events().into_iter().map(support).collect()
}

fn print_dialect(dialect: &dyn Dialect, printer: &Printer) {
    let rows = list_events(dialect);
    printer.print_line(dialect.name());
    let wide = rows.iter().map(|(name, ..)| name.len()).max().unwrap_or_default();
    for (name, event, support) in rows {
        let unsure = if support.sure { String::new() } else { format!("  {WARNING}unsure{WARNING:#}") };
        let line = format!("  {name:wide$}  {:20}  {}", event.as_str(), describe_support(support));
        printer.print_line(&format!("{}{unsure}", line.trim_end()));
    }
}

fn describe_support(support: EventSupport) -> String {
    let EventSupport { block, ask, rewrite, context, .. } = support;
    let named_effects = [(block, "block"), (ask, "ask"), (rewrite, "rewrite"), (context, "context")];
    let words: Vec<_> = named_effects.iter().filter(|(yes, _)| *yes).map(|(_, word)| *word).collect();
    words.join(" ")
}

fn dialect_json(dialect: &dyn Dialect) -> Value {
    let events = list_events(dialect).into_iter().map(|(name, event, support)| {
        let EventSupport { block, ask, rewrite, context, sure } = support;
        json!({ "event": name, "canonical": event.as_str(), "block": block, "ask": ask, "rewrite": rewrite,
            "context": context, "sure": sure })
    });
    json!({ "name": dialect.name(), "events": events.collect::<Vec<_>>() })
}
