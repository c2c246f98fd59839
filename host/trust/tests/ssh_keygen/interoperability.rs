//! Interoperability: each program accepts the signatures of the other.

use super::{
    NOON, STATEMENT,
    device::Device,
    openssh::{OpenSsh, Question, parse_public_key, signing_key},
};
use hookbox_trust::{
    signing::{SigningKey, verify_signature},
    sshsig::Envelope,
};

fn make_question(signature: &str, line: &str) -> Question {
    Question {
        statement: STATEMENT.to_vec(),
        signature: signature.as_bytes().to_vec(),
        signers: format!("release@acme.example namespaces=\"release@hookbox\" {line}\n"),
        krl: None,
        principal: "release@acme.example".to_owned(),
        time: NOON.to_owned(),
        place: "UTC",
    }
}

#[test]
fn openssh_verifies_what_hookbox_signs_and_finds_who_signed() {
    let openssh = OpenSsh::new();
    for (name, kind) in [("ed", &["ed25519"][..]), ("ec", &["ecdsa", "-b", "256"])] {
        let line = openssh.make_key(name, kind);
        let envelope = signing_key(&openssh, name).sign_statement(STATEMENT).unwrap();
        assert_eq!(envelope.key(), &parse_public_key(&line));
        let question = make_question(&envelope.to_armored(), &line);
        assert!(question.is_taken() && openssh.verify_question(&question), "{name}");
        let words = ["-Y", "find-principals", "-f", "signers", "-s", "signature"];
        assert_eq!(openssh.run_keygen(&words, None, "UTC").unwrap(), "release@acme.example\n", "{name}");
        let other = Question { statement: b"other".to_vec(), ..question };
        assert!(!other.is_taken() && !openssh.verify_question(&other), "{name}");
    }
}

/// A key by `ssh-keygen -t ecdsa` whose private scalar has 31 bytes, as one key of 256 has.
const SHORT_SCALAR: &str = "\
-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAaAAAABNlY2RzYS
1zaGEyLW5pc3RwMjU2AAAACG5pc3RwMjU2AAAAQQT6643eK3sp3VAhlIcqxMJDNyTy1uXu
HJs9omc7m15N4lhWRRaD2/H+jonFiNYMSP4VhvMxGYubbpJX70FD1jmbAAAAoGYDtrpmA7
a6AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBPrrjd4reyndUCGU
hyrEwkM3JPLW5e4cmz2iZzubXk3iWFZFFoPb8f6OicWI1gxI/hWG8zEZi5tuklfvQUPWOZ
sAAAAfTRCbI9kfwjNkC9f9PkGGTUQ+A537xvdaDpvXe3vqeAAAAAVzaG9ydAECAwQ=
-----END OPENSSH PRIVATE KEY-----
";

#[test]
fn an_ecdsa_key_with_a_private_scalar_of_31_bytes_signs_too() {
    let openssh = OpenSsh::new();
    openssh.write_file("short", SHORT_SCALAR.as_bytes());
    let envelope = signing_key(&openssh, "short").sign_statement(STATEMENT).unwrap();
    let line = envelope.key().to_line();
    let question = make_question(&envelope.to_armored(), &line);
    assert!(question.is_taken() && openssh.verify_question(&question), "{line}");
}

/// One signature of 128 has a number of fewer than 32 bytes.
#[test]
fn signatures_of_ecdsa_with_short_numbers_are_verified() {
    let key = SigningKey::parse(SHORT_SCALAR).unwrap();
    for number in 0..600_u32 {
        let statement = number.to_be_bytes();
        let envelope = key.sign_statement(&statement).unwrap();
        let parsed = Envelope::parse(&envelope.to_armored()).unwrap();
        assert!(verify_signature(&parsed, &statement).is_ok(), "{number}");
    }
}

#[test]
fn hookbox_verifies_what_openssh_signs_and_writes_it_as_openssh_does() {
    let openssh = OpenSsh::new();
    for (name, kind) in [("ed", &["ed25519"][..]), ("ec", &["ecdsa", "-b", "256"])] {
        let line = openssh.make_key(name, kind);
        let signature = openssh.sign_statement(name, STATEMENT, &["-n", "release@hookbox"]);
        assert!(make_question(&signature, &line).is_taken(), "{name}");
        assert_eq!(Envelope::parse(&signature).unwrap().to_armored(), signature, "{name}");
    }
}

#[test]
fn signatures_of_security_keys_are_taken_by_both_and_without_a_touch_by_openssh_alone() {
    let openssh = OpenSsh::new();
    for device in [Device::new_ed25519(7), Device::new_ecdsa(7)] {
        let good = make_question(&device.seal_statement(STATEMENT), &device.line());
        assert!(good.is_taken() && openssh.verify_question(&good), "{}", device.line());
        let data = hookbox_trust::sshsig::signed_data(STATEMENT);
        let why = Envelope::new(parse_public_key(&device.line()), device.sign_data(&data, 0))
            .unwrap_err()
            .to_string();
        assert_eq!(
            why,
            "the security key was not touched for the signature: sign with a key that requires a touch"
        );
    }
}

/// A matrix: each key's signature in four namespaces with each line, for each of two principals.
#[test]
fn a_good_signature_of_another_key_person_or_thing_is_refused_as_openssh_refuses_it() {
    let openssh = OpenSsh::new();
    let lines = ["a", "b", "c", "d"].map(|name| (name, openssh.make_key(name, &["ed25519"])));
    for (name, line) in &lines {
        for namespace in ["release@hookbox", "git", "file", "release@hookboxx"] {
            let signature = openssh.sign_statement(name, STATEMENT, &["-n", namespace]);
            for (other, theirs) in &lines {
                for principal in ["release@acme.example", "other@acme.example"] {
                    let asked =
                        Question { principal: principal.to_owned(), ..make_question(&signature, theirs) };
                    let good =
                        name == other && namespace == "release@hookbox" && principal.starts_with("release");
                    let results = (asked.is_taken(), openssh.verify_question(&asked));
                    assert_eq!(results, (good, good), "{name} {namespace} {other} {principal} {line}");
                }
            }
        }
    }
}

#[test]
fn key_types_and_digests_that_only_openssh_supports_are_refused_with_the_reason() {
    let openssh = OpenSsh::new();
    let why = |signature: &str| Envelope::parse(signature).unwrap_err().to_string();
    for (name, kind) in [("rsa", &["rsa", "-b", "2048"][..]), ("p384", &["ecdsa", "-b", "384"])] {
        let line = openssh.make_key(name, kind);
        let signature = openssh.sign_statement(name, STATEMENT, &["-n", "release@hookbox"]);
        let asked = make_question(&signature, &line);
        assert!(openssh.verify_question(&asked) && !asked.is_taken(), "{name}");
        assert!(
            why(&signature).contains("are not supported; supported kinds: ssh-ed25519"),
            "{}",
            why(&signature)
        );
    }
    let line = openssh.make_key("ed", &["ed25519"]);
    let signature = openssh.sign_statement("ed", STATEMENT, &["-n", "release@hookbox", "-Ohashalg=sha256"]);
    let asked = make_question(&signature, &line);
    assert!(openssh.verify_question(&asked) && !asked.is_taken());
    assert_eq!(
        why(&signature),
        "the signature is over another digest than sha512: sign with `-O hashalg=sha512`"
    );
}

#[test]
fn a_key_with_a_certificate_is_refused_since_certificates_are_not_supported() {
    let openssh = OpenSsh::new();
    let authority = openssh.make_key("authority", &["ed25519"]);
    openssh.make_key("user", &["ed25519"]);
    let words = ["-q", "-s", "authority", "-I", "release", "-n", "release@acme.example", "user.pub"];
    openssh.run_keygen(&words, None, "UTC").unwrap();
    let signature = openssh.sign_statement("user-cert.pub", STATEMENT, &["-n", "release@hookbox"]);
    let mut asked = make_question(&signature, &authority);
    asked.signers = format!("release@acme.example cert-authority {authority}\n");
    asked.time = "20991231235959Z".to_owned();
    assert!(openssh.verify_question(&asked) && !asked.is_taken());
    assert_eq!(
        Envelope::parse(&signature).unwrap_err().to_string(),
        "ssh-ed25519-cert-v01@openssh.com is a certificate, which hookbox does not support yet: sign with the key itself"
    );
}

#[test]
fn keys_that_openssh_revokes_are_refused_by_both() {
    let openssh = OpenSsh::new();
    let (line, other) = (openssh.make_key("a", &["ed25519"]), openssh.make_key("b", &["ecdsa", "-b", "256"]));
    let signature = openssh.sign_statement("a", STATEMENT, &["-n", "release@hookbox"]);
    let hash = |line: &str| format!("hash: {}\n", parse_public_key(line).fingerprint());
    for (lines, good) in [
        (String::new(), true),
        (format!("{other}\n{}", hash(&other)), true),
        (format!("{line}\n"), false),
        (format!("{other}\n{}", hash(&line)), false),
    ] {
        let asked = Question { krl: Some(openssh.make_krl(&lines)), ..make_question(&signature, &line) };
        assert_eq!((asked.is_taken(), openssh.verify_question(&asked)), (good, good), "{lines}");
    }
    let asked = Question {
        krl: Some(openssh.make_krl(&format!("sha1: {line}\n"))),
        ..make_question(&signature, &line)
    };
    assert_eq!((asked.is_taken(), openssh.verify_question(&asked)), (false, false));
}

#[test]
fn a_key_counts_in_its_time_by_todays_clock_as_for_openssh() {
    let openssh = OpenSsh::new();
    let line = openssh.make_key("a", &["ed25519"]);
    let signature = openssh.sign_statement("a", STATEMENT, &["-n", "release@hookbox"]);
    let within = "valid-after=\"20260601120000Z\",valid-before=\"20260602120000Z\"";
    for (time, good) in [
        ("20260601115959Z", false),
        ("20260601120000Z", true),
        ("20260602115959Z", true),
        ("20260602120001Z", false),
    ] {
        let signers = format!("release@acme.example {within} {line}\n");
        let asked = Question { signers, time: time.to_owned(), ..make_question(&signature, &line) };
        assert_eq!((asked.is_taken(), openssh.verify_question(&asked)), (good, good), "{time}");
    }
}
