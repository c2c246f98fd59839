//! `hookbox plugin signer`: the signers whose plugins are accepted, as lines of `allowed_signers`.

use std::{fs, os::unix::fs::PermissionsExt};

use insta::assert_snapshot;

use crate::{Ran, TestBed};

const SIGNERS: &str = "[HOME]/.config/hookbox/allowed_signers";
const NAME: &str = "release@acme.example";
const FIRST: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH";
const SECOND: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI";
/// Fingerprint of the first key, as `ssh-keygen -l` prints it.
const FINGERPRINT: &str = "SHA256:gNSIRW+2Iyiuvsdp/bgjy38bvWHw6wQm3tuoXrl3WjQ";

/// A bed with `first.pub` and `second.pub` in the project, and with this text as the user's file, if any.
fn create_bed(signers: &str) -> TestBed {
    let bed = TestBed::new();
    bed.write_file("[PROJECT]/first.pub", &format!("{FIRST} ann@acme\n"));
    bed.write_file("[PROJECT]/second.pub", SECOND);
    if !signers.is_empty() {
        bed.write_file(SIGNERS, signers);
    }
    bed
}

fn run_signer(bed: &TestBed, words: &[&str]) -> Ran {
    bed.run_hookbox(&[&["plugin", "signer"], words].concat())
}

fn add_signer(bed: &TestBed, key: &str, name: &str) -> Ran {
    run_signer(bed, &["add", key, "--as", name, "--yes"])
}

fn read_signers(bed: &TestBed) -> String {
    fs::read_to_string(bed.resolve_path(SIGNERS)).unwrap_or_default()
}

/// The line that `add` writes.
fn format_signer(name: &str, key: &str) -> String {
    format!("{name} namespaces=\"release@hookbox\" {key}\n")
}

#[test]
fn the_first_signer_creates_the_file_which_only_the_user_may_write() {
    let bed = create_bed("");
    assert_snapshot!(add_signer(&bed, "first.pub", NAME), @r#"
    exit code 0
    --- stdout
    key       SHA256:gNSIRW+2Iyiuvsdp/bgjy38bvWHw6wQm3tuoXrl3WjQ, ssh-ed25519
    --- [HOME]/.config/hookbox/allowed_signers
    +++ [HOME]/.config/hookbox/allowed_signers
    @@ -0,0 +1 @@
    +release@acme.example namespaces="release@hookbox" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH
    added `release@acme.example`: SHA256:gNSIRW+2Iyiuvsdp/bgjy38bvWHw6wQm3tuoXrl3WjQ
    --- stderr
    "#);
    assert_eq!(read_signers(&bed), format_signer(NAME, FIRST));
    let mode = fs::metadata(bed.resolve_path(SIGNERS)).unwrap().permissions().mode();
    assert_eq!(mode & 0o022, 0, "{mode:o}");
}

#[test]
fn a_line_is_appended_and_every_other_byte_and_the_mode_stay() {
    // The second key is listed for git, so not for plugins yet.
    let before =
        format!("# mine\r\n\n  git@x namespaces=\"git\"  {SECOND} #odd\r\n# no line break at the end");
    let bed = create_bed(&before);
    let file = bed.resolve_path(SIGNERS);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(add_signer(&bed, "first.pub", NAME).code, 0);
    let first = format!("{before}\n{}", format_signer(NAME, FIRST));
    assert_eq!(read_signers(&bed), first);
    let ran = add_signer(&bed, "second.pub", NAME);
    let other = format!("\nother     `{NAME}` has {FINGERPRINT} as well\n");
    assert!(ran.code == 0 && ran.stdout.contains(&other), "{ran}");
    assert_eq!(read_signers(&bed), first + &format_signer(NAME, SECOND));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_key_that_has_the_name_already_changes_nothing() {
    for line in [format_signer(NAME, FIRST), format!("ann@acme,{NAME} {FIRST}\n")] {
        let bed = create_bed(&format!("# mine\n{line}"));
        let ran = run_signer(&bed, &["add", "first.pub", "--as", NAME]);
        assert_eq!(
            ran.to_string(),
            format!(
                "exit code 0\n--- stdout\nnothing to do: {SIGNERS}:2 has {FINGERPRINT} as `{NAME}`\n--- stderr\n"
            )
        );
        assert_eq!(read_signers(&bed), format!("# mine\n{line}"));
    }
}

#[test]
fn a_key_under_another_name_or_out_of_its_time_is_refused_with_the_line() {
    let expired = format!("{NAME} valid-before=\"20200101Z\" {FIRST}\n");
    for (line, why) in [
        (
            format_signer("other@acme.example", FIRST),
            format!(
                "error: nothing was added: {SIGNERS}:1 has the key {FINGERPRINT} as `other@acme.example`, and a key has one name\n\
                 help: `hookbox plugin signer remove other@acme.example` first, or keep that name\n"
            ),
        ),
        (
            expired,
            format!(
                "error: nothing was added: {SIGNERS}:1 has an expired key (valid-before)\n\
                 help: change `valid-after` and `valid-before` in that line\n"
            ),
        ),
        (
            "a b c\n".to_owned(),
            format!("error: nothing was added: {SIGNERS}: its line 1 has the option `b`, "),
        ),
    ] {
        let bed = create_bed(&line);
        let ran = add_signer(&bed, "first.pub", NAME);
        assert!(ran.code == 1 && ran.stdout.is_empty() && ran.stderr.starts_with(&why), "{why}\n{ran}");
        assert_eq!(read_signers(&bed), line);
    }
}

#[test]
fn files_that_are_not_one_supported_public_key_are_refused_with_help() {
    let private = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----\n";
    let several = format!("{FIRST}\n{SECOND}\n");
    let long = format!("{FIRST} {}", "a".repeat(16 << 10));
    for (text, why) in [
        (
            private,
            "key.pub is a private key, which stays with its owner\nhelp: name its public key, key.pub.pub; ",
        ),
        ("", "key.pub is not accepted: it has no key\nhelp: name the file that `ssh-keygen` writes"),
        (&several, "key.pub is not accepted: it has several lines, and a public key is one line\nhelp: "),
        (&long, "cannot read key.pub: it is longer than 16384 bytes\nhelp: "),
        (
            "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAAQE= old\n",
            "key.pub is not accepted: keys of the kind ssh-rsa are not supported; supported kinds: ssh-ed25519, ",
        ),
        (
            "ssh-ed25519-cert-v01@openssh.com AAAA\n",
            "key.pub is not accepted: ssh-ed25519-cert-v01@openssh.com is a certificate, which hookbox does not support yet",
        ),
    ] {
        let bed = create_bed("");
        bed.write_file("[PROJECT]/key.pub", text);
        let ran = add_signer(&bed, "key.pub", NAME);
        let why = format!("error: nothing was added: {why}");
        assert!(ran.code == 1 && ran.stderr.starts_with(&why), "{why}\n{ran}");
        assert!(!bed.resolve_path(SIGNERS).exists());
    }
    for missing in ["gone.pub", "."] {
        let ran = add_signer(&create_bed(""), missing, NAME);
        assert!(ran.code == 1 && ran.stderr.contains(&format!("cannot read {missing}: ")), "{ran}");
    }
}

#[test]
fn a_name_that_would_match_other_signers_is_refused() {
    for name in ["*@acme.example", "a,b", "!a", "#a", "a b", ""] {
        let bed = create_bed("");
        let ran = add_signer(&bed, "first.pub", name);
        let start = format!("error: nothing was added: the name `{name}` ");
        assert!(ran.code == 2 && ran.stderr.starts_with(&start), "{ran}");
        assert!(
            ran.stderr.contains("\nhelp: write one name without blanks, commas and patterns: --as "),
            "{ran}"
        );
        assert!(!bed.resolve_path(SIGNERS).exists());
    }
}

#[test]
fn nothing_is_written_without_a_yes() {
    let bed = create_bed(&format_signer(NAME, FIRST));
    let dry = run_signer(&bed, &["add", "second.pub", "--as", NAME, "--dry-run"]);
    assert!(dry.code == 0 && dry.stdout.contains(&format!("\n+{}", format_signer(NAME, SECOND))), "{dry}");
    assert_eq!(dry.stderr, "nothing was written (--dry-run)\n");
    for words in [&["add", "second.pub", "--as", NAME][..], &["remove", NAME]] {
        let ran = run_signer(&bed, words);
        assert!(ran.code == 2 && ran.stderr.contains("the question needs a terminal"), "{ran}");
    }
    assert_eq!(read_signers(&bed), format_signer(NAME, FIRST));
}

#[test]
fn an_agent_neither_adds_nor_removes_a_signer() {
    let bed = create_bed(&format_signer(NAME, FIRST)).with_variable("CLAUDECODE", "1");
    for words in [&["add", "second.pub", "--as", NAME, "--yes"][..], &["remove", NAME, "--yes"]] {
        let ran = run_signer(&bed, words);
        assert!(ran.code == 2 && ran.stderr.contains("shows that an agent runs this"), "{ran}");
    }
    assert_eq!(read_signers(&bed), format_signer(NAME, FIRST));
    assert_eq!(run_signer(&bed, &["list"]).code, 0);
}

#[test]
fn signers_are_listed_with_key_and_validity_and_lines_for_other_purposes_are_not() {
    let text = format!(
        "{}*@acme.example valid-after=\"20200101Z\",valid-before=\"20210101Z\" {SECOND}\n\
         next@acme.example namespaces=\"git,release@hookbox\",valid-after=\"29990101Z\" {SECOND}\n\
         git@x namespaces=\"git\" {SECOND}\nold@x ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAAQE=\n",
        format_signer(NAME, FIRST)
    );
    assert_snapshot!(run_signer(&create_bed(&text), &["list"]), @"
    exit code 0
    --- stdout
    release@acme.example  ssh-ed25519  SHA256:gNSIRW+2Iyiuvsdp/bgjy38bvWHw6wQm3tuoXrl3WjQ  always
    *@acme.example  ssh-ed25519  SHA256:GJ8X8ywwW/rSXwQ8sBu/2RYiz0+a2xNJMmsUwslS+RA  from 2020-01-01T00:00:00Z until 2021-01-01T00:00:00Z, not valid now
    next@acme.example  ssh-ed25519  SHA256:GJ8X8ywwW/rSXwQ8sBu/2RYiz0+a2xNJMmsUwslS+RA  from 2999-01-01T00:00:00Z, not valid now
    --- stderr
    in [HOME]/.config/hookbox/allowed_signers
    ");
    assert_snapshot!(run_signer(&create_bed(""), &["list"]), @"
    exit code 0
    --- stdout
    --- stderr
    no signer of plugins is listed
    help: `hookbox plugin signer add KEY.pub --as NAME` adds one
    ");
    let broken = run_signer(&create_bed("a b c\n"), &["list"]);
    assert!(
        broken.code == 1 && broken.stderr.starts_with("error: no signature is verified by [HOME]"),
        "{broken}"
    );
}

#[test]
fn a_removed_signer_loses_all_keys_and_the_rest_of_the_file_stays() {
    let rest = format!("# mine\r\nother@acme.example {SECOND}\r\n");
    let bed = create_bed(&format!(
        "{}{rest}{NAME} valid-before=\"20200101Z\" {SECOND}\n# end",
        format_signer(NAME, FIRST)
    ));
    let ran = run_signer(&bed, &["remove", NAME, "--yes"]);
    let removed: Vec<_> = ran.stdout.lines().filter(|line| line.starts_with("removed ")).collect();
    assert_eq!(
        removed,
        [
            "removed `release@acme.example`: SHA256:gNSIRW+2Iyiuvsdp/bgjy38bvWHw6wQm3tuoXrl3WjQ",
            "removed `release@acme.example`: SHA256:GJ8X8ywwW/rSXwQ8sBu/2RYiz0+a2xNJMmsUwslS+RA",
        ],
        "{ran}"
    );
    assert!(ran.code == 0 && ran.stderr.contains("keep working"), "{ran}");
    assert_eq!(read_signers(&bed), format!("{rest}# end"));
}

#[test]
fn a_line_that_is_for_more_than_the_removed_signer_is_not_removed() {
    for line in [
        format!("ann@acme,{NAME} {FIRST}\n"),
        format!("*@acme.example {FIRST}\n"),
        format!("{NAME} namespaces=\"git,release@hookbox\" {FIRST}\n"),
    ] {
        let text = format_signer(NAME, SECOND) + &line;
        let bed = create_bed(&text);
        assert_eq!(
            run_signer(&bed, &["remove", NAME, "--yes"]).to_string(),
            format!(
                "exit code 1\n--- stdout\n--- stderr\nerror: nothing was removed: {SIGNERS}:2 is not for `{NAME}` and plugins alone\n\
                 help: change that line by hand\n"
            )
        );
        assert_eq!(read_signers(&bed), text);
    }
    let bed = create_bed(&format_signer(NAME, FIRST));
    assert_snapshot!(run_signer(&bed, &["remove", "release@acme.exampl", "--yes"]), @"
    exit code 1
    --- stdout
    --- stderr
    error: nothing was removed: [HOME]/.config/hookbox/allowed_signers does not list the signer `release@acme.exampl`; did you mean `release@acme.example`? allowed: release@acme.example
    help: `hookbox plugin signer list`
    ");
}
