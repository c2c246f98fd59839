//! `hookbox plugin pull`: gets plugins from a registry or an image layout, as files.

use std::{fs, path::Path};

use hookbox_trust::verify::MAX_SIGNATURES;

use crate::{
    args::PullArgs,
    bundle::{Plugin, display_path, if_there, remove_outdated, signature_file, statement_file, write_file},
    exit::{ExitStatus, Fault},
    printer::{Printer, to_plain_line},
    source::{FetchedPlugin, Source, SourceContent},
};

pub(super) fn pull_plugins(args: &PullArgs, printer: &Printer) -> Result<ExitStatus, Fault> {
    let place = Source::parse(&args.place)?;
    if let Source::File(_) = place {
        let place = to_plain_line(&args.place);
        return Err(Fault::Usage(format!(
            "`{place}` is not a location; write oci://HOST/NAME or oci-layout:FOLDER"
        )));
    }
    match place.get()? {
        SourceContent::One(one) => write_plugin(&one, args, printer)?,
        SourceContent::Pack(listed) => {
            for plugin in listed {
                match place.with_digest(&plugin.manifest).get()? {
                    SourceContent::One(one) => write_plugin(&one, args, printer)?,
                    SourceContent::Pack(_) => {
                        return Err(Fault::Failed(
                            "the pack contains another pack, which is not supported".to_owned(),
                        ));
                    }
                }
            }
        }
    }
    Ok(ExitStatus::Success)
}

/// Writes the plugin under the name in its manifest.
fn write_plugin(one: &FetchedPlugin, args: &PullArgs, printer: &Printer) -> Result<(), Fault> {
    let place = &one.source;
    let plugin = Plugin::from_bytes(Path::new(place), &one.component)?;
    check_version(one, &plugin)?;
    // Names of plugins have letters, digits and hyphens only, so this is a plain file name.
    let name = plugin.manifest.name.as_str().rsplit('/').next().unwrap_or_default();
    let file = args.into.join(format!("{name}.wasm"));
    let statement = one.signed.statement.iter().map(|bytes| (statement_file(&file), bytes.as_slice()));
    let signatures = one.signed.signatures.iter().enumerate();
    let signatures = signatures.map(|(number, armored)| (signature_file(&file, number), armored.as_bytes()));
    // The plugin comes last, so that its statement and signatures exist when it appears.
    let files: Vec<_> =
        statement.chain(signatures).chain([(file.clone(), one.component.as_slice())]).collect();
    for (path, bytes) in files.iter().filter(|_| !args.replace) {
        // A longer file is an error here, and has other content in any case.
        let there = if_there(path, bytes.len().max(1))
            .map_or_else(|_| true, |there| there.is_some_and(|there| there != *bytes));
        if there {
            let path = display_path(path);
            return Err(Fault::Failed(format!(
                "{path} exists with other content; pass --replace to replace it"
            )));
        }
    }
    // Statements and signatures of another plugin must not stay next to this one.
    if args.replace {
        let superfluous = one.signed.signatures.len()..MAX_SIGNATURES;
        let statement = one.signed.statement.is_none().then(|| statement_file(&file));
        superfluous
            .map(|number| signature_file(&file, number))
            .chain(statement)
            .try_for_each(|path| remove_outdated(&path))?;
    }
    fs::create_dir_all(&args.into)
        .map_err(|error| Fault::Failed(format!("{} cannot be created: {error}", display_path(&args.into))))?;
    files.iter().try_for_each(|(path, bytes)| write_file(path, bytes))?;
    let signed = match one.signed.signatures.len() {
        0 => "unsigned".to_owned(),
        _ => format!("not verified; run: hookbox plugin verify {}", display_path(&file)),
    };
    printer.print_row("pulled", &format!("{} ({})", display_path(&file), to_plain_line(&plugin.called())));
    printer.print_row("from", &to_plain_line(&one.source));
    printer.print_row("sha256", one.digest.digits());
    printer.print_row("signed", &signed);
    Ok(())
}

/// Checks that the tag is the plugin's version; otherwise an owner of tags could distribute an old release as a new one.
pub(super) fn check_version(one: &FetchedPlugin, plugin: &Plugin) -> Result<(), Fault> {
    let (source, own) = (to_plain_line(&one.source), plugin.manifest.version.to_string());
    match &one.version {
        Some(tag) if *tag != own => {
            Err(Fault::Failed(format!("the tag of {source} is {tag}, and the plugin has version {own}")))
        }
        _ => Ok(()),
    }
}
