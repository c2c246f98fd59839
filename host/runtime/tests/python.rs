//! Python functions as hooks, most of them hostile, in this machine's interpreter.
#![cfg(feature = "shell")]
#![expect(clippy::unwrap_used, reason = "a helper of a test that cannot go on fails the test")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use crate::shell::{is_gone, wait_until};
use hookbox::{
    HookSpec, Hooks, Host, Machine, Target,
    handler::shell::confine::KernelSupport,
    hook::{Confinement, FileRules, Place, PythonSpec, ResourceLimits},
    interfaces::Environment,
    model::{Event, EventName, HookReport, Json, Limit, Limits, OnFailure, Outcome, Role, Status},
    python::{PythonCall, PythonEnd, PythonFuture, PythonRunner},
};
use tempfile::TempDir;

/// A module of functions, with hooks that call them.
struct Bed {
    folder: TempDir,
    machine: Machine,
}

impl Bed {
    fn new(functions: &str) -> Self {
        Self::with_variables(functions, &[])
    }

    fn with_variables(functions: &str, variables: &[(&str, &str)]) -> Self {
        let usual = [("PATH", "/usr/local/bin:/usr/bin:/bin")];
        let environment: Environment = usual.into_iter().chain(variables.iter().copied()).collect();
        let bed = Self {
            folder: tempfile::tempdir().unwrap(),
            machine: Machine::builder().environment(environment).build(),
        };
        bed.write_file("guards.py", functions);
        bed
    }

    fn write_file(&self, name: &str, text: &str) {
        fs::write(self.path_of(name), text).unwrap();
    }

    fn path_of(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn make_spec(&self, function: &str) -> PythonSpec {
        let (module, function) = function.split_once(':').unwrap_or(("guards", function));
        PythonSpec {
            path: vec![self.folder.path().to_str().unwrap().to_owned()],
            confinement: Some(Confinement::default()),
            ..PythonSpec::new(module, function)
        }
    }

    /// Returns a gate of this name that calls the function of this name.
    fn make_gate(&self, function: &str) -> HookSpec {
        make_hook(function, self.make_spec(function))
    }

    fn gate_within(&self, function: &str, milliseconds: u64) -> HookSpec {
        let limits = Limits::default().with_limit(Limit::Timeout, milliseconds).unwrap();
        HookSpec { limits, ..self.make_gate(function) }
    }

    fn make_host(&self, hooks: impl IntoIterator<Item = HookSpec>) -> Host {
        self.machine.create_host(Hooks::new().hooks(hooks))
    }

    /// Returns the results of these functions for an event.
    fn run_functions(&self, functions: &[&str]) -> Vec<String> {
        dispatch_results(&self.make_host(functions.iter().map(|function| self.make_gate(function))))
    }

    fn read_lines(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.path_of(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

fn make_hook(name: &str, spec: PythonSpec) -> HookSpec {
    HookSpec::new(name, Target::Python(spec)).on([EventName::ToolBefore]).role(Role::Gate)
}

fn make_event() -> Event {
    Event {
        agent_event: "tool.before".to_owned(),
        cwd: "/".to_owned(),
        ..Event::new(EventName::ToolBefore, "native")
    }
}

/// Runs the future on a runtime of its own.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn dispatch_event(host: &Host) -> Outcome {
    block_on(host.dispatch(&make_event()))
}

/// Returns the result of each hook.
fn dispatch_results(host: &Host) -> Vec<String> {
    dispatch_event(host).reports.iter().map(format_report).collect()
}

fn format_report(report: &HookReport) -> String {
    match &report.status {
        Status::Failed(failure) => failure.to_string(),
        Status::Skipped => "skipped".to_owned(),
        Status::Answered(answer) => match (&answer.verdict.reason(), &answer.context) {
            (Some(reason), _) => format!("{}: {}", answer.verdict.as_str(), reason.text()),
            (None, Some(context)) => context.clone(),
            (None, None) => "no opinion".to_owned(),
        },
    }
}

fn log_messages(outcome: &Outcome) -> Vec<&str> {
    outcome.reports.iter().flat_map(|report| &report.log).map(|line| line.message.as_str()).collect()
}

/// Functions that answer with the id of their process.
const WHERE: &str = "
import os
def where(event):
    return {'context': str(os.getpid())}
async def where_later(event):
    return where(event)
";

/// Functions that record their call in a file, and never end.
const HANGS: &str = "
import os, threading
FOLDER = os.path.dirname(__file__)
def note(name):
    with open(os.path.join(FOLDER, name), 'a') as file:
        file.write(f'{os.getpid()}\\n')
def hangs(event):
    note('hanging')
    threading.Event().wait()
";

#[test]
fn a_function_gets_the_event_with_its_settings_and_its_answer_counts_whether_it_is_awaited_or_not() {
    let bed = Bed::new(
        "
import asyncio
def plain(event):
    return {'verdict': 'deny', 'reason': f\"{event['event']} {event['cwd']} {event['config']}\"}
async def later(event):
    await asyncio.sleep(0)
    return plain(event)
class Guard:
    @staticmethod
    def check(event):
        return {'context': 'of a class'}
",
    );
    // A job is one line, in whatever layout its values are.
    let config = Json::parse("{\n  \"deny\": [\n    \"rm\"\n  ]\n}").unwrap();
    let hooks = ["plain", "later", "Guard.check"];
    let hooks = hooks.map(|function| HookSpec { config: config.clone(), ..bed.make_gate(function) });
    // A gate that denies ends no other gate: they run concurrently.
    let hosts = hooks.map(|hook| dispatch_results(&bed.make_host([hook])).concat());
    assert_eq!(
        hosts,
        ["deny: tool.before / {'deny': ['rm']}", "deny: tool.before / {'deny': ['rm']}", "of a class"]
    );
}

#[test]
fn an_invalid_answer_is_a_failure_of_that_hook_with_its_own_message() {
    let bed = Bed::new(
        "
import sys
def nothing(event): return None
def empty(event): return {}
def garbage(event): return object()
def unknown(event): return {'verdict': 'perhaps'}
def not_json(event): return {'context': float('nan')}
def raises(event): raise ValueError('boom')
async def raises_later(event): raise ValueError('boom')
def exits(event): sys.exit(3)
async def exits_later(event): sys.exit(3)
def interrupts(event): raise KeyboardInterrupt
def beyond(event): raise BaseException('beyond')
def much(event): return {'context': 'x' * (2 << 20)}
def deep(event): return deep(event)
not_a_function = 7
",
    );
    bed.write_file("fails.py", "import there_is_no_such_module\n");
    bed.write_file("wrong.py", "def f(:\n");
    for (function, expected) in [
        ("nothing", "no opinion"),
        ("empty", "no opinion"),
        ("garbage", "bad-output: the function returned a value of type `object`, not a dict or None"),
        (
            "not_json",
            "bad-output: the function returned what JSON cannot hold: ValueError: Out of range float values are not JSON \
             compliant",
        ),
        ("raises", "hook-error: ValueError: boom"),
        ("raises_later", "hook-error: ValueError: boom"),
        ("exits", "hook-error: SystemExit: 3"),
        ("exits_later", "hook-error: SystemExit: 3"),
        ("interrupts", "hook-error: KeyboardInterrupt"),
        ("beyond", "hook-error: BaseException: beyond"),
        ("much", "output: the function said more than 1048576 bytes (its limit `output`): make it say less"),
        ("not_a_function", "missing: the module `guards` has no function `not_a_function`"),
        ("nowhere", "missing: the module `guards` has no function `nowhere`"),
        (
            "nothing_like_it:f",
            "missing: the module `nothing_like_it` cannot be imported: ModuleNotFoundError: No module named 'nothing_like_it'",
        ),
        (
            "fails:f",
            "hook-error: the module `fails` cannot be imported: ModuleNotFoundError: No module named \
             'there_is_no_such_module'",
        ),
    ] {
        let results = bed.run_functions(&[function]).concat();
        // Versions of Python end this sentence differently.
        assert_eq!(results.split(": nan").next().unwrap(), expected, "{function}");
    }
    assert!(
        bed.run_functions(&["unknown"]).concat().starts_with("bad-output: the hook was not understood: ")
    );
    assert!(bed.run_functions(&["deep"]).concat().starts_with("hook-error: RecursionError: "));
    assert!(
        bed.run_functions(&["wrong:f"])
            .concat()
            .starts_with("hook-error: the module `wrong` cannot be imported: SyntaxError: ")
    );
    assert_eq!(bed.run_functions(&["empty", "raises"]), ["no opinion", "hook-error: ValueError: boom"]);
}

#[test]
fn what_a_function_prints_is_its_log_and_no_answer() {
    let bed = Bed::new(
        "
import logging, os, subprocess, sys
def prints(event):
    print('one')
    print('{\"verdict\": \"deny\"}', end='')
    sys.stdout.buffer.write(b' two\\n')
    print('three', file=sys.stderr)
    logging.getLogger('house').warning('four')
    return {'context': 'said'}
async def prints_later(event):
    print('later')
def beside(event):
    os.write(1, b'five\\n')
    subprocess.run(['echo', 'six'])
    return {'context': sys.stdin.read()}
",
    );
    let outcome = dispatch_event(&bed.make_host([bed.make_gate("prints")]));
    assert_eq!(log_messages(&outcome), ["one", "{\"verdict\": \"deny\"} two", "three", "four"]);
    assert_eq!(format_report(&outcome.reports[0]), "said");
    assert_eq!(log_messages(&dispatch_event(&bed.make_host([bed.make_gate("prints_later")]))), ["later"]);
    // Standard input is empty.
    let outcome = dispatch_event(&bed.make_host([bed.make_gate("beside")]));
    assert_eq!(
        (log_messages(&outcome), format_report(&outcome.reports[0])),
        (vec!["five", "six"], String::new())
    );
}

#[test]
fn each_of_two_functions_side_by_side_has_its_own_log() {
    let bed = Bed::new(
        "
import threading
BOTH = threading.Barrier(2)
def one(event):
    BOTH.wait()
    for number in range(50): print('one')
def two(event):
    BOTH.wait()
    for number in range(50): print('two')
",
    );
    let outcome = dispatch_event(&bed.make_host([bed.make_gate("one"), bed.make_gate("two")]));
    for report in &outcome.reports {
        assert!(report.log.iter().all(|line| line.message == report.hook), "{:?}", report.log);
        assert_eq!(report.log.len(), 50);
    }
}

#[test]
fn a_failed_import_is_reported_in_full_once() {
    let bed = Bed::new("raise ValueError('not today')\n");
    let host = bed.make_host([bed.make_gate("f")]);
    let (first, second) = (dispatch_event(&host), dispatch_event(&host));
    assert_eq!(log_messages(&first).last(), Some(&"ValueError: not today"));
    assert!(
        log_messages(&first).iter().any(|line| line.contains("guards.py\", line 1")),
        "{:?}",
        log_messages(&first)
    );
    assert_eq!(log_messages(&second), [""; 0]);
    let expected = "hook-error: the module `guards` cannot be imported: ValueError: not today";
    assert_eq!([format_report(&first.reports[0]), format_report(&second.reports[0])], [expected, expected]);
}

#[test]
fn many_calls_of_many_hooks_and_hosts_on_many_runtimes_use_one_interpreter() {
    let bed = Bed::new(WHERE);
    let host = bed.make_host([bed.make_gate("where"), bed.make_gate("where_later")]);
    let mut results: Vec<_> = (0..10).flat_map(|_| dispatch_results(&host)).collect();
    results.extend(dispatch_results(&bed.make_host([bed.make_gate("where")])));
    assert_eq!(results.len(), 21);
    results.dedup();
    assert_eq!(results.len(), 1, "{results:?}");
    let pid = results.concat();
    drop((bed, host));
    wait_until("the interpreter ends with its machine", || is_gone(&pid));
}

#[test]
fn functions_of_other_folders_variables_or_confinement_have_an_interpreter_of_their_own() {
    let bed = Bed::with_variables(WHERE, &[("TOKEN", "1")]);
    let other = Bed::new(WHERE);
    let spec = bed.make_spec("where");
    let confinement = Some(Confinement { privileges: Some(true), ..Confinement::default() });
    let specs = [
        spec.clone(),
        PythonSpec { env: vec!["TOKEN".to_owned()], ..spec.clone() },
        PythonSpec { confinement, ..spec.clone() },
        other.make_spec("where"),
    ];
    let mut results: Vec<_> = specs
        .into_iter()
        .flat_map(|spec| dispatch_results(&bed.make_host([make_hook("where", spec)])))
        .collect();
    results.sort_unstable();
    results.dedup();
    assert_eq!(results.len(), 4);
}

#[test]
fn a_function_that_does_not_end_in_time_ends_its_interpreter_and_the_next_call_has_another() {
    let bed = Bed::new(&format!("{HANGS}{WHERE}"));
    let before = bed.run_functions(&["where"]).concat();
    let host = bed.make_host([bed.gate_within("hangs", 200)]);
    assert!(dispatch_results(&host).concat().starts_with("timeout: "));
    assert_eq!(bed.read_lines("hanging"), std::slice::from_ref(&before));
    wait_until("it ends", || is_gone(&before));
    let after = bed.run_functions(&["where"]).concat();
    assert_ne!(after, before);
    assert!(!is_gone(&after));
}

#[test]
fn what_a_call_keeps_in_its_context_is_not_the_next_ones() {
    let bed = Bed::new(
        "
import contextvars
WHO = contextvars.ContextVar('who', default='nobody')
def whose(event):
    before = WHO.get()
    WHO.set('the one before')
    return {'context': before}
",
    );
    for _ in 0..3 {
        assert_eq!(bed.run_functions(&["whose"]), ["nobody"]);
    }
}

#[test]
fn an_import_that_hangs_ends_in_time_too() {
    let bed = Bed::new("import threading\nthreading.Event().wait()\n");
    bed.write_file("others.py", WHERE);
    assert!(dispatch_results(&bed.make_host([bed.gate_within("f", 200)])).concat().starts_with("timeout: "));
    let results = bed.run_functions(&["others:where"]).concat();
    assert!(results.parse::<u32>().is_ok(), "{results}");
}

#[test]
fn only_what_hangs_is_lost() {
    let waits = "
def waits(event):
    note('waiting')
    while not os.path.exists(os.path.join(FOLDER, 'go')):
        threading.Event().wait(0.001)
    return {'context': str(os.getpid())}
";
    let bed = Bed::new(&format!("{HANGS}{waits}{WHERE}"));
    let (slow, hanging) =
        (bed.make_host([bed.make_gate("waits")]), bed.make_host([bed.gate_within("hangs", 200)]));
    thread::scope(|scope| {
        let slow = scope.spawn(|| dispatch_results(&slow).concat());
        wait_until("the slow one runs", || !bed.read_lines("waiting").is_empty());
        assert!(dispatch_results(&hanging).concat().starts_with("timeout: "));
        let old = bed.read_lines("hanging").concat();
        assert_eq!(bed.read_lines("waiting"), std::slice::from_ref(&old));
        // New calls are sent to another interpreter.
        assert_ne!(bed.run_functions(&["where"]).concat(), old);
        bed.write_file("go", "");
        assert_eq!(slow.join().unwrap(), old);
        wait_until("then it ends", || is_gone(&old));
    });
}

#[test]
fn an_interpreter_that_is_given_up_ends_with_the_last_of_several_calls() {
    let waits = "
def wait_for(name):
    note('waiting')
    while not os.path.exists(os.path.join(FOLDER, name)):
        threading.Event().wait(0.001)
    return {'context': str(os.getpid())}
def first(event): return wait_for('first')
def last(event): return wait_for('last')
";
    let bed = Bed::new(&format!("{HANGS}{waits}"));
    let hosts = ["first", "last"].map(|name| bed.make_host([bed.make_gate(name)]));
    let hanging = bed.make_host([bed.gate_within("hangs", 200)]);
    thread::scope(|scope| {
        let [first, last] = hosts.each_ref().map(|host| scope.spawn(|| dispatch_results(host).concat()));
        wait_until("both run", || bed.read_lines("waiting").len() == 2);
        assert!(dispatch_results(&hanging).concat().starts_with("timeout: "));
        let old = bed.read_lines("hanging").concat();
        bed.write_file("first", "");
        assert_eq!(first.join().unwrap(), old);
        bed.write_file("last", "");
        assert_eq!(last.join().unwrap(), old);
        wait_until("then it ends", || is_gone(&old));
    });
}

#[test]
fn functions_run_side_by_side_whether_they_block_or_wait() {
    let bed = Bed::new(
        "
import asyncio, threading
BOTH = threading.Barrier(2)
def one(event): BOTH.wait(); return {'context': 'one'}
def two(event): BOTH.wait(); return {'context': 'two'}
SEEN = []
async def waits(mine, others):
    SEEN.append(mine)
    while others not in SEEN: await asyncio.sleep(0.001)
    return {'context': mine}
async def three(event): return await waits('three', 'four')
async def four(event): return await waits('four', 'three')
",
    );
    assert_eq!(bed.run_functions(&["one", "two"]), ["one", "two"]);
    assert_eq!(bed.run_functions(&["three", "four"]), ["three", "four"]);
}

#[test]
fn a_task_that_exits_ends_the_loop_for_no_other_task() {
    let bed = Bed::new(
        "
import asyncio, sys
async def leaves():
    sys.exit(1)
async def starts(event):
    asyncio.get_running_loop().create_task(leaves())
    for turn in range(5): await asyncio.sleep(0)
    return {'context': 'on'}
",
    );
    let host = bed.make_host([bed.make_gate("starts")]);
    assert_eq!([dispatch_results(&host), dispatch_results(&host)], [["on"], ["on"]]);
}

#[test]
fn an_ended_interpreter_is_reported_and_the_next_call_has_another() {
    let ends = "
import os, signal, sys, threading
def ends(event):
    print('last words')
    os._exit(3)
def dies(event): os.kill(os.getpid(), signal.SIGKILL)
def speaks(event):
    for descriptor in range(3, 10):
        try: os.write(descriptor, b'{\"id\": 1}\\n')
        except OSError: pass
    threading.Event().wait()
";
    let bed = Bed::new(&format!("{ends}{WHERE}"));
    let host = bed.make_host([bed.make_gate("ends")]);
    let before = bed.run_functions(&["where"]);
    let outcome = dispatch_event(&host);
    let expected = "exit: the Python interpreter ended with exit code 3 while the function ran: last words";
    assert_eq!(
        (format_report(&outcome.reports[0]).as_str(), log_messages(&outcome)),
        (expected, vec!["last words"])
    );
    let killed = "signal: the Python interpreter was killed by signal 9 while the function ran";
    assert_eq!(bed.run_functions(&["dies"]), [killed]);
    // An invalid line ends it as well.
    assert_eq!(bed.run_functions(&["speaks"]), [killed]);
    assert_ne!(bed.run_functions(&["where"]), before);
}

#[test]
fn output_of_an_interpreter_between_two_calls_is_reported_when_it_ends() {
    let functions = "
def forks(event):
    # The copy is nobody's call.
    if os.fork() == 0:
        while not os.path.exists(os.path.join(FOLDER, 'go')):
            threading.Event().wait(0.001)
        os.write(2, b'out of paper\\n')
        note('written')
        os.kill(os.getpid(), 9)
def ends(event): os._exit(3)
";
    let bed = Bed::new(&format!("{HANGS}{functions}"));
    bed.run_functions(&["forks"]);
    bed.write_file("go", "");
    wait_until("it is said", || !bed.read_lines("written").is_empty());
    let expected = "exit: the Python interpreter ended with exit code 3 while the function ran: out of paper";
    assert_eq!(bed.run_functions(&["ends"]), [expected]);
}

#[test]
fn calls_running_in_an_ended_interpreter_report_that_another_call_may_have_ended_it() {
    let bed = Bed::new(
        "
import os, threading
BOTH = threading.Barrier(2)
def ends(event): BOTH.wait(); os._exit(3)
def waits(event): BOTH.wait(); threading.Event().wait()
",
    );
    let expected = "exit: the Python interpreter ended with exit code 3 while the function ran, or another function next to it";
    let gates =
        ["ends", "waits"].map(|name| HookSpec { on_failure: Some(OnFailure::Allow), ..bed.make_gate(name) });
    assert_eq!(dispatch_results(&bed.make_host(gates)), [expected, expected]);
}

#[test]
fn a_copy_that_a_function_makes_of_its_interpreter_answers_nothing() {
    let bed = Bed::new(
        "
import os
def forks(event):
    child = os.fork()
    if child == 0:
        print('the copy prints')
        return {'verdict': 'deny', 'reason': 'the copy'}
    os.waitpid(child, 0)
    return {'context': 'the first'}
",
    );
    let host = bed.make_host([bed.make_gate("forks")]);
    assert_eq!([dispatch_results(&host), dispatch_results(&host)], [["the first"], ["the first"]]);
}

#[test]
fn what_a_function_started_ends_with_its_interpreter() {
    let starts = "
import subprocess
def starts(event):
    child = subprocess.Popen(['sleep', '1000'])
    return {'context': str(child.pid)}
";
    let bed = Bed::new(starts);
    let pid = bed.run_functions(&["starts"]).concat();
    assert!(!is_gone(&pid));
    bed.machine.end_processes();
    wait_until("it ends", || is_gone(&pid));
}

#[test]
fn a_call_that_is_given_up_ends_its_interpreter() {
    let bed = Bed::new(HANGS);
    let host = bed.make_host([bed.make_gate("hangs")]);
    let event = make_event();
    block_on(async {
        let begun = async {
            while bed.read_lines("hanging").is_empty() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        let call = Box::pin(host.dispatch(&event));
        drop(futures_util::future::select(call, Box::pin(begun)).await);
    });
    let pid = bed.read_lines("hanging").concat();
    wait_until("it ends", || is_gone(&pid));
}

#[test]
fn a_deny_during_a_nearly_finished_call_ends_no_interpreter() {
    let functions = "
import threading
BOTH = threading.Barrier(2)
def denies(event): BOTH.wait(); return {'verdict': 'deny', 'reason': 'no'}
def passes(event): BOTH.wait(); threading.Event().wait(0.05)
";
    let bed = Bed::new(&format!("{functions}{WHERE}"));
    let before = bed.run_functions(&["where"]);
    assert_eq!(bed.run_functions(&["denies", "passes"]), ["deny: no", "skipped"]);
    assert_eq!(bed.run_functions(&["where"]), before);
}

#[test]
fn a_module_that_changed_is_taken_anew_by_a_new_host_and_not_before() {
    let bed = Bed::new("VERSION = 'first'\ndef version(event): return {'context': VERSION}\n");
    let first = bed.make_host([bed.make_gate("version")]);
    assert_eq!(dispatch_results(&first), ["first"]);
    bed.write_file("guards.py", "VERSION = 'the second'\ndef version(event): return {'context': VERSION}\n");
    assert_eq!(dispatch_results(&first), ["first"]);
    let second = bed.make_host([bed.make_gate("version")]);
    assert_eq!(dispatch_results(&second), ["the second"]);
}

#[test]
fn a_module_that_was_missing_is_found_once_it_is_there() {
    let bed = Bed::new("");
    let host = bed.make_host([bed.make_gate("late:where")]);
    assert!(dispatch_results(&host).concat().starts_with("missing: "));
    bed.write_file("late.py", WHERE);
    assert!(dispatch_results(&host).concat().parse::<u32>().is_ok());
}

#[test]
fn an_interpreter_has_the_harmless_and_the_named_variables_and_secrets_are_not_reported() {
    let functions = "
import os
def shows(event):
    print(os.environ.get('API_TOKEN'))
    names = sorted(set(os.environ) & {'API_TOKEN', 'OTHER', 'HOME', 'PYTHONPATH'})
    return {'context': ' '.join(names)}
def raises(event): raise ValueError(os.environ['API_TOKEN'])
def denies(event): return {'verdict': 'deny', 'reason': os.environ['API_TOKEN']}
";
    let variables =
        [("API_TOKEN", "canary-12345"), ("OTHER", "x"), ("HOME", "/"), ("PYTHONPATH", "/var/empty")];
    let bed = Bed::with_variables(functions, &variables);
    let named = |function: &str| {
        make_hook(function, PythonSpec { env: vec!["API_TOKEN".to_owned()], ..bed.make_spec(function) })
    };
    let outcome = dispatch_event(&bed.make_host([named("shows")]));
    assert_eq!(
        (format_report(&outcome.reports[0]), log_messages(&outcome)),
        ("API_TOKEN HOME".to_owned(), vec!["[redacted]"])
    );
    assert_eq!(dispatch_results(&bed.make_host([named("raises")])), ["hook-error: ValueError: [redacted]"]);
    assert_eq!(dispatch_results(&bed.make_host([named("denies")])), ["deny: [redacted]"]);
    assert_eq!(bed.run_functions(&["shows"]), ["HOME"]);
}

#[test]
fn nothing_is_imported_from_the_events_folder() {
    let bed = Bed::new("def f(event):\n    import stranger\n");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("stranger.py"), "").unwrap();
    let event = Event { cwd: folder.path().to_str().unwrap().to_owned(), ..make_event() };
    for confinement in [None, Some(Confinement::default())] {
        let host = bed.make_host([make_hook("f", PythonSpec { confinement, ..bed.make_spec("f") })]);
        let outcome = block_on(host.dispatch(&event));
        let expected = "hook-error: ModuleNotFoundError: No module named 'stranger'";
        assert_eq!(format_report(&outcome.reports[0]), expected);
    }
}

#[test]
fn what_an_interpreter_is_kept_from_its_functions_are_kept_from() {
    if !KernelSupport::detect_features().confines_files() {
        return;
    }
    let bed = Bed::new(
        "def reads(event):\n    with open(event['config']['file']) as file: return {'context': file.read()}\n",
    );
    bed.write_file("mine", "mine");
    fs::write(bed.path_of("other"), "").unwrap();
    let elsewhere = tempfile::NamedTempFile::new().unwrap();
    let rules = FileRules { read: vec![Place::Path("/usr".into())], write: Vec::new() };
    let confinement = Some(Confinement { files: Some(rules), ..Confinement::default() });
    let reads = |file: &Path| {
        let config = Json::from_value(&serde_json::json!({ "file": file }));
        let spec = PythonSpec { confinement: confinement.clone(), ..bed.make_spec("reads") };
        dispatch_results(&bed.make_host([HookSpec { config, ..make_hook("reads", spec) }])).concat()
    };
    // Its own folders are readable.
    assert_eq!(reads(&bed.path_of("mine")), "mine");
    assert!(reads(elsewhere.path()).starts_with("hook-error: PermissionError: "));
}

#[test]
fn a_missing_interpreter_is_reported() {
    let bed = Bed::with_variables(WHERE, &[("PATH", "/var/empty")]);
    let expected = "missing: no `python3` is in the folders of PATH: install it, or take the hook out";
    assert_eq!(bed.run_functions(&["where"]), [expected]);
}

#[test]
fn a_function_whose_events_lead_to_functions_again_is_stopped() {
    let bed = Bed::new("import os\ndef marks(event): return {'context': os.environ['HOOKBOX_CALLERS']}\n");
    let marks = bed.run_functions(&["marks"]).concat();
    let variables = [("HOOKBOX_CALLERS", marks.as_str())];
    let environment = [("PATH", "/usr/local/bin:/usr/bin:/bin")].into_iter().chain(variables).collect();
    let below = Machine::builder().environment(environment).build();
    let results = dispatch_results(&below.create_host(Hooks::new().hooks([bed.make_gate("marks")]))).concat();
    assert!(results.starts_with("loop: the hook's own command led to this event"), "{results}");
}

#[test]
fn a_check_finds_the_function_and_does_not_call_it() {
    let bed = Bed::new(HANGS);
    let host = bed.make_host([bed.make_gate("hangs"), bed.make_gate("nowhere")]);
    let checked = block_on(host.check()).into_iter().map(|checked| match checked.result {
        Ok(()) => "ok".to_owned(),
        Err(failure) => failure.to_string(),
    });
    assert_eq!(checked.collect::<Vec<_>>(), ["ok", "missing: the module `guards` has no function `nowhere`"]);
}

/// A program that calls functions itself.
#[derive(Default)]
struct Embedding(Mutex<Vec<String>>);

impl PythonRunner for Embedding {
    fn call<'a>(&'a self, call: PythonCall<'a>) -> PythonFuture<'a, PythonEnd> {
        let has_event =
            call.event.is_some_and(|has_event| has_event.starts_with(r#"{"event":"tool.before""#));
        let PythonCall { hook, spec, config, .. } = call;
        let called = format!("{hook} {} {} {config} {has_event}", spec.module, spec.function);
        self.0.lock().unwrap().push(called);
        let result = Ok(r#"{"verdict":"deny","reason":"inside"}"#.to_owned());
        Box::pin(async move { PythonEnd { result, log: "printed\n".to_owned() } })
    }
}

#[test]
fn an_embedding_program_calls_functions_itself() {
    let program = Arc::new(Embedding::default());
    let machine = Machine::builder().python(Arc::clone(&program) as Arc<dyn PythonRunner>).build();
    let host =
        machine.create_host(Hooks::new().hooks([make_hook("guard", PythonSpec::new("guards", "check"))]));
    let outcome = dispatch_event(&host);
    assert_eq!(
        (format_report(&outcome.reports[0]), log_messages(&outcome)),
        ("deny: inside".to_owned(), vec!["printed"])
    );
    assert_eq!(*program.0.lock().unwrap(), ["guard guards check {} true"]);
}

#[test]
fn a_function_that_is_to_be_kept_from_something_is_not_called_in_the_embedding_program() {
    let bed = Bed::new("def says(event):\n    return {'context': 'apart'}\n");
    let environment = [("PATH", "/usr/local/bin:/usr/bin:/bin")].into_iter().collect();
    let program = Arc::new(Embedding::default()) as Arc<dyn PythonRunner>;
    let machine = Machine::builder().environment(environment).python(program).build();
    let limits = ResourceLimits { memory: Some(1 << 30), ..ResourceLimits::default() };
    let kept = PythonSpec {
        confinement: Some(Confinement { limits, ..Confinement::default() }),
        ..bed.make_spec("says")
    };
    let host = machine
        .create_host(Hooks::new().hooks([make_hook("kept", kept), make_hook("free", bed.make_spec("says"))]));
    assert_eq!(dispatch_results(&host), ["apart", "deny: inside"]);
}

#[test]
fn a_module_that_is_another_one_already_is_not_taken_for_the_hooks() {
    let bed = Bed::new("");
    bed.write_file("json.py", "def dumps(event):\n    return {'context': 'mine'}\n");
    let results = bed.run_functions(&["json:dumps"]).concat();
    assert!(results.starts_with("missing: the module `json` is another one already: "), "{results}");
}

/// Returns an untrusted folder with modules that have the names of those that every interpreter imports.
fn untrusted_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["json", "threading", "types", "queue", "traceback", "asyncio", "contextvars", "guards"] {
        let text =
            "open('ran', 'w')\ndef says(event):\n    return {'context': 'stranger'}\nraise SystemExit\n";
        fs::write(folder.path().join(format!("{name}.py")), text).unwrap();
    }
    folder
}

fn asked_in(folder: &Path, host: &Host) -> String {
    let event = Event { cwd: folder.to_str().unwrap().to_owned(), ..make_event() };
    block_on(host.dispatch(&event)).reports.iter().map(format_report).collect()
}

#[test]
fn no_module_of_the_events_folder_stands_in_for_pythons_own() {
    let bed = Bed::new("def says(event):\n    return {'context': 'mine'}\n");
    let stranger = untrusted_folder();
    for confinement in [None, Some(Confinement::default())] {
        let host = bed.make_host([make_hook("says", PythonSpec { confinement, ..bed.make_spec("says") })]);
        assert_eq!(asked_in(stranger.path(), &host), "mine");
    }
    assert!(!stranger.path().join("ran").exists());
}

#[test]
fn a_module_that_is_gone_is_not_looked_for_in_the_events_folder() {
    let bed = Bed::new("");
    fs::remove_file(bed.path_of("guards.py")).unwrap();
    let stranger = untrusted_folder();
    let host = bed.make_host([make_hook("says", PythonSpec { confinement: None, ..bed.make_spec("says") })]);
    let answer = asked_in(stranger.path(), &host);
    assert!(answer.starts_with("missing: the module `guards` cannot be imported: "), "{answer}");
    assert!(!stranger.path().join("ran").exists());
}
