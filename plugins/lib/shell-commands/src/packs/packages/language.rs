//! Package managers of languages. Packages that a project's lock file restores are not a loss.

use super::{ASK_FIRST, FORCES, LEAVE_TOOLS, TOOLS, UNVERIFIED, VERIFY_IT};
use crate::packs::Rule;

const fn tool(shapes: &'static [&'static str]) -> Rule {
    Rule::ask("tool-remove", shapes, TOOLS, LEAVE_TOOLS)
}

const fn unverified(shapes: &'static [&'static str]) -> Rule {
    Rule::ask("package-unverified", shapes, UNVERIFIED, VERIFY_IT)
}

const fn address(shapes: &'static [&'static str]) -> Rule {
    Rule::off(
        "package-from-address",
        shapes,
        "installs from an address and not from a registry",
        "install a released version from the registry",
    )
}

const fn system_wide(shapes: &'static [&'static str]) -> Rule {
    Rule::ask("package-force", shapes, FORCES, ASK_FIRST)
}

const fn set(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "package-set-remove",
        shapes,
        "removes a whole set of packages from an environment",
        "make a new environment: `python -m venv .venv`",
    )
}

pub(super) const PIP: &[Rule] = &[
    set(&["uninstall -r|--requirement", "uninstall ** \u{FDD0}"]),
    unverified(&[
        "install|download|wheel --trusted-host !--trusted-host=<here>",
        "install|download|wheel -i|--index-url|--extra-index-url|-f|--find-links=http://* \
         !-i|--index-url|--extra-index-url|-f|--find-links=<here>",
        "install|download|wheel ** http://*|git+http://*|git+git://*|*@*http://*",
        "config set *trusted-host",
        "config set *index-url http://*",
    ]),
    system_wide(&["install|uninstall --break-system-packages"]),
    address(&["install ** git+*|https://*|*@*git+*|*@*https://*"]),
];

pub(super) const PIP_MODULE: &[Rule] = &[
    set(&["-m=pip uninstall -r|--requirement"]),
    unverified(&[
        "-m=pip install|download --trusted-host !--trusted-host=<here>",
        "-m=pip install|download --index-url|--extra-index-url=http://* \
         !--index-url|--extra-index-url=<here>",
        "-m=pip install ** http://*|git+http://*",
    ]),
    system_wide(&["-m=pip install|uninstall --break-system-packages"]),
    address(&["-m=pip install ** git+*|https://*"]),
];

pub(super) const UV: &[Rule] = &[
    set(&["pip uninstall -r|--requirement|--requirements"]),
    tool(&["tool uninstall", "python uninstall", "self uninstall"]),
    unverified(&[
        "--allow-insecure-host|--trusted-host !--allow-insecure-host|--trusted-host=<here>",
        "--index|--default-index|--index-url|--extra-index-url|-i|--find-links=http://* \
         !--index|--default-index|--index-url|--extra-index-url|-i|--find-links=<here>",
        "add|pip ** http://*|git+http://*|git+git://*",
    ]),
    system_wide(&["pip install|uninstall|sync --break-system-packages"]),
    address(&["add ** git+*|https://*|*@*git+*", "pip install ** git+*|https://*|*@*git+*"]),
];

pub(super) const PIPX: &[Rule] = &[tool(&["uninstall", "uninstall-all"])];

pub(super) const CONDA: &[Rule] = &[
    set(&["env remove !-d|--dry-run", "remove|uninstall --all !-d|--dry-run"]),
    unverified(&["install -k|--insecure", "config --set ssl_verify false|no"]),
];

pub(super) const NPM: &[Rule] = &[
    tool(&["uninstall|unlink|remove|rm|r|un|uni -g|--global !--dry-run"]),
    unverified(&[
        "--registry=http://* !--registry=<here>",
        "install|i|in|add|ci --no-strict-ssl",
        "install|i|in|add|ci --strict-ssl=false",
        "install|i|in|add ** http://*|git+http://*|git://*|*@http://*|*@git+http://*",
        "config|c set strict-ssl false|strict-ssl=false",
        "config|c set strict-ssl=false|registry=http://*",
        "config|c set registry http://*",
        "set strict-ssl=false|registry=http://*",
    ]),
    address(&["install|i|in|add ** git+*|https://*|github:*|gitlab:*|bitbucket:*|git@*"]),
];

pub(super) const YARN: &[Rule] = &[
    tool(&["global remove"]),
    unverified(&[
        "add ** http://*|git+http://*|git://*|*@http://*|*@git+http://*",
        "config set strict-ssl|enableStrictSsl false",
        "config set registry|npmRegistryServer http://*",
        "--registry=http://* !--registry=<here>",
    ]),
    address(&["add|global ** git+*|https://*|*@https://*"]),
];

pub(super) const CARGO: &[Rule] = &[
    tool(&["uninstall", "+* uninstall"]),
    unverified(&["install|add --git=http://*|git://*"]),
    address(&["install --git"]),
];

pub(super) const GEM: &[Rule] = &[
    tool(&["uninstall"]),
    unverified(&[
        "install -P|--trust-policy=NoSecurity|LowSecurity",
        "install -s|--source=http://*",
        "sources -a|--add=http://*",
    ]),
];

pub(super) const RUSTUP: &[Rule] = &[tool(&["self uninstall", "toolchain uninstall|remove", "uninstall"])];

pub(super) const GO: &[Rule] = &[unverified(&[
    "get -insecure|--insecure",
    "env -w ** GONOSUMDB=*|GONOSUMCHECK=*|GOFLAGS=-insecure|GOSUMDB=off|GOINSECURE=*",
])];

pub(super) const VERSIONS: &[Rule] = &[tool(&[
    "uninstall",
    "implode|destroy",
    "plugin|plugins remove|uninstall|rm",
    "switch remove|delete",
    "remove -g|--global",
    "global remove",
    "tool uninstall -g|--global",
    "rm *",
])];
