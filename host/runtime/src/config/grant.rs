//! `grant`: capabilities of a wasm hook beyond answering.

use hookbox_model::{Folder, GrantError, Grants, HttpRule, KvGrant, PROJECT, Scope, Secret, TrustLevel};
use toml::de::DeTable;

use super::{
    key::{Kind, Shape, SizeRange, optional_key, required_key},
    path, quote_word,
    report::Report,
    size, table_shape, values,
};
use crate::hookfile::{PlacedProblem, Source};

fn list_scopes() -> Vec<&'static str> {
    Scope::ALL.map(Scope::as_str).to_vec()
}

/// `grant` of a hook.
pub(super) const GRANT: Shape = Shape {
    name: "`grant`",
    keys: &[
        optional_key(
            "clock",
            Kind::Flag,
            "clock = true",
            "To know what time it is, to the millisecond. Without it the time is the event's.",
        ),
        optional_key(
            "random",
            Kind::Flag,
            "random = true",
            "To get unpredictable bytes. Without it they follow from the event, so that a call can be repeated.",
        ),
        optional_key(
            "env",
            Kind::List(&Kind::Variable, 0),
            "env = [\"LANG\"]",
            "To know the values of these environment variables, if they are set.",
        ),
        optional_key(
            "fs",
            Kind::Table(&FS),
            "fs = { read = [\"project\"] }",
            "To reach files in these folders.",
        ),
        optional_key(
            "http",
            Kind::List(&Kind::Text, 0),
            "http = [\"GET,POST https://api.example.com/v1\"]",
            "To send these requests to servers: methods (default `GET`, `*` for any), scheme, host (`*.` for \
             all names below one), port, and the beginning of the path.",
        ),
        optional_key(
            "addresses",
            Kind::List(&Kind::Text, 0),
            "addresses = [\"10.0.0.0/8\"]",
            "To reach these addresses by them, too: without it a name must have a public one.",
        ),
        optional_key(
            "secret",
            Kind::Map(&Kind::Table(&SECRET)),
            "secret = { api = { env = \"API_TOKEN\", to = [\"https://api.example.com/\"] } }",
            "To have secrets sent that it does not see: `${secret:NAME}` in a header's value stands for one.",
        ),
        optional_key(
            "kv",
            Kind::Table(&KV),
            "kv = { scopes = [\"session\"] }",
            "To keep entries in a store that outlives a call.",
        ),
    ],
    one_of: &[],
    may_be_empty: true,
};

/// One entry of `grant.secret`
const SECRET: Shape = Shape {
    name: "the secret",
    keys: &[
        required_key("env", Kind::Variable, "env = \"API_TOKEN\"", "The environment variable that holds it."),
        required_key(
            "to",
            Kind::List(&Kind::Text, 1),
            "to = [\"https://api.example.com/\"]",
            "Where it may go, written as rules of `http`; any method if none is said.",
        ),
    ],
    one_of: &[],
    may_be_empty: false,
};

/// `grant.fs`
const FS: Shape = Shape {
    name: "`grant.fs`",
    keys: &[
        optional_key(
            "read",
            Kind::List(&Kind::Text, 0),
            "read = [\"project\"]",
            "Folders whose files it may read: `project` is the folder that the event happens in, a relative path is meant \
             from the folder of this file. Inside, a folder has the path that it has outside.",
        ),
        optional_key(
            "write",
            Kind::List(&Kind::Text, 0),
            "write = [\"/var/log/hooks\"]",
            "Folders whose files it may read and change, but for the configuration of hooks and agents.",
        ),
    ],
    one_of: &[],
    may_be_empty: false,
};

/// `grant.kv`
const KV: Shape = Shape {
    name: "`grant.kv`",
    keys: &[
        required_key(
            "scopes",
            Kind::List(&Kind::Word(list_scopes), 1),
            "scopes = [\"session\"]",
            "Which entries it may have: those of the event's `session`, of the `project` (the folder that the event happens \
             in), of the `user`. They are this plugin's alone.",
        ),
        optional_key(
            "quota",
            Kind::Bytes(QUOTA),
            "quota = \"1MiB\"",
            "Most bytes of keys and values together, for each session, each project and the user.",
        ),
    ],
    one_of: &[],
    may_be_empty: false,
};

/// Range of `grant.kv.quota`.
const QUOTA: SizeRange =
    SizeRange { min: KvGrant::MIN_QUOTA, max: KvGrant::MAX_QUOTA, default: KvGrant::DEFAULT_QUOTA };

/// Returns the grants of a hook. An untrusted file grants nothing.
pub(super) fn resolve_grants(table: &DeTable<'_>, source: &Source, report: &mut Report) -> Grants {
    let Some(grant) = values::get_table(table, "grant") else { return Grants::default() };
    if !table.contains_key("wasm") {
        let warning = PlacedProblem::warning(grant.span(), "grant has no effect here: it is for wasm hooks");
        report.add_problem(warning.help("a shell hook or a webhook has all of your power by its nature"));
        return Grants::default();
    }
    if source.trust_level == TrustLevel::Untrusted {
        let warning = PlacedProblem::warning(grant.span(), "grant has no effect here");
        report.add_problem(
            warning.help("a project's hook gets nothing granted until you trust it (`hookbox trust`)"),
        );
        return Grants::default();
    }
    let grant = *grant.get_ref();
    if source.trust_level == TrustLevel::Reviewed {
        warn_of_grants_beyond_the_project(grant, report);
    }
    let given = |name: &str| grant.get(name).and_then(|flag| flag.get_ref().as_bool()).unwrap_or(false);
    warn_of_grants_of_no_request(grant, report);
    let fs = values::get_table(grant, "fs").map(|fs| *fs.get_ref());
    let mut folders = |name| fs.map(|fs| resolve_folders(fs, name, source, report)).unwrap_or_default();
    let (read, write) = (folders("read"), folders("write"));
    if source.trust_level == TrustLevel::Reviewed {
        let is_inside = |folder: &Folder| match folder {
            Folder::Project => true,
            Folder::At(path) => {
                source.boundary().is_some_and(|root| path.starts_with(path::normalise_path(root)))
            }
        };
        // A trusted project is trusted with its own files only.
        let read = read.into_iter().filter(is_inside).collect();
        return Grants { clock: given("clock"), random: given("random"), read, ..Grants::default() };
    }
    Grants {
        clock: given("clock"),
        random: given("random"),
        env: values::get_strings(grant, "env"),
        read,
        write,
        http: parse_strings(grant, "http", str::parse, report),
        addresses: parse_strings(grant, "addresses", str::parse, report),
        secrets: resolve_secrets(grant, report),
        kv: values::get_table(grant, "kv").map(|kv| resolve_store(kv.get_ref(), report)).unwrap_or_default(),
    }
}

/// Warns of capabilities that a project's hook does not get, even if it is trusted.
fn warn_of_grants_beyond_the_project(grant: &DeTable<'_>, report: &mut Report) {
    for (name, value) in grant {
        let written = value.get_ref().as_table().and_then(|fs| fs.get_key_value("write"));
        let beyond = match name.get_ref().as_ref() {
            "clock" | "random" => None,
            "fs" => written.map(|(write, _)| write),
            _ => Some(name),
        };
        let Some(beyond) = beyond else { continue };
        let warning =
            PlacedProblem::warning(beyond.span(), format!("{} is not granted", quote_word(beyond.get_ref())));
        report.add_problem(
            warning.help("a project's hook may read the project and know the time, and has no more of it"),
        );
    }
}

/// Warns of keys that only apply to requests if no request is granted.
fn warn_of_grants_of_no_request(grant: &DeTable<'_>, report: &mut Report) {
    if grant.get("http").is_some_and(|rules| rules.get_ref().as_array().is_none_or(|rules| !rules.is_empty()))
    {
        return;
    }
    for key in ["addresses", "secret"] {
        let Some(value) = grant.get(key) else { continue };
        let warning = PlacedProblem::warning(value.span(), format!("`{key}` has no effect without `http`"));
        report
            .add_problem(warning.help("say which requests it is for: http = [\"https://api.example.com/\"]"));
    }
}

fn resolve_store(kv: &DeTable<'_>, report: &mut Report) -> KvGrant {
    let scopes = values::get_strings(kv, "scopes");
    let grant = KvGrant::new(scopes.iter().filter_map(|name| Scope::named(name)));
    let quota = kv.get("quota").and_then(|value| size::resolve_size("quota", value, QUOTA, report));
    match quota {
        Some(bytes) => grant.with_quota(bytes),
        None => grant,
    }
}

/// Parses the strings of a list; an invalid string is reported at its place.
fn parse_strings<T>(
    table: &DeTable<'_>,
    key: &str,
    parse: impl Fn(&str) -> Result<T, GrantError>,
    report: &mut Report,
) -> Vec<T> {
    let mut one = |text: toml::Spanned<&str>| {
        // An empty string has been reported.
        let text = Some(text).filter(|text| !text.get_ref().is_empty())?;
        let wrong = |why: GrantError| {
            let message = format!("{} cannot stand in `{key}`", quote_word(text.get_ref()));
            report.add_problem(PlacedProblem::error(text.span(), message).help(why.as_str()));
        };
        parse(text.get_ref()).map_err(wrong).ok()
    };
    values::get_texts(table, key).into_iter().filter_map(&mut one).collect()
}

fn resolve_secrets(grant: &DeTable<'_>, report: &mut Report) -> Vec<Secret> {
    let Some(table) = values::get_table(grant, "secret") else { return Vec::new() };
    let mut secrets = Vec::new();
    for name in table.get_ref().keys() {
        let text: &str = name.get_ref();
        if !table_shape::is_name(text) {
            let error = PlacedProblem::error(
                name.span(),
                format!("{} cannot be the name of a secret", quote_word(text)),
            );
            report.add_problem(error.help("allowed: letters, digits, `.`, `_` and `-`"));
        }
        let Some(secret) = values::get_table(table.get_ref(), text) else { continue };
        let env = values::get_text(secret.get_ref(), "env").map(|env| (*env.get_ref()).to_owned());
        let to = parse_strings(secret.get_ref(), "to", HttpRule::of_any_method, report);
        secrets.extend(env.map(|env| Secret { name: text.to_owned(), env, to }));
    }
    secrets
}

fn resolve_folders(fs: &DeTable<'_>, name: &str, source: &Source, report: &mut Report) -> Vec<Folder> {
    let folder = |text: &toml::Spanned<&str>| match *text.get_ref() {
        PROJECT => Some(Folder::Project),
        _ => path::resolve_absolute(text, source, report).map(Folder::At),
    };
    values::get_texts(fs, name).iter().filter_map(folder).collect()
}
