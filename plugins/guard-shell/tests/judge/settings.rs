//! The configuration.

use guard_shell::{Config, Policy, Severity, codes, judge};

use crate::support::{all_with, policy};

fn error(config: &str) -> String {
    match serde_json::from_str::<Config>(config) {
        Ok(config) => Policy::new(&config).unwrap_err(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_code_can_be_moved_to_another_list() {
    all_with(r#"{"ask": ["rm-root"]}"#, "ask rm-root", &["rm -rf /"]);
    all_with(r#"{"off": ["rm-root"]}"#, "none", &["rm -rf /"]);
    all_with(r#"{"deny": ["git-force-push"]}"#, "deny git-force-push", &["git push -f"]);
    all_with(r#"{"off": ["unparsable", "unknown-command"]}"#, "none", &["echo '", "$CMD"]);
    all_with(r#"{"off": ["rm-root"]}"#, "deny system-power", &["rm -rf / && reboot"]);
}

#[test]
fn own_commands_match_by_their_first_words() {
    let config = r#"{"commands": {"deny": ["terraform destroy", "prod-deploy"], "ask": ["npm publish"]}}"#;
    all_with(
        config,
        "deny command-denied",
        &[
            "terraform destroy",
            "terraform destroy -auto-approve",
            "cd infra && sudo terraform 'destroy'",
            "/usr/bin/terraform destroy",
            "prod-deploy --now",
            "x=destroy; terraform $x",
        ],
    );
    all_with(config, "ask command-asked", &["npm publish", "npm publish --tag next", "sh -c 'npm publish'"]);
    all_with(
        config,
        "none",
        &["terraform plan", "terraform", "npm test", "echo terraform destroy", "npm run publish"],
    );
}

#[test]
fn the_strongest_finding_wins() {
    all_with("{}", "deny rm-root", &["git push -f; rm -rf /", "rm -rf /; git push -f", "$CMD; rm -rf /"]);
    all_with("{}", "ask git-discard", &["git reset --hard && ls"]);
}

#[test]
fn unknown_codes_and_keys_are_errors_that_list_the_known_ones() {
    let unknown = error(r#"{"deny": ["rm-rot"]}"#);
    assert!(unknown.starts_with("unknown code `rm-rot`; the codes are rm-root, disk-write"), "{unknown}");
    assert!(error(r#"{"denny": []}"#).contains("expected one of `deny`, `ask`, `off`, `packs`, `commands`"));
    assert!(error(r#"{"commands": {"allow": []}}"#).contains("expected `deny` or `ask`"));
    assert!(error(r#"{"deny": "rm-root"}"#).contains("expected a sequence"));
    assert_eq!(
        error(r#"{"deny": ["rm-root"], "off": ["rm-root"]}"#),
        "the code `rm-root` is in more than one of deny, ask and off"
    );
    assert!(error(r#"{"commands": {"deny": [" "]}}"#).contains("is empty"));
}

#[test]
fn codes_are_stable_words() {
    let word = |code: &str| code.len() <= 64 && code.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    assert!(codes().all(|code| word(code.name)));
    assert_eq!(policy("{}").severity("rm-root"), Severity::Deny);
    assert_eq!(policy("{}").severity("privilege"), Severity::Off);
}

#[test]
fn the_readme_or_the_page_of_a_pack_lists_every_code_with_its_default() {
    let readme = include_str!("../../README.md");
    let pages = [
        readme,
        include_str!("../../packs/git.md"),
        include_str!("../../packs/cloud.md"),
        include_str!("../../packs/database.md"),
        include_str!("../../packs/container.md"),
        include_str!("../../packs/publish.md"),
        include_str!("../../packs/packages.md"),
        include_str!("../../packs/persistence.md"),
        include_str!("../../packs/system.md"),
        include_str!("../../packs/secrets.md"),
        include_str!("../../packs/network.md"),
    ];
    let mut missing = Vec::new();
    for code in codes() {
        let row = format!("| `{}` | {} |", code.name, format!("{:?}", code.severity).to_lowercase());
        if !pages.iter().any(|page| page.contains(&row)) {
            missing.push(row);
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn a_command_is_judged_with_a_relative_or_missing_working_folder() {
    for cwd in ["", "relative", "/", "/code/project/"] {
        assert!(judge("rm -rf /", cwd, &policy("{}")).is_some());
        assert!(judge("rm -rf target", cwd, &policy("{}")).is_none(), "{cwd}");
    }
}
