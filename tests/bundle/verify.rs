//! `plugin verify`: what it tells of whom.

use insta::assert_snapshot;

use crate::{WHO, bed, knows, line, sign, signed, steady, verify, write};

#[test]
fn each_signature_is_told_with_what_it_is_worth() {
    let bed = signed();
    sign(&bed, "guard.wasm", "b");
    assert_snapshot!(steady(&verify(&bed, "guard.wasm")), @"
    exit code 0
    --- stdout
    file      guard.wasm, N bytes
    sha256    [DIGEST]
    manifest  acme/guest 1.2.0, release 12
    statement is about this file, and says of it what its manifest says
    signature guard.wasm.statement.json.sig
              key SHA256:[KEY], ssh-ed25519
              is genuine, by release@acme.example
    signature guard.wasm.statement.json.sig.1
              key SHA256:[KEY], ssh-ed25519
              is genuine, and nobody's who counts: no line of the allowed signers has this key
    signers   [HOME]/.config/hookbox/allowed_signers
    verified  signed by release@acme.example
    --- stderr
    ");
}

#[test]
fn it_is_told_as_json_too() {
    let bed = signed();
    let ran = bed.hookbox(&["plugin", "verify", "guard.wasm", "--json"]);
    let said: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &said["verified"], &said["why"]), (0, &true.into(), &serde_json::Value::Null));
    assert_eq!(said["signers"][0]["principal"], WHO);
    assert_eq!(said["signatures"][0]["type"], "ssh-ed25519");
    assert_eq!(said["signatures"][0]["principals"], serde_json::json!([WHO]));
    assert_eq!((&said["name"], &said["seq"]), (&"acme/guest".into(), &12.into()));
    let unsigned =
        bed.hookbox(&["plugin", "verify", "guard.wasm", "--json", "--principal", "other@acme.example"]);
    let said: serde_json::Value = serde_json::from_str(&unsigned.stdout).unwrap();
    assert_eq!((unsigned.code, &said["verified"]), (1, &false.into()));
    assert_eq!(said["why"], "it is signed, but not by an allowed signer");
}

#[test]
fn files_that_are_named_count_in_the_place_of_the_users() {
    let bed = signed();
    write(&bed, "signers", &format!("other@acme.example {}\n", line(&bed, "a")));
    let ran = bed.hookbox(&["plugin", "verify", "guard.wasm", "--allowed-signers", "signers"]);
    assert!(ran.code == 0 && ran.stdout.contains("signed by other@acme.example"), "{ran}");
    let missing = bed.hookbox(&["plugin", "verify", "guard.wasm", "--allowed-signers", "none"]);
    assert_eq!(
        (missing.code, missing.stderr.as_str()),
        (2, "error: cannot read none: No such file or directory (os error 2)\n")
    );
}

#[test]
fn a_file_of_the_users_that_is_not_understood_is_no_file_that_says_nothing() {
    let bed = signed();
    for (name, content, why) in [
        ("allowed_signers", "a b c\n", "counts for nothing: its line 1 has"),
        (
            "revoked.krl",
            "ssh-ed25519 AAAA\n",
            "counts for nothing: it is not a revocation list; create one with `ssh-keygen -k",
        ),
        ("policy.toml", "version = 1\n", "counts for nothing: the policy has no `default`"),
    ] {
        let bed = signed();
        bed.write_bytes(&format!("{}/{name}", crate::USER), content.as_bytes());
        let ran = verify(&bed, "guard.wasm");
        assert!(ran.code == 1 && ran.stdout.is_empty() && ran.stderr.contains(why), "{ran}");
    }
    knows(&bed, &[]);
    assert_eq!(crate::refused(&bed, "guard.wasm"), "no line of the allowed signers has this key");
}

#[test]
fn a_statement_from_the_future_is_told() {
    let bed = bed();
    crate::sign(&bed, "guard.wasm", "a");
    let statement = crate::text(&bed, "guard.wasm.statement.json");
    let year = statement.split("\"issued\": \"").nth(1).unwrap()[..4].to_owned();
    write(&bed, "guard.wasm.statement.json", &statement.replacen(&format!("\"{year}-"), "\"2999-", 1));
    std::fs::remove_file(bed.path("[PROJECT]/guard.wasm.statement.json.sig")).unwrap();
    crate::sign(&bed, "guard.wasm", "a");
    let ran = verify(&bed, "guard.wasm");
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(
        ran.stderr,
        "warning: the statement says that it was made later than now: look at this machine's clock\n"
    );
}
