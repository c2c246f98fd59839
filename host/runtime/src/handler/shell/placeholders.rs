//! Expands `${NAME}` in a program and its arguments, where no shell does.

use hookbox_model::{Failure, FailureCode};

use crate::interfaces::Contract;

/// Replaces the contract's placeholders in the word by their values, which are not expanded again. Returns a failure if
/// one has no value.
pub(super) fn fill_placeholders(
    word: &str,
    contract: &'static dyn Contract,
    variables: &[(String, String)],
) -> Result<String, Failure> {
    let (mut filled, mut rest) = (String::new(), word);
    while let Some((before, name, behind)) = next(rest, contract) {
        // The last one counts, as it does for the child itself.
        let value = variables.iter().rfind(|(set, value)| set == name && !value.is_empty());
        let (_, value) = value.ok_or_else(|| unset_failure(word, name))?;
        filled.extend([before, value]);
        rest = behind;
    }
    Ok(filled + rest)
}

pub(super) fn is_in(word: &str, contract: &'static dyn Contract) -> bool {
    next(word, contract).is_some()
}

/// Returns the text in front of the first placeholder, the placeholder's name, and the text after it.
fn next<'w>(word: &'w str, contract: &'static dyn Contract) -> Option<(&'w str, &'static str, &'w str)> {
    let found = contract.placeholders().iter().filter_map(|placeholder| {
        let written = format!("${{{}}}", placeholder.name);
        word.split_once(&written).map(|(before, behind)| (before, placeholder.name, behind))
    });
    found.min_by_key(|(before, ..)| before.len())
}

fn unset_failure(word: &str, name: &str) -> Failure {
    let message = format!(
        "the hook is to run `{word}`, and `{name}` is not set: set it where hookbox runs, or write the path itself"
    );
    Failure::new(FailureCode::Missing, &message)
}
