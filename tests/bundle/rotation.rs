//! Keys that come and go, for a user who has added something that was signed before.

use crate::{USER, WHO, create_bed, read_public_key, sign_plugin, testbed::TestBed, write_plugin};

/// A release with this number, signed with this key, in an image layout of its own.
fn push_release(bed: &TestBed, number: u32, key: &str) -> String {
    write_plugin(bed, "guard", &format!(r#""seq":{number}"#));
    assert_eq!(sign_plugin(bed, "guard.wasm", key).code, 0);
    let layout = format!("oci-layout:{key}-{number}");
    let ran = bed.run_hookbox(&["plugin", "push", "guard.wasm", &layout]);
    assert_eq!(ran.code, 0, "{ran}");
    layout
}

fn write_signers(bed: &TestBed, keys: &[(&str, &str)]) {
    let lines = keys.iter().map(|(key, times)| {
        format!("{WHO} namespaces=\"release@hookbox\"{times} {}\n", read_public_key(bed, key))
    });
    bed.write_bytes(&format!("{USER}/allowed_signers"), lines.collect::<String>().as_bytes());
}

#[test]
fn an_expired_key_brings_no_earlier_release_back() {
    let bed = create_bed();
    let first = push_release(&bed, 12, "a");
    assert_eq!(bed.run_hookbox(&["plugin", "add", &first, "--yes"]).code, 0);
    let earlier = push_release(&bed, 11, "b");
    let over = ",valid-before=\"20200101Z\"";
    for keys in [&[("a", over), ("b", "")][..], &[("b", "")], &[("a", ""), ("b", "")]] {
        write_signers(&bed, keys);
        let ran = bed.run_hookbox(&["plugin", "add", &earlier, "--yes"]);
        assert!(
            ran.code == 1 && ran.stderr.contains(&format!("release 12 of {WHO} was here before")),
            "{ran}"
        );
    }
    write_signers(&bed, &[("a", over), ("b", "")]);
    // What the old key signed works, and it signs nothing more.
    assert_eq!(bed.run_hookbox(&["check"]).code, 0);
    let by_old = push_release(&bed, 13, "a");
    let ran = bed.run_hookbox(&["plugin", "add", &by_old, "--yes"]);
    assert!(ran.code == 1 && ran.stdout.contains("has an expired key (valid-before)"), "{ran}");
    assert!(ran.stderr.contains("it has no known signature"), "{ran}");
    let newer = push_release(&bed, 13, "b");
    let ran = bed.run_hookbox(&["plugin", "add", &newer, "--yes"]);
    assert!(ran.code == 0 && !ran.stdout.contains("another plugin"), "{ran}");
}

#[test]
fn a_pinned_key_without_an_allowed_signer_stays_pinned() {
    let bed = create_bed();
    bed.write_bytes(&format!("{USER}/allowed_signers"), b"");
    write_plugin(&bed, "guard", r#""seq":1"#);
    sign_plugin(&bed, "guard.wasm", "a");
    bed.run_hookbox(&["plugin", "push", "guard.wasm", "oci-layout:out"]);
    assert_eq!(bed.run_hookbox(&["plugin", "add", "oci-layout:out", "--yes"]).code, 0);
    for (number, keys, code) in [(2, &["b", "a"][..], 0), (3, &["b"], 1), (4, &["a"], 0)] {
        write_plugin(&bed, "guard", &format!(r#""seq":{number}"#));
        for key in keys {
            assert_eq!(sign_plugin(&bed, "guard.wasm", key).code, 0);
        }
        let pushed = bed.run_hookbox(&["plugin", "push", "guard.wasm", "oci-layout:out", "--replace"]);
        assert_eq!(pushed.code, 0, "{pushed}");
        let ran = bed.run_hookbox(&["plugin", "update"]);
        assert_eq!(ran.code, code, "{number}: {ran}");
    }
}
