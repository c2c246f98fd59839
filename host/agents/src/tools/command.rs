//! The command that a shell call runs, however its arguments spell it.

use std::collections::HashSet;

use hookbox_model::RawObject;
use serde_json::value::RawValue;

/// The usual name of a command.
pub(in super::super) const COMMAND: &str = "command";
/// Agents' names for a command, or for input typed into a shell. Agents accept one spelling for another, so all that are present count.
const SPELLINGS: [&str; 8] =
    [COMMAND, "commands", "cmd", "command_line", "commandLine", "argv", "input", "chars"];
/// Members in which a list holds commands; in other members, a list holds the words of one command.
const LISTS: [&str; 2] = ["commands", "input"];
/// Member for the arguments of a program that has a member of its own.
const ARGUMENTS: &str = "args";
/// Maximum depth of commands nested in lists, objects and texts.
const MAX_DEPTH: u8 = 4;

/// Returns all commands of a call as one text; `None` if it has no command, or one that cannot be read: a guard must not judge half a call.
/// Several commands are a line each, for a separate shell each, so that no line reaches into the next.
pub(super) fn read_command_line(members: &RawObject<'_>) -> Option<String> {
    let mut commands = Vec::new();
    of_object(members, 0, &mut commands)?;
    join_commands(commands)
}

/// Returns the single text of a call's `command`, if the call names no command elsewhere.
pub(in super::super) fn find_sole_command(members: &RawObject<'_>) -> Option<String> {
    let is_there = |key: &&str| members.get(key).is_some();
    let others = SPELLINGS.iter().chain([&ARGUMENTS]).filter(|key| **key != COMMAND);
    members.get_string(COMMAND).filter(|_| !others.copied().any(|key| is_there(&key)))
}

/// Collects the commands of an object; `None` if it names no command, or one that cannot be read.
fn of_object(members: &RawObject<'_>, depth: u8, commands: &mut Vec<String>) -> Option<()> {
    let mut found = false;
    let there = |key: &'static str| Some((key, members.get(key).filter(|value| value.get() != "null")?));
    for (key, value) in SPELLINGS.iter().filter_map(|key| there(key)) {
        found = true;
        match (
            members.get_string(key),
            members.get_string(ARGUMENTS),
            members.get(ARGUMENTS).and_then(read_words),
        ) {
            (Some(program), Some(text), _) => commands.push(format!("{program} {text}")),
            (Some(program), _, Some(arguments)) if !arguments.is_empty() => {
                with_arguments(&program, &arguments, commands);
            }
            _ => of_value(value, LISTS.contains(&key), depth, commands)?,
        }
    }
    found.then_some(())
}

fn of_value(value: &RawValue, is_list: bool, depth: u8, commands: &mut Vec<String>) -> Option<()> {
    // Deeper nesting cannot be read, and an unread command must not pass a guard.
    if depth > MAX_DEPTH {
        return None;
    }
    match value.get().as_bytes().first()? {
        b'"' => of_text(serde_json::from_str(value.get()).ok()?, depth, commands),
        b'{' => of_object(&RawObject::parse(value.get()).ok()?, depth + 1, commands)?,
        b'[' => match read_words(value).filter(|_| !is_list) {
            Some(words) if words.is_empty() => {}
            // Quoted, since these words reach the program without a shell: a `;` in one of them is not an
            // operator.
            Some(words) => commands.push(quote_words(&words)),
            None => {
                let items: Vec<&RawValue> = serde_json::from_str(value.get()).ok()?;
                for item in items {
                    of_value(item, true, depth + 1, commands)?;
                }
            }
        },
        _ => return None,
    }
    Some(())
}

/// Collects the commands of a text: the text itself, unless it is JSON that holds commands: agents pass arguments on as text.
fn of_text(text: String, depth: u8, commands: &mut Vec<String>) {
    let mut inner = Vec::new();
    let json: Option<&RawValue> =
        text.trim_start().starts_with(['[', '{']).then(|| serde_json::from_str(&text).ok()).flatten();
    let held = json.and_then(|json| of_value(json, true, depth + 1, &mut inner));
    if held.is_none() || inner.is_empty() {
        inner = vec![text];
    }
    commands.append(&mut inner);
}

/// Adds a program with its arguments. A program that is not a plain word may be a line of its own, to which the agent appends.
fn with_arguments(program: &str, arguments: &[String], commands: &mut Vec<String>) {
    let arguments = quote_words(arguments);
    let word = shell_word(program);
    if word != program {
        // Both readings are judged: the agent may run the text as a line, or as the name of a program.
        commands.push(format!("{program} {arguments}"));
    }
    commands.push(format!("{word} {arguments}"));
}

/// Reads a list of texts, numbers, `true` and `false`.
fn read_words(value: &RawValue) -> Option<Vec<String>> {
    let items: Vec<&RawValue> = serde_json::from_str(value.get()).ok()?;
    items.into_iter().map(read_word).collect()
}

fn read_word(item: &RawValue) -> Option<String> {
    match item.get().as_bytes().first()? {
        b'"' => serde_json::from_str(item.get()).ok(),
        b'[' | b'{' | b'n' => None,
        _ => Some(item.get().to_owned()),
    }
}

fn join_commands(mut commands: Vec<String>) -> Option<String> {
    // The same command in two spellings is one command.
    let mut seen = HashSet::new();
    commands.retain(|command| seen.insert(command.clone()));
    if commands.len() < 2 {
        return commands.pop();
    }
    commands.retain(|command| !command.trim().is_empty());
    if commands.len() < 2 {
        return commands.pop().or(Some(String::new()));
    }
    // Cline joins commands that form a here-document into one command.
    let whole = commands.iter().any(|command| command.contains("<<")).then(|| commands.join("\n"));
    let lines = commands.into_iter().chain(whole);
    Some(lines.map(|command| format!("bash -c {}", shell_word(&command))).collect::<Vec<_>>().join("\n"))
}

/// Quotes a program with its arguments for a POSIX shell.
fn quote_words(words: &[String]) -> String {
    words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ")
}

fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    match word {
        "" => "''".to_owned(),
        word if word.chars().all(plain) => word.to_owned(),
        word => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_command(input: &str) -> Option<String> {
        read_command_line(&RawObject::parse(input).unwrap())
    }

    #[test]
    fn every_spelling_that_an_agent_runs_is_found() {
        for input in [
            r#"{"command":"rm -rf /"}"#,
            r#"{"cmd":"rm -rf /"}"#,
            r#"{"command_line":"rm -rf /"}"#,
            r#"{"input":"rm -rf /"}"#,
            r#"{"input":["rm -rf /"]}"#,
            r#"{"commands":"rm -rf /"}"#,
            r#"{"commands":["rm -rf /"]}"#,
            r#"{"commands":"[\"rm -rf /\"]"}"#,
            r#"{"command":"rm","args":["-rf","/"]}"#,
            r#"{"command":["rm","-rf","/"]}"#,
            r#"{"argv":["rm","-rf","/"]}"#,
            r#"{"commands":[{"command":"rm","args":["-rf","/"]}]}"#,
            r#"{"commands":{"command":"rm","args":["-rf","/"]}}"#,
            r#"{"commands":{"command":"rm -rf /"}}"#,
            r#"{"commands":[{"cmd":"rm -rf /"}]}"#,
            r#"{"commands":"{\"command\":\"rm\",\"args\":[\"-rf\",\"/\"]}"}"#,
            r#"{"input":[{"command":"rm","args":["-rf","/"]}]}"#,
            r#"{"commands":[],"cmd":"rm -rf /"}"#,
            r#"{"command":null,"cmd":"rm -rf /"}"#,
            r#"{"command":"","cmd":"rm -rf /"}"#,
            r#"{"command":"rm -rf /","cmd":"rm -rf /"}"#,
        ] {
            assert_eq!(read_command(input).as_deref(), Some("rm -rf /"), "{input}");
        }
    }

    #[test]
    fn no_command_reaches_into_the_next() {
        for (input, expected) in [
            (r#"{"command":"ls","cmd":"make"}"#, "bash -c ls\nbash -c make"),
            (r#"{"commands":["echo \\","rm -rf /"]}"#, "bash -c 'echo \\'\nbash -c 'rm -rf /'"),
            (r#"{"commands":["echo 'a","rm -rf /"]}"#, "bash -c 'echo '\\''a'\nbash -c 'rm -rf /'"),
            (
                r#"{"commands":["cat <<E","rm -rf /"]}"#,
                "bash -c 'cat <<E'\nbash -c 'rm -rf /'\nbash -c 'cat <<E\nrm -rf /'",
            ),
            (
                r#"{"commands":["ls",{"command":"rm","args":["a b"]}]}"#,
                "bash -c ls\nbash -c 'rm '\\''a b'\\'''",
            ),
        ] {
            assert_eq!(read_command(input).unwrap(), expected, "{input}");
        }
    }

    #[test]
    fn words_are_quoted_and_a_program_that_is_a_line_counts_as_both() {
        for (input, expected) in [
            (r#"{"command":["bash","-lc","rm -rf 'a b'",""]}"#, "bash -lc 'rm -rf '\\''a b'\\''' ''"),
            (r#"{"command":"head","args":["-n",5,true]}"#, "head -n 5 true"),
            (r#"{"command":"head","args":"-n 5"}"#, "head -n 5"),
            (
                r#"{"command":"bash -c","args":["rm -rf /"]}"#,
                "bash -c 'bash -c '\\''rm -rf /'\\'''\nbash -c ''\\''bash -c'\\'' '\\''rm -rf /'\\'''",
            ),
            (r#"{"command":"[ -f x ] && ls"}"#, "[ -f x ] && ls"),
            (r#"{"command":"{ ls; }"}"#, "{ ls; }"),
            (r#"{"command":""}"#, ""),
            (r#"{"command":"[]"}"#, "[]"),
        ] {
            assert_eq!(read_command(input).unwrap(), expected, "{input}");
        }
    }

    #[test]
    fn half_a_call_is_not_judged() {
        let deep = format!(r#"{{"commands":{}"ls"{}}}"#, "[".repeat(9), "]".repeat(9));
        for input in [
            "{}",
            r#"{"command":null}"#,
            r#"{"command":7}"#,
            r#"{"commands":["ls",7]}"#,
            r#"{"commands":["ls",null]}"#,
            r#"{"commands":["ls",{"path":"x"}]}"#,
            r#"{"command":"ls","cmd":{}}"#,
            r#"{"commands":[]}"#,
            &deep,
        ] {
            assert_eq!(read_command(input), None, "{input}");
        }
    }
}
