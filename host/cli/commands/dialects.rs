//! `hookbox dialects`: lists each agent's events and the answers it supports.

use hookbox::{
    config::did_you_mean,
    dialect::{self, Dialect, EventSupport},
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

pub(super) fn dialects(args: &DialectsArgs, printer: &Printer) -> ExitStatus {
    let Some(chosen) = chosen(args.name.as_deref()) else {
        let name = args.name.as_deref().unwrap_or_default();
        let known: Vec<_> = dialect::all().iter().map(|dialect| dialect.name()).collect();
        printer.error(&format!(
            "there is no dialect `{}`; {}",
            report::plain(name),
            did_you_mean(name, &known)
        ));
        return ExitStatus::Usage;
    };
    if args.json {
        let dialects: Vec<_> = chosen.iter().map(|dialect| dialect_json(*dialect)).collect();
        printer.line(&format!("{:#}", json!({ "version": VERSION, "dialects": dialects })));
    } else {
        for dialect in chosen {
            print(dialect, printer);
        }
    }
    ExitStatus::Success
}

fn chosen(name: Option<&str>) -> Option<Vec<&'static dyn Dialect>> {
    match name {
        None => Some(dialect::all().to_vec()),
        Some(name) => dialect::named(name).map(|dialect| vec![dialect]),
    }
}

/// Returns each event with the supported effects of an answer.
fn rows(dialect: &dyn Dialect) -> Vec<(&'static str, EventName, EventSupport)> {
    let support = |(name, event): (&'static str, EventName)| {
        let support = dialect.support(name, &event);
        (name, event, support)
    };
    dialect.events().into_iter().map(support).collect()
}

fn print(dialect: &dyn Dialect, printer: &Printer) {
    let rows = rows(dialect);
    printer.line(dialect.name());
    let wide = rows.iter().map(|(name, ..)| name.len()).max().unwrap_or_default();
    for (name, event, support) in rows {
        let unsure = if support.sure { String::new() } else { format!("  {WARNING}unsure{WARNING:#}") };
        let line = format!("  {name:wide$}  {:20}  {}", event.as_str(), words(support));
        printer.line(&format!("{}{unsure}", line.trim_end()));
    }
}

fn words(support: EventSupport) -> String {
    let EventSupport { block, ask, rewrite, context, .. } = support;
    let said = [(block, "block"), (ask, "ask"), (rewrite, "rewrite"), (context, "context")];
    let words: Vec<_> = said.iter().filter(|(yes, _)| *yes).map(|(_, word)| *word).collect();
    words.join(" ")
}

fn dialect_json(dialect: &dyn Dialect) -> Value {
    let events = rows(dialect).into_iter().map(|(name, event, support)| {
        let EventSupport { block, ask, rewrite, context, sure } = support;
        json!({ "event": name, "canonical": event.as_str(), "block": block, "ask": ask, "rewrite": rewrite,
            "context": context, "sure": sure })
    });
    json!({ "name": dialect.name(), "events": events.collect::<Vec<_>>() })
}
