//! The user's policy, as `plugin verify` tells it.

use crate::{USER, WHO, key, knows, refused, sign, signed, testbed::TestBed, verify};

fn policy(bed: &TestBed, publisher: &str) {
    let text = format!("version = 1\ndefault = \"reject\"\n{publisher}");
    bed.write_bytes(&format!("{USER}/policy.toml"), text.as_bytes());
}

fn publisher(more: &str) -> String {
    format!(
        "[[publisher]]\nnamespaces = [\"acme/*\"]\nprincipals = [\"{WHO}\", \"second@acme.example\"]\n{more}\n"
    )
}

#[test]
fn a_publishers_plugin_is_taken_and_no_other() {
    let bed = signed();
    policy(&bed, &publisher(""));
    assert_eq!(verify(&bed, "guard.wasm").code, 0);
    policy(&bed, &publisher("").replace("acme/*", "acme-evil/*"));
    assert_eq!(
        refused(&bed, "guard.wasm"),
        "no publisher of the policy stands for `acme/guest`, and it rejects all others"
    );
}

#[test]
fn two_keys_are_two_and_one_key_twice_is_one() {
    let bed = signed();
    policy(&bed, &publisher("threshold = 2"));
    let one = "1 different keys of those that count have signed, of 2 that have to";
    assert_eq!(refused(&bed, "guard.wasm"), one);
    // The same signature once more, as a second one of the same key would be.
    let first = crate::text(&bed, "guard.wasm.statement.json.sig");
    crate::write(&bed, "guard.wasm.statement.json.sig.1", &first);
    assert_eq!(refused(&bed, "guard.wasm"), one);
    // Nor do two names of one key count twice.
    knows(&bed, &[(WHO, "a"), ("second@acme.example", "a")]);
    assert_eq!(refused(&bed, "guard.wasm"), one);
    std::fs::remove_file(bed.path("[PROJECT]/guard.wasm.statement.json.sig.1")).unwrap();
    sign(&bed, "guard.wasm", "b");
    assert_eq!(refused(&bed, "guard.wasm"), format!("{one}: no line of the allowed signers has this key"));
    knows(&bed, &[(WHO, "a"), ("second@acme.example", "b")]);
    let ran = verify(&bed, "guard.wasm");
    assert!(
        ran.code == 0 && ran.stdout.contains("signed by release@acme.example and second@acme.example"),
        "{ran}"
    );
}

#[test]
fn a_key_that_is_none_of_the_publishers_counts_for_nothing() {
    let bed = signed();
    key(&bed, "c", "ed25519");
    knows(&bed, &[("somebody@else.example", "a"), (WHO, "c")]);
    policy(&bed, &publisher(""));
    assert_eq!(refused(&bed, "guard.wasm"), "it is signed, but not by an allowed signer");
}

#[test]
fn a_plugin_that_asks_for_more_than_its_publisher_may_is_refused() {
    let bed = signed();
    policy(
        &bed,
        &publisher("max_capabilities = [\"clock\", \"kv *\"]\nmax_effects = [\"ask\", \"deny-code\"]"),
    );
    assert_eq!(verify(&bed, "guard.wasm").code, 0);
    policy(&bed, &publisher("max_capabilities = [\"clock\"]\nmax_effects = [\"ask\"]"));
    assert_eq!(
        refused(&bed, "guard.wasm"),
        "it asks for more than the policy lets it: kv session, to deny-code"
    );
}

#[test]
fn a_file_that_is_denied_by_its_digest_is_refused_whoever_signed_it() {
    let bed = signed();
    let digest = crate::shell(&bed, "sha256sum guard.wasm").stdout[..64].to_owned();
    let deny = format!("[[deny]]\ncomponent = \"sha256:{digest}\"\nreason = \"it lets rm pass\"\n");
    policy(&bed, &format!("{}{deny}", publisher("")));
    assert_eq!(refused(&bed, "guard.wasm"), "the policy denies this file: it lets rm pass");
}

#[test]
fn a_certificate_of_a_key_is_no_second_key() {
    let bed = signed();
    policy(&bed, &publisher("threshold = 2"));
    let ran =
        crate::keygen(&bed, &["-q", "-s", "b", "-I", "release", "-n", "release@acme.example", "a.pub"], b"");
    assert_eq!(ran.code, 0, "{ran}");
    let first = crate::text(&bed, "guard.wasm.statement.json.sig");
    std::fs::remove_file(bed.path("[PROJECT]/guard.wasm.statement.json.sig")).unwrap();
    let words = ["-Y", "sign", "-n", "release@hookbox", "-f", "a-cert.pub", "guard.wasm.statement.json"];
    let ran = crate::keygen(&bed, &words, b"");
    assert_eq!(ran.code, 0, "{ran}");
    let second = crate::text(&bed, "guard.wasm.statement.json.sig");
    assert_ne!(first, second);
    crate::write(&bed, "guard.wasm.statement.json.sig.1", &second);
    crate::write(&bed, "guard.wasm.statement.json.sig", &first);
    let authority =
        format!("{WHO} cert-authority,namespaces=\"release@hookbox\" {}\n", crate::line(&bed, "b"));
    let key = format!("{WHO} namespaces=\"release@hookbox\" {}\n", crate::line(&bed, "a"));
    bed.write_bytes(&format!("{USER}/allowed_signers"), format!("{key}{authority}").as_bytes());
    let why = refused(&bed, "guard.wasm");
    assert!(why.starts_with("1 different keys of those that count have signed, of 2 that have to"), "{why}");
}
