//! `plugin sign`: what it leaves, and what it does not sign.

use std::fs;

use insta::assert_snapshot;

use crate::{
    WHO, create_bed, create_signed_bed, generate_key, mask_digests, read_public_key, read_text, run_keygen,
    run_shell, sign_plugin, testbed::TestBed, verify_plugin, write_plugin,
};

#[test]
fn signing_writes_a_statement_and_a_signature_next_to_the_file() {
    let bed = create_bed();
    assert_snapshot!(mask_digests(&sign_plugin(&bed, "guard.wasm", "a")), @"
    exit code 0
    --- stdout
    signed    guard.wasm (acme/guest 1.2.0, release 12)
    sha256    [DIGEST]
    statement guard.wasm.statement.json
    signature guard.wasm.statement.json.sig, by SHA256:[KEY], ssh-ed25519
    --- stderr
    ");
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
    signers   [HOME]/.config/hookbox/allowed_signers
    verified  signed by release@acme.example
    --- stderr
    ");
}

/// What `docs/guide/distribution.md` shows.
#[test]
fn a_signature_can_be_checked_by_hand_without_hookbox() {
    let bed = create_signed_bed();
    bed.write_bytes(
        "[PROJECT]/allowed_signers",
        format!("{WHO} {}\n", read_public_key(&bed, "a")).as_bytes(),
    );
    let told = run_shell(
        &bed,
        "sha256sum guard.wasm | cut -d ' ' -f 1; grep -o '\"sha256\": \"[0-9a-f]*\"' guard.wasm.statement.json | cut -d '\"' -f 4",
    );
    let digests: Vec<_> = told.stdout.lines().collect();
    assert!(digests.len() == 2 && digests[0] == digests[1], "{told}");
    let ssh_keygen = "ssh-keygen -Y verify -f allowed_signers -I release@acme.example -n release@hookbox \
                      -s guard.wasm.statement.json.sig < guard.wasm.statement.json";
    let told = run_shell(&bed, ssh_keygen);
    assert!(told.code == 0 && told.stdout.starts_with("Good \"release@hookbox\" signature"), "{told}");
    let words = ["-Y", "find-principals", "-f", "allowed_signers", "-s", "guard.wasm.statement.json.sig"];
    assert_eq!(run_keygen(&bed, &words, b"").stdout, format!("{WHO}\n"));
}

#[test]
fn a_signature_by_openssh_is_as_good() {
    let bed = create_signed_bed();
    fs::remove_file(bed.resolve_path("[PROJECT]/guard.wasm.statement.json.sig")).unwrap();
    let ran = run_keygen(
        &bed,
        &["-Y", "sign", "-n", "release@hookbox", "-f", "a", "guard.wasm.statement.json"],
        b"",
    );
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(verify_plugin(&bed, "guard.wasm").code, 0);
}

#[test]
fn a_second_signer_adds_a_signature_and_the_same_signer_adds_none() {
    let bed = create_signed_bed();
    let statement = read_text(&bed, "guard.wasm.statement.json");
    let again = sign_plugin(&bed, "guard.wasm", "a");
    assert!(again.stdout.contains("guard.wasm.statement.json.sig, by"), "{again}");
    assert!(again.stdout.contains(" (signed before)\n"), "{again}");
    assert!(!bed.resolve_path("[PROJECT]/guard.wasm.statement.json.sig.1").exists());
    let second = sign_plugin(&bed, "guard.wasm", "b");
    assert!(second.stdout.contains("guard.wasm.statement.json.sig.1, by"), "{second}");
    assert_eq!(read_text(&bed, "guard.wasm.statement.json"), statement);
}

#[test]
fn another_file_gets_a_statement_of_its_own_and_old_signatures_go() {
    let bed = create_signed_bed();
    sign_plugin(&bed, "guard.wasm", "b");
    write_plugin(&bed, "guard", r#""seq":13"#);
    let ran = sign_plugin(&bed, "guard.wasm", "a");
    assert!(ran.stdout.contains("release 13"), "{ran}");
    assert!(read_text(&bed, "guard.wasm.statement.json").contains("\"seq\": 13"));
    assert!(!bed.resolve_path("[PROJECT]/guard.wasm.statement.json.sig.1").exists());
    assert_eq!(verify_plugin(&bed, "guard.wasm").code, 0);
}

#[test]
fn who_does_not_count_releases_up_is_warned_and_who_does_is_not() {
    let bed = create_signed_bed();
    write_plugin(&bed, "guard", r#""seq":12,"description":"Another file.""#);
    let ran = sign_plugin(&bed, "guard.wasm", "a");
    let warning = "warning: this file is release 12, and a different file was signed as release 12 before, whose users reject this one; increase `seq` \
                   in plugin.toml, then build and sign again";
    assert!(ran.code == 0 && ran.stderr.contains(warning), "{ran}");
    write_plugin(&bed, "guard", r#""seq":13"#);
    let ran = sign_plugin(&bed, "guard.wasm", "a");
    assert!(ran.code == 0 && ran.stderr.is_empty(), "{ran}");
}

#[test]
fn what_is_to_be_said_is_said_or_nothing_is_signed() {
    let bed = create_signed_bed();
    let statement = read_text(&bed, "guard.wasm.statement.json");
    for (word, value) in [("--channel", "beta"), ("--source", "https://git.example/guard")] {
        let ran = bed.run_hookbox(&["plugin", "sign", "guard.wasm", "--key", "b", word, value]);
        let why = format!("guard.wasm.statement.json exists with another value for {word}; remove the file");
        assert!(ran.code == 1 && ran.stderr.contains(&why), "{ran}");
    }
    assert_eq!(read_text(&bed, "guard.wasm.statement.json"), statement);
    assert!(!bed.resolve_path("[PROJECT]/guard.wasm.statement.json.sig.1").exists());
    let ran = bed.run_hookbox(&["plugin", "sign", "guard.wasm", "--key", "b", "--channel", "stable"]);
    assert!(ran.code == 0 && ran.stdout.contains("guard.wasm.statement.json.sig.1, by"), "{ran}");
}

#[test]
fn the_statement_says_where_the_sources_are_and_among_whom_it_is_handed_out() {
    let bed = create_bed();
    let words = ["--source", "https://git.example/guard", "--revision", "v1.2.0", "--channel", "beta"];
    let ran = bed.run_hookbox(&[&["plugin", "sign", "guard.wasm", "--key", "a"], &words[..]].concat());
    assert_eq!(ran.code, 0, "{ran}");
    let said: serde_json::Value =
        serde_json::from_str(&read_text(&bed, "guard.wasm.statement.json")).unwrap();
    let predicate = &said["predicate"];
    assert_eq!(
        predicate["source"],
        serde_json::json!({ "repo": "https://git.example/guard", "rev": "v1.2.0" })
    );
    assert_eq!((&predicate["channel"], &predicate["seq"]), (&"beta".into(), &12.into()));
    assert_eq!(predicate["capabilities"], serde_json::json!(["clock", "kv session"]));
    assert_eq!(predicate["effects"], serde_json::json!(["ask", "deny-code"]));
}

fn expect_sign_refusal(bed: &TestBed, file: &str, key: &str) -> String {
    let ran = sign_plugin(bed, file, key);
    assert!(ran.code != 0 && ran.stdout.is_empty(), "{ran}");
    assert!(!bed.resolve_path("[PROJECT]/guard.wasm.statement.json").exists());
    ran.stderr.trim_end().to_owned()
}

#[test]
fn a_file_that_cannot_be_signed_is_reported_with_the_next_step() {
    let bed = create_bed();
    assert_snapshot!(expect_sign_refusal(&bed, "none.wasm", "a"), @"error: cannot read none.wasm: No such file or directory (os error 2)");
    assert_snapshot!(expect_sign_refusal(&bed, "guard.wasm", "none"), @"error: cannot read none: No such file or directory (os error 2)");
    bed.write_bytes("[PROJECT]/bare.wasm", &crate::guests::build_component("denies"));
    assert_snapshot!(expect_sign_refusal(&bed, "bare.wasm", "a"), @"error: bare.wasm has no manifest; add it with `hookbox plugin manifest bare.wasm plugin.toml`");
    generate_key(&bed, "rsa", "rsa");
    assert_snapshot!(expect_sign_refusal(&bed, "guard.wasm", "rsa"), @"error: cannot sign with rsa: keys of the kind ssh-rsa are not supported; supported kinds: ssh-ed25519, sk-ssh-ed25519@openssh.com, ecdsa-sha2-nistp256, sk-ecdsa-sha2-nistp256@openssh.com");
    let secret = run_keygen(&bed, &["-q", "-t", "ed25519", "-N", "secret", "-C", "", "-f", "locked"], b"");
    assert_eq!(secret.code, 0, "{secret}");
    assert_snapshot!(expect_sign_refusal(&bed, "guard.wasm", "locked"), @"error: cannot sign with locked: it has a passphrase: have an ssh-agent ask for it (`ssh-add KEY`), and sign with `--key KEY.pub`");
    assert_snapshot!(expect_sign_refusal(&bed, "guard.wasm", "a.pub"), @"error: a.pub is a public key, and no ssh-agent is configured that could hold its private key: start one (`eval $(ssh-agent)`) and add the key (`ssh-add KEY`), or sign with the private key's file");
    assert_snapshot!(expect_sign_refusal(&bed, "guard.wasm", "guard.wasm"), @"error: guard.wasm is not an SSH key; `ssh-keygen -t ed25519 -f release` creates one, to sign with `--key release`");
}

#[test]
fn who_cannot_sign_a_new_file_leaves_what_was_said_of_the_old_one() {
    let bed = create_signed_bed();
    let before = read_text(&bed, "guard.wasm.statement.json");
    write_plugin(&bed, "guard", r#""seq":13"#);
    assert_eq!(sign_plugin(&bed, "guard.wasm", "a.pub").code, 2);
    assert_eq!(read_text(&bed, "guard.wasm.statement.json"), before);
    assert!(bed.resolve_path("[PROJECT]/guard.wasm.statement.json.sig").exists());
}

#[test]
fn a_key_of_ecdsa_signs_too() {
    let bed = create_bed();
    generate_key(&bed, "ec", "ecdsa");
    crate::write_allowed_signers(&bed, &[(WHO, "ec")]);
    assert_eq!(sign_plugin(&bed, "guard.wasm", "ec").code, 0);
    let ran = verify_plugin(&bed, "guard.wasm");
    assert!(ran.code == 0 && ran.stdout.contains("ecdsa-sha2-nistp256"), "{ran}");
}

#[test]
fn without_the_program_next_to_it_hookbox_reports_what_to_install() {
    let ran = TestBed::new().without_compiler().run_hookbox(&["plugin", "verify", "guard.wasm"]);
    assert_snapshot!(ran, @"
    exit code 1
    --- stdout
    --- stderr
    error: [BIN]/hookbox-bundle does not exist, and `hookbox plugin verify` needs it; install hookbox-bundle of the same version next to hookbox
    ");
}

fn sign_expiry(bed: &TestBed, words: &[&str]) -> Option<String> {
    let ran = bed.run_hookbox(&[&["plugin", "sign", "guard.wasm", "--key", "a"], words].concat());
    assert_eq!(ran.code, 0, "{ran}");
    let statement = read_text(bed, "guard.wasm.statement.json");
    statement.split("\"expires\": \"").nth(1).map(|rest| rest.split('"').next().unwrap().to_owned())
}

#[test]
fn the_statement_says_until_when_it_is_the_newest_and_may_say_it_anew() {
    let bed = create_bed();
    assert_eq!(sign_expiry(&bed, &[]), None);
    sign_plugin(&bed, "guard.wasm", "b");
    let until = Some("2999-12-31T00:00:00Z".to_owned());
    assert_eq!(sign_expiry(&bed, &["--expires", "2999-12-31"]), until);
    assert!(
        !bed.resolve_path("[PROJECT]/guard.wasm.statement.json.sig.1").exists(),
        "it was over what was said before"
    );
    let before = read_text(&bed, "guard.wasm.statement.json");
    // Who signs it, too, says the same.
    assert_eq!(sign_plugin(&bed, "guard.wasm", "b").code, 0);
    assert_eq!(sign_expiry(&bed, &[]), until);
    assert_eq!(read_text(&bed, "guard.wasm.statement.json"), before);
    assert!(bed.resolve_path("[PROJECT]/guard.wasm.statement.json.sig.1").exists());
    let later = sign_expiry(&bed, &["--valid-for", "90d"]).unwrap();
    assert!(later.ends_with('Z') && later.as_str() < "2999", "{later}");
    for (words, why) in [
        (["--expires", "2020-01-31"], "cannot sign: the expiry is in the past"),
        (["--expires", "soon"], "write a day as 2027-01-31"),
        (["--valid-for", "0s"], "cannot sign: the expiry is in the past"),
    ] {
        let ran = bed.run_hookbox(&[&["plugin", "sign", "guard.wasm", "--key", "a"], &words[..]].concat());
        assert!(ran.code == 2 && ran.stderr.contains(why), "{ran}");
    }
}

#[test]
fn an_expired_statement_is_reported_and_still_verified() {
    let bed = create_bed();
    sign_expiry(&bed, &["--expires", "2999-12-31"]);
    let ran = verify_plugin(&bed, "guard.wasm");
    assert!(ran.code == 0 && ran.stdout.contains("expires   2999-12-31T00:00:00Z\n"), "{ran}");
    assert_eq!(ran.stderr, "");
    let statement = read_text(&bed, "guard.wasm.statement.json").replace("2999-12-31", "2020-01-31");
    crate::write_text(&bed, "guard.wasm.statement.json", &statement);
    fs::remove_file(bed.resolve_path("[PROJECT]/guard.wasm.statement.json.sig")).unwrap();
    run_keygen(&bed, &["-Y", "sign", "-n", "release@hookbox", "-f", "a", "guard.wasm.statement.json"], b"");
    let ran = verify_plugin(&bed, "guard.wasm");
    assert_eq!(ran.code, 0, "{ran}");
    assert_snapshot!(ran.stderr, @"warning: the statement of this release expired on 2020-01-31, and no newer release was found: updates may be withheld from you; ask its publisher through another channel");
}

#[test]
fn a_folder_that_is_not_there_is_made_for_what_is_pulled() {
    let bed = crate::create_signed_bed();
    assert_eq!(bed.run_hookbox(&["plugin", "push", "guard.wasm", "oci-layout:out"]).code, 0);
    let ran = bed.run_hookbox(&["plugin", "pull", "oci-layout:out", "--into", "new/plugins"]);
    assert_eq!(ran.code, 0, "{ran}");
    // The name is the last part of the plugin's own.
    for end in ["", ".statement.json", ".statement.json.sig"] {
        assert!(bed.resolve_path(&format!("[PROJECT]/new/plugins/guest.wasm{end}")).exists(), "{end}: {ran}");
    }
}
