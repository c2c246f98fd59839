//! What an agent's tools do, and where their arguments name commands and files.

use hookbox_model::{Event, Json, RawObject, ToolClass};

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

/// Describes a call of `tool` by `agent` with these arguments. For an agent without a table of its own (`native`) the
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

/// Where a tool's arguments say what.
#[derive(Clone, Copy)]
struct Fields {
    /// The command line.
    command: &'static str,
    /// The directory that it works in; the first that is there. Other paths are relative to it.
    base: &'static [&'static str],
    /// Files: a string, or an array of strings.
    files: &'static [&'static str],
}

struct Row {
    agent: &'static str,
    tool: &'static str,
    class: ToolClass,
    fields: Fields,
}

/// Tools that no row knows, an MCP server's above all, mostly call their paths by one of these names.
const UNKNOWN: Fields =
    Fields { command: "", base: &[], files: &["file_path", "path", "paths", "notebook_path", "dir_path"] };

fn class_fields(class: ToolClass) -> Fields {
    let command = if class == ToolClass::Shell { "command" } else { "" };
    Fields { command, ..UNKNOWN }
}

fn class_by_name(agent: &str, tool: &str) -> ToolClass {
    // Gemini CLI has written `mcp__server__tool`, `server__tool` and `mcp_server_tool`.
    let gemini = [GEMINI, LLXPRT].contains(&agent) && (tool.contains("__") || tool.starts_with("mcp_"));
    if gemini || tool.starts_with("mcp__") { ToolClass::Mcp } else { ToolClass::Other }
}

fn row_of(agent: &str, tool: &str) -> Option<&'static Row> {
    let mut rows = TABLE.iter().filter(|row| row.tool == tool);
    let known = TABLE.iter().any(|row| row.agent == agent);
    // llxprt-code has Gemini CLI's tools and its own.
    rows.find(|row| row.agent == agent || !known || (agent == LLXPRT && row.agent == GEMINI))
}

fn fields(at: Fields, class: ToolClass, input: &Json, cwd: &str) -> Described {
    let mut described = Described { class, command: None, paths: Vec::new(), truncated: false };
    let Some(members) = input.members() else {
        return described;
    };
    described.command = members.string(at.command);
    let directory = at.base.iter().find_map(|key| members.string(key)).map(|dir| absolute(&dir, cwd));
    let base = directory.as_deref().unwrap_or(cwd);
    described.paths.extend(directory.clone());
    for path in at.files.iter().flat_map(|key| strings(&members, key)) {
        let path = absolute(&path, base);
        described.truncated |= described.paths.len() == MAX_PATHS;
        if !described.truncated && !described.paths.contains(&path) {
            described.paths.push(path);
        }
    }
    described
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

const fn row(
    agent: &'static str,
    tool: &'static str,
    class: ToolClass,
    command: &'static str,
    paths: (&'static [&'static str], &'static [&'static str]),
) -> Row {
    Row { agent, tool, class, fields: Fields { command, base: paths.0, files: paths.1 } }
}

use ToolClass::{Agent, FileRead, FileWrite, Mcp, Other, Search, Shell, Web};

const CLAUDE: &str = "claude-code";
const GEMINI: &str = "gemini-cli";
const LLXPRT: &str = "llxprt";
const FORGE: &str = "code-forge";
const NO_PATHS: (&[&str], &[&str]) = (&[], &[]);
const LINES: (&[&str], &[&str]) = (&[], &["absolute_path", "file_path", "path"]);

/// Agent, tool, class, command field, (directory fields, file fields).
#[rustfmt::skip]
static TABLE: &[Row] = &[
    row(CLAUDE, "Bash", Shell, "command", NO_PATHS),
    row(CLAUDE, "PowerShell", Shell, "command", NO_PATHS),
    row(CLAUDE, "Monitor", Shell, "command", NO_PATHS),
    row(CLAUDE, "BashOutput", Other, "", NO_PATHS),
    row(CLAUDE, "KillShell", Other, "", NO_PATHS),
    row(CLAUDE, "Read", FileRead, "", (&[], &["file_path"])),
    row(CLAUDE, "NotebookRead", FileRead, "", (&[], &["notebook_path"])),
    row(CLAUDE, "Artifact", FileRead, "", (&[], &["file_path"])),
    row(CLAUDE, "SendUserFile", FileRead, "", (&[], &["files"])),
    row(CLAUDE, "Write", FileWrite, "", (&[], &["file_path"])),
    row(CLAUDE, "Edit", FileWrite, "", (&[], &["file_path"])),
    row(CLAUDE, "MultiEdit", FileWrite, "", (&[], &["file_path"])),
    row(CLAUDE, "NotebookEdit", FileWrite, "", (&[], &["notebook_path"])),
    row(CLAUDE, "Glob", Search, "", (&["path"], &["pattern"])),
    row(CLAUDE, "Grep", Search, "", (&["path"], &["glob"])),
    row(CLAUDE, "LS", Search, "", (&["path"], &[])),
    row(CLAUDE, "LSP", Search, "", (&[], &["filePath", "file_path"])),
    row(CLAUDE, "WebFetch", Web, "", NO_PATHS),
    row(CLAUDE, "WebSearch", Web, "", NO_PATHS),
    row(CLAUDE, "ListMcpResourcesTool", Mcp, "", NO_PATHS),
    row(CLAUDE, "ReadMcpResourceTool", Mcp, "", NO_PATHS),
    row(CLAUDE, "Task", Agent, "", NO_PATHS),
    row(CLAUDE, "Agent", Agent, "", NO_PATHS),
    row(CLAUDE, "ListAgents", Agent, "", NO_PATHS),
    row(CLAUDE, "SendMessage", Agent, "", NO_PATHS),
    row(CLAUDE, "SubagentHandback", Agent, "", NO_PATHS),
    row(CLAUDE, "Workflow", Agent, "", NO_PATHS),
    row(CLAUDE, "TodoWrite", Other, "", NO_PATHS),
    row("codex", "Bash", Shell, "command", NO_PATHS),
    row(GEMINI, "run_shell_command", Shell, "command", (&["dir_path", "directory"], &[])),
    row(GEMINI, "read_file", FileRead, "", (&[], &["file_path", "absolute_path", "path"])),
    row(GEMINI, "read_many_files", FileRead, "", (&[], &["include", "paths"])),
    row(GEMINI, "write_file", FileWrite, "", (&[], &["file_path"])),
    row(GEMINI, "replace", FileWrite, "", (&[], &["file_path"])),
    row(GEMINI, "glob", Search, "", (&["dir_path", "path"], &["pattern"])),
    row(GEMINI, "grep_search", Search, "", (&["dir_path", "path"], &["include_pattern", "include", "glob"])),
    row(GEMINI, "search_file_content", Search, "", (&["dir_path", "path"], &["include", "glob"])),
    row(GEMINI, "list_directory", Search, "", (&["dir_path", "path"], &[])),
    row(GEMINI, "web_fetch", Web, "", NO_PATHS),
    row(GEMINI, "google_web_search", Web, "", NO_PATHS),
    row(GEMINI, "codebase_investigator", Agent, "", NO_PATHS),
    row(GEMINI, "browser_agent", Agent, "", NO_PATHS),
    row(GEMINI, "delegate_to_agent", Agent, "", NO_PATHS),
    row(GEMINI, "generalist", Agent, "", NO_PATHS),
    row(GEMINI, "invoke_agent", Agent, "", NO_PATHS),
    row(GEMINI, "activate_skill", Other, "", NO_PATHS),
    row(GEMINI, "ask_user", Other, "", NO_PATHS),
    row(GEMINI, "get_internal_docs", Other, "", NO_PATHS),
    row(GEMINI, "save_memory", Other, "", NO_PATHS),
    row(GEMINI, "update_topic", Other, "", NO_PATHS),
    row(GEMINI, "write_todos", Other, "", NO_PATHS),
    row(LLXPRT, "read_line_range", FileRead, "", LINES),
    row(LLXPRT, "ast_read_file", FileRead, "", LINES),
    row(LLXPRT, "insert_at_line", FileWrite, "", LINES),
    row(LLXPRT, "delete_line_range", FileWrite, "", LINES),
    row(LLXPRT, "apply_patch", FileWrite, "", LINES),
    row(LLXPRT, "ast_edit", FileWrite, "", LINES),
    row(LLXPRT, "ast_grep", Search, "", (&["path"], &[])),
    row(LLXPRT, "google_web_fetch", Web, "", NO_PATHS),
    row(LLXPRT, "direct_web_fetch", Web, "", NO_PATHS),
    row(LLXPRT, "exa_web_search", Web, "", NO_PATHS),
    row(LLXPRT, "task", Agent, "", NO_PATHS),
    // Code-Forge's own names; its manual writes them in lower case.
    row(FORGE, "Bash", Shell, "command", NO_PATHS),
    row(FORGE, "bash", Shell, "command", NO_PATHS),
    row(FORGE, "BashOutput", Other, "", NO_PATHS),
    row(FORGE, "KillShell", Other, "", NO_PATHS),
    row(FORGE, "Read", FileRead, "", (&[], &["file_path"])),
    row(FORGE, "read", FileRead, "", (&[], &["file_path"])),
    row(FORGE, "Write", FileWrite, "", (&[], &["file_path"])),
    row(FORGE, "write", FileWrite, "", (&[], &["file_path"])),
    row(FORGE, "Edit", FileWrite, "", (&[], &["file_path"])),
    row(FORGE, "edit", FileWrite, "", (&[], &["file_path"])),
    row(FORGE, "Glob", Search, "", (&["path"], &["pattern"])),
    row(FORGE, "glob", Search, "", (&["path"], &["pattern"])),
    row(FORGE, "Grep", Search, "", (&["path"], &["glob"])),
    row(FORGE, "grep", Search, "", (&["path"], &["glob"])),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn described(agent: &str, tool: &str, input: &str) -> String {
        let Described { class, command, paths, .. } =
            describe(agent, tool, &Json::parse(input).unwrap(), "/p");
        format!("{class} {command:?} {paths:?}")
    }

    #[test]
    fn tools_of_all_agents_are_told_by_class_command_and_paths() {
        for (agent, tool, input, expected) in [
            (CLAUDE, "Bash", r#"{"command":"ls","path":"x"}"#, r#"shell Some("ls") []"#),
            (CLAUDE, "Bash", r#"{"command":["ls"]}"#, "shell None []"),
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
            (LLXPRT, "insert_at_line", r#"{"absolute_path":"/p/.env"}"#, r#"file-write None ["/p/.env"]"#),
            (LLXPRT, "run_shell_command", r#"{"command":"ls"}"#, r#"shell Some("ls") []"#),
            (LLXPRT, "github__create_issue", "{}", "mcp None []"),
            (LLXPRT, "Bash", r#"{"command":"ls"}"#, "other None []"),
            (FORGE, "bash", r#"{"command":"ls"}"#, r#"shell Some("ls") []"#),
            (FORGE, "Write", r#"{"file_path":"a"}"#, r#"file-write None ["/p/a"]"#),
            (FORGE, "replace", r#"{"file_path":"a"}"#, r#"other None ["/p/a"]"#),
            ("run-claude", "Bash", r#"{"command":"ls"}"#, r#"shell Some("ls") []"#),
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
    }
}
