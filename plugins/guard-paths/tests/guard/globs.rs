//! Patterns that a tool which reads or searches is given.

use guard_paths::GuardPaths;
use hookbox_sdk::{Event, Hook, ToolCall, ToolClass, Verdict, testing};

use crate::CWD;

fn verdict(config: &str, class: ToolClass, path: &str) -> String {
    testing::set_config(config);
    let tool = ToolCall { class, paths: vec![CWD.into(), path.into()], ..ToolCall::default() };
    let event = Event { name: "tool.before".into(), cwd: CWD.into(), tool: Some(tool), ..Event::default() };
    match GuardPaths::handle(event).unwrap().verdict {
        Verdict::None => "none".into(),
        Verdict::Allow(reason) => format!("allow {}", reason.code),
        Verdict::Ask(reason) => format!("ask {}", reason.code),
        Verdict::Deny(reason) => format!("deny {}", reason.code),
    }
}

fn all(config: &str, expected: &str, paths: &[&str]) {
    for class in [ToolClass::Search, ToolClass::FileRead] {
        let verdicts = paths.iter().map(|path| (verdict(config, class, path), path));
        let wrong: Vec<String> = verdicts
            .filter(|(verdict, _)| verdict != expected)
            .map(|(verdict, path)| format!("{verdict}: {path}"))
            .collect();
        assert!(wrong.is_empty(), "not `{expected}`:\n{}", wrong.join("\n"));
    }
}

#[test]
fn a_pattern_that_is_made_for_a_secret_reads_it() {
    all(
        "{}",
        "deny secret-file",
        &[
            "/p/{.env,x}",
            "/p/{x,{y,.env}}",
            "/p/{.en{w,x},.}env",
            "/p/.{env,x}",
            "/p/**/.env",
            "/p/**/.env*",
            "/p/.en?",
            "/p/.e*",
            "/p/*.env",
            "/p/*env",
            "/p/**/*.{ts,env}",
            "/p/?env",
            "/p/[.]env",
            "/p/.[e]nv",
            "/p/*.ts,.env",
            "/p/*.ts .env",
            "/p/.*",
        ],
    );
    all("{}", "deny private-key", &["/p/*.pem", "/p/**/*.{crt,key}", "/p/id_rs?"]);
    all("{}", "deny credentials", &["/home/me/.ss?/config", "/home/me/{.aws,x}/credentials"]);
}

#[test]
fn a_pattern_for_other_files_reads_no_secret() {
    all(
        "{}",
        "none",
        &[
            "/p/*",
            "/p/**",
            "/p/**/*",
            "/p/*.*",
            "/p/**/*.rs",
            "/p/*.{ts,tsx}",
            "/p/**/*.json",
            "/p/src/[id].tsx",
            "/p/a, b.txt",
            "/p/!**/.env",
            "/p/!.env",
            "/p/.env.{example,sample}",
            "/p/{",
        ],
    );
}

#[test]
fn lists_of_ones_own_hold_for_patterns() {
    let config = r#"{"deny": ["**/vault/**"], "ask": ["*.sql"]}"#;
    all(config, "deny path-denied", &["/p/{vault,x}/a", "/p/vau?t/a"]);
    all(config, "ask path-asked", &["/p/db/{1.sql,x}"]);
}

#[test]
fn a_pattern_for_too_many_names_is_asked_about() {
    all("{}", "ask too-many-files", &[&format!("/p/{}", "{a,b}".repeat(12))]);
}
