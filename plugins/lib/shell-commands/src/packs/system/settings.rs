//! Settings of the whole machine, and whom it trusts.

use super::Rule;

pub(super) const fn machine_settings(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "machine-settings",
        shapes,
        "changes a setting of the whole machine",
        "set it for this command only, for example `TZ=UTC command`, or tell the person what should change",
    )
}

pub(super) const CONTROLS: &[Rule] =
    &[machine_settings(&["set-*|hostname|icon-name|chassis|deployment|location *", "revert"])];
pub(super) const HOSTNAME: &[Rule] = &[machine_settings(&["*", "-F|--file|-b|--boot"])];
pub(super) const HWCLOCK: &[Rule] =
    &[machine_settings(&["-w|--systohc|-s|--hctosys|--set|--adjust|-a|--systz|--param-set"])];
pub(super) const DATE: &[Rule] = &[machine_settings(&["-s|--set", "0*|1* !-d|--date|-r|--reference|-j|-f"])];
pub(super) const MAC_SETTINGS: &[Rule] = &[machine_settings(&[
    "--set|--prefs",
    "-setremotelogin|-setdate|-settime|-settimezone|-setcomputername|-setnetworktimeserver|-setusingnetworktime",
])];

pub(super) const fn trust_change(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "trust-change",
        shapes,
        "changes whose certificates the machine trusts",
        "give the certificate to the one command that needs it, for example `curl --cacert FILE`",
    )
}

pub(super) const CERTIFICATES: &[Rule] =
    &[trust_change(&["$ !-h|--help", "extract|enable|disable", "anchor"])];
pub(super) const KEYCHAIN: &[Rule] = &[trust_change(&[
    "add-trusted-cert|remove-trusted-cert|delete-certificate|trust-settings-import|authorizationdb",
])];
