//! Settings that only the user's own files may have: `[projects]` and `[[project]]`, the off switches for projects'
//! hooks, and `log`.

use hookbox_model::TrustLevel;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    key::{Key, Kind, Shape, optional_key, required_key},
    path,
    report::Report,
    table_shape, values,
};
use crate::hookfile::{Lines, PlacedProblem, ProjectSwitch, ProjectSwitches, Source};

/// Most entries of `project` in one file.
const MAX_PROJECTS: usize = 1_000;

pub(super) const PROJECTS: Shape =
    Shape { name: "`projects`", keys: &[HOOKS], one_of: &[], may_be_empty: false };

/// One `[[project]]`.
pub(super) const PROJECT: Shape = Shape {
    name: "the project",
    keys: &[
        required_key(
            "path",
            Kind::Text,
            "path = \"/code/thing\"",
            "The project's folder; it stands for those below it, too. A relative path is meant from the folder of this file.",
        ),
        HOOKS,
        optional_key(
            "disable",
            Kind::OneOrMore(&Kind::Name),
            "disable = [\"slow-check\"]",
            "The names of its hooks that are never called, one or a list.",
        ),
    ],
    one_of: &[],
    may_be_empty: false,
};

const HOOKS: Key = optional_key(
    "hooks",
    Kind::Flag,
    "hooks = false",
    "`false`: no hook that a project brings is read. Default: `true`.",
);

/// Returns the switches of a file. An untrusted file has none: it would switch off the hooks of others.
pub(super) fn resolve_switches(
    root: &DeTable<'_>,
    source: &Source,
    lines: &Lines<'_>,
    report: &mut Report,
) -> ProjectSwitches {
    if source.trust_level == TrustLevel::Untrusted {
        warn_of(root, &["projects", "project"], "only your own files switch hooks of projects off", report);
        return ProjectSwitches::default();
    }
    let place = |at: usize| PlacedProblem::warning(at..at, "").into_problem(source, lines, &[]).place();
    let off = values::get_table(root, "projects").filter(|all| is_off(all.get_ref()));
    let mut switches = ProjectSwitches::new(off.map(|all| place(all.span().start)));
    let Some(DeValue::Array(items)) = root.get("project").map(Spanned::get_ref) else { return switches };
    if let Some(item) = items.get(MAX_PROJECTS) {
        report
            .add_error(item.span(), format!("a file may hold {MAX_PROJECTS} projects; the rest is left out"));
    }
    for item in items.iter().take(MAX_PROJECTS) {
        let Some(table) = item.get_ref().as_table() else { continue };
        table_shape::check_table(table, item.span(), &PROJECT, report);
        let path =
            values::get_text(table, "path").and_then(|path| path::resolve_absolute(&path, source, report));
        let Some(path) = path else { continue };
        let (off, disable) = (is_off(table), values::get_strings(table, "disable"));
        switches.add_project(ProjectSwitch { path, off, disable, place: place(item.span().start) });
    }
    switches
}

/// Returns true if the file switches the log of hooks' output off. An untrusted file cannot.
pub(super) fn log_off(root: &DeTable<'_>, source: &Source, report: &mut Report) -> bool {
    if source.trust_level == TrustLevel::Untrusted {
        warn_of(root, &["log"], "only your own files say what is kept", report);
        return false;
    }
    root.get("log").and_then(|value| value.get_ref().as_bool()) == Some(false)
}

/// Warns that these keys have no effect in an untrusted file.
fn warn_of(root: &DeTable<'_>, keys: &[&str], help: &str, report: &mut Report) {
    for (key, _) in root.iter().filter(|(key, _)| keys.contains(&key.get_ref().as_ref())) {
        let found = PlacedProblem::warning(key.span(), format!("{} has no effect here", key.get_ref()));
        report.add_problem(found.help(help));
    }
}

fn is_off(table: &DeTable<'_>) -> bool {
    table.get("hooks").and_then(|value| value.get_ref().as_bool()) == Some(false)
}
