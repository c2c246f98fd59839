//! The shipped plugins go the way of everybody's: signed, verified by hookbox and by OpenSSH, handed out, added.

use std::{fs, path::Path};

use crate::{
    USER, WHO, generate_key, read_public_key, run_keygen, sign_plugin, testbed::TestBed, verify_plugin,
    write_allowed_signers,
};

/// The files, each with its bytes.
fn read_shipped(bed: &TestBed) -> Vec<(String, Vec<u8>)> {
    let folder = bed.resolve_path("[SHIPPED]");
    let entries = fs::read_dir(&folder).unwrap_or_else(|_| panic!("`cargo xtask plugins` makes the plugins"));
    let files = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.map(|file| (read_plugin_name(&file), fs::read(&file).unwrap())).collect();
    files.sort();
    files
}

fn read_plugin_name(file: &Path) -> String {
    file.file_stem().unwrap().to_str().unwrap().to_owned()
}

fn hash_bytes(bytes: &[u8]) -> String {
    hookbox::Sha256Digest::of_content(bytes).as_str().to_owned()
}

/// Says yes to everything, and has to come to a good end.
fn run_hookbox(bed: &TestBed, words: &[&str]) -> String {
    let ran = bed.run_hookbox(words);
    assert_eq!(ran.code, 0, "{words:?}: {ran}");
    ran.stdout
}

#[test]
fn every_one_is_signed_verified_pushed_pulled_and_added_as_the_same_file() {
    let bed = TestBed::new();
    generate_key(&bed, "a", "ed25519");
    write_allowed_signers(&bed, &[(WHO, "a")]);
    bed.write_bytes("[PROJECT]/signers", format!("{WHO} {}\n", read_public_key(&bed, "a")).as_bytes());
    let plugins = read_shipped(&bed);
    assert!(plugins.len() >= 9, "{}", plugins.len());
    for (name, bytes) in &plugins {
        goes_the_way(&bed, name, bytes);
    }
    let lock = fs::read_to_string(bed.resolve_path(&format!("{USER}/hookbox.lock"))).unwrap();
    for (name, bytes) in &plugins {
        let row = lock.split("[[plugin]]").find(|row| row.contains(&format!("\"hookbox/{name}\""))).unwrap();
        assert!(row.contains(&hash_bytes(bytes)) && row.contains(WHO), "{name}: {row}");
    }
}

fn goes_the_way(bed: &TestBed, name: &str, bytes: &[u8]) {
    let file = format!("{name}.wasm");
    bed.write_bytes(&format!("[PROJECT]/{file}"), bytes);
    assert_eq!(sign_plugin(bed, &file, "a").code, 0, "{name}");
    let verified = verify_plugin(bed, &file);
    assert!(
        verified.code == 0 && verified.stdout.contains(&format!("signed by {WHO}")),
        "{name}: {verified}"
    );
    let statement = fs::read(bed.resolve_path(&format!("[PROJECT]/{file}.statement.json"))).unwrap();
    let signature = format!("{file}.statement.json.sig");
    let words =
        ["-Y", "verify", "-f", "signers", "-I", WHO, "-n", "release@hookbox", "-s", signature.as_str()];
    let good = run_keygen(bed, &words, &statement);
    assert!(
        good.code == 0 && good.stdout.starts_with("Good \"release@hookbox\" signature"),
        "{name}: {good}"
    );
    let layout = format!("oci-layout:out-{name}");
    run_hookbox(bed, &["plugin", "push", &file, &layout]);
    let back = format!("back-{name}");
    fs::create_dir(bed.resolve_path(&format!("[PROJECT]/{back}"))).unwrap();
    run_hookbox(bed, &["plugin", "pull", &layout, "--into", &back]);
    for end in ["", ".statement.json", ".statement.json.sig"] {
        let read =
            |folder: &str| fs::read(bed.resolve_path(&format!("[PROJECT]/{folder}/{file}{end}"))).unwrap();
        assert!(read(".") == read(&back), "{name}{end}");
    }
    // For those that cannot be without.
    let grant: &[&str] = match name {
        "ask-server" => &["--grant", "http=https://rules.example/"],
        "limit-calls" => &["--grant", "kv=session"],
        _ => &[],
    };
    run_hookbox(bed, &[&["plugin", "add", &layout, "--yes"], grant].concat());
    let stored =
        bed.resolve_path(&format!("[HOME]/.local/share/hookbox/store/sha256/{}.wasm", hash_bytes(bytes)));
    assert!(fs::read(stored).is_ok_and(|stored| stored == bytes), "{name}");
}
