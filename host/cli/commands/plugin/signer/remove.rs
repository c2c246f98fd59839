//! `hookbox plugin signer remove`: removes the lines of a signer from the user's `allowed_signers`.

use hookbox::config::did_you_mean;
use hookbox_trust::allowed_signers::{ListedSigner, is_among};

use super::SignersFile;
use crate::{
    args::SignerRemoveArgs,
    commands::{
        agent_change::{CommandError, problem_error, usage_error},
        change_consent,
        plugin::find_places,
        user_presence,
    },
    printer::Printer,
    report::sanitize_line,
};

pub(super) fn remove_signer(args: &SignerRemoveArgs, printer: &Printer) -> Result<(), CommandError> {
    // A dry run writes nothing, so agents may start it.
    if !args.consent.dry_run {
        user_presence::refuse_agent("removed").map_err(usage_error)?;
    }
    let file = SignersFile::read_users(&find_places(), "removed")?;
    let lines = find_lines(&file, &args.name)?;
    let text = remove_lines(&file.text, &lines);
    let path = file.path();
    change_consent::show_change(&path, &file.text, Some(&text), printer);
    if !change_consent::confirm_change(&args.consent, &path, printer)? {
        return Ok(());
    }
    file.replace_text(&text)?;
    for line in lines {
        let name = sanitize_line(&line.principals);
        printer.print_line(&format!("removed `{name}`: {}", line.key.fingerprint()));
    }
    printer.print_note(
        "plugins that were added before keep working; put a key that may be known to others into revoked.krl",
    );
    Ok(())
}

/// Returns the lines of this signer; an error if none exists, or if one of them is for anything else as well.
fn find_lines<'a>(file: &'a SignersFile, name: &str) -> Result<Vec<&'a ListedSigner>, CommandError> {
    let has_name = |listed: &&ListedSigner| listed.principals == name || is_among(name, &listed.principals);
    let lines: Vec<_> = file.listed.iter().filter(has_name).collect();
    let (path, shown) = (file.path(), sanitize_line(name));
    if lines.is_empty() {
        let names: Vec<_> = file.listed.iter().map(|listed| listed.principals.as_str()).collect();
        let near = if names.is_empty() { String::new() } else { format!("; {}", did_you_mean(name, &names)) };
        return Err(problem_error(format!(
            "nothing was removed: {path} does not list the signer `{shown}`{}\nhelp: `hookbox plugin signer list`",
            sanitize_line(&near)
        )));
    }
    if let Some(other) = lines.iter().find(|line| line.principals != name || line.is_shared) {
        return Err(problem_error(format!(
            "nothing was removed: {path}:{} is not for `{shown}` and plugins alone\nhelp: change that line by hand",
            other.line
        )));
    }
    Ok(lines)
}

/// Returns the text without these lines.
fn remove_lines(text: &str, lines: &[&ListedSigner]) -> String {
    let is_kept = |number: usize| lines.iter().all(|line| line.line != number);
    (1..)
        .zip(text.split_inclusive('\n'))
        .filter(|(number, _)| is_kept(*number))
        .map(|(_, line)| line)
        .collect()
}
