//! `find` and what it runs or deletes.

use super::{Inner, Wrapped, selection::Selection};
use crate::{
    arg::{self, Arg, BELOW, STAR},
    call::{Call, Grammar, Options},
    output::is_whole,
    target::{Target, classify},
    touched,
};

/// A `find` command.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Search {
    /// Start folders of the search.
    pub(crate) starts: Vec<Arg>,
    /// True if the search selects something in particular.
    pub(crate) is_narrow: bool,
    /// True if the search deletes its hits.
    pub(crate) deletes: bool,
    /// True if the search changes the owner or the mode of its hits.
    pub(crate) changes_modes: bool,
    /// True if the search only finds entries directly in its start folders.
    pub(crate) is_flat: bool,
    /// Hits below a start folder, as paths with patterns.
    below: Vec<String>,
    /// The commands that it runs.
    commands: Vec<Vec<Arg>>,
}

impl Search {
    /// Returns the hits below the start folders: the folder itself if the search selects nothing in particular.
    pub(crate) fn hits(&self) -> Vec<String> {
        let below = |start: &Arg| -> Vec<String> {
            if !self.is_narrow && !self.is_flat {
                return vec![start.as_str().to_owned()];
            }
            self.below.iter().map(|hit| format!("{}/{hit}", start.as_str())).collect()
        };
        self.starts.iter().flat_map(below).take(MAX_HITS).collect()
    }
}

/// Maximum number of hits that are returned.
const MAX_HITS: usize = 64;

/// Reads a `find` command's arguments.
pub(crate) fn search(call: &Call) -> Search {
    let args = call.args();
    let begins = |arg: &Arg| arg.as_str().starts_with('-') || matches!(arg.as_str(), "(" | "!");
    let option = |arg: &&Arg| matches!(arg.as_str(), "-H" | "-L" | "-P" | "-E" | "-X" | "-s" | "-x");
    let mut rest = args;
    while let Some((first, after)) = rest.split_first() {
        let level = first.as_str().starts_with("-O");
        let values = usize::from(first.as_str() == "-D");
        if !option(&first) && !level && values == 0 && first.as_str() != "--" {
            break;
        }
        rest = after.get(values..).unwrap_or_default();
    }
    let end = rest.iter().position(begins).unwrap_or(rest.len());
    let (starts, mut rest) = rest.split_at(end);
    let starts = if starts.is_empty() { vec![Arg::new(".")] } else { starts.to_vec() };
    let mut search = Search {
        starts,
        is_narrow: false,
        deletes: false,
        changes_modes: false,
        is_flat: false,
        below: Vec::new(),
        commands: Vec::new(),
    };
    let mut selection = Selection::default();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match first.as_str() {
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let end =
                    after.iter().position(|arg| matches!(arg.as_str(), ";" | "+")).unwrap_or(after.len());
                let (command, behind) = after.split_at(end);
                search.deletes |= command.first().is_some_and(removes) && !names_only_siblings(command);
                search.changes_modes |= command.first().is_some_and(changes_modes);
                search.commands.push(command.to_vec());
                selection.act();
                rest = behind;
            }
            "-delete" => {
                search.deletes = true;
                selection.act();
            }
            text => selection.read(text, after.first()),
        }
    }
    search.is_narrow = selection.is_narrow();
    search.is_flat = selection.is_flat();
    let is_of_files = selection.is_of_files();
    search.below = selection.hits();
    if search.is_flat {
        search.below = search.below.iter().flat_map(|hit| directly(hit, is_of_files)).collect();
    }
    search
}

/// Returns the names directly in a folder for a hit at any depth. In a search a star matches a first dot, too, but an
/// entry that has one there is nearly always a folder.
fn directly(hit: &str, is_of_files: bool) -> Vec<String> {
    let is_any = |name: &str| name.chars().all(|c| matches!(c, BELOW | STAR));
    match hit.trim_start_matches(BELOW).trim_start_matches('/') {
        name if is_any(name) && is_of_files => vec![STAR.to_string()],
        name if is_any(name) => vec![STAR.to_string(), format!(".{STAR}")],
        name => vec![name.to_owned()],
    }
}

/// Returns true if a command names files next to each hit, and no hit: `rm {}.bak`.
fn names_only_siblings(command: &[Arg]) -> bool {
    let mut named = command.iter().filter(|arg| arg.text.contains("{}")).peekable();
    let is_sibling = |arg: &Arg| {
        let (_, behind) = arg.text.rsplit_once("{}").unwrap_or_default();
        behind.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '~'))
            && behind.chars().any(|c| c.is_ascii_alphanumeric() || c == '~')
    };
    named.peek().is_some() && named.all(is_sibling)
}

fn changes_modes(command: &Arg) -> bool {
    matches!(command.base_name().as_deref(), Some("chmod" | "chown" | "chgrp" | "setfacl" | "chattr"))
}

fn removes(command: &Arg) -> bool {
    matches!(command.base_name().as_deref(), Some("rm" | "shred" | "srm" | "unlink"))
}

pub(super) fn unwrap(call: &Call) -> Option<Wrapped> {
    let search = search(call);
    let mut inner = Vec::new();
    for command in &search.commands {
        for found in found(&search, call) {
            let is_whole = !search.is_narrow && is_whole(found.as_str(), call);
            let found = with_everything(found, is_whole);
            let fill = |arg: &Arg| {
                let filled = replace(arg, "{}", &found);
                // `{}.bak`
                if arg.text == "{}" { filled } else { with_everything(filled, false) }
            };
            inner.push(Inner::Words(command.iter().map(fill).collect()));
        }
    }
    (!inner.is_empty()).then(|| Wrapped::each("find -exec", inner))
}

/// The word, as the names of all files of the working folder or the system, or not.
fn with_everything(mut word: Arg, everything: bool) -> Arg {
    word.origin.everything = everything;
    word
}

/// Long options of `fd` with a value.
const FD_LONG: &[&str] = &[
    "and",
    "base-directory",
    "batch-size",
    "changed-before",
    "changed-within",
    "color",
    "exact-depth",
    "exclude",
    "extension",
    "ignore-file",
    "max-depth",
    "max-results",
    "min-depth",
    "owner",
    "path-separator",
    "search-path",
    "size",
    "threads",
    "type",
];

/// `fd pattern folder -x command`: each hit is put in the place of `{}`, or behind.
pub(super) fn fd(call: &Call) -> Option<Wrapped> {
    let runs = |arg: &Arg| matches!(arg.as_str(), "-x" | "--exec" | "-X" | "--exec-batch");
    let at = call.args().iter().position(runs)?;
    let (before, command) = call.args().split_at(at);
    let end = command.iter().position(|arg| arg.as_str() == ";").unwrap_or(command.len());
    let command = command.get(1..end)?;
    let options = Options::parse(before, Grammar { short: "CESTcdejot", long: FD_LONG, anywhere: true });
    let mut starts: Vec<Arg> = options.operands.iter().skip(1).cloned().collect();
    starts.extend(options.value(&["--search-path"]).cloned());
    if starts.is_empty() {
        starts.push(Arg::new("."));
    }
    let (names, is_narrow) = fd_names(&options);
    let search = Search {
        starts,
        is_narrow,
        deletes: false,
        changes_modes: false,
        is_flat: false,
        below: names.iter().map(|name| format!("{BELOW}/{name}")).collect(),
        commands: Vec::new(),
    };
    let inner = found(&search, call).into_iter().map(|hit| {
        let hit = with_everything(hit.clone(), !is_narrow && is_whole(hit.as_str(), call));
        let mut words: Vec<Arg> = command.iter().map(|arg| replace(arg, "{}", &hit)).collect();
        if !command.iter().any(|arg| arg.text.contains("{}")) {
            words.push(hit);
        }
        Inner::Words(words)
    });
    (!command.is_empty()).then(|| Wrapped::each("fd -x", inner.collect()))
}

/// The names that `fd` looks for, and whether these are any in particular.
fn fd_names(options: &Options) -> (Vec<String>, bool) {
    let extensions: Vec<String> = options
        .given
        .iter()
        .filter(|(name, _)| name == "e" || name == "--extension")
        .filter_map(|(_, value)| Some(format!("{STAR}.{}", value.as_ref()?.as_str().trim_start_matches('.'))))
        .collect();
    if !extensions.is_empty() {
        return (extensions, true);
    }
    let pattern = options.operands.first().map_or("", Arg::as_str);
    let is_narrow = !matches!(pattern, "" | "." | ".*");
    if options.has_letter("g") || options.has_long("--glob") {
        return (vec![touched::pattern(pattern)], is_narrow);
    }
    // Else it is searched for anywhere in a name.
    let begin = if pattern.starts_with('^') { String::new() } else { STAR.to_string() };
    let end = if pattern.ends_with('$') { String::new() } else { STAR.to_string() };
    let middle = pattern.trim_start_matches('^').trim_end_matches('$');
    let middle = middle.replace("\\.", "\0").replace(".*", &STAR.to_string()).replace('\0', ".");
    let plain = middle.chars().all(|c| c.is_alphanumeric() || "._-".contains(c) || c == STAR);
    (vec![if plain { format!("{begin}{middle}{end}") } else { STAR.to_string() }], is_narrow)
}

/// Returns the possible values of `{}`. Under `/` and the system's folders every hit counts as the folder itself, too.
fn found(search: &Search, call: &Call) -> Vec<Arg> {
    let is_system =
        |start: &&Arg| matches!(classify(start.as_str(), call), Some(Target::Root | Target::System(_)));
    let whole = search.starts.iter().filter(is_system).cloned();
    whole.chain(search.hits().into_iter().map(Arg::new)).chain(all_below(search, call)).collect()
}

/// All that is below where a search for nothing in particular begins: for who asks which files are touched.
fn all_below(search: &Search, call: &Call) -> Vec<Arg> {
    let is_asked = call.touches && !search.is_narrow && !search.is_flat;
    let below = |start: &Arg| Arg::new(arg::all_below(start.as_str()));
    search.starts.iter().filter(|_| is_asked).map(below).collect()
}

/// A word with every placeholder replaced.
pub(super) fn replace(word: &Arg, placeholder: &str, value: &Arg) -> Arg {
    if !word.text.contains(placeholder) {
        // The arguments are not all there to be seen.
        return Arg { from_outside: false, ..word.clone() };
    }
    let mut replaced = Arg::new(word.text.replace(placeholder, &value.text));
    replaced.origin.join(&word.origin);
    replaced.origin.join(&value.origin);
    replaced
}
