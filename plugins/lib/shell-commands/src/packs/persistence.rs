//! Commands that make something run again later by itself, or open a lasting access.

use super::{Check, Grammar, Pack, Program, Rule, Style};
use crate::call::{Call, Grammar as Letters, Options};

pub(super) const PACK: Pack = Pack {
    name: "persistence",
    is_default: true,
    programs: &[
        Program { names: &["crontab", "fcrontab"], rules: CRONTAB },
        Program { names: &["at", "batch"], rules: AT },
        Program { names: &["atrm"], rules: ATRM },
        Program { names: &["systemd-run"], rules: SYSTEMD_RUN },
        Program { names: &["schtasks", "schtasks.exe"], rules: SCHTASKS },
        Program { names: &["systemctl"], rules: SYSTEMCTL },
        Program { names: &["launchctl"], rules: LAUNCHCTL },
        Program { names: &["update-rc.d", "chkconfig", "rc-update"], rules: RUN_LEVELS },
        Program { names: &["loginctl"], rules: LOGINCTL },
        Program { names: &["pm2"], rules: PM2 },
        Program { names: &["defaults"], rules: DEFAULTS },
        Program { names: &["ssh-copy-id"], rules: SSH_COPY_ID },
        Program { names: &["visudo"], rules: VISUDO },
        Program { names: &["setcap"], rules: SETCAP },
        Program { names: &["npm"], rules: NPM },
    ],
    places: PLACES,
    checks: &[Check { rule: SETUID, is_broken: sets_user }],
};

const fn schedule(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "schedule",
        shapes,
        "changes what runs by itself at a later time",
        "run it now, or tell the person the line for the schedule",
    )
}

const fn start_service(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "start-service",
        shapes,
        "changes what starts by itself with the machine or at login",
        "start it for this session only, for example with `systemctl start`",
    )
}

const fn root_rules(shapes: &'static [&'static str]) -> Rule {
    Rule::deny(
        "root-rules",
        shapes,
        "changes who may act as root, or what every program loads",
        "tell the person which right is missing",
    )
}

const fn setuid(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "setuid-bit",
        shapes,
        "lets a program act with rights that its user does not have",
        "run the one command that needs them with `sudo`",
    )
}

const SETUID: Rule = setuid(&[]);
const CRONTAB: &[Rule] = &[schedule(&["* !-l|-T", "-r|-e", "$ !-l|-V|-h|--help"])];
const AT: &[Rule] = &[schedule(&["!-l|-c|-V|-q", "-q !-l|-c|-V", "-r|-d"])];
const ATRM: &[Rule] = &[schedule(&["*"])];
const SYSTEMD_RUN: &[Rule] = &[schedule(&[
    "--on-active|--on-boot|--on-startup|--on-unit-active|--on-unit-inactive|--on-calendar|--timer-property",
])];
const SCHTASKS: &[Rule] = &[schedule(&["** /create|/change|/delete|/run|/CREATE|/Create|/Change|/Delete"])];
const SYSTEMCTL: &[Rule] = &[start_service(&[
    "enable|reenable|link|add-wants|add-requires|edit|set-default|preset|preset-all|unmask !--help|-h",
])];
const LAUNCHCTL: &[Rule] = &[start_service(&["load|bootstrap|enable|submit", "config|setenv|limit *"])];
const RUN_LEVELS: &[Rule] = &[start_service(&["* defaults|enable|on", "add *", "--add"])];
const LOGINCTL: &[Rule] = &[start_service(&["enable-linger"])];
const PM2: &[Rule] = &[start_service(&["startup"])];
const DEFAULTS: &[Rule] =
    &[start_service(&["write *loginwindow* LoginHook|LogoutHook|AutoLaunchedApplicationDictionary"])];
const SSH_COPY_ID: &[Rule] = &[ssh_login(&["* !-n|-h"])];
const VISUDO: &[Rule] = &[root_rules(&["!-c|--check|-V|--version|-h|--help|-x|--export"])];
const SETCAP: &[Rule] = &[setuid(&["* * !-r|-v|-h"])];
const NPM: &[Rule] = &[Rule::ask(
    "install-script",
    &["pkg set ** scripts.*install*|scripts.prepare*|scripts.prepublish*"],
    "makes a script run whenever somebody installs the package",
    "give the script a name of its own, and run it when it is needed",
)];

const fn ssh_login(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "ssh-login",
        shapes,
        "changes who may log in over SSH, or what runs then",
        "tell the person which key should be let in, and where",
    )
}

const PLACES: &[Rule] = &[
    Rule::ask(
        "shell-start-file",
        &[
            "~/.bashrc",
            "~/.bash_profile",
            "~/.bash_login",
            "~/.bash_logout",
            "~/.bash_aliases",
            "~/.bashrc.d/**",
            "~/.profile",
            "~/.zshrc",
            "~/.zshenv",
            "~/.zprofile",
            "~/.zlogin",
            "~/.zlogout",
            "~/.kshrc",
            "~/.mkshrc",
            "~/.cshrc",
            "~/.tcshrc",
            "~/.login",
            "~/.logout",
            "~/.xprofile",
            "~/.xsession",
            "~/.xsessionrc",
            "~/.xinitrc",
            "~/.pam_environment",
            "~/.config/fish/config.fish",
            "~/.config/fish/conf.d/**",
            "~/.config/nushell/*.nu",
            "~/.config/powershell/*.ps1",
            "~/.config/environment.d/**",
            "/etc/profile",
            "/etc/profile.d/**",
            "/etc/bash.bashrc",
            "/etc/bashrc",
            "/etc/zshrc",
            "/etc/zshenv",
            "/etc/zprofile",
            "/etc/zsh/**",
            "/etc/fish/**",
            "/etc/csh.*",
            "/etc/environment",
            "/etc/environment.d/**",
            "/etc/skel/**",
        ],
        "changes what every new shell or login runs",
        "set it for this command only (`NAME=value command`), or tell the person which line to add",
    ),
    Rule::ask(
        "interpreter-start-file",
        &[
            "**/sitecustomize.py",
            "**/usercustomize.py",
            "**/site-packages/*.pth",
            "**/dist-packages/*.pth",
            "**/sitecustomize.pl",
        ],
        "changes what every start of an interpreter runs",
        "import it in the program that needs it",
    ),
    ssh_login(&[
        "~/.ssh/authorized_keys",
        "~/.ssh/authorized_keys2",
        "~/.ssh/rc",
        "~/.ssh/config",
        "~/.ssh/config.d/**",
        "~/.ssh/environment",
        "/etc/ssh/**",
    ]),
    schedule(&[
        "/etc/crontab",
        "/etc/anacrontab",
        "/etc/cron.d/**",
        "/etc/cron.hourly/**",
        "/etc/cron.daily/**",
        "/etc/cron.weekly/**",
        "/etc/cron.monthly/**",
        "/etc/cron.allow",
        "/etc/cron.deny",
        "/var/spool/cron/**",
        "/var/spool/at/**",
        "/var/cron/**",
        "/etc/periodic/**",
    ]),
    start_service(&[
        "/etc/systemd/**",
        "/lib/systemd/**",
        "/usr/lib/systemd/**",
        "/usr/local/lib/systemd/**",
        "/run/systemd/system/**",
        "~/.config/systemd/**",
        "~/.local/share/systemd/**",
        "~/.config/autostart/**",
        "~/.config/autostart-scripts/**",
        "~/.config/plasma-workspace/env/**",
        "~/.local/share/dbus-1/services/**",
        "/usr/share/dbus-1/**",
        "/etc/xdg/autostart/**",
        "/etc/X11/Xsession.d/**",
        "/etc/rc.local",
        "/etc/rc.d/**",
        "/etc/init.d/**",
        "/etc/init/**",
        "/etc/inittab",
        "/etc/local.d/**",
        "/etc/udev/**",
        "/lib/udev/**",
        "/usr/lib/udev/**",
        "/etc/NetworkManager/dispatcher.d/**",
        "/etc/network/if-*.d/**",
        "/etc/update-motd.d/**",
        "/etc/acpi/**",
        "/Library/LaunchAgents/**",
        "/Library/LaunchDaemons/**",
        "/System/Library/LaunchAgents/**",
        "/System/Library/LaunchDaemons/**",
        "~/Library/LaunchAgents/**",
        "/Library/StartupItems/**",
    ]),
    root_rules(&[
        "/etc/sudoers",
        "/etc/sudoers.d/**",
        "/etc/doas.conf",
        "/etc/pam.d/**",
        "/etc/pam.conf",
        "/etc/security/**",
        "/etc/polkit-1/**",
        "/usr/share/polkit-1/**",
        "/etc/ld.so.preload",
    ]),
];

/// `chmod u+s`, `chmod 4755`: the program acts as its owner from then on.
fn sets_user(call: &Call) -> bool {
    if !call.is(&["chmod", "gchmod", "install", "ginstall"]) {
        return false;
    }
    if call.is(&["install", "ginstall"]) {
        let letters = Letters { short: "gmoSt", long: &["mode", "group", "owner", "suffix"], anywhere: true };
        let options = Options::parse(call.args(), letters);
        return options.value(&["m", "--mode"]).is_some_and(|mode| is_setuid(mode.as_str()));
    }
    // A mode that begins with a dash, `-x`, takes something away.
    let mode = call.args().iter().map(crate::arg::Arg::as_str).find(|word| !word.starts_with('-'));
    mode.is_some_and(is_setuid)
}

/// Returns true if a mode sets the bit for the owner; the bit for the group is common on folders.
fn is_setuid(mode: &str) -> bool {
    let digits = mode.trim_start_matches(['=', '+']).trim_start_matches('0');
    if !digits.is_empty() && digits.chars().all(|c| c.is_digit(8)) {
        return digits.len() == 4 && digits.starts_with(['4', '5', '6', '7']);
    }
    mode.split(',').any(|part| {
        let Some((who, what)) = part.split_once(['+', '=']) else { return false };
        what.contains('s') && (who.is_empty() || who.contains(['u', 'a']))
    })
}

pub(super) const GRAMMARS: &[Grammar] = &[
    Grammar {
        names: &["crontab", "fcrontab"],
        style: Style::Whole,
        is_global: true,
        rows: &[("", "uc", &[])],
    },
    Grammar { names: &["at", "batch"], style: Style::Whole, is_global: true, rows: &[("", "qft", &[])] },
    Grammar {
        names: &["systemctl"],
        style: Style::Shortened,
        is_global: true,
        rows: &[(
            "",
            "tpPHMCnos",
            &[
                "type",
                "state",
                "property",
                "host",
                "machine",
                "capsule",
                "lines",
                "output",
                "signal",
                "root",
                "image",
                "job-mode",
                "kill-whom",
                "kill-who",
                "kill-value",
                "timestamp",
                "preset-mode",
                "what",
                "message",
                "drop-in",
                "when",
                "reboot-argument",
            ],
        )],
    },
    Grammar {
        names: &["loginctl"],
        style: Style::Shortened,
        is_global: true,
        rows: &[("", "pPHMsno", &["property", "host", "machine", "signal", "kill-whom", "lines", "output"])],
    },
    Grammar { names: &["ssh-copy-id"], style: Style::Whole, is_global: true, rows: &[("", "iptFo", &[])] },
    Grammar { names: &["visudo"], style: Style::Whole, is_global: true, rows: &[("", "f", &["file"])] },
];
