//! `docs/transcripts/signed-plugins.md`: a publisher and a user, from the first release to the last attack, by the real programs.

use std::fs;

use crate::{
    guests,
    story::{Person, Story},
    tools::Registry,
};

const PAGE: &str = "docs/transcripts/signed-plugins.md";
const BEGINNING: &str = "\
# A publisher, a user, and those between them

Ann publishes a plugin and has nothing for it but a key of ssh. Ben uses it and has nothing but a policy. Between them are a registry and
whoever can write to it. This page is what their commands say: a test runs them against a registry, and compares. Where something is
another one each time, as keys and digests are, it stands here in brackets.

[distribution.md](../distribution.md) has the rules, [security.md](../security.md) every attack with its tests.
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
Of the attacks in [security.md](../security.md#d-bundles) these are D1 (no signature), D2 (another key), D3 (a statement about another \
file), D7 (a key whose time is over), D8 (a revoked key, a denied file), D10 (an earlier release, a number that is too high), D15 (another \
name), D17 (a release that wants more), D18 (another file), D19 (an edited lock file), D24 (nobody's plugin) and D26 (newer releases are \
kept back). The other ones are tried there, each by a test of its own.";
const TRY: &str = "hookbox try tool.before --command 'rm -rf /' | grep folded";
const CONFIG: &str = "[HOME]/.config/hookbox";

/// Puts a release of hers into her folder.
fn builds(ann: &Person, name: &str, (version, seq): (&str, u64), guest: &str, members: &str) {
    let text = format!(
        r#"{{"schema":1,"name":"{name}","version":"{version}","seq":{seq},"events":["tool.before"]{members}}}"#
    );
    let section = guests::custom_section("hookbox:manifest", text.as_bytes());
    let bytes = [guests::component(guest), section].concat();
    fs::write(ann.path("guard.wasm"), bytes).unwrap();
    for end in ["", ".sig", ".sig.1"] {
        drop(fs::remove_file(ann.path(&format!("guard.wasm.statement.json{end}"))));
    }
}

fn fingerprint(ann: &Person, key: &str) -> String {
    let words = ["-lf", &format!("{key}.pub")];
    let ran = ann.bed.feed(&mut ann.bed.command_of("ssh-keygen".as_ref(), &words), b"");
    ran.stdout.split(' ').nth(1).unwrap().to_owned()
}

/// A new key of hers, and what it is called here.
fn makes_key(story: &mut Story, who: &Person, key: &str, called: &str) {
    story.does(who, &format!("ssh-keygen -q -t ed25519 -N '' -C '' -f {key}"));
    story.call(fingerprint(who, key), format!("SHA256:[{called}]"));
    let line = fs::read_to_string(who.path(&format!("{key}.pub"))).unwrap();
    story.call(line.split(' ').nth(1).unwrap().trim(), format!("AAAA[{called}]"));
}

/// The user's file of signers, in which each of these keys has its time.
fn knows(ann: &Person, ben: &Person, keys: &[(&str, &str)]) {
    let lines = keys.iter().map(|(key, times)| {
        let public = fs::read_to_string(ann.path(&format!("{key}.pub"))).unwrap();
        format!("release@acme.example namespaces=\"release@hookbox\"{times} {}\n", public.trim())
    });
    ben.bed.write(&format!("{CONFIG}/allowed_signers"), &lines.collect::<String>());
}

#[test]
fn a_publisher_and_a_user_go_through_all_of_it_as_the_page_says() {
    let (ann, ben, mallory) = (Person::new("ann"), Person::new("ben"), Person::new("mallory"));
    let registry = Registry::start();
    let mut story = Story::new(BEGINNING);
    story.call(registry.address.clone(), "registry.example");
    let place = format!("oci://{}", registry.at("acme/guard"));
    first_release(&mut story, &ann, &ben, &place, &registry.address);
    newer_releases(&mut story, &ann, &ben, &place);
    rotation(&mut story, &ann, &ben, &place);
    stolen(&mut story, (&ann, &ben, &mallory), &place);
    kept_back(&mut story, &ann, &ben, &place);
    denied(&mut story, &ann, &ben, &place);
    attacks(&mut story, (&ann, &ben, &mallory), &place, &registry);
    left(&mut story, &ben);
    story.is_at(PAGE);
}

fn first_release(story: &mut Story, ann: &Person, ben: &Person, place: &str, address: &str) {
    story.heading("The first release");
    story.tell("Ann has built `guard.wasm`. She makes a key, signs, and brings it to a registry.");
    builds(ann, "acme/guard", ("1.0.0", 1), "denies", LITTLE);
    makes_key(story, ann, "first", "Ann's first key");
    story.does(ann, "hookbox plugin sign guard.wasm --key first");
    story.does(ann, &format!("hookbox plugin push guard.wasm {place}"));
    story.tell(
        "She gives Ben the public key by another way than the plugin's: on her site, or from hand to hand. Ben writes down whose \
         plugins he takes, from where, and whose key that is.",
    );
    ben.bed.write(&format!("{CONFIG}/policy.toml"), &POLICY.replace("registry.example", address));
    knows(ann, ben, &[("first", "")]);
    story.does(ben, "cat ~/.config/hookbox/policy.toml ~/.config/hookbox/allowed_signers");
    story.tell("He adds it. He is shown what it is and who signed it, and asked about what it wants. Anything but a yes is a no.");
    story.ends(ben, &format!("hookbox plugin add {place}"), &["y", "y"], 0);
    story.tell("From now on it is called, and its file is pinned by its digest.");
    story.does(ben, "hookbox try tool.before --command 'rm -rf /'");
    story.does(ben, "cat ~/.config/hookbox/hookbox.lock");
}

fn newer_releases(story: &mut Story, ann: &Person, ben: &Person, place: &str) {
    story.heading("A release with nothing new to agree to");
    builds(ann, "acme/guard", ("1.0.1", 2), "denies", LITTLE);
    story.does(ann, "hookbox plugin sign guard.wasm --key first");
    story.does(ann, &format!("hookbox plugin push guard.wasm {place}"));
    story.tell("The policy has said who may sign, and Ben has said what it may have. So nobody is asked, and a script can do it.");
    story.ends(ben, "hookbox plugin outdated", &[], 1);
    story.does(ben, "hookbox plugin update");

    story.heading("A release that wants more");
    builds(ann, "acme/guard", ("1.1.0", 3), "denies", MORE);
    story.does(ann, "hookbox plugin sign guard.wasm --key first");
    story.does(ann, &format!("hookbox plugin push guard.wasm {place}"));
    story.tell("Where nobody can be asked it stays as it is, and the exit code says so. At a terminal Ben is asked about what is new, and about nothing else.");
    story.ends(ben, "hookbox plugin update </dev/null", &[], 2);
    story.ends(ben, "hookbox plugin update", &["y", "n"], 1);
    story.ends(ben, "hookbox plugin update", &["y", "y"], 0);
}

fn rotation(story: &mut Story, ann: &Person, ben: &Person, place: &str) {
    story.heading("Another key");
    story.tell("Ann's first key is old. She makes a second one, and signs the next release with both.");
    builds(ann, "acme/guard", ("1.2.0", 4), "denies", MORE);
    makes_key(story, ann, "second", "Ann's second key");
    story.does(ann, "hookbox plugin sign guard.wasm --key first");
    story.does(ann, "hookbox plugin sign guard.wasm --key second");
    story.does(ann, &format!("hookbox plugin push guard.wasm {place}"));
    story.tell("Ben need not hurry: the first key still counts for him.");
    story.does(ben, "hookbox plugin update");
    story.tell("When she has told him, he gives the first key an end and the second one a line. The publisher is the same, and so is the plugin.");
    knows(ann, ben, &[("first", ",valid-before=\"20260101Z\""), ("second", ",valid-after=\"20260101Z\"")]);
    story.does(ben, "cat ~/.config/hookbox/allowed_signers");
    builds(ann, "acme/guard", ("1.3.0", 5), "denies", MORE);
    story.does(ann, "hookbox plugin sign guard.wasm --key second --valid-for 90d");
    story.does(ann, &format!("hookbox plugin push guard.wasm {place}"));
    story.does(ben, "hookbox plugin update");
    story.tell("The releases that the first key signed go on working, and none of them comes back: their numbers count on.");
    story.ends(ben, &format!("hookbox plugin add {place}:1.2.0 --yes"), &[], 1);
    story.tell("Nor does the first key sign anything that counts, whenever it says it did.");
    builds(ann, "acme/guard", ("1.3.1", 6), "denies", MORE);
    story.does(ann, "hookbox plugin sign guard.wasm --key first");
    story.does(ann, &format!("hookbox plugin push guard.wasm {place}"));
    story.ends(ben, "hookbox plugin update", &[], 1);
}

fn stolen(story: &mut Story, (ann, ben, mallory): (&Person, &Person, &Person), place: &str) {
    story.heading("A key is stolen");
    story.tell("Mallory gets at Ann's second key, and at the registry. The release that Mallory makes lets everything pass, and has the highest number that there is.");
    fs::copy(ann.path("second"), mallory.path("second")).unwrap();
    builds(mallory, "acme/guard", ("1.4.0", i64::MAX as u64), "allows", MORE);
    story.does(mallory, "hookbox plugin sign guard.wasm --key second");
    story.does(mallory, &format!("hookbox plugin push guard.wasm {place}"));
    story.tell("Nobody can tell yet, so Ben gets it.");
    story.does(ben, "hookbox plugin update");
    story.does(ben, TRY);
    story.tell("Ann finds out, and revokes the key. Ben puts her list beside his policy: from that moment nothing that the key signed is called, and what a guard cannot say is a no.");
    story.does(ann, "ssh-keygen -q -k -f revoked.krl second.pub");
    fs::copy(ann.path("revoked.krl"), ben.bed.path(&format!("{CONFIG}/revoked.krl"))).unwrap();
    story.does(ben, TRY);
    story.ends(ben, "hookbox check", &[], 1);
    story.tell("She signs the next release with a third key. Mallory's number goes with the key that signed it; the numbers that another key signed too stay.");
    makes_key(story, ann, "third", "Ann's third key");
    knows(
        ann,
        ben,
        &[("first", ",valid-before=\"20260101Z\""), ("second", ",valid-after=\"20260101Z\""), ("third", "")],
    );
    builds(ann, "acme/guard", ("1.4.1", 6), "denies", MORE);
    story.does(ann, "hookbox plugin sign guard.wasm --key third --valid-for 90d");
    story.does(ann, &format!("hookbox plugin push guard.wasm {place}"));
    story.does(ben, "hookbox plugin update");
    story.does(ben, TRY);
    story.ends(ben, &format!("hookbox plugin add {place}:1.2.0 --yes"), &[], 1);
}

fn attacks(
    story: &mut Story,
    (ann, ben, mallory): (&Person, &Person, &Person),
    place: &str,
    registry: &Registry,
) {
    story.heading("What else Mallory tries");
    changed_files(story, ben);
    story.tell("A release without a signature. That one is asked for does not depend on there being one.");
    builds(mallory, "acme/guard", ("1.5.0", 9), "allows", MORE);
    story.does(mallory, &format!("hookbox plugin push guard.wasm {place} --unsigned"));
    story.ends(ben, "hookbox plugin update", &[], 1);
    story.ends(ben, &format!("hookbox plugin add {place} --unsigned --yes"), &[], 1);
    story.tell("A release with a signature of Mallory's own.");
    makes_key(story, mallory, "own", "Mallory's key");
    builds(mallory, "acme/guard", ("1.5.1", 9), "allows", MORE);
    story.does(mallory, "hookbox plugin sign guard.wasm --key own");
    story.does(mallory, &format!("hookbox plugin push guard.wasm {place}"));
    story.ends(ben, "hookbox plugin update", &[], 1);
    story.tell("A statement that Ann signed, beside another file.");
    for end in ["", ".sig"] {
        let name = format!("guard.wasm.statement.json{end}");
        fs::copy(ann.path(&name), mallory.path(&name)).unwrap();
    }
    fs::copy(ben.bed.path(&format!("{CONFIG}/allowed_signers")), mallory.path("signers")).unwrap();
    story.ends(mallory, "hookbox plugin verify guard.wasm --allowed-signers signers", &[], 1);
    story.tell("A name that looks like Ann's.");
    builds(mallory, "acme-evil/guard", ("1.0.0", 1), "allows", "");
    story.does(mallory, "hookbox plugin sign guard.wasm --key own");
    let evil = format!("oci://{}", registry.at("acme-evil/guard"));
    story.does(mallory, &format!("hookbox plugin push guard.wasm {evil}"));
    story.ends(ben, &format!("hookbox plugin add {evil} --yes"), &[], 1);
    story.tell("And none of it has changed what Ben has.");
    story.does(ben, TRY);
}

/// The plugin goes on working, and it is told that nothing newer came.
fn kept_back(story: &mut Story, ann: &Person, ben: &Person, place: &str) {
    story.heading("Nothing newer comes");
    story.tell(
        "With `--valid-for` Ann says until when a release is the newest. Whoever can keep newer ones from Ben cannot keep from him that this \
         is over. Here nobody waits for it: the statement is written by hand, with a day that is over, and signed with OpenSSH.",
    );
    builds(ann, "acme/guard", ("1.4.2", 7), "denies", MORE);
    story.does(ann, "hookbox plugin sign guard.wasm --key third --expires 2999-12-31");
    story.does(
        ann,
        "sed -i 's/2999-12-31/2026-01-31/' guard.wasm.statement.json && rm guard.wasm.statement.json.sig",
    );
    story.does(ann, "ssh-keygen -q -Y sign -n release@hookbox -f third guard.wasm.statement.json");
    story.does(ann, &format!("hookbox plugin push guard.wasm {place}"));
    story.does(ben, "hookbox plugin update | tail -n 4");
    story.does(ben, "hookbox plugin outdated");
    story.tell("It is called all the same.");
    story.does(ben, TRY);
    story.tell("Ann has nothing newer, and says so: the same file, with another day.");
    story.does(ann, "hookbox plugin sign guard.wasm --key third --expires 2999-12-31");
    story.does(ann, &format!("hookbox plugin push guard.wasm {place} --replace"));
    story.does(ben, "hookbox plugin update");
    story.does(ben, "hookbox plugin outdated");
}

fn denied(story: &mut Story, ann: &Person, ben: &Person, place: &str) {
    story.heading("A release is bad, and its key is not");
    story.tell("Ann finds that release 7 lets something pass. She tells its digest, and Ben denies it: it is not called any more, whoever signed it.");
    let policy = ben.bed.path(&format!("{CONFIG}/policy.toml"));
    let digest = hookbox::Sha256Digest::of(&fs::read(ann.path("guard.wasm")).unwrap());
    let deny =
        format!("\n[[deny]]\ncomponent = \"sha256:{}\"\nreason = \"it lets sudo pass\"\n", digest.as_str());
    fs::write(&policy, fs::read_to_string(&policy).unwrap() + &deny).unwrap();
    story.does(ben, "tail -n 3 ~/.config/hookbox/policy.toml");
    story.ends(ben, "hookbox check", &[], 1);
    story.does(ben, TRY);
    builds(ann, "acme/guard", ("1.4.3", 8), "denies", MORE);
    story.does(ann, "hookbox plugin sign guard.wasm --key third --valid-for 90d");
    story.does(ann, &format!("hookbox plugin push guard.wasm {place}"));
    story.does(ben, "hookbox plugin update | tail -n 1");
    story.does(ben, "hookbox check");
}

/// What somebody who can write to the user's files tries.
fn changed_files(story: &mut Story, ben: &Person) {
    story.tell("A lock file that says otherwise: nothing of it is used.");
    story.does(ben, "cp ~/.config/hookbox/hookbox.lock kept");
    story.does(ben, "sed -i 's/^seq = 8/seq = 8.5/' ~/.config/hookbox/hookbox.lock");
    story.ends(ben, "hookbox plugin update", &[], 1);
    story.does(ben, "cp kept ~/.config/hookbox/hookbox.lock");
    story.tell("Another file in the place of the one that is called. It is found out before any of it runs, and an update puts the right one there.");
    let lock = fs::read_to_string(ben.bed.path(&format!("{CONFIG}/hookbox.lock"))).unwrap();
    let digest = lock.split("\nsha256 = \"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    fs::write(ben.path("other.wasm"), guests::component("allows")).unwrap();
    story.does(ben, &format!("cp other.wasm ~/.local/share/hookbox/store/sha256/{digest}.wasm"));
    story.ends(ben, "hookbox check", &[], 1);
    story.does(ben, TRY);
    story.does(ben, "hookbox plugin update | tail -n 1");
    story.does(ben, TRY);
}

fn left(story: &mut Story, ben: &Person) {
    story.heading("The end");
    story.does(ben, "hookbox plugin remove guard --yes");
    story.does(ben, "hookbox plugin gc");
    story.tell(ATTACKS);
}
