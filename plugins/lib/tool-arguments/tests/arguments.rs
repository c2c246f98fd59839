//! Tests of the reader of tool arguments.

use tool_arguments::{Found, local_path, read_whole, reads, typed};

fn read(input: &str) -> Found {
    tool_arguments::read("mcp__x__y", input)
}

/// Every call of a table names this file; all that do not are reported together.
fn all_name(path: &str, inputs: &[&str]) {
    let wrong: Vec<&&str> =
        inputs.iter().filter(|input| !read(input).paths.iter().any(|found| found == path)).collect();
    assert!(wrong.is_empty(), "not {path}:\n{wrong:#?}");
}

#[test]
fn a_patch_names_the_files_that_it_changes() {
    all_name(
        ".p/a.toml",
        &[
            r#"{"patch":"*** Begin Patch\n*** Update File: .p/a.toml\n@@\n-a\n+b\n*** End Patch"}"#,
            r#"{"diff":"--- a/.p/a.toml\n+++ b/.p/a.toml\n@@ -1 +1 @@\n-a\n+b\n"}"#,
            r#"{"diff":"--- .p/a.toml\n+++ .p/a.toml\n@@ -1 +1 @@\n-a\n+b\n"}"#,
            r#"{"changes":["diff --git a/x b/.p/a.toml\nrename from x\nrename to .p/a.toml\n"]}"#,
            r#"{"input":{"unified":"--- /dev/null\n+++ b/.p/a.toml\n@@ -0,0 +1 @@\n+x\n"}}"#,
        ],
    );
    for input in [
        // The text of a file, and a list.
        r#"{"path":"","content":"*** Update File: .p/a.toml"}"#,
        r#"{"note":"--- a\n+++ .p/a.toml"}"#,
    ] {
        assert!(read(input).paths.is_empty(), "{input}");
    }
}

#[test]
fn a_file_may_be_the_name_of_a_member() {
    all_name(
        ".p/a.toml",
        &[
            r#"{"files":{".p/a.toml":"x"}}"#,
            r#"{"writes":{".p/a.toml":{"content":"x"}}}"#,
            r#"{"files":"{\".p/a.toml\":\"x\"}"}"#,
        ],
    );
    all_name("src/main.rs", &[r#"{"files":{"src/main.rs":"x"}}"#]);
    all_name("/p/a", &[r#"{"anything":{"/p/a":"x"}}"#, r#"{"files":{"file:///p/a":"x"}}"#]);
    assert!(read(r#"{"headers":{"content-type":"a/b"},"content":{"text":"x"}}"#).paths.is_empty());
}

#[test]
fn names_of_arguments_tell_where_something_is_put() {
    for key in ["save_to", "saveTo", "output", "destination", "write-to", "to", "out", "into", "outputFile"] {
        all_name("p/a", &[&format!(r#"{{"{key}":"p/a"}}"#)]);
    }
    for key in ["timeout", "layout", "photo"] {
        assert!(read(&format!(r#"{{"{key}":"p/a"}}"#)).paths.is_empty(), "{key}");
    }
}

#[test]
fn a_url_of_a_file_is_the_file() {
    for url in ["file:///p/a", "file:/p/a", "FILE:///p/a", "file://localhost/p/a", "file:///p/%61"] {
        assert_eq!(local_path(url).as_deref(), Some("/p/a"), "{url}");
        all_name("/p/a", &[&format!(r#"{{"anything":"{url}"}}"#)]);
    }
    for other in ["https://x.example/p/a", "/p/a", "file", "profile:x", ""] {
        assert_eq!(local_path(other), None, "{other}");
    }
}

#[test]
fn what_is_written_into_a_file_names_no_files() {
    assert!(read(r#"{"content":"{\"path\":\".p/a.toml\"}"}"#).paths.is_empty());
}

/// Returns true if a tool only reads with these arguments.
fn only_reads(tool: &str, input: &str) -> bool {
    read_whole(tool, input).only_reads(tool)
}

#[test]
fn a_tool_only_reads_if_each_word_of_its_name_implies_it() {
    for tool in [
        "search_files",
        "mcp__files__readFile",
        "mcp__files__read_text_file_v2",
        "mcp__github__get_pull_request_comments",
        "mcp__serena__find_referencing_symbols",
        "MCP:directory_tree",
        "@files/list_directory",
        "files__read_file",
    ] {
        assert!(reads(tool), "{tool}");
    }
    for tool in [
        "exec_and_read",
        "find_and_overwrite",
        "find_and_rm",
        "get_or_reset",
        "get_shell_output",
        "mcp__files__findAndReplace",
        "search_and_replace",
        "sync_tree",
        "tree_sync",
        "view_then_wipe",
    ] {
        assert!(!reads(tool), "{tool}");
    }
}

/// Checks the reading tools in the agents' own tables.
#[test]
fn the_agents_own_tools_that_read_are_known() {
    for tool in [
        "Artifact",
        "Glob",
        "Grep",
        "LS",
        "NotebookRead",
        "Read",
        "ReadMediaFile",
        "SendUserFile",
        "ast_grep",
        "ast_read_file",
        "fs_read",
        "glob",
        "grep",
        "grep_search",
        "list",
        "list_code_definition_names",
        "list_directory",
        "list_files",
        "read",
        "read_code",
        "read_file",
        "read_files",
        "read_line_range",
        "read_many_files",
        "rg",
        "search_codebase",
        "search_file_content",
        "search_files",
        "view",
        "view_image",
    ] {
        assert!(reads(tool) || ["Artifact", "SendUserFile"].contains(&tool), "{tool}");
    }
}

#[test]
fn a_tool_with_arguments_beyond_the_place_to_read_may_write() {
    for input in [
        r#"{"path":"/p/a"}"#,
        r#"{"relative_path":"a","start_line":1,"maxResults":5,"include_body":true}"#,
        r#"{"path":"/p","pattern":"x","excludePatterns":["y"],"caseSensitive":false}"#,
        r#"{"owner":"o","repo":"r","issue_number":1}"#,
        r#"{"options":{"path":"/p","encoding":"utf-8"}}"#,
    ] {
        assert!(only_reads("get_file", input), "{input}");
    }
    for input in [
        r#"{"path":"/p/a","content":"x"}"#,
        r#"{"path":"/p/a","save_to":"/p/b"}"#,
        r#"{"path":"/p/a","output":"/p/b"}"#,
        r#"{"path":"/p/a","replacement":"x"}"#,
        r#"{"options":{"path":"/p","text":"x"}}"#,
        r#"{"path":"/p/a","lines":["x"],"new":["x"]}"#,
    ] {
        assert!(!only_reads("get_file", input), "{input}");
    }
}

#[test]
fn the_tool_that_another_calls_tells_and_no_argument_that_is_called_so() {
    assert!(only_reads("use_mcp_tool", r#"{"tool_name":"read_file","arguments":"{\"path\":\"a\"}"}"#));
    assert!(!only_reads("use_mcp_tool", r#"{"tool_name":"write_file","arguments":"{\"path\":\"a\"}"}"#));
    assert!(!only_reads("mcp__files__remove", r#"{"tool_name":"read_file","path":"a"}"#));
}

#[test]
fn a_languages_server_only_looks_if_it_is_asked_to() {
    assert!(only_reads("LSP", r#"{"operation":"goToDefinition","filePath":"a.rs"}"#));
    assert!(!only_reads("LSP", r#"{"operation":"rename","filePath":"a.rs","newName":"b"}"#));
    assert!(!only_reads("lsp_rename", r#"{"filePath":"a.rs","newName":"b"}"#));
}

/// The commands that a call may run.
fn commands(tool: &str, input: &str) -> Vec<String> {
    read_whole(tool, input).commands.into_iter().map(|command| command.text).collect()
}

#[test]
fn a_program_and_its_arguments_are_a_command() {
    for input in [
        r#"{"program":"rm","args":["-rf","a"]}"#,
        r#"{"executable":"rm","arguments":["-rf","a"]}"#,
        r#"{"file":"rm","argv":["-rf","a"]}"#,
        r#"{"name":"rm","args":"-rf a"}"#,
    ] {
        let found = commands("mcp__x__y", input);
        let has = |text: &str| found.iter().any(|command| command == text);
        assert!(has("rm '-rf' 'a'") || has("rm -rf a"), "{input}: {found:?}");
    }
    // A shell between would read what is in them.
    let found = commands("mcp__x__y", r#"{"command":["rm","-rf","~/a"]}"#);
    assert!(found.contains(&"rm -rf ~/a".to_owned()), "{found:?}");
}

#[test]
fn what_is_typed_into_a_terminal_is_a_command() {
    for (tool, input) in [
        ("mcp__x__send_to_terminal", r#"{"text":"rm a"}"#),
        ("mcp__tmux__send", r#"{"data":"rm a"}"#),
        ("mcp__x__send", r#"{"terminal_id":"1","text":"rm a"}"#),
        ("mcp__x__interact", r#"{"pid":1,"input":"rm a"}"#),
        ("mcp__x__send", r#"{"keystrokes":"rm a"}"#),
        ("mcp__x__send", r#"{"keys":["rm"," ","a"]}"#),
    ] {
        let found = commands(tool, input);
        assert!(found.contains(&"rm a".to_owned()), "{tool} {input}: {found:?}");
    }
    assert!(commands("mcp__notes__add", r#"{"text":"rm a"}"#).is_empty());
    assert_eq!(typed("rm a{enter}x<CR>").as_deref(), Some("rm a\nx\n"));
    assert_eq!(typed("rm a"), None);
}

#[test]
fn a_command_runs_in_the_folder_that_is_named_for_it_or_may_be() {
    let folders = |input: &str| read(input).folders("/p").join(" ");
    assert_eq!(folders(r#"{"command":"x"}"#), "/p");
    assert_eq!(folders(r#"{"command":"x","cwd":"~/a"}"#), "~/a");
    assert_eq!(folders(r#"{"command":"x","startIn":"a"}"#), "/p/a");
    assert_eq!(folders(r#"{"command":"x","path":"/a"}"#), "/p /a");
    assert_eq!(folders(r#"{"command":"x","directory":"/a"}"#), "/p /a");
}

/// Every call may be about this file.
fn all_may_name(path: &str, calls: &[(&str, &str)]) {
    for (tool, input) in calls {
        let found = read_whole(tool, input);
        let has = found.paths.iter().chain(&found.maybe_paths).any(|found| found == path);
        assert!(has, "not {path}: {tool} {input}: {found:?}");
    }
}

#[test]
fn a_name_in_another_argument_than_its_folder_is_below_that_folder() {
    all_may_name(
        "~/.c/a/b",
        &[
            ("x", r#"{"dir":"~/.c","name":"a/b"}"#),
            ("x", r#"{"dir":"~/.c","files":[{"name":"a/b"}]}"#),
            ("x", r#"{"root":"~/.c","entries":["x","a/b"]}"#),
            ("x", r#"{"options":{"directory":"~/.c"},"pattern":"a/b"}"#),
            ("x", r#"{"path":["~",".c","a","b"]}"#),
            ("x", r#"{"pattern":"~/.c/a/b"}"#),
            ("x", r#"{"base":"~/.c","files":{"a/b":"x"}}"#),
        ],
    );
    let many: Vec<String> = (0..100).map(|number| format!("f{number}")).chain(["a/b".into()]).collect();
    all_may_name("~/.c/a/b", &[("x", &format!(r#"{{"dir":"~/.c","names":{many:?}}}"#))]);
}

#[test]
fn a_patch_may_be_called_a_content() {
    let patch = r"*** Begin Patch\n*** Update File: .p/a.toml\n@@\n-a\n+b\n*** End Patch";
    all_may_name(
        ".p/a.toml",
        &[
            ("mcp__x__apply_patch", &format!(r#"{{"path":"/p","content":"{patch}"}}"#)),
            ("mcp__x__change", &format!(r#"{{"content":"{patch}"}}"#)),
        ],
    );
    let found = read_whole("mcp__x__write", &format!(r#"{{"path":"/p/x.patch","content":"{patch}"}}"#));
    assert!(!found.maybe_paths.iter().any(|path| path.ends_with("a.toml")), "{found:?}");
}

/// As an agent may really have it: a sheet, a long file, a deep document.
#[test]
fn large_calls_are_looked_at_whole() {
    let numbers = format!(r#"{{"path":"a.csv","rows":[{}1]}}"#, "1,".repeat(100_000));
    let long = format!(r#"{{"path":"a.txt","content":"{}"}}"#, "a/b c\\n".repeat(500_000));
    let cells = format!(r#"{{"path":"a.csv","cells":[{}"x"]}}"#, r#""x","#.repeat(20_000));
    let deep = format!("{}1{}", r#"{"a":"#.repeat(90), "}".repeat(90));
    let strings = format!(r#"{{"items":[{}"x"]}}"#, r#""x","#.repeat(100_000));
    let paths = format!(r#"{{"paths":[{}"x"]}}"#, r#""x","#.repeat(40_000));
    let below = format!(r#"{{"dir":"/a","names":[{}"x"]}}"#, r#""x","#.repeat(5_000));
    let picture = format!(r#"{{"data":"/9j/{}"}}"#, "4AAQSkZJRg//".repeat(10_000));
    for input in [&numbers, &long, &cells, &deep, &strings, &paths, &below, &picture] {
        assert!(!read_whole("x", input).is_cut, "{input:.60}");
    }
}

#[test]
fn a_path_that_is_long_by_what_leads_nowhere_is_the_short_one() {
    for padding in ["./", "/", "a/../", "b//../"] {
        let input = format!(r#"{{"path":"~/{}x"}}"#, padding.repeat(5_000));
        assert_eq!(read_whole("x", &input).paths, ["~/x"], "{padding}");
    }
    let from_root = format!(r#"{{"path":"/{}etc/x"}}"#, "../".repeat(5_000));
    assert_eq!(read_whole("x", &from_root).paths, ["/etc/x"]);
    let up = format!(r#"{{"path":"{}etc/x"}}"#, "../".repeat(5_000));
    assert!(matches!(read_whole("x", &up).paths.as_slice(), [path] if path.ends_with("../../etc/x")));
}

/// No system opens it, and each name would be put below it.
#[test]
fn a_folder_that_is_longer_than_a_path_has_nothing_in_it() {
    let input = format!(r#"{{"target":"{}","names":["a","b"]}}"#, "x".repeat(5_000));
    assert_eq!(read_whole("x", &input).maybe_paths, [""; 0]);
}

#[test]
fn arguments_beyond_the_bounds_are_reported_as_cut() {
    let below = format!(r#"{{"dir":"/a","names":[{}"x"]}}"#, r#""x","#.repeat(70_000));
    let deep_text = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let deep = format!(r#"{{"input":"{deep_text}"}}"#);
    let files = format!(r#"{{"diff":"{}"}}"#, r"*** Add File: x\n".repeat(70_000));
    for input in [&below, &deep, &files, &"{".to_owned()] {
        assert!(read_whole("x", input).is_cut, "{input:.60}");
    }
}
