//! Grants for a plugin: those on the command line, and those that the user agrees to, one by one. Without an answer nothing is
//! granted.

use std::collections::BTreeMap;

use hookbox::{
    config::{build_schema, did_you_mean, quote_word},
    model::{Grants, RequestedGrants},
};
use hookbox_app::users_hooks;
use serde_json::Value;

use super::super::added_plugins::{find_first_error, find_loaded_hook};
use crate::{
    commands::{
        agent_change::{CommandError, usage_error},
        user_presence,
    },
    environment,
    printer::Printer,
    report::sanitize_line,
};

/// Names of the folders in the key `fs`.
const FOLDERS: [(&str, &str); 2] = [("fs.read", "read"), ("fs.write", "write")];
/// Keys that accept several values behind one `=`, separated by commas.
const LISTS: [&str; 2] = ["env", "kv"];

/// Returns the grants of these words, added to the existing ones. With a manifest only its requests can be granted.
pub(in super::super) fn named_on_the_line(
    words: &[String],
    asks: Option<&RequestedGrants>,
    granted: &Grants,
) -> Result<Grants, CommandError> {
    let (mut grants, mut others) = (granted.clone(), Vec::new());
    for word in words.iter().flat_map(|words| split_words(words)) {
        let (key, value) = split_key(&word);
        let name = value.map_or_else(|| key.to_owned(), |value| format!("{key} {value}"));
        match asks.and_then(|asks| asked_as(asks, &name)) {
            Some(asked) => grants = asked.joined_to(&grants),
            None => others.push(word),
        }
    }
    let more = parse_grants(&others)?;
    if let Some(asks) = asks {
        check_requested(&more, asks)?;
    }
    Ok(grants.merge_with(more))
}

/// Asks the user about each requested capability that is not granted; requests that need more than a yes are skipped.
pub(in super::super) fn ask_for_grants(asks: &RequestedGrants, granted: Grants, printer: &Printer) -> Grants {
    let mut grants = granted;
    for one in &asks.each() {
        if one.list_missing(&grants).is_empty() {
            continue;
        }
        let with = one.joined_to(&grants);
        let (before, what) = (grants.names(), join_names(&one.names()));
        let more: Vec<_> = with.names().into_iter().filter(|name| !before.contains(name)).collect();
        if !is_whole(one, &with) {
            continue;
        }
        let about = describe_capability(&what).map(|about| format!(" ({about})")).unwrap_or_default();
        if user_presence::ask_yes_no(
            &format!("It asks for {}{about}. Grant it?", sanitize_line(&join_names(&more))),
            printer,
        ) {
            grants = with;
        }
    }
    grants
}

/// Describes the requested capabilities that are not granted, with the words that would grant them.
pub(in super::super) fn describe_missing_grants(asks: &RequestedGrants, granted: &Grants) -> Option<String> {
    let each = asks.each();
    let left: Vec<_> = each.iter().filter(|one| !one.list_missing(granted).is_empty()).collect();
    let names: Vec<_> = left.iter().flat_map(|one| one.names()).collect();
    if names.is_empty() {
        return None;
    }
    let words: Vec<_> = left.iter().map(|one| word_for(one, granted)).collect();
    Some(format!("not granted: {}; to grant it, add it again with {}", names.join(", "), words.join(" ")))
}

fn word_for(one: &RequestedGrants, granted: &Grants) -> String {
    let name = join_names(&one.names());
    let word = name.replacen(' ', "=", 1);
    let is_open = !is_whole(one, &one.joined_to(granted));
    // The request leaves a server or a scope to the user.
    let word = if is_open { word.replace("=*", "=…") } else { word };
    let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "=._-:/".contains(c));
    if is_plain { format!("--grant {word}") } else { format!("--grant '{word}'") }
}

/// Returns true if a yes grants the whole request. It does not where the operator must name a server or a scope.
fn is_whole(one: &RequestedGrants, with: &Grants) -> bool {
    let sends_nowhere = with.secrets.iter().any(|secret| secret.to.is_empty());
    one.list_missing(with).is_empty() && !sends_nowhere && !with.names().is_empty()
}

fn asked_as(asks: &RequestedGrants, name: &str) -> Option<RequestedGrants> {
    let one = asks.each().into_iter().find(|one| one.names().iter().any(|asked| asked == name))?;
    is_whole(&one, &one.joined_to(&Grants::default())).then_some(one)
}

/// Splits the words at commas that are followed by a capability: rules of `http` contain commas.
fn split_words(words: &str) -> Vec<String> {
    let known = list_keys();
    let mut split: Vec<String> = Vec::new();
    for piece in words.split(',') {
        let is_new = known.iter().any(|key| key == split_key(piece).0);
        match split.last_mut() {
            Some(last) if !is_new => {
                last.push(',');
                last.push_str(piece);
            }
            _ => split.push(piece.trim().to_owned()),
        }
    }
    split
}

/// Splits `kv=session`, or the form in hookbox's output: `kv session`.
fn split_key(word: &str) -> (&str, Option<&str>) {
    let word = word.trim();
    let cut = word.split_once(['=', ' ']);
    cut.map_or((word, None), |(key, value)| (key.trim(), Some(value.trim())))
}

fn list_keys() -> Vec<String> {
    // `fs` has a key of its own for each kind of access.
    let known = describe_keys().into_iter().map(|(key, _)| key).filter(|key| key != "fs");
    known.chain(FOLDERS.map(|(key, _)| key.to_owned())).collect()
}

/// Returns the keys of `grant`, each with its description.
fn describe_keys() -> Vec<(String, String)> {
    let schema = build_schema();
    let grant =
        schema.pointer("/properties/hook/items/properties/grant/properties").and_then(Value::as_object);
    let text =
        |about: &Value| about.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    grant.into_iter().flatten().map(|(key, about)| (key.clone(), text(about))).collect()
}

/// Returns the beginning of a capability's description.
fn describe_capability(name: &str) -> Option<String> {
    let key = name.split([' ', '.']).next()?;
    let (_, text) = describe_keys().into_iter().find(|(known, _)| known == key)?;
    let ends = [". ", ": "].iter().filter_map(|end| text.find(end));
    let text = text.get(..ends.min().unwrap_or(text.len()))?.trim_end_matches('.');
    let mut letters = text.chars();
    let first = letters.next()?.to_lowercase();
    Some(first.chain(letters).collect())
}

/// Parses these words as `grant` of a hook, with the configuration's own reader.
fn parse_grants(words: &[String]) -> Result<Grants, CommandError> {
    if words.is_empty() {
        return Ok(Grants::default());
    }
    let mut values: BTreeMap<&str, Option<Vec<&str>>> = BTreeMap::new();
    let known = list_keys();
    for word in words {
        let (key, value) = split_key(word);
        if !known.iter().any(|known| known == key) {
            let known: Vec<_> = known.iter().map(String::as_str).collect();
            let (what, help) = (quote_word(key), did_you_mean(key, &known));
            return Err(usage_error(format!("--grant: unknown capability {what}; {help}")));
        }
        if key == "secret" {
            return Err(usage_error(
                "--grant: a secret is granted in hooks.toml, since it has a variable and servers: add the plugin, and write \
                 into its entry's `grant`: secret = { NAME = { env = \"VARIABLE\", to = [\"https://…\"] } }"
                    .to_owned(),
            ));
        }
        let list = values.entry(key).or_default();
        if let Some(value) = value {
            let split: Vec<_> = if LISTS.contains(&key) { value.split(',').collect() } else { vec![value] };
            list.get_or_insert_default().extend(split);
        }
    }
    let key = |(key, values): (&&str, &Option<Vec<&str>>)| match values {
        None => format!("{key} = true"),
        Some(values) => {
            let values: Vec<_> = values.iter().map(|value| Value::from(*value).to_string()).collect();
            let list = format!("[{}]", values.join(", "));
            if key.eq_ignore_ascii_case("kv") {
                format!("kv.scopes = {list}")
            } else {
                format!("{key} = {list}")
            }
        }
    };
    let table: Vec<_> = values.iter().map(key).collect();
    let name = "grant";
    // Read by the configuration's own reader, so that exactly the grants of an entry are accepted. The file is not
    // opened.
    let text = format!(
        "[[hook]]\nname = \"{name}\"\non = \"*\"\nwasm = {{ path = \"/\" }}\ngrant = {{ {} }}",
        table.join(", ")
    );
    let from = environment::current_folder().join("hooks.toml");
    let loaded = users_hooks(&from, &environment::shipped_plugins(), text);
    if let Some(problem) = find_first_error(&loaded) {
        let help = problem.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        return Err(usage_error(format!(
            "--grant {}: {}{help}",
            sanitize_line(&words.join(",")),
            problem.message
        )));
    }
    Ok(find_loaded_hook(&loaded, name).map(hookbox::HookSpec::grants).unwrap_or_default())
}

/// Rejects grants that are not requested: they would have no effect, but appear to have one.
fn check_requested(grants: &Grants, asks: &RequestedGrants) -> Result<(), CommandError> {
    let admitted = asks.narrow_grants(grants).names();
    // Only kinds are compared: a value may have been narrowed.
    let kind = |name: &str| name.split(' ').next().unwrap_or_default().to_owned();
    let is_admitted = |name: &&String| admitted.iter().any(|admitted| kind(admitted) == kind(name));
    let Some(vain) = grants.names().into_iter().find(|name| !is_admitted(&name)) else { return Ok(()) };
    Err(usage_error(format!(
        "--grant: the plugin does not request {}; it requests {}",
        sanitize_line(&vain),
        sanitize_line(&join_names(&asks.names()))
    )))
}

/// Joins the names, or returns "nothing".
pub(in super::super) fn join_names(names: &[String]) -> String {
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}
