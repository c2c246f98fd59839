//! Limits of a project's file: little is allowed before the user has looked at the file, more once the user trusts an
//! entry. The rest is left out, with a warning; the file cannot change this.

use std::path::Path;

use toml::{Spanned, de::DeTable};

use super::{entry::Entry, keys::HANDLERS, path, quote_word, report::Report, values};
use crate::hookfile::{PlacedProblem, Source};

/// The one kind of handler that an untrusted project may bring, since the sandbox contains it.
pub(super) const SANDBOXED: &str = "wasm";

/// Kinds of handlers that can be trusted entry by entry: all that they run is known beforehand.
const TRUSTED_ONE_BY_ONE: [&str; 3] = [SANDBOXED, "shell", "webhook"];

/// Returns true if a hook that the user trusts may run. Warns of keys without effect.
pub(super) fn admits_reviewed(entry: &Entry<'_>, report: &mut Report) -> bool {
    warn_of_rewrites(entry, report);
    let kinds = HANDLERS.iter().filter(|kind| !TRUSTED_ONE_BY_ONE.contains(kind));
    if let Some(other) = kinds.into_iter().find_map(|kind| entry.table.get_key_value(*kind)) {
        let message = format!("{} is left out: it is a {} hook", name_of(entry), other.0.get_ref());
        let warning = PlacedProblem::warning(other.0.span(), message);
        report.add_problem(
            warning.help("it may load anything later; put it into your own file if you want it"),
        );
        return false;
    }
    let Some(wasm) = values::get_table(entry.table, SANDBOXED) else { return true };
    is_of_the_project(wasm.get_ref(), entry, report)
}

/// Returns true if the hook may run. Warns of keys without effect.
pub(super) fn admits_hook(entry: &Entry<'_>, report: &mut Report) -> bool {
    admits_of(HANDLERS, entry, report)
}

/// Returns true if the hook may run, with these kinds of handlers.
fn admits_of(kinds: &[&str], entry: &Entry<'_>, report: &mut Report) -> bool {
    warn_of_no_effect(entry, report);
    let name = name_of(entry);
    let others = kinds.iter().filter(|kind| **kind != SANDBOXED);
    if let Some(other) = others.into_iter().find_map(|kind| entry.table.get_key_value(*kind)) {
        let message = format!("{name} is left out: it is a {} hook", other.0.get_ref());
        let warning = PlacedProblem::warning(other.0.span(), message);
        if TRUSTED_ONE_BY_ONE.contains(&&**other.0.get_ref()) {
            report.waiting += 1;
            report.add_problem(warning.help("`hookbox trust` shows it to you, and it runs once you say so"));
        } else {
            report.add_problem(
                warning.help("a project's file may only hold wasm hooks, and those that you trust"),
            );
        }
        return false;
    }
    let wasm = values::get_table(entry.table, SANDBOXED);
    wasm.is_some_and(|wasm| is_of_the_project(wasm.get_ref(), entry, report))
}

fn name_of(entry: &Entry<'_>) -> String {
    entry.name().map_or_else(|| "this hook".to_owned(), |name| quote_word(name.get_ref()))
}

/// Returns true if the component is a file of the project, or a plugin that is shipped with hookbox.
fn is_of_the_project(wasm: &DeTable<'_>, entry: &Entry<'_>, report: &mut Report) -> bool {
    // The file of such a plugin is the installation's, whichever file names it.
    if values::get_text(wasm, "plugin").is_some() {
        return true;
    }
    let Some(path) = values::get_text(wasm, "path") else {
        // The shape of the file has been reported as wrong.
        return false;
    };
    let name = name_of(entry);
    if stays_inside(path.get_ref(), entry.source) {
        return true;
    }
    let warning = PlacedProblem::warning(
        path.span(),
        format!("{name} is left out: its component is not in the project"),
    );
    report.add_problem(
        warning.help("a project's file may only name components of the project, by relative paths"),
    );
    false
}

fn stays_inside(text: &str, source: &Source) -> bool {
    let (Some(folder), Some(boundary)) = (source.folder(), source.boundary()) else {
        return false;
    };
    let relative = !Path::new(text).is_absolute();
    // By its text; a link that leads out of the project is refused when the component is called.
    relative && path::normalise_path(&folder.join(text)).starts_with(path::normalise_path(boundary))
}

fn warn_of_no_effect(entry: &Entry<'_>, report: &mut Report) {
    let span = |key: &str| entry.table.get(key).map(Spanned::span);
    if let Some(span) = span("on-failure") {
        let warning = PlacedProblem::warning(span, "on-failure has no effect here");
        report.add_problem(
            warning.help("a project's hook that fails is passed over until you trust it (`hookbox trust`)"),
        );
    }
    warn_of_rewrites(entry, report);
}

fn warn_of_rewrites(entry: &Entry<'_>, report: &mut Report) {
    let transform = values::get_text(entry.table, "role").filter(|role| *role.get_ref() == "transform");
    if let Some(role) = transform {
        let warning = PlacedProblem::warning(role.span(), "its rewrites have no effect here");
        report.add_problem(warning.help("a project's hook may ask, deny and observe, and rewrites nothing"));
    }
}

#[cfg(test)]
mod tests {
    use hookbox_model::{Layer, TrustLevel};
    use toml::de::DeValue;

    use super::*;

    /// Returns true if an entry with these keys is admitted, with these kinds of handlers.
    fn is_admitted(kinds: &[&str], keys: &str) -> bool {
        let text = format!("[[hook]]\nname = 'a'\non = 'tool.before'\n{keys}\n");
        let root = DeTable::parse(&text).unwrap();
        let source = Source {
            layer: Layer::Project,
            trust_level: TrustLevel::Untrusted,
            file: Some("/p/.hookbox/hooks.toml".into()),
            root: Some("/p".into()),
            plugins: crate::ShippedPlugins::default(),
            text: text.clone(),
        };
        let Some(DeValue::Array(items)) = root.get_ref().get("hook").map(Spanned::get_ref) else {
            panic!("no hook in {text}")
        };
        admits_of(kinds, &Entry::new(1, &items[0], &source).unwrap(), &mut Report::default())
    }

    #[test]
    fn a_kind_of_handler_that_is_not_thought_of_yet_is_left_out() {
        let kinds = [HANDLERS, &["telepathy"]].concat();
        assert!(is_admitted(&kinds, "wasm = { path = 'a.wasm' }"));
        assert!(!is_admitted(&kinds, "telepathy = { to = 'everyone' }"));
        assert!(!is_admitted(&kinds, "wasm = { path = 'a.wasm' }\ntelepathy = {}"));
        assert!(!is_admitted(&kinds, "nothing = {}"));
        for kind in HANDLERS.iter().filter(|kind| **kind != SANDBOXED) {
            assert!(!is_admitted(HANDLERS, &format!("{kind} = {{}}")), "{kind}");
        }
    }
}
