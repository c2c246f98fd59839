//! Meaning of the words in tool names.

/// Words for reading.
const READING: &[&str] = &[
    "blame", "cat", "describe", "diff", "fetch", "find", "get", "glob", "grep", "head", "info", "list",
    "load", "log", "lookup", "ls", "open", "read", "readfile", "rg", "ripgrep", "search", "show", "stat",
    "status", "tail", "tree", "view",
];
/// Words for objects and ways of reading. A name with any other word may be that of a tool that writes: there are too
/// many words for writing to list them.
const OBJECTS: &[&str] = &[
    "a",
    "absolute",
    "all",
    "allowed",
    "artifact",
    "ast",
    "branch",
    "branches",
    "by",
    "class",
    "classes",
    "code",
    "codebase",
    "comment",
    "comments",
    "commit",
    "commits",
    "config",
    "configuration",
    "content",
    "contents",
    "context",
    "current",
    "definition",
    "definitions",
    "detail",
    "details",
    "dir",
    "directories",
    "directory",
    "doc",
    "docs",
    "document",
    "documents",
    "entries",
    "entry",
    "field",
    "fields",
    "file",
    "files",
    "filesystem",
    "folder",
    "folders",
    "for",
    "from",
    "fs",
    "function",
    "functions",
    "git",
    "github",
    "gitlab",
    "history",
    "id",
    "image",
    "images",
    "in",
    "index",
    "issue",
    "issues",
    "item",
    "items",
    "job",
    "jobs",
    "json",
    "key",
    "keys",
    "line",
    "lines",
    "many",
    "match",
    "matches",
    "matching",
    "mcp",
    "me",
    "media",
    "memories",
    "memory",
    "message",
    "messages",
    "metadata",
    "method",
    "methods",
    "multi",
    "multiple",
    "name",
    "names",
    "node",
    "nodes",
    "note",
    "notebook",
    "notes",
    "object",
    "objects",
    "of",
    "outline",
    "overview",
    "page",
    "pages",
    "path",
    "paths",
    "pattern",
    "patterns",
    "pdf",
    "pr",
    "project",
    "projects",
    "prs",
    "pull",
    "range",
    "reference",
    "references",
    "referencing",
    "release",
    "releases",
    "repo",
    "repos",
    "repositories",
    "repository",
    "request",
    "requests",
    "resource",
    "resources",
    "result",
    "results",
    "root",
    "roots",
    "schema",
    "section",
    "sections",
    "semantic",
    "single",
    "size",
    "sizes",
    "snippet",
    "source",
    "structure",
    "summary",
    "symbol",
    "symbols",
    "table",
    "tables",
    "tag",
    "tags",
    "text",
    "the",
    "tool",
    "tools",
    "type",
    "types",
    "url",
    "urls",
    "user",
    "users",
    "version",
    "versions",
    "with",
    "workspace",
];
/// Tools that call another tool, which their arguments name.
const CALLING: &[&str] = &["calltool", "callmcptool", "mcp", "mcptool", "usemcptool", "usetool"];
/// A tool that asks a language's server: what it is asked tells.
const LANGUAGE_SERVER: &str = "lsp";
/// Operations of a language server that change nothing.
const LOOKING: &[&str] = &[
    "definition",
    "diagnostics",
    "documentsymbol",
    "findreferences",
    "gotodefinition",
    "gotoimplementation",
    "hover",
    "implementation",
    "incomingcalls",
    "outgoingcalls",
    "preparecallhierarchy",
    "references",
    "symbols",
    "workspacesymbol",
    "workspacesymbols",
];

/// Returns true if the name of a tool states that it only reads. Its arguments may show more.
pub fn reads(tool: &str) -> bool {
    let words = words(own_name(tool));
    let is = |known: &[&str], word: &str| known.contains(&word);
    words.iter().any(|word| is(READING, word))
        && words.iter().all(|word| is(READING, word) || is(OBJECTS, word) || is_number(word))
}

/// Returns true if a tool's arguments name another tool to be called.
pub(crate) fn calls_another(tool: &str) -> bool {
    CALLING.contains(&folded(own_name(tool)).as_str())
}

/// Returns true if a tool queries a language server.
pub(crate) fn is_language_server(tool: &str) -> bool {
    folded(own_name(tool)) == LANGUAGE_SERVER
}

/// Returns true if this operation of a language server changes nothing.
pub(crate) fn only_looks(operation: &str) -> bool {
    LOOKING.contains(&folded(operation).as_str())
}

/// A tool's name without that of its server: `mcp__files__read`, `files__read`, `@files/read`, `MCP:read`.
fn own_name(tool: &str) -> &str {
    let behind = tool.strip_prefix("mcp__").unwrap_or(tool);
    let behind = behind.split_once("__").map_or(behind, |(_, own)| own);
    behind.rsplit(['/', ':']).next().unwrap_or(behind)
}

/// `2`, `v2`
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('v').unwrap_or(word);
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}

/// `readFile`, `read_file` and `read-file` are two words.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        was_lower = c.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The name of an argument without case and what its words are joined by.
pub(crate) fn folded(key: &str) -> String {
    key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
