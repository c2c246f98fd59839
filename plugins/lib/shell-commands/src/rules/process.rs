//! Ending every process.

use crate::call::{Call, Grammar, Options};

/// Patterns that match every process name.
const EVERY: &[&str] = &["", ".", ".*", ".+", "^", "$", "^.*$"];

pub(super) fn kill_all(call: &Call) -> Option<String> {
    match call.name() {
        "killall5" => Some("ends every process".to_owned()),
        "kill" => kills_everything(call).then(|| "signals every process".to_owned()),
        "pkill" => {
            let grammar = Grammar { short: "FgGPstuUr", long: &["signal"], anywhere: true };
            let options = Options::parse(call.args(), grammar);
            let every = options.operands.iter().any(|pattern| EVERY.contains(&pattern.as_str()));
            let narrowed = options.has_letter("FgGPstuU");
            (every && !narrowed).then(|| "ends every process".to_owned())
        }
        _ => None,
    }
}

/// `-1` is a signal where a signal is expected, and every process behind it.
fn kills_everything(call: &Call) -> bool {
    let mut args = call.args().iter().map(crate::arg::Arg::as_str).peekable();
    match args.peek() {
        Some(&("-s" | "-n" | "--signal")) => {
            args.next();
            args.next();
        }
        Some(&first) if first.starts_with('-') && first != "--" => {
            args.next();
        }
        _ => {}
    }
    args.any(|arg| arg == "-1")
}
