//! Checks for actions reserved for the user. An agent could otherwise remove its own limits.

use std::io::{BufRead, Read};

use hookbox_platform::stream::Standard;

use hookbox_app::places::Places;

use crate::{environment, printer::Printer};

use super::entries;

/// Maximum length of a reply, bytes: a digest with some surrounding text.
const MAX_REPLY: u64 = 128;

/// Checks that the user runs this command. The error states that nothing was done (`undone`: "switched off"), and the
/// alternative in `instead`.
pub(super) fn require_user(undone: &str, instead: &str) -> Result<(), String> {
    // A terminal is not enough: an agent can create one.
    if !Standard::Input.is_terminal() {
        return Err(format!("nothing was {undone}: this needs the user at a terminal ({instead})"));
    }
    if let Some(mark) = environment::mark_of_an_agent() {
        return Err(format!(
            "nothing was {undone}: this needs the user, and {mark} shows that an agent runs this; use a terminal that no agent \
             has opened ({instead})"
        ));
    }
    // Self-protection knows these commands by the name of the program, and an agent could run a copy under another
    // one.
    let places = Places::of_terminal(&environment::read_variable);
    match entries::other_program(&places, &environment::current_folder()) {
        Some(installed) => Err(format!(
            "nothing was {undone}: this is not the hookbox that the agents' entries start; run {}, or `install` with this one \
             first ({instead})",
            installed.display()
        )),
        None => Ok(()),
    }
}

/// Returns an error if an agent runs this command. Unlike [`require_user`], it requires no terminal, so that scripts may do it.
pub(super) fn refuse_agent(undone: &str) -> Result<(), String> {
    match environment::mark_of_an_agent() {
        Some(mark) => Err(format!(
            "nothing was {undone}: {mark} shows that an agent runs this, and agents may not remove their own limits; use a \
             terminal that no agent has opened"
        )),
        None => Ok(()),
    }
}

/// Asks a question; any reply other than a yes is a no.
pub(super) fn ask_yes_no(question: &str, printer: &Printer) -> bool {
    matches!(read_reply(&format!("{question} [y/N] "), printer).as_str(), "y" | "yes")
}

/// Asks for the beginning of a digest, of which the user may type more; any other reply is a no.
pub(super) fn confirm_digest(question: &str, beginning: &str, printer: &Printer) -> bool {
    let typed = read_reply(&format!("{question} "), printer);
    let typed = typed.strip_prefix("sha256:").unwrap_or(&typed);
    !beginning.is_empty() && typed.starts_with(beginning)
}

/// Returns the reply in lower case; an empty text if none can be read.
fn read_reply(question: &str, printer: &Printer) -> String {
    printer.raw_error(question);
    let mut reply = String::new();
    // A terminal in raw mode, or a pasted text, may have no line break.
    let read = std::io::stdin().lock().take(MAX_REPLY).read_line(&mut reply);
    if read.is_ok() { reply.trim().to_lowercase() } else { String::new() }
}
