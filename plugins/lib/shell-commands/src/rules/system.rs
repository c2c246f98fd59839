//! Shutdown of the machine, and acting as another user.

use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
};

const VERBS: &[&str] =
    &["poweroff", "reboot", "halt", "kexec", "soft-reboot", "suspend", "hibernate", "rescue", "emergency"];

/// Commands that may turn the machine off.
const SWITCHES: &[&str] =
    &["shutdown", "reboot", "halt", "poweroff", "init", "telinit", "systemctl", "loginctl"];

pub(super) fn power(call: &Call) -> Option<String> {
    if !call.is(SWITCHES) {
        return None;
    }
    let options =
        Options::parse(call.args(), Grammar { short: "HMpt", long: &["host", "machine"], anywhere: true });
    let first = options.operands.first().map(Arg::as_str);
    let hit = match call.name() {
        "shutdown" => !options.has_letter("c"),
        "reboot" | "halt" | "poweroff" => !options.has_long("--help"),
        "init" | "telinit" => matches!(first, Some("0" | "6")),
        "systemctl" | "loginctl" => match first {
            Some("start" | "isolate") => options.operands.iter().any(|unit| is_power_target(unit.as_str())),
            verb => verb.is_some_and(|verb| VERBS.contains(&verb)),
        },
        _ => false,
    };
    hit.then(|| "turns the machine off".to_owned())
}

/// `reboot.target` and its like.
fn is_power_target(unit: &str) -> bool {
    unit.strip_suffix(".target").is_some_and(|name| VERBS.contains(&name) || name == "shutdown")
}

pub(super) fn privilege(call: &Call) -> Option<String> {
    call.is(&["sudo", "doas", "su", "pkexec", "run0", "gosu", "su-exec"])
        .then(|| "acts as another user".to_owned())
}
