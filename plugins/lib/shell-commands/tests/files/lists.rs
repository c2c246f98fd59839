//! Files that one command lists and another one changes.

use shell_commands::Access;

use crate::{CHANGES, all, none, touched};

/// Returns true if a command changes everything below a folder.
fn is_swept(command: &str, folder: &str) -> bool {
    touched(command).iter().any(|touched| {
        let below = touched.path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
        touched.access == Access::Write && touched.is_whole && below.is_some_and(shell_commands::is_pattern)
    })
}

#[test]
fn what_is_found_and_handed_on_is_changed() {
    all(
        CHANGES,
        "~/p/a",
        &[
            "grep -l x ~/p/a | xargs sed -i s/x/y/",
            "grep --files-with-matches x ~/p/a | xargs sed -i s/x/y/",
            "rg -l x ~/p/a | xargs sed -i s/x/y/",
            "zgrep -l x ~/p/a | xargs sed -i s/x/y/",
            "git ls-files ~/p/a | xargs rm",
            "grep -l x ~/p/a | xargs -I{} cp /dev/null {}",
            "sed -i s/x/y/ $(grep -l x ~/p/a)",
            "for f in $(grep -l x ~/p/a); do rm $f; done",
            "grep -l x ~/p/a | while read f; do rm \"$f\"; done",
        ],
    );
    none(
        CHANGES,
        "~/p/a",
        &[
            "grep -l x ~/p/a | xargs cat",
            "grep x ~/p/a | xargs rm",
            "grep -c x ~/p/a | xargs rm",
            "zgrep x ~/p/a | xargs rm",
        ],
    );
}

#[test]
fn what_is_found_by_no_name_is_all_that_is_below() {
    for command in [
        "find ~/p -type f -exec sed -i s/x/y/ {} +",
        "find ~/p -type f -exec sed -i s/x/y/ {} \\;",
        "find ~/p -type f | xargs sed -i s/x/y/",
        "find ~/p -type f -print0 | xargs -0 sed -i s/x/y/",
        "sed -i s/x/y/ $(find ~/p -type f)",
        "find ~/p -type f | while read -r f; do echo > \"$f\"; done",
        "grep -rl x ~/p | xargs sed -i s/x/y/",
        "grep -rlZ x ~/p | xargs -0 sed -i s/x/y/",
        "rg -l x ~/p | xargs sed -i s/x/y/",
        "git ls-files ~/p | xargs rm",
    ] {
        assert!(is_swept(command, "~/p"), "{command}: {:?}", touched(command));
    }
    for command in ["fd . ~/p -x rm", "fd '[a-z]+' ~/p -x rm", "find ~/p -maxdepth 2 -type f -exec rm {} +"] {
        assert!(is_swept(command, "~/p"), "{command}: {:?}", touched(command));
    }
    for command in [
        "find ~/p -type f -exec cat {} +",
        "find ~/p -mtime +7 -delete",
        "find ~/p -size +100M -exec rm {} +",
        "find ~/p -name '*.py' -exec sed -i s/x/y/ {} +",
        "find ~/p -type f | grep py | xargs sed -i s/x/y/",
        "grep -rl x ~/p --include='*.py' | xargs sed -i s/x/y/",
        "rg -l -t py x ~/p | xargs sed -i s/x/y/",
        "git ls-files '*.py' | xargs rm",
        "git ls-files ~/p | grep py | xargs rm",
        "cd ~/p && find . -maxdepth 1 -type f -delete",
        "cd ~/p && find -maxdepth 1 -type f -exec chmod 644 {} +",
        "fd -e py . ~/p -x rm",
        "fd -g '*.pyc' ~/p -X rm",
        "fd '^test_.*\\.py$' ~/p -x rm",
    ] {
        assert!(!is_swept(command, "~/p"), "{command}: {:?}", touched(command));
    }
}

#[test]
fn a_search_that_looks_no_deeper_finds_what_is_directly_there() {
    let all_there = format!("~/p/{}", shell_commands::pattern("*"));
    all(
        CHANGES,
        &all_there,
        &["find ~/p -maxdepth 1 -type f -delete", "find ~/p -maxdepth 1 -type f -exec rm {} +"],
    );
    all(
        CHANGES,
        &format!("~/p/{}", shell_commands::pattern("*.log")),
        &["find ~/p -maxdepth 1 -name '*.log' -delete"],
    );
    all(CHANGES, "~/p", &["find ~/p -maxdepth 1 -exec rm -rf {} +"]);
}

#[test]
fn a_search_that_goes_no_further_than_a_name_finds_that_name() {
    let prune = "find ~/p -name x -prune -exec rm -rf {} +";
    all(CHANGES, "~/p/\u{FDD5}/x", &[prune]);
    none(CHANGES, "~/p/\u{FDD5}", &[prune]);
}

#[test]
fn what_is_found_by_what_is_in_it_in_no_folder_of_a_name_is_some_of_what_is_there() {
    for (command, is_some) in [
        ("git grep -l x | xargs sed -i s/x/y/", true),
        ("git ls-files | xargs rustfmt", true),
        ("rg -l x | xargs sed -i s/x/y/", true),
        ("sed -i s/x/y/ $(git grep -l x)", true),
        ("grep -rl x . | xargs sed -i s/x/y/", false),
        ("rg -l x src | xargs sed -i s/x/y/", false),
    ] {
        let found = touched(command);
        let changed: Vec<_> = found.iter().filter(|touched| touched.access == Access::Write).collect();
        assert!(!changed.is_empty(), "{command}: {found:?}");
        assert_eq!(changed.iter().all(|touched| touched.is_some_below()), is_some, "{command}: {found:?}");
    }
}
