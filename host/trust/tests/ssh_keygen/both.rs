//! Interoperability: each program accepts the signatures of the other.

use super::{
    NOON, STATEMENT,
    device::Device,
    openssh::{OpenSsh, Question, public, signing_key},
};
use hookbox_trust::sshsig::Envelope;

fn question(signature: &str, line: &str) -> Question {
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
        let line = openssh.key(name, kind);
        let envelope = signing_key(&openssh, name).sign(STATEMENT).unwrap();
        assert_eq!(envelope.key(), &public(&line));
        let question = question(&envelope.to_armored(), &line);
        assert!(question.is_taken() && openssh.verifies(&question), "{name}");
        let words = ["-Y", "find-principals", "-f", "signers", "-s", "signature"];
        assert_eq!(openssh.keygen(&words, None, "UTC").unwrap(), "release@acme.example\n", "{name}");
        let other = Question { statement: b"other".to_vec(), ..question };
        assert!(!other.is_taken() && !openssh.verifies(&other), "{name}");
    }
}

#[test]
fn hookbox_verifies_what_openssh_signs_and_writes_it_as_openssh_does() {
    let openssh = OpenSsh::new();
    for (name, kind) in [("ed", &["ed25519"][..]), ("ec", &["ecdsa", "-b", "256"])] {
        let line = openssh.key(name, kind);
        let signature = openssh.sign(name, STATEMENT, &["-n", "release@hookbox"]);
        assert!(question(&signature, &line).is_taken(), "{name}");
        assert_eq!(Envelope::parse(&signature).unwrap().to_armored(), signature, "{name}");
    }
}

#[test]
fn signatures_of_security_keys_are_taken_by_both_and_without_a_touch_by_openssh_alone() {
    let openssh = OpenSsh::new();
    for device in [Device::ed25519(7), Device::ecdsa(7)] {
        let good = question(&device.seal(STATEMENT), &device.line());
        assert!(good.is_taken() && openssh.verifies(&good), "{}", device.line());
        let data = hookbox_trust::sshsig::signed_data(STATEMENT);
        let why = Envelope::new(public(&device.line()), device.sign(&data, 0)).unwrap_err().to_string();
        assert_eq!(
            why,
            "the security key was not touched for the signature: sign with a key that asks for it"
        );
    }
}

/// A matrix: each key's signature in four namespaces with each line, for each of two principals.
#[test]
fn a_good_signature_of_another_key_person_or_thing_is_refused_as_openssh_refuses_it() {
    let openssh = OpenSsh::new();
    let lines = ["a", "b", "c", "d"].map(|name| (name, openssh.key(name, &["ed25519"])));
    for (name, line) in &lines {
        for namespace in ["release@hookbox", "git", "file", "release@hookboxx"] {
            let signature = openssh.sign(name, STATEMENT, &["-n", namespace]);
            for (other, theirs) in &lines {
                for principal in ["release@acme.example", "other@acme.example"] {
                    let asked = Question { principal: principal.to_owned(), ..question(&signature, theirs) };
                    let good =
                        name == other && namespace == "release@hookbox" && principal.starts_with("release");
                    let said = (asked.is_taken(), openssh.verifies(&asked));
                    assert_eq!(said, (good, good), "{name} {namespace} {other} {principal} {line}");
                }
            }
        }
    }
}

#[test]
fn kinds_and_digests_that_openssh_takes_and_hookbox_does_not_are_told() {
    let openssh = OpenSsh::new();
    let why = |signature: &str| Envelope::parse(signature).unwrap_err().to_string();
    for (name, kind) in [("rsa", &["rsa", "-b", "2048"][..]), ("p384", &["ecdsa", "-b", "384"])] {
        let line = openssh.key(name, kind);
        let signature = openssh.sign(name, STATEMENT, &["-n", "release@hookbox"]);
        let asked = question(&signature, &line);
        assert!(openssh.verifies(&asked) && !asked.is_taken(), "{name}");
        assert!(
            why(&signature).contains("are not taken; those that are: ssh-ed25519"),
            "{}",
            why(&signature)
        );
    }
    let line = openssh.key("ed", &["ed25519"]);
    let signature = openssh.sign("ed", STATEMENT, &["-n", "release@hookbox", "-Ohashalg=sha256"]);
    let asked = question(&signature, &line);
    assert!(openssh.verifies(&asked) && !asked.is_taken());
    assert_eq!(
        why(&signature),
        "the signature is over another digest than sha512: sign with `-O hashalg=sha512`"
    );
}

#[test]
fn a_key_with_a_certificate_is_told_that_certificates_are_not_supported() {
    let openssh = OpenSsh::new();
    let authority = openssh.key("authority", &["ed25519"]);
    openssh.key("user", &["ed25519"]);
    let words = ["-q", "-s", "authority", "-I", "release", "-n", "release@acme.example", "user.pub"];
    openssh.keygen(&words, None, "UTC").unwrap();
    let signature = openssh.sign("user-cert.pub", STATEMENT, &["-n", "release@hookbox"]);
    let mut asked = question(&signature, &authority);
    asked.signers = format!("release@acme.example cert-authority {authority}\n");
    asked.time = "20991231235959Z".to_owned();
    assert!(openssh.verifies(&asked) && !asked.is_taken());
    assert_eq!(
        Envelope::parse(&signature).unwrap_err().to_string(),
        "ssh-ed25519-cert-v01@openssh.com is a certificate, which hookbox does not support yet: sign with the key itself"
    );
}

#[test]
fn keys_that_openssh_revokes_are_refused_by_both() {
    let openssh = OpenSsh::new();
    let (line, other) = (openssh.key("a", &["ed25519"]), openssh.key("b", &["ecdsa", "-b", "256"]));
    let signature = openssh.sign("a", STATEMENT, &["-n", "release@hookbox"]);
    let hash = |line: &str| format!("hash: {}\n", public(line).fingerprint());
    for (lines, good) in [
        (String::new(), true),
        (format!("{other}\n{}", hash(&other)), true),
        (format!("{line}\n"), false),
        (format!("{other}\n{}", hash(&line)), false),
    ] {
        let asked = Question { krl: Some(openssh.krl(&lines)), ..question(&signature, &line) };
        assert_eq!((asked.is_taken(), openssh.verifies(&asked)), (good, good), "{lines}");
    }
    let asked =
        Question { krl: Some(openssh.krl(&format!("sha1: {line}\n"))), ..question(&signature, &line) };
    assert_eq!((asked.is_taken(), openssh.verifies(&asked)), (false, false));
}

#[test]
fn a_key_counts_in_its_time_by_todays_clock_as_openssh_says() {
    let openssh = OpenSsh::new();
    let line = openssh.key("a", &["ed25519"]);
    let signature = openssh.sign("a", STATEMENT, &["-n", "release@hookbox"]);
    let within = "valid-after=\"20260601120000Z\",valid-before=\"20260602120000Z\"";
    for (time, good) in [
        ("20260601115959Z", false),
        ("20260601120000Z", true),
        ("20260602115959Z", true),
        ("20260602120001Z", false),
    ] {
        let signers = format!("release@acme.example {within} {line}\n");
        let asked = Question { signers, time: time.to_owned(), ..question(&signature, &line) };
        assert_eq!((asked.is_taken(), openssh.verifies(&asked)), (good, good), "{time}");
    }
}
