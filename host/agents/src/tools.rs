//! Classes of an agent's tools, and the arguments that name commands and files.

mod command;
mod files;
mod guess;
mod patch;
pub(super) mod row;

use hookbox_model::{Event, Json, RawObject, ToolClass};

pub(super) use self::command::{COMMAND, find_sole_command};
use self::row::{Fields, Tool};
use super::{
    agent_facts::AgentTools,
    agent_list::{self, AGENTS},
    paths::make_absolute,
};

/// Maximum number of paths in one tool call. A reader refuses a call with more: a guard cannot judge paths that it does not see.
pub const MAX_PATHS: usize = 4096;

/// Facts derived from a tool's name and arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// Class of the tool.
    pub class: ToolClass,
    /// The command line, for a shell tool. Several commands are a line each, `bash -c` and the command.
    pub command: Option<String>,
    /// The files and directories that the arguments name (patterns are kept as they are), absolute and lexically normalised; a leading `~`
    /// is kept. At most [`MAX_PATHS`].
    pub paths: Vec<String>,
    /// True if there were more paths than that.
    pub truncated: bool,
}

/// Describes a call of `tool` by `agent` with these arguments. For a native caller, whose tools may be any agent's, the rows of all agents
/// count; a tool without a row is classified by its arguments.
pub fn describe_call(agent: &str, tool: &str, input: &Json, cwd: &str) -> Described {
    let members = input.members().unwrap_or_default();
    let row = row_of(agent, tool);
    let named = row.map(|row| row.class).or_else(|| is_mcp(agent, tool).then_some(ToolClass::Mcp));
    let class = named.unwrap_or_else(|| guess::guess_class(tool, &members));
    describe_fields(row.map_or(UNKNOWN, |row| row.fields), class, &members, cwd)
}

/// Returns the class of this tool of this agent, if its table has it.
pub(super) fn class_of(agent: &str, tool: &str) -> Option<ToolClass> {
    row_of(agent, tool).map(|row| row.class)
}

/// Returns the argument in which this tool of this agent receives its file.
pub(super) fn key_of_files(agent: &str, tool: &str) -> &'static str {
    const USUAL: &str = "file_path";
    let fields = row_of(agent, tool).map_or(Fields::NONE, |row| row.fields);
    let keys = || fields.files.iter().chain(fields.base);
    if fields.files.contains(&USUAL) { USUAL } else { keys().next().copied().unwrap_or(USUAL) }
}

/// Updates command and paths of the event's tool call after its arguments changed. The class stays, as the tool does; facts that no longer
/// follow from the arguments are removed.
pub fn redescribe_call(event: &mut Event) {
    let Some(tool) = &mut event.tool else { return };
    let fields = row_of(&event.agent, &tool.name).map_or(UNKNOWN, |row| row.fields);
    let members = tool.input.members().unwrap_or_default();
    let described = describe_fields(fields, tool.class, &members, &event.cwd);
    tool.command = described.command;
    tool.paths = described.paths;
}

/// Fields of a tool that no row describes.
const UNKNOWN: Fields = Fields { files: files::USUAL, patch: true, ..Fields::NONE };

fn is_mcp(agent: &str, tool: &str) -> bool {
    tool.starts_with("mcp__") || agent_list::find_facts(agent).is_some_and(|facts| (facts.is_mcp)(tool))
}

fn row_of(agent: &str, tool: &str) -> Option<&'static Tool> {
    let of = |tools: &AgentTools| match tools {
        AgentTools::Own(lists) => lists.iter().copied().flatten().find(|row| row.name == tool),
        AgentTools::Shared => None,
    };
    match &agent_list::find_facts(agent)?.tools {
        AgentTools::Shared => AGENTS.iter().find_map(|facts| of(&facts.tools)),
        own @ AgentTools::Own(_) => of(own),
    }
}

fn describe_fields(at: Fields, class: ToolClass, members: &RawObject<'_>, cwd: &str) -> Described {
    let command = (class == ToolClass::Shell).then(|| command::read_command_line(members)).flatten();
    let mut described = Described { class, command, paths: Vec::new(), truncated: false };
    let directory =
        at.base.iter().find_map(|key| members.get_string(key)).map(|dir| make_absolute(&dir, cwd));
    let base = directory.as_deref().unwrap_or(cwd);
    described.paths.extend(directory.clone());
    for path in files_of(at, class, members) {
        let path = make_absolute(&path, base);
        // Duplicates count as well: at the limit it is not checked whether the path is a new one.
        described.truncated |= described.paths.len() == MAX_PATHS;
        if !described.truncated && !described.paths.contains(&path) {
            described.paths.push(path);
        }
    }
    described
}

/// Returns the files of a call. A tool for files takes a file by every common name; for other tools the table lists the names.
fn files_of(at: Fields, class: ToolClass, members: &RawObject<'_>) -> Vec<String> {
    // An agent may accept another spelling than the one that its table lists.
    let any_name = matches!(class, ToolClass::FileRead | ToolClass::FileWrite);
    let usual = if any_name { files::USUAL } else { &[] };
    let mut found = files::find_files(members, at.files.iter().chain(usual));
    if at.patch && class != ToolClass::Mcp {
        found.extend(find_patched(members));
    }
    found
}

/// Returns the files of all patches among the arguments.
fn find_patched(members: &RawObject<'_>) -> Vec<String> {
    let keys: Vec<_> = members.iter().map(|(key, _)| key).collect();
    let texts = keys.iter().filter_map(|key| Some(members.get(key)?.get()));
    let texts: Vec<String> = texts.flat_map(texts_of).collect();
    texts.iter().flat_map(|text| patch::list_files(text)).map(str::to_owned).collect()
}

/// Returns a text, or the texts of a list.
fn texts_of(json: &str) -> Vec<String> {
    let one = serde_json::from_str(json).map(|text| vec![text]);
    one.or_else(|_| serde_json::from_str(json)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLAUDE: &str = "claude-code";
    const CODEX: &str = "codex";
    const GEMINI: &str = "gemini-cli";
    const LLXPRT: &str = "llxprt";
    const FORGE: &str = "code-forge";
    const CURSOR: &str = "cursor";
    const COPILOT: &str = "copilot";
    const WINDSURF: &str = "windsurf";
    const CLINE: &str = "cline";
    const AMAZON_Q: &str = "amazon-q";

    fn format_described(agent: &str, tool: &str, input: &str) -> String {
        let Described { class, command, paths, .. } =
            describe_call(agent, tool, &Json::parse(input).unwrap(), "/p");
        format!("{class} {command:?} {paths:?}")
    }

    #[test]
    fn tools_of_all_agents_are_described_by_class_command_and_paths() {
        for (agent, tool, input, expected) in [
            (LLXPRT, "insert_at_line", r#"{"absolute_path":"/p/.env"}"#, r#"file-write None ["/p/.env"]"#),
            (LLXPRT, "run_shell_command", r#"{"command":"ls"}"#, r#"shell Some("ls") []"#),
            (LLXPRT, "github__create_issue", "{}", "mcp None []"),
            (LLXPRT, "Bash", r#"{"command":"ls"}"#, r#"shell Some("ls") []"#),
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
            (
                CLINE,
                "run_commands",
                r#"{"commands":["ls -la","make"]}"#,
                r#"shell Some("bash -c 'ls -la'\nbash -c make") []"#,
            ),
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
            (FORGE, "replace", r#"{"file_path":"a"}"#, r#"file-write None ["/p/a"]"#),
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
            // An MCP server may give its tools the names of other agents' tools.
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
            (CLAUDE, "Newest", r#"{"file_path":"x","command":"y"}"#, r#"shell Some("y") ["/p/x"]"#),
            (CLAUDE, "run_shell_command", r#"{"command":"ls"}"#, r#"shell Some("ls") []"#),
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
            assert_eq!(format_described(agent, tool, input), expected, "{agent} {tool} {input}");
        }
    }

    #[test]
    fn arguments_are_found_in_every_spelling_that_an_agent_takes() {
        for (agent, tool, input, expected) in [
            (
                CLINE,
                "editor",
                r#"{"path":"/p/.hookbox/hooks.toml","new_text":"x"}"#,
                r#"file-write None ["/p/.hookbox/hooks.toml"]"#,
            ),
            (
                CLINE,
                "read_files",
                r#"{"files":[{"path":"/p/.env"},"b"]}"#,
                r#"file-read None ["/p/.env", "/p/b"]"#,
            ),
            (CLINE, "read_files", r#"{"file_paths":"/p/.env"}"#, r#"file-read None ["/p/.env"]"#),
            (CLINE, "read_files", r#"{"paths":{"file_path":"/p/.env"}}"#, r#"file-read None ["/p/.env"]"#),
            (CLINE, "read_files", r#"{"filePath":"/p/.env"}"#, r#"file-read None ["/p/.env"]"#),
            (CLINE, "read_files", r#"{"input":[{"filePath":"/p/.env"}]}"#, r#"file-read None ["/p/.env"]"#),
            (CLINE, "read_files", r#"{"input":"/p/.env"}"#, r#"file-read None ["/p/.env"]"#),
            (CLINE, "search_codebase", r#"{"queries":["x"]}"#, "search None []"),
            (
                CLINE,
                "fetch_web_content",
                r#"{"requests":[{"url":"https://x.example","prompt":"p"}]}"#,
                "web None []",
            ),
            (CLINE, "spawn_agent", r#"{"systemPrompt":"s","task":"t"}"#, "agent None []"),
            (
                COPILOT,
                "write_bash",
                r#"{"sessionId":"1","input":"rm -rf /"}"#,
                r#"shell Some("rm -rf /") []"#,
            ),
            (CODEX, "write_stdin", r#"{"session_id":1,"chars":"rm -rf /"}"#, r#"shell Some("rm -rf /") []"#),
            ("droid", "Execute", r#"{"command":"ls"}"#, r#"shell Some("ls") []"#),
            (CLAUDE, "Execute", r#"{"command":"ls"}"#, r#"shell Some("ls") []"#),
            (CLAUDE, "SlashCommand", r#"{"command":"/review"}"#, "other None []"),
            ("kimi-code", "Write", r#"{"path":".env","content":"x"}"#, r#"file-write None ["/p/.env"]"#),
            ("native", "edit", r#"{"filePath":"/p/.env","oldString":"a"}"#, r#"file-write None ["/p/.env"]"#),
        ] {
            assert_eq!(format_described(agent, tool, input), expected, "{agent} {tool} {input}");
        }
    }

    #[test]
    fn more_paths_than_a_guard_would_see_are_reported() {
        let names: Vec<_> = (0..=MAX_PATHS).map(|n| format!("f{n}")).collect();
        let input = Json::from_value(&serde_json::json!({ "include": names }));
        let described = describe_call(GEMINI, "read_many_files", &input, "/p");
        assert_eq!((described.paths.len(), described.truncated), (MAX_PATHS, true));
        let patch: Vec<_> = names.iter().map(|name| format!("*** Add File: {name}")).collect();
        let input = Json::from_value(&serde_json::json!({ "command": patch.join("\n") }));
        assert!(describe_call(CODEX, "apply_patch", &input, "/p").truncated);
    }
}
