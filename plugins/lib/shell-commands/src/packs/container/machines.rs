//! Virtual machines and system containers.

use super::{Grammar, Program, Rule, Style};

const fn delete(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "machine-delete",
        shapes,
        "deletes machines with their disks or snapshots",
        "take a snapshot first, or stop the machine and let the person delete it",
    )
}

pub(super) const VAGRANT: Program =
    Program { names: &["vagrant"], rules: &[delete(&["destroy", "box prune", "snapshot delete|restore"])] };

pub(super) const LXC: Program = Program {
    names: &["lxc", "incus", "multipass", "limactl", "tart", "colima"],
    rules: &[delete(&[
        "delete|rm|purge|factory-reset",
        "cluster|image|network|profile|project|snapshot|storage|volume delete|rm",
        "storage volume|bucket delete|rm",
        "storage volume snapshot delete",
        "restore",
    ])],
};

pub(super) const VIRSH: Program = Program {
    names: &["virsh"],
    rules: &[delete(&[
        "undefine|destroy|snapshot-delete|snapshot-revert|vol-delete|vol-wipe|pool-delete|pool-destroy|net-undefine",
    ])],
};

pub(super) const VIRSH_GRAMMAR: Grammar = Grammar {
    names: &["virsh"],
    style: Style::Whole,
    is_global: true,
    rows: &[("", "cdel", &["connect", "debug", "log", "escape"])],
};

pub(super) const VIRTUALBOX: Program = Program {
    names: &["vboxmanage", "prlctl", "vmrun"],
    rules: &[delete(&[
        "unregistervm --delete|--delete-all",
        "closemedium ** --delete",
        "snapshot * delete|restore",
        "delete|snapshot-delete|deletevm|deletesnapshot|reverttosnapshot",
        "** deletevm",
    ])],
};

pub(super) const NSPAWN: Program =
    Program { names: &["machinectl"], rules: &[delete(&["remove|clean|terminate|kill"])] };

pub(super) const PROXMOX: Program = Program {
    names: &["qm", "pct", "pvesm"],
    rules: &[delete(&["destroy|delsnapshot|rollback|free|remove|wipedisk"])],
};

/// Programs of other names that do the same.
pub(super) const HELPERS: Program = Program {
    names: &["distrobox", "distrobox-rm", "toolbox", "wsl"],
    rules: &[delete(&["rm -f|--force|--all", "rmi -a|--all", "--unregister"])],
};
