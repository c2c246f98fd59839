//! Literals of code that name files which it only reads, so that its writes concern other files.

use std::collections::HashMap;

use super::{MAX_ARGUMENTS, MODES, OPENERS, is_name, words};
use crate::word::decode;

/// Functions that only look at the files which they are given.
const LOOKING: &[&str] = &[
    "access",
    "accessSync",
    "basename",
    "dirname",
    "exist",
    "exists",
    "existsSync",
    "file_get_contents",
    "getmtime",
    "getsize",
    "is_dir",
    "is_file",
    "isdir",
    "isfile",
    "listdir",
    "log",
    "lstat",
    "print",
    "puts",
    "read",
    "readFile",
    "readFileSync",
    "readTextFile",
    "readTextFileSync",
    "read_bytes",
    "read_text",
    "readdir",
    "readdirSync",
    "readlines",
    "scandir",
    "stat",
    "statSync",
];
/// Functions that copy what their first argument names.
const COPYING: &[&str] =
    &["copy", "copy2", "copyFile", "copyFileSync", "copyfile", "copytree", "cp", "cpSync", "cp_r"];
/// Functions that make a path of what they are given.
const PATHS: &[&str] = &[
    "",
    "Path",
    "PosixPath",
    "PurePath",
    "abspath",
    "expanduser",
    "expand_path",
    "join",
    "joinpath",
    "resolve",
];
/// Maximum size of the code, in bytes, and maximum number of examined places, in all and for one literal.
const MAX_CODE: usize = 64 * 1024;
const MAX_WORK: usize = 1024;
const MAX_WORK_EACH: usize = 48;
/// Maximum number of uses of a variable.
const MAX_USES: usize = 16;

/// A literal, and where it is in the code.
pub(super) struct Literal {
    pub(super) text: String,
    pub(super) line: usize,
    start: usize,
    end: usize,
}

/// The literals of a code that do not name files which it only looks at. Of too much code that is all.
pub(super) fn not_only_read(code: &str) -> Vec<Literal> {
    let mut left = if code.len() > MAX_CODE { 0 } else { MAX_WORK };
    let literals = placed(code);
    let uses = Uses::of(code, &literals);
    let is_named = |literal: &Literal| {
        let before = left;
        let mut own = left.min(MAX_WORK_EACH);
        let is_read = uses.is_read(literal.start, literal.end, &mut own);
        left -= before.min(MAX_WORK_EACH) - own;
        !is_read
    };
    literals.into_iter().filter(is_named).collect()
}

/// Returns all string literals. A quote in a comment may hide one.
fn placed(code: &str) -> Vec<Literal> {
    let mut found = Vec::new();
    let mut begin = 0;
    for (number, line) in code.split('\n').enumerate() {
        let mut at = 0;
        while let Some((start, quote)) = find_from(line, at, |c| matches!(c, '\'' | '"' | '`')) {
            let Some((end, _)) = find_from(line, start + 1, |c| c == quote) else { break };
            let text = decode(line.get(start + 1..end).unwrap_or_default());
            found.push(Literal { text, line: number, start: begin + start, end: begin + end + 1 });
            at = end + 1;
        }
        begin += line.len() + 1;
    }
    found
}

fn find_from(line: &str, from: usize, is: impl Fn(char) -> bool) -> Option<(usize, char)> {
    line.get(from..)?.char_indices().find(|(_, c)| is(*c)).map(|(at, c)| (from + at, c))
}

/// A code, and where its names are.
struct Uses<'c> {
    code: &'c str,
    of: HashMap<&'c str, Vec<usize>>,
}

impl<'c> Uses<'c> {
    /// A name within a text is not a variable, except in braces that insert its value.
    fn of(code: &'c str, literals: &[Literal]) -> Self {
        let mut texts = literals.iter().filter(|literal| !literal.text.contains('{')).peekable();
        let mut of: HashMap<&str, Vec<usize>> = HashMap::new();
        for (name, after) in words(code) {
            let at = code.len() - after.len() - name.len();
            while texts.next_if(|text| text.end <= at).is_some() {}
            let is_text = texts.peek().is_some_and(|text| text.start <= at);
            let is_member = code.get(..at).is_some_and(|before| before.ends_with('.'));
            if !is_text && !is_member {
                of.entry(name).or_default().push(at);
            }
        }
        Self { code, of }
    }

    /// Returns true if the value at this place of the code is only used to look at the file that it names.
    fn is_read(&self, start: usize, end: usize, work: &mut usize) -> bool {
        let Some(left) = work.checked_sub(1) else { return false };
        *work = left;
        let behind = self.code.get(end..).unwrap_or_default();
        if let Some(method) = method(behind) {
            return LOOKING.contains(&method)
                || (OPENERS.contains(&method) && argument_text(behind).is_some_and(opens_to_read));
        }
        if let Some(name) = assigned(self.code.get(..start).unwrap_or_default()) {
            return self
                .others(name, start)
                .is_some_and(|mut uses| uses.all(|at| self.is_read(at, at + name.len(), work)));
        }
        let Some(call) = enclosing(self.code, start) else { return false };
        let arguments = self.code.get(call.open + 1..call.close).unwrap_or_default();
        match call.name {
            name if LOOKING.contains(&name) => true,
            name if COPYING.contains(&name) => call.place == 0,
            name if OPENERS.contains(&name) => call.place == 0 && opens_to_read(behind_comma(arguments)),
            name if PATHS.contains(&name) => self.is_read(call.start, call.close + 1, work),
            _ => false,
        }
    }

    /// Where else a variable stands; nothing if that is too often.
    fn others(&self, name: &str, assignment: usize) -> Option<impl Iterator<Item = usize>> {
        let all = self.of.get(name).map(Vec::as_slice).unwrap_or_default();
        // Its own assignment is the last one in front of the value.
        let own = all.partition_point(|at| *at < assignment).checked_sub(1);
        let count = all.len() - usize::from(own.is_some());
        let others = all.iter().enumerate().filter(move |(number, _)| Some(*number) != own);
        (count <= MAX_USES).then(|| others.map(|(_, at)| *at))
    }
}

/// `.name(` behind a value.
fn method(behind: &str) -> Option<&str> {
    let rest = behind.strip_prefix('.')?;
    let (name, after) = rest.split_at(rest.find(|c| !is_name(c))?);
    after.starts_with('(').then_some(name)
}

fn argument_text(behind: &str) -> Option<&str> {
    let arguments = super::arguments(behind.get(behind.find('(')?..)?)?;
    Some(arguments.trim_start_matches('('))
}

fn behind_comma(arguments: &str) -> &str {
    arguments.split_once(',').map_or("", |(_, rest)| rest)
}

/// Returns true if these arguments of `open` open for reading, or state no mode.
fn opens_to_read(arguments: &str) -> bool {
    let is_reading = |argument: &str| {
        let argument = argument.trim();
        let value = argument.strip_prefix("mode=").unwrap_or(argument);
        let mode = value.trim_matches(['"', '\'']);
        let is_literal = value.len() > mode.len();
        argument.is_empty()
            || ["encoding=", "errors=", "newline="].iter().any(|begin| argument.starts_with(begin))
            || (is_literal && !MODES.contains(&mode) && mode.chars().all(|c| "rbt<".contains(c)))
    };
    arguments.split(',').all(is_reading)
}

/// `name` of `name = value`.
fn assigned(before: &str) -> Option<&str> {
    let rest = before.trim_end().strip_suffix('=')?;
    let rest = rest.trim_end();
    let name = rest.get(rest.rfind(|c| !is_name(c)).map_or(0, |at| at + 1)..)?;
    let front = rest.get(..rest.len() - name.len())?.trim_end();
    let is_statement = front.is_empty() || front.ends_with([';', '\n', ':', '{']);
    let declares = ["const", "let", "var", "my", "local"].iter().any(|word| front.ends_with(word));
    (!name.is_empty() && (is_statement || declares || rest.ends_with('\n'))).then_some(name)
}

/// A call that a place is an argument of.
struct Enclosing<'a> {
    name: &'a str,
    /// Position of the argument.
    place: usize,
    start: usize,
    open: usize,
    close: usize,
}

fn enclosing(code: &str, at: usize) -> Option<Enclosing<'_>> {
    let (mut depth, mut place) = (0usize, 0);
    let before = code.get(..at)?;
    let first = (at.saturating_sub(MAX_ARGUMENTS)..=at).find(|first| before.is_char_boundary(*first))?;
    for (open, c) in before.get(first..)?.char_indices().rev().map(|(open, c)| (first + open, c)) {
        match c {
            ')' | ']' | '}' => depth += 1,
            '[' | '{' | ';' | '\n' if depth == 0 => return None,
            '[' | '{' => depth -= 1,
            ',' if depth == 0 => place += 1,
            '(' if depth > 0 => depth -= 1,
            '(' => {
                let front = code.get(..open)?;
                let start = front.rfind(|c| !is_name(c)).map_or(0, |at| at + 1);
                let chain = front.rfind(|c| !is_name(c) && c != '.').map_or(0, |at| at + 1);
                let close = open + super::arguments(code.get(open..)?)?.len();
                return Some(Enclosing { name: front.get(start..)?, place, start: chain, open, close });
            }
            _ => {}
        }
    }
    None
}
