//! `plugin signer` and `plugin inspect`: the signers of a plugin's file, and the hooks that call an installed one.

use std::fs;

use crate::{USER, WHO, create_bed, run_keygen, sign_plugin, testbed::TestBed, verify_plugin, write_text};

/// Rows of `inspect` that begin so.
fn find_rows(bed: &TestBed, file: &str, key: &str) -> Vec<String> {
    let ran = bed.run_hookbox(&["plugin", "inspect", file]);
    assert_eq!(ran.code, 0, "{ran}");
    ran.stdout.lines().filter_map(|line| line.strip_prefix(key)).map(|row| row.trim().to_owned()).collect()
}

/// The fingerprint of this key, from `ssh-keygen`.
fn read_fingerprint(bed: &TestBed, key: &str) -> String {
    let ran = run_keygen(bed, &["-l", "-f", &format!("{key}.pub")], b"");
    ran.stdout.split(' ').nth(1).unwrap().to_owned()
}

fn add_signer(bed: &TestBed, key: &str, name: &str) {
    let ran = bed.run_hookbox(&["plugin", "signer", "add", key, "--as", name, "--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
}

#[test]
fn a_plugin_by_an_unknown_key_is_verified_once_the_signer_is_added() {
    let bed = create_bed();
    let [known, unknown] = ["a", "b"].map(|key| read_fingerprint(&bed, key));
    assert_eq!(find_rows(&bed, "guard.wasm", "signed"), ["not signed"]);
    assert_eq!(sign_plugin(&bed, "guard.wasm", "b").code, 0);
    let by_unknown = format!(
        "by an unknown key {unknown}; `hookbox plugin signer add KEY.pub --as NAME` accepts the key of a publisher"
    );
    assert_eq!(find_rows(&bed, "guard.wasm", "signed"), std::slice::from_ref(&by_unknown));
    let manifest = "acme/guest 1.2.0, release 12";
    let unverified = format!("{manifest}: unverified, stated by the plugin");
    assert_eq!(find_rows(&bed, "guard.wasm", "manifest"), [unverified]);
    add_signer(&bed, "b.pub", "second@acme.example");
    let ran = verify_plugin(&bed, "guard.wasm");
    assert!(ran.code == 0 && ran.stdout.ends_with("verified  signed by second@acme.example\n"), "{ran}");
    let by_second = format!("second@acme.example, {unknown}");
    assert_eq!(find_rows(&bed, "guard.wasm", "signed"), std::slice::from_ref(&by_second));
    assert_eq!(find_rows(&bed, "guard.wasm", "manifest"), [manifest]);
    assert_eq!(sign_plugin(&bed, "guard.wasm", "a").code, 0);
    assert_eq!(find_rows(&bed, "guard.wasm", "signed"), [by_second, format!("{WHO}, {known}")]);
    let removed = bed.run_hookbox(&["plugin", "signer", "remove", "second@acme.example", "--yes"]);
    assert_eq!(removed.code, 0, "{removed}");
    assert_eq!(find_rows(&bed, "guard.wasm", "signed"), [by_unknown, format!("{WHO}, {known}")]);
}

#[test]
fn openssh_finds_the_principal_of_an_added_signer() {
    let bed = create_bed();
    add_signer(&bed, "b.pub", "second@acme.example");
    assert_eq!(sign_plugin(&bed, "guard.wasm", "b").code, 0);
    let signers = bed.expand_placeholders(&format!("{USER}/allowed_signers"));
    let words = ["-Y", "find-principals", "-f", &signers, "-s", "guard.wasm.statement.json.sig"];
    let found = run_keygen(&bed, &words, b"");
    assert_eq!((found.code, found.stdout.as_str()), (0, "second@acme.example\n"), "{found}");
}

#[test]
fn a_signature_that_is_not_accepted_is_shown_with_the_reason() {
    let bed = create_bed();
    assert_eq!(sign_plugin(&bed, "guard.wasm", "a").code, 0);
    let key = read_fingerprint(&bed, "a");
    let by_a = format!("{WHO}, {key}");
    bed.write_bytes(&format!("{USER}/policy.toml"), b"version = 1\ndefault = \"reject\"\n");
    let by_policy =
        "not accepted: the policy lists no publisher for `acme/guest`, and rejects unlisted plugins";
    assert_eq!(find_rows(&bed, "guard.wasm", "signed"), [by_a.as_str(), by_policy]);
    let json = bed.run_hookbox(&["plugin", "inspect", "--json", "guard.wasm"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["signed"]["signatures"][0]["principals"], serde_json::json!([WHO]));
    assert_eq!(
        (&json["signed"]["verified"], &json["manifest"]["vouched_for"]),
        (&false.into(), &false.into())
    );
    fs::remove_file(bed.resolve_path(&format!("{USER}/policy.toml"))).unwrap();
    assert_eq!(run_keygen(&bed, &["-q", "-k", "-f", "revoked.krl", "a.pub"], b"").code, 0);
    let list = fs::read(bed.resolve_path("[PROJECT]/revoked.krl")).unwrap();
    bed.write_bytes(&format!("{USER}/revoked.krl"), &list);
    let revoked = format!("not accepted from the key {key}: the key {key} (ssh-ed25519) is revoked");
    assert_eq!(find_rows(&bed, "guard.wasm", "signed"), [revoked]);
    let again = ["plugin", "signer", "add", "a.pub", "--as", WHO, "--yes"];
    bed.write_bytes(&format!("{USER}/allowed_signers"), b"");
    let refused = bed.run_hookbox(&again);
    assert!(refused.code == 1 && refused.stderr.contains("is revoked by revoked.krl"), "{refused}");
}

#[test]
fn a_statement_about_another_file_is_not_a_signature_of_this_one() {
    let bed = create_bed();
    assert_eq!(sign_plugin(&bed, "guard.wasm", "a").code, 0);
    crate::write_plugin(&bed, "guard", r#""seq":13"#);
    let rows = find_rows(&bed, "guard.wasm", "signed");
    assert!(rows.len() == 1 && rows[0].starts_with("not accepted: "), "{rows:?}");
    assert!(!rows[0].contains(WHO), "{rows:?}");
    write_text(&bed, "guard.wasm.statement.json", "{}");
    let rows = find_rows(&bed, "guard.wasm", "signed");
    assert!(rows.len() == 1 && rows[0].starts_with("not accepted: "), "{rows:?}");
}

#[test]
fn an_installed_plugin_is_found_by_its_digest_with_its_signer_and_its_hook() {
    let bed = create_bed();
    assert_eq!(sign_plugin(&bed, "guard.wasm", "a").code, 0);
    assert_eq!(bed.run_hookbox(&["plugin", "add", "guard.wasm", "--yes"]).code, 0);
    let json = bed.run_hookbox(&["plugin", "inspect", "--json", "guard.wasm"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let digest = json["sha256"].as_str().unwrap();
    assert_eq!(
        (&json["installed"][0]["name"], &json["hooks"][0]["name"]),
        (&"guest".into(), &"guest".into())
    );
    let (by_digest, key) = (format!("sha256:{digest}"), read_fingerprint(&bed, "a"));
    let stored = format!("[HOME]/.local/share/hookbox/store/sha256/{digest}.wasm");
    assert_eq!(find_rows(&bed, &by_digest, "file"), std::slice::from_ref(&stored));
    for file in ["guard.wasm", &by_digest, digest, &stored] {
        assert_eq!(find_rows(&bed, file, "signed"), [format!("{WHO}, {key}")], "{file}");
        let installed = format!("`guest`, in {USER}, signed by {WHO} ({key})");
        assert_eq!(find_rows(&bed, file, "installed"), [installed], "{file}");
        let hooks = find_rows(&bed, file, "hook  ");
        assert!(hooks.len() == 1 && hooks[0].starts_with(&format!("guest, {USER}/hooks.toml:")), "{hooks:?}");
    }
    let calls = format!("{stored}, which has the same content");
    assert_eq!(find_rows(&bed, "guard.wasm", "  calls"), [calls]);
    // A damaged file in the store does not count as the installed one.
    fs::write(bed.resolve_path(&stored), "damaged").unwrap();
    let ran = bed.run_hookbox(&["plugin", "inspect", &by_digest]);
    assert!(ran.code == 1 && ran.stderr.contains("no installed plugin has the SHA-256"), "{ran}");
}
