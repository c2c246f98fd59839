//! Commands that list a folder and delete everything on the list. The walk through a command only knows files by their names.

use std::collections::BTreeSet;

use super::text::{CARRIERS, KEYWORDS, name_of, remove_quotes, split_words};

/// Programs that list the content of a folder.
const LISTING: [&str; 7] = ["ls", "dir", "vdir", "stat", "du", "tree", "eza"];
/// Programs that delete, move or empty their arguments.
const REMOVING: [&str; 6] = ["rm", "mv", "unlink", "shred", "truncate", "rmdir"];
/// Programs that run a command with the words that they read.
const FEEDING: [&str; 2] = ["xargs", "parallel"];
/// Maximum length of commands with substitutions that are read again, bytes.
const MOST_WHOLE: usize = 1 << 20;
/// Words that begin a condition.
const CONDITIONS: [&str; 4] = ["while", "until", "if", "elif"];
/// Programs that read lines into a variable.
const ARRAYS: [&str; 2] = ["mapfile", "readarray"];
/// Options that make `find` find less, in a way that the walk knows.
const NARROWING: [&str; 10] = [
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-regex",
    "-iregex",
    "-lname",
    "-maxdepth",
];
/// Programs that only read their arguments.
const READING: [&str; 18] = [
    "basename",
    "cat",
    "du",
    "echo",
    "file",
    "grep",
    "egrep",
    "head",
    "ls",
    "md5sum",
    "readlink",
    "realpath",
    "rg",
    "sha256sum",
    "stat",
    "tail",
    "test",
    "wc",
];
/// Programs that only read their arguments before the last word.
const COPYING: [&str; 3] = ["cp", "ln", "install"];

/// Returns the folders that are listed or searched and of which every entry is deleted.
pub(super) fn find_swept(command: &str) -> Vec<String> {
    let text = &remove_quotes(command);
    let simples = split_commands(text);
    let takers = find_takers(&simples);
    let taken = taken_variables(&simples);
    let (mut folders, mut is_any, mut left): (Vec<&str>, bool, usize) = (Vec::new(), false, MOST_WHOLE);
    for (simple, taker) in simples.iter().zip(&takers) {
        let Some((program, arguments)) = simple.called() else { continue };
        // Its arguments may contain substitutions, at which the pieces of the line end.
        let whole = if program == "find" {
            read_whole_command(text, simple.before.len(), &mut left)
        } else {
            Vec::new()
        };
        let arguments = whole.split_first().map_or(arguments, |(_, arguments)| arguments);
        let starts = find_start_folders(program, arguments);
        let is_taken = |name: &str| {
            let folders = starts.iter().map(|folder| folder.trim_end_matches('/')).chain([""]);
            folders.map(|folder| (folder, name)).any(|pair| taken.contains(&pair))
        };
        let goes = match simple.assigned().unwrap_or(*taker) {
            OutputConsumer::ReadOnly => false,
            OutputConsumer::Removal => true,
            OutputConsumer::Variable(name) => is_taken(name),
            OutputConsumer::Program => program == "find",
        };
        let is_swept = match program {
            "find" => !is_narrow(arguments) && (goes || changes_files(arguments)),
            "select" => arguments.first().is_some_and(|name| is_taken(name)),
            program => goes && LISTING.contains(&program),
        };
        if is_swept {
            folders.extend(starts);
        }
        is_any |= is_swept;
    }
    // A listing without a folder is of the folder that the line has changed to.
    folders.extend(simples.iter().filter(|_| is_any).filter_map(SimpleCommand::folder));
    folders.into_iter().map(str::to_owned).collect()
}

/// Returns the words of a command that begins at `start`, with those behind a substitution, within the bytes that are `left`.
fn read_whole_command<'t>(text: &'t str, start: usize, left: &mut usize) -> Vec<&'t str> {
    let mut depth = 0usize;
    let rest = text.get(start..).unwrap_or_default();
    let mut end = 0;
    for (at, c) in rest.char_indices().take(*left) {
        end = at + c.len_utf8();
        match c {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            c if depth == 0 && is_end(c) => break,
            _ => {}
        }
    }
    // The bytes count for all commands of a line together; otherwise the time would grow with the square of its
    // length.
    *left = left.saturating_sub(end);
    let from = rest.get(..end).unwrap_or_default();
    split_words(from.find("find").and_then(|at| from.get(at..)).unwrap_or(from)).collect()
}

/// A simple command without its surroundings.
struct SimpleCommand<'t> {
    words: Vec<&'t str>,
    /// The text in front of it.
    before: &'t str,
    /// True if its output is piped to the next command.
    is_piped: bool,
}

#[derive(Clone, Copy)]
enum OutputConsumer<'t> {
    /// No consumer, or one that only reads the output.
    ReadOnly,
    /// A command that deletes its arguments.
    Removal,
    Variable(&'t str),
    Program,
}

pub(super) fn is_end(c: char) -> bool {
    matches!(c, ';' | '\n' | '`' | '(' | ')' | '|' | '&')
}

fn split_commands(text: &str) -> Vec<SimpleCommand<'_>> {
    let mut at = 0;
    let piece = |piece: &'_ str| {
        let start = at;
        at += piece.len();
        start
    };
    let starts: Vec<usize> = text.split_inclusive(is_end).map(piece).collect();
    let pieces = text.split_inclusive(is_end).zip(starts);
    pieces
        .map(|(piece, start)| SimpleCommand {
            words: split_words(piece).collect(),
            before: text.get(..start).unwrap_or_default(),
            is_piped: piece.ends_with('|'),
        })
        .collect()
}

impl<'t> SimpleCommand<'t> {
    /// Returns the program that is called, and its arguments.
    fn called(&self) -> Option<(&'t str, &[&'t str])> {
        let is_before =
            |word: &&&str| CARRIERS.contains(*word) || KEYWORDS.contains(*word) || CONDITIONS.contains(*word);
        let before = self.words.iter().take_while(is_before).count();
        let (program, arguments) = self.words.get(before..)?.split_first()?;
        Some((name_of(program), arguments))
    }

    fn folder(&self) -> Option<&'t str> {
        self.called().filter(|(program, _)| matches!(*program, "cd" | "pushd"))?.1.first().copied()
    }

    /// Returns the consumer of the output if the command is in a substitution.
    fn assigned(&self) -> Option<OutputConsumer<'t>> {
        let marks = ["$(", "<(", "`"];
        let before = marks.iter().find_map(|mark| self.before.strip_suffix(mark))?;
        let head = before.rsplit(is_end).next().unwrap_or_default();
        let head = SimpleCommand { words: split_words(head).collect(), before: "", is_piped: false };
        let (program, arguments) = head.called()?;
        let name = |word: &&'t str| word.strip_suffix('=').filter(|name| !name.is_empty());
        Some(match (program, arguments) {
            (program, _) if REMOVING.contains(&program) => OutputConsumer::Removal,
            (program, arguments) if FEEDING.contains(&program) => classify_xargs(arguments),
            ("for" | "select", [name, ..]) => OutputConsumer::Variable(name),
            (program, [.., last]) if ARRAYS.contains(&program) => OutputConsumer::Variable(last),
            _ => head.words.last().and_then(name).map_or(OutputConsumer::ReadOnly, OutputConsumer::Variable),
        })
    }

    /// Returns the consumer of piped output if the command passes its input on as arguments or variables.
    fn takes(&self) -> Option<OutputConsumer<'t>> {
        let (program, arguments) = self.called()?;
        if FEEDING.contains(&program) {
            return Some(classify_xargs(arguments));
        }
        let reads = self.words.iter().position(|word| *word == "read")?;
        self.words.get(reads + 1..)?.last().map(|name| OutputConsumer::Variable(name))
    }
}

/// Returns the kind of command that `xargs` runs.
fn classify_xargs<'t>(arguments: &[&'t str]) -> OutputConsumer<'t> {
    if arguments.iter().any(|word| REMOVING.contains(&name_of(word))) {
        return OutputConsumer::Removal;
    }
    let is_option = |word: &&&str| word.starts_with('-') || word.contains("{}");
    let options = arguments.iter().take_while(is_option).count();
    if is_reading(arguments.get(options..).unwrap_or_default()) {
        OutputConsumer::ReadOnly
    } else {
        OutputConsumer::Program
    }
}

/// Returns for each command the consumer of its output through a pipe, perhaps through other commands.
fn find_takers<'t>(simples: &[SimpleCommand<'t>]) -> Vec<OutputConsumer<'t>> {
    let mut takers = Vec::with_capacity(simples.len());
    let mut behind = OutputConsumer::ReadOnly;
    for (at, simple) in simples.iter().enumerate().rev() {
        let next = simples.get(at + 1).filter(|next| simple.is_piped && !next.words.is_empty());
        behind = match next.map(SimpleCommand::takes) {
            // The next command passes the output on.
            Some(None | Some(OutputConsumer::ReadOnly)) => behind,
            Some(Some(taker)) => taker,
            None => OutputConsumer::ReadOnly,
        };
        takers.push(behind);
    }
    takers.reverse();
    takers
}

/// Returns the variables whose values are deleted, each with the folder in front of it: `rm $name`, `rm ~/a/$name`, `echo $name
/// | xargs rm`.
fn taken_variables<'t>(simples: &[SimpleCommand<'t>]) -> BTreeSet<(&'t str, &'t str)> {
    let mut all = BTreeSet::new();
    let (mut named, mut feeds) = (Vec::new(), false);
    for simple in simples {
        let Some((program, arguments)) = simple.called() else { continue };
        let is_fed =
            FEEDING.contains(&program) && matches!(classify_xargs(arguments), OutputConsumer::Removal);
        let is_taken = REMOVING.contains(&program) || is_fed;
        all.extend(arguments.iter().filter(|_| is_taken).filter_map(|word| split_variable(word)));
        named.extend(arguments.iter().filter_map(|word| split_variable(word)));
        feeds |= is_fed;
    }
    // Any variable in the line may be the one that is piped.
    all.extend(named.into_iter().filter(|_| feeds));
    all
}

/// Returns the variable in a word, and the folder in front of it.
fn split_variable(word: &str) -> Option<(&str, &str)> {
    let (folder, name) = word.split_once('$')?;
    let name = name.strip_prefix('{').unwrap_or(name);
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
    let name = name.get(..end).filter(|name| !name.is_empty())?;
    Some((folder.trim_end_matches('/'), name))
}

fn find_start_folders<'t>(program: &str, arguments: &[&'t str]) -> Vec<&'t str> {
    if program == "find" {
        return arguments.iter().take_while(|word| !word.starts_with('-')).copied().collect();
    }
    arguments.iter().filter(|word| word.starts_with(['~', '/', '.', '$'])).copied().collect()
}

/// Returns true if `find` filters by names or depth.
fn is_narrow(arguments: &[&str]) -> bool {
    arguments.iter().any(|word| NARROWING.contains(word))
}

/// Returns true if `find` itself changes the files that it finds.
fn changes_files(arguments: &[&str]) -> bool {
    let runs = |(at, word): (usize, &&str)| {
        matches!(*word, "-exec" | "-execdir" | "-ok" | "-okdir")
            && !is_reading(arguments.get(at + 1..).unwrap_or_default())
    };
    arguments.contains(&"-delete") || arguments.iter().enumerate().any(runs)
}

/// Returns true if a command only reads the words that replace `{}`, or follow it.
fn is_reading(command: &[&str]) -> bool {
    let Some((program, arguments)) = command.split_first() else { return true };
    let program = name_of(program);
    let mut operands = arguments.iter().filter(|word| !matches!(**word, "\\" | "+"));
    let has_place = arguments.contains(&"{}");
    let into = arguments.iter().any(|word| matches!(*word, "-t" | "--target-directory"));
    READING.contains(&program)
        || (COPYING.contains(&program)
            && (into || (has_place && operands.next_back().is_some_and(|last| *last != "{}"))))
}
