//! One file of a layer, or next to it: read as a whole, or the problem why it cannot be read.

use std::{fs::File, io, path::Path};

use hookbox::{
    ShippedPlugins, agents,
    config::{self, ReviewedEntries},
    hookfile::{Loaded, MAX_FILE_BYTES, Problem, Severity, Source},
    model::{EventName, Layer, TrustLevel},
};
use hookbox_platform::file::{self, FileKind, FileStatus, is_there};

use crate::{own_scripts, settled_file};

/// Advice for an empty file: whatever truncated the file removed every guard in it.
const EMPTY: &str = "write its hooks again, or `# no hooks` if there are to be none, or remove it";

/// Loads one layer; `None` if its file does not exist.
pub(super) fn layer_of(source: Source) -> Option<Loaded> {
    layer_by(source, load_text)
}

/// Loads one layer; `parse` reads the text.
pub(super) fn layer_by(source: Source, mut parse: impl FnMut(&Source) -> Loaded) -> Option<Loaded> {
    let (file, trust_level) = (source.file.clone()?, source.trust_level);
    match read_settled(&file, trust_level) {
        // Editors and full disks leave empty files; read as no hooks, such a file would turn all guards off.
        Ok(bytes) if trust_level == TrustLevel::Own && bytes.trim_ascii().is_empty() => {
            Some(make_problem_layer(&source, "the file is empty".to_owned(), Some(EMPTY)))
        }
        Ok(bytes) => Some(match source.with_bytes(bytes) {
            Ok(source) => parse(&source),
            Err(problem) => Loaded { problems: vec![*problem], ..Loaded::default() },
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_absent(&file) => None,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some(make_problem_layer(
            &source,
            "it is a symbolic link to a file that does not exist".to_owned(),
            None,
        )),
        Err(error) => {
            Some(make_problem_layer(&source, format!("the configuration cannot be read: {error}"), None))
        }
    }
}

/// Returns true if the file does not exist. A file that exists but was not found, or a dangling link on the way (a file system
/// that is not mounted), must not turn hooks off.
fn is_absent(file: &Path) -> bool {
    let is_link_to_nothing = |place: &Path| is_there(place) && place.metadata().is_err();
    !is_there(file) && !file.ancestors().any(is_link_to_nothing)
}

/// Returns the source for a file of the user's own, not yet read. A relative path is resolved from the working folder of this
/// process.
pub(super) fn unread_source(layer: Layer, file: &Path, shipped: &ShippedPlugins) -> Source {
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let (file, plugins) = (Some(file), shipped.clone());
    Source { layer, trust_level: TrustLevel::Own, file, root: None, plugins, text: String::new() }
}

pub(super) fn make_problem_layer(source: &Source, message: String, help: Option<&str>) -> Loaded {
    let problem: Problem = source.make_problem(Severity::Error, message, help.map(str::to_owned));
    Loaded { problems: vec![problem], ..Loaded::default() }
}

pub(crate) fn load_text(source: &Source) -> Loaded {
    own_scripts::resolve_scripts(source, load_reviewed(source, &ReviewedEntries::None))
}

pub(super) fn load_reviewed(source: &Source, reviewed: &ReviewedEntries) -> Loaded {
    let dialects: Vec<(&str, Vec<(&'static str, EventName)>)> =
        agents::all_dialects().iter().map(|dialect| (dialect.name(), dialect.events())).collect();
    let dialects: Vec<_> = dialects.iter().map(|(name, events)| (*name, events.as_slice())).collect();
    config::load_reviewed(source, reviewed, &dialects)
}

/// Reads a file next to the configuration; `None` if it does not exist.
pub(crate) fn read_sidecar(
    (layer, file): (Layer, &Path),
    shipped: &ShippedPlugins,
) -> Result<Option<Vec<u8>>, Box<Problem>> {
    let trust_level = if layer == Layer::Project { TrustLevel::Untrusted } else { TrustLevel::Own };
    match read_settled(file, trust_level) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_absent(file) => Ok(None),
        Err(error) => {
            Err(find_sibling_errors((layer, file), shipped, format!("the file cannot be read: {error}")))
        }
    }
}

/// Builds the problem of a file next to the configuration.
pub(crate) fn find_sibling_errors(
    (layer, file): (Layer, &Path),
    shipped: &ShippedPlugins,
    message: String,
) -> Box<Problem> {
    let trust_level = if layer == Layer::Project { TrustLevel::Untrusted } else { TrustLevel::Own };
    Box::new(Source { trust_level, ..unread_source(layer, file, shipped) }.make_problem(
        Severity::Error,
        message,
        None,
    ))
}

/// Reads a whole plain file once its content is settled.
pub(super) fn read_settled(path: &Path, trust_level: TrustLevel) -> io::Result<Vec<u8>> {
    // One byte more than the maximum reveals a file that is too long.
    settled_file::read_settled(path, &|path| open(path, trust_level), MAX_FILE_BYTES + 1)
}

/// Opens a plain file. An untrusted one must not be a link, nor belong to another user.
fn open(path: &Path, trust_level: TrustLevel) -> io::Result<(File, FileStatus)> {
    let is_link = |error: &io::Error| file::is_link(error) || error.kind() == io::ErrorKind::NotADirectory;
    let file = match trust_level {
        // The project provides the names of the file and of its folder.
        TrustLevel::Untrusted => file::open_unlinked(path).map_err(|error| match error {
            error if is_link(&error) => io::Error::other("it, or its folder, is a symbolic link"),
            error => error,
        }),
        _ => file::open(path),
    }?;
    let status = FileStatus::of_file(&file)?;
    let refuse = |what: &str| Err(io::Error::other(what.to_owned()));
    match status.kind {
        FileKind::Plain => {}
        FileKind::Folder => return refuse("it is a directory"),
        FileKind::Other => return refuse("it is not a plain file"),
    }
    // The search for a project goes upwards, through folders where other users may write, such as `/tmp`.
    if trust_level == TrustLevel::Untrusted && !status.is_own() {
        return refuse("it belongs to another user");
    }
    Ok((file, status))
}
