//! Plugins that are fetched: who signed them, what a policy says, newer releases, the store, and what is never called again.
//!
//! A program stands in for `hookbox-bundle`: it copies what a test has put where a source leads, and says of it what the test says.

use std::{
    fs::{self, File},
    io::Write,
    os::unix::fs::{PermissionsExt, symlink},
    path::PathBuf,
    process::Stdio,
};

use insta::assert_snapshot;
use nix::pty::openpty;
use sha2::{Digest, Sha256};

use crate::{
    LS, Ran, TestBed,
    guests::{self, encode_manifest},
};

const CONFIG: &str = "[HOME]/.config/hookbox";
const SOURCE: &str = "oci://registry.example/acme/guest";
const FETCH: &str = r#"#!/bin/sh
# fetch SOURCE --into DIR …
here=${0%/*}
[ -e "$here/offline" ] && { echo "the network is not to be used" >&2; exit 1; }
at=$here/${2##*:}
[ -e "$at/component.wasm" ] && here=$at
ln "$here/component.wasm" "$4/component.wasm" && cat "$here/report.json"
"#;

/// A statement as it stands beside a plugin in the store.
const STATEMENT_OF: &str = r#"{
  "_type": "https://in-toto.io/Statement/v1",
  "subject": [{ "name": "acme/guest", "digest": { "sha256": "DIGEST" } }],
  "predicateType": "https://hookbox.dev/release/v1",
  "predicate": {
    "version": "1.2.0", "seq": 3, "channel": "stable", "issued": "YEAR-01-01T00:00:00Z",
    "capabilities": [], "effects": [], "manifest_sha256": "DIGEST"
  }
}"#;

/// A home folder, and a hookbox with the stand-in beside it.
struct Publisher {
    bed: TestBed,
    program: PathBuf,
}

fn hash_bytes(bytes: &[u8]) -> String {
    hookbox::Sha256Digest::of_content(bytes).as_str().to_owned()
}

/// As OpenSSH writes it, without padding.
fn encode_base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: Vec<_> = bytes.iter().flat_map(|byte| (0..8).rev().map(move |at| byte >> at & 1)).collect();
    let letter = |six: &[u8]| {
        let index = (0..6).fold(0, |index, at| index << 1 | six.get(at).copied().unwrap_or_default());
        char::from(LETTERS[usize::from(index)])
    };
    bits.chunks(6).map(letter).collect()
}

/// A key's fingerprint, and the list that revokes it (`ssh-keygen -k`'s form: one part with one key's SHA-256).
fn create_key(name: &str) -> (String, Vec<u8>) {
    let digest = Sha256::digest(name.as_bytes());
    let long = |number: u64| number.to_be_bytes();
    let string = |bytes: &[u8]| [&u32::try_from(bytes.len()).unwrap().to_be_bytes(), bytes].concat();
    let head =
        [&b"SSHKRL\n\0"[..], &1u32.to_be_bytes(), &long(1), &long(0), &long(0), &string(b""), &string(b"")]
            .concat();
    let list = [&head[..], &[5], &string(&string(&digest))].concat();
    (format!("SHA256:{}", encode_base64(&digest)), list)
}

impl Publisher {
    fn new() -> Self {
        let bed = TestBed::new().with_program_beside("hookbox-bundle", FETCH);
        let program = bed.program().to_owned();
        Self { bed, program }
    }

    /// What is there to be fetched from now on; its digest.
    fn publish_release(&self, guest: &str, seq: u64, members: &str, signed: &[(&str, &str)]) -> String {
        let members = format!(r#""seq":{seq}{members}"#);
        let bytes = [guests::build_component(guest), encode_manifest(&members)].concat();
        let signatures: Vec<_> = signed
            .iter()
            .map(|(by, principal)| {
                let principals = if principal.is_empty() { "[]".to_owned() } else { format!("[\"{principal}\"]") };
                format!(
                    r#"{{"key":"{}","type":"ssh-ed25519","point":"{}","principals":{principals},"verified":true,"why":null}}"#,
                    create_key(by).0,
                    by.split('/').next().unwrap_or(by)
                )
            })
            .collect();
        let digest = hash_bytes(&bytes);
        let release = if signed.is_empty() {
            "null".to_owned()
        } else {
            format!(
                r#"{{"name":"acme/guest","version":"1.2.0","seq":{seq},"channel":"stable","issued":"2026-01-01T00:00:00Z"}}"#
            )
        };
        let report = format!(
            r#"{{"source":"{SOURCE}@sha256:{digest}","manifest":"sha256:{digest}","component":"sha256:{digest}","size":{},"statement":"sha256:{digest}","signatures":[{}],"release":{release},"tag_moved":false}}"#,
            bytes.len(),
            signatures.join(",")
        );
        // Written in place it would change what is fetched already.
        let component = self.program.with_file_name("component.wasm");
        let _ = fs::remove_file(&component);
        fs::write(component, bytes).unwrap();
        fs::write(self.program.with_file_name("report.json"), report).unwrap();
        digest
    }

    /// What is there now is there by its digest whatever is the newest.
    fn keep_release(&self, digest: &str) {
        let folder = self.program.with_file_name(digest);
        fs::create_dir(&folder).unwrap();
        for name in ["component.wasm", "report.json"] {
            fs::copy(self.program.with_file_name(name), folder.join(name)).unwrap();
        }
    }

    /// The same of another plugin, whose name is as long.
    fn is_called(&self, guest: &str, seq: u64, name: &str) {
        let before = self.publish_release(guest, seq, "", ACME);
        let component = self.program.with_file_name("component.wasm");
        let mut bytes = fs::read(&component).unwrap();
        let at = bytes.windows(name.len()).rposition(|window| window == b"acme/guest").unwrap();
        bytes[at..at + name.len()].copy_from_slice(name.as_bytes());
        fs::remove_file(&component).unwrap();
        fs::write(&component, &bytes).unwrap();
        let report = self.program.with_file_name("report.json");
        let text = fs::read_to_string(&report).unwrap().replace(&before, &hash_bytes(&bytes));
        fs::write(report, text.replace("\"name\":\"acme/guest\"", &format!("\"name\":\"{name}\""))).unwrap();
    }

    /// Whoever signed what is there says until when it is the newest.
    fn says_until(&self, until: &str) {
        let report = self.program.with_file_name("report.json");
        let text = fs::read_to_string(&report).unwrap();
        let text = text.replace("\"issued\":", &format!("\"expires\":\"{until}\",\"issued\":"));
        fs::write(report, text).unwrap();
    }

    fn run_hookbox(&self, words: &[&str]) -> Ran {
        self.bed.run_with_input(&mut self.bed.command_of(&self.program, words), b"")
    }

    fn run_add(&self, more: &[&str]) -> Ran {
        self.run_hookbox(&[&["plugin", "add", SOURCE], more].concat())
    }

    fn run_update(&self, more: &[&str]) -> Ran {
        self.run_hookbox(&[&["plugin", "update"], more].concat())
    }

    /// With these replies to its questions.
    fn run_with_replies(&self, replies: &str, words: &[&str]) -> Ran {
        let terminal = openpty(None, None).unwrap();
        File::from(terminal.master.try_clone().unwrap()).write_all(replies.as_bytes()).unwrap();
        let mut command = self.bed.command_of(&self.program, words);
        command.stdin(Stdio::from(terminal.slave));
        let ran = self.bed.wait_for(command.spawn().unwrap());
        drop(terminal.master);
        ran
    }

    fn write_file(&self, name: &str, text: &str) {
        self.bed.write_file(&format!("{CONFIG}/{name}"), text);
    }

    fn read_file(&self, name: &str) -> String {
        fs::read_to_string(self.bed.resolve_path(&format!("{CONFIG}/{name}"))).unwrap_or_default()
    }

    fn stored(&self) -> Vec<String> {
        let folder = self.bed.resolve_path("[HOME]/.local/share/hookbox/store/sha256");
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap().replace(".wasm", ""))
            .collect();
        names.sort();
        names
    }

    /// What is called is the guest that denies.
    fn denies(&self) {
        let answer = self.answer();
        assert!(answer.contains("guest: no"), "{answer}");
    }

    fn answer(&self) -> String {
        let mut run =
            self.bed.command_of(&self.program, &["run", "--agent", "claude-code", "--home", "[HOME]"]);
        let ran = self.bed.run_with_input(&mut run, self.bed.expand_placeholders(LS).as_bytes());
        format!("{}{}", ran.stdout, ran.stderr)
    }
}

const ACME: &[(&str, &str)] = &[("acme", "release@acme.example")];
const POLICY: &str = "version = 1\ndefault = \"reject\"\n[[publisher]]\nnamespaces = [\"acme/*\"]\n\
    registries = [\"registry.example/acme/*\"]\nprincipals = [\"release@acme.example\"]\n";

#[test]
fn a_signed_plugin_is_shown_stored_pinned_and_called() {
    let publisher = Publisher::new();
    let digest = publisher.publish_release("denies", 3, "", ACME);
    let ran = publisher.run_add(&["--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    let said = ran.stdout.replace(&digest, "[DIGEST]").replace(&create_key("acme").0, "[KEY]");
    let shown: Vec<_> = said
        .lines()
        .filter(|line| {
            ["file", "source", "signed", "policy", "channel", "added"].iter().any(|key| line.starts_with(key))
        })
        .collect();
    assert_snapshot!(shown.join("\n"), @"
    file      oci://registry.example/acme/guest
    source    oci://registry.example/acme/guest
    signed    [KEY], release@acme.example
    channel   stable
    policy    no policy lists its publisher: you decide whether to trust it
    added `guest`: [HOME]/.local/share/hookbox/store/sha256/[DIGEST].wasm
    ");
    let size = fs::metadata(publisher.program.with_file_name("component.wasm")).unwrap().len().to_string();
    let lock = publisher
        .read_file("hookbox.lock")
        .replace(&format!("size = {size}"), "size = [N]")
        .replace(&digest, "[DIGEST]")
        .replace(&create_key("acme").0, "[KEY]");
    assert_snapshot!(lock, @r#"
    # Plugins that `hookbox plugin add` added, with the digests of their files. Do not edit it.
    version = 2

    [[plugin]]
    name = "guest"
    plugin = "acme/guest"
    version = "1.2.0"
    seq = 3
    source = "oci://registry.example/acme/guest"
    manifest = "sha256:[DIGEST]"
    statement = "sha256:[DIGEST]"
    signer = { principal = "release@acme.example", key = "[KEY]" }
    file = "store/sha256/[DIGEST].wasm"
    size = [N]
    sha256 = "[DIGEST]"
    granted = []
    "#);
    assert_eq!(publisher.stored(), [digest]);
    publisher.denies();
    for command in [&["plugin", "list"][..], &["check"], &["explain", "--agent", "claude-code"]] {
        let mut command = publisher.bed.command_of(&publisher.program, command);
        let said =
            publisher.bed.run_with_input(&mut command, publisher.bed.expand_placeholders(LS).as_bytes());
        assert!(said.stdout.contains("signed by release@acme.example (SHA256:"), "{said}");
    }
    let again = publisher.run_add(&["--yes"]);
    assert!(again.code == 0 && again.stdout.contains("nothing to do"), "{again}");
}

#[test]
fn an_unsigned_plugin_needs_an_option_and_is_marked_by_each_command() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", &[]);
    let ran = publisher.run_add(&["--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("it has no known signature"), "{ran}");
    assert_eq!((publisher.read_file("hooks.toml"), publisher.stored()), (String::new(), vec![]));
    assert_eq!(publisher.run_add(&["--yes", "--unsigned"]).code, 0);
    for command in [&["plugin", "list"][..], &["check"], &["explain", "--agent", "claude-code"]] {
        let mut command = publisher.bed.command_of(&publisher.program, command);
        let said =
            publisher.bed.run_with_input(&mut command, publisher.bed.expand_placeholders(LS).as_bytes());
        assert!(said.stdout.contains("unsigned"), "{said}");
    }
}

#[test]
fn a_policy_says_whose_plugins_may_be_added() {
    let publisher = Publisher::new();
    publisher.write_file("policy.toml", POLICY);
    publisher.publish_release("denies", 3, "", ACME);
    let ran = publisher.run_add(&["--dry-run"]);
    assert!(ran.stdout.contains("policy    accepted by your policy"), "{ran}");
    for (signed, rows, why) in [
        (&[][..], POLICY, "must be signed by release@acme.example, and it is unsigned"),
        (&[("evil", "release@evil.example")], POLICY, "none of them signed it"),
        (ACME, "version = 1\ndefault = \"reject\"", "lists no publisher for `acme/guest`"),
        (ACME, &format!("{POLICY}threshold = 2"), "must be signed with 2 different keys"),
        (
            ACME,
            &POLICY.replace("registry.example/", "other.example/"),
            "may not come from registry.example/acme/guest",
        ),
        (ACME, "version = 1", "policy.toml"),
    ] {
        publisher.write_file("policy.toml", rows);
        publisher.publish_release("denies", 3, "", signed);
        let ran = publisher.run_add(&["--yes", "--unsigned"]);
        assert!(ran.code == 1 && ran.stderr.contains(why), "{why}: {ran}");
        assert_eq!(publisher.stored(), [""; 0]);
    }
    // A project's policy refuses for the project, and accepts nothing.
    publisher.publish_release("denies", 3, "", ACME);
    publisher.write_file("policy.toml", POLICY);
    publisher.bed.write_file("[PROJECT]/.hookbox/policy.toml", "version = 1\ndefault = \"reject\"");
    let ran = publisher.run_add(&["--yes", "--here"]);
    assert!(ran.code == 1 && ran.stderr.contains("the project's policy lists no publisher"), "{ran}");
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
}

#[test]
fn a_revoked_key_and_a_denied_digest_are_refused_at_every_load() {
    let publisher = Publisher::new();
    let digest = publisher.publish_release("denies", 3, "", ACME);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    publisher.denies();
    let (fingerprint, revoked) = create_key("acme");
    publisher.bed.write_bytes(&format!("{CONFIG}/revoked.krl"), &revoked);
    let answer = publisher.answer();
    assert!(answer.contains("deny") && !answer.contains("guest: no"), "{answer}");
    let check = publisher.run_hookbox(&["check"]);
    assert!(check.stdout.contains(&format!("and the key {fingerprint} is revoked")), "{check}");
    // Nor does anything else that tells of it call it well.
    let why = format!(
        "it is never called: it is signed by release@acme.example ({fingerprint}), and the key {fingerprint} is revoked"
    );
    for words in [&["plugin", "list"][..], &["plugin", "outdated"], &["plugin", "update"]] {
        let ran = publisher.run_hookbox(words);
        assert!(ran.code == 1 && ran.to_string().contains(&why), "{ran}");
    }
    fs::remove_file(publisher.bed.resolve_path(&format!("{CONFIG}/revoked.krl"))).unwrap();
    publisher.denies();
    let deny = format!(
        "version = 1\ndefault = \"ask\"\n[[deny]]\ncomponent = \"sha256:{digest}\"\nreason = \"it leaks\"\n"
    );
    publisher.write_file("policy.toml", &deny);
    let answer = publisher.answer();
    assert!(answer.contains("deny") && answer.contains("your policy denies it: it leaks"), "{answer}");
    assert!(publisher.run_hookbox(&["check"]).stdout.contains("your policy denies it: it leaks"));
    let ran = publisher.run_add(&["--yes", "--name", "other"]);
    assert!(ran.code == 1 && ran.stderr.contains("your policy denies this file: it leaks"), "{ran}");
    // A project keeps nothing of the user's from being called.
    fs::remove_file(publisher.bed.resolve_path(&format!("{CONFIG}/policy.toml"))).unwrap();
    publisher.bed.write_file("[PROJECT]/.hookbox/hooks.toml", "");
    publisher.bed.write_file("[PROJECT]/.hookbox/policy.toml", &deny);
    publisher.denies();
    // One that cannot be understood may deny anything.
    publisher.publish_release("none", 4, "", ACME);
    assert_eq!(publisher.run_update(&[]).code, 0);
    assert!(!publisher.answer().contains("deny"));
    publisher.write_file("policy.toml", &deny.replace("reason", "reson"));
    let answer = publisher.answer();
    assert!(answer.contains("deny") && answer.contains("policy.toml"), "{answer}");
}

#[test]
fn a_release_that_cannot_be_written_leaves_the_one_before() {
    let publisher = Publisher::new();
    let old = publisher.publish_release("denies", 3, "", ACME);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    let description = format!(r#","description":"{}""#, "x".repeat(199));
    for (most, message) in
        [(0, "releases.json cannot be written: File too large"), (1, "store/sha256: File too large")]
    {
        // The dry run has it compiled.
        publisher.publish_release("none", 4, &description, ACME);
        assert_eq!(publisher.run_update(&["--dry-run"]).code, 0);
        let before =
            (publisher.read_file("hooks.toml"), publisher.read_file("hookbox.lock"), publisher.stored());
        let line = format!("ulimit -f {most}; exec \"$0\" plugin update");
        let mut limited = publisher.bed.command_of(std::path::Path::new("/bin/sh"), &["-c", &line]);
        limited.arg(&publisher.program);
        let ran = publisher.bed.run_with_input(&mut limited, b"");
        assert!(ran.code == 1 && ran.stderr.contains(message), "{message}: {ran}");
        assert_eq!(
            (publisher.read_file("hooks.toml"), publisher.read_file("hookbox.lock"), publisher.stored()),
            before,
            "{ran}"
        );
        publisher.denies();
    }
    assert_eq!(publisher.run_update(&[]).code, 0);
    assert!(!publisher.answer().contains("deny"));
    assert!(publisher.stored().contains(&old), "a call under way may need it until `gc`");
}

#[test]
fn an_update_asks_about_what_is_new_and_about_nothing_else() {
    let publisher = Publisher::new();
    let clock = r#","capabilities":{"clock":true}"#;
    let old = publisher.publish_release("denies", 3, clock, ACME);
    assert_eq!(publisher.run_add(&["--yes", "--grant", "clock"]).code, 0);
    assert!(publisher.run_update(&[]).stdout.contains("`guest` is the newest"));
    let same = publisher.publish_release("denies", 4, clock, ACME);
    let outdated = publisher.run_hookbox(&["plugin", "outdated"]);
    assert_eq!(
        (outdated.code, outdated.stdout.as_str()),
        (1, "guest  1.2.0 (release 3) -> 1.2.0 (release 4)\n")
    );
    let ran = publisher.run_update(&[]);
    assert!(
        ran.code == 0 && ran.stdout.ends_with("updated `guest`: 1.2.0 (release 3) -> 1.2.0 (release 4)\n"),
        "{ran}"
    );
    let more = r#","capabilities":{"clock":true,"random":true},"effects":["rewrite"]"#;
    let new = publisher.publish_release("denies", 5, more, ACME);
    let ran = publisher.run_update(&[]);
    assert_eq!(ran.code, 2, "{ran}");
    assert_snapshot!(ran.stderr, @"error: `guest`: it stays at 1.2.0 (release 4), since the question needs a terminal: its answers may now rewrite; take it? it asks for random now; grant it? --yes installs it, and --grant grants its requests");
    let mut pinned = publisher.read_file("hooks.toml");
    assert!(pinned.contains(&same) && !pinned.contains(&new));
    let ran = publisher.run_with_replies("y\n\n", &["plugin", "update", "guest"]);
    assert!(ran.code == 1 && ran.stdout.ends_with("`guest` stays at 1.2.0 (release 4)\n"), "{ran}");
    assert_eq!(publisher.read_file("hooks.toml"), pinned);
    let ran = publisher.run_with_replies("y\ny\n", &["plugin", "update", "guest"]);
    assert_eq!(ran.code, 0, "{ran}");
    pinned = publisher.read_file("hooks.toml");
    assert!(pinned.contains(&new) && pinned.contains("grant = { clock = true, random = true }"), "{pinned}");
    let mut all = vec![old, same, new.clone()];
    all.sort();
    assert_eq!(publisher.stored(), all);
    assert_eq!(publisher.run_hookbox(&["plugin", "gc"]).code, 0);
    assert_eq!(publisher.stored(), [new]);
    publisher.denies();
}

#[test]
fn where_the_release_before_is_gone_or_another_file_nothing_of_the_new_one_was_agreed_to() {
    let publisher = Publisher::new();
    let old = publisher.publish_release("denies", 3, "", ACME);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    let more = r#","effects":["rewrite"]"#;
    let widened = [guests::build_component("denies"), encode_manifest(&format!("\"seq\":3{more}"))].concat();
    publisher.publish_release("denies", 4, more, ACME);
    let file = publisher.bed.resolve_path(&format!("[HOME]/.local/share/hookbox/store/sha256/{old}.wasm"));
    let expected = "error: `guest`: it stays at 1.2.0 (release 3), since the question needs a terminal: its answers may now rewrite; \
                    take it? --yes installs it, and --grant grants its requests\n";
    for there in [Some(widened), None] {
        fs::remove_file(&file).unwrap();
        if let Some(bytes) = there {
            fs::write(&file, bytes).unwrap();
        }
        let ran = publisher.run_update(&[]);
        assert_eq!((ran.code, ran.stderr.as_str()), (2, expected));
    }
}

#[test]
fn where_its_file_is_damaged_the_same_release_says_what_was_agreed_to() {
    let publisher = Publisher::new();
    let members = r#","capabilities":{"clock":true},"effects":["rewrite"]"#;
    let old = publisher.publish_release("denies", 3, members, ACME);
    assert_eq!(publisher.run_add(&["--yes", "--grant", "clock"]).code, 0);
    publisher.keep_release(&old);
    let damage = |digest: &str| {
        let file =
            publisher.bed.resolve_path(&format!("[HOME]/.local/share/hookbox/store/sha256/{digest}.wasm"));
        fs::write(file, "damaged").unwrap();
        let answer = publisher.answer();
        assert!(answer.contains("deny") && !answer.contains("guest: no"), "{answer}");
    };
    // It is the newest still, and then there is a newer one: neither asks for anything new.
    for seq in [3, 4] {
        damage(&old);
        let new = publisher.publish_release("denies", seq, members, ACME);
        let ran = publisher.run_update(&[]);
        let message = format!(
            "{old}.wasm is missing or damaged, so its release was fetched again to find new requests\n"
        );
        assert!(ran.code == 0 && ran.stdout.contains(&message), "{ran}");
        assert!(publisher.read_file("hooks.toml").contains(&new), "{ran}");
        assert!(publisher.read_file("hooks.toml").contains("grant = { clock = true }"), "{ran}");
        publisher.denies();
        if seq == 4 {
            publisher.keep_release(&new);
            damage(&new);
        }
    }
    let more = r#","capabilities":{"clock":true,"random":true},"effects":["rewrite"]"#;
    publisher.publish_release("denies", 5, more, ACME);
    let ran = publisher.run_update(&[]);
    let asked = "error: `guest`: it stays at 1.2.0 (release 4), since the question needs a terminal: it asks for random now; grant it? --yes installs it, and --grant grants its requests\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (2, asked), "{ran}");
}

#[test]
fn a_pin_of_another_file_is_reported_without_the_signer_in_the_lock_file() {
    let publisher = Publisher::new();
    let digest = publisher.publish_release("denies", 3, "", ACME);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    let file = publisher.bed.resolve_path(&format!("[HOME]/.local/share/hookbox/store/sha256/{digest}.wasm"));
    let other = guests::build_component("none");
    fs::write(file, &other).unwrap();
    let replaced = publisher.run_hookbox(&["check"]);
    let help = "it is kept under its SHA-256 and has another; `hookbox plugin update`, or `hookbox plugin add` of its file, gets it again";
    assert!(replaced.stdout.contains(help), "{replaced}");
    publisher.write_file(
        "hooks.toml",
        &publisher.read_file("hooks.toml").replacen(
            &format!("sha256 = \"{digest}\""),
            &format!("sha256 = \"{}\"", hash_bytes(&other)),
            1,
        ),
    );
    for command in [&["check"][..], &["explain", "--agent", "claude-code"]] {
        let mut command = publisher.bed.command_of(&publisher.program, command);
        let ran =
            publisher.bed.run_with_input(&mut command, publisher.bed.expand_placeholders(LS).as_bytes());
        let said = "its signer is unknown: its entry pins another file than hookbox.lock";
        assert!(ran.stdout.contains(said) && !ran.stdout.contains("signed by"), "{ran}");
    }
}

#[test]
fn what_the_newest_is_to_be_granted_is_not_passed_over_in_silence() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, r#","capabilities":{"clock":true}"#, ACME);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    let ran = publisher.run_update(&["guest", "--grant", "clock"]);
    let line = format!("hookbox plugin add {SOURCE} --name guest --grant");
    assert!(ran.code == 2 && ran.stderr.contains("nothing was granted"), "{ran}");
    assert!(ran.stderr.contains(&line) && !publisher.read_file("hooks.toml").contains("clock"), "{ran}");
    let ran = publisher.run_add(&["--name", "guest", "--grant", "clock", "--yes"]);
    assert!(ran.code == 0 && publisher.read_file("hooks.toml").contains("grant = { clock = true }"), "{ran}");
}

#[test]
fn a_long_channel_name_cannot_imitate_a_line_of_hookbox() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", ACME);
    let report = publisher.program.with_file_name("report.json");
    let text = fs::read_to_string(&report).unwrap();
    let blanks = " ".repeat(64);
    for (channel, shown) in [
        (format!("stable{blanks}policy accepted"), "stable policy accepted".to_owned()),
        (format!("{}policy accepted", "-".repeat(70)), format!("{}…", "-".repeat(40))),
    ] {
        fs::write(&report, text.replace("\"stable\"", &format!("\"{channel}\""))).unwrap();
        let ran = publisher.run_add(&["--dry-run"]);
        assert!(ran.stdout.contains(&format!("\nchannel   {shown}\n")), "{ran}");
    }
}

#[test]
fn an_answer_of_no_is_reported_and_ends_with_an_error_code() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", ACME);
    let said =
        "error: nothing was written: you declined, and [HOME]/.config/hookbox/hooks.toml is unchanged\n";
    let ran = publisher.run_with_replies("n\n", &["plugin", "add", SOURCE]);
    assert!(ran.code == 1 && ran.stderr.ends_with(said), "{ran}");
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    let ran = publisher.run_with_replies("n\n", &["plugin", "remove", "guest"]);
    assert!(ran.code == 1 && ran.stderr.ends_with(said), "{ran}");
    publisher.denies();
}

#[test]
fn outdated_says_that_a_release_would_be_refused_and_why() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", ACME);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    let digest = publisher.publish_release("allows", 4, r#","effects":["rewrite"]"#, ACME);
    let strict = format!("{POLICY}max_effects = [\"ask\"]\n");
    let denied = format!("{POLICY}[[deny]]\ncomponent = \"sha256:{digest}\"\nreason = \"it leaks\"\n");
    for (policy, why) in [
        (
            &strict,
            "by your policy, `acme/guest` may not request the effect rewrite, which exceeds `max_capabilities` or `max_effects`",
        ),
        (&denied, "your policy denies this file: it leaks"),
    ] {
        publisher.write_file("policy.toml", policy);
        let ran = publisher.run_hookbox(&["plugin", "outdated"]);
        let line = format!("guest  1.2.0 (release 3) -> 1.2.0 (release 4), refused: {why}\n");
        assert_eq!((ran.code, ran.stdout), (1, line));
        let ran = publisher.run_update(&[]);
        assert!(ran.code == 1 && ran.stderr.contains(why), "{ran}");
    }
    publisher.write_file("policy.toml", POLICY);
    for (seq, signed, why) in [
        (
            2,
            ACME,
            "refused: it is release 2 of `acme/guest`, and release 3 of release@acme.example was here before",
        ),
        (4, &[("evil", "release@evil.example")][..], "refused: the newest is signed by release@evil.example"),
    ] {
        publisher.publish_release("allows", seq, "", signed);
        let ran = publisher.run_hookbox(&["plugin", "outdated"]);
        assert!(ran.code == 1 && ran.stdout.contains(why), "{ran}");
    }
}

#[test]
fn check_tells_of_what_is_there_and_could_not_be_added_any_more() {
    let publisher = Publisher::new();
    publisher.write_file("policy.toml", POLICY);
    publisher.publish_release("denies", 3, r#","effects":["rewrite"]"#, ACME);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    let ran = publisher.run_hookbox(&["check"]);
    assert!(!ran.stderr.contains("could not be added"), "{ran}");
    for (policy, why) in [
        (
            POLICY.replace("release@", "other@"),
            "must be signed by other@acme.example, and none of them signed it",
        ),
        (
            POLICY.replace("registry.example/", "other.example/"),
            "may not come from registry.example/acme/guest",
        ),
        (format!("{POLICY}threshold = 2\n"), "must be signed with 2 different keys"),
        (format!("{POLICY}max_effects = [\"ask\"]\n"), "may not request the effect rewrite"),
        ("version = 1\ndefault = \"reject\"\n".to_owned(), "lists no publisher for `acme/guest`"),
    ] {
        publisher.write_file("policy.toml", &policy);
        let ran = publisher.run_hookbox(&["check"]);
        let said =
            ran.stderr.lines().find(|line| line.contains("could not be added any more")).unwrap_or_default();
        let file = "hookbox.lock: `guest` is called, and could not be added any more: ";
        assert!(said.contains(file) && said.contains(why), "{ran}");
        assert!(said.ends_with("; `hookbox plugin remove guest`, or change that policy.toml"), "{ran}");
        assert_eq!(ran.code, 0);
    }
    publisher.denies();
}

#[test]
fn check_tells_of_words_and_names_in_a_policy_that_mean_nothing() {
    let publisher = Publisher::new();
    publisher.write_file("policy.toml", POLICY);
    let ran = publisher.run_hookbox(&["check"]);
    assert!(
        ran.stderr.contains("your policy has the principal `release@acme.example`, and no line of"),
        "{ran}"
    );
    publisher.write_file("policy.toml", &format!("{POLICY}max_capabilities = [\"kv sesion\"]\n"));
    let ran = publisher.run_hookbox(&["check"]);
    assert!(ran.code == 1 && ran.to_string().contains("the invalid capability `kv sesion`: "), "{ran}");
    assert!(ran.to_string().contains(", at line 7"), "{ran}");
}

#[test]
fn only_unsigned_manifests_are_marked_as_unverified() {
    let publisher = Publisher::new();
    for (signed, line) in [
        (ACME, "manifest  acme/guest 1.2.0, release 3\n"),
        (&[][..], "manifest  acme/guest 1.2.0, release 3: unverified, stated by the plugin\n"),
    ] {
        publisher.publish_release("denies", 3, "", signed);
        let ran = publisher.run_add(&["--dry-run", "--unsigned"]);
        assert!(ran.stdout.contains(line), "{ran}");
    }
}

#[test]
fn with_yes_a_release_is_taken_unasked_and_granted_what_the_line_grants() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", ACME);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    let more = r#","capabilities":{"clock":true,"random":true},"effects":["rewrite"]"#;
    publisher.publish_release("denies", 4, more, ACME);
    let lock = publisher.read_file("hookbox.lock");
    // A grant alone is no yes to the rest, and one that is not asked for is none.
    for (words, code) in [
        (&["guest", "--grant", "random"][..], 2),
        (&["guest", "--yes", "--grant", "env=LANG"], 2),
        (&["--yes", "--grant", "random"], 2),
        (&["guest", "--yes", "--grant", "random", "--here"], 2),
        (&["guest", "--yes", "--dry-run"], 2),
    ] {
        let ran = publisher.run_update(words);
        assert_eq!((ran.code, publisher.read_file("hookbox.lock")), (code, lock.clone()), "{ran}");
    }
    let ran = publisher.run_update(&["guest", "--yes", "--grant", "random"]);
    let left =
        "`guest` asks for clock now, which --yes does not grant; --grant does, with `hookbox plugin add`\n";
    assert!(ran.code == 0 && ran.stdout.contains(left), "{ran}");
    assert!(publisher.read_file("hooks.toml").contains("grant = { random = true }"));
    assert!(publisher.read_file("hookbox.lock").contains("seq = 4"));
}

#[test]
fn the_option_yes_accepts_no_unsigned_release() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", &[]);
    assert_eq!(publisher.run_add(&["--yes", "--unsigned"]).code, 0);
    publisher.publish_release("allows", 4, "", &[]);
    let ran = publisher.run_update(&["--yes"]);
    let why = format!("`hookbox plugin add {SOURCE} --name guest --unsigned --yes` does");
    assert!(ran.code == 2 && ran.stderr.contains(&why), "{ran}");
    publisher.denies();
}

#[test]
fn each_thing_that_answers_may_do_now_is_asked_about_in_words() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", ACME);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    publisher.publish_release("denies", 4, r#","effects":["context","deny-text","rewrite","allow"]"#, ACME);
    let ran = publisher.run_update(&[]);
    for words in ["add context", "deny with a text of their own", "rewrite", "allow"] {
        assert!(ran.stderr.contains(&format!("its answers may now {words}; take it?")), "{ran}");
    }
}

#[test]
fn a_publisher_stays_who_it_is_when_somebody_vouches_for_its_key() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", &[("acme", "")]);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    publisher.publish_release("denies", 2, "", ACME);
    let ran = publisher.run_update(&[]);
    assert!(ran.code == 1 && ran.stderr.contains("was here before"), "{ran}");
    publisher.publish_release("denies", 4, "", &[("other", "release@acme.example")]);
    let ran = publisher.run_update(&[]);
    assert!(
        ran.code == 1 && ran.stderr.contains("a plugin of another publisher is a different plugin"),
        "{ran}"
    );
    publisher.publish_release("denies", 4, "", ACME);
    let ran = publisher.run_update(&[]);
    assert!(
        ran.code == 0 && publisher.read_file("hookbox.lock").contains("principal = \"release@acme.example\""),
        "{ran}"
    );
}

#[test]
fn no_release_goes_back_and_another_publishers_is_another_plugin() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 5, "", ACME);
    assert_eq!(publisher.run_add(&["--yes", "--grant", "clock"]).code, 2, "it asks for none");
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    let lock = publisher.read_file("hookbox.lock");
    publisher.publish_release("denies", 4, "", ACME);
    for words in [&["plugin", "update"][..], &["plugin", "add", SOURCE, "--yes"]] {
        let ran = publisher.run_hookbox(words);
        assert!(
            ran.code == 1 && ran.stderr.contains("release 5 of release@acme.example was here before"),
            "{ran}"
        );
    }
    // Taken out and added again it is no other.
    publisher.publish_release("allows", 5, "", ACME);
    for words in [&["plugin", "update"][..], &["plugin", "add", SOURCE, "--yes"]] {
        let ran = publisher.run_hookbox(words);
        assert!(ran.code == 1 && ran.stderr.contains("the tag was moved"), "{ran}");
    }
    assert!(publisher.run_hookbox(&["plugin", "outdated"]).stdout.contains("the tag was moved"));
    publisher.denies();
    for signed in [&[("evil", "release@evil.example")][..], &[("acme", "")], &[]] {
        publisher.publish_release("allows", 6, "", signed);
        let ran = publisher.run_update(&[]);
        assert!(
            ran.code == 1 && ran.stderr.contains("a plugin of another publisher is a different plugin"),
            "{ran}"
        );
    }
    assert_eq!(publisher.read_file("hookbox.lock"), lock);
    publisher.publish_release("allows", 4, "", ACME);
    assert_eq!(publisher.run_update(&["--allow-downgrade"]).code, 0);
    assert!(!publisher.answer().contains("guest: no"));
}

#[test]
fn where_the_kept_numbers_are_gone_no_release_goes_below_that_of_the_lock_file() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 5, "", ACME);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    let kept = publisher.bed.resolve_path("[HOME]/.local/state/hookbox/releases.json");
    fs::remove_file(&kept).unwrap();
    for (seq, why) in
        [(4, "release 5 of release@acme.example was here before"), (5, "another file was that before")]
    {
        publisher.publish_release("allows", seq, "", ACME);
        for words in [&["plugin", "update"][..], &["plugin", "add", SOURCE, "--yes"]] {
            let ran = publisher.run_hookbox(words);
            assert!(ran.code == 1 && ran.stderr.contains(why), "{ran}");
        }
        publisher.denies();
    }
    publisher.publish_release("none", 6, "", ACME);
    assert_eq!(publisher.run_update(&[]).code, 0);
    assert!(kept.exists() && !publisher.answer().contains("deny"));
}

#[test]
fn a_release_number_of_a_stolen_key_does_not_block_the_next_release_after_its_revocation() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", i64::MAX as u64, "", ACME);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    publisher.publish_release("allows", 7, "", &[("new", "release@acme.example")]);
    let ran = publisher.run_update(&[]);
    assert!(ran.code == 1 && ran.stderr.contains("was here before"), "{ran}");
    publisher.bed.write_bytes(&format!("{CONFIG}/revoked.krl"), &create_key("acme").1);
    let ran = publisher.run_update(&[]);
    assert_eq!(ran.code, 0, "{ran}");
    publisher.publish_release("denies", u64::MAX, "", &[("new", "release@acme.example")]);
    let ran = publisher.run_update(&[]);
    assert!(ran.code == 1 && ran.stderr.contains("is larger than the maximum"), "{ran}");
    assert_eq!(publisher.run_hookbox(&["check"]).code, 0);
}

#[test]
fn with_locked_nothing_is_fetched_and_nothing_is_written() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", ACME);
    fs::write(publisher.program.with_file_name("offline"), "").unwrap();
    let ran = publisher.run_add(&["--locked"]);
    assert!(ran.code == 1 && ran.stderr.contains("with --locked none is added"), "{ran}");
    fs::remove_file(publisher.program.with_file_name("offline")).unwrap();
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    fs::write(publisher.program.with_file_name("offline"), "").unwrap();
    let before = (publisher.read_file("hookbox.lock"), publisher.read_file("hooks.toml"), publisher.stored());
    for words in [&["plugin", "add", SOURCE, "--locked"][..], &["plugin", "update", "--locked"]] {
        let ran = publisher.run_hookbox(words);
        assert!(ran.code == 0 && ran.stdout.ends_with("hookbox.lock: 1 plugin\n"), "{ran}");
    }
    // What is named more closely has to be what is locked.
    let digest = hash_bytes(&fs::read(publisher.program.with_file_name("component.wasm")).unwrap());
    let other = publisher.bed.write_bytes("[PROJECT]/guard.wasm", &guests::build_component("allows"));
    for (source, code) in [
        (format!("{SOURCE}:1.2.0"), 0),
        (format!("{SOURCE}@sha256:{digest}"), 0),
        (format!("{SOURCE}:9.9.9"), 1),
        (format!("{SOURCE}@sha256:{}", "0".repeat(64)), 1),
        (other.display().to_string(), 1),
    ] {
        let ran = publisher.run_hookbox(&["plugin", "add", &source, "--locked"]);
        assert_eq!(ran.code, code, "{source}: {ran}");
    }
    publisher.write_file("hookbox.lock", "version = 2\n");
    let ran = publisher.run_update(&["--locked"]);
    assert!(ran.code == 1 && ran.stdout.contains("calls a plugin that hookbox.lock does not have"), "{ran}");
    publisher.write_file("hookbox.lock", &before.0);
    assert_eq!(
        (publisher.read_file("hookbox.lock"), publisher.read_file("hooks.toml"), publisher.stored()),
        before
    );
}

#[test]
fn a_lock_file_that_was_edited_is_used_in_no_part() {
    let publisher = Publisher::new();
    let digest = publisher.publish_release("denies", 3, "", ACME);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    let good = publisher.read_file("hookbox.lock");
    publisher.publish_release("denies", 4, "", ACME);
    for (from, to) in [
        ("version = 2\n", "version = 9\n"),
        (digest.as_str(), "00"),
        (&format!("sha256 = \"{digest}"), &format!("sha256 = \"{}", "0".repeat(64))),
        ("seq = 3", "seq = -1"),
        ("granted = []", "granted = [1]"),
        ("seq = 3\n", "<<<<<<< HEAD\nseq = 3\n=======\nseq = 4\n>>>>>>> other\n"),
    ] {
        let edited = good.replace(from, to);
        assert_ne!(edited, good);
        publisher.write_file("hookbox.lock", &edited);
        for words in [
            &["plugin", "update"][..],
            &["plugin", "add", SOURCE, "--yes"],
            &["plugin", "gc"],
            &["plugin", "list"],
        ] {
            let ran = publisher.run_hookbox(words);
            assert!(
                ran.code == 1 && ran.stderr.contains("hookbox.lock: ") && ran.stderr.contains("hookbox"),
                "{to}: {ran}"
            );
        }
        assert_eq!((publisher.read_file("hookbox.lock"), publisher.stored()), (edited, vec![digest.clone()]));
    }
}

const LATE: &str = "the statement of this release expired on 2020-01-31, and no newer release was found: updates may be \
                    withheld from you; ask its publisher through another channel";

#[test]
fn an_overdue_release_is_reported_and_stops_nothing() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", ACME);
    publisher.says_until("2020-01-31T00:00:00Z");
    let ran = publisher.run_add(&["--yes"]);
    assert!(ran.code == 0 && ran.stdout.contains(&format!("\nwarning   {LATE}\n")), "{ran}");
    for words in [&["plugin", "update"][..], &["plugin", "outdated"], &["plugin", "list"]] {
        let ran = publisher.run_hookbox(words);
        assert!(ran.stdout.contains(&format!("warning: {LATE}\n")), "{ran}");
        assert!(words[1] == "list" || ran.code == 0, "{ran}");
    }
    publisher.denies();
    // The same file, and its publisher says anew that it is the newest.
    publisher.publish_release("denies", 3, "", ACME);
    publisher.says_until("2999-01-31T00:00:00Z");
    let ran = publisher.run_update(&["--dry-run"]);
    assert!(ran.code == 0 && publisher.read_file("hookbox.lock").contains("expires = \"2020-01-31"), "{ran}");
    let ran = publisher.run_update(&[]);
    assert!(ran.code == 0 && !ran.stdout.contains("warning"), "{ran}");
    assert!(publisher.read_file("hookbox.lock").contains("\nexpires = \"2999-01-31T00:00:00Z\"\n"));
    assert!(!publisher.run_hookbox(&["plugin", "list"]).stdout.contains("no newer release was found"));
    // What was said before can be kept by whoever hands it out, and takes nothing back; nor does it count from others.
    let lock = publisher.read_file("hookbox.lock");
    for (until, signed) in
        [("2020-01-31T00:00:00Z", ACME), ("3999-01-31T00:00:00Z", &[("evil", "release@evil.example")])]
    {
        publisher.publish_release("denies", 3, "", signed);
        publisher.says_until(until);
        publisher.run_update(&[]);
        assert_eq!(publisher.read_file("hookbox.lock"), lock);
    }
    publisher.denies();
}

/// Keys and revocations are looked at by the clock that is wrong then.
#[test]
fn a_release_from_the_future_is_reported_when_it_is_added_and_updated() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", ACME);
    let report = publisher.program.with_file_name("report.json");
    let text = fs::read_to_string(&report).unwrap();
    fs::write(report, text.replace("\"issued\":\"2026-", "\"issued\":\"2999-")).unwrap();
    let early = "the date of the statement is in the future: check this machine's clock";
    let ran = publisher.run_add(&["--yes"]);
    assert!(ran.code == 0 && ran.stdout.contains(&format!("\nwarning   {early}\n")), "{ran}");
    for words in [&["plugin", "update"][..], &["plugin", "outdated"]] {
        let ran = publisher.run_hookbox(words);
        assert!(ran.code == 0 && ran.stdout.contains(&format!("warning: {early}\n")), "{ran}");
    }
}

#[test]
fn a_clock_before_the_creation_of_a_plugin_is_reported_by_every_plugin_command() {
    let publisher = Publisher::new();
    let digest = publisher.publish_release("denies", 3, "", ACME);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    let commands = [
        &["plugin", "list"][..],
        &["plugin", "outdated"],
        &["plugin", "update"],
        &["plugin", "add", SOURCE, "--yes"],
    ];
    let message = "this machine's clock is before 2999-01-01T00:00:00Z, the date of the installed `guest`: expired or revoked keys may be accepted; check the clock\n";
    let statement = format!("[HOME]/.local/share/hookbox/store/sha256/{digest}.wasm.statement.json");
    for (year, is_reported) in [("2026", false), ("2999", true)] {
        for words in commands {
            let text = STATEMENT_OF.replace("YEAR", year).replace("DIGEST", &digest);
            fs::write(publisher.bed.resolve_path(&statement), text).unwrap();
            let ran = publisher.run_hookbox(words);
            assert_eq!(ran.stderr.contains(message), is_reported, "{words:?} {ran}");
        }
    }
}

#[test]
fn a_release_without_an_expiry_date_is_never_overdue() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", ACME);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    for words in [&["plugin", "update"][..], &["plugin", "outdated"], &["plugin", "list"]] {
        let ran = publisher.run_hookbox(words);
        assert!(!ran.stdout.contains("no newer release was found"), "{ran}");
    }
    assert!(!publisher.read_file("hookbox.lock").contains("expires"));
}

#[test]
fn a_signature_added_before_that_of_the_publisher_does_not_change_the_pinned_signer() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", &[("acme", "")]);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    publisher.publish_release("denies", 4, "", &[("evil", ""), ("acme", "")]);
    assert_eq!(publisher.run_update(&[]).code, 0);
    let pinned = format!("signer = {{ key = \"{}\" }}\n", create_key("acme").0);
    assert!(publisher.read_file("hookbox.lock").contains(&pinned), "{}", publisher.read_file("hookbox.lock"));
    publisher.publish_release("allows", 5, "", &[("evil", "")]);
    let ran = publisher.run_update(&[]);
    assert!(
        ran.code == 1 && ran.stderr.contains("a plugin of another publisher is a different plugin"),
        "{ran}"
    );
    publisher.denies();
}

#[test]
fn an_unknown_signature_next_to_a_revoked_one_does_not_let_a_plugin_be_called() {
    for signed in [&[("acme", "release@acme.example"), ("evil", "")][..], &[("acme", ""), ("evil", "")]] {
        let publisher = Publisher::new();
        publisher.publish_release("denies", 3, "", signed);
        assert_eq!(publisher.run_add(&["--yes"]).code, 0);
        publisher.denies();
        publisher.bed.write_bytes(&format!("{CONFIG}/revoked.krl"), &create_key("acme").1);
        let answer = publisher.answer();
        assert!(answer.contains("deny") && !answer.contains("guest: no"), "{answer}");
    }
}

#[test]
fn a_number_that_several_keys_signed_counts_as_long_as_one_of_them_does() {
    let publisher = Publisher::new();
    let acme = |key| (key, "release@acme.example");
    publisher.publish_release("denies", 3, "", &[acme("old"), acme("new")]);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    publisher.bed.write_bytes(&format!("{CONFIG}/revoked.krl"), &create_key("old").1);
    for signed in [
        &[acme("new")][..],
        &[acme("newest")],
        // Of another name, and of nobody's.
        &[("new", "acme@renamed.example")],
        &[("bob", "bob@else.example"), acme("new")],
    ] {
        publisher.publish_release("allows", 2, "", signed);
        let ran = publisher.run_add(&["--yes", "--name", "other"]);
        assert!(
            ran.code == 1 && ran.stderr.contains("release 3 of release@acme.example was here before"),
            "{ran}"
        );
    }
    let name = publisher.read_file("hookbox.lock").lines().filter(|line| line.starts_with("name")).count();
    assert_eq!(name, 1);
}

#[test]
fn where_keys_are_revoked_a_lock_file_that_cannot_be_read_has_everything_denied() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", ACME);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    let lock = publisher.read_file("hookbox.lock");
    let damaged = lock.replace("seq = 3", "seq = ?");
    publisher.write_file("hookbox.lock", &damaged);
    // The entry pins the file; who signed it matters to nobody yet.
    publisher.denies();
    publisher.bed.write_bytes(&format!("{CONFIG}/revoked.krl"), &create_key("other").1);
    let answer = publisher.answer();
    assert!(
        answer.contains("deny") && answer.contains("hookbox.lock") && !answer.contains("guest: no"),
        "{answer}"
    );
    let check = publisher.run_hookbox(&["check"]);
    assert!(
        check
            .stdout
            .contains("keys are revoked, and [HOME]/.config/hookbox/hookbox.lock does not name the signers"),
        "{check}"
    );
    publisher.write_file("hookbox.lock", &lock);
    publisher.denies();
    // A project's keeps only the project's own from being called.
    publisher.bed.write_file("[PROJECT]/.hookbox/hooks.toml", "");
    publisher.bed.write_file("[PROJECT]/.hookbox/hookbox.lock", &damaged);
    publisher.denies();
}

#[test]
fn gc_removes_what_was_left_by_who_was_killed_while_they_fetched() {
    let publisher = Publisher::new();
    let state = "[HOME]/.local/state/hookbox";
    // No process has this number; the other is this one.
    let (dead, alive) = ("fetched-4194999".to_owned(), format!("fetched-{}", std::process::id()));
    for name in [dead.as_str(), &alive, "fetched-mine"] {
        publisher.bed.write_file(&format!("{state}/{name}/component.wasm"), "");
    }
    let is_there = |name: &str| publisher.bed.resolve_path(&format!("{state}/{name}")).exists();
    let ran = publisher.run_hookbox(&["plugin", "gc", "--dry-run"]);
    assert!(ran.code == 0 && is_there(&dead), "{ran}");
    let ran = publisher.run_hookbox(&["plugin", "gc"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "remove    [HOME]/.local/state/hookbox/fetched-4194999\n0 of 0 plugins are kept\n")
    );
    assert_eq!([dead.as_str(), &alive, "fetched-mine"].map(is_there), [false, true, true]);
}

#[test]
fn one_file_has_two_names_if_its_hooks_differ_and_each_can_be_removed() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", ACME);
    assert_eq!(publisher.run_add(&["--yes", "--name", "one"]).code, 0);
    let twin = publisher.run_add(&["--yes", "--name", "two"]);
    let why = "nothing was added: an existing hook has the same file and the same settings; pass --on, --tool or --settings for a different hook";
    assert!(twin.code == 1 && twin.stderr.contains(why), "{twin}");
    assert_eq!(publisher.run_add(&["--yes", "--name", "two", "--tool", "shell"]).code, 0);
    let ran = publisher.run_hookbox(&["plugin", "remove", "one", "--yes"]);
    assert!(ran.code == 0 && ran.stdout.contains("removed `one`"), "{ran}");
    assert!(publisher.answer().contains("two: no"));
    assert_eq!(publisher.run_hookbox(&["plugin", "remove", "two", "--yes"]).code, 0);
}

#[test]
fn check_reports_an_invalid_list_of_allowed_signers() {
    let publisher = Publisher::new();
    publisher.write_file("allowed_signers", "release@acme.example ssh-ed25519\n");
    let ran = publisher.run_hookbox(&["check"]);
    assert!(
        ran.stderr.contains("allowed_signers: no signature is accepted because of it: its line 1"),
        "{ran}"
    );
    assert!(ran.stdout.contains("1 warning"), "{ran}");
}

#[test]
fn where_two_keys_have_to_sign_one_that_is_left_is_too_few() {
    let publisher = Publisher::new();
    let two = [("one", "release@acme.example"), ("two", "release@acme.example")];
    publisher.write_file("policy.toml", &format!("{POLICY}threshold = 2\n"));
    publisher.publish_release("denies", 3, "", &two);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    publisher.denies();
    publisher.bed.write_bytes(&format!("{CONFIG}/revoked.krl"), &create_key("two").1);
    let answer = publisher.answer();
    assert!(answer.contains("deny") && !answer.contains("guest: no"), "{answer}");
    publisher.write_file("policy.toml", POLICY);
    publisher.denies();
}

#[test]
fn a_projects_policy_accepts_nothing_and_its_list_revokes_nothing() {
    let publisher = Publisher::new();
    publisher.bed.write_file("[PROJECT]/.hookbox/hooks.toml", "");
    publisher.bed.write_file("[PROJECT]/.hookbox/policy.toml", POLICY);
    publisher.bed.write_bytes("[PROJECT]/.hookbox/revoked.krl", &create_key("acme").1);
    publisher.publish_release("denies", 3, "", ACME);
    let ran = publisher.run_add(&["--dry-run", "--here"]);
    assert!(ran.stdout.contains("policy    no policy lists its publisher"), "{ran}");
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    publisher.denies();
}

/// Whoever writes a project's lock file writes what it likes.
#[test]
fn the_signer_in_a_projects_lock_file_is_reported_as_a_statement_of_the_project() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", ACME);
    assert_eq!(publisher.run_add(&["--yes", "--here"]).code, 0);
    for words in [&["check"][..], &["plugin", "list"], &["try", "tool.before", "--command", "ls"]] {
        let message = publisher.run_hookbox(words).stdout;
        assert!(message.contains("the project names release@acme.example"), "{words:?}: {message}");
        assert!(!message.contains("signed by"), "{words:?}: {message}");
    }
    let message = publisher.run_hookbox(&["plugin", "list", "--json"]).stdout;
    assert!(message.contains(r#""signer": null"#) && !message.contains("release@acme.example"), "{message}");
}

#[test]
fn a_projects_plugin_whose_key_is_revoked_is_refused_too() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", ACME);
    assert_eq!(publisher.run_add(&["--yes", "--here"]).code, 0);
    assert!(!publisher.run_hookbox(&["check"]).stdout.contains("revoked"));
    publisher.bed.write_bytes(&format!("{CONFIG}/revoked.krl"), &create_key("acme").1);
    let check = publisher.run_hookbox(&["check"]);
    assert!(check.stdout.contains(&format!("and the key {} is revoked", create_key("acme").0)), "{check}");
}

/// The project's row has the digest of the user's plugin, and a signer whose key the user has revoked.
#[test]
fn a_projects_lock_file_keeps_no_plugin_of_the_user_from_being_called() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", ACME);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    let (other, revoked) = create_key("other");
    publisher.bed.write_bytes(&format!("{CONFIG}/revoked.krl"), &revoked);
    publisher.denies();
    publisher.bed.write_file("[PROJECT]/.hookbox/hooks.toml", "# no hooks\n");
    let lock = publisher.read_file("hookbox.lock").replace(&create_key("acme").0, &other);
    publisher.bed.write_file("[PROJECT]/.hookbox/hookbox.lock", &lock);
    publisher.denies();
}

#[test]
fn what_was_signed_of_another_plugin_is_said_of_none_that_comes_with_it() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", ACME);
    let report = publisher.program.with_file_name("report.json");
    let text = fs::read_to_string(&report).unwrap();
    for (from, to) in [
        (r#""name":"acme/guest""#, r#""name":"acme/other""#),
        (r#""version":"1.2.0""#, r#""version":"1.3.0""#),
        (r#""seq":3"#, r#""seq":4"#),
    ] {
        fs::write(&report, text.replace(from, to)).unwrap();
        let ran = publisher.run_add(&["--yes"]);
        assert!(
            ran.code == 1 && ran.stderr.contains("the signed statement is about another plugin"),
            "{ran}"
        );
    }
}

#[test]
fn the_user_is_asked_about_each_unsigned_release() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", &[]);
    assert_eq!(publisher.run_add(&["--yes", "--unsigned"]).code, 0);
    let lock = publisher.read_file("hookbox.lock");
    publisher.publish_release("allows", 4, "", &[]);
    let ran = publisher.run_update(&[]);
    assert!(ran.code == 2 && ran.stderr.contains("it is not signed; accept it anyway?"), "{ran}");
    let ran = publisher.run_with_replies("\n", &["plugin", "update"]);
    assert_eq!((ran.code, publisher.read_file("hookbox.lock")), (1, lock), "{ran}");
    assert_eq!(publisher.run_with_replies("y\n", &["plugin", "update"]).code, 0);
    assert!(publisher.read_file("hookbox.lock").contains("seq = 4"));
}

#[test]
fn nothing_is_stored_where_others_may_write() {
    let publisher = Publisher::new();
    let store = publisher.bed.resolve_path("[HOME]/.local/share/hookbox/store");
    fs::create_dir_all(&store).unwrap();
    fs::set_permissions(&store, fs::Permissions::from_mode(0o777)).unwrap();
    publisher.publish_release("denies", 3, "", ACME);
    let ran = publisher.run_add(&["--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("store/sha256 are trusted, and"), "{ran}");
    assert_eq!((publisher.read_file("hooks.toml"), publisher.stored()), (String::new(), vec![]));
}

#[test]
fn another_plugin_of_the_same_publisher_is_not_a_newer_release() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", ACME);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    let lock = publisher.read_file("hookbox.lock");
    publisher.is_called("allows", 9, "acme/other");
    let why = "the name of the newest is acme/other, and that of the installed plugin is acme/guest";
    let ran = publisher.run_update(&[]);
    assert!(ran.code == 1 && ran.stderr.contains(&format!("it was not updated: {why}")), "{ran}");
    let ran = publisher.run_hookbox(&["plugin", "outdated"]);
    assert!(ran.code == 1 && ran.stdout.contains(&format!("which is another plugin: {why}")), "{ran}");
    publisher.denies();
    assert_eq!(publisher.read_file("hookbox.lock"), lock);
}

#[test]
fn one_key_that_is_written_down_in_two_ways_is_one_key() {
    let publisher = Publisher::new();
    publisher.write_file("policy.toml", &format!("{POLICY}threshold = 2\n"));
    publisher.publish_release(
        "denies",
        3,
        "",
        &[("one", "release@acme.example"), ("one/device", "release@acme.example")],
    );
    let ran = publisher.run_add(&["--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("must be signed with 2 different keys"), "{ran}");
    publisher.publish_release(
        "denies",
        3,
        "",
        &[("one", "release@acme.example"), ("two/device", "release@acme.example")],
    );
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
}

#[test]
fn gc_keeps_what_another_configuration_has() {
    let publisher = Publisher::new();
    publisher.publish_release("denies", 3, "", ACME);
    assert_eq!(publisher.run_add(&["--yes"]).code, 0);
    let stored = publisher.stored();
    let mut gc = publisher.bed.build_command(&["plugin", "gc"]);
    gc.env("XDG_CONFIG_HOME", publisher.bed.resolve_path("[HOME]/elsewhere"));
    let ran = publisher.bed.run_with_input(&mut gc, b"");
    assert!(
        ran.code == 1
            && ran.stderr.contains("check that XDG_CONFIG_HOME is the one with which plugins were added"),
        "{ran}"
    );
    assert_eq!(publisher.stored(), stored);
    // Nor what is called by another way to the same file.
    let home = publisher.bed.resolve_path("[HOME]");
    symlink(&home, publisher.bed.resolve_path("[PROJECT]/link")).unwrap();
    let hooks = publisher.read_file("hooks.toml");
    let link = publisher.bed.resolve_path("[PROJECT]/link").display().to_string();
    publisher.write_file("hooks.toml", &hooks.replace(home.to_str().unwrap(), &link));
    publisher.write_file("hookbox.lock", "version = 2\n");
    assert_eq!(publisher.run_hookbox(&["plugin", "gc"]).code, 0);
    assert_eq!(publisher.stored(), stored);
}

#[test]
fn what_a_project_writes_into_its_lock_file_and_policy_turns_no_text_around() {
    let publisher = Publisher::new();
    publisher.bed.write_file("[PROJECT]/.hookbox/hooks.toml", "");
    publisher.bed.write_file("[PROJECT]/.hookbox/hookbox.lock", "version = 2\n\"\u{202e}x\" = 1\n");
    let ran = publisher.run_hookbox(&["plugin", "outdated", "--here"]);
    assert!(ran.code == 1 && !ran.to_string().contains('\u{202e}'), "{ran}");
    publisher.bed.write_file("[PROJECT]/.hookbox/hookbox.lock", "version = 2\n");
    publisher.bed.write_file("[PROJECT]/.hookbox/policy.toml", "version = 1\n\"\u{202e}x\" = 1\n");
    publisher.publish_release("denies", 3, "", ACME);
    let ran = publisher.run_add(&["--here", "--yes"]);
    assert!(ran.code == 1 && !ran.to_string().contains('\u{202e}'), "{ran}");
}
