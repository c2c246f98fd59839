//! `plugin wit`.

use std::fs;

use wit_parser::Resolve;

use crate::{create_bed, guests, list_files};

#[test]
fn the_world_is_printed_as_one_text_that_tools_read() {
    let bed = create_bed();
    for (words, start) in [
        (&["plugin", "wit"][..], "package hookbox:hook@0.2.0;\n"),
        (&["plugin", "wit", "--version", "0.1.0"], "package hookbox:hook@0.1.0;\n"),
    ] {
        let ran = bed.run_hookbox(words);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran}");
        assert!(ran.stdout.starts_with(start), "{ran}");
        assert_eq!(ran.stdout.contains("interface http"), start.contains("0.2.0"), "{ran}");
        let mut resolve = Resolve::default();
        let package = resolve.push_str("hook.wit", &ran.stdout).unwrap();
        assert!(resolve.select_world(&[package], Some("hook")).is_ok());
    }
}

#[test]
fn the_files_of_a_version_are_written_into_a_folder_and_replaced_by_a_newer_one() {
    let bed = create_bed();
    let folder = bed.resolve_path("[PROJECT]/my/wit");
    for version in ["0.1.0", "0.2.0"] {
        let ran = bed.run_hookbox(&["plugin", "wit", "--version", version, "--out", "my/wit"]);
        assert_eq!(ran.code, 0, "{ran}");
        let original = guests::repository_folder("wit").join(version);
        assert_eq!(list_files(&folder), list_files(&original));
        for name in list_files(&folder) {
            assert_eq!(fs::read(folder.join(&name)).unwrap(), fs::read(original.join(&name)).unwrap());
        }
    }
    // The older version has no file `http.wit`, which would stay.
    let ran = bed.run_hookbox(&["plugin", "wit", "--version", "0.1.0", "--out", "my/wit"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{ran}");
    assert!(ran.stderr.contains("is not a file of hookbox:hook@0.1.0"), "{ran}");
    assert!(fs::read_to_string(folder.join("world.wit")).unwrap().contains("@0.2.0"));
}

#[test]
fn a_file_of_the_author_is_not_replaced() {
    let bed = create_bed();
    bed.write_file("[PROJECT]/wit/types.wit", "package a:b;");
    let ran = bed.run_hookbox(&["plugin", "wit", "--out", "wit"]);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (
            1,
            "error: [PROJECT]/wit/types.wit is not a file of hookbox:hook@0.2.0, and all WIT files of a folder are one package; \
             nothing was written\nhelp: name another folder with --out, or move the file away\n"
        ),
        "{ran}"
    );
    assert_eq!(list_files(&bed.resolve_path("[PROJECT]/wit")), ["types.wit"]);
    assert_eq!(fs::read_to_string(bed.resolve_path("[PROJECT]/wit/types.wit")).unwrap(), "package a:b;");
}

#[test]
fn an_unknown_version_is_refused_with_the_known_ones() {
    let ran = create_bed().run_hookbox(&["plugin", "wit", "--version", "0.3.0"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran}");
    assert!(ran.stderr.starts_with("error: hookbox's world has no version `0.3.0`; "), "{ran}");
    assert!(ran.stderr.ends_with("allowed: 0.1.0, 0.2.0\n"), "{ran}");
}
