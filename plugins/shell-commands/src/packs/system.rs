//! The machine: its services, users, settings, and files outside the project.

mod outside;

use super::{About, Check, Grammar, Pack, Program, Rule, Style};

pub(super) const PACK: Pack = Pack {
    name: "system",
    is_default: false,
    programs: &[
        Program { names: &["chmod", "chown", "chgrp", "gchmod", "gchown", "gchgrp"], rules: MODES },
        Program { names: &["systemctl"], rules: SYSTEMCTL },
        Program { names: &["service", "rc-service", "invoke-rc.d", "initctl", "sv"], rules: SERVICE },
        Program { names: &["update-rc.d", "chkconfig", "rc-update"], rules: RUN_LEVELS },
        Program { names: &["launchctl"], rules: LAUNCHCTL },
        Program { names: &["ufw"], rules: UFW },
        Program { names: &["iptables", "ip6tables", "iptables-legacy", "iptables-nft"], rules: IPTABLES },
        Program { names: &["nft"], rules: NFT },
        Program { names: &["firewall-cmd"], rules: FIREWALLD },
        Program { names: &["pfctl"], rules: PFCTL },
        Program { names: &["socketfilterfw"], rules: MAC_FIREWALL },
        Program { names: &["ip"], rules: IP },
        Program { names: &["ifconfig"], rules: IFCONFIG },
        Program { names: &["ifdown"], rules: IFDOWN },
        Program { names: &["route"], rules: ROUTE },
        Program { names: &["nmcli"], rules: NMCLI },
        Program { names: &["networksetup"], rules: NETWORKSETUP },
        Program { names: ACCOUNT_TOOLS, rules: ACCOUNTS },
        Program { names: &["passwd"], rules: PASSWD },
        Program { names: &["chage"], rules: CHAGE },
        Program { names: &["dscl"], rules: DSCL },
        Program { names: &["sysadminctl"], rules: SYSADMINCTL },
        Program { names: &["mount", "umount", "swapoff"], rules: MOUNT },
        Program { names: &["losetup"], rules: LOSETUP },
        Program { names: VOLUME_TOOLS, rules: VOLUMES },
        Program { names: &["lvm"], rules: LVM },
        Program { names: &["cryptsetup"], rules: CRYPTSETUP },
        Program { names: &["mdadm"], rules: MDADM },
        Program { names: &["zfs"], rules: ZFS },
        Program { names: &["btrfs"], rules: BTRFS },
        Program { names: &["dmsetup"], rules: DMSETUP },
        Program { names: &["diskutil"], rules: DISKUTIL },
        Program { names: &["sysctl"], rules: SYSCTL },
        Program { names: &["modprobe"], rules: MODPROBE },
        Program { names: &["insmod", "rmmod", "kextload", "kextunload", "kmutil"], rules: MODULES },
        Program { names: &["kexec"], rules: KEXEC },
        Program { names: BOOT_TOOLS, rules: BOOT },
        Program { names: &["efibootmgr"], rules: EFIBOOTMGR },
        Program { names: &["nvram"], rules: NVRAM },
        Program { names: &["setenforce"], rules: SETENFORCE },
        Program { names: &["setsebool"], rules: PROTECTION },
        Program { names: &["aa-disable", "aa-complain", "aa-teardown"], rules: PROTECTION },
        Program { names: &["apparmor_parser"], rules: APPARMOR },
        Program { names: &["csrutil", "fdesetup", "spctl", "tccutil"], rules: MAC_PROTECTION },
        Program { names: &["auditctl"], rules: AUDITCTL },
        Program { names: &["chattr"], rules: CHATTR },
        Program { names: &["journalctl"], rules: JOURNALCTL },
        Program { names: &["history"], rules: HISTORY },
        Program { names: &["set", "unset", "export"], rules: HISTORY_OFF },
        Program { names: &["dmesg"], rules: DMESG },
        Program { names: &["wevtutil", "wevtutil.exe"], rules: WEVTUTIL },
        Program { names: &["timedatectl", "hostnamectl", "localectl"], rules: CONTROLS },
        Program { names: &["hostname"], rules: HOSTNAME },
        Program { names: &["hwclock"], rules: HWCLOCK },
        Program { names: &["date", "gdate"], rules: DATE },
        Program { names: &["scutil", "systemsetup"], rules: MAC_SETTINGS },
        Program { names: &["update-ca-certificates", "update-ca-trust", "trust"], rules: CERTIFICATES },
        Program { names: &["security"], rules: KEYCHAIN },
        Program { names: &["loginctl"], rules: LOGINCTL },
        Program { names: &["pkill", "killall", "skill", "slay"], rules: SESSION },
        Program { names: &["gnome-session-quit"], rules: QUIT },
    ],
    places: PLACES,
    checks: &[
        Check { rule: REMOVE_OUTSIDE, is_broken: outside::removes },
        Check { rule: MOVE_OUTSIDE, is_broken: outside::moves },
        Check { rule: SYNC_DELETE, is_broken: outside::syncs },
    ],
};

const REMOVE_OUTSIDE: Rule = Rule::ask(
    "remove-outside",
    &[],
    "removes what lies outside the project",
    "remove only what is inside the project or a temporary folder, and tell the person what else could go",
);
const MOVE_OUTSIDE: Rule = Rule::ask(
    "move-outside",
    &[],
    "moves away what lies outside the project, or moves it to where it is lost",
    "copy it with `cp`, and leave the original where it is",
);
const SYNC_DELETE: Rule = Rule::ask(
    "sync-delete",
    &[],
    "deletes what the source does not have, outside the project or on another machine",
    "add `--dry-run` to see what would go, or leave `--delete` out",
);

const MODES: &[Rule] = &[Rule::off(
    "mode-outside",
    &["-R|--recursive"],
    "changes who owns or may use files outside the project",
    "change only the files of the project",
)
.about(About::Paths)];

const fn service_stop(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "service-stop",
        shapes,
        "stops a service of the machine, or keeps it from starting",
        "look first (`systemctl status NAME`), and tell the person which service is in the way",
    )
}

const SYSTEMCTL: &[Rule] = &[service_stop(&[
    "stop|disable|mask|kill|revert|daemon-reexec|exit|switch-root|clean !--help|-h",
    "isolate|default !--help|-h",
])];
const SERVICE: &[Rule] = &[service_stop(&[
    "* stop|force-stop|--full-restart|zap",
    "stop|down|exit|force-stop|force-shutdown|shutdown|kill *",
])];
const RUN_LEVELS: &[Rule] =
    &[service_stop(&["* remove|disable|off|reset|del", "remove|disable|del|delete *", "--del"])];
const LAUNCHCTL: &[Rule] = &[service_stop(&["unload|bootout|disable|remove|stop|kill|reboot|unsetenv"])];

const fn firewall_off(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "firewall-off",
        shapes,
        "switches the firewall off or throws its rules away",
        "list the rules (`ufw status`, `iptables -L -n`), and tell the person which one is in the way",
    )
}

const fn firewall_open(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "firewall-open",
        shapes,
        "lets others reach this machine",
        "listen on 127.0.0.1, or tell the person which port has to be open",
    )
}

const UFW: &[Rule] = &[
    firewall_off(&["disable|reset|delete !--dry-run", "default allow !--dry-run", "route delete !--dry-run"]),
    firewall_open(&[
        "allow|limit !--dry-run",
        "insert|prepend ** allow|limit !--dry-run",
        "route allow|insert",
    ]),
];
const IPTABLES: &[Rule] = &[
    firewall_off(&["-F|--flush|-X|--delete-chain", "-D|--delete", "-P|--policy INPUT|FORWARD|OUTPUT ACCEPT"]),
    firewall_open(&["-A|-I|--append|--insert=INPUT|FORWARD -j|--jump=ACCEPT"]),
];
const NFT: &[Rule] = &[firewall_off(&["flush|delete|destroy !-c|--check"])];
const FIREWALLD: &[Rule] = &[
    firewall_off(&[
        "--remove-rich-rule|--delete-zone|--delete-policy|--reset-to-defaults|--panic-off",
        "--set-default-zone|--set-target=trusted|ACCEPT",
    ]),
    firewall_open(&[
        "--add-port|--add-service|--add-rich-rule|--add-source|--add-forward-port|--add-masquerade|--add-protocol",
    ]),
];
const PFCTL: &[Rule] = &[firewall_off(&["-d|-F"])];
const MAC_FIREWALL: &[Rule] =
    &[firewall_off(&["--setglobalstate off", "--setblockall off"]), firewall_open(&["--add|--unblockapp"])];

const fn network_down(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "network-down",
        shapes,
        "takes the network, an address or a route away",
        "look first (`ip addr`, `ip route`), and tell the person what should change",
    )
}

const IP: &[Rule] = &[network_down(&[
    "l|li|lin|link s|se|set ** down",
    "l|li|lin|link|a|ad|add|addr|address|r|ro|rou|rout|route|ru|rul|rule|n|ne|neigh|tun|tunnel d|de|del|dele|delet|delete",
    "a|ad|add|addr|address|r|ro|rou|rout|route|ru|rul|rule f|fl|flu|flus|flush",
])];
const IFCONFIG: &[Rule] = &[network_down(&["* ** down|delete|destroy|-alias"])];
const IFDOWN: &[Rule] = &[network_down(&["*", "-a|--all"])];
const ROUTE: &[Rule] = &[network_down(&["del|delete|flush"])];
const NMCLI: &[Rule] = &[network_down(&[
    "n|ne|net|netw|netwo|networ|network|networking off",
    "r|ra|rad|radi|radio * off",
    "c|co|con|conn|connection d|de|del|delete|down",
    "d|de|dev|device d|di|dis|disconnect|del|delete|down",
])];
const NETWORKSETUP: &[Rule] = &[network_down(&[
    "-setairportpower|-setnetworkserviceenabled ** off",
    "-setdnsservers|-setmanual|-setdhcp|-setwebproxy|-setsecurewebproxy|-removenetworkservice|-setautoproxyurl",
])];

const ACCOUNT_TOOLS: &[&str] = &[
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

const fn user_change(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "user-change",
        shapes,
        "changes the machine's users, groups or passwords",
        "tell the person which line to run",
    )
}

const ACCOUNTS: &[Rule] = &[user_change(&["!--help|-h|-l|--list-shells|--version"])];
const PASSWD: &[Rule] = &[user_change(&["!--help|-h|-S|--status|-l|--list", "-l|--lock|-d|-u * !--list"])];
const CHAGE: &[Rule] = &[user_change(&["* !-l|--list|-h|--help"])];
const DSCL: &[Rule] = &[user_change(&["* -create|-append|-merge|-delete|-change|-passwd"])];
const SYSADMINCTL: &[Rule] =
    &[user_change(&["-addUser|-deleteUser|-resetPasswordFor|-newPassword|-guestAccount|-autologin"])];

const fn disk_change(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "disk-change",
        shapes,
        "changes what disks, volumes or file systems the machine has",
        "look first (`lsblk`, `findmnt`), and tell the person what should change",
    )
}

const VOLUME_TOOLS: &[&str] = &[
    "lvremove",
    "vgremove",
    "pvremove",
    "lvreduce",
    "vgreduce",
    "lvresize",
    "resize2fs",
    "partprobe",
    "vgchange",
];

const MOUNT: &[Rule] = &[disk_change(&["* !-h|--help|-V|--version|--fake", "-a|--all"])];
const LOSETUP: &[Rule] = &[disk_change(&["-d|--detach|-D|--detach-all"])];
const VOLUMES: &[Rule] = &[disk_change(&["* !-t|--test|-h|--help|--longhelp|--version|-d"])];
const LVM: &[Rule] = &[disk_change(&[
    "lvremove|vgremove|pvremove|lvreduce|vgreduce|lvresize|vgchange !-t|--test|-h|--help|--longhelp",
])];
const CRYPTSETUP: &[Rule] = &[disk_change(&[
    "luksFormat|erase|luksErase|luksRemoveKey|luksKillSlot|luksAddKey|luksChangeKey|luksConvertKey|reencrypt",
    "open|luksOpen|plainOpen|close|luksClose|remove|resize|convert|luksHeaderRestore|luksSuspend",
])];
const MDADM: &[Rule] =
    &[disk_change(&["-S|--stop|-C|--create|--zero-superblock|-r|--remove|-f|--fail|-G|--grow !--help"])];
const ZFS: &[Rule] = &[disk_change(&["destroy|rollback !-n"])];
const BTRFS: &[Rule] = &[disk_change(&[
    "s|su|sub|subvol|subvolume d|de|del|delete",
    "d|de|dev|device d|de|del|delete|remove",
    "filesystem|fi resize",
])];
const DMSETUP: &[Rule] = &[disk_change(&["remove|remove_all|wipe_table|clear"])];
const DISKUTIL: &[Rule] = &[disk_change(&[
    "unmount|umount|unmountDisk|umountDisk|eject|resizeVolume|mergePartitions|splitPartition|enableOwnership",
    "apfs|ap delete*|resizeContainer|erase*|decrypt*",
])];

const fn kernel_change(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "kernel-change",
        shapes,
        "changes the running kernel or how the machine boots",
        "read the value (`sysctl NAME`, `lsmod`), and tell the person what should change",
    )
}

const SYSCTL: &[Rule] = &[kernel_change(&["-w|--write|-p|--load|-f|--system", "** *=*"])];
const MODPROBE: &[Rule] = &[kernel_change(&[
    "* !-n|--dry-run|--show|-D|--show-depends|-R|--resolve-alias|-c|--showconfig|--show-modversions",
])];
const MODULES: &[Rule] = &[kernel_change(&["* !-h|--help|-V|--version"])];
const KEXEC: &[Rule] = &[kernel_change(&["-l|--load|-e|--exec|-p|--load-panic|-u|--unload|-f|--force"])];
const BOOT_TOOLS: &[&str] = &[
    "grub-install",
    "grub2-install",
    "update-grub",
    "grub-mkconfig",
    "grub2-mkconfig",
    "grub-set-default",
    "update-initramfs",
    "mkinitcpio",
    "dracut",
    "mokutil",
    "bootctl",
    "bless",
    "grubby",
];
const BOOT: &[Rule] = &[kernel_change(&[
    "!--help|-h|--version|-V|--info|-i|--list-enrolled|-l|--sb-state|--getBoot|--default-kernel|--list",
])];
const EFIBOOTMGR: &[Rule] =
    &[kernel_change(&["-B|-b|-o|-n|-c|-C|-a|-A|--delete-bootnum|--bootorder|--bootnext|--create"])];
const NVRAM: &[Rule] = &[kernel_change(&["** *=*", "-d|-c"])];

const fn protection_off(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "protection-off",
        shapes,
        "switches a protection of the machine off",
        "tell the person what it keeps from working",
    )
}

const SETENFORCE: &[Rule] = &[protection_off(&["0|permissive|Permissive"])];
const PROTECTION: &[Rule] = &[protection_off(&["!-h|--help"])];
const APPARMOR: &[Rule] = &[protection_off(&["-R|--remove|-C|--Complain"])];
const MAC_PROTECTION: &[Rule] = &[protection_off(&[
    "disable|clear|reset|authenticated-root|netboot",
    "--master-disable|--global-disable|--disable|--add|--remove|--reset-default",
])];
const AUDITCTL: &[Rule] = &[protection_off(&["-D", "-e=0", "-d"])];
const CHATTR: &[Rule] = &[protection_off(&["-i|-a"])];

const fn log_removal(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "log-removal",
        shapes,
        "removes or hides what happened on the machine",
        "read the log, and leave it as it is",
    )
}

const JOURNALCTL: &[Rule] = &[log_removal(&["--vacuum-size|--vacuum-time|--vacuum-files"])];
const HISTORY: &[Rule] = &[log_removal(&["-c|-d", "clear"])];
const HISTORY_OFF: &[Rule] = &[log_removal(&[
    "HISTFILE",
    "HISTFILE=",
    "HISTFILE=/dev/null",
    "HISTSIZE=0",
    "HISTFILESIZE=0",
    "+o history",
])];
const DMESG: &[Rule] = &[log_removal(&["-C|--clear|-c|--read-clear|-D|--console-off"])];
const WEVTUTIL: &[Rule] = &[log_removal(&["cl|clear-log"])];

const fn machine_settings(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "machine-settings",
        shapes,
        "changes a setting of the whole machine",
        "set it for this command only, for example `TZ=UTC command`, or tell the person what should change",
    )
}

const CONTROLS: &[Rule] =
    &[machine_settings(&["set-*|hostname|icon-name|chassis|deployment|location *", "revert"])];
const HOSTNAME: &[Rule] = &[machine_settings(&["*", "-F|--file|-b|--boot"])];
const HWCLOCK: &[Rule] =
    &[machine_settings(&["-w|--systohc|-s|--hctosys|--set|--adjust|-a|--systz|--param-set"])];
const DATE: &[Rule] = &[machine_settings(&["-s|--set", "0*|1* !-d|--date|-r|--reference|-j|-f"])];
const MAC_SETTINGS: &[Rule] = &[machine_settings(&[
    "--set|--prefs",
    "-setremotelogin|-setdate|-settime|-settimezone|-setcomputername|-setnetworktimeserver|-setusingnetworktime",
])];

const fn trust_change(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "trust-change",
        shapes,
        "changes whose certificates the machine trusts",
        "give the certificate to the one command that needs it, for example `curl --cacert FILE`",
    )
}

const CERTIFICATES: &[Rule] = &[trust_change(&["$ !-h|--help", "extract|enable|disable", "anchor"])];
const KEYCHAIN: &[Rule] = &[trust_change(&[
    "add-trusted-cert|remove-trusted-cert|delete-certificate|trust-settings-import|authorizationdb",
])];

const fn session_end(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "session-end",
        shapes,
        "ends somebody's session or all programs of a user",
        "end the one process that is meant, by its number",
    )
}

const LOGINCTL: &[Rule] = &[session_end(&[
    "terminate-user|terminate-session|terminate-seat|kill-user|kill-session|lock-sessions|flush-devices",
])];
const SESSION: &[Rule] = &[session_end(&[
    "-u|-U|--euid|--uid|--user $",
    "** loginwindow|WindowServer|Finder|Dock|SystemUIServer|gnome-shell|gnome-session*|plasmashell|kwin*|Xorg|X|\
     systemd|systemd-logind|dbus-daemon|sshd|init|launchd|explorer.exe|bash|zsh|fish",
])];
const QUIT: &[Rule] = &[session_end(&[""])];

const PLACES: &[Rule] = &[
    machine_settings(&[
        "/etc/hosts",
        "/etc/resolv.conf",
        "/etc/nsswitch.conf",
        "/etc/hostname",
        "/etc/localtime",
        "/etc/timezone",
        "/etc/fstab",
        "/etc/crypttab",
        "/etc/exports",
        "/etc/shells",
        "/etc/netplan/**",
        "/etc/network/**",
        "/etc/NetworkManager/**",
        "/etc/wsl.conf",
        "/private/etc/hosts",
    ]),
    user_change(&["/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow", "/etc/subuid", "/etc/subgid"]),
    kernel_change(&[
        "/boot/**",
        "/efi/**",
        "/etc/default/grub",
        "/etc/default/grub.d/**",
        "/etc/grub.d/**",
        "/etc/sysctl.conf",
        "/etc/sysctl.d/**",
        "/etc/modules",
        "/etc/modules-load.d/**",
        "/etc/modprobe.d/**",
        "/proc/sys/**",
        "/proc/sysrq-trigger",
        "/sys/**",
    ]),
    protection_off(&["/etc/selinux/**", "/etc/apparmor.d/**", "/etc/audit/**", "/etc/fail2ban/**"]),
    firewall_off(&[
        "/etc/ufw/**",
        "/etc/iptables/**",
        "/etc/nftables.conf",
        "/etc/pf.conf",
        "/etc/firewalld/**",
    ]),
    trust_change(&[
        "/etc/ssl/certs/**",
        "/usr/local/share/ca-certificates/**",
        "/etc/pki/**",
        "/etc/ca-certificates/**",
        "/etc/ca-certificates.conf",
    ]),
    log_removal(&[
        "~/.bash_history",
        "~/.zsh_history",
        "~/.local/share/fish/fish_history",
        "/var/log/syslog*",
        "/var/log/messages*",
        "/var/log/auth.log*",
        "/var/log/secure*",
        "/var/log/kern.log*",
        "/var/log/wtmp*",
        "/var/log/btmp*",
        "/var/log/lastlog",
        "/var/log/faillog",
        "/var/log/audit/**",
        "/var/log/journal/**",
        "/var/run/utmp",
    ]),
];

pub(super) const GRAMMARS: &[Grammar] = &[
    Grammar {
        names: &["iptables", "ip6tables", "iptables-legacy", "iptables-nft"],
        style: Style::Shortened,
        is_global: true,
        rows: &[(
            "",
            "tAIjpsdiomNw",
            &[
                "table",
                "append",
                "insert",
                "jump",
                "protocol",
                "source",
                "destination",
                "in-interface",
                "match",
                "out-interface",
                "new-chain",
                "dport",
                "sport",
                "wait",
            ],
        )],
    },
    Grammar {
        names: &["nft"],
        style: Style::Whole,
        is_global: true,
        rows: &[("", "fID", &["file", "includepath", "define"])],
    },
    Grammar {
        names: &["firewall-cmd"],
        style: Style::Whole,
        is_global: true,
        rows: &[("", "", &["zone", "set-default-zone", "set-target", "policy", "add-port", "add-service"])],
    },
    Grammar { names: &["pfctl"], style: Style::Whole, is_global: true, rows: &[("", "afikKopstTx", &[])] },
    Grammar {
        names: &["ip"],
        style: Style::SingleDash,
        is_global: false,
        rows: &[("", "", &["n", "netns", "f", "family", "rc", "rcvbuf", "l", "loops", "b", "batch"])],
    },
    Grammar {
        names: &["nmcli"],
        style: Style::Shortened,
        is_global: true,
        rows: &[("", "mfgw", &["mode", "fields", "get-values", "wait", "colors"])],
    },
    Grammar {
        names: &["networksetup", "dscl", "sysadminctl", "systemsetup"],
        style: Style::SingleDash,
        is_global: true,
        rows: &[],
    },
    Grammar {
        names: &["mount", "umount", "swapoff"],
        style: Style::Shortened,
        is_global: true,
        rows: &[(
            "",
            "tOoN",
            &["types", "options", "test-opts", "namespace", "target-prefix", "options-mode"],
        )],
    },
    Grammar {
        names: &["passwd", "chage"],
        style: Style::Shortened,
        is_global: true,
        rows: &[(
            "",
            "inwxRrMmEIWP",
            &["inactive", "mindays", "warndays", "maxdays", "root", "repository", "prefix"],
        )],
    },
    Grammar {
        names: &["cryptsetup"],
        style: Style::Whole,
        is_global: true,
        rows: &[(
            "",
            "chslkdobpMTtS",
            &["key-file", "cipher", "hash", "key-size", "type", "key-slot", "header", "size"],
        )],
    },
    Grammar {
        names: &["mdadm"],
        style: Style::Shortened,
        is_global: true,
        rows: &[("", "nlcexN", &["raid-devices", "level", "config", "metadata", "name"])],
    },
    Grammar { names: &["sysctl"], style: Style::Whole, is_global: true, rows: &[("", "r", &["pattern"])] },
    Grammar {
        names: &["modprobe"],
        style: Style::Shortened,
        is_global: true,
        rows: &[("", "CdS", &["config", "dirname", "set-version"])],
    },
    Grammar {
        names: &["journalctl"],
        style: Style::Shortened,
        is_global: true,
        rows: &[(
            "",
            "uniDMoptSUgc",
            &[
                "unit",
                "lines",
                "since",
                "until",
                "output",
                "priority",
                "identifier",
                "directory",
                "machine",
                "grep",
            ],
        )],
    },
    Grammar {
        names: &["auditctl"],
        style: Style::Whole,
        is_global: true,
        rows: &[("", "ebfrwpkSFCWaAdR", &[])],
    },
    Grammar {
        names: &["timedatectl", "hostnamectl", "localectl"],
        style: Style::Shortened,
        is_global: true,
        rows: &[("", "HMp", &["host", "machine", "property"])],
    },
    Grammar {
        names: &["date", "gdate"],
        style: Style::Shortened,
        is_global: true,
        rows: &[("", "dfrsvz", &["date", "file", "reference", "set"])],
    },
    Grammar {
        names: &["pkill", "killall", "skill", "slay"],
        style: Style::Shortened,
        is_global: true,
        rows: &[(
            "",
            "GgPstUuFryoncZ",
            &[
                "signal",
                "uid",
                "euid",
                "group",
                "pgroup",
                "parent",
                "session",
                "terminal",
                "pidfile",
                "user",
                "older-than",
                "younger-than",
                "ns",
                "context",
            ],
        )],
    },
    Grammar { names: &["zfs"], style: Style::Whole, is_global: true, rows: &[("", "ot", &[])] },
];
