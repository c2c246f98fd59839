//! The user's policy, as `plugin verify` tells it.

use crate::{
    USER, WHO, create_signed_bed, expect_refusal, generate_key, sign_plugin, testbed::TestBed, verify_plugin,
    write_allowed_signers,
};

fn write_policy(bed: &TestBed, publisher: &str) {
    let text = format!("version = 1\ndefault = \"reject\"\n{publisher}");
    bed.write_bytes(&format!("{USER}/policy.toml"), text.as_bytes());
}

fn format_publisher(more: &str) -> String {
    format!(
        "[[publisher]]\nnamespaces = [\"acme/*\"]\nprincipals = [\"{WHO}\", \"second@acme.example\"]\n{more}\n"
    )
}

#[test]
fn a_publishers_plugin_is_taken_and_no_other() {
    let bed = create_signed_bed();
    write_policy(&bed, &format_publisher(""));
    assert_eq!(verify_plugin(&bed, "guard.wasm").code, 0);
    write_policy(&bed, &format_publisher("").replace("acme/*", "acme-evil/*"));
    assert_eq!(
        expect_refusal(&bed, "guard.wasm"),
        "the policy lists no publisher for `acme/guest`, and rejects unlisted plugins"
    );
}

#[test]
fn two_keys_are_two_and_one_key_twice_is_one() {
    let bed = create_signed_bed();
    write_policy(&bed, &format_publisher("threshold = 2"));
    let one = "1 of 2 required trusted keys signed";
    assert_eq!(expect_refusal(&bed, "guard.wasm"), one);
    // The same signature once more, as a second one of the same key would be.
    let first = crate::read_text(&bed, "guard.wasm.statement.json.sig");
    crate::write_text(&bed, "guard.wasm.statement.json.sig.1", &first);
    assert_eq!(expect_refusal(&bed, "guard.wasm"), one);
    // Nor do two names of one key count twice.
    write_allowed_signers(&bed, &[(WHO, "a"), ("second@acme.example", "a")]);
    assert_eq!(expect_refusal(&bed, "guard.wasm"), one);
    std::fs::remove_file(bed.resolve_path("[PROJECT]/guard.wasm.statement.json.sig.1")).unwrap();
    sign_plugin(&bed, "guard.wasm", "b");
    assert_eq!(
        expect_refusal(&bed, "guard.wasm"),
        format!("{one}: no line of the allowed signers has this key")
    );
    write_allowed_signers(&bed, &[(WHO, "a"), ("second@acme.example", "b")]);
    let ran = verify_plugin(&bed, "guard.wasm");
    assert!(
        ran.code == 0 && ran.stdout.contains("signed by release@acme.example and second@acme.example"),
        "{ran}"
    );
}

#[test]
fn the_signature_of_a_key_that_is_not_the_publishers_does_not_count() {
    let bed = create_signed_bed();
    generate_key(&bed, "c", "ed25519");
    write_allowed_signers(&bed, &[("somebody@else.example", "a"), (WHO, "c")]);
    write_policy(&bed, &format_publisher(""));
    assert_eq!(expect_refusal(&bed, "guard.wasm"), "it is signed, but not by an allowed signer");
}

#[test]
fn a_plugin_that_asks_for_more_than_its_publisher_may_is_refused() {
    let bed = create_signed_bed();
    write_policy(
        &bed,
        &format_publisher("max_capabilities = [\"clock\", \"kv *\"]\nmax_effects = [\"ask\", \"deny-code\"]"),
    );
    assert_eq!(verify_plugin(&bed, "guard.wasm").code, 0);
    write_policy(&bed, &format_publisher("max_capabilities = [\"clock\"]\nmax_effects = [\"ask\"]"));
    assert_eq!(
        expect_refusal(&bed, "guard.wasm"),
        "the manifest requests more than the policy allows: kv session, to deny-code"
    );
}

#[test]
fn a_file_denied_by_its_digest_is_refused_whatever_its_signer() {
    let bed = create_signed_bed();
    let digest = crate::run_shell(&bed, "sha256sum guard.wasm").stdout[..64].to_owned();
    let deny = format!("[[deny]]\ncomponent = \"sha256:{digest}\"\nreason = \"it lets rm pass\"\n");
    write_policy(&bed, &format!("{}{deny}", format_publisher("")));
    assert_eq!(expect_refusal(&bed, "guard.wasm"), "the policy denies this file: it lets rm pass");
}

#[test]
fn a_certificate_of_a_key_does_not_count_as_a_second_key() {
    let bed = create_signed_bed();
    write_policy(&bed, &format_publisher("threshold = 2"));
    let ran = crate::run_keygen(
        &bed,
        &["-q", "-s", "b", "-I", "release", "-n", "release@acme.example", "a.pub"],
        b"",
    );
    assert_eq!(ran.code, 0, "{ran}");
    let first = crate::read_text(&bed, "guard.wasm.statement.json.sig");
    std::fs::remove_file(bed.resolve_path("[PROJECT]/guard.wasm.statement.json.sig")).unwrap();
    let words = ["-Y", "sign", "-n", "release@hookbox", "-f", "a-cert.pub", "guard.wasm.statement.json"];
    let ran = crate::run_keygen(&bed, &words, b"");
    assert_eq!(ran.code, 0, "{ran}");
    let second = crate::read_text(&bed, "guard.wasm.statement.json.sig");
    assert_ne!(first, second);
    crate::write_text(&bed, "guard.wasm.statement.json.sig.1", &second);
    crate::write_text(&bed, "guard.wasm.statement.json.sig", &first);
    let authority = format!(
        "{WHO} cert-authority,namespaces=\"release@hookbox\" {}\n",
        crate::read_public_key(&bed, "b")
    );
    let key = format!("{WHO} namespaces=\"release@hookbox\" {}\n", crate::read_public_key(&bed, "a"));
    bed.write_bytes(&format!("{USER}/allowed_signers"), format!("{key}{authority}").as_bytes());
    let why = expect_refusal(&bed, "guard.wasm");
    assert!(why.starts_with("1 of 2 required trusted keys signed"), "{why}");
}
