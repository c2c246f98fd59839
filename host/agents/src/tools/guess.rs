//! Class of a tool that no table knows. Agents are newer than tables, and one agent is mistaken for another: a tool that runs commands or
//! changes files must not bypass the guards of shells and files because of its name.

use hookbox_model::{RawObject, ToolClass};
use serde_json::value::RawValue;

use super::patch;

/// Names of the command in such tools.
const COMMANDS: [&str; 7] =
    ["command", "commands", "cmd", "command_line", "commandLine", "shell_command", "argv"];
/// Names of the file in such tools.
const PATHS: [&str; 8] =
    ["file_path", "filePath", "path", "paths", "absolute_path", "target_file", "notebook_path", "file_paths"];
/// Commands of an editor that is one tool with a path argument.
const READS: &str = "view";
const EDITS: [&str; 8] =
    ["create", "str_replace", "insert", "undo_edit", "append", "delete", "rename", "write"];
/// Words in the name of a tool that only reads. Any other tool with a path may write.
const READING: [&str; 15] = [
    "read", "view", "get", "list", "ls", "search", "find", "grep", "glob", "show", "open", "stat", "cat",
    "head", "tail",
];
/// Objects that are read. A name with any other word may be that of a tool that writes.
const OBJECTS: [&str; 28] = [
    "a",
    "all",
    "code",
    "codebase",
    "content",
    "contents",
    "definition",
    "definitions",
    "dir",
    "directories",
    "directory",
    "file",
    "files",
    "folder",
    "image",
    "in",
    "line",
    "lines",
    "many",
    "media",
    "multiple",
    "notebook",
    "project",
    "range",
    "symbol",
    "symbols",
    "text",
    "tree",
];
/// Arguments that only a tool that writes receives.
const CONTENT: [&str; 14] = [
    "content",
    "contents",
    "file_text",
    "new_string",
    "old_string",
    "new_text",
    "new_str",
    "old_str",
    "edits",
    "patch",
    "diff",
    "insert_line",
    "replace",
    "replacement",
];

/// Returns the class of a call of this tool with these arguments.
pub(super) fn guess_class(tool: &str, members: &RawObject<'_>) -> ToolClass {
    let is_given = |key: &&str| members.get(key).is_some_and(has_content);
    let has_path = PATHS.iter().any(is_given);
    let commands = COMMANDS.iter().filter(|key| is_given(key)).count();
    // With a path, `command` may be the verb of an editor (`view`, `create`) and not a command line.
    let verb = members.get_string("command").filter(|_| has_path && commands == 1).unwrap_or_default();
    if verb == READS {
        ToolClass::FileRead
    } else if EDITS.contains(&verb.as_str()) {
        ToolClass::FileWrite
    // Before files: a tool that runs commands can do everything that a tool for files can.
    } else if commands > 0 {
        ToolClass::Shell
    } else if holds_patch(members) {
        ToolClass::FileWrite
    } else if !has_path {
        ToolClass::Other
    } else if is_reader(tool) && !CONTENT.iter().any(|key| members.get(key).is_some()) {
        ToolClass::FileRead
    } else {
        ToolClass::FileWrite
    }
}

/// Returns true for a text that is not empty, a list with an item, an object.
fn has_content(value: &RawValue) -> bool {
    let text = value.get();
    match text.as_bytes().first() {
        Some(b'"') => text != "\"\"",
        Some(b'[') => text.trim_matches(['[', ']']).trim() != "",
        Some(b'{') => true,
        _ => false,
    }
}

fn holds_patch(members: &RawObject<'_>) -> bool {
    members.iter().any(|(key, _)| members.get_string(key).is_some_and(|text| patch::is_patch(&text)))
}

/// Returns true if one word of the name is a reader's, and each other one is an object that is read.
fn is_reader(tool: &str) -> bool {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in tool.chars() {
        // Names are written in snake case or in camel case.
        if !c.is_ascii_alphanumeric() || c.is_ascii_uppercase() && before.is_ascii_lowercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_ascii_alphanumeric()) {
            word.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    let reads = |word: &String| READING.contains(&word.as_str());
    words.iter().any(reads) && words.iter().all(|word| reads(word) || OBJECTS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_no_table_knows_is_what_its_arguments_are() {
        for (tool, input, expected) in [
            ("Execute", r#"{"command":"ls"}"#, ToolClass::Shell),
            ("innocent_reader", r#"{"command":["rm","-rf","/"]}"#, ToolClass::Shell),
            ("x", r#"{"cmd":"ls","path":"/w"}"#, ToolClass::Shell),
            ("x", r#"{"commands":[{"command":"ls"}]}"#, ToolClass::Shell),
            ("x", r#"{"command":""}"#, ToolClass::Other),
            ("x", r#"{"command":[]}"#, ToolClass::Other),
            ("x", r#"{"command":7}"#, ToolClass::Other),
            ("file_editor", r#"{"command":"view","path":"/w/a"}"#, ToolClass::FileRead),
            ("file_editor", r#"{"command":"create","path":"/w/a"}"#, ToolClass::FileWrite),
            ("file_editor", r#"{"command":"create"}"#, ToolClass::Shell),
            ("file_editor", r#"{"command":"rm -rf /","path":"/w/a"}"#, ToolClass::Shell),
            // Arguments that look like a file's do not hide a command.
            ("file_editor", r#"{"command":"view","path":"/w/a","cmd":"rm -rf /"}"#, ToolClass::Shell),
            (
                "x",
                r#"{"command":"rm -rf /\n*** Begin Patch\n*** Add File: a\n*** End Patch"}"#,
                ToolClass::Shell,
            ),
            ("ReadText", r#"{"path":"/w/a"}"#, ToolClass::FileRead),
            ("open-file", r#"{"filePath":"/w/a"}"#, ToolClass::FileRead),
            ("read_files", r#"{"paths":["/w/a"]}"#, ToolClass::FileRead),
            ("ReadText", r#"{"path":"/w/a","content":"x"}"#, ToolClass::FileWrite),
            ("search_and_replace", r#"{"path":"/w/a","search":"x"}"#, ToolClass::FileWrite),
            ("findAndReplace", r#"{"path":"/w/a"}"#, ToolClass::FileWrite),
            ("find_and_overwrite", r#"{"path":"/w/a"}"#, ToolClass::FileWrite),
            ("ReadThing", r#"{"path":"/w/a"}"#, ToolClass::FileWrite),
            ("search", r#"{"path":"/w/a","replacement":"x"}"#, ToolClass::FileWrite),
            ("Remove", r#"{"path":"/w/a"}"#, ToolClass::FileWrite),
            ("readjust", r#"{"path":"/w/a"}"#, ToolClass::FileWrite),
            ("x", r#"{"input":"*** Begin Patch\n*** Add File: a\n*** End Patch"}"#, ToolClass::FileWrite),
            ("think", r#"{"thought":"rm -rf /"}"#, ToolClass::Other),
            ("x", "{}", ToolClass::Other),
        ] {
            assert_eq!(guess_class(tool, &RawObject::parse(input).unwrap()), expected, "{tool} {input}");
        }
    }
}
