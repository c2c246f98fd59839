//! The running kernel, and how the machine boots.

use super::Rule;

pub(super) const fn kernel_change(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "kernel-change",
        shapes,
        "changes the running kernel or how the machine boots",
        "read the value (`sysctl NAME`, `lsmod`), and tell the person what should change",
    )
}

pub(super) const SYSCTL: &[Rule] = &[kernel_change(&["-w|--write|-p|--load|-f|--system", "** *=*"])];
pub(super) const MODPROBE: &[Rule] = &[kernel_change(&[
    "* !-n|--dry-run|--show|-D|--show-depends|-R|--resolve-alias|-c|--showconfig|--show-modversions",
])];
pub(super) const MODULES: &[Rule] = &[kernel_change(&["* !-h|--help|-V|--version"])];
pub(super) const KEXEC: &[Rule] =
    &[kernel_change(&["-l|--load|-e|--exec|-p|--load-panic|-u|--unload|-f|--force"])];
pub(super) const BOOT_TOOLS: &[&str] = &[
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
pub(super) const BOOT: &[Rule] = &[kernel_change(&[
    "!--help|-h|--version|-V|--info|-i|--list-enrolled|-l|--sb-state|--getBoot|--default-kernel|--list",
])];
pub(super) const EFIBOOTMGR: &[Rule] =
    &[kernel_change(&["-B|-b|-o|-n|-c|-C|-a|-A|--delete-bootnum|--bootorder|--bootnext|--create"])];
pub(super) const NVRAM: &[Rule] = &[kernel_change(&["** *=*", "-d|-c"])];
