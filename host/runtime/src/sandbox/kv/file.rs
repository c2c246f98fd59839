//! The file of the store: created, checked and opened.

use std::{
    io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use hookbox_model::{Failure, FailureCode};
use hookbox_platform::{file::FileKind, folder::Folder};
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior, config::DbConfig};

use super::{super::own_folder, MAX_WAIT};
use crate::atomic_file::{Access, Draft};

const NAME: &str = "kv.sqlite";
/// Marks the file as ours: "hkbx".
const APPLICATION: i32 = 0x686b_6278;
/// Version of the tables below. A newer version is refused.
const VERSION: i32 = 1;
/// Most that all plugins keep together: 1 GiB in pages of 4 KiB.
pub(super) const MAX_PAGES: i32 = 1 << 18;
/// Pause between two attempts while another process sets the file up.
const PAUSE: Duration = Duration::from_millis(5);

const TABLES: &str = "
    CREATE TABLE namespace (
        id INTEGER PRIMARY KEY,
        owner TEXT NOT NULL,
        scope TEXT NOT NULL,
        place TEXT NOT NULL,
        bytes INTEGER NOT NULL,
        written INTEGER NOT NULL,
        UNIQUE (owner, scope, place)
    ) STRICT;
    CREATE TABLE entry (
        namespace INTEGER NOT NULL,
        key TEXT NOT NULL,
        value BLOB NOT NULL,
        PRIMARY KEY (namespace, key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE upkeep (pruned INTEGER NOT NULL) STRICT;
    INSERT INTO upkeep VALUES (0);
";

/// Opens the store in `folder`, creates both if necessary, and returns the file's path. The store grows to `max_pages`
/// of 4 KiB.
pub(super) fn open(folder: &Path, max_pages: i32) -> Result<(Connection, PathBuf), Failure> {
    let refuse = |problem: String| refused_failure(&folder.join(NAME), &problem);
    let opened = own_folder::open(folder).map_err(|problem| {
        let message = format!("the folder {}, for what hooks keep, is not used: {problem}", folder.display());
        Failure::new(FailureCode::Refused, &message)
    })?;
    check_file(&opened).map_err(refuse)?;
    // The folder may be reached by links, which SQLite is configured not to follow.
    let path = folder.canonicalize().map_err(|error| refuse(error.to_string()))?.join(NAME);
    let ends = Instant::now() + MAX_WAIT;
    loop {
        match open_connection(&path, max_pages) {
            Ok(connection) => return Ok((connection, path)),
            Err(StoreFileError::Sqlite(error)) if is_busy(&error) && Instant::now() < ends => {
                thread::sleep(PAUSE);
            }
            Err(StoreFileError::Sqlite(error)) => return Err(broken_failure(&path, &error)),
            Err(StoreFileError::Foreign(problem)) => return Err(refuse(problem.to_owned())),
        }
    }
}

/// Checks that the file exists and is this user's alone. It is never opened here: closing it would release the locks
/// that this process may have on it.
fn check_file(folder: &Folder) -> Result<(), String> {
    let look = || folder.status_of(NAME);
    let status = match look() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            create_database(folder).and_then(|()| look())
        }
        found => found,
    };
    let status = status.map_err(|error| error.to_string())?;
    // A link could lead the entries into another file.
    if status.kind != FileKind::Plain {
        return Err("it is not a plain file".to_owned());
    }
    status.check_private().map_err(|error| error.to_string())
}

/// Creates an empty file, which gets its name only after it is closed.
fn create_database(folder: &Folder) -> io::Result<()> {
    match Draft::write_temporary(folder, Access::PRIVATE, b"").and_then(|draft| draft.persist_new(NAME)) {
        // Another process created it first.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// Reason for not using a file.
enum StoreFileError {
    Foreign(&'static str),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreFileError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

fn open_connection(path: &Path, max_pages: i32) -> Result<Connection, StoreFileError> {
    // A lock of tokio already gives the connection to one thread at a time, so SQLite's own is left out.
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(MAX_WAIT)?;
    // The file may come from elsewhere: its views and triggers must not call functions.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    // A process that answers one event must not wait for the disk at its end.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    match detect_kind(&connection)? {
        Kind::Ours => {}
        Kind::Empty => set_up(&mut connection)?,
        Kind::Newer => {
            return Err(StoreFileError::Foreign(
                "a newer hookbox has written it; use that one, or move it away",
            ));
        }
        Kind::Foreign => return Err(StoreFileError::Foreign("it is not hookbox's; move it away")),
    }
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode != "wal" {
        // The file system has no shared memory.
        connection.pragma_update(None, "journal_mode", "TRUNCATE")?;
    }
    // A power cut may lose the last entries, never the store.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    // SQLite does not store this limit in the file.
    connection.pragma_update(None, "max_page_count", max_pages)?;
    // SQLite would put temporary files into a folder that variables such as TMPDIR name, which a project may
    // set.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    Ok(connection)
}

enum Kind {
    Empty,
    Ours,
    Newer,
    Foreign,
}

fn detect_kind(connection: &Connection) -> rusqlite::Result<Kind> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(match (number("application_id")?, number("user_version")?) {
        (APPLICATION, VERSION) => Kind::Ours,
        (APPLICATION, version) if version > VERSION => Kind::Newer,
        // The database of another program may have no numbers either, but it has tables.
        (0, 0) if tables == 0 => Kind::Empty,
        _ => Kind::Foreign,
    })
}

fn set_up(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have done it first.
    if matches!(detect_kind(&transaction)?, Kind::Empty) {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    transaction.commit()
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn refused_failure(path: &Path, problem: &str) -> Failure {
    let message = format!("what hooks keep, in {}, is not used: {problem}", path.display());
    Failure::new(FailureCode::Refused, &message)
}

/// Returns the failure for SQLite's error about the file at `path`, with advice.
pub(super) fn broken_failure(path: &Path, error: &rusqlite::Error) -> Failure {
    let help = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            "move it and the files whose names begin with its name away; hooks then start with an empty store"
        }
        Some(ErrorCode::DiskFull) => {
            "the disk is full, or hooks keep 1 GiB already: move it away to begin anew"
        }
        _ => "see that the disk works and the file can be written to",
    };
    let message = format!("what hooks keep, in {}, cannot be used: {error}; {help}", path.display());
    Failure::new(FailureCode::Internal, &message)
}
