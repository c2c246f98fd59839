//! Folders that code removes as a whole: by one call, or file by file.

use super::{arguments, every_literal, head, is_name, literals, words};
use crate::{
    arg::HOME,
    call::Call,
    target::{Target, classify},
};

/// Expressions for the home folder, without blanks and quotes.
const HOMES: &[&str] = &[
    "$ENV{HOME}",
    "Dir.home",
    "ENV.fetch(HOME)",
    "ENV[HOME]",
    "Path(~).expanduser()",
    "Path.home()",
    "expanduser(~)",
    "homedir()",
    "os.environ.get(HOME)",
    "os.environ[HOME]",
    "os.getenv(HOME)",
    "os.homedir()",
    "os.path.expanduser(~)",
    "pathlib.Path.home()",
    "process.env.HOME",
    "require(os).homedir()",
];
/// Names of arguments, and functions that make a path of a text.
const IN_FRONT: &[&str] = &["path=", "path:", "Path(", "pathlib.Path(", "str(", "Pathname.new("];
/// Functions that remove one file.
const SINGLE: &[&str] = &["delete", "remove", "rmdir", "rmdirSync", "safe_unlink", "unlink", "unlinkSync"];
/// Functions that list the files below a folder.
const WALKERS: &[&str] = &["Dir", "find", "finddepth", "glob", "iglob", "rglob", "unlink", "walk"];
/// Maximum number of bytes of an expression, of uses of a variable that are looked at, and of variables.
const MAX_EXPRESSION: usize = 64;
const MAX_USES: usize = 8;

/// Returns the path that a function is passed, if the code determines it. Variables are looked up while `left` is not zero.
pub(super) fn find_path<'a>(
    code: &'a str,
    function: &str,
    after: &'a str,
    left: &mut usize,
) -> Option<String> {
    // `Pathname.new("/").rmtree`
    let called_on = || find_receiver(code, function, after).filter(|_| !after.starts_with('('));
    let mut text = head(after).trim_start_matches(|c: char| c.is_whitespace() || "([{".contains(c));
    if is_home(text) {
        return Some(HOME.to_string());
    }
    let mut wraps = false;
    while let Some(rest) = IN_FRONT.iter().find_map(|front| text.strip_prefix(front)) {
        wraps |= !text.starts_with("path");
        text = rest.trim_start();
    }
    if let Some(path) = literals(text).into_iter().next() {
        // `Path("/") / name` is another path.
        let behind = text.split_once(')').map_or("", |(_, behind)| behind.trim_start());
        return (!wraps || !behind.starts_with(['/', '.', '+'])).then_some(path);
    }
    find_value(code, text, left).or_else(called_on)
}

/// Returns the literal that a variable stands for.
fn find_value(code: &str, text: &str, left: &mut usize) -> Option<String> {
    let text = text.trim_start_matches('$');
    let (name, behind) = text.split_at(text.find(|c| !is_name(c)).unwrap_or(text.len()));
    let ends = behind.trim_start().chars().next().is_none_or(|c| ",)};\n".contains(c));
    *left = left.checked_sub(1)?;
    if name.is_empty() || !ends {
        return None;
    }
    let mut uses = code.match_indices(name).take(MAX_USES);
    uses.find_map(|(at, _)| {
        let rest =
            code.get(at + name.len()..)?.trim_start_matches(' ').strip_prefix('=')?.trim_start_matches(' ');
        rest.starts_with(['"', '\'']).then(|| literals(rest).into_iter().next())?
    })
}

/// Returns true if a text begins with an expression for the home folder and nothing is added to it.
fn is_home(text: &str) -> bool {
    let text: String =
        text.chars().take(MAX_EXPRESSION).filter(|c| !c.is_whitespace() && !"'\"".contains(*c)).collect();
    let is_whole = |home: &str| {
        let behind = text.strip_prefix(home);
        behind.is_some_and(|rest| rest.chars().next().is_none_or(|c| ",)];}".contains(c)))
    };
    HOMES.iter().any(|home| is_whole(home))
}

/// `Path("/").rglob`: the path that a function is called on.
fn find_receiver(code: &str, function: &str, after: &str) -> Option<String> {
    let end = code.len().checked_sub(after.len() + function.len())?;
    let start = (end.saturating_sub(MAX_EXPRESSION)..=end).find(|at| code.is_char_boundary(*at))?;
    let before = code.get(start..end)?.strip_suffix('.')?;
    if before.ends_with(".home()") || before.ends_with(".expanduser()") {
        return Some(HOME.to_string());
    }
    let inner = before.strip_suffix(')')?;
    let quote = inner.chars().next_back().filter(|c| "'\"".contains(*c))?;
    let (_, literal) = inner.strip_suffix(quote)?.rsplit_once(quote)?;
    Some(literal.to_owned())
}

/// Returns the command that removes a path, if it is a folder that must stay.
pub(super) fn removal_of_whole(path: &str) -> Option<String> {
    let base = path.trim_end_matches(['*', '/']);
    let base = if base.is_empty() && path.starts_with('/') { "/" } else { base };
    let base = base.strip_prefix('~').map_or_else(|| base.to_owned(), |below| format!("{HOME}{below}"));
    let target = classify(&base, &Call::default()).filter(|target| *target != Target::Here)?;
    let shown =
        if target == Target::Home && base.starts_with(HOME) { "~".to_owned() } else { format!("'{base}'") };
    Some(format!("rm -rf {shown}"))
}

/// Returns the folders whose files the code lists and removes one by one, as commands.
pub(super) fn removals_by_file(code: &str) -> Vec<String> {
    if !words(code).any(|(name, _)| SINGLE.contains(&name)) {
        return Vec::new();
    }
    let walkers = words(code).filter(|(name, _)| WALKERS.contains(name));
    let paths = walkers.flat_map(|(name, after)| {
        let given = if name.starts_with("find") {
            every_literal(arguments(after).unwrap_or_else(|| head(after)))
        } else {
            literals(head(after))
        };
        // `unlink </*>`
        let globbed = after.trim_start().strip_prefix('<').and_then(|rest| head(rest).split('>').next());
        given.into_iter().chain(globbed.map(str::to_owned)).chain(find_receiver(code, name, after))
    });
    paths.filter_map(|path| removal_of_whole(&path)).take(MAX_USES).collect()
}
