//! The files that arguments name, however they spell it.

use hookbox_model::RawObject;
use serde_json::value::RawValue;

/// Tools' names for a file, or files, for tools that no table knows, and in objects within arguments.
pub(super) const USUAL: &[&str] = &[
    "file_path",
    "filePath",
    "path",
    "paths",
    "files",
    "file_paths",
    "absolute_path",
    "target_file",
    "notebook_path",
    "image_paths",
    "dir_path",
    "directory_path",
];

/// Maximum depth of files nested in lists, objects and texts.
const MAX_DEPTH: u8 = 4;

/// Returns the files in these members, as written.
pub(super) fn find_files<'a>(
    members: &RawObject<'_>,
    keys: impl IntoIterator<Item = &'a &'static str>,
) -> Vec<String> {
    let mut files = Vec::new();
    of_object(members, keys, 0, &mut files);
    files
}

fn of_object<'a>(
    members: &RawObject<'_>,
    keys: impl IntoIterator<Item = &'a &'static str>,
    depth: u8,
    files: &mut Vec<String>,
) {
    for value in keys.into_iter().filter_map(|key| members.get(key)) {
        of_value(value, depth, files);
    }
}

/// Collects the files of a value: a text, a list or an object; anything else has none.
fn of_value(value: &RawValue, depth: u8, files: &mut Vec<String>) {
    if depth > MAX_DEPTH {
        return;
    }
    match value.get().as_bytes().first() {
        Some(b'"') => of_text(serde_json::from_str(value.get()).unwrap_or_default(), depth, files),
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(value.get()).unwrap_or_default();
            for item in items {
                of_value(item, depth + 1, files);
            }
        }
        Some(b'{') => {
            if let Ok(members) = RawObject::parse(value.get()) {
                of_object(&members, USUAL, depth + 1, files);
            }
        }
        _ => {}
    }
}

/// Collects the files of a text: the text itself, unless it is JSON that names files: agents pass arguments on as text.
fn of_text(text: String, depth: u8, files: &mut Vec<String>) {
    let before = files.len();
    if text.starts_with(['[', '{'])
        && let Ok(json) = serde_json::from_str::<&RawValue>(&text)
    {
        of_value(json, depth + 1, files);
    }
    // JSON that names no file may be a file's odd name.
    if files.len() == before {
        files.push(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_in_texts_lists_and_objects() {
        for (input, expected) in [
            (r#"{"files":"a"}"#, vec!["a"]),
            (r#"{"files":["a","b",7]}"#, vec!["a", "b"]),
            (r#"{"files":[{"path":"a"},{"file_path":"b"},{"filePath":"c"},"d"]}"#, vec!["a", "b", "c", "d"]),
            (r#"{"files":{"path":"a","start_line":1}}"#, vec!["a"]),
            (r#"{"files":"[{\"path\":\"a\"},\"b\"]"}"#, vec!["a", "b"]),
            (r#"{"files":"[id].tsx"}"#, vec!["[id].tsx"]),
            (r#"{"files":[[[[[["deep"]]]]]]}"#, vec![]),
            (r#"{"other":"a"}"#, vec![]),
        ] {
            assert_eq!(find_files(&RawObject::parse(input).unwrap(), &["files"]), expected, "{input}");
        }
    }
}
