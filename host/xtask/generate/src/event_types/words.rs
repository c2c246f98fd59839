//! The names of events and members as languages spell them.

/// Converts a name to `ToolBatchAfter`.
pub(super) fn to_pascal_case(name: &str) -> String {
    split_name(name).map(capitalize_word).collect()
}

/// Converts a name to `toolBatchAfter`.
pub(super) fn to_camel_case(name: &str) -> String {
    let mut parts = split_name(name);
    let first = parts.next().unwrap_or_default().to_owned();
    first + &parts.map(capitalize_word).collect::<String>()
}

/// Converts a name to `tool_batch_after`.
pub(super) fn to_snake_case(name: &str) -> String {
    split_name(name).collect::<Vec<_>>().join("_")
}

/// Converts a name to `TOOL_BATCH_AFTER`.
pub(super) fn to_screaming_snake_case(name: &str) -> String {
    to_snake_case(name).to_uppercase()
}

fn split_name(name: &str) -> impl Iterator<Item = &str> {
    name.split(['.', '-', '_'])
}

fn capitalize_word(word: &str) -> String {
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
            let spelt = [
                to_pascal_case(name),
                to_camel_case(name),
                to_snake_case(name),
                to_screaming_snake_case(name),
            ];
            assert_eq!(spelt, ["ToolBatchAfter", "toolBatchAfter", "tool_batch_after", "TOOL_BATCH_AFTER"]);
        }
    }
}
