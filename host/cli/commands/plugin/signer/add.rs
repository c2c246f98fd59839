//! `hookbox plugin signer add`: appends the line of a publisher's key to the user's `allowed_signers`.

use std::{fs::File, io::Read, path::Path};

use hookbox_platform::file::{self, FileKind, FileStatus};
use hookbox_trust::{
    allowed_signers::{AllowedSigners, ListedSigner, format_line, is_among},
    key::PublicKey,
    public_key_file::{MAX_PUBLIC_KEY_FILE_BYTES, has_private_key, parse_public_key},
};

use super::{SignersFile, read_trust};
use crate::{
    args::SignerAddArgs,
    commands::{
        agent_change::{CommandError, problem_error, usage_error},
        change_consent,
        plugin::{added_plugins::format_path, find_places},
        user_presence,
    },
    printer::Printer,
    report::sanitize_line,
};

/// Help for a key file that is not a public key.
const PUBLIC_KEY_HELP: &str =
    "help: name the file that `ssh-keygen` writes for others, for example release.pub";

pub(super) fn add_signer(args: &SignerAddArgs, printer: &Printer) -> Result<(), CommandError> {
    // A dry run writes nothing, so agents may start it.
    if !args.consent.dry_run {
        user_presence::refuse_agent("added").map_err(usage_error)?;
    }
    let key = read_key(&args.key)?;
    let line = format_line(&args.name, &key).map_err(|why| {
        usage_error(format!(
            "nothing was added: the name `{}` {why}\nhelp: write one name without blanks, commas and patterns: --as \
             release@acme.example",
            sanitize_line(&args.name)
        ))
    })?;
    let places = find_places();
    let file = SignersFile::read_users(&places, "added")?;
    let fingerprint = key.fingerprint();
    if let Some(listed) = find_listed(&file, &key, &args.name)? {
        let (path, line) = (file.path(), listed.line);
        printer.print_line(&format!("nothing to do: {path}:{line} has {fingerprint} as `{}`", args.name));
        return Ok(());
    }
    if read_trust(&places).is_revoked(&fingerprint) {
        return Err(problem_error(format!(
            "nothing was added: the key {fingerprint} is revoked by revoked.krl, so none of its signatures is accepted\nhelp: ask \
             `{}` for the public key in use now",
            args.name
        )));
    }
    let text = append_line(&file, &line)?;
    printer.print_line(&format!("key       {fingerprint}, {}", key.kind()));
    for other in file.listed.iter().filter(|listed| is_among(&args.name, &listed.principals)) {
        printer.print_line(&format!("other     `{}` has {} as well", args.name, other.key.fingerprint()));
    }
    let path = file.path();
    change_consent::show_change(&path, &file.text, Some(&text), printer);
    if change_consent::confirm_change(&args.consent, &path, printer)? {
        file.replace_text(&text)?;
        printer.print_line(&format!("added `{}`: {fingerprint}", args.name));
    }
    Ok(())
}

fn read_key(path: &Path) -> Result<PublicKey, CommandError> {
    let shown = format_path(path);
    let text = read_bounded_text(path).map_err(|why| {
        problem_error(format!("nothing was added: cannot read {shown}: {why}\n{PUBLIC_KEY_HELP}"))
    })?;
    if has_private_key(&text) {
        return Err(problem_error(format!(
            "nothing was added: {shown} is a private key, which stays with its owner\nhelp: name its public key, {shown}.pub; \
             `ssh-keygen -y -f KEY > KEY.pub` writes one"
        )));
    }
    parse_public_key(&text).map_err(|why| {
        problem_error(format!("nothing was added: {shown} is not accepted: {why}\n{PUBLIC_KEY_HELP}"))
    })
}

fn read_bounded_text(path: &Path) -> Result<String, String> {
    let unreadable = |error: std::io::Error| error.to_string();
    let file = file::open(path).map_err(unreadable)?;
    if FileStatus::of_file(&file).map_err(unreadable)?.kind != FileKind::Plain {
        return Err("it is not a plain file".to_owned());
    }
    let mut bytes = Vec::new();
    // One byte more than the maximum reveals that the file is too long.
    File::take(file, MAX_PUBLIC_KEY_FILE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() > MAX_PUBLIC_KEY_FILE_BYTES {
        return Err(format!("it is longer than {MAX_PUBLIC_KEY_FILE_BYTES} bytes"));
    }
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
}

/// Returns the line that has this key under this name already. The error is a line that has the key otherwise.
fn find_listed<'a>(
    file: &'a SignersFile,
    key: &PublicKey,
    name: &str,
) -> Result<Option<&'a ListedSigner>, CommandError> {
    let mut found = None;
    for listed in file.listed.iter().filter(|listed| listed.key == *key) {
        let place = format!("{}:{}", file.path(), listed.line);
        if !is_among(name, &listed.principals) {
            let other = sanitize_line(&listed.principals);
            return Err(problem_error(format!(
                "nothing was added: {place} has the key {} as `{other}`, and a key has one name\nhelp: `hookbox plugin signer \
                 remove {other}` first, or keep that name",
                key.fingerprint()
            )));
        }
        if let Some(why) = listed.objection {
            return Err(problem_error(format!(
                "nothing was added: {place} {why}\nhelp: change `valid-after` and `valid-before` in that line"
            )));
        }
        found = found.or(Some(listed));
    }
    Ok(found)
}

/// Returns the file's text with one more line; an error if the file would be too long.
fn append_line(file: &SignersFile, line: &str) -> Result<String, CommandError> {
    let end = if file.text.is_empty() || file.text.ends_with('\n') { "" } else { "\n" };
    let text = format!("{}{end}{line}\n", file.text);
    AllowedSigners::parse(&text).map_err(|why| {
        problem_error(format!("nothing was added: {} with one more line: {why}", file.path()))
    })?;
    Ok(text)
}
