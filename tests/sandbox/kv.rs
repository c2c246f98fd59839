//! What a plugin keeps between calls: whose it is, how much, and what becomes of the file.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, thread};

use hookbox::{
    HookSpec, Host, Origin, Target,
    hook::WasmSpec,
    model::{Event, FailureCode, Grants, HookReport, Json, KvGrant, Layer, Scope},
    sandbox::engine_settings::Allocation,
};

use crate::{Bed, create_hook, dispatch_event, expect_failure, tool_event};

const SCOPES: [Scope; 3] = Scope::ALL;

/// The guest that keeps what its settings say, with this grant.
fn create_keeping_hook(plugin: &Path, does: &str, kv: KvGrant) -> HookSpec {
    let grants = Grants { kv, ..Grants::default() };
    let target = Target::Wasm(WasmSpec { grants, ..WasmSpec::new(plugin) });
    let config = Json::parse_object(&format!(r#"{{"o":"{does}"}}"#)).unwrap();
    HookSpec { target, config, ..create_hook("keeps", plugin) }
}

fn create_host(bed: &Bed, spec: HookSpec) -> Host {
    bed.builder().state(&bed.join_path("state")).hooks([spec]).build()
}

fn call_scope(session: &str, cwd: &Path) -> Event {
    Event { session: session.to_owned(), cwd: cwd.to_str().unwrap().to_owned(), ..tool_event() }
}

fn run_spec(bed: &Bed, spec: HookSpec, event: Event) -> HookReport {
    dispatch_event(&create_host(bed, spec), event).reports.remove(0)
}

/// What the guest logs, in a host of its own.
fn run_and_read_log(bed: &Bed, does: &str) -> String {
    let spec = create_keeping_hook(&bed.write_plugin("keeps"), does, KvGrant::new(SCOPES));
    join_log(&run_spec(bed, spec, call_scope("s", &bed.join_path(""))))
}

fn join_log(report: &HookReport) -> String {
    let lines: Vec<_> = report.log.iter().map(|line| line.message.as_str()).collect();
    assert!(!lines.is_empty(), "{:?}", report.status);
    lines.join("\n")
}

/// The failure of a hook that may keep things in this folder.
fn store_failure(bed: &Bed) -> (FailureCode, String) {
    let spec = create_keeping_hook(&bed.write_plugin("keeps"), "g0", KvGrant::new(SCOPES));
    let failure = expect_failure(&run_spec(bed, spec, call_scope("s", &bed.join_path(""))));
    (failure.code, failure.message.replace(bed.join_path("").to_str().unwrap(), "[BED]/"))
}

#[test]
fn what_one_host_keeps_the_next_one_finds() {
    let bed = Bed::new();
    let both = |does: &str| [run_and_read_log(&bed, does), run_and_read_log(&bed, "g0")];
    assert_eq!(both("g0"), ["none", "none"]);
    assert_eq!(both("s0one"), ["one", "one"]);
    assert_eq!(both("c0two"), ["one", "one"]);
    assert_eq!(both("k0"), ["k", "one"]);
    assert_eq!(both("d0"), ["none", "none"]);
    assert_eq!(both("c0two"), ["two", "two"]);
    assert_eq!(both("i0"), ["error 4", "two"]);
    assert_eq!(both("s041"), ["41", "41"]);
    assert_eq!(both("i0"), ["42", "42"]);
}

#[test]
fn each_call_of_one_host_finds_what_the_last_one_kept() {
    let bed = Bed::new();
    let spec = create_keeping_hook(&bed.write_plugin("keeps"), "i2", KvGrant::new(SCOPES));
    // From the pool other hooks are called at once, and a second time if one slice does not suffice.
    let builder = bed.builder().allocation(Allocation::POOLED);
    let host = builder.state(&bed.join_path("state")).hooks([spec]).build();
    let calls = (0..3).map(|_| join_log(&dispatch_event(&host, tool_event()).reports[0]));
    assert_eq!(calls.collect::<Vec<_>>(), ["1", "2", "3"]);
}

#[test]
fn sessions_projects_and_scopes_do_not_see_each_other() {
    let bed = Bed::new();
    let plugin = bed.write_plugin("keeps");
    let [one, two] = ["one", "two"].map(|name| bed.join_path(name));
    for project in [&one, &two] {
        fs::create_dir(project).unwrap();
    }
    let count = |scope: usize, session: &str, project: &Path| {
        let spec = create_keeping_hook(&plugin, &format!("i{scope}"), KvGrant::new(SCOPES));
        join_log(&run_spec(&bed, spec, call_scope(session, project)))
    };
    let places = [("a", &one), ("a", &two), ("b", &one)];
    let counts = [0, 1, 2].map(|scope| places.map(|(session, project)| count(scope, session, project)));
    assert_eq!(counts, [["1", "2", "1"], ["1", "1", "2"], ["1", "2", "3"]]);
}

#[test]
fn plugins_do_not_see_each_others_entries() {
    let bed = Bed::new();
    let (one, two) =
        (bed.write_plugin("keeps"), bed.write_file("two.wasm", &crate::guests::build_component("keeps")));
    let count = |plugin: &Path, layer| {
        let spec = create_keeping_hook(plugin, "i2", KvGrant::new(SCOPES));
        let origin = Origin { layer, ..spec.origin.clone() };
        join_log(&run_spec(&bed, HookSpec { origin, ..spec }, tool_event()))
    };
    assert_eq!(count(&one, Layer::User), "1");
    assert_eq!(count(&two, Layer::User), "1");
    assert_eq!(count(&one, Layer::Project), "1");
    assert_eq!(count(&one, Layer::User), "2");
}

#[test]
fn an_event_that_does_not_tell_its_session_or_project_has_no_entries_there() {
    let bed = Bed::new();
    let plugin = bed.write_plugin("keeps");
    let nowhere = |does| {
        join_log(&run_spec(
            &bed,
            create_keeping_hook(&plugin, does, KvGrant::new(SCOPES)),
            call_scope("", Path::new("")),
        ))
    };
    assert_eq!(["s0x", "s1x", "s2x"].map(nowhere), ["error 1", "error 1", "x"]);
}

#[test]
fn a_scope_without_a_grant_is_refused_and_the_line_for_the_grant_is_reported() {
    let bed = Bed::new();
    let spec = create_keeping_hook(&bed.write_plugin("keeps"), "s1x", KvGrant::new([Scope::Session]));
    let report = run_spec(&bed, spec, call_scope("s", &bed.join_path("")));
    assert_eq!(join_log(&report), "error 0");
    insta::assert_snapshot!(report.refused[0], @r#"kv project: the scope is not granted; to permit it, write `grant = { kv = { scopes = ["session", "project"] } }` into the hook's entry"#);
}

/// Toolchains import all of hookbox's world, whether a hook uses it or not.
#[test]
fn a_plugin_without_the_store_grant_stores_nothing_and_receives_an_error() {
    let bed = Bed::new();
    let report = run_spec(
        &bed,
        create_keeping_hook(&bed.write_plugin("keeps"), "s0x", KvGrant::default()),
        tool_event(),
    );
    assert_eq!(join_log(&report), "error 0");
    insta::assert_snapshot!(report.refused[0], @r#"kv session: the scope is not granted; to permit it, write `grant = { kv = { scopes = ["session"] } }` into the hook's entry"#);
    assert!(!bed.join_path("state").exists());
}

#[test]
fn a_key_keeps_64_kib_and_a_scope_its_quota() {
    let bed = Bed::new();
    let plugin = bed.write_plugin("keeps");
    let set = |bytes: usize, quota| {
        let does = format!("s0{}", "x".repeat(bytes));
        let spec = create_keeping_hook(&plugin, &does, KvGrant::new(SCOPES).with_quota(quota));
        join_log(&run_spec(&bed, spec, call_scope("s", &bed.join_path("")))).len()
    };
    let error = "error 2".len();
    assert_eq!([set(2000, 1 << 20), set((64 << 10) + 1, 1 << 20)], [2000, error]);
    // The key is one byte; what stood there before does not count.
    assert_eq!([set(4095, 4096), set(4096, 4096), set(4095, 4096)], [4095, error, 4095]);
    assert_eq!(run_and_read_log(&bed, "g0").len(), 4095);
    assert_eq!(run_and_read_log(&bed, &format!("s0{}", "x".repeat((64 << 10) + 1))), "error 2");
}

#[test]
fn hosts_in_many_threads_lose_no_increment() {
    let bed = Bed::new();
    let plugin = bed.write_plugin("keeps");
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let host = create_host(&bed, create_keeping_hook(&plugin, "m2", KvGrant::new(SCOPES)));
                join_log(&dispatch_event(&host, tool_event()).reports[0])
            });
        }
    });
    assert_eq!(run_and_read_log(&bed, "g2"), "200");
}

#[test]
fn without_a_folder_for_it_a_hook_that_keeps_something_fails() {
    let bed = Bed::new();
    let spec = create_keeping_hook(&bed.write_plugin("keeps"), "g0", KvGrant::new(SCOPES));
    let host = bed.builder().hooks([spec]).build();
    let failure = expect_failure(&dispatch_event(&host, tool_event()).reports[0]);
    insta::assert_snapshot!(format!("{:?}: {}", failure.code, failure.message), @"Refused: there is no folder for what hooks keep (`grant.kv`): HOME or XDG_STATE_HOME must name one outside the project; a program that embeds hookbox names it with `MachineBuilder::state`");
}

#[test]
fn a_folder_or_file_that_others_can_reach_is_not_used() {
    let bed = Bed::new();
    let state = bed.join_path("state");
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    fs::create_dir(&state).unwrap();
    mode(&state, 0o770);
    insta::assert_snapshot!(store_failure(&bed).1, @"the folder [BED]/state, for what hooks keep, is not used: its mode is 770; make it yours alone with `chmod 700`");
    mode(&state, 0o700);
    assert_eq!(run_and_read_log(&bed, "s2x"), "x");
    let files =
        || fs::read_dir(&state).unwrap().map(|file| file.unwrap().metadata().unwrap().permissions().mode());
    assert_eq!(files().map(|mode| mode & 0o777).max(), Some(0o600));
    mode(&state.join("kv.sqlite"), 0o640);
    insta::assert_snapshot!(store_failure(&bed).1, @"what hooks keep, in [BED]/state/kv.sqlite, is not used: its mode is 640; make it yours alone with `chmod 600`");
}

#[test]
fn a_link_in_the_place_of_the_folder_or_the_file_is_not_followed() {
    let bed = Bed::new();
    let (state, real) = (bed.join_path("state"), bed.join_path("real"));
    fs::create_dir(&real).unwrap();
    std::os::unix::fs::symlink(&real, &state).unwrap();
    insta::assert_snapshot!(store_failure(&bed).1, @"the folder [BED]/state, for what hooks keep, is not used: Not a directory (os error 20)");
    fs::remove_file(&state).unwrap();
    assert_eq!(run_and_read_log(&bed, "s2x"), "x");
    fs::rename(state.join("kv.sqlite"), real.join("kv.sqlite")).unwrap();
    std::os::unix::fs::symlink(real.join("kv.sqlite"), state.join("kv.sqlite")).unwrap();
    insta::assert_snapshot!(store_failure(&bed).1, @"what hooks keep, in [BED]/state/kv.sqlite, is not used: it is not a plain file");
}

#[test]
fn a_file_that_is_not_a_store_is_unchanged() {
    let bed = Bed::new();
    let file = bed.join_path("state/kv.sqlite");
    fs::create_dir(bed.join_path("state")).unwrap();
    let put = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        for path in [bed.join_path("state"), file.clone()] {
            let mode = if path == file { 0o600 } else { 0o700 };
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    let text = "not a database, ".repeat(300);
    put(text.as_bytes());
    insta::assert_snapshot!(store_failure(&bed).1, @"what hooks keep, in [BED]/state/kv.sqlite, cannot be used: file is not a database; move it and the files whose names begin with its name away; hooks then start with an empty store");
    assert_eq!(fs::read_to_string(&file).unwrap(), text);

    // A store of another program, and one of a newer hookbox.
    for (pragma, expected) in
        [("application_id = 7", "it is not hookbox's"), ("user_version = 2", "a newer hookbox")]
    {
        let _ = fs::remove_dir_all(bed.join_path("state"));
        assert_eq!(run_and_read_log(&bed, "s2x"), "x");
        let connection = rusqlite::Connection::open(&file).unwrap();
        connection.execute_batch(&format!("PRAGMA {pragma}")).unwrap();
        drop(connection);
        let (code, message) = store_failure(&bed);
        assert_eq!(code, FailureCode::Refused);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_damaged_store_fails_the_hook_and_says_what_to_do() {
    let bed = Bed::new();
    assert_eq!(run_and_read_log(&bed, "s2x"), "x");
    let file = bed.join_path("state/kv.sqlite");
    let connection = rusqlite::Connection::open(&file).unwrap();
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(connection);
    // The header says that all is well.
    let mut bytes = fs::read(&file).unwrap();
    bytes[4096..].fill(0xff);
    fs::write(&file, bytes).unwrap();
    let spec = create_keeping_hook(&bed.write_plugin("keeps"), "g2", KvGrant::new(SCOPES));
    let failure = expect_failure(&run_spec(&bed, spec, tool_event()));
    let message =
        failure.message.replace(bed.join_path("state").canonicalize().unwrap().to_str().unwrap(), "[STATE]");
    assert_eq!(failure.code, FailureCode::Internal);
    insta::assert_snapshot!(message, @"what hooks keep, in [STATE]/kv.sqlite, cannot be used: database disk image is malformed; move it and the files whose names begin with its name away; hooks then start with an empty store");
}

#[test]
fn sessions_without_a_write_for_a_month_are_deleted_and_other_data_is_kept() {
    let bed = Bed::new();
    let keep = |session: &str, does: &str| {
        let spec = create_keeping_hook(&bed.write_plugin("keeps"), does, KvGrant::new(SCOPES));
        join_log(&run_spec(&bed, spec, call_scope(session, &bed.join_path(""))))
    };
    keep("old", "s0x");
    keep("old", "s1x");
    let connection = rusqlite::Connection::open(bed.join_path("state/kv.sqlite")).unwrap();
    connection.execute_batch("UPDATE namespace SET written = written - 31 * 86400").unwrap();
    keep("new", "s0x");
    // It was looked today.
    assert_eq!(keep("old", "g0"), "x");
    connection.execute_batch("UPDATE upkeep SET pruned = pruned - 86400").unwrap();
    assert_eq!([keep("new", "s0x"), keep("old", "g0"), keep("old", "g1")], ["x", "none", "x"]);
    let left: i64 = connection.query_row("SELECT count(*) FROM entry", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 2);
}

#[test]
fn while_another_process_writes_a_hook_can_read_and_receives_an_error_for_a_write() {
    let bed = Bed::new();
    assert_eq!(run_and_read_log(&bed, "s2x"), "x");
    let mut connection = rusqlite::Connection::open(bed.join_path("state/kv.sqlite")).unwrap();
    let held = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    assert_eq!([run_and_read_log(&bed, "g2"), run_and_read_log(&bed, "s2y")], ["x", "error 5"]);
    drop(held);
    assert_eq!(run_and_read_log(&bed, "s2y"), "y");
}
