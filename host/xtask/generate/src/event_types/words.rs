//! The names of events and members as languages spell them.

/// Converts a name to `ToolBatchAfter`.
pub(super) fn pascal(name: &str) -> String {
    parts(name).map(capitalised).collect()
}

/// Converts a name to `toolBatchAfter`.
pub(super) fn camel(name: &str) -> String {
    let mut parts = parts(name);
    let first = parts.next().unwrap_or_default().to_owned();
    first + &parts.map(capitalised).collect::<String>()
}

/// Converts a name to `tool_batch_after`.
pub(super) fn snake(name: &str) -> String {
    parts(name).collect::<Vec<_>>().join("_")
}

/// Converts a name to `TOOL_BATCH_AFTER`.
pub(super) fn screaming(name: &str) -> String {
    snake(name).to_uppercase()
}

fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(['.', '-', '_'])
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_spelt_as_the_language_does() {
        for name in ["tool.batch-after", "tool_batch_after"] {
            let spelt = [pascal(name), camel(name), snake(name), screaming(name)];
            assert_eq!(spelt, ["ToolBatchAfter", "toolBatchAfter", "tool_batch_after", "TOOL_BATCH_AFTER"]);
        }
    }
}
