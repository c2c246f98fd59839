//! Bundles of sigstore: what its own packages make is verified, and nothing is that they refuse.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests and their helpers")]
#![expect(clippy::disallowed_methods, reason = "sigstore's packages run in a process")]

mod other_side;

use std::time::{Duration, SystemTime};

use hookbox_core::digest::Sha256Digest;
use hookbox_model::Manifest;
use hookbox_trust::{
    sigstore::{MAX_BUNDLE_BYTES, SigstoreBundle, parse_key},
    statement::{Component, Release},
};
use other_side::{Made, OtherSide};
use serde_json::{Value, json};

const KINDS: [(&str, &str); 3] = [("envelope", "p256"), ("envelope", "ed25519"), ("message", "p256")];

fn make_statement() -> String {
    let manifest = r#"{"schema":1,"name":"acme/guard","version":"1.2.0","seq":12}"#;
    let read = Manifest::parse(manifest.as_bytes()).unwrap();
    let digest = Sha256Digest::of_content(b"component");
    let component = Component { digest: &digest, manifest: &read, manifest_bytes: manifest.as_bytes() };
    let issued = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    Release::of_component(component, "stable", issued, None).to_statement()
}

/// Returns hookbox's reading of the signed statement, or the reason for refusing it.
fn verify_made(made: &Made, file: &str) -> Result<Release, String> {
    let refused = |refusal: hookbox_trust::Refusal| refusal.to_string();
    let key = parse_key(&made.key).map_err(refused)?;
    let bundle = SigstoreBundle::parse(made.bundle.as_bytes()).map_err(refused)?;
    Release::parse(bundle.read_signed_statement(&key, file.as_bytes()).map_err(refused)?).map_err(refused)
}

fn find_refusal(made: &Made, file: &str) -> String {
    verify_made(made, file).unwrap_err()
}

/// The bundle with something changed.
fn change_bundle(made: &Made, change: impl FnOnce(&mut Value)) -> Made {
    let mut bundle: Value = serde_json::from_str(&made.bundle).unwrap();
    change(&mut bundle);
    Made { bundle: bundle.to_string(), key: made.key.clone() }
}

#[test]
fn what_sigstores_packages_make_is_verified() {
    let (mut sigstore, statement) = (OtherSide::start(), make_statement());
    for (kind, key) in KINDS {
        let made = sigstore.make_bundle(kind, key, &statement);
        assert_eq!(
            verify_made(&made, &statement),
            Release::parse(statement.as_bytes()).map_err(|_| String::new())
        );
        assert!(sigstore.accepts_bundle(&made, &statement), "{kind} {key}");
    }
}

#[test]
fn a_signed_statement_that_is_not_a_release_is_refused() {
    let (mut sigstore, statement) = (OtherSide::start(), make_statement());
    for (from, to, why) in [
        (
            "\"_type\": \"https://in-toto.io/Statement/v1\",",
            "",
            "the statement has no `_type`, or it is not text",
        ),
        (
            "Statement/v1",
            "Statement/v2",
            "the statement has another `_type` than https://in-toto.io/Statement/v1",
        ),
        (
            "release/v1",
            "release/v2",
            "the statement has another `predicateType` than https://hookbox.dev/release/v1",
        ),
    ] {
        let other = statement.replace(from, to);
        for (kind, key) in KINDS {
            assert_eq!(verify_made(&sigstore.make_bundle(kind, key, &other), &other).unwrap_err(), why);
        }
    }
    let made = sigstore.make_of_type("envelope", "p256", &statement, "application/json");
    assert!(sigstore.accepts_bundle(&made, ""));
    assert_eq!(
        find_refusal(&made, ""),
        "the bundle has another `dsseEnvelope.payloadType` than application/vnd.in-toto+json"
    );
}

#[test]
fn a_bundle_of_another_kind_is_refused_with_what_is_taken() {
    let (mut sigstore, statement) = (OtherSide::start(), make_statement());
    let made = sigstore.make_bundle("envelope", "p256", &statement);
    let refused = |change: &dyn Fn(&mut Value)| find_refusal(&change_bundle(&made, change), &statement);
    assert_eq!(
        refused(&|bundle| {
            bundle["verificationMaterial"] =
                json!({ "certificate": { "rawBytes": "AA==" }, "tlogEntries": [] });
        }),
        "the bundle is signed by a certificate, and hookbox checks bundles with a key of the publisher's own: sign with a key \
         (`cosign attest-blob --key`)"
    );
    assert_eq!(
        refused(&|bundle| bundle["mediaType"] = json!("application/vnd.dev.sigstore.bundle+json;version=0.2")),
        "the bundle has another `mediaType` than application/vnd.dev.sigstore.bundle.v0.3+json"
    );
    let second = |bundle: &mut Value| {
        let list = bundle["dsseEnvelope"]["signatures"].as_array_mut().unwrap();
        list.push(list[0].clone());
    };
    assert_eq!(refused(&second), "the bundle has 2 signatures, and one is to be there");
    assert_eq!(
        refused(&|bundle| bundle["dsseEnvelope"]["signatures"] = json!([])),
        "the bundle has 0 signatures, and one is to be there"
    );
    assert_eq!(
        refused(&|bundle| bundle["messageSignature"] = json!({})),
        "the bundle has to have one of `dsseEnvelope` and `messageSignature`"
    );
    assert_eq!(refused(&|bundle| bundle["x"] = json!(1)), "the bundle has the unknown member `x`");
    let twice = made.bundle.replacen("\"mediaType\"", "\"mediaType\":\"x\",\"mediaType\"", 1);
    assert!(
        find_refusal(&Made { bundle: twice, ..made.clone() }, "").contains("\"mediaType\" appears twice")
    );
    let long = Made { bundle: format!("{}{}", made.bundle, " ".repeat(MAX_BUNDLE_BYTES)), ..made.clone() };
    assert_eq!(find_refusal(&long, ""), format!("the bundle is longer than {MAX_BUNDLE_BYTES} bytes"));
    let p384 = sigstore.make_bundle("envelope", "p384", &statement);
    assert!(sigstore.accepts_bundle(&p384, ""));
    assert_eq!(
        find_refusal(&p384, ""),
        "it is not a P-256 or Ed25519 public key in PEM (`-----BEGIN PUBLIC KEY-----`), with nothing around it"
    );
    // Entries of logs are not looked at, and told.
    let logged = change_bundle(&made, |bundle| {
        bundle["verificationMaterial"]["tlogEntries"] = json!([{ "logIndex": "1" }, {}]);
    });
    assert!(verify_made(&logged, "").is_ok());
    assert_eq!(SigstoreBundle::parse(logged.bundle.as_bytes()).unwrap().unchecked, 2);
}

/// A random number generator with a fixed seed.
struct Dice(u64);

impl Dice {
    fn draw_below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(most).unwrap()).unwrap()
    }
}

/// One byte changed, left out or put in twice; text stays text.
fn mutate_text(text: &str, dice: &mut Dice) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = dice.draw_below(bytes.len());
    match dice.draw_below(4) {
        0 => drop(bytes.remove(at)),
        1 => bytes.insert(at, bytes[at]),
        _ => bytes[at] = b" +/09AZaz=\"{}[],:.\\"[dice.draw_below(19)],
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn no_mutant_is_taken_that_sigstores_packages_refuse() {
    let (mut sigstore, statement) = (OtherSide::start(), make_statement());
    let made = KINDS.map(|(kind, key)| sigstore.make_bundle(kind, key, &statement));
    let (mut dice, mut taken) = (Dice(0x5eed_0fa6_00d5_1de5), [0, 0]);
    for round in 0..3_000 {
        let mut mutant = made[round % 3].clone();
        let mut file = statement.clone();
        match dice.draw_below(8) {
            0 => mutant.key = mutate_text(&mutant.key, &mut dice),
            1 => mutant.key.clone_from(&made[dice.draw_below(3)].key),
            2 => file = mutate_text(&file, &mut dice),
            3 => {
                let (other, name) =
                    (&made[dice.draw_below(3)], ["dsseEnvelope", "mediaType"][dice.draw_below(2)]);
                let other: Value = serde_json::from_str(&other.bundle).unwrap();
                mutant = change_bundle(&mutant, |bundle| bundle[name] = other[name].clone());
            }
            _ => mutant.bundle = mutate_text(&mutant.bundle, &mut dice),
        }
        if verify_made(&mutant, &file).is_ok() {
            taken[0] += 1;
            assert!(sigstore.accepts_bundle(&mutant, &file), "only hookbox takes {mutant:?} over {file}");
        } else if round % 10 == 0 && sigstore.accepts_bundle(&mutant, &file) {
            taken[1] += 1;
        }
    }
    // Both verifiers were asked about a bundle that they accept.
    assert!(taken[0] > 20 && taken[1] > 0, "{taken:?}");
}
