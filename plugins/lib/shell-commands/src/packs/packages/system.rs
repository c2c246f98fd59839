//! Package managers of systems.

use super::{ASK_FIRST, FORCES, KEEP_IT, ONE_BY_ONE, REMOVES, UNVERIFIED, UPGRADES, VERIFY_IT};
use crate::packs::Rule;

const fn remove(shapes: &'static [&'static str]) -> Rule {
    Rule::ask("package-remove", shapes, REMOVES, KEEP_IT)
}

const fn unverified(shapes: &'static [&'static str]) -> Rule {
    Rule::ask("package-unverified", shapes, UNVERIFIED, VERIFY_IT)
}

const fn force(shapes: &'static [&'static str]) -> Rule {
    Rule::ask("package-force", shapes, FORCES, ASK_FIRST)
}

const fn upgrade(shapes: &'static [&'static str]) -> Rule {
    Rule::ask("system-upgrade", shapes, UPGRADES, ONE_BY_ONE)
}

const fn source(shapes: &'static [&'static str]) -> Rule {
    Rule::off(
        "package-source",
        shapes,
        "adds a source that packages come from as root",
        "tell the person which source is needed, and what for",
    )
}

pub(super) const APT: &[Rule] = &[
    remove(&[
        "remove|purge|autoremove|autopurge|auto-remove !-s|--simulate|--just-print|--dry-run|--recon|--no-act",
        "install --purge|--autoremove|--auto-remove !-s|--simulate|--dry-run",
        "install ** *- !-s|--simulate|--dry-run",
    ]),
    unverified(&[
        "--allow-unauthenticated|--force-yes|--allow-insecure-repositories|--allow-weak-repositories",
        "-o|--option=Acquire::*Insecure*|APT::Get::AllowUnauthenticated*|Acquire::https::Verify*",
    ]),
    force(&["--allow-remove-essential", "--allow-downgrades"]),
    upgrade(&["dist-upgrade|full-upgrade !-s|--simulate|--just-print|--dry-run|--no-act"]),
    source(&["edit-sources"]),
];

pub(super) const DPKG: &[Rule] = &[
    remove(&["-r|-P|--remove|--purge !--dry-run|--no-act|--simulate"]),
    unverified(&["--force-bad-verify|--no-debsig"]),
    force(&[
        "--force-all|--force-depends|--force-remove-essential|--force-remove-reinstreq|--force-remove-protected",
    ]),
];

pub(super) const DNF: &[Rule] = &[
    remove(&[
        "remove|erase|rm|autoremove|swap !--assumeno",
        "history undo|rollback|redo !--assumeno",
        "group remove !--assumeno",
        "groupremove !--assumeno",
    ]),
    unverified(&[
        "--nogpgcheck|--no-gpgchecks",
        "--setopt=*gpgcheck=0|*gpgcheck=false|*sslverify=0|*sslverify=false",
    ]),
    upgrade(&[
        "distro-sync|distrosync|distribution-synchronization !--assumeno",
        "system-upgrade download|reboot|upgrade",
        "offline reboot",
    ]),
    source(&["config-manager --add-repo", "config-manager addrepo", "copr enable"]),
];

pub(super) const RPM: &[Rule] = &[
    remove(&["-e|--erase !--test"]),
    unverified(&[
        "--nosignature|--nodigest|--nogpg",
        "-i|-U|-F|--install|--upgrade|--freshen ** http://*|ftp://* !-q",
    ]),
    force(&["--nodeps|--force !--test !-q|--query"]),
    source(&["--import"]),
];

pub(super) const ZYPPER: &[Rule] = &[
    remove(&["remove|rm|removelocale|rl !-D|--dry-run"]),
    unverified(&["--no-gpg-checks", "install|in|update|up --allow-unsigned-rpm"]),
    upgrade(&["dist-upgrade|dup !-D|--dry-run"]),
    source(&["addrepo|ar"]),
];

pub(super) const PACMAN: &[Rule] = &[
    remove(&["-R|--remove !-p|--print|--print-format"]),
    unverified(&["-U|--upgrade ** http://*|ftp://*", "--skippgpcheck"]),
    force(&["--overwrite !-p|--print", "-S|--sync --assume-installed"]),
];

pub(super) const APK: &[Rule] = &[
    remove(&["del !-s|--simulate"]),
    unverified(&["--allow-untrusted"]),
    force(&["fix --force-broken-world"]),
];

pub(super) const BREW: &[Rule] = &[
    remove(&[
        "uninstall|remove|rm !-n|--dry-run",
        "cask uninstall|remove|zap",
        "bundle cleanup -f|--force",
        "services remove",
    ]),
    unverified(&["install http://*", "install --no-quarantine"]),
    source(&["tap * *"]),
];

pub(super) const BUNDLES: &[Rule] = &[
    remove(&["remove|uninstall"]),
    unverified(&[
        "install --dangerous|--devmode|--force-dangerous",
        "remote-add --no-gpg-verify",
        "install --no-gpg-verify",
    ]),
    source(&["remote-add"]),
];

pub(super) const NIX: &[Rule] = &[
    remove(&[
        "-e|--uninstall !--dry-run",
        "profile remove|wipe-history !--dry-run",
        "--delete-generations !--dry-run",
        "-d|--delete-old|--delete-older-than !--dry-run",
        "remove",
        "gc -d|--delete-generations",
        "--delete !--dry-run",
    ]),
    unverified(&["--no-check-sigs|--no-require-sigs", "--option=require-sigs"]),
];

pub(super) const EMERGE: &[Rule] =
    &[remove(&["-C|--unmerge|-c|--depclean|-P|--prune !-p|--pretend", "--rage-clean"])];

pub(super) const REMOVE_VERB: &[Rule] =
    &[remove(&["remove|uninstall|delete|autoremove|rm|reinstall-all|reset !-n|--dry-run|--noop|--whatif"])];

pub(super) const WHOLE_PROGRAMS: &[Rule] =
    &[remove(&["* !-n|--dry-run"]), upgrade(&["$ !-c|--check-dist-upgrade-only"])];

pub(super) const SOURCES: &[Rule] = &[source(&["ppa:*|deb*|http*|add|adv"])];
