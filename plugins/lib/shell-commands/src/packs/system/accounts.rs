//! Users, groups and passwords.

use super::Rule;

pub(super) const ACCOUNT_TOOLS: &[&str] = &[
    "useradd",
    "adduser",
    "userdel",
    "deluser",
    "usermod",
    "groupadd",
    "addgroup",
    "groupdel",
    "delgroup",
    "groupmod",
    "gpasswd",
    "chpasswd",
    "chgpasswd",
    "chsh",
    "chfn",
    "newusers",
    "vipw",
    "vigr",
    "dseditgroup",
];

pub(super) const fn user_change(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "user-change",
        shapes,
        "changes the machine's users, groups or passwords",
        "tell the person which line to run",
    )
}

pub(super) const ACCOUNTS: &[Rule] = &[user_change(&["!--help|-h|-l|--list-shells|--version"])];
pub(super) const PASSWD: &[Rule] =
    &[user_change(&["!--help|-h|-S|--status|-l|--list", "-l|--lock|-d|-u * !--list"])];
pub(super) const CHAGE: &[Rule] = &[user_change(&["* !-l|--list|-h|--help"])];
pub(super) const DSCL: &[Rule] = &[user_change(&["* -create|-append|-merge|-delete|-change|-passwd"])];
pub(super) const SYSADMINCTL: &[Rule] =
    &[user_change(&["-addUser|-deleteUser|-resetPasswordFor|-newPassword|-guestAccount|-autologin"])];
