//! Exceptions in the user's configuration: command, folder, expiry date, first code.

use guard_shell::{Config, Policy, judge_in};

use crate::support::{all_with, policy, verdict_with};

fn error(config: &str) -> String {
    match serde_json::from_str::<Config>(config) {
        Ok(config) => Policy::new(&config).unwrap_err(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn an_allowed_command_is_not_reported() {
    let config = r#"{"allow": [{"command": "git push --force **"}]}"#;
    all_with(
        config,
        "none",
        &[
            "git push --force",
            "git push origin fix --force",
            "git -C sub push --force",
            "git push --force origin \"$BRANCH\"",
            "sudo git push --force",
        ],
    );
    all_with(config, "ask git-force-push", &["git push -f", "git push --force-with-lease"]);
    all_with(config, "ask git-discard", &["git push --force; git reset --hard"]);
}

#[test]
fn an_exception_is_the_whole_command() {
    let config = r#"{"deny": ["unknown-argument"], "allow": [{"command": "rm -rf build"}]}"#;
    all_with(
        config,
        "none",
        &["rm -rf build", "rm -fr build", "rm -r -f -- build", "rm -rf build 2>/dev/null"],
    );
    all_with(config, "deny rm-root", &["rm -rf build /", "rm -rf build ~", "rm -rf -- build /"]);
    all_with(config, "deny unknown-argument", &["rm -rf build $X", "rm -rf build \"$X\"", "rm -rf $X"]);
    let config =
        r#"{"allow": [{"command": "kubectl delete ns dev-*"}, {"command": "git push --force origin fix"}]}"#;
    all_with(
        config,
        "none",
        &["kubectl delete ns dev-a", "git push --force origin fix", "sudo git push origin --force fix"],
    );
    all_with(
        config,
        "ask kubernetes-delete",
        &[
            "kubectl delete ns dev-a --all",
            "kubectl delete ns dev-a prod",
            "kubectl --context prod delete ns dev-a",
            "kubectl delete ns dev-$X",
        ],
    );
    all_with(
        config,
        "ask git-force-push",
        &[
            "git push --force origin fix --mirror",
            "git -C /other push --force origin fix",
            "git push --force origin $X",
        ],
    );
    let config = r#"{"allow": [{"command": "curl https://x.example/install"}]}"#;
    all_with(config, "ask shell-start-file", &["curl https://x.example/install >> ~/.bashrc"]);
}

#[test]
fn an_exception_names_options_with_their_values() {
    let config =
        r#"{"rules": [{"command": "dep"}], "allow": [{"command": "dep --to=test* -v|--verbose !-n up"}]}"#;
    all_with(config, "none", &["dep up --to=test -v", "dep --verbose --to=test-eu up"]);
    all_with(
        config,
        "ask command-asked",
        &[
            "dep up --to=prod -v",
            "dep up --to=test",
            "dep up --to=test -vx",
            "dep up --to=test -v -n",
            "dep up -v --to=$X",
        ],
    );
}

#[test]
fn the_value_of_an_unknown_option_does_not_match_an_exception() {
    let config = r#"{"rules": [{"command": "make deploy"}], "allow": [{"command": "make -C deploy"}]}"#;
    all_with(config, "none", &["make -C deploy"]);
    all_with(config, "ask command-asked", &["make -C sub deploy"]);
}

#[test]
fn an_exception_can_say_that_nothing_follows() {
    let config = r#"{"deny": ["unknown-argument"], "allow": [{"command": "rm -rf build $"}]}"#;
    all_with(config, "none", &["rm -rf build", "rm -fr build"]);
    all_with(config, "deny unknown-argument", &["rm -rf build \"$X\"", "rm -r build $Y", "rm -rfv build $Y"]);
}

#[test]
fn an_exception_can_say_that_anything_follows() {
    let config = r#"{"deny": ["unknown-argument"], "allow": [{"command": "rm -rf build **"}]}"#;
    all_with(config, "none", &["rm -rf build \"$X\"", "rm -fr build $Y", "rm -rfv build", "rm -rf build /"]);
}

#[test]
fn an_exception_can_be_from_some_codes_only() {
    let config = r#"{"allow": [{"command": "git push **", "codes": ["git-remote-delete"]}]}"#;
    assert_eq!(verdict_with(config, "git push origin :old"), "none");
    assert_eq!(verdict_with(config, "git push -f"), "ask git-force-push");
}

#[test]
fn an_exception_can_hold_in_one_folder_only() {
    let at = |folder: &str, workspace: &str| {
        let config = format!(r#"{{"allow": [{{"command": "git reset --hard", "in": "{folder}"}}]}}"#);
        judge_in("git reset --hard", workspace, workspace, &policy(&config)).is_none()
    };
    assert!(at("/code/app", "/code/app"));
    assert!(at("/code/app/", "/code/app/sub"));
    assert!(at("~/code/app", "/home/ann/code/app"));
    assert!(!at("/code/app", "/code/apple"));
    assert!(!at("/code/app", "/code"));
    assert!(!at("~/code/app", "/srv/code/app"));
}

#[test]
fn the_folder_of_an_exception_is_where_the_agent_works_and_not_where_a_command_goes() {
    let policy = policy(r#"{"allow": [{"command": "git reset --hard", "in": "/code/app"}]}"#);
    for command in ["cd /code/app && git reset --hard", "git -C /code/app reset --hard"] {
        assert!(judge_in(command, "/code/other", "/code/other", &policy).is_some(), "{command}");
    }
}

#[test]
fn an_exception_ends_with_its_last_day() {
    let holds = |until: &str, now: u64| {
        let config = format!(r#"{{"allow": [{{"command": "git reset --hard", "until": "{until}"}}]}}"#);
        let policy = policy(&config).at(now);
        judge_in("git reset --hard", "/code/app", "/code/app", &policy).is_none()
    };
    let new_year_2027 = 1_798_761_600_000;
    assert!(holds("2026-12-31", new_year_2027 - 1));
    assert!(!holds("2026-12-31", new_year_2027));
    assert!(holds("2027-01-01", new_year_2027));
    assert!(holds("2028-02-29", new_year_2027));
    // Nobody knows what time it is.
    assert!(!holds("2027-01-01", 0));
}

#[test]
fn nothing_is_an_exception_from_what_protects_the_guard() {
    all_with(
        r#"{"allow": [{"command": "rm **"}, {"command": "hookbox **"}, {"command": "* **"}]}"#,
        "deny hook-config",
        &["rm -rf .hookbox", "hookbox uninstall"],
    );
    all_with(r#"{"allow": [{"command": "rm **"}]}"#, "deny agent-config", &["rm .claude/settings.json"]);
    for code in ["hook-config", "agent-config", "hookbox-install"] {
        let config = format!(r#"{{"allow": [{{"command": "rm", "codes": ["{code}"]}}]}}"#);
        assert_eq!(
            error(&config),
            format!("`allow`: nothing is an exception from `{code}`, which protects the guard itself")
        );
    }
}

#[test]
fn an_exception_that_cannot_hold_is_an_error() {
    assert_eq!(
        error(r#"{"allow": [{"command": " "}]}"#),
        "`allow`: a command is empty; write the words that it begins with"
    );
    assert_eq!(
        error(r#"{"allow": [{"command": "rm", "codes": ["rm-rot"]}]}"#),
        "`allow`: unknown code `rm-rot`"
    );
    for day in ["2026-02-29", "2026-13-01", "31.12.2026", "tomorrow", "2026-1-1", "1969-12-31"] {
        assert_eq!(
            error(&format!(r#"{{"allow": [{{"command": "rm", "until": "{day}"}}]}}"#)),
            format!("`allow`: `until` is a day like `2026-12-31`, not `{day}`")
        );
    }
    for folder in ["code/app", "./app", "/code/../app"] {
        assert_eq!(
            error(&format!(r#"{{"allow": [{{"command": "rm", "in": "{folder}"}}]}}"#)),
            "`allow`: `in` is a whole path, such as `/srv/app` or `~/code/app`, without `..`"
        );
    }
    assert!(error(r#"{"allow": [{"command": "rm", "where": "/"}]}"#).contains("unknown field `where`"));
    assert!(error(r#"{"allow": [{"in": "/"}]}"#).contains("missing field `command`"));
    let long = format!(r#"{{"allow": [{{"command": "{}"}}]}}"#, "a ".repeat(33));
    assert_eq!(error(&long), "`allow`: a command is at most 1024 bytes and 32 words");
}
