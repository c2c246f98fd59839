//! Services of the machine.

use super::Rule;

const fn service_stop(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "service-stop",
        shapes,
        "stops a service of the machine, or keeps it from starting",
        "look first (`systemctl status NAME`), and tell the person which service is in the way",
    )
}

pub(super) const SYSTEMCTL: &[Rule] = &[service_stop(&[
    "stop|disable|mask|kill|revert|daemon-reexec|exit|switch-root|clean !--help|-h",
    "isolate|default !--help|-h",
])];
pub(super) const SERVICE: &[Rule] = &[service_stop(&[
    "* stop|force-stop|--full-restart|zap",
    "stop|down|exit|force-stop|force-shutdown|shutdown|kill *",
])];
pub(super) const RUN_LEVELS: &[Rule] =
    &[service_stop(&["* remove|disable|off|reset|del", "remove|disable|del|delete *", "--del"])];
pub(super) const LAUNCHCTL: &[Rule] =
    &[service_stop(&["unload|bootout|disable|remove|stop|kill|reboot|unsetenv"])];
