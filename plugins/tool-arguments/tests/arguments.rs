//! What arguments of tools may mean.

use tool_arguments::{local_path, only_reads, read};

/// Every call of a table names this file; all that do not are told at once.
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
        r#"{"content":"*** Update File: .p/a.toml"}"#,
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

#[test]
fn a_tool_that_replaces_what_it_finds_does_not_only_read() {
    assert!(only_reads("search_files") && only_reads("mcp__files__readFile"));
    assert!(!only_reads("search_and_replace") && !only_reads("mcp__files__findAndReplace"));
}
