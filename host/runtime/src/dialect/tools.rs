//! What an agent's tools do, and where their arguments name commands and files.

mod patch;
mod table;

use hookbox_model::{Event, Json, RawObject, ToolClass};

use self::table::{AMAZON_Q, CURSOR, Fields, GEMINI, LLXPRT, row_of};
use super::paths::absolute;

/// Most paths that one tool call may name. A reader refuses a call with more: what a guard cannot see, it cannot judge.
pub const MAX_PATHS: usize = 4096;

/// What follows from a tool's name and arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// What the tool does.
    pub class: ToolClass,
    /// The command line, for a shell tool.
    pub command: Option<String>,
    /// The files and directories that the arguments name (patterns stand for themselves), absolute and lexically
    /// normalised; a leading `~` is kept. At most [`MAX_PATHS`].
    pub paths: Vec<String>,
    /// There were more paths than that.
    pub truncated: bool,
}

/// Describes a call of `tool` by `agent` with these arguments. For a native caller, whose tools may be any agent's, the
/// rows of all agents count. Costs one pass over `input`; what is not named by the table is not copied.
pub fn describe(agent: &str, tool: &str, input: &Json, cwd: &str) -> Described {
    let row = row_of(agent, tool);
    let class = row.map_or(class_by_name(agent, tool), |row| row.class);
    fields(row.map_or(class_fields(class), |row| row.fields), class, input, cwd)
}

/// Brings command and paths of the event's tool call up to date after its arguments changed. The class stays, as the
/// tool does; what no longer follows from the arguments is gone.
pub fn redescribe(event: &mut Event) {
    let Some(tool) = &mut event.tool else { return };
    let named = row_of(event.agent, &tool.name).map(|row| row.fields);
    let described = fields(named.unwrap_or(class_fields(tool.class)), tool.class, &tool.input, &event.cwd);
    tool.command = described.command;
    tool.paths = described.paths;
}

/// Tools that no row knows, an MCP server's above all, mostly call their paths by one of these names.
const UNKNOWN: Fields =
    Fields { files: &["file_path", "path", "paths", "notebook_path", "dir_path"], ..Fields::NONE };

fn class_fields(class: ToolClass) -> Fields {
    let command = if class == ToolClass::Shell { "command" } else { "" };
    Fields { command, ..UNKNOWN }
}

fn class_by_name(agent: &str, tool: &str) -> ToolClass {
    // Gemini CLI has written `mcp__server__tool`, `server__tool` and `mcp_server_tool`.
    let gemini = [GEMINI, LLXPRT].contains(&agent) && (tool.contains("__") || tool.starts_with("mcp_"));
    let marked =
        (agent == CURSOR && tool.starts_with("MCP:")) || (agent == AMAZON_Q && tool.starts_with('@'));
    // Whatever tool LiteLLM tells of is an MCP server's.
    if gemini || marked || agent == "litellm" || tool.starts_with("mcp__") {
        ToolClass::Mcp
    } else {
        ToolClass::Other
    }
}

fn fields(at: Fields, class: ToolClass, input: &Json, cwd: &str) -> Described {
    let mut described = Described { class, command: None, paths: Vec::new(), truncated: false };
    let Some(members) = input.members() else {
        return described;
    };
    described.command = command_line(&members, at);
    let directory = at.base.iter().find_map(|key| members.string(key)).map(|dir| absolute(&dir, cwd));
    let base = directory.as_deref().unwrap_or(cwd);
    described.paths.extend(directory.clone());
    let named = at.files.iter().flat_map(|key| strings(&members, key));
    for path in named.chain(of_each(at, &members)).chain(patched(at, &members)) {
        let path = absolute(&path, base);
        described.truncated |= described.paths.len() == MAX_PATHS;
        if !described.truncated && !described.paths.contains(&path) {
            described.paths.push(path);
        }
    }
    described
}

/// The files that each object of a list names.
fn of_each(at: Fields, members: &RawObject<'_>) -> Vec<String> {
    let list = members.get(at.each).map_or("[]", |list| list.get());
    let objects: Vec<&serde_json::value::RawValue> = serde_json::from_str(list).unwrap_or_default();
    let parsed = objects.iter().filter_map(|object| RawObject::parse(object.get()).ok());
    parsed
        .flat_map(|object| at.files.iter().flat_map(move |key| strings(&object, key)).collect::<Vec<_>>())
        .collect()
}

/// The files of all patches among the arguments.
fn patched(at: Fields, members: &RawObject<'_>) -> Vec<String> {
    if !at.patch {
        return Vec::new();
    }
    let texts = members.iter().flat_map(|(key, _)| strings(members, key));
    texts.flat_map(|text| patch::files(&text).map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// A command as one line. A program with its arguments is quoted as a POSIX shell reads it; of several commands each is a
/// line.
fn command_line(members: &RawObject<'_>, at: Fields) -> Option<String> {
    let said = members.string(at.command);
    if at.lines {
        let list = said.as_deref().or_else(|| Some(members.get(at.command)?.get()))?;
        return serde_json::from_str::<Vec<String>>(list)
            .map_or(said.clone(), |lines| Some(lines.join("\n")));
    }
    said.or_else(|| {
        let words: Vec<String> = serde_json::from_str(members.get(at.command)?.get()).ok()?;
        Some(words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" "))
    })
}

fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    match word {
        "" => "''".to_owned(),
        word if word.chars().all(plain) => word.to_owned(),
        word => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// A member that is a string or an array of strings.
fn strings(members: &RawObject<'_>, key: &str) -> Vec<String> {
    let Some(value) = members.get(key) else {
        return Vec::new();
    };
    match value.get().as_bytes().first() {
        Some(b'"') => serde_json::from_str(value.get()).into_iter().collect(),
        Some(b'[') => {
            let items: Vec<&serde_json::value::RawValue> =
                serde_json::from_str(value.get()).unwrap_or_default();
            items.into_iter().filter_map(|item| serde_json::from_str(item.get()).ok()).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        table::{CLAUDE, CLINE, CODEX, COPILOT, FORGE, WINDSURF},
        *,
    };

    fn described(agent: &str, tool: &str, input: &str) -> String {
        let Described { class, command, paths, .. } =
            describe(agent, tool, &Json::parse(input).unwrap(), "/p");
        format!("{class} {command:?} {paths:?}")
    }

    #[test]
    fn tools_of_all_agents_are_told_by_class_command_and_paths() {
        for (agent, tool, input, expected) in [
            (LLXPRT, "insert_at_line", r#"{"absolute_path":"/p/.env"}"#, r#"file-write None ["/p/.env"]"#),
            (LLXPRT, "run_shell_command", r#"{"command":"ls"}"#, r#"shell Some("ls") []"#),
            (LLXPRT, "github__create_issue", "{}", "mcp None []"),
            (LLXPRT, "Bash", r#"{"command":"ls"}"#, "other None []"),
            (CURSOR, "Shell", r#"{"command":"ls","working_directory":"/w"}"#, r#"shell Some("ls") ["/w"]"#),
            (CURSOR, "MCP:query", r#"{"path":"x"}"#, r#"mcp None ["/p/x"]"#),
            (COPILOT, "bash", r#"{"command":"ls"}"#, r#"shell Some("ls") []"#),
            (COPILOT, "view", r#"{"path":"/p/a"}"#, r#"file-read None ["/p/a"]"#),
            (
                COPILOT,
                "Edit",
                r#"{"input":"*** Begin Patch\n*** Add File: a\n*** End Patch"}"#,
                r#"file-write None ["/p/a"]"#,
            ),
            (WINDSURF, "run_command", r#"{"command_line":"ls","cwd":"/w"}"#, r#"shell Some("ls") ["/w"]"#),
            (CLINE, "execute_command", r#"{"command":"ls"}"#, r#"shell Some("ls") []"#),
            (CLINE, "run_commands", r#"{"commands":["ls -la","make"]}"#, r#"shell Some("ls -la\nmake") []"#),
            (CLINE, "run_commands", r#"{"commands":"[\"ls\"]"}"#, r#"shell Some("ls") []"#),
            (CLINE, "run_commands", r#"{"commands":"ls"}"#, r#"shell Some("ls") []"#),
            (CLINE, "list_files", r#"{"path":"src"}"#, r#"search None ["/p/src"]"#),
            (AMAZON_Q, "execute_bash", r#"{"command":"ls"}"#, r#"shell Some("ls") []"#),
            (
                AMAZON_Q,
                "fs_read",
                r#"{"operations":[{"mode":"Line","path":"/p/a"},7,{"path":"b"}]}"#,
                r#"file-read None ["/p/a", "/p/b"]"#,
            ),
            (AMAZON_Q, "@git/status", "{}", "mcp None []"),
            (FORGE, "bash", r#"{"command":"ls"}"#, r#"shell Some("ls") []"#),
            (FORGE, "Write", r#"{"file_path":"a"}"#, r#"file-write None ["/p/a"]"#),
            (FORGE, "replace", r#"{"file_path":"a"}"#, r#"other None ["/p/a"]"#),
            ("run-claude", "Bash", r#"{"command":"ls"}"#, r#"shell Some("ls") []"#),
            (CLAUDE, "Bash", r#"{"command":"ls","path":"x"}"#, r#"shell Some("ls") []"#),
            (CLAUDE, "Bash", r#"{"command":7}"#, "shell None []"),
            (
                CODEX,
                "shell",
                r#"{"command":["bash","-lc","rm -rf 'a b'",""],"workdir":"sub"}"#,
                r#"shell Some("bash -lc 'rm -rf '\\''a b'\\''' ''") ["/p/sub"]"#,
            ),
            (CODEX, "exec_command", r#"{"cmd":"ls","workdir":"/w"}"#, r#"shell Some("ls") ["/w"]"#),
            (
                CODEX,
                "apply_patch",
                r#"{"command":"*** Begin Patch\n*** Update File: a.rs\n*** Move to: /etc/b\n@@\n-x\n*** End Patch"}"#,
                r#"file-write None ["/p/a.rs", "/etc/b"]"#,
            ),
            (
                CODEX,
                "apply_patch",
                r#"{"command":["apply_patch","*** Delete File: ../c"]}"#,
                r#"file-write None ["/c"]"#,
            ),
            (CODEX, "mcp__fs__write", r#"{"path":"x"}"#, r#"mcp None ["/p/x"]"#),
            (CODEX, "update_plan", "{}", "other None []"),
            // An MCP server may call its tools as others call theirs.
            ("litellm", "write_file", r#"{"path":"x"}"#, r#"mcp None ["/p/x"]"#),
            (CLAUDE, "Write", r#"{"file_path":"a/../b","content":"c"}"#, r#"file-write None ["/p/b"]"#),
            (CLAUDE, "NotebookEdit", r#"{"notebook_path":"/n.ipynb"}"#, r#"file-write None ["/n.ipynb"]"#),
            (
                CLAUDE,
                "Glob",
                r#"{"path":"src","pattern":"*.rs"}"#,
                r#"search None ["/p/src", "/p/src/*.rs"]"#,
            ),
            (CLAUDE, "Glob", r#"{"pattern":"/etc/*"}"#, r#"search None ["/etc/*"]"#),
            (CLAUDE, "Grep", r#"{"pattern":"KEY","glob":".env"}"#, r#"search None ["/p/.env"]"#),
            (CLAUDE, "WebFetch", r#"{"url":"https://x.example/"}"#, "web None []"),
            (CLAUDE, "Task", r#"{"prompt":"go"}"#, "agent None []"),
            (CLAUDE, "mcp__fs__write", r#"{"path":".env"}"#, r#"mcp None ["/p/.env"]"#),
            (CLAUDE, "Newest", r#"{"file_path":"x","command":"y"}"#, r#"other None ["/p/x"]"#),
            (CLAUDE, "run_shell_command", r#"{"command":"ls"}"#, "other None []"),
            (
                GEMINI,
                "run_shell_command",
                r#"{"command":"ls","dir_path":"sub"}"#,
                r#"shell Some("ls") ["/p/sub"]"#,
            ),
            (
                GEMINI,
                "read_many_files",
                r#"{"include":["a","./a","b/*",1]}"#,
                r#"file-read None ["/p/a", "/p/b/*"]"#,
            ),
            (GEMINI, "list_directory", r#"{"dir_path":"/"}"#, r#"search None ["/"]"#),
            (
                GEMINI,
                "glob",
                r#"{"pattern":"*.md","dir_path":"docs"}"#,
                r#"search None ["/p/docs", "/p/docs/*.md"]"#,
            ),
            (GEMINI, "github__create_issue", "{}", "mcp None []"),
            (GEMINI, "mcp_github_create_issue", "{}", "mcp None []"),
            (GEMINI, "save_memory", r#"{"fact":"x"}"#, "other None []"),
            ("native", "replace", r#"{"file_path":"x"}"#, r#"file-write None ["/p/x"]"#),
            ("native", "Bash", r#"{"command":"ls"}"#, r#"shell Some("ls") []"#),
        ] {
            assert_eq!(described(agent, tool, input), expected, "{agent} {tool} {input}");
        }
    }

    #[test]
    fn more_paths_than_a_guard_would_see_are_reported() {
        let names: Vec<_> = (0..=MAX_PATHS).map(|n| format!("f{n}")).collect();
        let input = Json::from_value(&serde_json::json!({ "include": names }));
        let described = describe(GEMINI, "read_many_files", &input, "/p");
        assert_eq!((described.paths.len(), described.truncated), (MAX_PATHS, true));
        let patch: Vec<_> = names.iter().map(|name| format!("*** Add File: {name}")).collect();
        let input = Json::from_value(&serde_json::json!({ "command": patch.join("\n") }));
        assert!(describe(CODEX, "apply_patch", &input, "/p").truncated);
    }
}
