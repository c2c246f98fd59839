//! `plugin test`: fixtures in the sandbox, and how what they expect is told from what they get.

use std::{
    fs,
    path::Path,
    time::{Duration, SystemTime},
};

use insta::assert_snapshot;

use crate::{
    TOML, built_of, create_bed, guests, list_files, mask_measurements, testbed::TestBed, write_built,
    write_fixture, zig_project, zig_that_makes,
};

fn run(bed: &TestBed, more: &[&str]) -> String {
    mask_measurements(&bed.run_hookbox(&[&["plugin", "test"], more].concat()).to_string())
}

const DENIES: &str = r#""answer": { "verdict": "deny", "code": "no", "reason": "because" }"#;

#[test]
fn a_fixture_passes_that_gets_what_it_expects() {
    let bed = create_bed();
    write_built(&bed, "denies", "");
    write_fixture(&bed, "denies", DENIES);
    assert_snapshot!(run(&bed, &[]), @"
    exit code 0
    --- stdout
    ok    denies  fuel N, memory N, host-calls N
    1 passed, 0 failed
    --- stderr
    ");
}

#[test]
fn a_difference_from_the_expected_answer_is_reported_line_by_line() {
    let bed = create_bed();
    write_built(&bed, "denies", "");
    write_fixture(&bed, "answer", r#""answer": { "verdict": "deny", "code": "yes", "reason": "because" }"#);
    write_fixture(&bed, "error", r#""error": "sorry""#);
    write_fixture(&bed, "log", &format!(r#"{DENIES}, "log": ["a", "b"]"#));
    write_fixture(&bed, "nothing", r#""config": {}"#);
    assert_snapshot!(run(&bed, &[]), @r#"
    exit code 1
    --- stdout
    FAIL  answer  fuel N, memory N, host-calls N
          the answer differs (- expected, + got)
            {
              "verdict": "deny",
          -   "code": "yes",
          +   "code": "no",
              "reason": "because"
            }
    FAIL  error  fuel N, memory N, host-calls N
          the answer differs (- expected, + got)
            {
          -   "error": "sorry"
          +   "verdict": "deny",
          +   "code": "no",
          +   "reason": "because"
            }
    FAIL  log  fuel N, memory N, host-calls N
          the log differs (- expected, + got)
          - a
          - b
    FAIL  nothing  fuel N, memory N, host-calls N
          the fixture has no `answer`; --update writes the current one: {"verdict":"deny","code":"no","reason":"because"}
    0 passed, 4 failed
    --- stderr
    "#);
}

#[test]
fn a_hook_that_fails_is_compared_by_the_text_of_its_error() {
    let bed = create_bed();
    write_built(&bed, "says_error", "");
    write_fixture(&bed, "same", r#""error": "sorry""#);
    write_fixture(&bed, "other", r#""answer": {}"#);
    assert_snapshot!(run(&bed, &[]), @r#"
    exit code 1
    --- stdout
    FAIL  other  fuel N, memory N, host-calls N
          the answer differs (- expected, + got)
          - {}
          + {
          +   "error": "sorry"
          + }
    ok    same  fuel N, memory N, host-calls N
    1 passed, 1 failed
    --- stderr
    "#);
    write_built(&bed, "traps", "");
    assert_snapshot!(run(&bed, &["same"]), @r#"
    exit code 1
    --- stdout
    FAIL  same  fuel N, memory N, host-calls N
          the answer differs (- expected, + got)
            {
          -   "error": "sorry"
          +   "error": "trap: the guest trapped: wasm trap: wasm `unreachable` instruction executed"
            }
    0 passed, 1 failed
    --- stderr
    "#);
}

#[test]
fn a_program_is_compared_like_a_typed_hook() {
    let bed = create_bed();
    write_built(&bed, "program_denies", "");
    write_fixture(&bed, "denies", r#""answer": { "verdict": "deny", "code": "no", "reason": "hm" }"#);
    assert_snapshot!(run(&bed, &[]), @"
    exit code 0
    --- stdout
    ok    denies  fuel N, memory N, host-calls N
    1 passed, 0 failed
    --- stderr
    ");
}

#[test]
fn more_than_the_budget_is_a_failure() {
    let bed = create_bed();
    write_built(&bed, "logs_a_lot", "");
    write_fixture(
        &bed,
        "budget",
        r#""answer": {}, "budget": { "fuel": 10, "memory": 100, "host-calls": 499 }"#,
    );
    let said = run(&bed, &[]);
    for part in [
        "fuel exceeds the budget: ",
        "memory exceeds the budget: 65536 used, 100 allowed",
        "host-calls exceeds the budget: 500 used, 499 allowed",
    ] {
        assert!(said.contains(part), "{said}");
    }
    write_fixture(
        &bed,
        "budget",
        r#""answer": {}, "budget": { "fuel": 100000000, "memory": 65536, "host-calls": 500 }"#,
    );
    assert!(run(&bed, &[]).starts_with("exit code 0"), "{said}");
}

#[test]
fn an_unreadable_fixture_is_reported_with_its_line_and_the_others_run() {
    let bed = create_bed();
    write_built(&bed, "denies", "");
    write_fixture(&bed, "a-good-one", DENIES);
    for (name, text) in [
        ("cut-off", "{\n  \"event\": {"),
        ("unknown", "{\n  \"event\": {\"event\": \"session.start\"},\n  \"anser\": {}\n}"),
        (
            "twice",
            "{\"event\": {\"event\": \"session.start\"}, \"config\": {\"a\": 1, \"a\": 2}, \"answer\": {}}",
        ),
        ("event", "{\n  \"answer\": {},\n  \"event\": {\"event\": \"tool.befor\"}\n}"),
        ("agent", "{\"agent\": \"hal\", \"event\": {}, \"answer\": {}}"),
        ("answer", "{\"event\": {\"event\": \"session.start\"},\n \"answer\": {\"verdict\": \"no\"}}"),
        (
            "grant",
            "{\"event\": {\"event\": \"session.start\"}, \"grant\": {\"kv\": {\"scopes\": [\"all\"]}}, \"answer\": {}}",
        ),
        (
            "kv",
            "{\"event\": {\"event\": \"session.start\"}, \"kv\": {\"all\": {\"a\": \"b\"}}, \"answer\": {}}",
        ),
        ("config", "{\"event\": {\"event\": \"session.start\"}, \"config\": [], \"answer\": {}}"),
        ("budget", "{\"event\": {\"event\": \"session.start\"}, \"budget\": {\"fuel\": -1}, \"answer\": {}}"),
    ] {
        bed.write_file(&format!("[PROJECT]/tests/{name}.json"), text);
    }
    assert_snapshot!(run(&bed, &[]), @r#"
    exit code 1
    --- stdout
    ok    a-good-one  fuel N, memory N, host-calls N
    FAIL  agent
          tests/agent.json: `agent` is "hal", which is not an agent; write one of claude-code, codex, gemini-cli, llxprt, cursor, copilot, windsurf, cline, amazon-q, qwen-code, droid, kimi-code, openhands, opencode, cocode, code-forge, run-claude, litellm, native
    FAIL  answer
          tests/answer.json:2:12: `answer`: the answer's `verdict` is "no", but must be `deny`, `ask`, `allow` or `none`
    FAIL  budget
          tests/budget.json:1:59: invalid value: integer `-1`, expected u64
    FAIL  config
          tests/config.json:1:49: `config`: it is not a JSON object
    FAIL  cut-off
          tests/cut-off.json:2:12: EOF while parsing an object
    FAIL  event
          tests/event.json:3:12: `event`: VALIDATION_FAILURE, field `event`: `tool.befor` is not an event; did you mean `tool.before`?
    FAIL  grant
          tests/grant.json: `grant`: unknown scopes `all`; allowed: session, project, user
    FAIL  kv
          tests/kv.json: `kv` has the unknown scope "all"; write one of session, project, user
    FAIL  twice
          tests/twice.json: the key "a" appears twice, at line 1 column 60
    FAIL  unknown
          tests/unknown.json:3:9: unknown field `anser`, expected one of `agent`, `event`, `config`, `grant`, `kv`, `env`, `http`, `answer`, `error`, `log`, `budget`
    1 passed, 10 failed
    --- stderr
    "#);
}

#[test]
fn an_invalid_entry_with_the_name_of_a_fixture_stops_no_other_fixture() {
    let bed = create_bed();
    write_built(&bed, "denies", "");
    write_fixture(&bed, "denies", DENIES);
    bed.write_file("[PROJECT]/tests/folder.json/notes.txt", "mine");
    std::os::unix::fs::symlink("nowhere", bed.resolve_path("[PROJECT]/tests/link.json")).unwrap();
    let said = run(&bed, &[]);
    assert_snapshot!(said, @"
    exit code 1
    --- stdout
    ok    denies  fuel N, memory N, host-calls N
    FAIL  folder
          tests/folder.json: it is a folder, and a fixture is a file; give it a name that does not end in `.json`
    FAIL  link
          tests/link.json: it cannot be read: No such file or directory (os error 2)
    1 passed, 2 failed
    --- stderr
    ");
    assert_eq!(run(&bed, &["--update"]), said);
}

#[test]
fn what_was_got_is_written_into_the_fixture_and_the_rest_stays() {
    let bed = create_bed();
    write_built(&bed, "denies", "");
    let file = write_fixture(&bed, "denies", "\"error\": \"old\",\n  \"log\": [\"x\"],   \"budget\": {}");
    assert_snapshot!(run(&bed, &["--update"]), @"
    exit code 0
    --- stdout
    ok    denies  fuel N, memory N, host-calls N; updated
    1 passed, 0 failed
    --- stderr
    ");
    assert_snapshot!(fs::read_to_string(&file).unwrap(), @r#"
    {
      "event": { "event": "tool.before", "tool": { "name": "Bash", "input": { "command": "ls" } } },
      "answer": {
        "verdict": "deny",
        "code": "no",
        "reason": "because"
      },
      "log": [],   "budget": {}
    }
    "#);
    let before = fs::read(&file).unwrap();
    assert!(run(&bed, &["--update"]).starts_with("exit code 0"));
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn a_hook_finds_the_entries_that_its_fixture_has() {
    let bed = create_bed();
    write_built(&bed, "keeps", "[capabilities]\nkv = [\"session\"]\n");
    let counts =
        |kv: &str, log: &str| format!(r#""config": {{"o":"i0"}}, {kv} "answer": {{}}, "log": [{log}]"#);
    write_fixture(&bed, "empty", &counts("", "\"1\""));
    write_fixture(&bed, "kept", &counts(r#""kv": { "session": { "k": "41" } },"#, "\"42\""));
    write_fixture(&bed, "ungranted", &counts(r#""grant": {},"#, "\"x\""));
    assert_snapshot!(run(&bed, &[]), @r#"
    exit code 1
    --- stdout
    ok    empty  fuel N, memory N, host-calls N
    ok    kept  fuel N, memory N, host-calls N
    FAIL  ungranted  fuel N, memory N, host-calls N
          the log differs (- expected, + got)
          - x
          + error 0
          note: hookbox refused kv session: the scope is not granted; to permit it, write `grant = { kv = { scopes = ["session"] } }` into the hook's entry
    2 passed, 1 failed
    --- stderr
    "#);
}

#[test]
fn a_hook_sees_the_variables_of_its_fixture_and_none_of_this_machine() {
    let bed = create_bed().with_variable("LANG", "de");
    write_built(&bed, "program_looks_around", "[capabilities]\nenv = [\"LANG\"]\n");
    let found = |members: &str, log: &str| format!(r#"{members} "answer": {{}}, "log": ["{log}"]"#);
    write_fixture(&bed, "granted", &found(r#""env": { "LANG": "fr", "HOME": "/" },"#, "2"));
    write_fixture(&bed, "not-asked-for", &found(r#""env": { "HOME": "/" },"#, "0"));
    write_fixture(&bed, "not-set", &found("", "0"));
    write_fixture(&bed, "ungranted", &found(r#""env": { "LANG": "fr" }, "grant": {},"#, "0"));
    let said = run(&bed, &[]);
    assert!(said.contains("4 passed, 0 failed"), "{said}");
}

#[test]
fn what_a_hook_draws_is_the_same_in_every_run() {
    let bed = create_bed();
    write_built(&bed, "draws", "[capabilities]\nrandom = true\n");
    write_fixture(&bed, "draws", r#""answer": {}, "log": []"#);
    let updated = run(&bed, &["--update"]);
    assert!(updated.contains("draws") && updated.contains("; updated"), "{updated}");
    let said = run(&bed, &[]);
    assert!(said.contains("1 passed, 0 failed"), "{said}");
}

#[test]
fn a_hook_gets_the_answers_that_are_recorded_and_no_others() {
    let bed = create_bed();
    write_built(&bed, "sends", "[capabilities]\nhttp = [\"https://policy.example.com/\"]\n");
    let asks = |http: &str, log: &str| {
        let config = r#""config": { "url": "https://policy.example.com/may" }"#;
        format!(r#"{config}, "http": [{http}], "answer": {{}}, "log": [{log}]"#)
    };
    let record = r#"{ "request": { "url": "https://policy.example.com/may" }, "response": { "status": 403, "body": "no" } }"#;
    write_fixture(&bed, "recorded", &asks(record, "\"<C\", \"no\""));
    write_fixture(&bed, "unrecorded", &asks("", "\"\""));
    let elsewhere = r#""config": { "url": "https://elsewhere.example.com/" }, "answer": {}, "log": []"#;
    write_fixture(&bed, "uncovered", elsewhere);
    assert_snapshot!(run(&bed, &[]), @r#"
    exit code 1
    --- stdout
    ok    recorded  fuel N, memory N, host-calls N
    FAIL  uncovered  fuel N, memory N, host-calls N
          the log differs (- expected, + got)
          + 0
          + no rule of `grant.http` covers it
          note: hookbox refused http GET https://elsewhere.example.com/: no rule of `grant.http` covers it; to permit it, write `grant = { http = ["https://elsewhere.example.com/"] }` into the hook's entry
    FAIL  unrecorded  fuel N, memory N, host-calls N
          the log differs (- expected, + got)
          + 2
          + destination unavailable
          the plugin requested GET https://policy.example.com/may, for which the fixture has no recorded response in `http`
          note: hookbox refused http GET https://policy.example.com/may: no answer to it is recorded
    1 passed, 2 failed
    --- stderr
    "#);
}

#[test]
fn effects_that_the_plugin_does_not_request_are_removed_and_reported() {
    let bed = create_bed();
    bed.write_bytes("[PROJECT]/build/guard.wasm", &guests::build_component("denies"));
    bed.write_file(
        "[PROJECT]/plugin.toml",
        "name = \"guard\"\nversion = \"0.1.0\"\nevents = [\"session.start\"]\n",
    );
    bed.run_hookbox(&["plugin", "manifest", "build/guard.wasm", "plugin.toml"]);
    write_fixture(&bed, "denies", DENIES);
    assert_snapshot!(run(&bed, &[]), @r#"
    exit code 1
    --- stdout
    FAIL  denies  fuel N, memory N, host-calls N
          the answer differs (- expected, + got)
            {
              "verdict": "deny",
          -   "code": "no",
          -   "reason": "because"
          +   "code": "no"
            }
          note: hookbox removed `deny-text` from the answer, because plugin.toml does not declare it; add it to `effects` in plugin.toml
          note: `events` of plugin.toml does not contain tool.before, only session.start
    0 passed, 1 failed
    --- stderr
    "#);
}

#[test]
fn an_agents_own_event_is_read_in_its_words() {
    let bed = create_bed();
    write_built(&bed, "denies", "");
    let event = r#"{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/code","transcript_path":"",
        "tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"t"}"#;
    bed.write_file(
        "[PROJECT]/tests/claude.json",
        &format!("{{\"agent\": \"claude-code\", \"event\": {event}, {DENIES}}}"),
    );
    assert!(run(&bed, &[]).starts_with("exit code 0"));
}

#[test]
fn a_report_for_ci_has_a_case_for_each_fixture() {
    let bed = create_bed();
    write_built(&bed, "denies", "");
    write_fixture(&bed, "bad", r#""answer": { "context": "a < b" }"#);
    write_fixture(&bed, "good", DENIES);
    bed.write_file("[PROJECT]/tests/broken.json", "{");
    run(&bed, &["--junit", "report.xml"]);
    let report = fs::read_to_string(bed.resolve_path("[PROJECT]/report.xml")).unwrap();
    let times = report.split(" time=\"").map(|part| part.split_once('"').map_or(part, |(_, rest)| rest));
    let steady: String =
        std::iter::once(report.split(" time=\"").next().unwrap()).chain(times.skip(1)).collect();
    assert_snapshot!(steady, @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="hookbox plugin test" tests="3" skipped="0" failures="1" errors="1">
        <testsuite name="acme/guard" tests="3" skipped="0" errors="1" failures="1">
            <testcase name="bad">
                <failure message="the answer differs (- expected, + got)">the answer differs (- expected, + got)
      {
    -   &quot;context&quot;: &quot;a &lt; b&quot;
    +   &quot;verdict&quot;: &quot;deny&quot;,
    +   &quot;code&quot;: &quot;no&quot;,
    +   &quot;reason&quot;: &quot;because&quot;
      }</failure>
            </testcase>
            <testcase name="broken">
                <error message="tests/broken.json:1:1: EOF while parsing an object">tests/broken.json:1:1: EOF while parsing an object</error>
            </testcase>
            <testcase name="good"/>
        </testsuite>
    </testsuites>
    "#);
}

#[test]
fn a_report_path_that_cannot_be_written_is_reported_before_any_fixture_runs() {
    let bed = create_bed();
    write_built(&bed, "denies", "");
    write_fixture(&bed, "denies", DENIES);
    assert_snapshot!(run(&bed, &["--junit", "nowhere/report.xml"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: --junit [PROJECT]/nowhere/report.xml cannot be written, since [PROJECT]/nowhere takes no file: No such file or directory (os error 2); make that folder, or name another
    ");
    assert_snapshot!(run(&bed, &["--junit", "tests"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: --junit [PROJECT]/tests is a folder; name a file in it: --junit [PROJECT]/tests/report.xml
    ");
    assert_eq!(list_files(&bed.resolve_path("[PROJECT]/tests")), ["denies.json"]);
}

#[test]
fn fixtures_are_run_by_name_and_a_file_has_its_own() {
    let bed = create_bed();
    write_built(&bed, "denies", "");
    write_fixture(&bed, "a", DENIES);
    write_fixture(&bed, "b", DENIES);
    assert_snapshot!(run(&bed, &["b"]), @"
    exit code 0
    --- stdout
    ok    b  fuel N, memory N, host-calls N
    1 passed, 0 failed
    --- stderr
    ");
    assert_snapshot!(run(&bed, &["build/guard.wasm", "a.json"]), @"
    exit code 0
    --- stdout
    ok    a  fuel N, memory N, host-calls N
    1 passed, 0 failed
    --- stderr
    ");
    assert_snapshot!(run(&bed, &[".", "c"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: unknown fixture c in [PROJECT]/./tests; known: a, b
    ");
    assert_snapshot!(run(&bed, &["[PROJECT]/nowhere"]), @"
    exit code 2
    --- stdout
    --- stderr
    error: the folder [PROJECT]/nowhere does not exist; create a project with `hookbox plugin new NAME --lang LANGUAGE`
    ");
}

#[test]
fn a_plugin_without_a_build_or_fixtures_is_reported() {
    let bed = create_bed();
    bed.write_file("[PROJECT]/plugin.toml", crate::TOML);
    assert_snapshot!(run(&bed, &[]), @r#"
    exit code 2
    --- stdout
    --- stderr
    error: no fixture was found: create [PROJECT]/tests/NAME.json with the event and `"answer": {}`; `--update` then writes the answer
    "#);
    write_fixture(&bed, "a", DENIES);
    assert_snapshot!(run(&bed, &[]), @"
    exit code 1
    --- stdout
    --- stderr
    error: [PROJECT]/build/guard.wasm does not exist; build it first: hookbox plugin build
    ");
    built_of(&bed, &guests::build_component("denies"), "");
    bed.write_file("[PROJECT]/build/guard.wasm", "no wasm");
    assert_snapshot!(run(&bed, &[]), @"
    exit code 1
    --- stdout
    --- stderr
    error: the plugin [PROJECT]/build/guard.wasm is not a wasm component
    ");
}

#[test]
fn programs_read_what_came_out_as_json() {
    let bed = create_bed();
    write_built(&bed, "denies", "");
    write_fixture(&bed, "a", r#""answer": {}"#);
    let ran = bed.run_hookbox(&["plugin", "test", "--json"]);
    let said: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &said["failed"]), (1, &1.into()));
    let test = &said["tests"][0];
    assert_eq!(
        (&test["name"], &test["status"], &test["answer"]["code"]),
        (&"a".into(), &"failed".into(), &"no".into())
    );
    assert!(test["fuel"].as_u64().unwrap() > 0, "{test}");
}

#[test]
fn a_plugin_that_is_tried_gets_no_files_of_this_machine() {
    let bed = create_bed();
    write_built(&bed, "denies", "");
    let home = bed.resolve_path("[HOME]");
    let grant = format!(r#""grant": {{ "fs": {{ "read": ["{}"] }} }}, {DENIES}"#, home.display());
    write_fixture(&bed, "reads", &grant);
    assert_snapshot!(run(&bed, &[]), @"
    exit code 1
    --- stdout
    FAIL  reads
          tests/reads.json: `grant`: a fixture cannot grant `fs`: remove it, and test the use of files with `hookbox try`
    0 passed, 1 failed
    --- stderr
    ");
}

/// Says when a file was written last.
fn set_time(file: &Path, time: SystemTime) {
    fs::File::options().append(true).open(file).unwrap().set_modified(time).unwrap();
}

const HOUR: Duration = Duration::from_hours(1);

#[test]
fn nothing_is_tested_that_is_older_than_its_sources() {
    for (language, files) in [("zig", &["src/hook.zig"][..]), ("rust", &["Cargo.toml", "src/lib.rs"])] {
        let bed = create_bed();
        write_built(&bed, "denies", &format!("\n[build]\nlanguage = \"{language}\"\n"));
        write_fixture(&bed, "denies", DENIES);
        let now = SystemTime::now();
        set_time(&bed.resolve_path("[PROJECT]/plugin.toml"), now - HOUR);
        let sources: Vec<_> =
            files.iter().map(|file| bed.write_file(&format!("[PROJECT]/{file}"), "")).collect();
        for source in &sources {
            set_time(source, now - HOUR);
        }
        // What is no source: a report of tests, and the tests.
        bed.write_file("[PROJECT]/report.xml", "");
        set_time(&bed.resolve_path("[PROJECT]/report.xml"), now + HOUR);
        set_time(&bed.resolve_path("[PROJECT]/tests/denies.json"), now + HOUR);
        assert_eq!(bed.run_hookbox(&["plugin", "test"]).code, 0);
        for (source, name) in sources.iter().zip(files) {
            set_time(source, now + HOUR);
            let ran = bed.run_hookbox(&["plugin", "test"]);
            let told = format!(
                "error: [PROJECT]/{name} has changed since [PROJECT]/build/guard.wasm was built; build it first: hookbox plugin build\n"
            );
            assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr), (1, "", told));
            set_time(source, now - HOUR);
        }
    }
}

#[test]
fn what_counts_of_a_source_is_what_is_in_it_once_it_was_built() {
    let bed = create_bed();
    zig_project(&bed, TOML);
    zig_that_makes(&bed, &guests::build_component("denies"));
    write_fixture(&bed, "denies", DENIES);
    let build = || assert_eq!(bed.run_hookbox(&["plugin", "build"]).code, 0);
    let told = || {
        let ran = bed.run_hookbox(&["plugin", "test"]);
        let first = ran.stderr.split(" has changed since ").next().unwrap_or_default().to_owned();
        assert_eq!(ran.code, i32::from(!first.is_empty()), "{ran}");
        first
    };
    build();
    assert_eq!(told(), "");
    let source = bed.resolve_path("[PROJECT]/src/hook.zig");
    set_time(&source, SystemTime::now() + HOUR);
    assert_eq!(told(), "");
    fs::write(&source, "// another").unwrap();
    set_time(&source, SystemTime::now() - HOUR);
    assert_eq!(told(), "error: [PROJECT]/src/hook.zig");
    fs::write(&source, "").unwrap();
    assert_eq!(told(), "");
    let more = bed.write_file("[PROJECT]/src/below/more.zig", "");
    assert_eq!(told(), "error: [PROJECT]/src/below/more.zig");
    build();
    assert_eq!(told(), "");
    fs::remove_file(more).unwrap();
    assert_eq!(told(), "error: [PROJECT]/src/below/more.zig");
    build();
    zig_project(&bed, &TOML.replace("0.1.0", "0.2.0"));
    assert_eq!(told(), "error: [PROJECT]/plugin.toml");
    // Who names the file means the file.
    assert_eq!(bed.run_hookbox(&["plugin", "test", "build/guard.wasm"]).code, 0);
}
