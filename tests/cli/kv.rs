//! What hooks keep, over many processes.

use std::{
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    thread,
};

use rusqlite::{Connection, OpenFlags};

use crate::{LS, TestBed, gate_with, processes};

const STORE: &str = "[HOME]/.local/state/hookbox/kv.sqlite";

/// A gate that does so with what it keeps for the user.
fn format_keeping_gate(does: &str, keys: &str) -> String {
    let grant = "grant = { kv = { scopes = ['user'] } }";
    gate_with("keeps", &format!("config = {{ o = '{does}' }}\n{grant}\n{keys}"))
}

/// What a query of one number says of the store; `None` while there is nothing.
fn query_number(bed: &TestBed, query: &str) -> Option<i64> {
    let store =
        Connection::open_with_flags(bed.resolve_path(STORE), OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
    store.query_row(query, [], |row| row.get(0)).ok()
}

fn query_count(bed: &TestBed) -> Option<i64> {
    query_number(bed, "SELECT CAST(CAST(value AS TEXT) AS INTEGER) FROM entry")
}

fn list_modes(folder: &Path) -> Vec<u32> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.filter(|file| file.to_str().unwrap().contains("kv.sqlite")).map(read_mode).collect()
}

fn read_mode(path: PathBuf) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn eight_concurrent_processes_lose_no_increment() {
    let bed = TestBed::with_config(&format_keeping_gate("m2", "timeout = '60s'"));
    let before = bed.answer_event(LS);
    assert_eq!((before.code, before.stdout.as_str(), before.stderr.as_str()), (0, "{}\n", ""));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(bed.answer_event(LS).code, 0));
        }
    });
    assert_eq!(query_count(&bed), Some(9 * 50));
    let folder = bed.resolve_path(STORE).parent().unwrap().to_owned();
    assert!(list_modes(&folder).iter().all(|mode| *mode == 0o600));
    assert_eq!(read_mode(folder), 0o700);
}

#[test]
fn a_process_that_is_killed_while_it_writes_leaves_the_store_whole() {
    let bed = TestBed::with_config(&format_keeping_gate(
        "e2",
        "timeout = '60s'\nlimits = { host-calls = 1_000_000 }",
    ));
    for _ in 0..20 {
        let before = query_count(&bed).unwrap_or_default();
        let mut child = bed.build_command(&["run", "--agent", "claude-code"]).spawn().unwrap();
        child.stdin.take().unwrap().write_all(bed.expand_placeholders(LS).as_bytes()).unwrap();
        processes::wait_until("nothing was counted", || query_count(&bed).is_some_and(|now| now > before));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let store = Connection::open(bed.resolve_path(STORE)).unwrap();
    let check: String = store.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
    let uncounted = "SELECT bytes - (SELECT sum(length(key) + length(value)) FROM entry) FROM namespace";
    assert_eq!(query_number(&bed, uncounted), Some(0));
    let before = query_count(&bed);
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", &format_keeping_gate("m2", ""));
    bed.answer_event(LS);
    assert_eq!(query_count(&bed), before.map(|before| before + 50));
}

#[test]
fn a_variable_does_not_move_what_is_kept_into_the_project() {
    let bed = TestBed::with_config(&format_keeping_gate("m2", ""));
    let mut command = bed.build_command(&["run", "--agent", "claude-code"]);
    command.env("XDG_STATE_HOME", bed.resolve_path("[PROJECT]/state"));
    assert_eq!(bed.run_with_input(&mut command, bed.expand_placeholders(LS).as_bytes()).code, 0);
    assert!(bed.resolve_path(STORE).is_file() && !bed.resolve_path("[PROJECT]/state").exists());
}
