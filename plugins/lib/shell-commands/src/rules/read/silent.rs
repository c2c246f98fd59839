//! Programs that keep to themselves what their words name. A program on no list here is taken for one that prints it.

mod commands;
mod services;

use self::{
    commands::{BUILTINS, OTHER_NAMES, WHOLE_FILES},
    services::{AGENTS, CLIENTS, SECRETS, VIEWERS},
};

/// Programs that neither print nor change the content of a file that one of their words names: they do something with
/// the file as a whole, their words are not files, or they pass it on to a store for secrets.
const SILENT: &[&[&str]] = &[BUILTINS, WHOLE_FILES, OTHER_NAMES, SECRETS, VIEWERS, AGENTS, CLIENTS];

/// Tools that take words of their own, unless the first of these tells them to run something.
const MANAGERS: &[&str] = &[
    "bun", "bundle", "cargo", "composer", "conda", "deno", "dotnet", "gem", "go", "mamba", "npm", "pdm",
    "pip", "pip3", "pipenv", "pipx", "pnpm", "poetry", "rustup", "uv", "yarn",
];
const RUNNING: &[&str] = &["dlx", "exec", "run", "start", "x", "runx", "eval"];

/// Clients that may also write the files that their words name.
const FETCHING: &[&str] =
    &["aws", "gcloud", "gsutil", "mc", "rclone", "s3cmd", "s5cmd", "az", "adb", "lxc", "incus", "multipass"];

/// Programs that keep what they read on the standard input: they put it into variables, into a place for secrets, or run it.
const TAKING: &[&str] = &[
    ".",
    "age",
    "at",
    "batch",
    "chpasswd",
    "cryptsetup",
    "declare",
    "doppler",
    "dotenvx",
    "envsubst",
    "export",
    "false",
    "fly",
    "flyctl",
    "getopts",
    "gpg",
    "gpg2",
    "heroku",
    "infisical",
    "kill",
    "mapfile",
    "netlify",
    "op",
    "openssl",
    "pass",
    "passwd",
    "railway",
    "read",
    "readarray",
    "security",
    "sops",
    "source",
    "ssh-add",
    "ssh-keygen",
    "step",
    "true",
    "vault",
    "vercel",
    "wrangler",
    "sleep",
    "cd",
    "mkdir",
    "touch",
    "wait",
    "supabase",
    "eas",
];

/// Returns true if a program does not print the files that its words name.
pub(super) fn keeps_operands(name: &str, first: &str) -> bool {
    SILENT.iter().any(|list| list.contains(&name)) || (MANAGERS.contains(&name) && !RUNNING.contains(&first))
}

/// Returns true if a program does not print its standard input.
pub(super) fn keeps_input(name: &str) -> bool {
    TAKING.contains(&name)
}

/// Returns true if a program may write each file that its words name, and prints none.
pub(super) fn fetches(name: &str) -> bool {
    FETCHING.contains(&name)
}
