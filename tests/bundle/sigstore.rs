//! `plugin verify --sigstore-bundle`: statements that are signed by sigstore's own packages.

use insta::assert_snapshot;

use crate::{
    USER, create_bed, create_signed_bed, mask_digests,
    other_side::{Made, OtherSide},
    read_text,
    testbed::{Ran, TestBed},
    write_plugin, write_text,
};

/// A bed with a signed plugin, and the same statement in a bundle of this kind.
fn with_bundle(kind: &str) -> (TestBed, Made) {
    let bed = create_signed_bed();
    let made = OtherSide::start().make_bundle(kind, "p256", &read_text(&bed, "guard.wasm.statement.json"));
    write_bundle(&bed, &made);
    (bed, made)
}

fn write_bundle(bed: &TestBed, made: &Made) {
    write_text(bed, "guard.sigstore.json", &made.bundle);
    write_text(bed, "key.pub", &made.key);
}

fn verify_bundle(bed: &TestBed, more: &[&str]) -> Ran {
    let words = ["--sigstore-bundle", "guard.sigstore.json", "--sigstore-key", "key.pub"];
    bed.run_hookbox(&[&["plugin", "verify", "guard.wasm"], &words[..], more].concat())
}

fn expect_bundle_refusal(bed: &TestBed) -> String {
    let ran = verify_bundle(bed, &[]);
    assert_eq!(ran.code, 1, "{ran}");
    mask_digests(&ran).lines().find_map(|line| line.strip_prefix("refused   ")).unwrap().to_owned()
}

#[test]
fn a_statement_in_an_envelope_or_next_to_it_is_verified() {
    let (bed, _) = with_bundle("envelope");
    std::fs::remove_file(bed.resolve_path("[PROJECT]/guard.wasm.statement.json")).unwrap();
    assert_snapshot!(mask_digests(&verify_bundle(&bed, &[])), @"
    exit code 0
    --- stdout
    file      guard.wasm, N bytes
    sha256    [DIGEST]
    manifest  acme/guest 1.2.0, release 12
    bundle    guard.sigstore.json
              key SHA256:[KEY], ecdsa-sha2-nistp256
    statement matches this file and its manifest
    verified  signed with the key SHA256:[KEY]
    --- stderr
    ");
    let (bed, _) = with_bundle("message");
    let said: serde_json::Value = serde_json::from_str(&verify_bundle(&bed, &["--json"]).stdout).unwrap();
    assert_eq!((&said["verified"], &said["why"], &said["seq"]), (&true.into(), &().into(), &12.into()));
    std::fs::remove_file(bed.resolve_path("[PROJECT]/guard.wasm.statement.json")).unwrap();
    assert_snapshot!(expect_bundle_refusal(&bed), @"the bundle signs the statement's file: cannot read guard.wasm.statement.json: No such file or directory (os error 2)");
}

#[test]
fn another_key_another_file_and_what_the_user_denies_are_refused() {
    let (bed, made) = with_bundle("envelope");
    let other =
        OtherSide::start().make_bundle("envelope", "p256", &read_text(&bed, "guard.wasm.statement.json"));
    write_text(&bed, "key.pub", &other.key);
    assert_snapshot!(expect_bundle_refusal(&bed), @"the signature in the bundle is not over this, or not by the key SHA256:[KEY] (ecdsa-sha2-nistp256)");
    write_bundle(&bed, &made);
    let digest =
        hookbox::Sha256Digest::of_content(&std::fs::read(bed.resolve_path("[PROJECT]/guard.wasm")).unwrap());
    let policy = "version = 1\ndefault = \"ask\"\n[[deny]]\ncomponent = \"sha256:DIGEST\"\nreason = \"it lets rm pass\"\n";
    bed.write_file(&format!("{USER}/policy.toml"), &policy.replace("DIGEST", digest.as_str()));
    assert_snapshot!(expect_bundle_refusal(&bed), @"the policy denies this file: it lets rm pass");
    std::fs::remove_file(bed.resolve_path(&format!("{USER}/policy.toml"))).unwrap();
    write_plugin(&bed, "guard", r#""seq":13"#);
    let why = expect_bundle_refusal(&bed);
    assert!(why.starts_with("the statement is about the file with the SHA-256 "), "{why}");
}

#[test]
fn a_key_that_is_revoked_counts_no_more() {
    let (bed, _) = with_bundle("envelope");
    // The same key, as OpenSSH writes it, is in the list.
    let line = crate::run_keygen(&bed, &["-i", "-m", "PKCS8", "-f", "key.pub"], b"");
    write_text(&bed, "as-ssh.pub", &line.stdout);
    let list = bed.resolve_path(&format!("{USER}/revoked.krl"));
    let made = crate::run_keygen(&bed, &["-q", "-k", "-f", list.to_str().unwrap(), "as-ssh.pub"], b"");
    assert_eq!(made.code, 0, "{made}");
    assert_snapshot!(expect_bundle_refusal(&bed), @"the key SHA256:[KEY] (ecdsa-sha2-nistp256) is revoked");
}

#[test]
fn an_invalid_bundle_or_key_is_reported() {
    let bed = create_bed();
    write_text(&bed, "guard.sigstore.json", "[]");
    write_text(&bed, "key.pub", "ssh-ed25519 AAAA");
    assert_snapshot!(verify_bundle(&bed, &[]), @"
    exit code 2
    --- stdout
    --- stderr
    error: key.pub: it is not a P-256 or Ed25519 public key in PEM (`-----BEGIN PUBLIC KEY-----`), with nothing around it
    ");
    let ran = bed.run_hookbox(&["plugin", "verify", "guard.wasm", "--sigstore-key", "key.pub"]);
    assert!(ran.code == 2 && ran.stderr.contains("--sigstore-bundle <FILE>"), "{ran}");
}
