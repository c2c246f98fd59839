//! `confine` of a shell hook: the restrictions of its process.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use bytesize::ByteSize;
use hookbox_model::{Layer, ProfileName, TrustLevel};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    key::{Kind, Shape, optional_key},
    limits, path, quote_word,
    report::Report,
    size, table_shape, values,
};
use crate::{
    hook::{Confinement, FileRules, Place, ResourceLimits},
    hookfile::{PlacedProblem, Source},
};

/// Range of the memory limit: with less than the minimum no program starts; the maximum is what a processor can
/// address.
const MEMORY: (u64, u64) = (4 << 20, 128 << 40);
const FILE_SIZE: (u64, u64) = (0, 128 << 40);
/// Seconds.
const CPU: (u64, u64) = (1, 24 * 60 * 60);
/// The maximum is Linux's.
const PROCESSES: (i64, i64) = (1, 4_194_304);

/// Word for the event's folder; a folder of this name is written `./project`.
const PROJECT: &str = "project";

/// `confine` of a shell hook.
pub(super) const CONFINE: Shape = Shape {
    name: "`confine`",
    keys: &[
        optional_key(
            "read",
            Kind::List(&Kind::Text, 0),
            "read = [\"project\"]",
            "The only folders and files that it may read and run, in addition to those that programs need to start and \
             those of `write`: `project` (the event's folder), absolute, below `~/`, or from the folder of this file. Default: \
             any, if neither `read` nor `write` is given. Linux.",
        ),
        optional_key(
            "write",
            Kind::List(&Kind::Text, 0),
            "write = [\"~/.cache/guard\"]",
            "The only folders and files whose content it may change, as for `read`; they may be read too, but not run.",
        ),
        optional_key(
            "network",
            Kind::Flag,
            "network = false",
            "`false`: it opens no sockets but Unix sockets. Default: `true`. Linux.",
        ),
        optional_key(
            "privileges",
            Kind::Flag,
            "privileges = true",
            "May it gain privileges by running a program like `sudo`? Default: `false` where the system can \
             prevent it.",
        ),
        optional_key(
            "memory",
            Kind::Size,
            "memory = \"2GiB\"",
            "Memory that each of its processes may write to and does not share. Default: 16 GiB. Linux.",
        ),
        optional_key(
            "processes",
            Kind::Integer(PROCESSES.0, PROCESSES.1),
            "processes = 2000",
            "Processes and threads that the user may have, this hook's and all others, when it starts another one. \
             Default: any number. Not for root.",
        ),
        optional_key(
            "file-size",
            Kind::Size,
            "file-size = \"1GiB\"",
            "Length of a file that it writes. Default: 64 GiB.",
        ),
        optional_key(
            "cpu",
            Kind::Seconds,
            "cpu = \"60s\"",
            "Processor time of each of its processes, in whole seconds. Default: `1h`.",
        ),
    ],
    one_of: &[],
    may_be_empty: true,
};

/// Returns the confinement of a hook. A command that speaks an agent's contract runs as that agent would run it,
/// without confinement, unless it has `confine`.
pub(super) fn resolve_confinement(
    shell: &DeTable<'_>,
    source: &Source,
    report: &mut Report,
) -> Option<Confinement> {
    let Some(table) = values::get_table(shell, "confine") else {
        return (!shell.contains_key("speaks")).then(Confinement::default);
    };
    Some(of_table(table.get_ref(), source, report))
}

/// Returns the profiles of `[confine.NAME]`, by name. A project has none.
pub(super) fn resolve_profiles(
    root: &DeTable<'_>,
    source: &Source,
    report: &mut Report,
) -> BTreeMap<String, Confinement> {
    let Some(all) = values::get_table(root, "confine") else { return BTreeMap::new() };
    // `hookbox confine` reads profiles from no other file.
    if source.trust_level == TrustLevel::Untrusted || !matches!(source.layer, Layer::Managed | Layer::User) {
        let warning = PlacedProblem::warning(all.span(), "confine has no effect here");
        report.add_problem(warning.help("profiles are for your own file: `~/.config/hookbox/hooks.toml`"));
        return BTreeMap::new();
    }
    let mut profiles = BTreeMap::new();
    for name in all.get_ref().keys() {
        let text: &str = name.get_ref();
        if ProfileName::new(text).is_none() {
            let error = PlacedProblem::error(
                name.span(),
                format!("{} cannot be the name of a profile", quote_word(text)),
            );
            report.add_problem(error.help(format!("allowed: {}", ProfileName::RULE)));
            continue;
        }
        let Some(table) = values::get_table(all.get_ref(), text) else { continue };
        profiles.insert(text.to_owned(), of_table(table.get_ref(), source, report));
    }
    profiles
}

fn of_table(table: &DeTable<'_>, source: &Source, report: &mut Report) -> Confinement {
    let flag = |name: &str| table.get(name).and_then(|value| value.get_ref().as_bool());
    let confinement = Confinement {
        files: resolve_file_rules(table, source, report),
        network: flag("network").unwrap_or(true),
        privileges: flag("privileges"),
        limits: resource_limits(table, report),
    };
    check_privileges(table, &confinement, report);
    confinement
}

fn resolve_file_rules(table: &DeTable<'_>, source: &Source, report: &mut Report) -> Option<FileRules> {
    let mut places = |key: &str| -> Vec<Place> {
        let texts = values::get_texts(table, key);
        texts
            .iter()
            .filter(|text| !text.get_ref().is_empty())
            .filter_map(|text| parse_place(text, source, report))
            .collect()
    };
    let rules = FileRules { read: places("read"), write: places("write") };
    (table.contains_key("read") || table.contains_key("write")).then_some(rules)
}

/// Returns the place. The handler resolves the home folder: this library reads no environment.
fn parse_place(text: &Spanned<&str>, source: &Source, report: &mut Report) -> Option<Place> {
    if *text.get_ref() == PROJECT {
        return Some(Place::Project);
    }
    let Some(below) = text.get_ref().strip_prefix("~/") else {
        return path::resolve_absolute(text, source, report).map(Place::Path);
    };
    // Resolved by its text, like every path: `..` must not lead out of the named folder.
    let below = path::resolve_absolute(&Spanned::new(text.span(), &*format!("/{below}")), source, report)?;
    Some(Place::Home(below.strip_prefix("/").map(PathBuf::from).unwrap_or_default()))
}

fn resource_limits(table: &DeTable<'_>, report: &mut Report) -> ResourceLimits {
    let processes = match table.get("processes").map(Spanned::get_ref) {
        Some(DeValue::Integer(number)) => {
            table_shape::parse_integer(number).and_then(|number| u64::try_from(number).ok())
        }
        _ => None,
    };
    ResourceLimits {
        memory: parse_size(table, "memory", MEMORY, report),
        processes,
        file_size: parse_size(table, "file-size", FILE_SIZE, report),
        cpu: parse_cpu_time(table, report),
    }
}

fn parse_size(table: &DeTable<'_>, name: &str, (min, max): (u64, u64), report: &mut Report) -> Option<u64> {
    let text = values::get_text(table, name)?;
    let size = size::parse_bytes(name, text.get_ref(), text.span(), report)?;
    if (min..=max).contains(&size) {
        return Some(size);
    }
    let (size, min, max) = (ByteSize::b(size), ByteSize::b(min), ByteSize::b(max));
    report.add_error(text.span(), format!("{name} is {size}, but must be from {min} to {max}"));
    None
}

fn parse_cpu_time(table: &DeTable<'_>, report: &mut Report) -> Option<Duration> {
    let text = values::get_text(table, "cpu")?;
    let time = Duration::from_millis(limits::parse_milliseconds("cpu", &text, report)?);
    // `RLIMIT_CPU` counts whole seconds.
    if time.subsec_millis() == 0 && (CPU.0..=CPU.1).contains(&time.as_secs()) {
        return Some(time);
    }
    let time = humantime::format_duration(time);
    report.add_error(text.span(), format!("cpu is {time}, but must be whole seconds, from 1s to 24h"));
    None
}

/// Rejects `privileges` of a confined hook: a program with more rights could be misled through its restrictions, and
/// the kernel demands this rule.
fn check_privileges(table: &DeTable<'_>, confinement: &Confinement, report: &mut Report) {
    let confined = confinement.files.is_some() || !confinement.network;
    if confinement.privileges == Some(true) && confined {
        let span = table.get("privileges").map(Spanned::span).unwrap_or_default();
        let error = PlacedProblem::error(
            span,
            "a hook that is kept from files or the network can gain no privileges",
        );
        report.add_problem(error.help("leave out `privileges`, or `read`, `write` and `network = false`"));
    }
}
