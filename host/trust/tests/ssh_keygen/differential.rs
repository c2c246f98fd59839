//! Differential test: hookbox never accepts a signature that OpenSSH refuses.

use super::{
    NOON, STATEMENT,
    device::Device,
    mutants::{self, Dice},
    openssh::{OpenSsh, Question, parse_public_key},
};

/// Sampling rate: one in this many refused questions is checked with OpenSSH.
const SAMPLE: usize = 60;

/// Good questions: each kind of key, with and without a revocation list that is about others.
fn make_good_questions(openssh: &OpenSsh) -> Vec<Question> {
    let mut signed = Vec::new();
    for (name, kind) in [("ed", &["ed25519"][..]), ("ec", &["ecdsa", "-b", "256"])] {
        let line = openssh.make_key(name, kind);
        signed.push((line, openssh.sign_statement(name, STATEMENT, &["-n", "release@hookbox"])));
    }
    for device in [Device::new_ed25519(7), Device::new_ecdsa(7)] {
        signed.push((device.line(), device.seal_statement(STATEMENT)));
    }
    let others = openssh.make_key("other", &["ed25519"]);
    let certificates = "serial: 5\nserial: 9-30\nid: somebody\n";
    openssh.write_file("certificates.txt", certificates.as_bytes());
    let hash = parse_public_key(&openssh.make_key("third", &["ed25519"])).fingerprint();
    let of_others = openssh.make_krl(&format!("{others}\nhash: {hash}\n"));
    let words = ["-k", "-u", "-s", "other.pub", "-f", "revoked.krl", "certificates.txt"];
    openssh.run_keygen(&words, None, "UTC").unwrap();
    let of_certificates = std::fs::read(openssh.get_path("revoked.krl")).unwrap();
    let krls = [None, Some(of_others), Some(of_certificates)];
    let others = &others;
    let question = |(line, signature): &(String, String), krl: &Option<Vec<u8>>| Question {
        statement: STATEMENT.to_vec(),
        signature: signature.as_bytes().to_vec(),
        signers: format!(
            "other@acme.example {others}\n# ours\nrelease@acme.example namespaces=\"release@hookbox\" {line}\n"
        ),
        krl: krl.clone(),
        principal: "release@acme.example".to_owned(),
        time: NOON.to_owned(),
        place: "UTC",
    };
    signed.iter().flat_map(|signed| krls.iter().map(move |krl| question(signed, krl))).collect()
}

#[test]
fn no_mutant_of_a_signature_or_of_what_is_signed_is_taken_that_openssh_refuses() {
    compare_verdicts(
        &[mutants::mutate_statement, mutants::mutate_armor, mutants::mutate_envelope, mutants::mutate_fields],
        4800,
    );
}

#[test]
fn no_mutant_of_the_signers_or_of_who_is_asked_for_is_taken_that_openssh_refuses() {
    compare_verdicts(&[mutants::mutate_principal, mutants::mutate_options, mutants::mutate_signers], 3600);
}

#[test]
fn no_mutant_of_a_time_is_taken_that_openssh_refuses() {
    compare_verdicts(&[mutants::mutate_time, mutants::mutate_validity], 2400);
}

#[test]
fn no_mutant_of_a_revocation_list_is_taken_that_openssh_refuses() {
    compare_verdicts(&[mutants::mutate_krl], 1200);
}

/// Checks that OpenSSH accepts all questions that hookbox accepts. hookbox may be stricter, so only a sample of the rest is shown to
/// OpenSSH, to see that questions are put as they are meant. 12,000 mutants in all four.
fn compare_verdicts(parts: &[fn(&mut Question, &mut Dice)], mutants: usize) {
    let openssh = OpenSsh::new();
    let good = make_good_questions(&openssh);
    for question in &good {
        assert!(question.is_taken() && openssh.verify_question(question), "{}", question.signers);
    }
    let (mut taken, mut refused_by_both) = (0, 0);
    for number in 0..mutants {
        let mut dice = Dice::new(number as u64 + 1);
        let mut mutant = good[number % good.len()].clone();
        parts[(number / good.len()) % parts.len()](&mut mutant, &mut dice);
        if mutant.is_taken() {
            taken += 1;
            assert!(
                openssh.verify_question(&mutant),
                "mutant {number} is taken, and OpenSSH refuses it: {mutant:#?}"
            );
        } else if number % SAMPLE == 0 && !openssh.verify_question(&mutant) {
            refused_by_both += 1;
        }
    }
    // Neither may be none: the mutants would then not be near enough to the edge, or not beyond it.
    assert!(taken > 20 && refused_by_both > 5, "{taken} {refused_by_both}");
}
