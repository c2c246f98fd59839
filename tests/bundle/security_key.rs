//! `plugin sign` with keys of FIDO: the one that OpenSSH has for its own tests stands in the place of a device, and everything else is as with one.
//! The agent asks it, by `ssh-sk-helper`.

use std::{fs, path::Path};

use crate::{
    USER, WHO, agent::Agent, create_bed, expect_refusal, mask_digests, read_public_key, read_text,
    run_keygen, run_shell, sign_plugin, testbed::TestBed, verify_plugin, write_allowed_signers,
};

/// Each kind of `ssh-keygen -t`, and what such a key is called.
const KINDS: [(&str, &str); 2] =
    [("ed25519-sk", "sk-ssh-ed25519@openssh.com"), ("ecdsa-sk", "sk-ecdsa-sha2-nistp256@openssh.com")];
const STATEMENT: &str = "guard.wasm.statement.json";
const SIGNATURE: &str = "guard.wasm.statement.json.sig";

/// A bed with `guard.wasm`, a security key of this kind, and an agent that has it; the user knows it.
struct Fido {
    bed: TestBed,
    _agent: Agent,
}

impl Fido {
    /// With these options of `ssh-keygen`.
    fn new(kind: &str, options: &[&str]) -> Self {
        let bed = create_bed().with_variable("SSH_SK_PROVIDER", &find_device_library());
        let words = ["-q", "-t", kind, "-N", "", "-C", "", "-f", "fido"];
        let made = run_keygen(&bed, &[&words[..], options].concat(), b"");
        assert_eq!(made.code, 0, "{made}");
        write_allowed_signers(&bed, &[(WHO, "fido")]);
        // It asks nobody whom it was not told of.
        let agent = Agent::start_with_key(&bed, &["-P", "*/sk-dummy.so"], "fido");
        let bed = bed.with_variable("SSH_AUTH_SOCK", &agent.socket);
        Self { bed, _agent: agent }
    }

    /// With OpenSSH's signature over what hookbox says, in the place of hookbox's.
    fn signed_by_openssh(kind: &str, options: &[&str]) -> Self {
        let fido = Self::new(kind, options);
        let ran = sign_plugin(&fido.bed, "guard.wasm", "a");
        assert_eq!(ran.code, 0, "{ran}");
        fs::remove_file(fido.bed.resolve_path(&format!("[PROJECT]/{SIGNATURE}"))).unwrap();
        let words = ["-q", "-Y", "sign", "-n", "release@hookbox", "-f", "fido.pub", STATEMENT];
        let ran = run_keygen(&fido.bed, &words, b"");
        assert_eq!(ran.code, 0, "{ran}");
        fido
    }

    /// Does OpenSSH take the signature?
    fn openssh_verifies(&self) -> bool {
        let signers = format!("{USER}/allowed_signers");
        let words = ["-Y", "verify", "-n", "release@hookbox", "-f", &signers, "-I", WHO, "-s", SIGNATURE];
        run_keygen(&self.bed, &words, read_text(&self.bed, STATEMENT).as_bytes()).code == 0
    }

    /// What the device says of a signature: 1 if it was touched, 4 more if it knew its user; and then how often it was used.
    fn flags(&self) -> String {
        let line = format!("grep -v SSH {SIGNATURE} | base64 -d | tail -c 5 | od -An -tx1");
        run_shell(&self.bed, &line).stdout.trim().to_owned()
    }
}

/// The library that `ssh-sk-helper` takes for a device.
fn find_device_library() -> String {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let library = target.join("tools/security-key/bin/sk-dummy.so");
    assert!(library.exists(), "{} is not there; run: cargo xtask registries", library.display());
    library.display().to_string()
}

#[test]
fn a_security_key_of_either_kind_signs_through_the_agent_and_openssh_verifies_it() {
    for (kind, called) in KINDS {
        let fido = Fido::new(kind, &[]);
        assert_eq!(
            mask_digests(&sign_plugin(&fido.bed, "guard.wasm", "fido.pub")),
            format!(
                "exit code 0\n--- stdout\nsigned    guard.wasm (acme/guest 1.2.0, release 12)\nsha256    [DIGEST]\n\
                 statement {STATEMENT}\nsignature {SIGNATURE}, by SHA256:[KEY], {called}\n--- stderr"
            )
        );
        assert_eq!(fido.flags(), "01 12 34 56 78", "{kind}");
        let ran = verify_plugin(&fido.bed, "guard.wasm");
        let lines = format!(
            ", {called}\n          valid signature by {WHO}\nsigners   {USER}/allowed_signers\nverified  "
        );
        assert!(ran.code == 0 && ran.stdout.contains(&lines), "{ran}");
        assert!(fido.openssh_verifies(), "{kind}");
        // Over anything else it is none, for both.
        crate::write_text(&fido.bed, STATEMENT, &read_text(&fido.bed, STATEMENT).replace("stable", "beta"));
        assert!(expect_refusal(&fido.bed, "guard.wasm").contains("not over this statement"), "{kind}");
        assert!(!fido.openssh_verifies(), "{kind}");
    }
}

#[test]
fn what_openssh_signs_with_a_security_key_is_verified() {
    for (kind, called) in KINDS {
        let fido = Fido::signed_by_openssh(kind, &[]);
        let ran = verify_plugin(&fido.bed, "guard.wasm");
        assert!(ran.code == 0 && ran.stdout.contains(called), "{ran}");
        // The same key signs once.
        let again = sign_plugin(&fido.bed, "guard.wasm", "fido.pub");
        assert!(again.code == 0 && again.stdout.contains(" (signed before)"), "{again}");
    }
}

/// OpenSSH asks for a touch at logins, and not of signatures over files.
#[test]
fn without_a_touch_of_the_security_key_hookbox_neither_signs_nor_verifies_unlike_openssh() {
    let why = "the security key was not touched for the signature: sign with a key that requires a touch";
    for (kind, _) in KINDS {
        let untouched = ["-O", "no-touch-required"];
        let fido = Fido::new(kind, &untouched);
        let ran = sign_plugin(&fido.bed, "guard.wasm", "fido.pub");
        assert!(ran.code == 1 && ran.stdout.is_empty() && ran.stderr.contains(why), "{ran}");
        assert!(!fido.bed.resolve_path(&format!("[PROJECT]/{STATEMENT}")).exists());
        let fido = Fido::signed_by_openssh(kind, &untouched);
        assert_eq!(fido.flags(), "00 12 34 56 78", "{kind}");
        assert!(fido.openssh_verifies(), "{kind}");
        let ran = verify_plugin(&fido.bed, "guard.wasm");
        assert!(ran.code == 1 && ran.to_string().contains(why), "{ran}");
    }
}

#[test]
fn a_security_key_that_asks_for_a_pin_or_is_for_one_thing_signs_too() {
    for (kind, called) in KINDS {
        let fido = Fido::new(kind, &["-O", "verify-required", "-O", "application=ssh:acme"]);
        let ran = sign_plugin(&fido.bed, "guard.wasm", "fido.pub");
        assert_eq!(ran.code, 0, "{ran}");
        assert_eq!(fido.flags(), "05 12 34 56 78", "{kind}");
        let ran = verify_plugin(&fido.bed, "guard.wasm");
        assert!(ran.code == 0 && ran.stdout.contains(called), "{ran}");
        assert!(fido.openssh_verifies(), "{kind}");
    }
}

/// Those words are for `authorized_keys`: a line with them counts for nothing, as OpenSSH has it.
#[test]
fn signer_lines_with_device_options_are_refused_by_hookbox_and_openssh() {
    let fido = Fido::signed_by_openssh("ed25519-sk", &[]);
    for option in ["no-touch-required", "verify-required"] {
        let line =
            format!("{WHO} namespaces=\"release@hookbox\",{option} {}\n", read_public_key(&fido.bed, "fido"));
        fido.bed.write_bytes(&format!("{USER}/allowed_signers"), line.as_bytes());
        let why = expect_refusal(&fido.bed, "guard.wasm");
        assert!(why.contains(&format!("has the option `{option}`, which hookbox does not support")), "{why}");
        assert!(!fido.openssh_verifies(), "{option}");
    }
}

#[test]
fn a_security_key_that_is_revoked_counts_for_nothing() {
    for (kind, _) in KINDS {
        let fido = Fido::signed_by_openssh(kind, &[]);
        assert_eq!(verify_plugin(&fido.bed, "guard.wasm").code, 0);
        let list = format!("{USER}/revoked.krl");
        let ran = run_keygen(&fido.bed, &["-q", "-k", "-f", &list, "fido.pub"], b"");
        assert_eq!(ran.code, 0, "{ran}");
        let ran = verify_plugin(&fido.bed, "guard.wasm");
        assert!(ran.code == 1 && ran.stdout.contains("revoked"), "{ran}");
    }
}

/// What is in it leads the device to the key.
#[test]
fn the_file_of_a_security_key_signs_nothing_and_says_who_does() {
    let why = "error: cannot sign with fido: the key itself is in a security key: have an ssh-agent ask it (`ssh-add KEY`), and sign with \
               `--key KEY.pub`\n";
    for (kind, _) in KINDS {
        let fido = Fido::new(kind, &[]);
        let ran = sign_plugin(&fido.bed, "guard.wasm", "fido");
        assert_eq!((ran.code, ran.stderr.as_str()), (1, why), "{kind}");
    }
}
