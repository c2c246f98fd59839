//! Current folder of a line, and the paths of its words there.

use crate::{CHANGES, all, none, touched};

#[test]
fn a_tilde_behind_the_sign_of_an_assignment_is_the_home_folder() {
    all(
        CHANGES,
        "~/p/a",
        &[
            "export D=~/p; rm $D/a",
            "declare D=~/p/a; rm \"$D\"",
            "f() { local D=~/p; rm $D/a; }; f",
            "readonly D=~/p; rm $D/a",
            "typeset -r D=~/p; rm $D/a",
            "export -n D=~/p; rm $D/a",
            "dd if=/dev/null of=~/p/a",
            "env X=~/p sh -c 'rm $X/a'",
        ],
    );
    none(CHANGES, "~/p/a", &["export 'D=~/p'; rm $D/a", "export D='~/p'; rm \"./$D/a\""]);
}

#[test]
fn it_is_known_which_folders_a_line_has_left_and_goes_back_to() {
    all(
        CHANGES,
        "~/p/a",
        &[
            "cd ~/p; cd /; cd -; rm a",
            "cd ~/p; cd /; rm ~-/a",
            "cd ~/p; cd /; cd \"$OLDPWD\"; rm a",
            "pushd ~/p; pushd /tmp; popd; rm a",
            "cd ~/p; pushd /; popd; rm a",
            "pushd ~/p; pushd /tmp; pushd; rm a",
        ],
    );
    all(
        CHANGES,
        "~/p/a",
        &[
            "pushd -n ~/p; popd; rm a",
            "pushd ~/p; pushd /tmp; pushd /; rm ~2/a",
            "pushd ~/p; pushd /; rm ~1/a",
            "pushd ~/p; pushd /; rm ~+1/a",
            "cd ~/p; pushd /; pushd /tmp; rm ~-0/a",
            "PWD=~/p; rm $PWD/a",
            "unshare -w ~/p rm a",
            "git -C ~/p -c alias.z='!rm a' z",
            "git -C ~ -C p -c core.pager='rm a' log",
            "make -C ~/p --eval='x: ; rm a' x",
            "make --directory ~/p -f - x <<< 'x: ; rm a'",
        ],
    );
    all(
        CHANGES,
        "/tmp/x/p/a",
        &[
            "HOME=/tmp/x; rm ~/p/a",
            "env HOME=/tmp/x sh -c 'rm ~/p/a'",
            "HOME=/tmp/x/p; cd; rm a",
            "PWD=/tmp/x; rm ~+/p/a",
        ],
    );
    none(CHANGES, "~/p/a", &["export HOME=$(mktemp -d); rm -rf ~/p/a", "HOME=/tmp/x; rm $HOME/p/a"]);
    none(CHANGES, "~/p/a", &["pushd -n ~/p; rm a", "trap 'cd ~/p' EXIT; rm a", "PWD=~/p; cd /; rm $PWD/a"]);
    // Nobody knows where: the path has no folder.
    all(
        CHANGES,
        "a",
        &[
            "trap 'cd ~/p' DEBUG; rm a",
            "alias c='cd ~/p'; c; rm a",
            "popd; rm a",
            "cd -; rm a",
            "pushd ~/p; pushd +1; rm a",
            "CDPATH=~; cd p; rm a",
            "cd \"$X\"; rm a",
        ],
    );
}

#[test]
fn a_pattern_matches_dot_names_if_a_shell_option_enables_it() {
    let dotted = format!("~/.{}", shell_commands::pattern("*"));
    all(
        CHANGES,
        &dotted,
        &[
            "shopt -s dotglob; rm -rf ~/*",
            "cd ~; shopt -s dotglob; rm -rf *",
            "bash -O dotglob -c 'rm -rf ~/*'",
            "setopt globdots; rm -rf ~/*",
            "setopt GLOB_DOTS; rm -rf ~/*",
        ],
    );
    none(
        CHANGES,
        &dotted,
        &["rm -rf ~/*", "shopt -s dotglob; shopt -u dotglob; rm -rf ~/*", "shopt -s nullglob; rm -rf ~/*"],
    );
}

#[test]
fn an_element_of_an_array_is_what_it_was_set_to() {
    all(
        CHANGES,
        "~/p",
        &[
            "a[0]=~/p; rm -rf ${a[0]}",
            "a[0]=x; a[1]=~/p; rm -rf \"${a[1]}\"",
            "a=(x ~/p); rm -rf \"${a[1]}\"",
            "a=(x); a+=(~/p); rm -rf \"${a[1]}\"",
            "a=(x ~/p); rm -rf \"${a[@]}\"",
            "i=1; a=(x ~/p); rm -rf \"${a[$i]}\"",
            "a=(x ~/p); rm -rf \"${a[-1]}\"",
            "read -ra a <<< \"x $HOME/p\"; rm -rf \"${a[1]}\"",
            "mapfile -t a <<< $'x\n'$HOME/p; rm -rf \"${a[1]}\"",
            "declare -A m=([k]=~/p [l]=x); rm -rf \"${m[k]}\"",
            "declare -A m; m[k]=~/p; m[l]=x; rm -rf \"${m[k]}\"",
        ],
    );
    none(CHANGES, "~/p", &["a=(x ~/p); rm -rf \"${a[0]}\"", "a=(~/p); a=(x); rm -rf \"${a[0]}\""]);
}

#[test]
fn a_folder_that_was_made_for_a_while_is_a_new_one() {
    for command in
        ["cd \"$(mktemp -d)\" && rm -rf p", "d=$(mktemp -d); rm -rf \"$d/p\"", "cd $(mktemp -d -t x) && rm p"]
    {
        let paths: Vec<String> = touched(command).into_iter().map(|touched| touched.path).collect();
        let is_new = |path: &String| path.starts_with("/tmp/tmp.") && path.ends_with("/p");
        assert!(paths.iter().any(is_new), "{command}: {paths:?}");
    }
    // Each is another one, and where it is said where, it may be there.
    let two = "a=$(mktemp -d); b=$(mktemp -d); rm $a/p $b/p";
    assert_eq!(touched(two).len(), 2, "{:?}", touched(two));
    all(CHANGES, "p", &["cd \"$(TMPDIR=~/p mktemp -d)\" && rm p", "cd \"$(mktemp -d -p \"$X\")\" && rm p"]);
}
