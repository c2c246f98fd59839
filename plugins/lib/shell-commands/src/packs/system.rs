//! The machine: its services, users, settings, and files outside the project.

mod accounts;
mod disks;
mod grammars;
mod kernel;
mod logs;
mod outside;
mod protections;
mod reach;
mod services;
mod sessions;
mod settings;

pub(in crate::packs) use self::grammars::GRAMMARS;
use self::{
    accounts::{ACCOUNT_TOOLS, ACCOUNTS, CHAGE, DSCL, PASSWD, SYSADMINCTL, user_change},
    disks::{
        BLOCKDEV, BTRFS, CRYPTSETUP, DISKUTIL, DMSETUP, LOSETUP, LVM, MDADM, MOUNT, VOLUME_TOOLS, VOLUMES,
        ZFS,
    },
    kernel::{BOOT, BOOT_TOOLS, EFIBOOTMGR, KEXEC, MODPROBE, MODULES, NVRAM, SYSCTL, kernel_change},
    logs::{DMESG, HISTORY, HISTORY_OFF, JOURNALCTL, WEVTUTIL, log_removal},
    protections::{APPARMOR, AUDITCTL, CHATTR, MAC_PROTECTION, PROTECTION, SETENFORCE, protection_off},
    reach::{
        FIREWALLD, IFCONFIG, IFDOWN, IP, IPTABLES, MAC_FIREWALL, NETWORKSETUP, NFT, NMCLI, PFCTL, ROUTE, UFW,
        firewall_off,
    },
    services::{LAUNCHCTL, RUN_LEVELS, SERVICE, SYSTEMCTL},
    sessions::{LOGINCTL, QUIT, SESSION},
    settings::{
        CERTIFICATES, CONTROLS, DATE, HOSTNAME, HWCLOCK, KEYCHAIN, MAC_SETTINGS, machine_settings,
        trust_change,
    },
};
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
        Program { names: &["blockdev"], rules: BLOCKDEV },
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
