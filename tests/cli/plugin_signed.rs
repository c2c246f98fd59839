//! Plugins that are fetched: who signed them, what a policy says, newer releases, the store, and what is never called again.
//!
//! A program stands in for `hookbox-bundle`: it copies what a test has put where a source leads, and says of it what the test says.

use std::{
    fs::{self, File},
    io::Write,
    path::PathBuf,
    process::Stdio,
};

use insta::assert_snapshot;
use nix::pty::openpty;
use sha2::{Digest, Sha256};

use crate::{
    LS, Ran, TestBed,
    guests::{self, manifest},
};

const CONFIG: &str = "[HOME]/.config/hookbox";
const SOURCE: &str = "oci://registry.example/acme/guest";
const FETCH: &str = r#"#!/bin/sh
# fetch SOURCE --into DIR …
here=${0%/*}
[ -e "$here/offline" ] && { echo "the network is not to be used" >&2; exit 1; }
ln "$here/component.wasm" "$4/component.wasm" && cat "$here/report.json"
"#;

/// A home folder, and a hookbox with the stand-in beside it.
struct Publisher {
    bed: TestBed,
    program: PathBuf,
}

fn sha256(bytes: &[u8]) -> String {
    hookbox::Sha256Digest::of(bytes).as_str().to_owned()
}

/// As OpenSSH writes it, without padding.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: Vec<_> = bytes.iter().flat_map(|byte| (0..8).rev().map(move |at| byte >> at & 1)).collect();
    let letter = |six: &[u8]| {
        let index = (0..6).fold(0, |index, at| index << 1 | six.get(at).copied().unwrap_or_default());
        char::from(LETTERS[usize::from(index)])
    };
    bits.chunks(6).map(letter).collect()
}

/// A key's fingerprint, and the list that revokes it (`ssh-keygen -k`'s form: one part with one key's SHA-256).
fn key(name: &str) -> (String, Vec<u8>) {
    let digest = Sha256::digest(name.as_bytes());
    let long = |number: u64| number.to_be_bytes();
    let string = |bytes: &[u8]| [&u32::try_from(bytes.len()).unwrap().to_be_bytes(), bytes].concat();
    let head =
        [&b"SSHKRL\n\0"[..], &1u32.to_be_bytes(), &long(1), &long(0), &long(0), &string(b""), &string(b"")]
            .concat();
    let list = [&head[..], &[5], &string(&string(&digest))].concat();
    (format!("SHA256:{}", base64(&digest)), list)
}

impl Publisher {
    fn new() -> Self {
        let bed = TestBed::new().with_program_beside("hookbox-bundle", FETCH);
        let program = bed.program().to_owned();
        Self { bed, program }
    }

    /// What is there to be fetched from now on; its digest.
    fn release(&self, guest: &str, seq: u64, members: &str, signed: &[(&str, &str)]) -> String {
        let members = format!(r#""seq":{seq}{members}"#);
        let bytes = [guests::component(guest), manifest(&members)].concat();
        let signatures: Vec<_> = signed
            .iter()
            .map(|(by, principal)| {
                let principals = if principal.is_empty() { "[]".to_owned() } else { format!("[\"{principal}\"]") };
                format!(
                    r#"{{"key":"{}","type":"ssh-ed25519","principals":{principals},"verified":true,"why":null}}"#,
                    key(by).0
                )
            })
            .collect();
        let digest = sha256(&bytes);
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

    fn hookbox(&self, words: &[&str]) -> Ran {
        self.bed.feed(&mut self.bed.command_of(&self.program, words), b"")
    }

    fn add(&self, more: &[&str]) -> Ran {
        self.hookbox(&[&["plugin", "add", SOURCE], more].concat())
    }

    fn update(&self, more: &[&str]) -> Ran {
        self.hookbox(&[&["plugin", "update"], more].concat())
    }

    /// With these replies to its questions.
    fn asked(&self, replies: &str, words: &[&str]) -> Ran {
        let terminal = openpty(None, None).unwrap();
        File::from(terminal.master.try_clone().unwrap()).write_all(replies.as_bytes()).unwrap();
        let mut command = self.bed.command_of(&self.program, words);
        command.stdin(Stdio::from(terminal.slave));
        let ran = self.bed.end(command.spawn().unwrap());
        drop(terminal.master);
        ran
    }

    fn write(&self, name: &str, text: &str) {
        self.bed.write(&format!("{CONFIG}/{name}"), text);
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.bed.path(&format!("{CONFIG}/{name}"))).unwrap_or_default()
    }

    fn stored(&self) -> Vec<String> {
        let folder = self.bed.path("[HOME]/.local/share/hookbox/store/sha256");
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
        let ran = self.bed.feed(&mut run, self.bed.real(LS).as_bytes());
        format!("{}{}", ran.stdout, ran.stderr)
    }
}

const ACME: &[(&str, &str)] = &[("acme", "release@acme.example")];
const POLICY: &str = "version = 1\ndefault = \"reject\"\n[[publisher]]\nnamespaces = [\"acme/*\"]\n\
    registries = [\"registry.example/acme/*\"]\nprincipals = [\"release@acme.example\"]\n";

#[test]
fn a_signed_plugin_is_shown_stored_pinned_and_called() {
    let publisher = Publisher::new();
    let digest = publisher.release("denies", 3, "", ACME);
    let ran = publisher.add(&["--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    let said = ran.stdout.replace(&digest, "[DIGEST]").replace(&key("acme").0, "[KEY]");
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
    policy    none speaks for it: it is for you to say whether its publisher is to be trusted
    added `guest`: [HOME]/.local/share/hookbox/store/sha256/[DIGEST].wasm
    ");
    let size = fs::metadata(publisher.program.with_file_name("component.wasm")).unwrap().len().to_string();
    let lock = publisher
        .read("hookbox.lock")
        .replace(&format!("size = {size}"), "size = [N]")
        .replace(&digest, "[DIGEST]")
        .replace(&key("acme").0, "[KEY]");
    assert_snapshot!(lock, @r#"
    # What `hookbox plugin add` has added, and what each file was then. It is not edited by hand.
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
        let said = publisher.bed.feed(&mut command, publisher.bed.real(LS).as_bytes());
        assert!(said.stdout.contains("signed by release@acme.example (SHA256:"), "{said}");
    }
    let again = publisher.add(&["--yes"]);
    assert!(again.code == 0 && again.stdout.contains("nothing to do"), "{again}");
}

#[test]
fn what_nobody_signed_needs_a_word_and_is_marked_everywhere() {
    let publisher = Publisher::new();
    publisher.release("denies", 3, "", &[]);
    let ran = publisher.add(&["--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("nobody whom hookbox can tell signed it"), "{ran}");
    assert_eq!((publisher.read("hooks.toml"), publisher.stored()), (String::new(), vec![]));
    assert_eq!(publisher.add(&["--yes", "--unsigned"]).code, 0);
    for command in [&["plugin", "list"][..], &["check"], &["explain", "--agent", "claude-code"]] {
        let mut command = publisher.bed.command_of(&publisher.program, command);
        let said = publisher.bed.feed(&mut command, publisher.bed.real(LS).as_bytes());
        assert!(said.stdout.contains("unsigned"), "{said}");
    }
}

#[test]
fn a_policy_says_whose_plugins_may_be_added() {
    let publisher = Publisher::new();
    publisher.write("policy.toml", POLICY);
    publisher.release("denies", 3, "", ACME);
    let ran = publisher.add(&["--dry-run"]);
    assert!(ran.stdout.contains("policy    accepted by your policy"), "{ran}");
    for (signed, rows, why) in [
        (&[][..], POLICY, "must be signed by release@acme.example, and it is unsigned"),
        (&[("evil", "release@evil.example")], POLICY, "none of them signed it"),
        (ACME, "version = 1\ndefault = \"reject\"", "has no publisher for `acme/guest`"),
        (ACME, &format!("{POLICY}threshold = 2"), "must be signed with 2 different keys"),
        (
            ACME,
            &POLICY.replace("registry.example/", "other.example/"),
            "may not come from registry.example/acme/guest",
        ),
        (ACME, "version = 1", "policy.toml"),
    ] {
        publisher.write("policy.toml", rows);
        publisher.release("denies", 3, "", signed);
        let ran = publisher.add(&["--yes", "--unsigned"]);
        assert!(ran.code == 1 && ran.stderr.contains(why), "{why}: {ran}");
        assert_eq!(publisher.stored(), [""; 0]);
    }
    // A project's policy refuses for the project, and accepts nothing.
    publisher.release("denies", 3, "", ACME);
    publisher.write("policy.toml", POLICY);
    publisher.bed.write("[PROJECT]/.hookbox/policy.toml", "version = 1\ndefault = \"reject\"");
    let ran = publisher.add(&["--yes", "--project"]);
    assert!(ran.code == 1 && ran.stderr.contains("the project's policy has no publisher"), "{ran}");
    assert_eq!(publisher.add(&["--yes"]).code, 0);
}

#[test]
fn a_revoked_key_and_a_denied_digest_are_refused_at_every_load() {
    let publisher = Publisher::new();
    let digest = publisher.release("denies", 3, "", ACME);
    assert_eq!(publisher.add(&["--yes"]).code, 0);
    publisher.denies();
    let (fingerprint, revoked) = key("acme");
    publisher.bed.write_bytes(&format!("{CONFIG}/revoked.krl"), &revoked);
    let answer = publisher.answer();
    assert!(answer.contains("deny") && !answer.contains("guest: no"), "{answer}");
    let check = publisher.hookbox(&["check"]);
    assert!(check.stdout.contains(&format!("and the key {fingerprint} is revoked")), "{check}");
    fs::remove_file(publisher.bed.path(&format!("{CONFIG}/revoked.krl"))).unwrap();
    publisher.denies();
    let deny = format!(
        "version = 1\ndefault = \"ask\"\n[[deny]]\ncomponent = \"sha256:{digest}\"\nreason = \"it leaks\"\n"
    );
    publisher.write("policy.toml", &deny);
    let answer = publisher.answer();
    assert!(answer.contains("deny") && answer.contains("your policy denies it: it leaks"), "{answer}");
    assert!(publisher.hookbox(&["check"]).stdout.contains("your policy denies it: it leaks"));
    let ran = publisher.add(&["--yes", "--name", "other"]);
    assert!(ran.code == 1 && ran.stderr.contains("your policy denies this file: it leaks"), "{ran}");
    // A project keeps nothing of the user's from being called.
    fs::remove_file(publisher.bed.path(&format!("{CONFIG}/policy.toml"))).unwrap();
    publisher.bed.write("[PROJECT]/.hookbox/hooks.toml", "");
    publisher.bed.write("[PROJECT]/.hookbox/policy.toml", &deny);
    publisher.denies();
    // One that cannot be understood may deny anything.
    publisher.release("none", 4, "", ACME);
    assert_eq!(publisher.update(&[]).code, 0);
    assert!(!publisher.answer().contains("deny"));
    publisher.write("policy.toml", &deny.replace("reason", "reson"));
    let answer = publisher.answer();
    assert!(answer.contains("deny") && answer.contains("policy.toml"), "{answer}");
}

#[test]
fn a_release_that_cannot_be_written_leaves_the_one_before() {
    let publisher = Publisher::new();
    let old = publisher.release("denies", 3, "", ACME);
    assert_eq!(publisher.add(&["--yes"]).code, 0);
    let description = format!(r#","description":"{}""#, "x".repeat(199));
    for (most, told) in
        [(0, "releases.json cannot be written: File too large"), (1, "store/sha256: File too large")]
    {
        // The dry run has it compiled.
        publisher.release("none", 4, &description, ACME);
        assert_eq!(publisher.update(&["--dry-run"]).code, 0);
        let before = (publisher.read("hooks.toml"), publisher.read("hookbox.lock"), publisher.stored());
        let line = format!("ulimit -f {most}; exec \"$0\" plugin update");
        let mut limited = publisher.bed.command_of(std::path::Path::new("/bin/sh"), &["-c", &line]);
        limited.arg(&publisher.program);
        let ran = publisher.bed.feed(&mut limited, b"");
        assert!(ran.code == 1 && ran.stderr.contains(told), "{told}: {ran}");
        assert_eq!(
            (publisher.read("hooks.toml"), publisher.read("hookbox.lock"), publisher.stored()),
            before,
            "{ran}"
        );
        publisher.denies();
    }
    assert_eq!(publisher.update(&[]).code, 0);
    assert!(!publisher.answer().contains("deny"));
    assert!(publisher.stored().contains(&old), "a call under way may need it until `gc`");
}

#[test]
fn an_update_asks_about_what_is_new_and_about_nothing_else() {
    let publisher = Publisher::new();
    let clock = r#","capabilities":{"clock":true}"#;
    let old = publisher.release("denies", 3, clock, ACME);
    assert_eq!(publisher.add(&["--yes", "--grant", "clock"]).code, 0);
    assert!(publisher.update(&[]).stdout.contains("`guest` is the newest"));
    let same = publisher.release("denies", 4, clock, ACME);
    let outdated = publisher.hookbox(&["plugin", "outdated"]);
    assert_eq!(
        (outdated.code, outdated.stdout.as_str()),
        (1, "guest  1.2.0 (release 3) -> 1.2.0 (release 4)\n")
    );
    let ran = publisher.update(&[]);
    assert!(
        ran.code == 0 && ran.stdout.ends_with("updated `guest`: 1.2.0 (release 3) -> 1.2.0 (release 4)\n"),
        "{ran}"
    );
    let more = r#","capabilities":{"clock":true,"random":true},"effects":["rewrite"]"#;
    let new = publisher.release("denies", 5, more, ACME);
    let ran = publisher.update(&[]);
    assert_eq!(ran.code, 2, "{ran}");
    assert_snapshot!(ran.stderr, @"error: `guest`: it stays at 1.2.0 (release 4), since there is nobody to ask: its answers can rewrite now; take it? it asks for random now; grant it?");
    let mut pinned = publisher.read("hooks.toml");
    assert!(pinned.contains(&same) && !pinned.contains(&new));
    let ran = publisher.asked("y\n\n", &["plugin", "update", "guest"]);
    assert!(ran.code == 0 && ran.stdout.ends_with("`guest` stays at 1.2.0 (release 4)\n"), "{ran}");
    assert_eq!(publisher.read("hooks.toml"), pinned);
    let ran = publisher.asked("y\ny\n", &["plugin", "update", "guest"]);
    assert_eq!(ran.code, 0, "{ran}");
    pinned = publisher.read("hooks.toml");
    assert!(pinned.contains(&new) && pinned.contains("grant = { clock = true, random = true }"), "{pinned}");
    let mut all = vec![old, same, new.clone()];
    all.sort();
    assert_eq!(publisher.stored(), all);
    assert_eq!(publisher.hookbox(&["plugin", "gc"]).code, 0);
    assert_eq!(publisher.stored(), [new]);
    publisher.denies();
}

#[test]
fn where_the_release_before_is_gone_or_another_file_nothing_of_the_new_one_was_agreed_to() {
    let publisher = Publisher::new();
    let old = publisher.release("denies", 3, "", ACME);
    assert_eq!(publisher.add(&["--yes"]).code, 0);
    let more = r#","effects":["rewrite"]"#;
    let widened = [guests::component("denies"), manifest(&format!("\"seq\":3{more}"))].concat();
    publisher.release("denies", 4, more, ACME);
    let file = publisher.bed.path(&format!("[HOME]/.local/share/hookbox/store/sha256/{old}.wasm"));
    let expected = "error: `guest`: it stays at 1.2.0 (release 3), since there is nobody to ask: its answers can rewrite now; \
                    take it?\n";
    for there in [Some(widened), None] {
        fs::remove_file(&file).unwrap();
        if let Some(bytes) = there {
            fs::write(&file, bytes).unwrap();
        }
        let ran = publisher.update(&[]);
        assert_eq!((ran.code, ran.stderr.as_str()), (2, expected));
    }
}

#[test]
fn a_publisher_stays_who_it_is_when_somebody_vouches_for_its_key() {
    let publisher = Publisher::new();
    publisher.release("denies", 3, "", &[("acme", "")]);
    assert_eq!(publisher.add(&["--yes"]).code, 0);
    publisher.release("denies", 2, "", ACME);
    let ran = publisher.update(&[]);
    assert!(ran.code == 1 && ran.stderr.contains("was here before"), "{ran}");
    publisher.release("denies", 4, "", &[("other", "release@acme.example")]);
    let ran = publisher.update(&[]);
    assert!(ran.code == 1 && ran.stderr.contains("another publisher's is another plugin"), "{ran}");
    publisher.release("denies", 4, "", ACME);
    let ran = publisher.update(&[]);
    assert!(
        ran.code == 0 && publisher.read("hookbox.lock").contains("principal = \"release@acme.example\""),
        "{ran}"
    );
}

#[test]
fn no_release_goes_back_and_another_publishers_is_another_plugin() {
    let publisher = Publisher::new();
    publisher.release("denies", 5, "", ACME);
    assert_eq!(publisher.add(&["--yes", "--grant", "clock"]).code, 2, "it asks for none");
    assert_eq!(publisher.add(&["--yes"]).code, 0);
    let lock = publisher.read("hookbox.lock");
    publisher.release("denies", 4, "", ACME);
    for words in [&["plugin", "update"][..], &["plugin", "add", SOURCE, "--yes"]] {
        let ran = publisher.hookbox(words);
        assert!(
            ran.code == 1 && ran.stderr.contains("release 5 of release@acme.example was here before"),
            "{ran}"
        );
    }
    // Taken out and added again it is no other.
    publisher.release("allows", 5, "", ACME);
    for words in [&["plugin", "update"][..], &["plugin", "add", SOURCE, "--yes"]] {
        let ran = publisher.hookbox(words);
        assert!(ran.code == 1 && ran.stderr.contains("the tag was moved"), "{ran}");
    }
    assert!(publisher.hookbox(&["plugin", "outdated"]).stdout.contains("the tag was moved"));
    publisher.denies();
    for signed in [&[("evil", "release@evil.example")][..], &[("acme", "")], &[]] {
        publisher.release("allows", 6, "", signed);
        let ran = publisher.update(&[]);
        assert!(ran.code == 1 && ran.stderr.contains("another publisher's is another plugin"), "{ran}");
    }
    assert_eq!(publisher.read("hookbox.lock"), lock);
    publisher.release("allows", 4, "", ACME);
    assert_eq!(publisher.update(&["--allow-downgrade"]).code, 0);
    assert!(!publisher.answer().contains("guest: no"));
}

#[test]
fn a_number_that_a_thief_signed_keeps_nobody_from_the_next_release_once_the_key_is_revoked() {
    let publisher = Publisher::new();
    publisher.release("denies", i64::MAX as u64, "", ACME);
    assert_eq!(publisher.add(&["--yes"]).code, 0);
    publisher.release("allows", 7, "", &[("new", "release@acme.example")]);
    let ran = publisher.update(&[]);
    assert!(ran.code == 1 && ran.stderr.contains("was here before"), "{ran}");
    publisher.bed.write_bytes(&format!("{CONFIG}/revoked.krl"), &key("acme").1);
    let ran = publisher.update(&[]);
    assert_eq!(ran.code, 0, "{ran}");
    publisher.release("denies", u64::MAX, "", &[("new", "release@acme.example")]);
    let ran = publisher.update(&[]);
    assert!(ran.code == 1 && ran.stderr.contains("no plugin has as many"), "{ran}");
    assert_eq!(publisher.hookbox(&["check"]).code, 0);
}

#[test]
fn with_locked_nothing_is_fetched_and_nothing_is_written() {
    let publisher = Publisher::new();
    publisher.release("denies", 3, "", ACME);
    fs::write(publisher.program.with_file_name("offline"), "").unwrap();
    let ran = publisher.add(&["--locked"]);
    assert!(ran.code == 1 && ran.stderr.contains("with --locked none is added"), "{ran}");
    fs::remove_file(publisher.program.with_file_name("offline")).unwrap();
    assert_eq!(publisher.add(&["--yes"]).code, 0);
    fs::write(publisher.program.with_file_name("offline"), "").unwrap();
    let before = (publisher.read("hookbox.lock"), publisher.read("hooks.toml"), publisher.stored());
    for words in [&["plugin", "add", SOURCE, "--locked"][..], &["plugin", "update", "--locked"]] {
        let ran = publisher.hookbox(words);
        assert!(ran.code == 0 && ran.stdout.ends_with("hookbox.lock says: 1 plugins\n"), "{ran}");
    }
    publisher.write("hookbox.lock", "version = 2\n");
    let ran = publisher.update(&["--locked"]);
    assert!(ran.code == 1 && ran.stdout.contains("calls a plugin that hookbox.lock does not have"), "{ran}");
    publisher.write("hookbox.lock", &before.0);
    assert_eq!((publisher.read("hookbox.lock"), publisher.read("hooks.toml"), publisher.stored()), before);
}

#[test]
fn a_lock_file_that_was_edited_is_used_in_no_part() {
    let publisher = Publisher::new();
    let digest = publisher.release("denies", 3, "", ACME);
    assert_eq!(publisher.add(&["--yes"]).code, 0);
    let good = publisher.read("hookbox.lock");
    publisher.release("denies", 4, "", ACME);
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
        publisher.write("hookbox.lock", &edited);
        for words in [
            &["plugin", "update"][..],
            &["plugin", "add", SOURCE, "--yes"],
            &["plugin", "gc"],
            &["plugin", "list"],
        ] {
            let ran = publisher.hookbox(words);
            assert!(
                ran.code == 1 && ran.stderr.contains("hookbox.lock: ") && ran.stderr.contains("hookbox"),
                "{to}: {ran}"
            );
        }
        assert_eq!((publisher.read("hookbox.lock"), publisher.stored()), (edited, vec![digest.clone()]));
    }
}
