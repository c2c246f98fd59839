//! The user's rules, in the language of the packs.

use guard_shell::{Config, Policy, judge};

use crate::support::{CWD, all_with, policy};

fn read_message(config: &str, command: &str) -> String {
    judge(command, CWD, &policy(config)).unwrap().format_message()
}

fn error(config: &str) -> String {
    match serde_json::from_str::<Config>(config) {
        Ok(config) => Policy::new(&config).unwrap_err(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_rule_asks_unless_it_denies() {
    all_with(r#"{"rules": [{"command": "prod-deploy"}]}"#, "ask command-asked", &["prod-deploy --now"]);
    all_with(
        r#"{"rules": [{"command": "prod-deploy", "severity": "deny"}]}"#,
        "deny command-denied",
        &["prod-deploy --now", "sudo sh -c prod-deploy"],
    );
    assert!(
        error(r#"{"rules": [{"command": "x", "severity": "off"}]}"#)
            .starts_with("unknown severity `off`, expected `deny` or `ask`")
    );
}

#[test]
fn options_do_not_hide_the_words_of_a_rule() {
    let config =
        r#"{"rules": [{"command": "make deploy"}, {"command": "cargo run"}, {"command": "npm version"}]}"#;
    all_with(
        config,
        "ask command-asked",
        &[
            "make -B deploy",
            "make --silent deploy fast",
            "cargo --config x=1 run",
            "npm --prefix pkg version",
        ],
    );
    all_with(config, "none", &["make", "make test deploy", "cargo test run", "npm view version"]);
}

#[test]
fn the_value_of_an_unknown_option_hides_no_command() {
    let config = r#"{"rules": [{"command": "make deploy"}, {"command": "just $"}]}"#;
    all_with(
        config,
        "ask command-asked",
        &[
            "make -C sub deploy",
            "make -f x.mk -C sub deploy",
            "make -j 4 -- deploy",
            "just -f other",
            "MAKEFLAGS=-k make deploy",
        ],
    );
    all_with(
        config,
        "none",
        &["make -C sub", "make -C sub test deploy", "make -C deploy/sub test", "just test"],
    );
}

#[test]
fn every_word_of_the_language_has_its_documented_meaning() {
    let ask = |command: &str, commands: &[&str]| {
        all_with(&format!(r#"{{"rules": [{{"command": "{command}"}}]}}"#), "ask command-asked", commands);
    };
    let pass = |command: &str, commands: &[&str]| {
        all_with(&format!(r#"{{"rules": [{{"command": "{command}"}}]}}"#), "none", commands);
    };
    ask("dep up|down", &["dep up", "dep down now"]);
    pass("dep up|down", &["dep", "dep left", "dep now up"]);
    ask("dep|deploy up", &["dep up", "deploy up"]);
    ask("dep prod-*", &["dep prod-eu"]);
    pass("dep prod-*", &["dep test-eu"]);
    ask("dep prod-\\\\*", &["dep 'prod-*'"]);
    pass("dep prod-\\\\*", &["dep prod-eu", "dep prod-*"]);
    ask("dep up[date]", &["dep up", "dep upd now", "dep update"]);
    pass("dep up[date]", &["dep u", "dep updates"]);
    ask("dep <here>", &["dep localhost", "dep http://127.0.0.1:80/x", "dep localhost:5000/image"]);
    pass(
        "dep <here>",
        &["dep localhost.example", "dep http://localhost@example.com", "dep example.com/localhost"],
    );
    ask("dep --to=0", &["dep --to=0", "dep --to=00", "dep --to=+0"]);
    pass("dep --to=0", &["dep --to=10", "dep --to=", "dep --to=-"]);
    ask("dep * up", &["dep eu up"]);
    pass("dep * up", &["dep up", "dep eu west up"]);
    ask("dep ** up", &["dep up", "dep eu west up"]);
    pass("dep ** up", &["dep", "dep eu"]);
    ask("dep up $", &["dep up", "dep up --now"]);
    pass("dep up $", &["dep up eu"]);
    ask("dep !test*", &["dep prod"]);
    pass("dep !test*", &["dep", "dep test-eu"]);
    ask("dep -- *", &["dep -- a", "dep -f -- a b"]);
    pass("dep -- *", &["dep a", "dep --", "dep a -- b"]);
    ask("dep -f|--force", &["dep -f", "dep up --force", "dep -xf up", "dep --force=yes"]);
    pass("dep -f|--force", &["dep", "dep -x", "dep --forced", "dep -- -f"]);
    ask("dep -xf", &["dep -xf", "dep -fx up", "dep -f up -x"]);
    pass("dep -xf", &["dep -x", "dep -f"]);
    ask("dep --to=prod*", &["dep --to=prod", "dep up --to=prod-eu"]);
    pass("dep --to=prod*", &["dep --to=test", "dep --to", "dep prod"]);
    ask("dep up !-n|--dry-run", &["dep up", "dep up -f"]);
    pass("dep up !-n|--dry-run", &["dep up -n", "dep --dry-run up", "dep up -fn"]);
}

#[test]
fn a_rule_gives_its_own_reason_and_alternative() {
    let config =
        r#"{"rules": [{"command": "prod-deploy", "why": "reaches customers", "instead": "`make staging`"}]}"#;
    assert_eq!(
        read_message(config, "prod-deploy --now"),
        "`prod-deploy --now` reaches customers. Instead: `make staging`. The user can allow it: \
         this once with `hookbox allow --once`, always with `off = [\"command-asked\"]` under `[hook.config]` of this hook in hooks.toml"
    );
    assert!(
        read_message(r#"{"rules": [{"command": "a b"}]}"#, "a b c")
            .starts_with("`a b c` is on the configured list as `a b`. The user can allow it")
    );
}

#[test]
fn a_rule_s_words_show_no_control_characters() {
    let config = r#"{"rules": [{"command": "x", "why": "is \u001b[31mred\u202e"}]}"#;
    let message = read_message(config, "x");
    assert!(message.starts_with(r"`x` is \u{1b}[31mred\u{202e}. "), "{message}");
}

#[test]
fn a_configured_rule_is_reported_before_a_pack_rule_of_the_same_severity() {
    let config = r#"{"rules": [{"command": "git push --force", "why": "is not how we work"}]}"#;
    assert!(read_message(config, "git push --force").starts_with("`git push --force` is not how we work"));
    all_with(config, "deny git-force-push", &["git push --force origin main"]);
}

#[test]
fn an_empty_rule_is_an_error() {
    assert!(error(r#"{"rules": [{"command": ""}]}"#).starts_with("`rules`: a command is empty"));
    assert!(error(r#"{"rules": [{"command": "x", "because": "y"}]}"#).contains("unknown field `because`"));
    assert!(error(r#"{"rules": [{"why": "y"}]}"#).contains("missing field `command`"));
}
