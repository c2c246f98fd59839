//! Native code on disk is loaded only if it is what was written, by this user, in a place of this user alone.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use hookbox::{
    HookSpec, Host, Target,
    hook::WasmSpec,
    model::{FailureCode, Start, Status},
    sandbox::{cache::CacheDir, compile::Compiler},
};

use crate::{Bed, create_hook, dispatch_event, find_failure_code, tool_event};

/// A host that may use the bed's cache but cannot compile.
fn without_compiler(bed: &Bed, guest: &str) -> Host {
    Host::builder()
        .cache(&bed.join_path("cache"))
        .hooks([create_hook(guest, &bed.join_path(&format!("{guest}.wasm")))])
        .build()
}

fn warm_cache(bed: &Bed, guest: &str) {
    let host = bed.builder().hooks([bed.create_gate(guest)]).build();
    dispatch_event(&host, tool_event());
}

fn dispatch_verdict(host: &Host) -> String {
    dispatch_event(host, tool_event()).verdict.as_str().to_owned()
}

fn list_files(bed: &Bed, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(bed.join_path("cache")).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.to_string_lossy().ends_with(ending)).collect()
}

fn runs_from_cache(bed: &Bed, guest: &str) -> bool {
    let outcome = dispatch_event(&without_compiler(bed, guest), tool_event());
    let answered = matches!(outcome.reports[0].status, hookbox::model::Status::Answered(_));
    assert!(answered || find_failure_code(&outcome.reports[0]) == FailureCode::NotCompiled);
    answered
}

#[test]
fn what_was_compiled_once_runs_without_a_compiler() {
    let bed = Bed::new();
    warm_cache(&bed, "denies");
    let outcome = dispatch_event(&without_compiler(&bed, "denies"), tool_event());
    assert_eq!(outcome.verdict.as_str(), "deny");
    assert_eq!(outcome.reports[0].usage.start, Some(Start::Cold));
}

#[test]
fn without_compiler_and_cache_a_gate_denies_and_says_what_to_run() {
    let bed = Bed::new();
    bed.write_plugin("none");
    let outcome = dispatch_event(&without_compiler(&bed, "none"), tool_event());
    assert_eq!(outcome.verdict.as_str(), "deny");
    let failure = crate::expect_failure(&outcome.reports[0]);
    assert_eq!(failure.code, FailureCode::NotCompiled);
    assert!(
        failure.message.ends_with("is not compiled yet (there is no compiler); run `hookbox check`"),
        "{failure}"
    );
}

#[test]
fn the_directory_and_its_files_are_the_users_alone() {
    let bed = Bed::new();
    warm_cache(&bed, "none");
    assert_eq!(fs::metadata(bed.join_path("cache")).unwrap().mode() & 0o777, 0o700);
    let modes: Vec<_> = ["cwasm", "seal", "memo"]
        .map(|ending| fs::metadata(&list_files(&bed, ending)[0]).unwrap().mode() & 0o777)
        .to_vec();
    assert_eq!(modes, [0o600; 3]);
}

#[test]
fn damaged_truncated_and_swapped_code_is_not_loaded() {
    let flip = |bytes: &mut Vec<u8>| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
    };
    let cut = |bytes: &mut Vec<u8>| bytes.truncate(100);
    let empty = |bytes: &mut Vec<u8>| bytes.clear();
    for damage in [&flip as &dyn Fn(&mut Vec<u8>), &cut, &empty] {
        let bed = Bed::new();
        warm_cache(&bed, "none");
        let file = &list_files(&bed, "cwasm")[0];
        let mut bytes = fs::read(file).unwrap();
        damage(&mut bytes);
        fs::write(file, bytes).unwrap();
        assert!(!runs_from_cache(&bed, "none"));
        warm_cache(&bed, "none");
        assert!(runs_from_cache(&bed, "none"), "it is compiled again");
    }
}

#[test]
fn another_plugins_valid_code_in_its_place_is_not_loaded() {
    let bed = Bed::new();
    warm_cache(&bed, "none");
    let none = list_files(&bed, "cwasm").remove(0);
    warm_cache(&bed, "denies");
    let denies = list_files(&bed, "cwasm").into_iter().find(|path| *path != none).unwrap();
    fs::copy(&none, &denies).unwrap();
    assert!(!runs_from_cache(&bed, "denies"));
    fs::rename(&none, &denies).unwrap();
    assert!(!runs_from_cache(&bed, "denies"));
}

#[test]
fn swapped_native_code_with_its_own_seal_is_not_run() {
    let bed = Bed::new();
    warm_cache(&bed, "denies");
    let (code, seal) = (list_files(&bed, ".cwasm").remove(0), list_files(&bed, ".seal").remove(0));
    warm_cache(&bed, "none");
    for (ending, theirs) in [(".cwasm", &code), (".seal", &seal)] {
        let other = list_files(&bed, ending).into_iter().find(|path| path != theirs).unwrap();
        fs::copy(other, theirs).unwrap();
    }
    assert!(!runs_from_cache(&bed, "denies"));
}

#[test]
fn code_that_others_can_write_to_is_not_loaded() {
    let bed = Bed::new();
    warm_cache(&bed, "none");
    let file = &list_files(&bed, "cwasm")[0];
    fs::set_permissions(file, fs::Permissions::from_mode(0o620)).unwrap();
    assert!(!runs_from_cache(&bed, "none"));
}

#[test]
fn a_link_in_the_place_of_code_is_not_followed() {
    let bed = Bed::new();
    warm_cache(&bed, "none");
    let file = &list_files(&bed, "cwasm")[0];
    fs::rename(file, bed.join_path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(bed.join_path("elsewhere"), file).unwrap();
    assert!(!runs_from_cache(&bed, "none"));
}

#[test]
fn a_directory_that_others_can_enter_is_not_used() {
    for mode in [0o750, 0o777, 0o701] {
        let bed = Bed::new();
        warm_cache(&bed, "none");
        fs::set_permissions(bed.join_path("cache"), fs::Permissions::from_mode(mode)).unwrap();
        assert!(!runs_from_cache(&bed, "none"), "{mode:o}");
        let error = CacheDir::open(&bed.join_path("cache")).unwrap_err().to_string();
        assert!(
            error.ends_with(&format!("its mode is {mode:o}; make it yours alone with `chmod 700`")),
            "{error}"
        );
    }
}

#[test]
fn a_link_to_a_directory_is_not_used() {
    let bed = Bed::new();
    warm_cache(&bed, "none");
    fs::rename(bed.join_path("cache"), bed.join_path("real")).unwrap();
    std::os::unix::fs::symlink(bed.join_path("real"), bed.join_path("cache")).unwrap();
    assert!(CacheDir::open(&bed.join_path("cache")).is_err());
}

#[test]
fn a_component_that_changed_is_compiled_anew_whatever_its_time_says() {
    let bed = Bed::new();
    warm_cache(&bed, "none");
    let path = bed.join_path("none.wasm");
    let before = fs::metadata(&path).unwrap();
    let mut other = crate::guests::build_component("denies");
    other.resize(usize::try_from(before.size()).unwrap().max(other.len()), 0);
    fs::write(&path, crate::guests::build_component("denies")).unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(before.modified().unwrap()).unwrap();
    let host = bed.builder().hooks([create_hook("none", &path)]).build();
    assert_eq!(dispatch_verdict(&host), "deny");
}

#[test]
fn the_same_component_under_another_name_is_not_compiled_again() {
    let bed = Bed::new();
    warm_cache(&bed, "none");
    fs::copy(bed.join_path("none.wasm"), bed.join_path("copy.wasm")).unwrap();
    assert!(runs_from_cache(&bed, "copy"));
    assert_eq!(list_files(&bed, "cwasm").len(), 1);
}

#[test]
fn what_a_dead_process_left_is_removed_in_time() {
    let bed = Bed::new();
    warm_cache(&bed, "none");
    let old = bed.join_path(&format!("cache/.hookbox-{}.tmp", "0".repeat(32)));
    fs::write(&old, "half").unwrap();
    let past = std::time::SystemTime::now() - Duration::from_hours(2);
    fs::File::options().write(true).open(&old).unwrap().set_modified(past).unwrap();
    warm_cache(&bed, "denies");
    assert!(!old.exists());
}

#[test]
fn hosts_that_fill_one_cache_at_the_same_time_all_answer() {
    let bed = Bed::new();
    bed.write_plugin("denies");
    std::thread::scope(|scope| {
        let one = || {
            dispatch_verdict(&bed.builder().hooks([create_hook("it", &bed.join_path("denies.wasm"))]).build())
        };
        let hosts: Vec<_> = (0..8).map(|_| scope.spawn(one)).collect();
        for host in hosts {
            assert_eq!(host.join().unwrap(), "deny");
        }
    });
    assert!(runs_from_cache(&bed, "denies"));
}

#[test]
fn native_code_in_the_place_of_a_component_is_not_loaded() {
    let bed = Bed::new();
    warm_cache(&bed, "none");
    let code_as_plugin = bed.join_path("code.wasm");
    fs::copy(&list_files(&bed, ".cwasm")[0], &code_as_plugin).unwrap();
    let host = bed.builder().hooks([create_hook("it", &code_as_plugin)]).build();
    assert_eq!(find_failure_code(&dispatch_event(&host, tool_event()).reports[0]), FailureCode::BadComponent);
}

#[test]
fn an_invalid_seal_counts_as_a_missing_seal() {
    for text in ["", "{", "{}", "[[[[[[", &"x".repeat(1 << 20)] {
        let bed = Bed::new();
        warm_cache(&bed, "none");
        fs::write(&list_files(&bed, ".seal")[0], text).unwrap();
        assert!(!runs_from_cache(&bed, "none"), "{text:.9}");
        warm_cache(&bed, "none");
        assert!(runs_from_cache(&bed, "none"), "it is compiled again");
    }
}

/// Only root can give a directory away.
#[test]
fn a_directory_of_another_user_is_not_used() {
    let bed = Bed::new();
    warm_cache(&bed, "none");
    let nobody = Some(rustix::fs::Uid::from_raw(65_534));
    let given = rustix::fs::chown(bed.join_path("cache"), nobody, None);
    if !rustix::process::geteuid().is_root() {
        assert!(given.is_err());
        return;
    }
    let error = CacheDir::open(&bed.join_path("cache")).unwrap_err().to_string();
    assert!(error.ends_with("is not used: it belongs to another user"), "{error}");
    assert!(!runs_from_cache(&bed, "none"));
}

#[test]
fn a_missing_or_failing_compiler_is_reported() {
    let bed = Bed::new();
    let with = |program: &str| {
        let compiler = Compiler::Process(PathBuf::from(program));
        let host = Host::builder()
            .cache(&bed.join_path("cache"))
            .compiler(compiler)
            .hooks([bed.create_gate("none")])
            .build();
        crate::expect_failure(&dispatch_event(&host, tool_event()).reports[0])
    };
    let absent = with("/nonexistent/hookbox-compile");
    assert_eq!(absent.code, FailureCode::NotCompiled);
    assert!(absent.message.contains("cannot be started"), "{absent}");
    let failing = with("/bin/false");
    assert_eq!(failing.code, FailureCode::NotCompiled);
    assert!(failing.message.contains("the compiler /bin/false ended with exit status: 1"), "{failing}");
    let silent = with("/bin/true");
    assert_eq!(silent.code, FailureCode::Internal);
}

#[test]
fn a_host_without_a_cache_compiles_each_time() {
    let bed = Bed::new();
    let host = Host::builder().compiler(crate::create_compiler()).hooks([bed.create_gate("denies")]).build();
    assert_eq!(dispatch_verdict(&host), "deny");
}

/// The user's code is older than all of it, and would be the first to go.
#[test]
fn cache_entries_of_an_untrusted_project_evict_no_entry_of_the_user() {
    let bed = Bed::new();
    assert_eq!(dispatch_verdict(&bed.builder().hooks([bed.create_gate("denies")]).build()), "deny");
    let large = |number: u32| bed.join_path(&format!("cache/stranger-{number}.cwasm"));
    for number in 0..6 {
        fs::File::create(large(number)).unwrap().set_len(200 << 20).unwrap();
    }
    let confined_to = Some(bed.join_path(""));
    let project = WasmSpec { confined_to, ..WasmSpec::new(bed.write_plugin("none")) };
    let spec = HookSpec { target: Target::Wasm(project), ..bed.create_gate("none") };
    dispatch_event(&bed.builder().hooks([spec]).build(), tool_event());
    assert_eq!((0..6).filter(|number| large(*number).exists()).count(), 1);
    let host = Host::builder().cache(&bed.join_path("cache")).hooks([bed.create_gate("denies")]).build();
    assert_eq!(dispatch_verdict(&host), "deny");
    assert!(matches!(dispatch_event(&host, tool_event()).reports[0].status, Status::Answered(_)));
}

/// The native code of two plugins, one of which denies and one of which does not, swapped all the time.
#[test]
fn code_that_is_swapped_between_check_and_load_is_never_run_in_anothers_place() {
    let bed = Bed::new();
    warm_cache(&bed, "denies");
    let denies = list_files(&bed, ".cwasm").remove(0);
    warm_cache(&bed, "none");
    let none = list_files(&bed, ".cwasm").into_iter().find(|file| *file != denies).unwrap();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let (here, flags) = (rustix::fs::CWD, rustix::fs::RenameFlags::EXCHANGE);
                // Either may be written anew at this moment.
                let _ = rustix::fs::renameat_with(here, &denies, here, &none, flags);
            }
        });
        let (mut ran, mut refused) = (0, 0);
        for _ in 0..MOST_SWAPS {
            let outcome = dispatch_event(&without_compiler(&bed, "denies"), tool_event());
            match &outcome.reports[0].status {
                Status::Answered(answer) => {
                    assert_eq!(answer.verdict.as_str(), "deny", "the other plugin answered");
                    ran += 1;
                }
                _ => refused += 1,
            }
            if ran >= 20 && refused >= 20 {
                break;
            }
        }
        done.store(true, Ordering::Relaxed);
        assert!(ran > 0 && refused > 0, "both were met: {ran} ran, {refused} were refused");
    });
}

/// Loads of code that is swapped, if one of its states is hard to meet.
const MOST_SWAPS: usize = 2_000;
