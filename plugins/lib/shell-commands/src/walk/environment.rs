//! Options that a program takes out of variables.

use crate::{arg::Arg, call::Call, scope::Scope, wrapper::git_options};

/// Maximum number of git settings that are read.
const MAX_SETTINGS: usize = 32;

/// Programs, and the variable whose words they put behind their first operand.
const OPTIONS: &[(&[&str], &str)] = &[
    (&["terraform", "tofu", "opentofu", "terragrunt"], "TF_CLI_ARGS"),
    (&["tar", "gtar"], "TAR_OPTIONS"),
    (&["make", "gmake"], "MAKEFLAGS"),
    (&["make", "gmake"], "GNUMAKEFLAGS"),
    (&["mvn", "mvnw"], "MAVEN_ARGS"),
];
/// Programs, a variable, and the option that the variable stands for unless its value is negative.
const ANSWERS: &[(&[&str], &str, &str)] = &[(&["pulumi"], "PULUMI_SKIP_CONFIRMATIONS", "--yes")];

/// The command with the options that variables of the shell add to it, if there are any.
pub(super) fn with_options(call: &Call, scope: &Scope) -> Option<Call> {
    let (first, added) = match call.name() {
        "git" => (1, settings_of_git(call, scope)),
        name => {
            let verb = call.words.iter().skip(1).position(|word| !word.as_str().starts_with('-'));
            (verb.map_or(call.words.len(), |at| at + 2), options(name, call, scope))
        }
    };
    if added.is_empty() {
        return None;
    }
    let (before, behind) = call.words.split_at_checked(first)?;
    Some(call.with_words(&[before, &added, behind].concat()))
}

fn options(name: &str, call: &Call, scope: &Scope) -> Vec<Arg> {
    let value = |variable: &str| scope.get(variable).filter(|value| !value.text.is_empty());
    let rows = OPTIONS.iter().filter(|(names, _)| names.contains(&name));
    let mut added: Vec<Arg> =
        rows.filter_map(|(_, variable)| value(variable)).flat_map(|value| words(&value)).collect();
    if name == "terraform" || name == "tofu" {
        let verbs = call.args().iter().map(Arg::as_str).filter(|word| !word.starts_with('-')).take(2);
        let mut variable = "TF_CLI_ARGS".to_owned();
        for verb in verbs {
            variable = format!("{variable}_{verb}");
            added.extend(value(&variable).iter().flat_map(words));
        }
    }
    let answered = |value: &Arg| !matches!(value.as_str(), "0" | "false" | "FALSE" | "False");
    let rows = ANSWERS.iter().filter(|(names, variable, _)| {
        names.contains(&name) && value(variable).as_ref().is_some_and(answered)
    });
    added.extend(rows.map(|(.., option)| Arg::new(*option)));
    added
}

/// The words of a value, as a shell would read them without expanding anything.
fn words(value: &Arg) -> Vec<Arg> {
    quoted_words(&value.plain()).into_iter().map(|text| Arg { text, ..value.clone() }).collect()
}

/// Returns git's settings from variables, as the equivalent options `-c` and `--work-tree`.
fn settings_of_git(call: &Call, scope: &Scope) -> Vec<Arg> {
    let numbered = (0..MAX_SETTINGS).map_while(|number| {
        let key = scope.get(&format!("GIT_CONFIG_KEY_{number}"))?;
        let value = scope.get(&format!("GIT_CONFIG_VALUE_{number}")).unwrap_or_default();
        Some(Arg { text: format!("{}={}", key.text, value.text), ..value })
    });
    let listed = scope.get("GIT_CONFIG_PARAMETERS");
    let settings = numbered.chain(listed.iter().flat_map(words).take(MAX_SETTINGS));
    let options = git_options(call.args());
    let by_name =
        options.given.iter().filter(|(name, _)| name == "--config-env").filter_map(|(_, setting)| {
            let (key, variable) = setting.as_ref()?.as_str().rsplit_once('=')?;
            let value = scope.get(variable)?;
            Some(Arg { text: format!("{key}={}", value.text), ..value })
        });
    let settings = settings.chain(by_name.take(MAX_SETTINGS));
    let settings = settings.flat_map(|setting| [Arg::new("-c"), setting]);
    let tree = scope.get("GIT_WORK_TREE").filter(|tree| !tree.text.is_empty());
    settings.chain(tree.into_iter().flat_map(|tree| [Arg::new("--work-tree"), tree])).collect()
}

fn quoted_words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match c {
            c if quote == Some(c) => quote = None,
            '\'' | '"' if quote.is_none() => {
                quote = Some(c);
                open.get_or_insert_default();
            }
            c if quote.is_none() && c.is_whitespace() => words.extend(open.take()),
            c => open.get_or_insert_default().push(c),
        }
    }
    words.extend(open);
    words
}
