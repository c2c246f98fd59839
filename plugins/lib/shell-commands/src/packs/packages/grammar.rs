//! Options of these programs that take a value.

use super::PIP;
use crate::packs::{Grammar, Style};

pub(in crate::packs) const GRAMMARS: &[Grammar] =
    &[APT, DNF, RPM, ZYPPER, PACMAN, APK, NIX, BREW, PIP_ITSELF, CONDA, GEM, GO];

const APT: Grammar = Grammar {
    names: &["apt", "apt-get", "aptitude"],
    style: Style::Whole,
    is_global: true,
    rows: &[(
        "",
        "octa",
        &["option", "config-file", "target-release", "default-release", "host-architecture"],
    )],
};

const DNF: Grammar = Grammar {
    names: &["dnf", "dnf5", "yum", "microdnf", "tdnf"],
    style: Style::Whole,
    is_global: true,
    rows: &[(
        "",
        "cdeRx",
        &[
            "config",
            "disablerepo",
            "enablerepo",
            "exclude",
            "forcearch",
            "installroot",
            "releasever",
            "repo",
            "repoid",
            "setopt",
        ],
    )],
};

const RPM: Grammar = Grammar {
    names: &["rpm"],
    style: Style::Whole,
    is_global: true,
    rows: &[("", "rDE", &["root", "dbpath", "define", "eval", "prefix", "relocate", "excludepath"])],
};

const ZYPPER: Grammar = Grammar {
    names: &["zypper"],
    style: Style::Whole,
    is_global: true,
    rows: &[("", "cRpr", &["config", "root", "repo", "plus-repo", "plus-content", "reposd-dir", "from"])],
};

const PACMAN: Grammar = Grammar {
    names: &["pacman", "yay", "paru"],
    style: Style::Whole,
    is_global: true,
    rows: &[(
        "",
        "br",
        &[
            "arch",
            "assume-installed",
            "cachedir",
            "config",
            "color",
            "dbpath",
            "gpgdir",
            "hookdir",
            "ignore",
            "ignoregroup",
            "logfile",
            "overwrite",
            "print-format",
            "root",
            "sysroot",
        ],
    )],
};

const APK: Grammar = Grammar {
    names: &["apk"],
    style: Style::Whole,
    is_global: true,
    rows: &[(
        "",
        "ptX",
        &["root", "virtual", "repository", "arch", "cache-dir", "keys-dir", "repositories-file", "wait"],
    )],
};

const NIX: Grammar = Grammar {
    names: &["nix-env", "nix", "nix-collect-garbage", "nix-store"],
    style: Style::Whole,
    is_global: true,
    rows: &[(
        "",
        "pfIj",
        &["profile", "file", "attr", "option", "arg", "argstr", "delete-older-than", "max-freed"],
    )],
};

const BREW: Grammar = Grammar {
    names: &["brew"],
    style: Style::Whole,
    is_global: true,
    rows: &[("", "", &["file", "appdir", "fontdir", "language"])],
};

const PIP_ITSELF: Grammar = Grammar {
    names: PIP,
    style: Style::Shortened,
    is_global: true,
    rows: &[(
        "",
        "rcefitd",
        &[
            "abi",
            "cache-dir",
            "cert",
            "client-cert",
            "config-settings",
            "constraint",
            "dest",
            "editable",
            "exists-action",
            "extra-index-url",
            "find-links",
            "global-option",
            "implementation",
            "index-url",
            "keyring-provider",
            "log",
            "no-binary",
            "only-binary",
            "platform",
            "prefix",
            "progress-bar",
            "proxy",
            "python",
            "python-version",
            "report",
            "requirement",
            "retries",
            "root",
            "root-user-action",
            "src",
            "target",
            "timeout",
            "trusted-host",
            "upgrade-strategy",
            "use-feature",
        ],
    )],
};

const CONDA: Grammar = Grammar {
    names: &["conda", "mamba", "micromamba"],
    style: Style::Whole,
    is_global: true,
    rows: &[("", "npcrf", &["name", "prefix", "channel", "file", "root-prefix", "repodata-fn", "solver"])],
};

const GEM: Grammar = Grammar {
    names: &["gem"],
    style: Style::Whole,
    is_global: true,
    rows: &[
        (
            "",
            "vinps",
            &["version", "install-dir", "bindir", "platform", "source", "trust-policy", "key", "host", "otp"],
        ),
        ("install", "P", &["trust-policy"]),
        ("sources", "ar", &["add", "remove"]),
        ("owner", "ar", &["add", "remove"]),
    ],
};

const GO: Grammar = Grammar {
    names: &["go"],
    style: Style::SingleDash,
    is_global: true,
    rows: &[("", "", &["C", "o", "p", "run", "tags", "ldflags", "gcflags", "mod", "modfile", "overlay"])],
};
