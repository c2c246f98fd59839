//! Protections of the machine.

use super::Rule;

pub(super) const fn protection_off(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "protection-off",
        shapes,
        "switches a protection of the machine off",
        "tell the person what it keeps from working",
    )
}

pub(super) const SETENFORCE: &[Rule] = &[protection_off(&["0|permissive|Permissive"])];
pub(super) const PROTECTION: &[Rule] = &[protection_off(&["!-h|--help"])];
pub(super) const APPARMOR: &[Rule] = &[protection_off(&["-R|--remove|-C|--Complain"])];
pub(super) const MAC_PROTECTION: &[Rule] = &[protection_off(&[
    "disable|clear|reset|authenticated-root|netboot",
    "--master-disable|--global-disable|--disable|--add|--remove|--reset-default",
])];
pub(super) const AUDITCTL: &[Rule] = &[protection_off(&["-D", "-e=0", "-d"])];
pub(super) const CHATTR: &[Rule] = &[protection_off(&["-i|-a"])];
