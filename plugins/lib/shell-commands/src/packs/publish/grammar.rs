//! Options of these programs that take a value.

use super::PYTHON;
use crate::packs::{Grammar, Style};

pub(in crate::packs) const GRAMMARS: &[Grammar] = &[NODE, CARGO, PYTHON_ITSELF, UV, POETRY, MAVEN, GRADLE];

const NODE: Grammar = Grammar {
    names: &["npm", "pnpm", "yarn", "yarnpkg", "bun", "lerna"],
    style: Style::Answered,
    is_global: true,
    rows: &[(
        "",
        "wCF",
        &[
            "access",
            "cache",
            "cwd",
            "dir",
            "filter",
            "include",
            "exclude",
            "loglevel",
            "message",
            "omit",
            "otp",
            "prefix",
            "provenance-file",
            "registry",
            "scope",
            "tag",
            "userconfig",
            "workspace",
        ],
    )],
};

const CARGO: Grammar = Grammar {
    names: &["cargo"],
    style: Style::Whole,
    is_global: true,
    rows: &[
        (
            "",
            "pFjCZ",
            &[
                "package",
                "exclude",
                "features",
                "jobs",
                "manifest-path",
                "registry",
                "index",
                "token",
                "config",
                "color",
                "target",
                "target-dir",
                "git",
                "branch",
                "tag",
                "rev",
                "path",
                "root",
                "version",
                "vers",
            ],
        ),
        ("owner", "ar", &["add", "remove"]),
    ],
};

const PYTHON_ITSELF: Grammar = Grammar {
    names: PYTHON,
    style: Style::Whole,
    is_global: true,
    rows: &[(
        "",
        "mcWX",
        &["check-hash-based-pycs", "index-url", "extra-index-url", "requirement", "trusted-host"],
    )],
};

const UV: Grammar = Grammar {
    names: &["uv"],
    style: Style::Whole,
    is_global: true,
    rows: &[(
        "",
        "pifPrct",
        &[
            "allow-insecure-host",
            "cache-dir",
            "color",
            "config-file",
            "constraint",
            "default-index",
            "directory",
            "extra-index-url",
            "find-links",
            "index",
            "index-url",
            "package",
            "project",
            "publish-url",
            "python",
            "requirement",
            "token",
            "username",
            "password",
        ],
    )],
};

const POETRY: Grammar = Grammar {
    names: &["poetry"],
    style: Style::Whole,
    is_global: true,
    rows: &[(
        "",
        "CPrup",
        &["directory", "project", "repository", "username", "password", "cert", "client-cert", "dist-dir"],
    )],
};

/// `-pl core`: the letter that takes the value is the second one.
const MAVEN: Grammar = Grammar {
    names: &["mvn", "mvnw", "mvnd"],
    style: Style::Whole,
    is_global: true,
    rows: &[("", "DPflstTb", &["define", "file", "settings", "projects", "activate-profiles", "threads"])],
};

const GRADLE: Grammar = Grammar {
    names: &["gradle", "gradlew"],
    style: Style::Whole,
    is_global: true,
    rows: &[(
        "",
        "PDpxbcgI",
        &["project-dir", "exclude-task", "init-script", "gradle-user-home", "project-prop", "system-prop"],
    )],
};
