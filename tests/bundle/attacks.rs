//! What is tried with statements and signatures: the rows D of `docs/security.md`.

use std::fs;

use crate::{
    USER, WHO, bed, key, keygen, knows, line, plugin, refused, sign, signed, testbed::TestBed, text, verify,
    write,
};

const STATEMENT: &str = "guard.wasm.statement.json";
const SIGNATURE: &str = "guard.wasm.statement.json.sig";

fn remove(bed: &TestBed, name: &str) {
    fs::remove_file(bed.path(&format!("[PROJECT]/{name}"))).unwrap();
}

/// Signs the statement as it is now, whatever it says.
fn seal(bed: &TestBed) {
    drop(fs::remove_file(bed.path(&format!("[PROJECT]/{SIGNATURE}"))));
    let ran = keygen(bed, &["-Y", "sign", "-n", "release@hookbox", "-f", "a", STATEMENT], b"");
    assert_eq!(ran.code, 0, "{ran}");
}

/// Why a statement is refused that says this in the place of that, and is signed.
fn said(from: &str, to: &str) -> String {
    let bed = signed();
    let statement = text(&bed, STATEMENT);
    assert!(statement.contains(from), "{statement}");
    write(&bed, STATEMENT, &statement.replacen(from, to, 1));
    seal(&bed);
    refused(&bed, "guard.wasm")
}

#[test]
fn without_its_signature_or_its_statement_nothing_is_signed() {
    let bed = signed();
    let statement = text(&bed, STATEMENT);
    remove(&bed, STATEMENT);
    assert_eq!(refused(&bed, "guard.wasm"), "it is not signed: guard.wasm.statement.json is not there");
    write(&bed, STATEMENT, &statement);
    remove(&bed, SIGNATURE);
    assert_eq!(refused(&bed, "guard.wasm"), "it is not signed");
    remove(&bed, STATEMENT);
    assert_eq!(refused(&bed, "guard.wasm"), "it is not signed: guard.wasm.statement.json is not there");
}

#[test]
fn a_good_signature_by_somebody_else_for_something_else_or_as_somebody_else_is_refused() {
    let bed = bed();
    sign(&bed, "guard.wasm", "b");
    assert_eq!(refused(&bed, "guard.wasm"), "no line of the allowed signers has this key");
    knows(&bed, &[("other@acme.example", "b")]);
    let ran = bed.hookbox(&["plugin", "verify", "guard.wasm", "--principal", WHO]);
    assert!(ran.code == 1 && ran.stdout.contains("it is signed, but not by an allowed signer"), "{ran}");
    for namespace in ["git", "file", "release@hookboxx"] {
        let bed = signed();
        remove(&bed, SIGNATURE);
        keygen(&bed, &["-Y", "sign", "-n", namespace, "-f", "a", STATEMENT], b"");
        let why = format!(
            "the signature is for `{namespace}`, and those over plugins are for `release@hookbox`: sign with `-n release@hookbox`"
        );
        assert_eq!(refused(&bed, "guard.wasm"), why);
    }
}

#[test]
fn a_statement_about_another_file_is_refused() {
    let bed = signed();
    plugin(&bed, "other", r#""seq":12"#);
    for end in ["", ".sig"] {
        let from = text(&bed, &format!("{STATEMENT}{end}"));
        write(&bed, &format!("other.wasm.statement.json{end}"), &from);
    }
    assert!(refused(&bed, "other.wasm").starts_with("the statement is about the file with the SHA-256 "));
    let statement = text(&bed, STATEMENT);
    let subject = statement.split("\"subject\": [").nth(1).unwrap().split(']').next().unwrap();
    assert_eq!(
        said(subject, &format!("{subject},{subject}")),
        "the statement has 2 subjects, and one is to be there"
    );
    assert_eq!(said(subject, ""), "the statement has 0 subjects, and one is to be there");
}

#[test]
fn a_signed_statement_of_another_kind_or_with_more_than_is_known_is_refused() {
    let other = "the statement has another `predicateType` than https://hookbox.dev/release/v1";
    for kind in ["release/v2", "release/v1/", "Release/v1", "release"] {
        assert_eq!(said("release/v1", kind), other, "{kind}");
    }
    assert_eq!(
        said("\"seq\"", "\"more\": 1, \"seq\""),
        "the statement has the unknown member `predicate.more`"
    );
    assert!(said("\"seq\"", "\"seq\": 11, \"seq\"").contains("the key \"seq\" appears twice"));
    assert!(said("{", "\u{feff}{").starts_with("the statement is not valid JSON"));
    let bed = signed();
    let statement = text(&bed, STATEMENT);
    write(&bed, STATEMENT, &format!("{statement}{{}}"));
    seal(&bed);
    assert!(refused(&bed, "guard.wasm").starts_with("the statement is not valid JSON: trailing characters"));
    write(&bed, STATEMENT, &format!("{statement}{}", " ".repeat(1 << 20)));
    let ran = verify(&bed, "guard.wasm");
    assert!(
        ran.code == 1
            && ran.stderr.contains("cannot read guard.wasm.statement.json: it is longer than 262144 bytes"),
        "{ran}"
    );
}

#[test]
fn a_signature_is_one_block_with_nothing_around_it() {
    let bed = signed();
    let good = text(&bed, SIGNATURE);
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
        write(&bed, SIGNATURE, &bad);
        assert_eq!(
            refused(&bed, "guard.wasm"),
            "the signature is not a single block of BEGIN and END SSH SIGNATURE, with nothing before, between or after",
            "{bad}"
        );
    }
    write(&bed, SIGNATURE, &good);
    assert_eq!(verify(&bed, "guard.wasm").code, 0);
}

#[test]
fn a_signature_over_another_digest_or_by_a_key_of_another_kind_is_refused() {
    let bed = signed();
    remove(&bed, SIGNATURE);
    keygen(&bed, &["-Y", "sign", "-n", "release@hookbox", "-Ohashalg=sha256", "-f", "a", STATEMENT], b"");
    assert_eq!(
        refused(&bed, "guard.wasm"),
        "the signature is over another digest than sha512: sign with `-O hashalg=sha512`"
    );
    remove(&bed, SIGNATURE);
    key(&bed, "rsa", "rsa");
    knows(&bed, &[(WHO, "rsa")]);
    keygen(&bed, &["-Y", "sign", "-n", "release@hookbox", "-f", "rsa", STATEMENT], b"");
    assert!(refused(&bed, "guard.wasm").starts_with("keys of the kind ssh-rsa are not taken"));
}

#[test]
fn an_expired_key_is_refused_whenever_the_statement_says_it_was_made() {
    let bed = signed();
    for (option, why) in [
        (
            "valid-before=\"20200101Z\"",
            "line 1 of the allowed signers has it for a time that is over (valid-before)",
        ),
        (
            "valid-after=\"29990101Z\"",
            "line 1 of the allowed signers has it for a time that has not come (valid-after)",
        ),
    ] {
        bed.write_bytes(
            &format!("{USER}/allowed_signers"),
            format!("{WHO} {option} {}\n", line(&bed, "a")).as_bytes(),
        );
        assert_eq!(refused(&bed, "guard.wasm"), why);
        let statement = text(&bed, STATEMENT);
        let issued = statement.split("\"issued\": \"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        write(&bed, STATEMENT, &statement.replace(&issued, "2019-06-01T00:00:00Z"));
        seal(&bed);
        assert_eq!(refused(&bed, "guard.wasm"), why);
    }
}

#[test]
fn a_revoked_key_is_refused_and_named() {
    let bed = signed();
    write(&bed, "revoked.txt", &format!("{}\n", line(&bed, "a")));
    let krl = format!("{USER}/revoked.krl");
    let ran = keygen(&bed, &["-q", "-k", "-f", &krl, "revoked.txt"], b"");
    assert_eq!(ran.code, 0, "{ran}");
    let why = refused(&bed, "guard.wasm");
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
        let why = said(from, to);
        let is_short =
            what == "manifest_sha256" && why.contains("`predicate.manifest_sha256` that is not a SHA-256");
        let wanted =
            format!("the statement says another `{what}` than the manifest in the file: sign the file anew");
        assert!(is_short || why == wanted, "{what}: {why}");
    }
}

#[test]
fn a_file_with_two_manifests_or_a_nested_one_is_neither_signed_nor_verified() {
    let bed = signed();
    let wasm = fs::read(bed.path("[PROJECT]/guard.wasm")).unwrap();
    let manifest = crate::guests::manifest("");
    for (more, why) in [
        (manifest.clone(), "has several manifests"),
        (crate::guests::nested(&manifest), "has a manifest in a component or module within it"),
    ] {
        bed.write_bytes("[PROJECT]/guard.wasm", &[wasm.clone(), more].concat());
        for ran in [verify(&bed, "guard.wasm"), sign(&bed, "guard.wasm", "a")] {
            assert!(ran.code == 1 && ran.stderr.contains(why), "{ran}");
        }
    }
}

const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes of an armored signature.
fn unarmored(armored: &str) -> Vec<u8> {
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
fn armored(bytes: &[u8]) -> String {
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
fn parts(bytes: &[u8]) -> (usize, usize) {
    let at = |text: &[u8]| bytes.windows(text.len()).position(|window| window == text).unwrap();
    (at(b"release@hookbox") + "release@hookbox".len(), at(b"sha512"))
}

/// Why the signature is refused with this done to its bytes.
fn changed(change: impl FnOnce(&mut Vec<u8>)) -> String {
    let bed = signed();
    let mut bytes = unarmored(&text(&bed, SIGNATURE));
    assert_eq!(armored(&bytes), text(&bed, SIGNATURE), "what is not changed is as it was");
    change(&mut bytes);
    write(&bed, SIGNATURE, &armored(&bytes));
    refused(&bed, "guard.wasm")
}

#[test]
fn a_signature_that_is_written_in_any_other_way_is_refused() {
    let damaged = "the signature is damaged";
    let not_over = "the signature is not over this statement, or not by the key";
    let version = |bytes: &mut Vec<u8>| bytes[9] = 2;
    assert!(changed(version).contains("version"), "{}", changed(version));
    let reserved = |bytes: &mut Vec<u8>| {
        let (at, _) = parts(bytes);
        bytes.splice(at..at + 4, [0, 0, 0, 1, b'x']);
    };
    assert!(!changed(reserved).is_empty(), "{}", changed(reserved));
    let sha1 = |bytes: &mut Vec<u8>| {
        let (_, at) = parts(bytes);
        bytes.splice(at - 4..at + 6, *b"\0\0\0\x04sha1");
    };
    assert!(changed(sha1).contains("another digest than sha512"), "{}", changed(sha1));
    for (what, change) in [("cut", true), ("longer", false)] {
        let change =
            |bytes: &mut Vec<u8>| if change { bytes.truncate(bytes.len() - 1) } else { bytes.push(0) };
        assert!(changed(change).contains(damaged), "{what}: {}", changed(change));
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
    assert!(changed(malleable).contains(not_over), "{}", changed(malleable));
    // The key that is named is another one.
    let other_key = |bytes: &mut Vec<u8>| bytes[40] ^= 1;
    assert!(!changed(other_key).is_empty());
}

#[test]
fn a_line_for_something_else_or_for_certificates_vouches_for_no_key() {
    let bed = signed();
    for (options, why) in [
        ("namespaces=\"git\"", "has it for other things than plugins: their namespace is release@hookbox"),
        ("cert-authority", "has it for certificates, which hookbox does not support yet"),
    ] {
        let line = format!("{WHO} {options} {}\n", line(&bed, "a"));
        bed.write_bytes(&format!("{USER}/allowed_signers"), line.as_bytes());
        assert_eq!(refused(&bed, "guard.wasm"), format!("line 1 of the allowed signers {why}"));
    }
}
