//! Other ways to write the same path.

use guard_paths::{
    Access::{Read, Write},
    judge,
};

use crate::{CWD, all, policy};

#[test]
fn case_does_not_matter() {
    all("{}", Read, "deny secret-file", &["/p/.ENV", "/p/.Env.Local"]);
    all("{}", Write, "deny hook-config", &["/p/.GIT/Hooks/pre-commit", "/p/.git/CONFIG"]);
    all("{}", Write, "deny agent-config", &["/p/.CLAUDE/SETTINGS.JSON"]);
    all("{}", Read, "deny credentials", &["/Users/Me/.\u{17F}sh/config", "/Users/me/.\u{212A}ube/config"]);
}

#[test]
fn detours_do_not_matter() {
    all(
        "{}",
        Read,
        "deny secret-file",
        &[
            "/p//.env",
            "/p/./.env",
            "/p/x/../.env",
            "/../../p/.env",
            "/p/.env/",
            "x/../../../me/project/.env",
            "file:///p/.env",
            "C:\\p\\.env",
            "sub\\.env",
            "/p/.env::$DATA",
            "/p/.env:stream",
            "/p/.env ",
            "/p/.env.",
            "/p/.e\u{200C}nv",
        ],
    );
    // These are what they are at that place alone.
    all("{}", Read, "deny credentials", &["file:///etc/shadow", "C:\\Users\\me\\.npmrc"]);
    all(
        "{}",
        Write,
        "deny hook-config",
        &["/p/.g\u{200D}it/config", "/p/.git /hooks/x", ".git/./hooks/../config"],
    );
}

#[test]
fn the_text_names_the_file_without_control_characters() {
    let text = |path: &str| judge(path, CWD, Read, &policy("{}")).unwrap().text;
    assert_eq!(text("/p/.env"), "`/p/.env` is a file with secrets and is not read by tools");
    assert_eq!(
        text("/p/\u{1b}[2J\u{202e}/.env"),
        "`/p/\\u{1b}[2J\\u{202e}/.env` is a file with secrets and is not read by tools"
    );
    assert!(text(&format!("/{}/.env", "a".repeat(9000))).chars().count() < 300);
    // A pattern for `allow` that nobody could read is not offered.
    let always = |name: &str| judge(&format!("/p/{name}.pem"), CWD, Read, &policy("{}")).unwrap().always;
    assert_eq!(always("a").as_deref(), Some("with `allow = [\"**/a.pem\"]`"));
    assert_eq!(always(&"a".repeat(100)), None);
    let write = judge("/p/.git/config", CWD, Write, &policy("{}")).unwrap().text;
    assert_eq!(write, "`/p/.git/config` is configuration of hooks and is not written by tools");
}
