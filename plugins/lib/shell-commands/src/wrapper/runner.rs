//! Tools that run a command in an environment of theirs: `poetry run`, `npm exec`, `perf stat`.

use super::{Inner, Wrapped};
use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
};

/// A tool, the subcommands that run something, its short options with a value, and its long ones. One without
/// subcommands always runs something.
type Row = (&'static str, &'static [&'static str], &'static str, &'static [&'static str]);

const RUNNERS: &[Row] = &[
    ("asdf", &["exec"], "", &[]),
    ("bun", &["x"], "", &[]),
    ("bundle", &["exec"], "", &["gemfile"]),
    ("bunx", &[], "p", &["package"]),
    ("conda", &["run"], "np", &["name", "prefix", "cwd"]),
    ("hatch", &["run"], "ep", &["env", "project"]),
    ("mamba", &["run"], "np", &["name", "prefix", "cwd"]),
    ("micromamba", &["run"], "np", &["name", "prefix", "cwd"]),
    ("mise", &["exec", "x"], "cCj", &["command", "cd", "jobs"]),
    ("npm", &["exec", "exe", "x"], "cpw", &["call", "package", "workspace", "prefix"]),
    ("npx", &[], "cpw", &["call", "package", "workspace"]),
    ("pdm", &["run"], "p", &["project"]),
    (
        "perf",
        &["record", "stat", "trace"],
        "CDFGIMeoprtx",
        &[
            "event",
            "pid",
            "tid",
            "cpu",
            "repeat",
            "output",
            "freq",
            "count",
            "field-separator",
            "delay",
            "cgroup",
        ],
    ),
    ("pipenv", &["run"], "", &["python"]),
    ("pixi", &["run"], "e", &["environment", "manifest-path"]),
    ("pipx", &["run"], "", &["spec", "python", "pip-args"]),
    ("pnpm", &["exec", "dlx"], "CF", &["dir", "filter", "package"]),
    ("poetry", &["run"], "CP", &["directory", "project"]),
    ("pyenv", &["exec"], "", &[]),
    ("rbenv", &["exec"], "", &[]),
    ("rye", &["run"], "", &["pyproject"]),
    (
        "uv",
        &["run"],
        "p",
        &[
            "with",
            "with-requirements",
            "with-editable",
            "python",
            "extra",
            "group",
            "package",
            "project",
            "directory",
            "env-file",
            "index",
        ],
    ),
    ("uvx", &[], "pw", &["from", "with", "python", "index"]),
    ("yarn", &["exec", "dlx"], "p", &["package", "cwd"]),
];

pub(super) fn unwrap(name: &str, call: &Call) -> Option<Wrapped> {
    if name == "nix-shell" {
        return Some(nix_shell(call));
    }
    let (_, subcommands, short, long) = RUNNERS.iter().find(|(known, ..)| *known == name)?;
    let grammar = Grammar { short, long, anywhere: false };
    let mut options = Options::parse(call.args(), grammar);
    let mut label = name.to_owned();
    if !subcommands.is_empty() {
        let (subcommand, rest) = options.operands.split_first()?;
        let subcommand = subcommands.iter().find(|known| subcommand.as_str() == **known)?;
        label = format!("{name} {subcommand}");
        options = Options::parse(rest, grammar);
    }
    if let Some(text) = options.value(&["c", "--call", "--command"]) {
        return Some(Wrapped::script(&format!("{label} -c"), text.clone()));
    }
    let mut wrapped = Wrapped::words(&label, command(&options.operands))?;
    // `npm exec program -- words`: what stands in front may be the program.
    if let Some(at) = options.operands.iter().position(|word| word.as_str() == "--").filter(|at| *at > 0) {
        let (program, rest) = options.operands.split_at(at);
        wrapped.inner.push(Inner::Words([program, rest.get(1..).unwrap_or_default()].concat()));
    }
    wrapped.folder = options.value(&["--directory", "--cwd", "--dir", "--cd"]).cloned();
    Some(wrapped)
}

/// The words behind `--`, if there are any, else all.
fn command(words: &[Arg]) -> &[Arg] {
    let dashes = words.iter().position(|word| word.as_str() == "--");
    dashes.and_then(|at| words.get(at + 1..)).unwrap_or(words)
}

fn nix_shell(call: &Call) -> Wrapped {
    let long = &["run", "command", "attr", "expr", "keep"];
    let options = Options::parse(call.args(), Grammar { short: "AEI", long, anywhere: true });
    match options.value(&["--run", "--command"]) {
        Some(text) => Wrapped::script("nix-shell --run", text.clone()),
        None => Wrapped::of_input("nix-shell"),
    }
}
