//! `hookbox plugin sign`: writes a statement about a plugin's file, and signs that.

use std::{path::Path, time::SystemTime};

use hookbox_trust::{
    Refusal,
    key::PublicKey,
    signing::{self, MAX_PRIVATE_KEY_BYTES, SigningKey},
    sshsig::{Envelope, signed_data},
    statement::{Release, Source, format_time},
    verify::MAX_SIGNATURES,
};

use crate::{
    agent,
    args::SignArgs,
    bundle::{
        Plugin, Sidecars, describe_read_error, display_path, read_plain_file, remove_outdated,
        signature_file, statement_file, write_file,
    },
    environment,
    exit::{ExitStatus, Fault},
    printer::{Printer, to_plain_line},
};

/// Default channel of a release.
const CHANNEL: &str = "stable";

enum SignatureSource {
    Key(Box<SigningKey>),
    /// An ssh agent, with this key.
    Agent(PublicKey),
}

pub(super) fn sign_plugin(args: &SignArgs, printer: &Printer) -> Result<ExitStatus, Fault> {
    let by = SignatureSource::read_key(&args.key)?;
    let plugin = Plugin::read_file(&args.file)?;
    let sidecars = Sidecars::read_files(&args.file)?;
    let expires = compute_expiry(args)?;
    let there = sidecars.statement.as_ref().and_then(|statement| Release::parse(statement).ok());
    let old = sidecars.statement.filter(|statement| is_about(statement, &plugin, expires));
    if let Some(release) = old.as_ref().and_then(|old| Release::parse(old).ok()) {
        check_arguments(args, &release)?;
    }
    let is_new = old.is_none();
    let statement = old.map_or_else(|| make_statement(args, &plugin, expires), Ok)?;
    let signed =
        sidecars.signatures.iter().find(|(_, armored)| !is_new && by.has_signed(armored, &statement));
    let had = signed.is_some();
    let file = if let Some((file, _)) = signed {
        file.clone()
    } else {
        let number = if is_new { 0 } else { sidecars.signatures.len() };
        if number >= MAX_SIGNATURES {
            let statement = display_path(&statement_file(&args.file));
            return Err(Fault::Failed(format!("{statement} has the maximum of {MAX_SIGNATURES} signatures")));
        }
        // Before any file is written, so that a failed signature leaves the old files.
        let envelope = by.sign_statement(args, &statement)?;
        if is_new {
            // Signatures over the former statement would be invalid.
            sidecars.signatures.iter().try_for_each(|(path, _)| remove_outdated(path))?;
            write_file(&statement_file(&args.file), &statement)?;
        }
        let file = signature_file(&args.file, number);
        write_file(&file, envelope.to_armored().as_bytes())?;
        file
    };
    if let Some(before) = there.filter(|_| is_new)
        && let Ok(now) = Release::parse(&statement)
        && is_not_newer(&now, &before)
    {
        printer.print_warning(&format!(
            "this file is release {}, and a different file was signed as release {} before, whose users reject this one; \
             increase `seq` in plugin.toml, then build and sign again",
            now.seq, before.seq
        ));
    }
    let by = format!("{}, {}", by.key().fingerprint(), by.key().kind());
    printer
        .print_row("signed", &format!("{} ({})", display_path(&args.file), to_plain_line(&plugin.called())));
    printer.print_row("sha256", plugin.digest.as_str());
    printer.print_row("statement", &display_path(&statement_file(&args.file)));
    let there = if had { " (signed before)" } else { "" };
    printer.print_row("signature", &format!("{}, by {by}{there}", display_path(&file)));
    Ok(ExitStatus::Success)
}

/// Returns true if the statement is the one to sign. Its expiry may be set again.
fn is_about(statement: &[u8], plugin: &Plugin, expires: Option<SystemTime>) -> bool {
    Release::parse(statement).is_ok_and(|release| {
        release.check_component(plugin.component()).is_ok()
            && (expires.is_none() || expires == release.expires)
    })
}

/// Returns true if the file differs and its release number is not higher than before.
fn is_not_newer(now: &Release, before: &Release) -> bool {
    now.name == before.name && now.component != before.component && now.seq <= before.seq
}

/// Checks that the command line agrees with the statement that is signed.
fn check_arguments(args: &SignArgs, release: &Release) -> Result<(), Fault> {
    let source = release.source.as_ref();
    let is_other = |given: &Option<String>, stated: Option<&str>| {
        given.as_deref().is_some_and(|given| Some(given) != stated)
    };
    let other = [
        ("--channel", is_other(&args.channel, Some(&release.channel))),
        ("--source", is_other(&args.source, source.map(|source| source.repo.as_str()))),
        ("--revision", is_other(&args.revision, source.and_then(|source| source.rev.as_deref()))),
    ];
    let Some((word, _)) = other.into_iter().find(|(_, is_other)| *is_other) else { return Ok(()) };
    let statement = display_path(&statement_file(&args.file));
    Err(Fault::Failed(format!(
        "{statement} exists with another value for {word}; remove the file to write a new statement, or omit {word} to add a \
         signature to the existing one"
    )))
}

fn compute_expiry(args: &SignArgs) -> Result<Option<SystemTime>, Fault> {
    let now = SystemTime::now();
    let until = args.expires.or_else(|| now.checked_add(args.valid_for?));
    if until.is_some_and(|until| until <= now) {
        return Err(Fault::Usage("cannot sign: the expiry is in the past".to_owned()));
    }
    // Statements have whole seconds.
    Ok(until.and_then(|until| humantime::parse_rfc3339(&format_time(until)).ok()))
}

/// Makes a new statement, and reads it as every user will read it.
fn make_statement(args: &SignArgs, plugin: &Plugin, expires: Option<SystemTime>) -> Result<Vec<u8>, Fault> {
    let source = args.source.clone().map(|repo| Source { repo, rev: args.revision.clone() });
    let release = Release::of_component(
        plugin.component(),
        args.channel.as_deref().unwrap_or(CHANNEL),
        SystemTime::now(),
        source,
    );
    let statement = Release { expires, ..release }.to_statement().into_bytes();
    Release::parse(&statement).map_err(|refusal| Fault::Usage(format!("cannot sign: {refusal}")))?;
    Ok(statement)
}

impl SignatureSource {
    fn read_key(path: &Path) -> Result<Self, Fault> {
        let bytes = read_plain_file(path, MAX_PRIVATE_KEY_BYTES)
            .map_err(|error| Fault::Usage(describe_read_error(path, &error)))?;
        let text = String::from_utf8_lossy(&bytes);
        let of_key =
            |refusal: Refusal| Fault::Failed(format!("cannot sign with {}: {refusal}", display_path(path)));
        if text.starts_with("-----BEGIN") {
            return SigningKey::parse(&text).map(|key| Self::Key(Box::new(key))).map_err(of_key);
        }
        // All names of key types contain hyphens.
        let kind = text.split_ascii_whitespace().next().unwrap_or_default();
        if !kind.contains('-') {
            let file = display_path(path);
            return Err(Fault::Usage(format!(
                "{file} is not an SSH key; `ssh-keygen -t ed25519 -f release` creates one, to sign with `--key release`"
            )));
        }
        PublicKey::parse_line(&text).map(Self::Agent).map_err(of_key)
    }

    /// Returns true if this is a signature of this key over the statement.
    fn has_signed(&self, armored: &str, statement: &[u8]) -> bool {
        Envelope::parse(armored).is_ok_and(|envelope| {
            // One key can be written down in several ways; its point is the same in all of them.
            envelope.key().point() == self.key().point()
                && signing::verify_signature(&envelope, statement).is_ok()
        })
    }

    fn key(&self) -> &PublicKey {
        match self {
            Self::Key(key) => key.public(),
            Self::Agent(key) => key,
        }
    }

    fn sign_statement(&self, args: &SignArgs, statement: &[u8]) -> Result<Envelope, Fault> {
        let failed = |refusal: Refusal| Fault::Failed(refusal.to_string());
        let envelope = match self {
            Self::Key(key) => key.sign_statement(statement).map_err(failed)?,
            Self::Agent(key) => {
                let socket = args.agent.clone().or_else(environment::find_agent_socket).ok_or_else(|| {
                    let file = display_path(&args.key);
                    Fault::Usage(format!(
                        "{file} is a public key, and no ssh-agent is configured that could hold its private key: start one \
                         (`eval $(ssh-agent)`) and add the key (`ssh-add KEY`), or sign with the private key's file"
                    ))
                })?;
                let signature = agent::request_signature(&socket, key, &signed_data(statement))?;
                Envelope::new(key.clone(), signature).map_err(failed)?
            }
        };
        // The answer of an ssh agent is as untrusted as any other signature.
        signing::verify_signature(&envelope, statement).map_err(failed)?;
        Ok(envelope)
    }
}
