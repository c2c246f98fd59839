//! A hostile image layout.

use std::{fs, os::unix::fs::symlink, path::Path};

use bytes::Bytes;
use hookbox_registry::{Annotations, Found, Package, Pick, Release, Signed, layout};

/// Returns a layout of one plugin, with the files of its manifest and its component.
fn layout_of_one() -> (tempfile::TempDir, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let component = Bytes::from(wat::parse_str("(component)").unwrap());
    let release = Release {
        component: component.clone(),
        name: "acme/guard".to_owned(),
        version: "1.0.0".to_owned(),
        annotations: Annotations::new(),
        signed: Signed::default(),
    };
    let package = Package::new(&[release]).unwrap();
    for (path, content) in layout::build_files(None, &package, &"1.0.0".parse().unwrap(), false).unwrap() {
        let file = folder.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
    let blob = |digits: &str| format!("blobs/sha256/{digits}");
    let of_component = hookbox_registry::Digest::of_content(&component);
    (folder, blob(package.digest().digits()), blob(of_component.digits()))
}

fn pull_layout(folder: &Path) -> String {
    let found = layout::Layout::open(folder).and_then(|layout| layout.pull(&Pick::Newest));
    match found {
        Ok(Found::Plugin(_)) => "a plugin".to_owned(),
        Ok(Found::Pack(_)) => "a pack".to_owned(),
        Err(error) => error.to_string().replace(&folder.display().to_string(), "[LAYOUT]"),
    }
}

#[test]
fn a_folder_with_other_content_than_its_digests_say_is_refused() {
    let (folder, _, _) = layout_of_one();
    assert_eq!(pull_layout(folder.path()), "a plugin");
    for which in 0..2 {
        for (change, message) in [
            (|bytes: &mut Vec<u8>| bytes[0] ^= 1, "[LAYOUT] has other content for `sha256:"),
            (|bytes: &mut Vec<u8>| bytes.truncate(3), "[LAYOUT] has other content for `sha256:"),
            (|bytes: &mut Vec<u8>| bytes.push(0), "[LAYOUT]/blobs/sha256/"),
        ] as [(fn(&mut Vec<u8>), &str); 3]
        {
            let (folder, manifest, component) = layout_of_one();
            let file = folder.path().join([manifest, component].into_iter().nth(which).unwrap());
            let mut bytes = fs::read(&file).unwrap();
            change(&mut bytes);
            fs::write(&file, bytes).unwrap();
            let found = pull_layout(folder.path());
            assert!(found.starts_with(message), "{found}");
        }
    }
}

#[test]
fn a_folder_with_links_in_the_place_of_content_is_refused() {
    for name in ["index.json", "oci-layout", "a component"] {
        let (folder, _, component) = layout_of_one();
        let file = folder.path().join(if name == "a component" { &component } else { name });
        let aside = folder.path().join("aside");
        fs::rename(&file, &aside).unwrap();
        symlink(&aside, &file).unwrap();
        let found = pull_layout(folder.path());
        assert!(found.contains("cannot be read"), "{name}: {found}");
    }
    let (folder, _, _) = layout_of_one();
    let blobs = folder.path().join("blobs/sha256");
    fs::rename(&blobs, folder.path().join("aside")).unwrap();
    symlink(folder.path().join("aside"), &blobs).unwrap();
    let found = pull_layout(folder.path());
    assert!(found.contains("cannot be read"), "{found}");
}

#[test]
fn a_folder_without_a_mark_with_a_tag_twice_or_of_another_version_is_refused() {
    let changed = |name: &str, from: &str, to: &str| {
        let (folder, _, _) = layout_of_one();
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(folder.path().join(name), text.replacen(from, to, 1)).unwrap();
        pull_layout(folder.path())
    };
    assert_eq!(changed("oci-layout", "1.0.0", "2.0.0"), "the image layout is of another version than 1.0.0");
    assert_eq!(
        changed("index.json", "\"schemaVersion\":2", "\"schemaVersion\":1"),
        "`index.json` has another `schemaVersion` than 2"
    );
    assert!(
        changed("index.json", "sha256:", "sha512:")
            .starts_with("`index.json` does not have the expected form")
    );
    assert_eq!(changed("index.json", "1.0.0\"", "latest\""), "a plugin");
    let (folder, _, _) = layout_of_one();
    let file = folder.path().join("index.json");
    let mut index: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let one = index["manifests"][0].clone();
    index["manifests"].as_array_mut().unwrap().push(one);
    fs::write(&file, index.to_string()).unwrap();
    assert_eq!(pull_layout(folder.path()), "[LAYOUT] has `1.0.0` twice");
    fs::remove_file(folder.path().join("oci-layout")).unwrap();
    let found = pull_layout(folder.path());
    assert!(found.starts_with("[LAYOUT]/oci-layout cannot be read: "), "{found}");
    let empty = tempfile::tempdir().unwrap();
    assert!(pull_layout(empty.path()).starts_with("[LAYOUT]/oci-layout cannot be read: "));
}

#[test]
fn a_pipe_in_the_place_of_content_is_refused_without_waiting() {
    let (folder, _, component) = layout_of_one();
    let file = folder.path().join(component);
    fs::remove_file(&file).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, &file, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0)
        .unwrap();
    let found = pull_layout(folder.path());
    assert!(found.ends_with("is not a plain file"), "{found}");
}
