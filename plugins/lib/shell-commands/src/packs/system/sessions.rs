//! Sessions of users.

use super::Rule;

const fn session_end(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "session-end",
        shapes,
        "ends somebody's session or all programs of a user",
        "end the one process that is meant, by its number",
    )
}

pub(super) const LOGINCTL: &[Rule] = &[session_end(&[
    "terminate-user|terminate-session|terminate-seat|kill-user|kill-session|lock-sessions|flush-devices",
])];
pub(super) const SESSION: &[Rule] = &[session_end(&[
    "-u|-U|--euid|--uid|--user $",
    "** loginwindow|WindowServer|Finder|Dock|SystemUIServer|gnome-shell|gnome-session*|plasmashell|kwin*|Xorg|X|\
     systemd|systemd-logind|dbus-daemon|sshd|init|launchd|explorer.exe|bash|zsh|fish",
])];
pub(super) const QUIT: &[Rule] = &[session_end(&[""])];
