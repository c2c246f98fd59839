//! The tools of all agents: what each does, and what its arguments are called.

use hookbox_model::ToolClass;

/// Where a tool's arguments say what.
#[derive(Clone, Copy)]
pub(super) struct Fields {
    /// The directory that it works in; the first that is there. Other paths are relative to it.
    pub(super) base: &'static [&'static str],
    /// Files: a string, an object that names files, or an array of those.
    pub(super) files: &'static [&'static str],
    /// Do the arguments hold a patch, which names its files itself?
    pub(super) patch: bool,
}

impl Fields {
    /// Nothing is said.
    pub(super) const NONE: Self = Self { base: &[], files: &[], patch: false };
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
    paths: (&'static [&'static str], &'static [&'static str]),
) -> Row {
    Row { agent, tool, class, fields: Fields { base: paths.0, files: paths.1, patch: false } }
}

const fn patching(agent: &'static str, tool: &'static str) -> Row {
    Row { agent, tool, class: FileWrite, fields: Fields { patch: true, ..Fields::NONE } }
}

impl Row {
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
pub(super) const DROID: &str = "droid";
pub(super) const QWEN: &str = "qwen-code";
pub(super) const KIMI: &str = "kimi-code";
pub(super) const OPENHANDS: &str = "openhands";
pub(super) const OPENCODE: &str = "opencode";
const NO_PATHS: (&[&str], &[&str]) = (&[], &[]);
const LINES: (&[&str], &[&str]) = (&[], &["absolute_path", "file_path", "path"]);
const FILE: (&[&str], &[&str]) = (&[], &["path", "file_path", "target_file"]);
/// Of agents that take one spelling for another. A text in place of all arguments is called `input` here.
const FILES: (&[&str], &[&str]) =
    (&[], &["path", "paths", "files", "file_path", "file_paths", "filePath", "absolute_path", "input"]);
const FOLDER: (&[&str], &[&str]) = (&["path"], &[]);
const GLOB: (&[&str], &[&str]) = (&["path"], &["pattern"]);

/// Agent, tool, class, (directory fields, file fields).
#[rustfmt::skip]
static TABLE: &[Row] = &[
    row(CLAUDE, "Bash", Shell, NO_PATHS),
    row(CLAUDE, "PowerShell", Shell, NO_PATHS),
    row(CLAUDE, "Monitor", Shell, NO_PATHS),
    row(CLAUDE, "BashOutput", Other, NO_PATHS),
    row(CLAUDE, "KillShell", Other, NO_PATHS),
    row(CLAUDE, "Read", FileRead, (&[], &["file_path"])),
    row(CLAUDE, "NotebookRead", FileRead, (&[], &["notebook_path"])),
    row(CLAUDE, "Artifact", FileRead, (&[], &["file_path"])),
    row(CLAUDE, "SendUserFile", FileRead, (&[], &["files"])),
    row(CLAUDE, "Write", FileWrite, (&[], &["file_path"])),
    row(CLAUDE, "Edit", FileWrite, (&[], &["file_path"])),
    row(CLAUDE, "MultiEdit", FileWrite, (&[], &["file_path"])),
    row(CLAUDE, "NotebookEdit", FileWrite, (&[], &["notebook_path"])),
    row(CLAUDE, "Glob", Search, (&["path"], &["pattern"])),
    row(CLAUDE, "Grep", Search, (&["path"], &["glob"])),
    row(CLAUDE, "LS", Search, (&["path"], &[])),
    row(CLAUDE, "LSP", Search, (&[], &["filePath", "file_path"])),
    row(CLAUDE, "WebFetch", Web, NO_PATHS),
    row(CLAUDE, "WebSearch", Web, NO_PATHS),
    row(CLAUDE, "ListMcpResourcesTool", Mcp, NO_PATHS),
    row(CLAUDE, "ReadMcpResourceTool", Mcp, NO_PATHS),
    row(CLAUDE, "Task", Agent, NO_PATHS),
    row(CLAUDE, "Agent", Agent, NO_PATHS),
    row(CLAUDE, "ListAgents", Agent, NO_PATHS),
    row(CLAUDE, "SendMessage", Agent, NO_PATHS),
    row(CLAUDE, "SubagentHandback", Agent, NO_PATHS),
    row(CLAUDE, "Workflow", Agent, NO_PATHS),
    row(CLAUDE, "TodoWrite", Other, NO_PATHS),
    // Their `command` is none of a shell.
    row(CLAUDE, "SlashCommand", Other, NO_PATHS),
    row(CLAUDE, "Skill", Other, NO_PATHS),
    // Codex calls every shell tool `Bash` before a hook, but has had the others.
    row(CODEX, "Bash", Shell, NO_PATHS),
    row(CODEX, "shell", Shell, (&["workdir"], &[])),
    row(CODEX, "local_shell", Shell, (&["workdir", "working_directory"], &[])),
    row(CODEX, "shell_command", Shell, (&["workdir"], &[])),
    row(CODEX, "exec_command", Shell, (&["workdir"], &[])),
    row(CODEX, "write_stdin", Shell, NO_PATHS),
    patching(CODEX, "apply_patch"),
    row(CODEX, "view_image", FileRead, (&[], &["path"])),
    row(CODEX, "web_search", Web, NO_PATHS),
    row(CODEX, "spawn_agent", Agent, NO_PATHS),
    row(CODEX, "update_plan", Other, NO_PATHS),
    row(GEMINI, "run_shell_command", Shell, (&["dir_path", "directory"], &[])),
    row(GEMINI, "read_file", FileRead, (&[], &["file_path", "absolute_path", "path"])),
    row(GEMINI, "read_many_files", FileRead, (&[], &["include", "paths"])),
    row(GEMINI, "write_file", FileWrite, (&[], &["file_path"])),
    row(GEMINI, "replace", FileWrite, (&[], &["file_path"])),
    row(GEMINI, "glob", Search, (&["dir_path", "path"], &["pattern"])),
    row(GEMINI, "grep_search", Search, (&["dir_path", "path"], &["include_pattern", "include", "glob"])),
    row(GEMINI, "search_file_content", Search, (&["dir_path", "path"], &["include", "glob"])),
    row(GEMINI, "list_directory", Search, (&["dir_path", "path"], &[])),
    row(GEMINI, "web_fetch", Web, NO_PATHS),
    row(GEMINI, "google_web_search", Web, NO_PATHS),
    row(GEMINI, "codebase_investigator", Agent, NO_PATHS),
    row(GEMINI, "browser_agent", Agent, NO_PATHS),
    row(GEMINI, "delegate_to_agent", Agent, NO_PATHS),
    row(GEMINI, "generalist", Agent, NO_PATHS),
    row(GEMINI, "invoke_agent", Agent, NO_PATHS),
    row(GEMINI, "activate_skill", Other, NO_PATHS),
    row(GEMINI, "ask_user", Other, NO_PATHS),
    row(GEMINI, "get_internal_docs", Other, NO_PATHS),
    row(GEMINI, "save_memory", Other, NO_PATHS),
    row(GEMINI, "update_topic", Other, NO_PATHS),
    row(GEMINI, "write_todos", Other, NO_PATHS),
    row(LLXPRT, "read_line_range", FileRead, LINES),
    row(LLXPRT, "ast_read_file", FileRead, LINES),
    row(LLXPRT, "insert_at_line", FileWrite, LINES),
    row(LLXPRT, "delete_line_range", FileWrite, LINES),
    row(LLXPRT, "apply_patch", FileWrite, LINES),
    row(LLXPRT, "ast_edit", FileWrite, LINES),
    row(LLXPRT, "ast_grep", Search, (&["path"], &[])),
    row(LLXPRT, "google_web_fetch", Web, NO_PATHS),
    row(LLXPRT, "direct_web_fetch", Web, NO_PATHS),
    row(LLXPRT, "exa_web_search", Web, NO_PATHS),
    row(LLXPRT, "task", Agent, NO_PATHS),
    // Code-Forge's own names; its manual writes them in lower case.
    row(FORGE, "Bash", Shell, NO_PATHS),
    row(FORGE, "bash", Shell, NO_PATHS),
    row(FORGE, "BashOutput", Other, NO_PATHS),
    row(FORGE, "KillShell", Other, NO_PATHS),
    row(FORGE, "Read", FileRead, (&[], &["file_path"])),
    row(FORGE, "read", FileRead, (&[], &["file_path"])),
    row(FORGE, "Write", FileWrite, (&[], &["file_path"])),
    row(FORGE, "write", FileWrite, (&[], &["file_path"])),
    row(FORGE, "Edit", FileWrite, (&[], &["file_path"])),
    row(FORGE, "edit", FileWrite, (&[], &["file_path"])),
    row(FORGE, "Glob", Search, (&["path"], &["pattern"])),
    row(FORGE, "glob", Search, (&["path"], &["pattern"])),
    row(FORGE, "Grep", Search, (&["path"], &["glob"])),
    row(FORGE, "grep", Search, (&["path"], &["glob"])),
    // Cursor's views of its calls have the same names here.
    row(CURSOR, "Shell", Shell, (&["working_directory"], &[])),
    row(CURSOR, "Read", FileRead, FILE),
    row(CURSOR, "Write", FileWrite, FILE),
    row(CURSOR, "Delete", FileWrite, FILE),
    row(CURSOR, "Grep", Search, (&["path"], &["glob"])),
    row(CURSOR, "Task", Agent, NO_PATHS),
    // Copilot's own names, and those that it has for Claude Code's hooks.
    row(COPILOT, "bash", Shell, NO_PATHS),
    row(COPILOT, "powershell", Shell, NO_PATHS),
    row(COPILOT, "Bash", Shell, NO_PATHS),
    // What is typed into a shell that runs already.
    row(COPILOT, "write_bash", Shell, NO_PATHS),
    row(COPILOT, "write_powershell", Shell, NO_PATHS),
    row(COPILOT, "view", FileRead, FILE),
    row(COPILOT, "Read", FileRead, FILE),
    row(COPILOT, "create", FileWrite, FILE),
    row(COPILOT, "Write", FileWrite, FILE),
    row(COPILOT, "edit", FileWrite, FILE),
    row(COPILOT, "str_replace_editor", FileWrite, FILE),
    patching(COPILOT, "apply_patch"),
    row(COPILOT, "Edit", FileWrite, FILE).or_patch(),
    row(COPILOT, "glob", Search, GLOB),
    row(COPILOT, "Glob", Search, GLOB),
    row(COPILOT, "grep", Search, (&["path"], &["glob"])),
    row(COPILOT, "rg", Search, (&["path"], &["glob"])),
    row(COPILOT, "Grep", Search, (&["path"], &["glob"])),
    row(COPILOT, "web_fetch", Web, NO_PATHS),
    row(COPILOT, "WebFetch", Web, NO_PATHS),
    row(COPILOT, "web_search", Web, NO_PATHS),
    row(COPILOT, "WebSearch", Web, NO_PATHS),
    row(COPILOT, "task", Agent, NO_PATHS),
    row(COPILOT, "Task", Agent, NO_PATHS),
    row(COPILOT, "Agent", Agent, NO_PATHS),
    // Windsurf does not name its tools; these are its events without `pre_` and `post_`.
    row(WINDSURF, "run_command", Shell, (&["cwd"], &[])),
    row(WINDSURF, "read_code", FileRead, FILE),
    row(WINDSURF, "write_code", FileWrite, FILE),
    row(CLINE, "execute_command", Shell, NO_PATHS),
    row(CLINE, "run_commands", Shell, NO_PATHS),
    row(CLINE, "read_file", FileRead, FILES),
    row(CLINE, "read_files", FileRead, FILES),
    row(CLINE, "write_to_file", FileWrite, FILES),
    row(CLINE, "replace_in_file", FileWrite, FILES),
    row(CLINE, "editor", FileWrite, FILES),
    row(CLINE, "apply_patch", FileWrite, FILE).or_patch(),
    row(CLINE, "list_files", Search, FOLDER),
    row(CLINE, "list_code_definition_names", Search, FOLDER),
    row(CLINE, "search_files", Search, (&["path"], &["file_pattern"])),
    row(CLINE, "search_codebase", Search, FOLDER),
    row(CLINE, "web_fetch", Web, NO_PATHS),
    row(CLINE, "web_search", Web, NO_PATHS),
    row(CLINE, "fetch_web_content", Web, NO_PATHS),
    row(CLINE, "browser_action", Web, NO_PATHS),
    row(CLINE, "use_mcp_tool", Mcp, NO_PATHS),
    row(CLINE, "access_mcp_resource", Mcp, NO_PATHS),
    row(CLINE, "new_task", Agent, NO_PATHS),
    row(CLINE, "spawn_agent", Agent, NO_PATHS),
    row(CLINE, "team_spawn_teammate", Agent, NO_PATHS),
    row(CLINE, "team_run_task", Agent, NO_PATHS),
    row(CLINE, "team_send_message", Agent, NO_PATHS),
    row(CLINE, "team_broadcast", Agent, NO_PATHS),
    row(AMAZON_Q, "execute_bash", Shell, NO_PATHS),
    row(AMAZON_Q, "fs_read", FileRead, (&[], &["path", "image_paths", "operations"])),
    row(AMAZON_Q, "fs_write", FileWrite, FILE),
    // Kiro's names.
    row(AMAZON_Q, "shell", Shell, (&["working_dir"], &[])),
    row(AMAZON_Q, "read", FileRead, (&[], &["path", "image_paths", "operations"])),
    row(AMAZON_Q, "write", FileWrite, FILE),
    row(DROID, "Execute", Shell, NO_PATHS),
    row(DROID, "Read", FileRead, FILE),
    row(DROID, "Create", FileWrite, FILE),
    row(DROID, "Edit", FileWrite, FILE),
    row(DROID, "MultiEdit", FileWrite, FILE),
    row(DROID, "ApplyPatch", FileWrite, FILE).or_patch(),
    row(DROID, "LS", Search, (&["directory_path", "path"], &[])),
    row(DROID, "Grep", Search, (&["path"], &["glob_pattern"])),
    row(DROID, "Glob", Search, (&["folder", "path"], &["patterns", "pattern"])),
    row(DROID, "WebSearch", Web, NO_PATHS),
    row(DROID, "FetchUrl", Web, NO_PATHS),
    row(DROID, "Task", Agent, NO_PATHS),
    row(DROID, "TodoWrite", Other, NO_PATHS),
    row(DROID, "Skill", Other, NO_PATHS),
    row(QWEN, "run_shell_command", Shell, (&["directory"], &[])),
    row(QWEN, "monitor", Shell, (&["directory"], &[])),
    row(QWEN, "read_file", FileRead, FILES),
    row(QWEN, "write_file", FileWrite, FILES),
    row(QWEN, "edit", FileWrite, FILES),
    row(QWEN, "notebook_edit", FileWrite, (&[], &["notebook_path"])),
    row(QWEN, "glob", Search, GLOB),
    row(QWEN, "grep_search", Search, (&["path"], &["glob"])),
    row(QWEN, "list_directory", Search, FOLDER),
    row(QWEN, "lsp", Search, (&[], &["filePath"])),
    row(QWEN, "web_fetch", Web, NO_PATHS),
    row(QWEN, "web_search", Web, NO_PATHS),
    row(QWEN, "agent", Agent, NO_PATHS),
    row(QWEN, "task", Agent, NO_PATHS),
    row(QWEN, "skill", Other, NO_PATHS),
    row(KIMI, "Bash", Shell, (&["cwd"], &[])),
    row(KIMI, "Read", FileRead, FILE),
    row(KIMI, "ReadMediaFile", FileRead, FILE),
    row(KIMI, "Write", FileWrite, FILE),
    row(KIMI, "Edit", FileWrite, FILE),
    row(KIMI, "Grep", Search, (&["path"], &["glob"])),
    row(KIMI, "Glob", Search, GLOB),
    row(KIMI, "WebSearch", Web, NO_PATHS),
    row(KIMI, "FetchURL", Web, NO_PATHS),
    row(KIMI, "Agent", Agent, NO_PATHS),
    row(KIMI, "Skill", Other, NO_PATHS),
    row(OPENHANDS, "terminal", Shell, NO_PATHS),
    row(OPENHANDS, "execute_bash", Shell, NO_PATHS),
    row(OPENHANDS, "file_editor", FileWrite, FILE),
    row(OPENHANDS, "str_replace_editor", FileWrite, FILE),
    row(OPENHANDS, "planning_file_editor", FileWrite, FILE),
    row(OPENHANDS, "apply_patch", FileWrite, FILE).or_patch(),
    row(OPENHANDS, "glob", Search, GLOB),
    row(OPENHANDS, "grep", Search, (&["path"], &["include"])),
    row(OPENHANDS, "delegate", Agent, NO_PATHS),
    row(OPENHANDS, "task", Agent, NO_PATHS),
    row(OPENHANDS, "finish", Other, NO_PATHS),
    row(OPENHANDS, "think", Other, NO_PATHS),
    row(OPENCODE, "bash", Shell, (&["workdir"], &[])),
    row(OPENCODE, "read", FileRead, FILES),
    row(OPENCODE, "write", FileWrite, FILES),
    row(OPENCODE, "edit", FileWrite, FILES),
    row(OPENCODE, "multiedit", FileWrite, FILES),
    row(OPENCODE, "patch", FileWrite, FILES).or_patch(),
    row(OPENCODE, "apply_patch", FileWrite, FILES).or_patch(),
    row(OPENCODE, "list", Search, FOLDER),
    row(OPENCODE, "glob", Search, GLOB),
    row(OPENCODE, "grep", Search, (&["path"], &["include"])),
    row(OPENCODE, "webfetch", Web, NO_PATHS),
    row(OPENCODE, "websearch", Web, NO_PATHS),
    row(OPENCODE, "task", Agent, NO_PATHS),
];
