//! `xargs` and `parallel`: arguments from the standard input.

use super::{Inner, Wrapped, find::replace};
use crate::{
    arg::{Arg, Stream},
    call::{Call, Grammar, Options},
};

/// How many arguments are looked at one by one.
const MAX_ITEMS: usize = 256;

pub(super) fn unwrap(call: &Call) -> Option<Wrapped> {
    let long = &[
        "arg-file",
        "delimiter",
        "eof",
        "max-args",
        "max-chars",
        "max-lines",
        "max-procs",
        "process-slot-var",
        "replace",
    ];
    let options = Options::parse(call.args(), Grammar { short: "adEILnPsJRS", long, anywhere: false });
    let file = options.value(&["a", "--arg-file"]);
    let placeholder = options.value(&["I", "J", "--replace"]).map(Arg::as_str);
    let placeholder = placeholder.or_else(|| options.has_letter("i").then_some("{}"));
    let Some(mark) = placeholder else {
        // The arguments are not all there to be seen.
        let operands =
            options.operands.iter().map(|word| Arg { from_outside: false, ..word.clone() }).collect();
        let words = [operands, items(call, file, char::is_whitespace)].concat();
        return Wrapped::words("xargs", if options.operands.is_empty() { &[] } else { &words });
    };
    let lines = items(call, file, |c| c == '\n' || c == '\0');
    let commands = lines.iter().map(|line| Inner::Words(filled(&options.operands, mark, line)));
    Some(Wrapped::each("xargs", commands.collect()))
}

/// `parallel command ::: argument…`, or with arguments from the standard input. They go through a shell.
pub(super) fn parallel(call: &Call) -> Wrapped {
    let long =
        &["jobs", "max-args", "colsep", "arg-file", "sshlogin", "delay", "timeout", "retries", "joblog"];
    let options = Options::parse(call.args(), Grammar { short: "jnNISaCdLlP", long, anywhere: false });
    let file = options.value(&["a", "--arg-file"]);
    let is_marker = |arg: &&Arg| arg.as_str().starts_with(":::");
    let marker = options.operands.iter().position(|arg| is_marker(&arg));
    let (command, given) = options.operands.split_at(marker.unwrap_or(options.operands.len()));
    let given: Vec<Arg> = given.iter().filter(|arg| !is_marker(arg)).take(MAX_ITEMS).cloned().collect();
    let items = if marker.is_some() { given } else { items(call, file, |c| c == '\n') };
    let inner = items.iter().map(|item| {
        let mut words = filled(command, "{}", item);
        if !command.iter().any(|word| word.text.contains("{}")) {
            words.push(item.clone());
        }
        Inner::Script { text: super::joined(&words), zero: None, positional: None }
    });
    Wrapped::each("parallel", inner.collect())
}

/// The arguments that come from the standard input, or from a file.
fn items(call: &Call, file: Option<&Arg>, separator: impl Fn(char) -> bool) -> Vec<Arg> {
    let nothing = Stream::default();
    let input = match file {
        Some(file) => file.stream.as_deref().unwrap_or(&nothing),
        None if call.has_stdin => &call.stdin,
        None => &nothing,
    };
    let Some(text) = &input.text else {
        return vec![Arg { origin: input.origin.clone(), ..Arg::unknown() }];
    };
    let items = text.split(|c: char| separator(c) || matches!(c, '\'' | '"' | '\0')).map(str::trim);
    let items = items.filter(|item| !item.is_empty()).take(MAX_ITEMS);
    items.map(|item| Arg { origin: input.origin.clone(), ..Arg::new(item) }).collect()
}

fn filled(command: &[Arg], mark: &str, item: &Arg) -> Vec<Arg> {
    command.iter().map(|word| replace(word, mark, item)).collect()
}
