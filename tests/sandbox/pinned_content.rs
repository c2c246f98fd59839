//! A plugin whose content is said in its hook's entry: whoever replaces the file is found out at the next event.

use std::{
    fs::{self, File},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use hookbox::{
    HookSpec, Host, Sha256Digest, Target,
    hook::WasmSpec,
    model::{FailureCode, OnFailure, Outcome},
};

use crate::{Bed, create_hook, dispatch_event, expect_failure, find_failure_code, tool_event};

fn create_pinned_hook(path: &Path, sha256: &Sha256Digest) -> HookSpec {
    let wasm = WasmSpec { sha256: Some(sha256.clone()), ..WasmSpec::new(path) };
    HookSpec { target: Target::Wasm(wasm), ..create_hook("guard", path) }
}

/// What another process comes to, which may use the bed's cache and cannot compile.
fn dispatch_later(bed: &Bed, hook: HookSpec) -> Outcome {
    dispatch_event(&Host::builder().cache(&bed.join_path("cache")).hooks([hook]).build(), tool_event())
}

/// The file, and one of the same length that is another plugin.
fn two_of_one_length(bed: &Bed) -> (PathBuf, Vec<u8>, Vec<u8>) {
    let path = bed.write_plugin("denies");
    let good = fs::read(&path).unwrap();
    let at = good.windows(7).position(|window| window == b"because").unwrap();
    let mut evil = good.clone();
    evil[at..at + 7].copy_from_slice(b"trustme");
    (path, good, evil)
}

/// Writes the file in place, and gives it the time stamps back that can be set.
fn replace_file(path: &Path, bytes: &[u8]) {
    let before = fs::metadata(path).unwrap();
    fs::write(path, bytes).unwrap();
    let times = fs::FileTimes::new().set_modified(before.modified().unwrap());
    File::options().write(true).open(path).unwrap().set_times(times).unwrap();
    let after = fs::metadata(path).unwrap();
    assert_eq!((before.len(), before.mtime(), before.ino()), (after.len(), after.mtime(), after.ino()));
}

/// Makes what is remembered of files so old that it is trusted without a look at them.
fn settle_memos(bed: &Bed) {
    let entries = fs::read_dir(bed.join_path("cache")).unwrap().map(|entry| entry.unwrap().path());
    for memo in entries.filter(|path| path.extension().is_some_and(|ending| ending == "memo")) {
        let text = fs::read_to_string(&memo).unwrap();
        let (before, rest) = text.split_once("\"seen\":").unwrap();
        let (seen, rest) = rest.split_once('}').unwrap();
        let seen: i64 = seen.parse().unwrap();
        fs::write(&memo, format!("{before}\"seen\":{}}}{rest}", seen + 60)).unwrap();
    }
}

#[test]
fn a_pinned_plugin_runs_as_long_as_its_file_is_the_one_that_was_meant() {
    let bed = Bed::new();
    let (path, good, _) = two_of_one_length(&bed);
    let host = bed.builder().hooks([create_pinned_hook(&path, &Sha256Digest::of_content(&good))]).build();
    assert_eq!(dispatch_event(&host, tool_event()).reasons[0].value.text(), "because");
    for _ in 0..2 {
        assert_eq!(
            dispatch_later(&bed, create_pinned_hook(&path, &Sha256Digest::of_content(&good))).reasons[0]
                .value
                .text(),
            "because"
        );
        settle_memos(&bed);
    }
}

#[test]
fn a_file_that_was_replaced_between_two_events_is_found_out_however_alike_it_is() {
    let bed = Bed::new();
    let (path, good, evil) = two_of_one_length(&bed);
    let pin = Sha256Digest::of_content(&good);
    // Native code of both is in the cache, and what is remembered of the good one is old enough to be trusted.
    for bytes in [&evil, &good] {
        fs::write(&path, bytes).unwrap();
        dispatch_event(&bed.builder().hooks([create_hook("guard", &path)]).build(), tool_event());
    }
    settle_memos(&bed);
    assert_eq!(dispatch_later(&bed, create_pinned_hook(&path, &pin)).reasons[0].value.text(), "because");

    replace_file(&path, &evil);
    for _ in 0..7 {
        let outcome = dispatch_later(&bed, create_pinned_hook(&path, &pin));
        assert_eq!(
            (outcome.verdict.as_str(), find_failure_code(&outcome.reports[0])),
            ("deny", FailureCode::Replaced)
        );
        // Once it is remembered what the file holds now, that is compared.
        settle_memos(&bed);
    }
    let said = expect_failure(&dispatch_later(&bed, create_pinned_hook(&path, &pin)).reports[0]).message;
    assert!(
        said.ends_with(&format!("write `sha256 = \"{}\"`", Sha256Digest::of_content(&evil).as_str())),
        "{said}"
    );
    assert_eq!(
        dispatch_later(&bed, create_pinned_hook(&path, &Sha256Digest::of_content(&evil))).reasons[0]
            .value
            .text(),
        "trustme"
    );

    replace_file(&path, &good);
    assert_eq!(dispatch_later(&bed, create_pinned_hook(&path, &pin)).reasons[0].value.text(), "because");
}

#[test]
fn without_a_cache_and_before_anything_is_compiled_it_is_found_out_too() {
    let bed = Bed::new();
    let (path, good, evil) = two_of_one_length(&bed);
    fs::write(&path, evil).unwrap();
    let without_cache =
        || Host::builder().hooks([create_pinned_hook(&path, &Sha256Digest::of_content(&good))]);
    for host in [without_cache().build(), without_cache().cache(&bed.join_path("empty")).build()] {
        assert_eq!(find_failure_code(&dispatch_event(&host, tool_event()).reports[0]), FailureCode::Replaced);
    }
}

#[test]
fn a_replaced_plugin_is_reported_at_each_call_and_follows_the_failure_policy() {
    let bed = Bed::new();
    let (path, good, evil) = two_of_one_length(&bed);
    fs::write(&path, evil).unwrap();
    let lenient = HookSpec {
        on_failure: Some(OnFailure::Ask),
        ..create_pinned_hook(&path, &Sha256Digest::of_content(&good))
    };
    let host = bed.builder().hooks([lenient]).build();
    for _ in 0..7 {
        let outcome = dispatch_event(&host, tool_event());
        assert_eq!(
            (outcome.verdict.as_str(), find_failure_code(&outcome.reports[0])),
            ("ask", FailureCode::Replaced)
        );
    }
}
