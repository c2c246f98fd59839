//! `plugin verify`: what it tells of whom.

use insta::assert_snapshot;

use crate::{
    WHO, create_bed, create_signed_bed, mask_digests, read_public_key, sign_plugin, verify_plugin,
    write_allowed_signers, write_text,
};

#[test]
fn each_signature_is_reported_with_its_validity() {
    let bed = create_signed_bed();
    sign_plugin(&bed, "guard.wasm", "b");
    assert_snapshot!(mask_digests(&verify_plugin(&bed, "guard.wasm")), @"
    exit code 0
    --- stdout
    file      guard.wasm, N bytes
    sha256    [DIGEST]
    manifest  acme/guest 1.2.0, release 12
    statement matches this file and its manifest
    signature guard.wasm.statement.json.sig
              key SHA256:[KEY], ssh-ed25519
              valid signature by release@acme.example
    signature guard.wasm.statement.json.sig.1
              key SHA256:[KEY], ssh-ed25519
              valid signature, but the signer is not trusted: no line of the allowed signers has this key
    signers   [HOME]/.config/hookbox/allowed_signers
    verified  signed by release@acme.example
    --- stderr
    ");
}

#[test]
fn the_verification_is_also_reported_as_json() {
    let bed = create_signed_bed();
    let ran = bed.run_hookbox(&["plugin", "verify", "guard.wasm", "--json"]);
    let said: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &said["verified"], &said["why"]), (0, &true.into(), &serde_json::Value::Null));
    assert_eq!(said["signers"][0]["principal"], WHO);
    assert_eq!(said["signatures"][0]["type"], "ssh-ed25519");
    assert_eq!(said["signatures"][0]["principals"], serde_json::json!([WHO]));
    assert_eq!((&said["name"], &said["seq"]), (&"acme/guest".into(), &12.into()));
    let unsigned =
        bed.run_hookbox(&["plugin", "verify", "guard.wasm", "--json", "--principal", "other@acme.example"]);
    let said: serde_json::Value = serde_json::from_str(&unsigned.stdout).unwrap();
    assert_eq!((unsigned.code, &said["verified"]), (1, &false.into()));
    assert_eq!(said["why"], "it is signed, but not by an allowed signer");
}

#[test]
fn files_that_are_named_count_in_the_place_of_the_users() {
    let bed = create_signed_bed();
    write_text(&bed, "signers", &format!("other@acme.example {}\n", read_public_key(&bed, "a")));
    let ran = bed.run_hookbox(&["plugin", "verify", "guard.wasm", "--allowed-signers", "signers"]);
    assert!(ran.code == 0 && ran.stdout.contains("signed by other@acme.example"), "{ran}");
    let missing = bed.run_hookbox(&["plugin", "verify", "guard.wasm", "--allowed-signers", "none"]);
    assert_eq!(
        (missing.code, missing.stderr.as_str()),
        (2, "error: cannot read none: No such file or directory (os error 2)\n")
    );
}

#[test]
fn each_named_list_of_signers_counts() {
    let bed = create_signed_bed();
    let key = read_public_key(&bed, "a");
    write_text(&bed, "empty", "");
    write_text(&bed, "signers", &format!("other@acme.example {key}\n"));
    let lists = ["--allowed-signers", "empty", "--allowed-signers", "signers"];
    let ran = bed.run_hookbox(&[&["plugin", "verify", "guard.wasm"], &lists[..]].concat());
    assert!(ran.code == 0 && ran.stdout.contains("signed by other@acme.example"), "{ran}");
}

#[test]
fn an_invalid_file_of_the_user_is_refused_and_not_treated_as_empty() {
    let bed = create_signed_bed();
    for (name, content, why) in [
        ("allowed_signers", "a b c\n", "allowed_signers: its line 1 has"),
        (
            "revoked.krl",
            "ssh-ed25519 AAAA\n",
            "revoked.krl: it is not a revocation list; create one with `ssh-keygen -k",
        ),
        ("policy.toml", "version = 1\n", "policy.toml: the policy has no `default`"),
    ] {
        let bed = create_signed_bed();
        bed.write_bytes(&format!("{}/{name}", crate::USER), content.as_bytes());
        let ran = verify_plugin(&bed, "guard.wasm");
        assert!(ran.code == 1 && ran.stdout.is_empty() && ran.stderr.contains(why), "{ran}");
        assert!(ran.stderr.starts_with("error: cannot use "), "{ran}");
    }
    write_allowed_signers(&bed, &[]);
    assert_eq!(crate::expect_refusal(&bed, "guard.wasm"), "no line of the allowed signers has this key");
}

#[test]
fn a_statement_from_the_future_is_reported() {
    let bed = create_bed();
    crate::sign_plugin(&bed, "guard.wasm", "a");
    let statement = crate::read_text(&bed, "guard.wasm.statement.json");
    let year = statement.split("\"issued\": \"").nth(1).unwrap()[..4].to_owned();
    write_text(&bed, "guard.wasm.statement.json", &statement.replacen(&format!("\"{year}-"), "\"2999-", 1));
    std::fs::remove_file(bed.resolve_path("[PROJECT]/guard.wasm.statement.json.sig")).unwrap();
    crate::sign_plugin(&bed, "guard.wasm", "a");
    let ran = verify_plugin(&bed, "guard.wasm");
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(
        ran.stderr,
        "warning: the date of the statement is in the future: check this machine's clock\n"
    );
}
