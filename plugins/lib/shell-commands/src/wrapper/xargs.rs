//! `xargs` and `parallel`: arguments from the standard input.

use super::{Inner, Wrapped, find::replace};
use crate::{
    arg::{Arg, Origin, Stream},
    call::{Call, Grammar, Options},
    word::decode_all,
};

/// Maximum number of arguments that are judged one by one.
const MAX_ITEMS: usize = 256;

/// Long options of `parallel` with a value.
const PARALLEL_LONG: &[&str] = &[
    "arg-file",
    "arg-file-sep",
    "arg-sep",
    "basefile",
    "block",
    "block-size",
    "colsep",
    "compress-program",
    "decompress-program",
    "delay",
    "delimiter",
    "env",
    "eof",
    "filter",
    "halt",
    "halt-on-error",
    "jobs",
    "joblog",
    "limit",
    "load",
    "max-args",
    "max-chars",
    "max-lines-per-file",
    "max-procs",
    "max-replace-args",
    "memfree",
    "memsuspend",
    "nice",
    "profile",
    "recend",
    "recstart",
    "regexp",
    "res",
    "results",
    "retries",
    "return",
    "rpl",
    "seqreplace",
    "shellquote-char",
    "sshdelay",
    "sshlogin",
    "sshloginfile",
    "tagstring",
    "tag-string",
    "template",
    "termseq",
    "timeout",
    "tmpdir",
    "tmpl",
    "trc",
    "wd",
    "workdir",
];

/// Long options with a value.
const LONG: &[&str] = &["arg-file", "delimiter", "max-args", "max-chars", "max-procs", "process-slot-var"];

pub(super) fn unwrap(call: &Call) -> Option<Wrapped> {
    let args = spelled_out(call.args());
    let options = Options::parse(&args, Grammar { short: "adEILnPsJRS", long: LONG, anywhere: false });
    let file = options.value(&["a", "--arg-file"]);
    let mark = options.value(&["I", "J"]).map(Arg::as_str);
    let separation = Separation::of(&options, mark.is_some());
    let Some(mark) = mark else {
        // The arguments are not all there to be seen.
        let operands =
            options.operands.iter().map(|word| Arg { from_outside: false, ..word.clone() }).collect();
        let words = [operands, items(call, file, separation)].concat();
        return Wrapped::words("xargs", if options.operands.is_empty() { &[] } else { &words });
    };
    let lines = items(call, file, separation);
    let commands = lines.iter().map(|line| Inner::Words(filled(&options.operands, mark, line)));
    Some(Wrapped::each("xargs", commands.collect()))
}

/// Options whose value may be left out, in the spelling of those whose value may not: `-i`, `-iX` and `--replace=X` are
/// `-I X`; `-e`, `-l` and their long names change nothing that matters here.
fn spelled_out(args: &[Arg]) -> Vec<Arg> {
    let mut spelled = Vec::with_capacity(args.len());
    let mut rest = args.iter();
    for arg in rest.by_ref() {
        let text = arg.as_str();
        let mark = match text {
            "-i" | "--replace" => Some("{}"),
            _ => text.strip_prefix("--replace=").or_else(|| text.strip_prefix("-i")),
        };
        let ignored = text.starts_with("-e")
            || text.starts_with("-l")
            || text.starts_with("--max-lines")
            || text.starts_with("--eof");
        if let Some(mark) = mark {
            spelled.extend([Arg::new("-I"), Arg::new(mark)]);
        } else if !ignored {
            spelled.push(arg.clone());
        }
        if !text.starts_with('-') {
            break;
        }
    }
    spelled.extend(rest.cloned());
    spelled
}

/// Separation of arguments.
#[derive(Clone, Copy)]
enum Separation {
    /// At blanks, which quotes and backslashes protect.
    Words,
    /// At the ends of lines; quotes and backslashes go away all the same.
    Lines,
    /// At this character and nowhere else.
    At(char),
}

impl Separation {
    fn of(options: &Options, by_line: bool) -> Self {
        if options.has_letter("0") || options.has_long("--null") {
            return Self::At('\0');
        }
        match options.value(&["d", "--delimiter"]).map(|text| decode_all(text.as_str())) {
            Some(text) => Self::At(text.chars().next().unwrap_or('\n')),
            None if by_line => Self::Lines,
            None => Self::Words,
        }
    }

    fn ends(self, c: char) -> bool {
        match self {
            Self::Words => c.is_whitespace(),
            Self::Lines => c == '\n',
            Self::At(separator) => c == separator,
        }
    }

    /// The arguments in a text, as many as are looked at.
    fn split(self, text: &str) -> Vec<String> {
        let mut items = Vec::new();
        let mut item = String::new();
        let (mut started, mut quote) = (false, None);
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            let plain = matches!(self, Self::At(_));
            match c {
                c if quote == Some(c) => quote = None,
                c if quote.is_some() => item.push(c),
                c if self.ends(c) => {
                    if std::mem::take(&mut started) {
                        items.push(std::mem::take(&mut item));
                    }
                    if items.len() >= MAX_ITEMS {
                        return items;
                    }
                }
                // Blanks in front of a line do not belong to it.
                c if !plain && !started && c.is_whitespace() => {}
                '\'' | '"' if !plain => (started, quote) = (true, Some(c)),
                '\\' if !plain => {
                    started = true;
                    item.extend(chars.next());
                }
                c => {
                    started = true;
                    item.push(c);
                }
            }
        }
        items.extend(started.then_some(item));
        items
    }
}

/// `parallel command ::: argument…`, or with arguments from the standard input. They go through a shell.
pub(super) fn parallel(call: &Call) -> Wrapped {
    let options =
        Options::parse(call.args(), Grammar { short: "jnNISaCdLPEs", long: PARALLEL_LONG, anywhere: false });
    let file = options.value(&["a", "--arg-file"]);
    let mark = options.value(&["I"]).map_or("{}", Arg::as_str);
    let is_marker = |arg: &&Arg| arg.as_str().starts_with(":::");
    let marker = options.operands.iter().position(|arg| is_marker(&arg));
    let (command, given) = options.operands.split_at(marker.unwrap_or(options.operands.len()));
    let given: Vec<Arg> = given.iter().filter(|arg| !is_marker(arg)).take(MAX_ITEMS).cloned().collect();
    let items = if marker.is_some() { given } else { items(call, file, Separation::At('\n')) };
    let inner = items.iter().flat_map(|item| {
        let mut words = filled(command, mark, item);
        if mark == "{}" {
            words = filled(&words, "{1}", item);
        }
        if words.as_slice() == command {
            words.push(item.clone());
        }
        // GNU's gives the words to a shell as one text, that of moreutils runs them as they are.
        let script = Inner::Script { text: super::joined(&words), zero: None, positional: None };
        [script, Inner::Words(words)]
    });
    let mut wrapped = Wrapped::each("parallel", inner.collect());
    wrapped.folder = options.value(&["--wd", "--workdir"]).cloned();
    wrapped
}

/// The arguments that come from the standard input, or from a file.
fn items(call: &Call, file: Option<&Arg>, separation: Separation) -> Vec<Arg> {
    let secret = file.and_then(|file| call.secret(file.as_str()));
    let nothing = Stream::from_origin(Origin { secret, ..Origin::default() });
    let input = match file {
        Some(file) => file.stream.as_deref().unwrap_or(&nothing),
        None if call.has_stdin => &call.stdin,
        None => &nothing,
    };
    let Some(text) = &input.text else {
        return vec![Arg { origin: input.origin.clone(), ..Arg::unknown() }];
    };
    // `find -print0` has the text of `find` here.
    let is_of_lines = call.touches && matches!(separation, Separation::At('\0')) && !text.contains('\0');
    let separation = if is_of_lines { Separation::At('\n') } else { separation };
    let items = separation.split(text).into_iter();
    items.map(|item| Arg { origin: input.origin.clone(), ..Arg::new(item) }).collect()
}

fn filled(command: &[Arg], mark: &str, item: &Arg) -> Vec<Arg> {
    command.iter().map(|word| replace(word, mark, item)).collect()
}
