//! Filters that change the files which they read, with an option: `sed -Ei`, `perl -pi`, `gawk -i inplace`.

use super::{Written, file};
use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
};

/// The options of such a filter.
struct Filter {
    name: &'static str,
    /// Letters of the option. The text behind them in the same word is the suffix of copies.
    letters: &'static str,
    /// Long forms of the option.
    long: &'static [&'static str],
    /// Letters whose value is the rest of the word, or the next one.
    values: &'static str,
    /// Letters whose value is the rest of the word, if there is one.
    glued: &'static str,
    /// Options that replace the first operand.
    scripts: &'static [&'static str],
    /// True if one operand alone is a file.
    may_be_alone: bool,
}

const SED: Filter = Filter {
    name: "sed",
    letters: "iI",
    long: &["--in-place"],
    values: "ef",
    glued: "",
    scripts: &["e", "f", "--expression", "--file"],
    may_be_alone: false,
};
const YQ: Filter = Filter {
    name: "yq",
    letters: "i",
    long: &["--inplace", "--in-place"],
    values: "opI",
    glued: "",
    scripts: &["--from-file", "--expression"],
    may_be_alone: true,
};
const FILTERS: &[Filter] = &[
    SED,
    Filter { name: "gsed", ..SED },
    Filter {
        name: "perl",
        letters: "i",
        long: &[],
        values: "eEIMm",
        glued: "CDFx",
        scripts: &["e", "E"],
        may_be_alone: false,
    },
    Filter {
        name: "ruby",
        letters: "i",
        long: &[],
        values: "eEICr",
        glued: "FKTWx",
        scripts: &["e"],
        may_be_alone: false,
    },
    YQ,
    Filter { name: "tomlq", ..YQ },
    Filter { name: "xq", ..YQ },
    Filter { name: "jaq", values: "fL", scripts: &["f", "--from-file"], ..YQ },
];

/// Returns true if the table lists the words that a program writes to. Those of `perl` and `ruby` may be anything.
pub(super) fn is_listed(name: &str) -> bool {
    find(name).is_some_and(|filter| !matches!(filter.name, "perl" | "ruby"))
}

/// Returns true if a filter's arguments make it change the files that it reads.
pub(crate) fn is_in_place(name: &str, args: &[Arg]) -> bool {
    find(name).is_some_and(|filter| filter.changes_input(args))
}

/// The files that a filter changes.
pub(super) fn files(name: &str, call: &Call) -> Vec<Written> {
    if matches!(name, "awk" | "gawk") && loads_in_place(call.args()) {
        let words = call.args().iter().filter(|arg| !arg.as_str().starts_with('-') && !is_code(arg));
        return words.map(|arg| file(arg.as_str())).collect();
    }
    let Some(filter) = find(name).filter(|filter| filter.changes_input(call.args())) else {
        return Vec::new();
    };
    let options = filter.options(call.args());
    // The script is the first operand unless an option has it.
    let is_scripted = options.value(filter.scripts).is_some();
    let is_alone = filter.may_be_alone && options.operands.len() == 1;
    let paths = options.operands.iter().skip(usize::from(!is_scripted && !is_alone));
    paths.map(|arg| file(arg.as_str())).collect()
}

fn find(name: &str) -> Option<&'static Filter> {
    FILTERS.iter().find(|filter| filter.name == name)
}

impl Filter {
    fn changes_input(&self, args: &[Arg]) -> bool {
        let options = self.options(args);
        // A long option may be shortened, and long ones of others begin like it.
        options.has_letter(self.letters) || self.long.iter().any(|long| options.has_long(long))
    }

    fn options(&self, args: &[Arg]) -> Options {
        let words: Vec<Arg> = args.iter().map(|arg| self.without_suffix(arg)).collect();
        let long: Vec<&str> = self.scripts.iter().filter_map(|script| script.strip_prefix("--")).collect();
        Options::parse(&words, Grammar { short: self.values, long: &long, anywhere: true })
    }

    /// Removes the suffix: `-nEi.bak` becomes `-nEi`, because the text behind the letter is not another letter.
    fn without_suffix(&self, arg: &Arg) -> Arg {
        let text = arg.as_str();
        let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')) else {
            return arg.clone();
        };
        let ends = |c: char| self.values.contains(c) || self.letters.contains(c) || self.glued.contains(c);
        match letters.char_indices().find(|(_, c)| ends(*c)) {
            Some((at, c)) if !self.values.contains(c) => {
                Arg { text: text.chars().take(at + 2).collect(), ..arg.clone() }
            }
            _ => arg.clone(),
        }
    }
}

/// Options of `gawk` that load a library.
const LIBRARIES: &[&str] = &["-i", "-l", "-f", "--include", "--load", "--file"];

/// `gawk -i inplace`, `gawk --include=inplace`, `gawk '@include "inplace" …'`
fn loads_in_place(args: &[Arg]) -> bool {
    let is_library = |text: &str| text.trim_start_matches('=').rsplit('/').next().is_some_and(is_of_gawk);
    let words: Vec<String> = args.iter().map(Arg::plain).collect();
    let glued = |word: &String| {
        LIBRARIES.iter().any(|option| word.strip_prefix(option).is_some_and(is_library))
            || ["@include", "@load"].iter().any(|verb| word.contains(verb) && word.contains("inplace"))
    };
    let behind = |pair: &[String]| matches!(pair, [option, name] if LIBRARIES.contains(&option.as_str()) && is_library(name));
    words.iter().any(glued) || words.windows(2).any(behind)
}

fn is_of_gawk(library: &str) -> bool {
    library == "inplace" || library.strip_prefix("inplace.").is_some()
}

/// Returns true if a word of `awk` is its program: no path has such signs.
fn is_code(arg: &Arg) -> bool {
    arg.as_str().contains(['{', ';'])
}
