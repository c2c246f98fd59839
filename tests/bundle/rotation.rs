//! Keys that come and go, for a user who has added something that was signed before.

use crate::{USER, WHO, bed, line, plugin, sign, testbed::TestBed};

/// A release with this number, signed with this key, in an image layout of its own.
fn release(bed: &TestBed, number: u32, key: &str) -> String {
    plugin(bed, "guard", &format!(r#""seq":{number}"#));
    assert_eq!(sign(bed, "guard.wasm", key).code, 0);
    let layout = format!("oci-layout:{key}-{number}");
    let ran = bed.hookbox(&["plugin", "push", "guard.wasm", &layout]);
    assert_eq!(ran.code, 0, "{ran}");
    layout
}

fn knows(bed: &TestBed, keys: &[(&str, &str)]) {
    let lines = keys
        .iter()
        .map(|(key, times)| format!("{WHO} namespaces=\"release@hookbox\"{times} {}\n", line(bed, key)));
    bed.write_bytes(&format!("{USER}/allowed_signers"), lines.collect::<String>().as_bytes());
}

#[test]
fn an_expired_key_brings_no_earlier_release_back() {
    let bed = bed();
    let first = release(&bed, 12, "a");
    assert_eq!(bed.hookbox(&["plugin", "add", &first, "--yes"]).code, 0);
    let earlier = release(&bed, 11, "b");
    let over = ",valid-before=\"20200101Z\"";
    for keys in [&[("a", over), ("b", "")][..], &[("b", "")], &[("a", ""), ("b", "")]] {
        knows(&bed, keys);
        let ran = bed.hookbox(&["plugin", "add", &earlier, "--yes"]);
        assert!(
            ran.code == 1 && ran.stderr.contains(&format!("release 12 of {WHO} was here before")),
            "{ran}"
        );
    }
    knows(&bed, &[("a", over), ("b", "")]);
    // What the old key signed works, and it signs nothing more.
    assert_eq!(bed.hookbox(&["check"]).code, 0);
    let by_old = release(&bed, 13, "a");
    let ran = bed.hookbox(&["plugin", "add", &by_old, "--yes"]);
    assert!(ran.code == 1 && ran.stdout.contains("for a time that is over (valid-before)"), "{ran}");
    assert!(ran.stderr.contains("it has no known signature"), "{ran}");
    let newer = release(&bed, 13, "b");
    let ran = bed.hookbox(&["plugin", "add", &newer, "--yes"]);
    assert!(ran.code == 0 && !ran.stdout.contains("another plugin"), "{ran}");
}

#[test]
fn who_pinned_a_key_that_nobody_vouches_for_stays_with_it() {
    let bed = bed();
    bed.write_bytes(&format!("{USER}/allowed_signers"), b"");
    plugin(&bed, "guard", r#""seq":1"#);
    sign(&bed, "guard.wasm", "a");
    bed.hookbox(&["plugin", "push", "guard.wasm", "oci-layout:out"]);
    assert_eq!(bed.hookbox(&["plugin", "add", "oci-layout:out", "--yes"]).code, 0);
    for (number, keys, code) in [(2, &["b", "a"][..], 0), (3, &["b"], 1), (4, &["a"], 0)] {
        plugin(&bed, "guard", &format!(r#""seq":{number}"#));
        for key in keys {
            assert_eq!(sign(&bed, "guard.wasm", key).code, 0);
        }
        let pushed = bed.hookbox(&["plugin", "push", "guard.wasm", "oci-layout:out", "--replace"]);
        assert_eq!(pushed.code, 0, "{pushed}");
        let ran = bed.hookbox(&["plugin", "update"]);
        assert_eq!(ran.code, code, "{number}: {ran}");
    }
}
