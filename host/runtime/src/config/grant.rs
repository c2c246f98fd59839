//! `grant`: what a wasm hook may do beyond answering.

use hookbox_model::{Folder, Grants, PROJECT, Tier};
use toml::de::DeTable;

use super::{
    Source, path,
    report::{Found, Report},
    values,
};

/// The grants of a hook. A file that nobody has reviewed gives none.
pub(super) fn resolve(table: &DeTable<'_>, source: &Source, report: &mut Report) -> Grants {
    let Some(grant) = values::table(table, "grant") else { return Grants::default() };
    if !table.contains_key("wasm") {
        let warning = Found::warning(grant.span(), "grant has no effect here: it is for wasm hooks");
        report.add(warning.help("a shell hook or a webhook has all of your power by its nature"));
        return Grants::default();
    }
    if source.tier == Tier::Unknown {
        let warning = Found::warning(grant.span(), "grant has no effect here");
        report.add(warning.help("a project's hook gets nothing granted until the file is trusted"));
        return Grants::default();
    }
    let grant = *grant.get_ref();
    let given = |name: &str| grant.get(name).and_then(|flag| flag.get_ref().as_bool()).unwrap_or(false);
    let fs = values::table(grant, "fs").map(|fs| *fs.get_ref());
    let mut folders = |name| fs.map(|fs| folders(fs, name, source, report)).unwrap_or_default();
    Grants {
        clock: given("clock"),
        random: given("random"),
        env: values::strings(grant, "env"),
        read: folders("read"),
        write: folders("write"),
    }
}

fn folders(fs: &DeTable<'_>, name: &str, source: &Source, report: &mut Report) -> Vec<Folder> {
    let folder = |text: &toml::Spanned<&str>| match *text.get_ref() {
        PROJECT => Some(Folder::Project),
        _ => path::resolve(text, source, report).map(Folder::At),
    };
    values::texts(fs, name).iter().filter_map(folder).collect()
}
