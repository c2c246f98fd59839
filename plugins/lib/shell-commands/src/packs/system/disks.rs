//! Disks, volumes and file systems.

use super::Rule;

const fn disk_change(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "disk-change",
        shapes,
        "changes what disks, volumes or file systems the machine has",
        "look first (`lsblk`, `findmnt`), and tell the person what should change",
    )
}

pub(super) const VOLUME_TOOLS: &[&str] = &[
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

pub(super) const MOUNT: &[Rule] = &[disk_change(&["* !-h|--help|-V|--version|--fake", "-a|--all"])];
pub(super) const BLOCKDEV: &[Rule] =
    &[disk_change(&["--setro|--setrw|--setra|--setfra|--setbsz|--rereadpt|--flushbufs"])];
pub(super) const LOSETUP: &[Rule] = &[disk_change(&["-d|--detach|-D|--detach-all"])];
pub(super) const VOLUMES: &[Rule] = &[disk_change(&["* !-t|--test|-h|--help|--longhelp|--version|-d"])];
pub(super) const LVM: &[Rule] = &[disk_change(&[
    "lvremove|vgremove|pvremove|lvreduce|vgreduce|lvresize|vgchange !-t|--test|-h|--help|--longhelp",
])];
pub(super) const CRYPTSETUP: &[Rule] = &[disk_change(&[
    "luksFormat|erase|luksErase|luksRemoveKey|luksKillSlot|luksAddKey|luksChangeKey|luksConvertKey|reencrypt",
    "open|luksOpen|plainOpen|close|luksClose|remove|resize|convert|luksHeaderRestore|luksSuspend",
])];
pub(super) const MDADM: &[Rule] =
    &[disk_change(&["-S|--stop|-C|--create|--zero-superblock|-r|--remove|-f|--fail|-G|--grow !--help"])];
pub(super) const ZFS: &[Rule] = &[disk_change(&["destroy|rollback !-n"])];
pub(super) const BTRFS: &[Rule] = &[disk_change(&[
    "s|su|sub|subvol|subvolume d|de|del|delete",
    "d|de|dev|device d|de|del|delete|remove",
    "filesystem|fi resize",
])];
pub(super) const DMSETUP: &[Rule] = &[disk_change(&["remove|remove_all|wipe_table|clear"])];
pub(super) const DISKUTIL: &[Rule] = &[disk_change(&[
    "unmount|umount|unmountDisk|umountDisk|eject|resizeVolume|mergePartitions|splitPartition|enableOwnership",
    "apfs|ap delete*|resizeContainer|erase*|decrypt*",
])];
