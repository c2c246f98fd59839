//! Reads the event that an agent sends on standard input (stdin), at most [`MAX_EVENT_BYTES`], and loads the hooks for it.

use std::{
    io::{self, Read},
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use hookbox::{
    InvalidRequest, MAX_EVENT_BYTES, Request,
    agents::{self, Dialect, InvalidEvent, ReadContext},
    config::{did_you_mean, find_nearest, quote_word},
    model::Json,
};

use hookbox_app::{FolderHooks, HookFiles, Surroundings, bundle::BundleEvent, places::Places};

use super::{
    progress,
    stdin::{self, Stdin},
};
use crate::{
    args::{OwnArgs, SourceArgs, Usual},
    environment,
    printer::Printer,
};

/// hookbox's own dialect, for which no agent has an entry.
pub(super) const NATIVE: &str = "native";
/// Size that most events do not exceed.
const USUAL_EVENT_BYTES: usize = 16 << 10;

pub(super) fn dialect_named(name: Option<&str>) -> Result<Option<&'static dyn Dialect>, String> {
    let Some(name) = name else { return Ok(None) };
    agents::find_dialect(name)
        .map(Some)
        .ok_or_else(|| format!("unknown agent {}; {}", quote_word(name), did_you_mean(name, &list_agents())))
}

fn list_agents() -> Vec<&'static str> {
    agents::all_dialects().iter().map(|dialect| dialect.name()).collect()
}

/// Builds the answer to an entry that names an unknown agent. Exit codes are a deny for some agents only, so the refusal is in
/// the format of the event's sender, else of the agent with the nearest name.
pub(super) fn refuse_unknown_agent(
    name: &str,
    message: String,
    within: Option<Duration>,
    printer: &Printer,
) -> InvalidRequest {
    let meant = find_nearest(name, &list_agents()).and_then(agents::find_dialect);
    let Ok(bytes) = read_input(meant, within, printer) else {
        return InvalidRequest::new(meant, message);
    };
    let sent = sent_by(&bytes).or(meant);
    let event = match sent.map(|sender| Request::parse_input(Some(sender), bytes, &create_read_context())) {
        Some(Ok(request)) => Some(request.event.agent_event),
        Some(Err(invalid)) => invalid.event,
        None => None,
    };
    InvalidRequest { dialect: sent, event, message }
}

fn sent_by(bytes: &[u8]) -> Option<&'static dyn Dialect> {
    let source = Json::parse_object(std::str::from_utf8(bytes).ok()?).ok()?;
    agents::detect_dialect(&source.members()?).dialect()
}

/// Loads the hooks that a command inspects: the agent's own files if any is named, else all layers around `project`.
pub(super) fn load_for_folder(
    agent: Option<&str>,
    (places, project): (Places, &Path),
    (source, own): (&SourceArgs, &OwnArgs),
) -> Result<FolderHooks, String> {
    let dialect = dialect_named(agent)?;
    // Outlives `files`, which borrows it.
    let usual;
    let files = match (dialect, own.files.as_slice()) {
        (Some(dialect), []) => {
            usual = usual_files(dialect, own.usual.unwrap_or(Usual::All), &places, project)?;
            of_agent((dialect, &usual), own, project)
        }
        (None, []) if own.usual.is_none() => of_layers(project, source),
        (Some(dialect), files) => of_agent((dialect, files), own, project),
        (None, _) => return Err("name the agent of the file: `--agent NAME`".to_owned()),
    };
    Ok(FolderHooks::read_files(progress::with_progress(environment::build_surroundings(places)), files))
}

/// Returns the existing files in which the agent has its own hooks. Variables do not move them: agents start `run` with variables
/// that a project may have set.
///
/// # Errors
///
/// hookbox does not run this agent's files, or does not know their places.
fn usual_files(
    dialect: &dyn Dialect,
    which: Usual,
    places: &Places,
    folder: &Path,
) -> Result<Vec<PathBuf>, String> {
    let agent = dialect.name();
    if dialect.hook_file().is_none() {
        return Err(format!("hookbox does not run {agent}'s own hook files; leave out `--own`"));
    }
    let unknown =
        || format!("the place of {agent}'s hook file is unknown; name the file with `--source FILE`");
    let usual = agents::usual_files(agent).ok_or_else(unknown)?;
    let mut files =
        vec![places.settings_folder(&usual.user, &|_| None).ok_or_else(unknown)?.join(usual.file)];
    // The home folder is not a project.
    if let (Usual::All, Some(of_project), Ok(root)) = (which, usual.project, places.project_root(folder)) {
        files.push(root.join(of_project).join(usual.file));
    }
    // A link that leads nowhere stays: hooks may be missing.
    files.retain(|file| file.symlink_metadata().is_ok());
    Ok(files)
}

/// Loads the hooks of an exported folder, for any agent.
pub(super) fn load_exported_folder(
    bundle: &Path,
    (places, project): (Places, &Path),
) -> Result<FolderHooks, String> {
    // Its entry names it with its links resolved, and counts are stored under that name.
    let folder = bundle.canonicalize().map_err(|error| format!("--bundle {}: {error}", bundle.display()))?;
    let dialect = agents::find_dialect(NATIVE).ok_or("the dialect `native` is missing")?;
    let of = BundleEvent { bundle: &folder, dialect, event: "", program: None };
    let files = HookFiles::Bundle { folder: project, of };
    Ok(FolderHooks::read_files(progress::with_progress(environment::build_surroundings(places)), files))
}

/// Returns hookbox's own files around `folder`.
pub(super) fn of_layers<'a>(folder: &'a Path, source: &'a SourceArgs) -> HookFiles<'a> {
    HookFiles::Layers { folder, session: source.config.as_deref() }
}

/// Returns these files of an agent's own, alone or in one chain with hookbox's files around `folder`.
fn of_agent<'a>(
    (dialect, files): (&'a dyn Dialect, &'a [PathBuf]),
    own: &OwnArgs,
    folder: &'a Path,
) -> HookFiles<'a> {
    if own.with_hookbox {
        HookFiles::Joined { folder, dialect, files }
    } else {
        HookFiles::Own { dialect, files }
    }
}

/// Loads the hooks that decide about this event: the agent's own files if any is named, else all layers around its folder.
pub(super) fn load_for_event(
    Request { dialect, event }: &Request,
    places: Places,
    (source, own): (&SourceArgs, &OwnArgs),
) -> Result<FolderHooks, String> {
    let usual;
    let files = match (own.usual, own.files.as_slice()) {
        (Some(which), _) => {
            usual = usual_files(*dialect, which, &places, Path::new(&event.cwd))?;
            of_agent((*dialect, &usual), own, Path::new(&event.cwd))
        }
        (None, []) => of_layers(Path::new(&event.cwd), source),
        (None, files) => of_agent((*dialect, files), own, Path::new(&event.cwd)),
    };
    let session_folders = dialect.session_folders(event);
    let surroundings = Surroundings { session_folders, ..environment::build_surroundings(places) };
    Ok(FolderHooks::read_files(surroundings, files).in_session(event))
}

pub(super) fn load_bundle_for_event(
    Request { dialect, event }: &Request,
    places: Places,
    bundle: &Path,
) -> FolderHooks {
    let program = environment::find_program();
    let of =
        BundleEvent { bundle, dialect: *dialect, event: &event.agent_event, program: program.as_deref() };
    let files = HookFiles::Bundle { folder: Path::new(&event.cwd), of };
    FolderHooks::read_files(environment::build_surroundings(places), files).in_session(event)
}

/// Reads the agent's event: from variables if the agent uses them, else from standard input. `within` is the agent timeout.
pub(super) fn read_input(
    dialect: Option<&'static dyn Dialect>,
    within: Option<Duration>,
    printer: &Printer,
) -> Result<Vec<u8>, String> {
    match dialect.and_then(|dialect| dialect.event_in_variables(&environment::read_text_variable)) {
        Some(text) => Ok(text.into_bytes()),
        None => standard_input(within, printer),
    }
}

pub(super) fn standard_input(within: Option<Duration>, printer: &Printer) -> Result<Vec<u8>, String> {
    stdin::print_hint(printer);
    read_bytes(Stdin::with_timeout(within))
}

/// Reads all of the input, if it is not too long.
pub(super) fn read_bytes(input: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(USUAL_EVENT_BYTES);
    // One byte more than the maximum reveals an event that is too long.
    let read = input.take(MAX_EVENT_BYTES as u64 + 1).read_to_end(&mut bytes);
    let code = InvalidEvent::CODE;
    read.map_err(|error: io::Error| format!("{code}: the event cannot be read: {error}"))?;
    if bytes.len() > MAX_EVENT_BYTES {
        return Err(format!("{code}: the event is longer than {MAX_EVENT_BYTES} bytes"));
    }
    Ok(bytes)
}

/// Returns the facts that an event itself may lack: id, time and folder.
pub(super) fn create_read_context() -> ReadContext {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let nanos = since.as_nanos();
    ReadContext {
        // Agents start hooks concurrently, so the time alone may not be unique.
        id: format!("{nanos:x}-{:x}", std::process::id()),
        time: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
        cwd: environment::current_folder().display().to_string(),
    }
}
