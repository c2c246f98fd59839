//! Files that run by themselves later: a file tool is judged as guard-shell judges a command that writes them.

use guard_paths::Access;

use crate::{all, format_decision, judge, policy, verdict};

#[test]
fn a_tool_that_writes_what_runs_by_itself_later_is_asked_about() {
    for (expected, paths) in [
        (
            "ask shell-start-file",
            &[
                "/home/me/.profile",
                "~/.zshenv",
                "../.bashrc",
                "/root/.config/environment.d/x.conf",
                "/etc/profile.d/x.sh",
            ][..],
        ),
        ("ask start-service", &["/home/me/.config/autostart/x.desktop", "~/.config/systemd/user/x.service"]),
        ("ask schedule", &["/etc/cron.d/x"]),
        ("ask interpreter-start-file", &["/usr/lib/python3/dist-packages/x.pth"]),
        ("deny root-rules", &["/etc/sudoers", "/etc/pam.d/sshd"]),
    ] {
        all("{}", Access::Write, expected, paths);
        all("{}", Access::Read, "none", paths);
    }
    all("{}", Access::Write, "none", &[".profile", "src/.bashrc", "/home/me/.profile.md", "/tmp/.zshenv"]);
}

#[test]
fn the_settings_that_lift_the_other_protections_lift_this_one() {
    assert_eq!(verdict(r#"{"allow":["**/.profile"]}"#, Access::Write, "~/.profile"), "none");
    assert_eq!(verdict(r#"{"defaults":false}"#, Access::Write, "~/.profile"), "none");
}

#[test]
fn a_startup_file_is_reported_with_its_effect_and_how_the_user_can_allow_it() {
    let decision = judge("~/.profile", crate::CWD, Access::Write, &policy("{}")).unwrap();
    assert_eq!(
        decision.format_message(),
        "a tool that writes `~/.profile` changes what every new shell or login runs. Instead: set it for this command only \
         (`NAME=value command`), or tell the person which line to add. The user can allow it: this once with `hookbox allow --once`, \
         always with `allow = [\"**/.profile\"]` under `[hook.config]` of this hook in hooks.toml"
    );
    assert_eq!(format_decision(Some(decision)), "ask shell-start-file");
}

#[test]
fn the_agents_settings_of_a_project_that_switch_hooks_off_are_not_written() {
    all(
        "{}",
        Access::Write,
        "deny agent-config",
        &[".github/copilot/settings.json", ".github/copilot/settings.local.json"],
    );
}
