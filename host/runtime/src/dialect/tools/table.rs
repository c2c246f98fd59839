//! The tools of all agents: what each does, and what its arguments are called.

use hookbox_model::ToolClass;

/// Where a tool's arguments say what.
#[derive(Clone, Copy)]
pub(super) struct Fields {
    /// The command: a line, or an array of words.
    pub(super) command: &'static str,
    /// The directory that it works in; the first that is there. Other paths are relative to it.
    pub(super) base: &'static [&'static str],
    /// Files: a string, or an array of strings.
    pub(super) files: &'static [&'static str],
    /// Is an array of words an array of command lines?
    pub(super) lines: bool,
    /// A list of objects, each with such files.
    pub(super) each: &'static str,
    /// Do the arguments hold a patch, which names its files itself?
    pub(super) patch: bool,
}

impl Fields {
    /// Nothing is said.
    pub(super) const NONE: Self =
        Self { command: "", lines: false, base: &[], files: &[], each: "", patch: false };
}

/// One tool.
pub(super) struct Row {
    agent: &'static str,
    tool: &'static str,
    pub(super) class: ToolClass,
    pub(super) fields: Fields,
}

/// Whose tools may be any agent's.
const OF_ANY_AGENT: [&str; 3] = ["native", "run-claude", "cocode"];

/// The row of this tool of this agent. llxprt-code has Gemini CLI's and its own.
pub(super) fn row_of(agent: &str, tool: &str) -> Option<&'static Row> {
    let any = OF_ANY_AGENT.contains(&agent);
    let mut rows = TABLE.iter().filter(|row| row.tool == tool);
    rows.find(|row| row.agent == agent || any || (agent == LLXPRT && row.agent == GEMINI))
}

const fn row(
    agent: &'static str,
    tool: &'static str,
    class: ToolClass,
    command: &'static str,
    paths: (&'static [&'static str], &'static [&'static str]),
) -> Row {
    Row { agent, tool, class, fields: Fields { command, base: paths.0, files: paths.1, ..Fields::NONE } }
}

const fn patching(agent: &'static str, tool: &'static str) -> Row {
    Row { agent, tool, class: FileWrite, fields: Fields { patch: true, ..Fields::NONE } }
}

impl Row {
    const fn lines(mut self) -> Self {
        self.fields.lines = true;
        self
    }

    const fn each(mut self, list: &'static str) -> Self {
        self.fields.each = list;
        self
    }

    const fn or_patch(mut self) -> Self {
        self.fields.patch = true;
        self
    }
}

use ToolClass::{Agent, FileRead, FileWrite, Mcp, Other, Search, Shell, Web};

pub(super) const CLAUDE: &str = "claude-code";
pub(super) const CODEX: &str = "codex";
pub(super) const GEMINI: &str = "gemini-cli";
pub(super) const LLXPRT: &str = "llxprt";
pub(super) const FORGE: &str = "code-forge";
pub(super) const CURSOR: &str = "cursor";
pub(super) const COPILOT: &str = "copilot";
pub(super) const WINDSURF: &str = "windsurf";
pub(super) const CLINE: &str = "cline";
pub(super) const AMAZON_Q: &str = "amazon-q";
const NO_PATHS: (&[&str], &[&str]) = (&[], &[]);
const LINES: (&[&str], &[&str]) = (&[], &["absolute_path", "file_path", "path"]);
const FILE: (&[&str], &[&str]) = (&[], &["path", "file_path", "target_file"]);
const FOLDER: (&[&str], &[&str]) = (&["path"], &[]);
const GLOB: (&[&str], &[&str]) = (&["path"], &["pattern"]);

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
    // Codex calls every shell tool `Bash` before a hook, but has had the others.
    row(CODEX, "Bash", Shell, "command", NO_PATHS),
    row(CODEX, "shell", Shell, "command", (&["workdir"], &[])),
    row(CODEX, "local_shell", Shell, "command", (&["workdir", "working_directory"], &[])),
    row(CODEX, "shell_command", Shell, "command", (&["workdir"], &[])),
    row(CODEX, "exec_command", Shell, "cmd", (&["workdir"], &[])),
    patching(CODEX, "apply_patch"),
    row(CODEX, "view_image", FileRead, "", (&[], &["path"])),
    row(CODEX, "web_search", Web, "", NO_PATHS),
    row(CODEX, "spawn_agent", Agent, "", NO_PATHS),
    row(CODEX, "update_plan", Other, "", NO_PATHS),
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
    // Cursor's views of its calls have the same names here.
    row(CURSOR, "Shell", Shell, "command", (&["working_directory"], &[])),
    row(CURSOR, "Read", FileRead, "", FILE),
    row(CURSOR, "Write", FileWrite, "", FILE),
    row(CURSOR, "Delete", FileWrite, "", FILE),
    row(CURSOR, "Grep", Search, "", (&["path"], &["glob"])),
    row(CURSOR, "Task", Agent, "", NO_PATHS),
    // Copilot's own names, and those that it has for Claude Code's hooks.
    row(COPILOT, "bash", Shell, "command", NO_PATHS),
    row(COPILOT, "powershell", Shell, "command", NO_PATHS),
    row(COPILOT, "Bash", Shell, "command", NO_PATHS),
    row(COPILOT, "view", FileRead, "", FILE),
    row(COPILOT, "Read", FileRead, "", FILE),
    row(COPILOT, "create", FileWrite, "", FILE),
    row(COPILOT, "Write", FileWrite, "", FILE),
    row(COPILOT, "edit", FileWrite, "", FILE),
    row(COPILOT, "str_replace_editor", FileWrite, "", FILE),
    patching(COPILOT, "apply_patch"),
    row(COPILOT, "Edit", FileWrite, "", FILE).or_patch(),
    row(COPILOT, "glob", Search, "", GLOB),
    row(COPILOT, "Glob", Search, "", GLOB),
    row(COPILOT, "grep", Search, "", (&["path"], &["glob"])),
    row(COPILOT, "rg", Search, "", (&["path"], &["glob"])),
    row(COPILOT, "Grep", Search, "", (&["path"], &["glob"])),
    row(COPILOT, "web_fetch", Web, "", NO_PATHS),
    row(COPILOT, "WebFetch", Web, "", NO_PATHS),
    row(COPILOT, "web_search", Web, "", NO_PATHS),
    row(COPILOT, "WebSearch", Web, "", NO_PATHS),
    row(COPILOT, "task", Agent, "", NO_PATHS),
    row(COPILOT, "Task", Agent, "", NO_PATHS),
    row(COPILOT, "Agent", Agent, "", NO_PATHS),
    // Windsurf does not name its tools; these are its events without `pre_` and `post_`.
    row(WINDSURF, "run_command", Shell, "command_line", (&["cwd"], &[])),
    row(WINDSURF, "read_code", FileRead, "", FILE),
    row(WINDSURF, "write_code", FileWrite, "", FILE),
    row(CLINE, "execute_command", Shell, "command", NO_PATHS),
    row(CLINE, "run_commands", Shell, "commands", NO_PATHS).lines(),
    row(CLINE, "read_file", FileRead, "", FILE),
    row(CLINE, "write_to_file", FileWrite, "", FILE),
    row(CLINE, "replace_in_file", FileWrite, "", FILE),
    row(CLINE, "apply_patch", FileWrite, "", FILE).or_patch(),
    row(CLINE, "list_files", Search, "", FOLDER),
    row(CLINE, "list_code_definition_names", Search, "", FOLDER),
    row(CLINE, "search_files", Search, "", (&["path"], &["file_pattern"])),
    row(CLINE, "web_fetch", Web, "", NO_PATHS),
    row(CLINE, "use_mcp_tool", Mcp, "", NO_PATHS),
    row(CLINE, "access_mcp_resource", Mcp, "", NO_PATHS),
    row(CLINE, "new_task", Agent, "", NO_PATHS),
    row(AMAZON_Q, "execute_bash", Shell, "command", NO_PATHS),
    row(AMAZON_Q, "fs_read", FileRead, "", (&[], &["path", "image_paths"])).each("operations"),
    row(AMAZON_Q, "fs_write", FileWrite, "", FILE),
];
