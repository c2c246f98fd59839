//! What is tried with statements and signatures: the rows D of `docs/internals/security.md`.

use std::fs;

use crate::{
    USER, WHO, create_bed, create_signed_bed, expect_refusal, generate_key, read_public_key, read_text,
    run_keygen, sign_plugin, testbed::TestBed, verify_plugin, write_allowed_signers, write_plugin,
    write_text,
};

const STATEMENT: &str = "guard.wasm.statement.json";
const SIGNATURE: &str = "guard.wasm.statement.json.sig";

fn remove_file(bed: &TestBed, name: &str) {
    fs::remove_file(bed.resolve_path(&format!("[PROJECT]/{name}"))).unwrap();
}

/// Signs the statement as it is now, whatever it says.
fn sign_statement(bed: &TestBed) {
    drop(fs::remove_file(bed.resolve_path(&format!("[PROJECT]/{SIGNATURE}"))));
    let ran = run_keygen(bed, &["-Y", "sign", "-n", "release@hookbox", "-f", "a", STATEMENT], b"");
    assert_eq!(ran.code, 0, "{ran}");
}

/// Why a statement is refused that says this in the place of that, and is signed.
fn expect_statement_refusal(from: &str, to: &str) -> String {
    let bed = create_signed_bed();
    let statement = read_text(&bed, STATEMENT);
    assert!(statement.contains(from), "{statement}");
    write_text(&bed, STATEMENT, &statement.replacen(from, to, 1));
    sign_statement(&bed);
    expect_refusal(&bed, "guard.wasm")
}

#[test]
fn without_its_signature_or_its_statement_nothing_is_signed() {
    let bed = create_signed_bed();
    let statement = read_text(&bed, STATEMENT);
    remove_file(&bed, STATEMENT);
    assert_eq!(
        expect_refusal(&bed, "guard.wasm"),
        "it is not signed: guard.wasm.statement.json does not exist"
    );
    write_text(&bed, STATEMENT, &statement);
    remove_file(&bed, SIGNATURE);
    assert_eq!(expect_refusal(&bed, "guard.wasm"), "it is not signed");
    remove_file(&bed, STATEMENT);
    assert_eq!(
        expect_refusal(&bed, "guard.wasm"),
        "it is not signed: guard.wasm.statement.json does not exist"
    );
}

#[test]
fn a_good_signature_by_somebody_else_for_something_else_or_as_somebody_else_is_refused() {
    let bed = create_bed();
    sign_plugin(&bed, "guard.wasm", "b");
    assert_eq!(expect_refusal(&bed, "guard.wasm"), "no line of the allowed signers has this key");
    write_allowed_signers(&bed, &[("other@acme.example", "b")]);
    let ran = bed.run_hookbox(&["plugin", "verify", "guard.wasm", "--principal", WHO]);
    assert!(ran.code == 1 && ran.stdout.contains("it is signed, but not by an allowed signer"), "{ran}");
    for namespace in ["git", "file", "release@hookboxx"] {
        let bed = create_signed_bed();
        remove_file(&bed, SIGNATURE);
        run_keygen(&bed, &["-Y", "sign", "-n", namespace, "-f", "a", STATEMENT], b"");
        let why = format!(
            "the signature is for `{namespace}`, and those over plugins are for `release@hookbox`: sign with `-n release@hookbox`"
        );
        assert_eq!(expect_refusal(&bed, "guard.wasm"), why);
    }
}

#[test]
fn a_statement_about_another_file_is_refused() {
    let bed = create_signed_bed();
    write_plugin(&bed, "other", r#""seq":12"#);
    for end in ["", ".sig"] {
        let from = read_text(&bed, &format!("{STATEMENT}{end}"));
        write_text(&bed, &format!("other.wasm.statement.json{end}"), &from);
    }
    assert!(
        expect_refusal(&bed, "other.wasm").starts_with("the statement is about the file with the SHA-256 ")
    );
    let statement = read_text(&bed, STATEMENT);
    let subject = statement.split("\"subject\": [").nth(1).unwrap().split(']').next().unwrap();
    assert_eq!(
        expect_statement_refusal(subject, &format!("{subject},{subject}")),
        "the statement has 2 subjects, and one is to be there"
    );
    assert_eq!(expect_statement_refusal(subject, ""), "the statement has 0 subjects, and one is to be there");
}

#[test]
fn a_signed_statement_of_another_kind_or_with_more_than_is_known_is_refused() {
    let other = "the statement has another `predicateType` than https://hookbox.dev/release/v1";
    for kind in ["release/v2", "release/v1/", "Release/v1", "release"] {
        assert_eq!(expect_statement_refusal("release/v1", kind), other, "{kind}");
    }
    assert_eq!(
        expect_statement_refusal("\"seq\"", "\"more\": 1, \"seq\""),
        "the statement has the unknown member `predicate.more`"
    );
    assert!(
        expect_statement_refusal("\"seq\"", "\"seq\": 11, \"seq\"").contains("the key \"seq\" appears twice")
    );
    assert!(expect_statement_refusal("{", "\u{feff}{").starts_with("the statement is not valid JSON"));
    let bed = create_signed_bed();
    let statement = read_text(&bed, STATEMENT);
    write_text(&bed, STATEMENT, &format!("{statement}{{}}"));
    sign_statement(&bed);
    assert!(
        expect_refusal(&bed, "guard.wasm")
            .starts_with("the statement is not valid JSON: trailing characters")
    );
    write_text(&bed, STATEMENT, &format!("{statement}{}", " ".repeat(1 << 20)));
    let ran = verify_plugin(&bed, "guard.wasm");
    assert!(
        ran.code == 1
            && ran.stderr.contains("cannot read guard.wasm.statement.json: it is longer than 262144 bytes"),
        "{ran}"
    );
}

#[test]
fn a_signature_is_one_block_with_nothing_around_it() {
    let bed = create_signed_bed();
    let good = read_text(&bed, SIGNATURE);
    for bad in [
        format!("{good}{good}"),
        format!("Signed:\n{good}"),
        format!("{good}and more\n"),
        good.replace('\n', "\r\n"),
        good.replace("SSH SIGNATURE", "PGP SIGNATURE"),
        good.replacen("U1NI", "U1 NI", 1),
        good.replace("-----END SSH SIGNATURE-----\n", ""),
        String::new(),
    ] {
        write_text(&bed, SIGNATURE, &bad);
        assert_eq!(
            expect_refusal(&bed, "guard.wasm"),
            "the signature is not a single block of BEGIN and END SSH SIGNATURE, with nothing before, between or after",
            "{bad}"
        );
    }
    write_text(&bed, SIGNATURE, &good);
    assert_eq!(verify_plugin(&bed, "guard.wasm").code, 0);
}

#[test]
fn a_signature_over_another_digest_or_by_a_key_of_another_kind_is_refused() {
    let bed = create_signed_bed();
    remove_file(&bed, SIGNATURE);
    run_keygen(&bed, &["-Y", "sign", "-n", "release@hookbox", "-Ohashalg=sha256", "-f", "a", STATEMENT], b"");
    assert_eq!(
        expect_refusal(&bed, "guard.wasm"),
        "the signature is over another digest than sha512: sign with `-O hashalg=sha512`"
    );
    remove_file(&bed, SIGNATURE);
    generate_key(&bed, "rsa", "rsa");
    write_allowed_signers(&bed, &[(WHO, "rsa")]);
    run_keygen(&bed, &["-Y", "sign", "-n", "release@hookbox", "-f", "rsa", STATEMENT], b"");
    assert!(expect_refusal(&bed, "guard.wasm").starts_with("keys of the kind ssh-rsa are not supported"));
}

#[test]
fn an_expired_key_is_refused_whenever_the_statement_says_it_was_made() {
    let bed = create_signed_bed();
    for (option, why) in [
        ("valid-before=\"20200101Z\"", "line 1 of the allowed signers has an expired key (valid-before)"),
        (
            "valid-after=\"29990101Z\"",
            "line 1 of the allowed signers has a key that is not valid yet (valid-after)",
        ),
    ] {
        bed.write_bytes(
            &format!("{USER}/allowed_signers"),
            format!("{WHO} {option} {}\n", read_public_key(&bed, "a")).as_bytes(),
        );
        assert_eq!(expect_refusal(&bed, "guard.wasm"), why);
        let statement = read_text(&bed, STATEMENT);
        let issued = statement.split("\"issued\": \"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        write_text(&bed, STATEMENT, &statement.replace(&issued, "2019-06-01T00:00:00Z"));
        sign_statement(&bed);
        assert_eq!(expect_refusal(&bed, "guard.wasm"), why);
    }
}

#[test]
fn a_revoked_key_is_refused_and_named() {
    let bed = create_signed_bed();
    write_text(&bed, "revoked.txt", &format!("{}\n", read_public_key(&bed, "a")));
    let krl = format!("{USER}/revoked.krl");
    let ran = run_keygen(&bed, &["-q", "-k", "-f", &krl, "revoked.txt"], b"");
    assert_eq!(ran.code, 0, "{ran}");
    let why = expect_refusal(&bed, "guard.wasm");
    assert!(why.starts_with("the key SHA256:") && why.ends_with("(ssh-ed25519) is revoked"), "{why}");
}

#[test]
fn a_signed_statement_that_says_other_than_the_manifest_is_refused() {
    for (from, to, what) in [
        ("\"name\": \"acme/guest\"", "\"name\": \"acme/other\"", "name"),
        ("\"version\": \"1.2.0\"", "\"version\": \"1.3.0\"", "version"),
        ("\"seq\": 12", "\"seq\": 13", "seq"),
        ("\"clock\",", "", "capabilities"),
        ("\"ask\",", "", "effects"),
        ("\"manifest_sha256\": \"", "\"manifest_sha256\": \"0", "manifest_sha256"),
    ] {
        let why = expect_statement_refusal(from, to);
        let is_short =
            what == "manifest_sha256" && why.contains("`predicate.manifest_sha256` that is not a SHA-256");
        let wanted =
            format!("the statement has another `{what}` than the manifest in the file: sign the file again");
        assert!(is_short || why == wanted, "{what}: {why}");
    }
}

#[test]
fn a_file_with_two_manifests_or_a_nested_one_is_neither_signed_nor_verified() {
    let bed = create_signed_bed();
    let wasm = fs::read(bed.resolve_path("[PROJECT]/guard.wasm")).unwrap();
    let manifest = crate::guests::encode_manifest("");
    for (more, why) in [
        (manifest.clone(), "has several manifests"),
        (crate::guests::nest_component(&manifest), "has a manifest in a component or module within it"),
    ] {
        bed.write_bytes("[PROJECT]/guard.wasm", &[wasm.clone(), more].concat());
        for ran in [verify_plugin(&bed, "guard.wasm"), sign_plugin(&bed, "guard.wasm", "a")] {
            assert!(ran.code == 1 && ran.stderr.contains(why), "{ran}");
        }
    }
}

const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes of an armored signature.
fn decode_armor(armored: &str) -> Vec<u8> {
    let letters: Vec<_> =
        armored.lines().filter(|line| !line.starts_with('-')).flat_map(str::bytes).collect();
    let six = |letter: &u8| LETTERS.iter().position(|known| known == letter);
    let sixes: Vec<_> = letters.iter().filter_map(six).collect();
    let bits: Vec<_> = sixes.iter().flat_map(|six| (0..6).rev().map(move |at| six >> at & 1)).collect();
    bits.chunks_exact(8)
        .map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | u8::try_from(*bit).unwrap()))
        .collect()
}

/// As OpenSSH writes it.
fn encode_armor(bytes: &[u8]) -> String {
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let number = [0, 1, 2].map(|at| u32::from(three.get(at).copied().unwrap_or_default()));
        let number = number[0] << 16 | number[1] << 8 | number[2];
        for at in 0..4 {
            let letter = LETTERS[usize::try_from(number >> (18 - 6 * at) & 63).unwrap()];
            text.push(if at <= three.len() { char::from(letter) } else { '=' });
        }
    }
    let lines: Vec<_> = text.as_bytes().chunks(70).map(|line| str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN SSH SIGNATURE-----\n{}\n-----END SSH SIGNATURE-----\n", lines.join("\n"))
}

/// Where in a signature of Ed25519 its parts are, from its end.
fn find_parts(bytes: &[u8]) -> (usize, usize) {
    let at = |text: &[u8]| bytes.windows(text.len()).position(|window| window == text).unwrap();
    (at(b"release@hookbox") + "release@hookbox".len(), at(b"sha512"))
}

/// Why the signature is refused with this done to its bytes.
fn expect_signature_refusal(change: impl FnOnce(&mut Vec<u8>)) -> String {
    let bed = create_signed_bed();
    let mut bytes = decode_armor(&read_text(&bed, SIGNATURE));
    assert_eq!(encode_armor(&bytes), read_text(&bed, SIGNATURE), "what is not changed is as it was");
    change(&mut bytes);
    write_text(&bed, SIGNATURE, &encode_armor(&bytes));
    expect_refusal(&bed, "guard.wasm")
}

#[test]
fn a_signature_that_is_written_in_any_other_way_is_refused() {
    let damaged = "the signature is damaged";
    let not_over = "the signature is not over this statement, or not by the key";
    let version = |bytes: &mut Vec<u8>| bytes[9] = 2;
    assert!(expect_signature_refusal(version).contains("version"), "{}", expect_signature_refusal(version));
    let reserved = |bytes: &mut Vec<u8>| {
        let (at, _) = find_parts(bytes);
        bytes.splice(at..at + 4, [0, 0, 0, 1, b'x']);
    };
    assert!(!expect_signature_refusal(reserved).is_empty(), "{}", expect_signature_refusal(reserved));
    let sha1 = |bytes: &mut Vec<u8>| {
        let (_, at) = find_parts(bytes);
        bytes.splice(at - 4..at + 6, *b"\0\0\0\x04sha1");
    };
    assert!(
        expect_signature_refusal(sha1).contains("another digest than sha512"),
        "{}",
        expect_signature_refusal(sha1)
    );
    for (what, change) in [("cut", true), ("longer", false)] {
        let change =
            |bytes: &mut Vec<u8>| if change { bytes.truncate(bytes.len() - 1) } else { bytes.push(0) };
        assert!(
            expect_signature_refusal(change).contains(damaged),
            "{what}: {}",
            expect_signature_refusal(change)
        );
    }
    // S is a number below the order of the group, and would be as good with that added.
    let malleable = |bytes: &mut Vec<u8>| {
        let order = *b"\xed\xd3\xf5\x5c\x1a\x63\x12\x58\xd6\x9c\xf7\xa2\xde\xf9\xde\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x10";
        let at = bytes.len() - 32;
        let mut carry = 0;
        for (byte, more) in bytes[at..].iter_mut().zip(order) {
            let sum = u16::from(*byte) + u16::from(more) + carry;
            (*byte, carry) = ((sum & 0xff) as u8, sum >> 8);
        }
    };
    assert!(
        expect_signature_refusal(malleable).contains(not_over),
        "{}",
        expect_signature_refusal(malleable)
    );
    // The key that is named is another one.
    let other_key = |bytes: &mut Vec<u8>| bytes[40] ^= 1;
    assert!(!expect_signature_refusal(other_key).is_empty());
}

#[test]
fn a_line_for_something_else_or_for_certificates_vouches_for_no_key() {
    let bed = create_signed_bed();
    for (options, why) in [
        ("namespaces=\"git\"", "has the key for another namespace than that of plugins, release@hookbox"),
        ("cert-authority", "has the key for certificates, which hookbox does not support yet"),
    ] {
        let line = format!("{WHO} {options} {}\n", read_public_key(&bed, "a"));
        bed.write_bytes(&format!("{USER}/allowed_signers"), line.as_bytes());
        assert_eq!(expect_refusal(&bed, "guard.wasm"), format!("line 1 of the allowed signers {why}"));
    }
}
