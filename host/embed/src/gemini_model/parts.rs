//! Texts among the parts of a content. Other parts keep their place.

use serde_json::{Value, json};

pub(super) fn get_text(part: &Value) -> Option<&str> {
    part.get("text")?.as_str()
}

/// Returns the texts of these parts, in order.
pub(super) fn get_texts(parts: &[Value]) -> Vec<&str> {
    parts.iter().filter_map(get_text).collect()
}

/// Returns a part with this text and nothing else.
pub(super) fn build_part(text: &str) -> Value {
    json!({ "text": text })
}

/// Distributes `whole` over the texts: unchanged texts at both ends are kept, the first of the others gets the rest, and the remaining
/// ones are removed (`None`).
pub(super) fn spread_text(texts: &[&str], whole: &str) -> Vec<Option<String>> {
    let (mut left, mut rest) = (texts, whole);
    let (mut front, mut back) = (Vec::new(), Vec::new());
    while let [first, others @ ..] = left
        && !others.is_empty()
        && let Some(after) = rest.strip_prefix(first)
    {
        front.push(Some((*first).to_owned()));
        (left, rest) = (others, after);
    }
    while let [others @ .., last] = left
        && !others.is_empty()
        && let Some(before) = rest.strip_suffix(last)
    {
        back.push(Some((*last).to_owned()));
        (left, rest) = (others, before);
    }
    let changed = left.iter().enumerate().map(|(at, _)| (at == 0).then(|| rest.to_owned()));
    front.into_iter().chain(changed).chain(back.into_iter().rev()).collect()
}

/// Sets the texts of these parts, in order; additional texts come last.
pub(super) fn replace_texts(parts: &mut Vec<Value>, texts: Vec<Option<String>>) {
    let mut texts = texts.into_iter();
    let mut changed = Vec::with_capacity(parts.len());
    for mut old in parts.drain(..) {
        if get_text(&old).is_none() {
            changed.push(old);
            continue;
        }
        match texts.next().flatten() {
            Some(new) => changed.extend(with_text(&mut old, new)),
            None => changed.extend(without_text(old)),
        }
    }
    changed.extend(texts.flatten().map(|text| build_part(&text)));
    *parts = changed;
}

fn with_text(part: &mut Value, text: String) -> Option<Value> {
    part.as_object_mut()?.insert("text".to_owned(), Value::String(text));
    Some(part.take())
}

/// Removes a part's text. A part with other members (a thought's signature) stays with an empty text.
fn without_text(mut part: Value) -> Option<Value> {
    // A thought's signature must come back to the model, even if the text is gone.
    let more = part.as_object().is_some_and(|members| members.len() > 1);
    if more { with_text(&mut part, String::new()) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread_to_strings(texts: &[&str], whole: &str) -> Vec<String> {
        spread_text(texts, whole).into_iter().map(|text| text.unwrap_or_else(|| "-".to_owned())).collect()
    }

    #[test]
    fn only_the_text_that_changed_changes() {
        assert_eq!(spread_to_strings(&["a"], "b"), ["b"]);
        assert_eq!(spread_to_strings(&["a", "b", "c"], "abc"), ["a", "b", "c"]);
        assert_eq!(spread_to_strings(&["a", "b", "c"], "xbc"), ["x", "b", "c"]);
        assert_eq!(spread_to_strings(&["a", "b", "c"], "axc"), ["a", "x", "c"]);
        assert_eq!(spread_to_strings(&["a", "b", "c"], "abx"), ["a", "b", "x"]);
        assert_eq!(spread_to_strings(&["a", "b", "c"], "x"), ["x", "-", "-"]);
        assert_eq!(spread_to_strings(&["a", "b"], ""), ["", "-"]);
        assert!(spread_text(&[], "x").is_empty());
    }

    #[test]
    fn parts_without_text_keep_their_place() {
        let mut parts =
            vec![json!({"text": "a"}), json!({"functionCall": {}}), json!({"text": "b", "thought": true})];
        replace_texts(&mut parts, vec![None, None, Some("c".to_owned())]);
        let expected =
            [json!({"functionCall": {}}), json!({"text": "", "thought": true}), json!({"text": "c"})];
        assert_eq!(parts, expected);
    }
}
