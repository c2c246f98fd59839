//! Packages that are removed although others need them, or come from an unreviewed source.

mod grammar;
mod language;
mod system;

pub(super) use self::grammar::GRAMMARS;
use super::{Pack, Program, publish::PYTHON};

pub(super) const PACK: Pack = Pack {
    name: "packages",
    is_default: false,
    programs: &[
        Program { names: &["apt", "apt-get", "aptitude"], rules: system::APT },
        Program { names: &["dpkg"], rules: system::DPKG },
        Program { names: &["dnf", "dnf5", "yum", "microdnf", "tdnf"], rules: system::DNF },
        Program { names: &["rpm"], rules: system::RPM },
        Program { names: &["zypper"], rules: system::ZYPPER },
        Program { names: &["pacman", "yay", "paru"], rules: system::PACMAN },
        Program { names: &["apk"], rules: system::APK },
        Program { names: &["brew"], rules: system::BREW },
        Program { names: &["snap", "flatpak"], rules: system::BUNDLES },
        Program {
            names: &["nix-env", "nix", "nix-collect-garbage", "nix-store", "guix"],
            rules: system::NIX,
        },
        Program { names: &["emerge"], rules: system::EMERGE },
        Program {
            names: &["port", "pkg", "opkg", "eopkg", "pamac", "winget", "choco", "scoop", "tlmgr"],
            rules: system::REMOVE_VERB,
        },
        Program {
            names: &["xbps-remove", "pkg_delete", "do-release-upgrade"],
            rules: system::WHOLE_PROGRAMS,
        },
        Program { names: &["add-apt-repository", "apt-add-repository", "apt-key"], rules: system::SOURCES },
        Program { names: PIP, rules: language::PIP },
        Program { names: PYTHON, rules: language::PIP_MODULE },
        Program { names: &["uv"], rules: language::UV },
        Program { names: &["pipx"], rules: language::PIPX },
        Program { names: &["conda", "mamba", "micromamba"], rules: language::CONDA },
        Program { names: &["npm", "pnpm", "bun"], rules: language::NPM },
        Program { names: &["yarn", "yarnpkg"], rules: language::YARN },
        Program { names: &["cargo"], rules: language::CARGO },
        Program { names: &["gem"], rules: language::GEM },
        Program { names: &["rustup"], rules: language::RUSTUP },
        Program { names: &["go"], rules: language::GO },
        Program {
            names: &[
                "pyenv", "rbenv", "nodenv", "goenv", "asdf", "mise", "nvm", "fnm", "volta", "sdk", "ghcup",
                "juliaup", "opam", "dotnet", "composer",
            ],
            rules: language::VERSIONS,
        },
    ],
    places: &[],
    checks: &[],
};

/// Names under which pip is started.
const PIP: &[&str] =
    &["pip", "pip2", "pip3", "pip3.8", "pip3.9", "pip3.10", "pip3.11", "pip3.12", "pip3.13", "pip3.14"];

const REMOVES: &str = "removes packages that the system or other people's work may need";
const KEEP_IT: &str = "leave it installed, or tell the person why it is in the way";
const UNVERIFIED: &str = "installs unverified software";
const VERIFY_IT: &str = "install it over https with its signature, or tell the person what fails";
const FORCES: &str = "makes the package manager go on where it would rather not";
const ASK_FIRST: &str = "tell the person what it complains about";
const UPGRADES: &str = "replaces the whole system's packages";
const ONE_BY_ONE: &str = "upgrade the package that is meant";
const TOOLS: &str = "removes tools that other projects of this person may need";
const LEAVE_TOOLS: &str = "leave them installed, or tell the person what they take";
