//! `grant`: what a wasm hook may do beyond answering.

use hookbox_model::{Folder, Grants, KvGrant, PROJECT, Scope, Tier};
use toml::de::DeTable;

use super::{
    Source,
    keys::QUOTA,
    path,
    report::{Found, Report},
    size, values,
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
    let (read, write) = (folders("read"), folders("write"));
    Grants {
        clock: given("clock"),
        random: given("random"),
        env: values::strings(grant, "env"),
        read,
        write,
        kv: values::table(grant, "kv").map(|kv| store(kv.get_ref(), report)).unwrap_or_default(),
    }
}

fn store(kv: &DeTable<'_>, report: &mut Report) -> KvGrant {
    let scopes = values::strings(kv, "scopes");
    let grant = KvGrant::new(scopes.iter().filter_map(|name| Scope::named(name)));
    let quota = kv.get("quota").and_then(|value| size::resolve("quota", value, QUOTA, report));
    match quota {
        Some(bytes) => grant.with_quota(bytes),
        None => grant,
    }
}

fn folders(fs: &DeTable<'_>, name: &str, source: &Source, report: &mut Report) -> Vec<Folder> {
    let folder = |text: &toml::Spanned<&str>| match *text.get_ref() {
        PROJECT => Some(Folder::Project),
        _ => path::resolve(text, source, report).map(Folder::At),
    };
    values::texts(fs, name).iter().filter_map(folder).collect()
}
