//! The user's lists.

use guard_paths::{
    Access::{Read, Write},
    Config, Policy,
};

use crate::all;

fn error(config: &str) -> String {
    match serde_json::from_str::<Config>(config) {
        Ok(config) => Policy::new(&config).unwrap_err(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn denied_patterns_hold_for_reading_and_writing() {
    let config = r#"{"deny": ["**/secrets/**", "/etc/app/*.conf", "~/notes/", "*.sqlite", "vault"]}"#;
    for access in [Read, Write] {
        all(
            config,
            access,
            "deny path-denied",
            &[
                "/p/secrets/a",
                "/p/secrets/a/b",
                "/p/secrets",
                "secrets/x",
                "/p/SECRETS/a",
                "/etc/app/x.conf",
                "/home/me/notes/a",
                "/root/notes/a/b",
                "/Users/me/notes/a",
                "~/notes/a",
                "/p/data.sqlite",
                "data.SQLITE",
                "/p/vault",
            ],
        );
        all(
            config,
            access,
            "none",
            &["/p/secret/a", "/etc/app/sub/x.conf", "/p/notes/a", "/p/sqlite", "/p/vaults", "/p/vault/a"],
        );
    }
}

#[test]
fn a_pattern_of_a_shell_that_may_lead_to_a_denied_file_is_denied() {
    let config = r#"{"deny": ["/p/**/token.txt"]}"#;
    let command = |reads: &str| crate::verdict_of_command(config, &format!("cat {reads}"));
    for reads in ["/p/tok?n.txt", "/p/a/tok?n.txt", "/p/a/*/tok?n.txt"] {
        assert_eq!(command(reads), "deny path-denied", "{reads}");
    }
    for reads in ["/q/tok?n.txt", "/p/tok?n.md"] {
        assert_eq!(command(reads), "none", "{reads}");
    }
}

#[test]
fn write_patterns_let_reading_pass() {
    let config = r#"{"deny-write": ["**/migrations/*.sql", "Cargo.lock"]}"#;
    all(config, Write, "deny path-denied", &["/p/db/migrations/1.sql", "Cargo.lock"]);
    all(config, Read, "none", &["/p/db/migrations/1.sql", "Cargo.lock"]);
}

#[test]
fn asked_patterns_ask_and_weigh_less_than_a_deny() {
    let config = r#"{"ask": ["**/infra/**", "**/.env"], "deny": ["**/infra/prod/**"]}"#;
    all(config, Read, "ask path-asked", &["/p/infra/dev/x"]);
    all(config, Read, "deny path-denied", &["/p/infra/prod/x"]);
    all(config, Read, "deny secret-file", &["/p/.env"]);
}

#[test]
fn allowed_patterns_lift_the_built_in_list_only() {
    let config = r#"{"allow": ["**/.env.test", "**/fixtures/*.{pem,key}", "~/.ssh/config"], "deny": ["**/x/.env.test"]}"#;
    all(
        config,
        Read,
        "none",
        &["/p/.env.test", "/p/fixtures/a.pem", "/p/fixtures/b.key", "/home/me/.ssh/config"],
    );
    all(config, Read, "deny secret-file", &["/p/.env", "/p/.env.testing"]);
    all(config, Read, "deny path-denied", &["/p/x/.env.test"]);
    all(config, Read, "deny private-key", &["/p/fixtures/sub/a.pem"]);
    all(config, Read, "deny credentials", &["/home/me/.ssh/known_hosts"]);
    all(r#"{"allow": ["**/.env"], "ask": ["**/.env"]}"#, Read, "ask path-asked", &["/p/.env"]);
}

#[test]
fn the_built_in_list_can_be_switched_off() {
    all(r#"{"defaults": false}"#, Write, "none", &["/p/.env", "/home/me/.ssh/id_rsa", "/p/.git/config"]);
    all(r#"{"defaults": false, "deny": ["**/.env"]}"#, Write, "deny path-denied", &["/p/.env"]);
}

#[test]
fn sets_braces_and_single_characters_match() {
    let config = r#"{"deny": ["/p/[ab]?.{txt,md}", "/q/[!x]"]}"#;
    all(config, Read, "deny path-denied", &["/p/a1.txt", "/p/b2.md", "/q/y"]);
    all(config, Read, "none", &["/p/c1.txt", "/p/a.txt", "/p/a12.txt", "/q/x"]);
}

#[test]
fn patterns_that_can_not_mean_what_they_say_are_errors() {
    let cases = [
        (r#"{"deny": [""]}"#, "`deny`: the pattern `` is empty"),
        (r#"{"ask": ["!x"]}"#, "`ask`: the pattern `!x` begins with `!`; write the exception into `allow`"),
        (
            r#"{"deny": ["a/../b"]}"#,
            "`deny`: the pattern `a/../b` contains `..`, and no normalised path does",
        ),
        (r#"{"deny-write": ["[ab"]}"#, "`deny-write`: the pattern `[ab` does not close a `[`"),
        (r#"{"deny": ["{a,b"]}"#, "`deny`: the pattern `{a,b` does not close a `{`"),
        (r#"{"deny": ["a}"]}"#, "`deny`: the pattern `a}` closes a brace that is not open"),
        (
            r#"{"deny": ["a\\b"]}"#,
            "`deny`: the pattern `a\\b` contains a backslash; components are separated by `/`",
        ),
    ];
    for (config, expected) in cases {
        assert_eq!(error(config), expected);
    }
    assert!(
        error(&format!(r#"{{"deny": ["{}"]}}"#, "a".repeat(1025))).ends_with("is longer than 1024 bytes")
    );
}

#[test]
fn unknown_keys_are_errors_that_list_the_known_ones() {
    let message = error(r#"{"denyy": []}"#);
    assert!(
        message.contains("expected one of `deny`, `deny-write`, `ask`, `allow`, `defaults`"),
        "{message}"
    );
    assert!(error(r#"{"deny_write": []}"#).contains("unknown field"));
    assert!(error(r#"{"defaults": "no"}"#).contains("expected a boolean"));
}

#[test]
fn hostile_patterns_and_paths_are_answered() {
    let config = format!(r#"{{"deny": ["{}", "**/**/**/**/**/x", "{{x,{{y,z}}}}"]}}"#, "*a".repeat(60));
    let long = format!("/{}", "a/".repeat(3000));
    all(
        &config,
        Read,
        "none",
        &[&long, &format!("{}b", "a".repeat(5000)), "\u{0}", "🦀/é", "//////", "../../../../.."],
    );
}
