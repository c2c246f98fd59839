//! Code in other languages: only the shell commands that it gives to a plain call as plain text.

mod argv;
mod names;
mod reading;
mod removed;

use self::reading::{Literal, not_only_read};
use crate::word::decode;

/// Functions that run a command.
const RUNNERS: &[&str] = &[
    "Command",
    "Popen",
    "call",
    "check_call",
    "check_output",
    "exec",
    "execFile",
    "execFileSync",
    "execSync",
    "execl",
    "execute",
    "execlp",
    "execv",
    "execvp",
    "create_subprocess_exec",
    "create_subprocess_shell",
    "getoutput",
    "getstatusoutput",
    "passthru",
    "job_start",
    "jobstart",
    "popen",
    "proc_open",
    "run",
    "shell_exec",
    "spawn",
    "spawnSync",
    "spawnlp",
    "spawnvp",
    "system",
    "systemlist",
    "term_start",
    "termopen",
];
/// Functions that remove a folder with all that is in it.
const REMOVERS: &[&str] = &[
    "emptyDir",
    "emptyDirSync",
    "remove_dir",
    "remove_entry",
    "remove_entry_secure",
    "removedirs",
    "send2trash",
    "remove_dir_all",
    "remove_tree",
    "removeSync",
    "rimraf",
    "rm",
    "rmSync",
    "rm_r",
    "rm_rf",
    "rmdirSync",
    "rmtree",
];
/// Functions that remove a folder in some modules, and a single file or something else in others: only for folders that must stay.
const WHOLE_REMOVERS: &[&str] = &["del", "delSync", "remove", "rmdir", "unlink"];
/// Maximum number of variables that are looked up.
const MAX_VARIABLES: usize = 8;

/// Functions that create, change or remove a file.
const WRITERS: &[&str] = &[
    "appendFile",
    "appendFileSync",
    "chmod",
    "chmodSync",
    "copy",
    "copyFile",
    "copyFileSync",
    "copyfile",
    "copytree",
    "cpSync",
    "createWriteStream",
    "file_put_contents",
    "hardlink_to",
    "link",
    "linkSync",
    "makedirs",
    "mkdir",
    "mkdirSync",
    "move",
    "outputFile",
    "remove",
    "rename",
    "renameSync",
    "rm",
    "rmSync",
    "rmtree",
    "symlink",
    "symlinkSync",
    "symlink_to",
    "touch",
    "truncate",
    "truncateSync",
    "unlink",
    "unlinkSync",
    "writeFile",
    "writeFileSync",
    "writeTextFile",
    "writeTextFileSync",
    "write_bytes",
    "write_text",
];
/// Functions that also write, by names that have other meanings elsewhere.
const WRITING: &[&str] = &[
    "Bun.write(",
    "File.delete(",
    "delete(",
    "writefile(",
    "File.write(",
    "IO.write(",
    "O_CREAT",
    "O_RDWR",
    "O_WRONLY",
    "inplace=True",
    "os.replace(",
];
/// Ways to open a file for more than reading.
const MODES: &[&str] = &[
    "w", "a", "x", "wb", "ab", "xb", "w+", "a+", "x+", "r+", "rb+", "r+b", "wb+", "w+b", "wt", "at", ">",
    ">>", "+<",
];

/// Returns the files that the code may write: every literal, if the code writes anything.
pub(super) fn paths(code: &str) -> Vec<String> {
    if !writes(code) {
        return Vec::new();
    }
    // `open(F, ">path")`
    let named = not_only_read(code);
    let literals =
        named.iter().map(|literal| literal.text.trim_start_matches(['>', '+', '<']).trim().to_owned());
    let literals = literals.chain(in_home(code, &named));
    literals.filter(|literal| literal.contains('.') && literal.len() < MAX_PATH).collect()
}

/// Expressions that read the home folder.
const HOMES: &[&str] = &["HOME", "USERPROFILE", "Dir.home", "expanduser", "home()", "home_dir", "homedir"];

/// Returns the paths that code which reads the home folder may name there: `HOME + "/.config"`, `join(home, ".config",
/// "x")`.
fn in_home(code: &str, named: &[Literal]) -> Vec<String> {
    let mut found = Vec::new();
    let asks = HOMES.iter().any(|home| code.contains(home));
    for line in named.chunk_by(|one, next| one.line == next.line).filter(|_| asks) {
        let literals: Vec<String> = line.iter().map(|literal| literal.text.clone()).collect();
        for (at, literal) in literals.iter().enumerate() {
            let hidden = literal.starts_with('.') && !literal.starts_with("./") && !literal.starts_with("..");
            let below = literal.split_once("/.").map(|(_, below)| format!(".{below}"));
            let Some(first) = below.or_else(|| hidden.then(|| literal.clone())) else { continue };
            let more = literals.get(at + 1..).unwrap_or_default();
            found.push(format!("~/{first}"));
            found.extend(
                (1..=more.len().min(MAX_JOINED))
                    .filter_map(|count| Some(format!("~/{first}/{}", more.get(..count)?.join("/")))),
            );
        }
    }
    found
}

/// Maximum number of literals that are joined to a path.
const MAX_JOINED: usize = 4;

fn writes(code: &str) -> bool {
    let is_mode = |text: &String| MODES.contains(&text.as_str()) || text.starts_with(['>', '+']);
    // `open(path, mode)`, `path.open(mode)`, `open(path, mode=mode)`. Arguments without an end may have any mode.
    let opens = |after| arguments(after).is_none_or(|arguments| every_literal(arguments).iter().any(is_mode));
    WRITING.iter().any(|text| code.contains(text))
        || words(code).any(|(name, after)| {
            WRITERS.contains(&name) || REMOVERS.contains(&name) || (OPENERS.contains(&name) && opens(after))
        })
}

/// The names in a code, each with the text behind it.
fn words(code: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = code;
    std::iter::from_fn(move || {
        let (_, from) = rest.split_at(rest.find(is_name)?);
        let (name, after) = from.split_at(from.find(|c| !is_name(c)).unwrap_or(from.len()));
        rest = after;
        Some((name, after))
    })
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// How far the arguments of a call are looked for, in bytes. Each name may be a call, so this bounds the work per byte of code.
const MAX_ARGUMENTS: usize = 512;

/// The beginning of a text.
fn head(text: &str) -> &str {
    let end = (0..=MAX_ARGUMENTS.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or_default()).unwrap_or_default()
}

/// The text in the parentheses that a text begins with; `None` if they are not closed soon.
fn arguments(text: &str) -> Option<&str> {
    let mut depth = 0usize;
    let text = head(text);
    let end = text.find(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ')' && depth == 0
    });
    text.get(..end?)
}

/// The files that the code opens, or reads as a whole, with a plain name.
pub(super) fn opened(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (name, after) in words(code) {
        if OPENERS.contains(&name) || READERS.contains(&name) {
            // `open(F, "<", "path")`
            let arguments = head(after).split([')', ';']).next().unwrap_or_default();
            let paths = every_literal(arguments).into_iter().filter(|text| text.len() < MAX_PATH);
            found.extend(paths.map(|text| text.trim_start_matches(['<', ' ']).to_owned()));
        }
    }
    found.retain(|text| text.contains(['.', '/', '_']));
    found
}

/// Functions that read a file as a whole, or name one that is read next.
const READERS: &[&str] = &[
    "Path",
    "createReadStream",
    "file",
    "file_get_contents",
    "fromfile",
    "linecache",
    "loadtxt",
    "read",
    "readFile",
    "readFileSync",
    "readTextFile",
    "read_file",
    "read_lines",
    "read_text",
    "readfile",
    "readlines",
    "slurp",
];

/// Functions that open a file.
const OPENERS: &[&str] = &["open", "fopen", "openSync", "fdopen"];

/// Maximum length of a path; a longer literal is ignored.
const MAX_PATH: usize = 512;

/// Returns all string literals of the code. A quote in a comment may hide one.
fn every_literal(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in code.lines() {
        let mut rest = line;
        while let Some(start) = rest.find(['\'', '"', '`']) {
            let (_, from) = rest.split_at(start);
            let Some(quote) = from.chars().next() else { break };
            let body = from.get(1..).unwrap_or_default();
            let Some(end) = body.find(quote) else { break };
            let (literal, after) = body.split_at(end);
            found.push(decode(literal));
            rest = after.get(1..).unwrap_or_default();
        }
    }
    found
}

/// The commands that the code names, as shell text.
pub(super) fn commands(code: &str, has_backquotes: bool) -> Vec<String> {
    let mut found = removed::removals_by_file(code);
    let aliases = names::find_aliases(code);
    let mut variables = MAX_VARIABLES;
    let removes_folders = ["Deno.", "fs-extra"].iter().any(|module| code.contains(module));
    for (written, after) in words(code) {
        let (name, after) = (names::resolve_name(written, &aliases), names::skip_quoted_call(after));
        if RUNNERS.contains(&name) {
            found.push(literals(after).join(" "));
            found.extend(word_list(after));
        } else if OPENERS.contains(&name) {
            found.extend(piped(head(after).split([')', ';']).next().unwrap_or_default()));
        } else if matches!(name, "qx" | "x") && has_backquotes {
            found.extend(enclosed(head(after)).map(str::to_owned));
        } else if REMOVERS.contains(&name) {
            let path = removed::find_path(code, written, after, &mut variables);
            found.extend(
                path.map(|path| {
                    removed::removal_of_whole(&path).unwrap_or_else(|| format!("rm -rf '{path}'"))
                }),
            );
        } else if WHOLE_REMOVERS.contains(&name) && (removes_folders || name.starts_with("del")) {
            let path = removed::find_path(code, written, after, &mut variables);
            found.extend(path.and_then(|path| removed::removal_of_whole(&path)));
        }
    }
    found.extend(argv::commands(code));
    if has_backquotes {
        found.extend(code.split('`').skip(1).step_by(2).map(str::to_owned));
    }
    found.retain(|text| !text.trim().is_empty());
    found
}

/// `qw(rm -rf /)`, `%w[rm -rf /]`: words without quotes.
fn word_list(text: &str) -> Option<String> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || "(*{".contains(c));
    let list = text.strip_prefix("qw").or_else(|| text.strip_prefix("%w"))?;
    enclosed(list).map(str::to_owned)
}

/// Returns the text between the delimiters that a text begins with.
fn enclosed(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let open = text.chars().next().filter(|c| c.is_ascii_punctuation() && !"=,;)".contains(*c))?;
    let close = match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        other => other,
    };
    text.get(1..)?.split(close).next()
}

/// `open(F, "command |")`, `open F, "-|", "command"`.
fn piped(arguments: &str) -> Vec<String> {
    let literals = every_literal(arguments);
    let mut found = Vec::new();
    for (at, literal) in literals.iter().enumerate() {
        match literal.trim() {
            "-|" | "|-" => found.extend(literals.get(at + 1).cloned()),
            text => {
                found.extend(text.strip_suffix('|').or_else(|| text.strip_prefix('|')).map(str::to_owned));
            }
        }
    }
    found
}

/// The string literals that an argument list begins with.
fn literals(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || "([,".contains(c));
        let Some(quote) = rest.chars().next().filter(|c| "'\"`".contains(*c)) else {
            return found;
        };
        let body = rest.get(1..).unwrap_or_default();
        let mut escaped = false;
        let end = body.find(|c| {
            let closes = c == quote && !escaped;
            escaped = c == '\\' && !escaped;
            closes
        });
        let Some(end) = end else { return found };
        let (literal, after) = body.split_at(end);
        found.push(decode(literal));
        rest = after.get(1..).unwrap_or_default();
    }
}
