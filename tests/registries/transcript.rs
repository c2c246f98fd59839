//! `docs/guide/transcripts/signed-plugins.md`: a publisher and a user, from the first release to the last attack, by the real programs.

use std::fs;

use crate::{
    guests,
    story::{Person, Story},
    tools::Registry,
};

const PAGE: &str = "docs/guide/transcripts/signed-plugins.md";
const BEGINNING: &str = "\
# A publisher, a user, and those between them

Ann publishes a plugin and has nothing for it but a key of ssh. Ben uses it and has nothing but a policy. Between them are a registry and
whoever can write to it. This page is what their commands say: a test runs them against a registry, and compares. Where something is
another one each time, as keys and digests are, it stands here in brackets.

[distribution.md](../distribution.md) has the rules, [security.md](../../internals/security.md) every attack with its tests.
";
const POLICY: &str = "\
version = 1
default = \"reject\"

[[publisher]]
namespaces = [\"acme/*\"]
registries = [\"registry.example/acme/*\"]
principals = [\"release@acme.example\"]
";
/// What the first releases ask for and can do, and what the later ones.
const LITTLE: &str = r#","capabilities":{"clock":true},"effects":["deny-code","deny-text"]"#;
const MORE: &str =
    r#","capabilities":{"clock":true,"random":true},"effects":["deny-code","context","deny-text"]"#;
/// What the page has shown of the table of attacks.
const ATTACKS: &str = "\
Of the attacks in [security.md](../../internals/security.md#d-bundles) these are D1 (no signature), D2 (another key), D3 (a statement about another \
file), D7 (a key whose time is over), D8 (a revoked key, a denied file), D10 (an earlier release, a number that is too high), D15 (another \
name), D17 (a release that wants more), D18 (another file), D19 (an edited lock file), D24 (an unsigned plugin) and D26 (newer releases are \
kept back). Each of the other ones has a test there.";
const TRY: &str = "hookbox try tool.before --command 'rm -rf /' | grep decision";
const CONFIG: &str = "[HOME]/.config/hookbox";

/// Puts a release of hers into her folder.
fn build_release(ann: &Person, name: &str, (version, seq): (&str, u64), guest: &str, members: &str) {
    let text = format!(
        r#"{{"schema":1,"name":"{name}","version":"{version}","seq":{seq},"events":["tool.before"]{members}}}"#
    );
    let section = guests::custom_section("hookbox:manifest", text.as_bytes());
    let bytes = [guests::build_component(guest), section].concat();
    fs::write(ann.join_path("guard.wasm"), bytes).unwrap();
    for end in ["", ".sig", ".sig.1"] {
        drop(fs::remove_file(ann.join_path(&format!("guard.wasm.statement.json{end}"))));
    }
}

fn read_fingerprint(ann: &Person, key: &str) -> String {
    let words = ["-lf", &format!("{key}.pub")];
    let ran = ann.bed.run_with_input(&mut ann.bed.command_of("ssh-keygen".as_ref(), &words), b"");
    ran.stdout.split(' ').nth(1).unwrap().to_owned()
}

/// A new key of hers, and what it is called here.
fn makes_key(story: &mut Story, who: &Person, key: &str, called: &str) {
    story.run_command(who, &format!("ssh-keygen -q -t ed25519 -N '' -C '' -f {key}"));
    story.name_text(read_fingerprint(who, key), format!("SHA256:[{called}]"));
    let line = fs::read_to_string(who.join_path(&format!("{key}.pub"))).unwrap();
    story.name_text(line.split(' ').nth(1).unwrap().trim(), format!("AAAA[{called}]"));
}

/// The user's file of signers, in which each of these keys has its time.
fn write_signers(ann: &Person, ben: &Person, keys: &[(&str, &str)]) {
    let lines = keys.iter().map(|(key, times)| {
        let public = fs::read_to_string(ann.join_path(&format!("{key}.pub"))).unwrap();
        format!("release@acme.example namespaces=\"release@hookbox\"{times} {}\n", public.trim())
    });
    ben.bed.write_file(&format!("{CONFIG}/allowed_signers"), &lines.collect::<String>());
}

#[test]
fn a_publisher_and_a_user_go_through_all_of_it_as_the_page_says() {
    let (ann, ben, mallory) = (Person::new("ann"), Person::new("ben"), Person::new("mallory"));
    let registry = Registry::start();
    let mut story = Story::new(BEGINNING);
    story.name_text(registry.address.clone(), "registry.example");
    let place = format!("oci://{}", registry.name_repository("acme/guard"));
    first_release(&mut story, &ann, &ben, &place, &registry.address);
    newer_releases(&mut story, &ann, &ben, &place);
    show_rotation(&mut story, &ann, &ben, &place);
    show_stolen_key(&mut story, (&ann, &ben, &mallory), &place);
    kept_back(&mut story, &ann, &ben, &place);
    show_denied_release(&mut story, &ann, &ben, &place);
    show_attacks(&mut story, (&ann, &ben, &mallory), &place, &registry);
    show_end(&mut story, &ben);
    story.is_at(PAGE);
}

fn first_release(story: &mut Story, ann: &Person, ben: &Person, place: &str, address: &str) {
    story.write_heading("The first release");
    story.write_paragraph("Ann has built `guard.wasm`. She makes a key, signs, and brings it to a registry.");
    build_release(ann, "acme/guard", ("1.0.0", 1), "denies", LITTLE);
    makes_key(story, ann, "first", "Ann's first key");
    story.run_command(ann, "hookbox plugin sign guard.wasm --key first");
    story.run_command(ann, &format!("hookbox plugin push guard.wasm {place}"));
    story.write_paragraph(
        "She gives Ben the public key by another way than the plugin's: on her site, or from hand to hand. Ben writes down whose \
         plugins he takes, from where, and whose key that is.",
    );
    ben.bed.write_file(&format!("{CONFIG}/policy.toml"), &POLICY.replace("registry.example", address));
    write_signers(ann, ben, &[("first", "")]);
    story.run_command(ben, "cat ~/.config/hookbox/policy.toml ~/.config/hookbox/allowed_signers");
    story.write_paragraph("He adds it. He is shown what it is and who signed it, and asked about what it wants. Anything but a yes is a no.");
    story.run_to_code(ben, &format!("hookbox plugin add {place}"), &["y", "y"], 0);
    story.write_paragraph("From now on it is called, and its file is pinned by its digest.");
    story.run_command(ben, "hookbox try tool.before --command 'rm -rf /'");
    story.run_command(ben, "cat ~/.config/hookbox/hookbox.lock");
}

fn newer_releases(story: &mut Story, ann: &Person, ben: &Person, place: &str) {
    story.write_heading("A release with nothing new to agree to");
    build_release(ann, "acme/guard", ("1.0.1", 2), "denies", LITTLE);
    story.run_command(ann, "hookbox plugin sign guard.wasm --key first");
    story.run_command(ann, &format!("hookbox plugin push guard.wasm {place}"));
    story.write_paragraph("The policy has said who may sign, and Ben has said what it may have. So nobody is asked, and a script can do it.");
    story.run_to_code(ben, "hookbox plugin outdated", &[], 1);
    story.run_command(ben, "hookbox plugin update");

    story.write_heading("A release that wants more");
    build_release(ann, "acme/guard", ("1.1.0", 3), "denies", MORE);
    story.run_command(ann, "hookbox plugin sign guard.wasm --key first");
    story.run_command(ann, &format!("hookbox plugin push guard.wasm {place}"));
    story.write_paragraph("Where nobody can be asked it stays as it is, and the exit code says so. At a terminal Ben is asked about what is new, and about nothing else.");
    story.run_to_code(ben, "hookbox plugin update </dev/null", &[], 2);
    story.run_to_code(ben, "hookbox plugin update", &["y", "n"], 1);
    story.run_to_code(ben, "hookbox plugin update", &["y", "y"], 0);
}

fn show_rotation(story: &mut Story, ann: &Person, ben: &Person, place: &str) {
    story.write_heading("Another key");
    story.write_paragraph(
        "Ann's first key is old. She makes a second one, and signs the next release with both.",
    );
    build_release(ann, "acme/guard", ("1.2.0", 4), "denies", MORE);
    makes_key(story, ann, "second", "Ann's second key");
    story.run_command(ann, "hookbox plugin sign guard.wasm --key first");
    story.run_command(ann, "hookbox plugin sign guard.wasm --key second");
    story.run_command(ann, &format!("hookbox plugin push guard.wasm {place}"));
    story.write_paragraph("Ben need not hurry: the first key still counts for him.");
    story.run_command(ben, "hookbox plugin update");
    story.write_paragraph("When she has told him, he gives the first key an end and the second one a line. The publisher is the same, and so is the plugin.");
    write_signers(
        ann,
        ben,
        &[("first", ",valid-before=\"20260101Z\""), ("second", ",valid-after=\"20260101Z\"")],
    );
    story.run_command(ben, "cat ~/.config/hookbox/allowed_signers");
    build_release(ann, "acme/guard", ("1.3.0", 5), "denies", MORE);
    story.run_command(ann, "hookbox plugin sign guard.wasm --key second --valid-for 90d");
    story.run_command(ann, &format!("hookbox plugin push guard.wasm {place}"));
    story.run_command(ben, "hookbox plugin update");
    story.write_paragraph("The releases that the first key signed go on working, and none of them comes back: their numbers count on.");
    story.run_to_code(ben, &format!("hookbox plugin add {place}:1.2.0 --yes"), &[], 1);
    story.write_paragraph("Nor does the first key sign anything that counts, whenever it says it did.");
    build_release(ann, "acme/guard", ("1.3.1", 6), "denies", MORE);
    story.run_command(ann, "hookbox plugin sign guard.wasm --key first");
    story.run_command(ann, &format!("hookbox plugin push guard.wasm {place}"));
    story.run_to_code(ben, "hookbox plugin update", &[], 1);
}

fn show_stolen_key(story: &mut Story, (ann, ben, mallory): (&Person, &Person, &Person), place: &str) {
    story.write_heading("A key is stolen");
    story.write_paragraph("Mallory gets at Ann's second key, and at the registry. The release that Mallory makes lets everything pass, and has the highest number that there is.");
    fs::copy(ann.join_path("second"), mallory.join_path("second")).unwrap();
    build_release(mallory, "acme/guard", ("1.4.0", i64::MAX as u64), "allows", MORE);
    story.run_command(mallory, "hookbox plugin sign guard.wasm --key second");
    story.run_command(mallory, &format!("hookbox plugin push guard.wasm {place}"));
    story.write_paragraph("Nobody can tell yet, so Ben gets it.");
    story.run_command(ben, "hookbox plugin update");
    story.run_command(ben, TRY);
    story.write_paragraph("Ann finds out, and revokes the key. Ben puts her list beside his policy: from that moment nothing that the key signed is called, and what a guard cannot say is a no.");
    story.run_command(ann, "ssh-keygen -q -k -f revoked.krl second.pub");
    fs::copy(ann.join_path("revoked.krl"), ben.bed.resolve_path(&format!("{CONFIG}/revoked.krl"))).unwrap();
    story.run_command(ben, TRY);
    story.run_to_code(ben, "hookbox check", &[], 1);
    story.write_paragraph("She signs the next release with a third key. Mallory's number goes with the key that signed it; the numbers that another key signed too stay.");
    makes_key(story, ann, "third", "Ann's third key");
    write_signers(
        ann,
        ben,
        &[("first", ",valid-before=\"20260101Z\""), ("second", ",valid-after=\"20260101Z\""), ("third", "")],
    );
    build_release(ann, "acme/guard", ("1.4.1", 6), "denies", MORE);
    story.run_command(ann, "hookbox plugin sign guard.wasm --key third --valid-for 90d");
    story.run_command(ann, &format!("hookbox plugin push guard.wasm {place}"));
    story.run_command(ben, "hookbox plugin update");
    story.run_command(ben, TRY);
    story.run_to_code(ben, &format!("hookbox plugin add {place}:1.2.0 --yes"), &[], 1);
}

fn show_attacks(
    story: &mut Story,
    (ann, ben, mallory): (&Person, &Person, &Person),
    place: &str,
    registry: &Registry,
) {
    story.write_heading("What else Mallory tries");
    changed_files(story, ben);
    story.write_paragraph(
        "A release without a signature. That one is asked for does not depend on there being one.",
    );
    build_release(mallory, "acme/guard", ("1.5.0", 9), "allows", MORE);
    story.run_command(mallory, &format!("hookbox plugin push guard.wasm {place} --unsigned"));
    story.run_to_code(ben, "hookbox plugin update", &[], 1);
    story.run_to_code(ben, &format!("hookbox plugin add {place} --unsigned --yes"), &[], 1);
    story.write_paragraph("A release with a signature of Mallory's own.");
    makes_key(story, mallory, "own", "Mallory's key");
    build_release(mallory, "acme/guard", ("1.5.1", 9), "allows", MORE);
    story.run_command(mallory, "hookbox plugin sign guard.wasm --key own");
    story.run_command(mallory, &format!("hookbox plugin push guard.wasm {place}"));
    story.run_to_code(ben, "hookbox plugin update", &[], 1);
    story.write_paragraph("A statement that Ann signed, beside another file.");
    for end in ["", ".sig"] {
        let name = format!("guard.wasm.statement.json{end}");
        fs::copy(ann.join_path(&name), mallory.join_path(&name)).unwrap();
    }
    fs::copy(ben.bed.resolve_path(&format!("{CONFIG}/allowed_signers")), mallory.join_path("signers"))
        .unwrap();
    story.run_to_code(mallory, "hookbox plugin verify guard.wasm --allowed-signers signers", &[], 1);
    story.write_paragraph("A name that looks like Ann's.");
    build_release(mallory, "acme-evil/guard", ("1.0.0", 1), "allows", "");
    story.run_command(mallory, "hookbox plugin sign guard.wasm --key own");
    let evil = format!("oci://{}", registry.name_repository("acme-evil/guard"));
    story.run_command(mallory, &format!("hookbox plugin push guard.wasm {evil}"));
    story.run_to_code(ben, &format!("hookbox plugin add {evil} --yes"), &[], 1);
    story.write_paragraph("And none of it has changed what Ben has.");
    story.run_command(ben, TRY);
}

/// The plugin goes on working, and it is told that nothing newer came.
fn kept_back(story: &mut Story, ann: &Person, ben: &Person, place: &str) {
    story.write_heading("Nothing newer comes");
    story.write_paragraph(
        "With `--valid-for` Ann says until when a release is the newest. Whoever can keep newer ones from Ben cannot keep from him that this \
         is over. Here nobody waits for it: the statement is written by hand, with a day that is over, and signed with OpenSSH.",
    );
    build_release(ann, "acme/guard", ("1.4.2", 7), "denies", MORE);
    story.run_command(ann, "hookbox plugin sign guard.wasm --key third --expires 2999-12-31");
    story.run_command(
        ann,
        "sed -i 's/2999-12-31/2026-01-31/' guard.wasm.statement.json && rm guard.wasm.statement.json.sig",
    );
    story.run_command(ann, "ssh-keygen -q -Y sign -n release@hookbox -f third guard.wasm.statement.json");
    story.run_command(ann, &format!("hookbox plugin push guard.wasm {place}"));
    story.run_command(ben, "hookbox plugin update | tail -n 4");
    story.run_command(ben, "hookbox plugin outdated");
    story.write_paragraph("It is called all the same.");
    story.run_command(ben, TRY);
    story.write_paragraph("Ann has nothing newer, and says so: the same file, with another day.");
    story.run_command(ann, "hookbox plugin sign guard.wasm --key third --expires 2999-12-31");
    story.run_command(ann, &format!("hookbox plugin push guard.wasm {place} --replace"));
    story.run_command(ben, "hookbox plugin update");
    story.run_command(ben, "hookbox plugin outdated");
}

fn show_denied_release(story: &mut Story, ann: &Person, ben: &Person, place: &str) {
    story.write_heading("A release is bad, and its key is not");
    story.write_paragraph("Ann finds that release 7 lets something pass. She tells its digest, and Ben denies it: it is not called any more, whoever signed it.");
    let policy = ben.bed.resolve_path(&format!("{CONFIG}/policy.toml"));
    let digest = hookbox::Sha256Digest::of_content(&fs::read(ann.join_path("guard.wasm")).unwrap());
    let deny =
        format!("\n[[deny]]\ncomponent = \"sha256:{}\"\nreason = \"it lets sudo pass\"\n", digest.as_str());
    fs::write(&policy, fs::read_to_string(&policy).unwrap() + &deny).unwrap();
    story.run_command(ben, "tail -n 3 ~/.config/hookbox/policy.toml");
    story.run_to_code(ben, "hookbox check", &[], 1);
    story.run_command(ben, TRY);
    build_release(ann, "acme/guard", ("1.4.3", 8), "denies", MORE);
    story.run_command(ann, "hookbox plugin sign guard.wasm --key third --valid-for 90d");
    story.run_command(ann, &format!("hookbox plugin push guard.wasm {place}"));
    story.run_command(ben, "hookbox plugin update | tail -n 1");
    story.run_command(ben, "hookbox check");
}

/// What somebody who can write to the user's files tries.
fn changed_files(story: &mut Story, ben: &Person) {
    story.write_paragraph("A lock file that says otherwise: nothing of it is used.");
    story.run_command(ben, "cp ~/.config/hookbox/hookbox.lock kept");
    story.run_command(ben, "sed -i 's/^seq = 8/seq = 8.5/' ~/.config/hookbox/hookbox.lock");
    story.run_to_code(ben, "hookbox plugin update", &[], 1);
    story.run_command(ben, "cp kept ~/.config/hookbox/hookbox.lock");
    story.write_paragraph("Another file in the place of the one that is called. It is found out before any of it runs, and an update puts the right one there.");
    let lock = fs::read_to_string(ben.bed.resolve_path(&format!("{CONFIG}/hookbox.lock"))).unwrap();
    let digest = lock.split("\nsha256 = \"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    fs::write(ben.join_path("other.wasm"), guests::build_component("allows")).unwrap();
    story.run_command(ben, &format!("cp other.wasm ~/.local/share/hookbox/store/sha256/{digest}.wasm"));
    story.run_to_code(ben, "hookbox check", &[], 1);
    story.run_command(ben, TRY);
    story.run_command(ben, "hookbox plugin update | tail -n 1");
    story.run_command(ben, TRY);
}

fn show_end(story: &mut Story, ben: &Person) {
    story.write_heading("The end");
    story.run_command(ben, "hookbox plugin remove guard --yes");
    story.run_command(ben, "hookbox plugin gc");
    story.write_paragraph(ATTACKS);
}
