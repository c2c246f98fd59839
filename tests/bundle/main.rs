//! Signed plugins from outside, as `hookbox plugin sign` and `verify`.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests and their helpers")]
#![expect(clippy::disallowed_methods, reason = "the command is a process, and so is OpenSSH")]

mod agent;
mod attacks;
#[path = "../support/case_archive.rs"]
#[expect(dead_code, unreachable_pub, reason = "other tests use more of it")]
mod case_archive;
mod export;
mod exported_folder;
#[path = "../support/guests.rs"]
#[expect(dead_code, reason = "other tests make more of them")]
mod guests;
#[cfg(feature = "sigstore-verify")]
#[path = "../../host/trust/tests/sigstore/other_side.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod other_side;
mod policy;
mod revoked;
mod rotation;
mod security_key;
mod shipped;
mod sign;
mod signer;
#[cfg(feature = "sigstore-verify")]
mod sigstore;
#[path = "../support/testbed.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod testbed;
mod verify;

use std::{fs, path::Path, process::Command};

use testbed::{Ran, TestBed};

/// Whose key counts in these tests.
const WHO: &str = "release@acme.example";
/// Where hookbox's own files of the user are.
const USER: &str = "[HOME]/.config/hookbox";

/// The manifest of the plugin in these tests.
const MEMBERS: &str =
    r#""seq":12,"effects":["ask","deny-code"],"capabilities":{"clock":true,"kv":["session"]}"#;

/// A bed with `guard.wasm` and with keys `a` and `b`, of which the user knows the first.
fn create_bed() -> TestBed {
    let bed = TestBed::new();
    write_plugin(&bed, "guard", MEMBERS);
    for name in ["a", "b"] {
        generate_key(&bed, name, "ed25519");
    }
    write_allowed_signers(&bed, &[(WHO, "a")]);
    bed
}

/// The same, signed by `a`.
fn create_signed_bed() -> TestBed {
    let bed = create_bed();
    let ran = sign_plugin(&bed, "guard.wasm", "a");
    assert_eq!(ran.code, 0, "{ran}");
    bed
}

/// A plugin's file with these members in its manifest.
fn write_plugin(bed: &TestBed, name: &str, members: &str) {
    let wasm = [guests::build_component("denies"), guests::encode_manifest(members)].concat();
    bed.write_bytes(&format!("[PROJECT]/{name}.wasm"), &wasm);
}

/// OpenSSH's `ssh-keygen` with these words, in the project.
fn run_keygen(bed: &TestBed, words: &[&str], input: &[u8]) -> Ran {
    bed.run_with_input(&mut bed.command_of(Path::new("ssh-keygen"), words), input)
}

/// A new key in the project.
fn generate_key(bed: &TestBed, name: &str, kind: &str) {
    let ran = run_keygen(bed, &["-q", "-t", kind, "-N", "", "-C", "", "-f", name], b"");
    assert_eq!(ran.code, 0, "ssh-keygen is needed here (Debian: openssh-client): {ran}");
}

/// The line of its public one.
fn read_public_key(bed: &TestBed, name: &str) -> String {
    read_text(bed, &format!("{name}.pub")).trim().to_owned()
}

/// A file in the project.
fn read_text(bed: &TestBed, name: &str) -> String {
    fs::read_to_string(bed.resolve_path(&format!("[PROJECT]/{name}"))).unwrap()
}

fn write_text(bed: &TestBed, name: &str, text: &str) {
    bed.write_bytes(&format!("[PROJECT]/{name}"), text.as_bytes());
}

/// Whose keys the user knows.
fn write_allowed_signers(bed: &TestBed, signers: &[(&str, &str)]) {
    let lines = signers
        .iter()
        .map(|(who, key)| format!("{who} namespaces=\"release@hookbox\" {}\n", read_public_key(bed, key)));
    bed.write_bytes(&format!("{USER}/allowed_signers"), lines.collect::<String>().as_bytes());
}

fn sign_plugin(bed: &TestBed, file: &str, key: &str) -> Ran {
    bed.run_hookbox(&["plugin", "sign", file, "--key", key])
}

fn verify_plugin(bed: &TestBed, file: &str) -> Ran {
    bed.run_hookbox(&["plugin", "verify", file])
}

/// Why it is not verified.
fn expect_refusal(bed: &TestBed, file: &str) -> String {
    let ran = verify_plugin(bed, file);
    assert_eq!(ran.code, 1, "{ran}");
    let line = ran.stdout.lines().find_map(|line| line.strip_prefix("refused   "));
    line.map_or_else(|| ran.stderr.clone(), str::to_owned)
}

/// With one name for what differs from key to key and from file to file.
fn mask_digests(ran: &Ran) -> String {
    let word = |word: &str| match word {
        _ if word.starts_with("SHA256:") => {
            format!("SHA256:[KEY]{}", if word.ends_with(',') { "," } else { "" })
        }
        _ if word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) => "[DIGEST]".to_owned(),
        _ => word.to_owned(),
    };
    let lines = ran.to_string();
    let lines = lines.lines().map(|line| line.split(' ').map(word).collect::<Vec<_>>().join(" "));
    lines.map(|line| without_size(&line)).collect::<Vec<_>>().join("\n")
}

fn without_size(line: &str) -> String {
    let Some((before, size)) = line.strip_suffix(" bytes").and_then(|line| line.rsplit_once(' ')) else {
        return line.to_owned();
    };
    assert!(size.parse::<u32>().is_ok(), "{line}");
    format!("{before} N bytes")
}

/// `jq`, `sha256sum` and the like.
fn run_shell(bed: &TestBed, line: &str) -> Ran {
    let mut command: Command = bed.command_of(Path::new("/bin/sh"), &["-c", line]);
    bed.run_with_input(&mut command, b"")
}
