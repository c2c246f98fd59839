//! Values that are cut, replaced or taken in part.

use crate::support::{all, all_with};

#[test]
fn what_is_left_of_a_path_in_a_home_folder_is_judged() {
    all(
        "deny hook-config",
        &[
            "x=~/.config/hookbox/hooks.tomlZZ; rm ${x%%Z*}",
            "x=~/.config/hookbox/hooks.tomlZ; rm ${x%?}",
            "x=$HOME/.config/hookbox/hooks.tomlZ; rm \"${x%Z}\"",
            "x=~/.config/hookbox/hooks.toml/; rm ${x%/*}",
        ],
    );
    all(
        "deny agent-config",
        &[
            "x=~/.claude/settings.jsonZ; rm ${x/Z/}",
            "x=~/.claude/settings.jsonZ; rm ${x:0:-1}",
            "x=~/.claude/settings.jsonZ; rm ${x%?}",
            "x=~/.claude/settings.jsonZ; rm ${x%[Z]}",
            "x=~/.claude/settings.json.bak; cp y ${x%.bak}",
        ],
    );
    all(
        "deny rm-root",
        &[
            "x=~/Z; rm -rf ${x%Z}",
            "x=$HOME/Z; rm -rf ${x%Z}",
            "x=~/Z; rm -rf ${x/Z}",
            "rm -rf ${HOME%/}",
            "rm -rf \"${HOME%/*}\"",
            "x=~/a/b; rm -rf ${x%%a*}",
        ],
    );
}

#[test]
fn quotes_in_the_pattern_make_its_characters_plain() {
    all(
        "deny rm-root",
        &[
            "z=Z; x=/ZZ; rm -rf ${x%%\"$z\"*}",
            "z=Z; x=/ZZ; rm -rf ${x%%$z*}",
            "z='Z*'; x=/ZZ; rm -rf ${x%%$z}",
            r"x=/\*; rm -rf ${x%%\*}",
            "x=/'*'; rm -rf ${x%%'*'}",
            "x=/'*'; rm -rf ${x%%\"*\"}",
            "x=/'?'; rm -rf ${x/'?'/}",
            "x=/Z; rm -rf ${x/\"Z\"/}",
            r"x=/Z; rm -rf ${x/\Z/}",
            "x=/ZZ; rm -rf ${x/Z*/}",
            "x=/ZZ; rm -rf ${x//Z}",
            "x=/ZZ; rm -rf ${x//[Z]/}",
            "x=/Z; rm -rf ${x/%Z/}",
            "x=Z/; rm -rf ${x/#Z/}",
            "z=Z; x=/Z; rm -rf ${x/$z/}",
        ],
    );
    all(
        "none",
        &[
            "x=/tmp/a.b.c; rm -rf ${x%.*}",
            "x=/tmp/aZ; rm ${x%%'*'}",
            "x=src/a.rs; echo ${x/src/dst}",
            "f=~/notes.txt; cp $f ${f%.txt}.bak",
            "rm -rf \"${x%/}/target\"; y=1",
        ],
    );
}

#[test]
fn what_is_left_but_can_not_be_known_is_asked_about() {
    all_with(
        r#"{"ask": ["unknown-argument"]}"#,
        "ask unknown-argument",
        &["rm -rf ${HOME:0:-2}", "rm -rf ${HOME/e/}"],
    );
}
