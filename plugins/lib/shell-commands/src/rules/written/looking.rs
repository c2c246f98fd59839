//! Programs that only look at the files which their words name, and with which words they do more.

use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
    wrapper::is_interpreter,
};

/// Programs, with the words that make them change the files that they read.
const UNLESS: &[(&[&str], &[&str])] = &[
    (
        &[
            "b3sum",
            "bandit",
            "bloaty",
            "cloc",
            "crc32",
            "flake8",
            "gdb",
            "hexyl",
            "hyperfine",
            "jsonlint",
            "ldd",
            "lldb",
            "loc",
            "md5",
            "mypy",
            "nm",
            "otool",
            "perf",
            "pylint",
            "pyright",
            "pytest",
            "readelf",
            "scc",
            "semgrep",
            "shellcheck",
            "size",
            "sum",
            "tokei",
            "xxh64sum",
            "xxhsum",
            "wasm-decompile",
            "wasm-dis",
            "wasm-objdump",
            "wasm-tools",
            "wasm-validate",
            "wasm2wat",
            "yamllint",
        ],
        &[],
    ),
    (&["biome", "dprint", "oxlint"], &["--write", "--fix", "--apply", "--apply-unsafe", "fmt"]),
    (&["autopep8", "clang-format", "yapf"], &["-i", "--in-place", "--inplace"]),
    (&["eslint", "stylelint", "markdownlint"], &["--fix", "-f"]),
    (&["gofmt", "gofumpt", "goimports", "shfmt"], &["-w", "--write"]),
    (&["prettier"], &["--write", "-w"]),
    (&["ruff"], &["--fix", "--fix-only", "format"]),
    (&["taplo"], &["fmt", "format"]),
];
/// Programs that change the files that they are passed, unless one of these words makes them only read.
const ONLY_IF: &[(&[&str], &[&str])] = &[
    (&["black", "isort"], &["--check", "--check-only", "--diff", "-c"]),
    (&["ruff"], &["--check", "--diff"]),
    (&["rustfmt", "stylua"], &["--check"]),
    (&["sqlite3"], &["-readonly", "--readonly"]),
];
/// Programs that are there to change the files that they are given.
const REWRITING: &[&str] = &[
    "autoflake",
    "ditto",
    "dos2unix",
    "mac2unix",
    "pyupgrade",
    "recode",
    "rpl",
    "sd",
    "unix2dos",
    "unix2mac",
];
/// Modules of Python that only look.
const MODULES: &[&str] = &["compileall", "py_compile", "tabnanny", "tokenize"];

/// Returns true if a command only reads the files that its words name.
pub(super) fn only_looks(name: &str, call: &Call) -> bool {
    let has_word = |words: &[&str]| call.args().iter().any(|arg| words.contains(&arg.as_str()));
    let looks = UNLESS.iter().any(|(names, words)| names.contains(&name) && !has_word(words));
    looks
        || ONLY_IF.iter().any(|(names, words)| names.contains(&name) && has_word(words))
        || (name == "sqlite3" && call.args().iter().any(|arg| arg.as_str().contains("mode=ro")))
        || (is_interpreter(name) && (is_looking_module(call) || checks_syntax(name, call)))
}

/// Returns true if a reading program's arguments make it change its files, or a program always changes the files that
/// it is passed.
pub(super) fn rewrites(name: &str, call: &Call) -> bool {
    let is_known = |name: &str| {
        REWRITING.contains(&name) || UNLESS.iter().chain(ONLY_IF).any(|(names, _)| names.contains(&name))
    };
    let runs_known = || is_interpreter(name) && is_known(&module(call));
    (is_known(name) || runs_known()) && !only_looks(name, call)
}

/// `perl -c file`
fn checks_syntax(name: &str, call: &Call) -> bool {
    matches!(name, "perl" | "ruby")
        && call.args().iter().any(|arg| matches!(arg.as_str(), "-c" | "-wc" | "-cw"))
}

/// `module` of `python3 -m module file`
fn module(call: &Call) -> String {
    let options = Options::parse(call.args(), Grammar { short: "mWX", long: &[], anywhere: false });
    options.value(&["m"]).map(|module| module.text.clone()).unwrap_or_default()
}

/// `python3 -m json.tool file`. A second file would be written.
fn is_looking_module(call: &Call) -> bool {
    let options = Options::parse(call.args(), Grammar { short: "mWX", long: &[], anywhere: false });
    let module = options.value(&["m"]).map_or("", Arg::as_str);
    // `python3 -m black --check file`
    let is_program = || UNLESS.iter().chain(ONLY_IF).any(|(names, _)| names.contains(&module));
    MODULES.contains(&module)
        || (is_program() && only_looks(module, call))
        || (module == "json.tool" && options.operands.len() < 2)
}

/// Returns true if an editor's options prevent it from writing: `vim -R file`. Its commands are examined separately.
pub(super) fn is_viewer(options: &Options) -> bool {
    let has_commands = options.operands.iter().any(|arg| arg.as_str().starts_with('+'))
        || options.value(&["c", "S", "--cmd"]).is_some();
    options.has_letter("RM") && !has_commands
}
