//! `grant`: what a wasm hook may do beyond answering.

use hookbox_model::{Folder, Grants, HttpRule, KvGrant, PROJECT, Scope, Secret, Tier};
use toml::de::DeTable;

use super::{
    Source,
    keys::QUOTA,
    path,
    report::{Found, Report},
    shape, size,
    suggest::quoted,
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
    let (read, write) = (folders("read"), folders("write"));
    Grants {
        clock: given("clock"),
        random: given("random"),
        env: values::strings(grant, "env"),
        read,
        write,
        http: parsed(grant, "http", str::parse, report),
        addresses: parsed(grant, "addresses", str::parse, report),
        secrets: secrets(grant, report),
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

/// The strings of a list as what they stand for; what is wrong with one is told in its place.
fn parsed<T>(
    table: &DeTable<'_>,
    key: &str,
    parse: impl Fn(&str) -> Result<T, &'static str>,
    report: &mut Report,
) -> Vec<T> {
    let mut one = |text: toml::Spanned<&str>| {
        // An empty one has been told.
        let text = Some(text).filter(|text| !text.get_ref().is_empty())?;
        let wrong = |why| {
            let message = format!("{} cannot stand in `{key}`", quoted(text.get_ref()));
            report.add(Found::error(text.span(), message).help(why));
        };
        parse(text.get_ref()).map_err(wrong).ok()
    };
    values::texts(table, key).into_iter().filter_map(&mut one).collect()
}

fn secrets(grant: &DeTable<'_>, report: &mut Report) -> Vec<Secret> {
    let Some(table) = values::table(grant, "secret") else { return Vec::new() };
    let mut secrets = Vec::new();
    for name in table.get_ref().keys() {
        let text: &str = name.get_ref();
        if !shape::is_name(text) {
            let error = Found::error(name.span(), format!("{} cannot be the name of a secret", quoted(text)));
            report.add(error.help("allowed: letters, digits, `.`, `_` and `-`"));
        }
        let Some(secret) = values::table(table.get_ref(), text) else { continue };
        let env = values::text(secret.get_ref(), "env").map(|env| (*env.get_ref()).to_owned());
        let to = parsed(secret.get_ref(), "to", HttpRule::of_any_method, report);
        secrets.extend(env.map(|env| Secret { name: text.to_owned(), env, to }));
    }
    secrets
}

fn folders(fs: &DeTable<'_>, name: &str, source: &Source, report: &mut Report) -> Vec<Folder> {
    let folder = |text: &toml::Spanned<&str>| match *text.get_ref() {
        PROJECT => Some(Folder::Project),
        _ => path::resolve(text, source, report).map(Folder::At),
    };
    values::texts(fs, name).iter().filter_map(folder).collect()
}
