//! What a file of the tier `unknown` may not hold. It is left out, with a warning; the file has no say in it.

use std::path::Path;

use toml::Spanned;

use super::{
    Source,
    entry::Entry,
    path,
    report::{Found, Report},
    suggest::quoted,
    values,
};

/// May the hook run? Warns of what it says in vain.
pub(super) fn admits(entry: &Entry<'_>, report: &mut Report) -> bool {
    warn_of_no_effect(entry, report);
    let name = entry.name().map_or_else(|| "this hook".to_owned(), |name| quoted(name.get_ref()));
    if let Some(other) = ["shell", "webhook"].into_iter().find_map(|key| entry.table.get_key_value(key)) {
        let message = format!("{name} is left out: it is a {} hook", other.0.get_ref());
        let warning = Found::warning(other.0.span(), message);
        report.add(warning.help("a project's file may only hold wasm hooks until it is trusted"));
        return false;
    }
    let wasm = values::table(entry.table, "wasm");
    let Some(path) = wasm.and_then(|wasm| values::text(wasm.get_ref(), "path")) else {
        return true;
    };
    if stays_inside(path.get_ref(), entry.source) {
        return true;
    }
    let warning =
        Found::warning(path.span(), format!("{name} is left out: its component is not in the project"));
    report.add(
        warning.help(
            "until it is trusted, a project's file may only name files of the project, by relative paths",
        ),
    );
    false
}

fn stays_inside(text: &str, source: &Source) -> bool {
    let (Some(folder), Some(boundary)) = (source.folder(), source.boundary()) else {
        return false;
    };
    let relative = !Path::new(text).is_absolute();
    relative && path::normalised(&folder.join(text)).starts_with(path::normalised(boundary))
}

fn warn_of_no_effect(entry: &Entry<'_>, report: &mut Report) {
    let span = |key: &str| entry.table.get(key).map(Spanned::span);
    if let Some(span) = span("on-failure") {
        let warning = Found::warning(span, "on-failure has no effect here");
        report.add(warning.help("a project's hook that fails is passed over until the file is trusted"));
    }
    let transform = values::text(entry.table, "role").filter(|role| *role.get_ref() == "transform");
    if let Some(role) = transform {
        let warning = Found::warning(role.span(), "its rewrites have no effect here");
        report.add(warning.help("a project's hook may only ask, deny or observe until the file is trusted"));
    }
}
