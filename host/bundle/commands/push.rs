//! `hookbox plugin push`: uploads plugins to a registry or writes them into an image layout.

use std::{
    fs,
    path::{Path, PathBuf},
};

use hookbox::{model::Version, sandbox::component_file::MAX_COMPONENT_BYTES};
use hookbox_registry::{Annotations, Package, Pick, Reference, Release, Signed, layout};
use hookbox_trust::statement;

use crate::{
    args::PushArgs,
    bundle::{Plugin, Sidecars, describe_read_error, display_path, read_plain_file, write_file},
    exit::{ExitStatus, Fault},
    printer::{Printer, to_plain_line},
    source::{Source, build_registry_client, build_runtime, to_fault},
};

/// Annotations that other tools show.
const SOURCE: &str = "org.opencontainers.image.source";
const REVISION: &str = "org.opencontainers.image.revision";
const DESCRIPTION: &str = "org.opencontainers.image.description";

pub(super) fn push_plugins(args: &PushArgs, printer: &Printer) -> Result<ExitStatus, Fault> {
    let place = Source::parse(&args.place)?;
    let releases: Vec<_> =
        args.files.iter().map(|file| make_release(file, args)).collect::<Result<_, _>>()?;
    let package = Package::new(&releases).map_err(to_fault)?;
    let version = choose_version(&place, &releases)?;
    let there = match &place {
        Source::Registry(reference) => {
            let reference = Reference { pick: Pick::Version(version), ..reference.clone() };
            let pushing = build_registry_client();
            build_runtime()?.block_on(pushing.push(&reference, &package, args.replace)).map_err(to_fault)?;
            reference.to_string()
        }
        Source::Layout(folder, _) => {
            let index = layout::index_of(folder).map_err(to_fault)?;
            let files =
                layout::build_files(index.as_deref(), &package, &version, args.replace).map_err(to_fault)?;
            write_all(folder, &files)?;
            Source::Layout(folder.clone(), Pick::Version(version)).shown()
        }
        Source::File(_) => {
            return Err(Fault::Usage(format!(
                "`{}` is not a location; write oci://HOST/NAME or oci-layout:FOLDER",
                to_plain_line(&args.place)
            )));
        }
    };
    for release in &releases {
        let signed = if release.signed.signatures.is_empty() { ", unsigned" } else { "" };
        printer.print_row("pushed", &to_plain_line(&format!("{} {}{signed}", release.name, release.version)));
    }
    printer.print_row("to", &there);
    printer.print_row("manifest", &package.digest().to_string());
    Ok(ExitStatus::Success)
}

fn make_release(file: &Path, args: &PushArgs) -> Result<Release, Fault> {
    let plugin = Plugin::read_file(file)?;
    let sidecars = Sidecars::read_files(file)?;
    let mut annotations = Annotations::new();
    if let Some(description) = &plugin.manifest.description {
        annotations.insert(DESCRIPTION.to_owned(), description.clone());
    }
    match &sidecars.statement {
        Some(statement) => annotate_source(file, &plugin, statement, &mut annotations)?,
        None if args.unsigned => {}
        None => {
            let file = display_path(file);
            return Err(Fault::Failed(format!(
                "{file} is not signed; sign it with `hookbox plugin sign {file} --key KEY`, or pass --unsigned"
            )));
        }
    }
    let most = usize::try_from(MAX_COMPONENT_BYTES).unwrap_or(usize::MAX);
    let component =
        read_plain_file(file, most).map_err(|error| Fault::Usage(describe_read_error(file, &error)))?;
    let signatures = sidecars.signatures.into_iter().map(|(_, armored)| armored).collect();
    Ok(Release {
        component: component.into(),
        name: plugin.manifest.name.to_string(),
        version: plugin.manifest.version.to_string(),
        annotations,
        signed: Signed { statement: sidecars.statement, signatures },
    })
}

/// Checks that the statement is about this plugin, since any other would be rejected.
fn annotate_source(
    file: &Path,
    plugin: &Plugin,
    statement: &[u8],
    annotations: &mut Annotations,
) -> Result<(), Fault> {
    let release = statement::Release::parse(statement);
    let release = release.and_then(|release| release.check_component(plugin.component()).map(|()| release));
    let release =
        release.map_err(|refusal| Fault::Failed(format!("cannot push {}: {refusal}", display_path(file))))?;
    if let Some(source) = release.source {
        annotations.insert(SOURCE.to_owned(), source.repo);
        annotations.extend(source.rev.map(|rev| (REVISION.to_owned(), rev)));
    }
    Ok(())
}

/// Returns the version: that of a single plugin, which the place must not contradict; for a pack that of the place.
fn choose_version(place: &Source, releases: &[Release]) -> Result<Version, Fault> {
    let pick = match place {
        Source::Registry(Reference { pick, .. }) | Source::Layout(_, pick) => pick,
        Source::File(_) => &Pick::Newest,
    };
    let own = match releases {
        [one] => Version::parse(&one.version).ok(),
        _ => None,
    };
    match (pick, own) {
        (Pick::Version(picked), Some(own)) if *picked != own => {
            Err(Fault::Usage(format!("the plugin has version {own} and cannot be pushed as {picked}")))
        }
        (Pick::Version(picked), _) => Ok(picked.clone()),
        (Pick::Newest, Some(own)) if !own.build.is_empty() => {
            Err(Fault::Usage(format!("the version {own} contains `+`, which is not allowed in a tag")))
        }
        (Pick::Newest, Some(own)) => Ok(own),
        (Pick::Newest, None) => {
            let place = place.shown();
            Err(Fault::Usage(format!("a pack needs a version, as in `{place}:1.0.0`")))
        }
        (Pick::Digest(_), _) => Err(Fault::Usage(
            "cannot push to a digest, which the content determines; name a version".to_owned(),
        )),
    }
}

/// Writes the content first, then the index of it.
fn write_all(folder: &Path, files: &[(PathBuf, impl AsRef<[u8]>)]) -> Result<(), Fault> {
    let blobs = folder.join("blobs/sha256");
    fs::create_dir_all(&blobs)
        .map_err(|error| Fault::Failed(format!("{} cannot be created: {error}", display_path(&blobs))))?;
    files.iter().try_for_each(|(path, content)| write_file(&folder.join(path), content.as_ref()))
}
