//! Messages for the agent and the user.

use crate::support::{CWD, policy};
use guard_shell::{Severity, codes, judge};

fn read_message(command: &str) -> String {
    judge(command, CWD, &policy("{}")).unwrap().format_message()
}

#[test]
fn a_denied_command_is_reported_with_an_alternative_and_how_the_user_can_allow_it() {
    assert_eq!(
        read_message("sudo git -C sub push origin :old"),
        "`git -C sub push origin :old` deletes branches or tags on the remote (seen through: sudo). \
         Instead: leave them, or tell the person which are merged: `git branch -r --merged`. The user can allow it: \
         this once with `hookbox allow --once`, always with `off = [\"git-remote-delete\"]` under `[hook.config]` of this hook in hooks.toml"
    );
    assert_eq!(
        read_message("reboot"),
        "`reboot` turns the machine off. Instead: tell the person that a restart is needed. The user can allow it: this once with \
         `hookbox allow --once`, always with `off = [\"system-power\"]` under `[hook.config]` of this hook in hooks.toml"
    );
}

#[test]
fn what_protects_the_guard_offers_no_way_around_it() {
    assert_eq!(
        read_message("hookbox uninstall codex"),
        "`hookbox uninstall codex` takes hookbox out of an agent's settings. Instead: tell the person what should change, and why. \
         Only the user may do this, in a terminal or an editor"
    );
}

#[test]
fn every_built_in_code_has_an_alternative() {
    let silent: Vec<&str> = codes().filter(|code| code.instead.is_empty()).map(|code| code.name).collect();
    assert_eq!(silent, ["command-denied", "command-asked"]);
}

#[test]
fn a_code_means_one_severity_and_one_pack() {
    for code in codes() {
        for other in codes().filter(|other| other.name == code.name) {
            assert_eq!(code.severity, other.severity, "{}", code.name);
            assert_eq!(code.pack(), other.pack(), "{}", code.name);
        }
    }
}

#[test]
fn a_pack_that_only_asks_denies_nothing() {
    let policy = policy(r#"{"packs": {"git": "ask"}}"#);
    for command in ["gh repo delete o/r", "git push -f origin main", "git branch -D main"] {
        let decision = judge(command, CWD, &policy).unwrap();
        assert_eq!(decision.severity, Severity::Ask, "{command}");
    }
}
