//! The project as the working folder of a guest: C, Rust and Python find relative paths in the folder named `.`, Go finds them in
//! the first folder.

use std::fs;

use hookbox::model::{Folder, Grants};

use crate::{
    expect_failure,
    files::{BAD_DESCRIPTOR, NONE, NOT_PERMITTED, Place, grant_write},
};

#[test]
fn a_relative_path_starts_in_the_granted_project() {
    for place in Place::create_both() {
        assert_eq!(place.run_reading(".rfile"), (NONE, "inside".to_owned()));
        assert_eq!(place.run_writing(".wnew"), NONE);
        assert_eq!(fs::read_to_string(place.project().join("new")).unwrap(), "x");
    }
}

#[test]
fn a_relative_path_is_checked_like_the_absolute_one() {
    for place in Place::create_both() {
        fs::create_dir(place.project().join(".git")).unwrap();
        assert_ne!(place.run_reading(".wfile").0, NONE, "only reading is granted");
        for path in ["CLAUDE.md", ".git/config", "../canary"] {
            for task in ["w", "k", "d"] {
                let [absolute, relative] =
                    ["", "."].map(|folder| place.run_task(grant_write(), &format!("{folder}{task}{path}")));
                assert_eq!(absolute.log[0].message, relative.log[0].message, "{task} {path}");
                assert_eq!(absolute.refused, relative.refused, "{task} {path}");
            }
        }
        assert_eq!(place.run_writing(".wCLAUDE.md"), NOT_PERMITTED);
        assert_eq!(fs::read_to_string(place.project().join("file")).unwrap(), "inside");
        assert_eq!(fs::read_to_string(place.bed.join_path("canary")).unwrap(), "secret");
    }
}

#[test]
fn a_grant_of_another_folder_gives_no_working_folder() {
    for place in Place::create_both() {
        let grants = Grants { read: vec![Folder::At(place.project())], ..Grants::default() };
        assert_eq!(place.find_task_result(grants.clone(), "rfile").0, NONE);
        assert_eq!(place.find_task_result(grants, ".rfile").0, BAD_DESCRIPTOR);
        assert_eq!(place.find_task_result(Grants::default(), ".rfile").0, BAD_DESCRIPTOR);
    }
}

#[test]
fn the_project_is_the_first_of_several_folders() {
    for place in Place::create_both() {
        let other = place.bed.join_path("other");
        fs::create_dir(&other).unwrap();
        let grants =
            Grants { write: vec![Folder::At(other)], read: vec![Folder::Project], ..Grants::default() };
        for task in ["rfile", ".rfile"] {
            assert_eq!(place.find_task_result(grants.clone(), task), (NONE, "inside".to_owned()), "{task}");
        }
    }
}

#[test]
fn a_folder_that_is_granted_for_both_is_changed_by_each_of_its_names() {
    for place in Place::create_both() {
        let grants = Grants { read: vec![Folder::Project], ..grant_write() };
        for task in ["wfile", ".wfile"] {
            assert_eq!(place.find_task_result(grants.clone(), task).0, NONE, "{task}");
        }
    }
}

#[test]
fn a_grant_of_a_relative_path_is_refused() {
    for place in Place::create_both() {
        let grants = Grants { read: vec![Folder::At(".".into())], ..Grants::default() };
        let failure = expect_failure(&place.run_task(grants, "rfile"));
        let why = "names ., which cannot be opened as a folder: it is not an absolute path";
        assert!(failure.message.contains(why), "{failure}");
    }
}
