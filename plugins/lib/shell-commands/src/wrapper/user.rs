//! Commands as another user or group.

use super::{Wrapped, shell::shell};
use crate::call::{Call, Grammar, Options};

pub(super) fn switch(name: &str, call: &Call) -> Option<Wrapped> {
    let long =
        &["command", "session-command", "group", "supp-group", "shell", "user", "whitelist-environment"];
    let short = if name == "su" { "cgGswT" } else { "cgGswTu" };
    let options = Options::parse(call.args(), Grammar { short, long, anywhere: true });
    if let Some(text) = options.value(&["c", "--command", "--session-command"]) {
        return Some(Wrapped::script(&format!("{name} -c"), text.clone()));
    }
    if options.value(&["u", "--user"]).is_some() {
        let leading = Options::parse(call.args(), Grammar { short, long, anywhere: false });
        return Wrapped::words(name, &leading.operands);
    }
    // `-` is no user; what follows the user goes to the shell.
    let mut operands =
        options.operands.iter().skip_while(|operand| operand.as_str() == "-").skip(1).peekable();
    if operands.peek().is_some() {
        return shell(name, &operands.cloned().collect::<Vec<_>>());
    }
    Some(Wrapped::of_input(name))
}

/// Subcommands of `sg` that show that it is ast-grep and not the command for groups.
const AST_GREP: &[&str] = &["run", "scan", "test", "new", "lsp", "outline", "completions", "help"];

/// `sg group -c script`; without `-c` the words are the script.
pub(super) fn group(call: &Call) -> Option<Wrapped> {
    let first = call.args().first()?.as_str();
    let is_search = (first.starts_with('-') && first.len() > 1) || AST_GREP.contains(&first);
    if is_search && !call.has_arg("-c") {
        return None;
    }
    let words = call.args().iter().filter(|word| !matches!(word.as_str(), "-" | "-c" | "--"));
    let words: Vec<_> = words.skip(1).cloned().collect();
    if words.is_empty() {
        return Some(Wrapped::of_input("sg"));
    }
    Some(Wrapped::script("sg", super::joined(&words)))
}
