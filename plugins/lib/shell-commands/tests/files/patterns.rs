//! Patterns in names: what they match, and where a line keeps them.

use shell_commands::{is_matched, pattern};

use crate::{CHANGES, all, none};

#[test]
fn a_pattern_matches_names_as_it_does_for_a_shell() {
    for (component, name, matches) in [
        ("h*", "hooks", true),
        ("*x", "box", true),
        ("*", "box", true),
        ("*", ".box", false),
        (".*", ".box", true),
        ("[!n]*", "hooks", true),
        ("[^n]*", "nooks", false),
        ("[n]*", "hooks", false),
        ("[a-h]*", "hooks", true),
        ("[a-g]*", "hooks", false),
        ("[]h]*", "hooks", true),
        ("[h-]*", "-ooks", true),
        ("[[:alpha:]]*", "hooks", true),
        ("[[:digit:]]*", "hooks", false),
        ("[![:digit:]_]*", "hooks", true),
        ("[[:strange:]]*", "hooks", true),
        ("h[o", "h", false),
        ("hooks", "hooks", false),
    ] {
        assert_eq!(is_matched(&pattern(component), name), matches, "{component} {name}");
    }
}

#[test]
fn a_pattern_stays_one_wherever_a_line_keeps_it() {
    let path = format!("~/p/{}", pattern("[ab]*"));
    all(
        CHANGES,
        &path,
        &[
            "rm ~/p/[ab]*",
            "for f in ~/p/[ab]*; do rm \"$f\"; done",
            "a=(~/p/[ab]*); rm \"${a[@]}\"",
            "a=(~/p/[ab]*); rm \"${a[0]}\"",
            "x=~/p/[ab]*; rm $x",
            "set -- ~/p/[ab]*; rm \"$1\"",
            "rm $(ls -d ~/p/[ab]*)",
            "printf '%s\\n' ~/p/[ab]* | xargs rm",
            "compgen -G ~/p/'[ab]*' | xargs rm",
            "cd ~/p; rm [ab]*",
        ],
    );
    none(CHANGES, &path, &["rm ~/p/'[ab]*'", "x=~/p/[ab]*; rm \"$x\"", "ls ~/p/[ab]*"]);
    all(
        CHANGES,
        &format!("~/p/\u{FDD5}/{}", pattern("[ab]*")),
        &["find ~/p -name '[ab]*' -delete", "find ~/p -iname '[ab]*' -exec rm {} +"],
    );
}

#[test]
fn folders_of_programs_are_where_they_usually_are() {
    all(
        CHANGES,
        "~/.config/a",
        &[
            "rm $XDG_CONFIG_HOME/a",
            "rm \"${XDG_CONFIG_HOME:-$HOME/.config}/a\"",
            "cd \"$XDG_CONFIG_HOME\" && rm a",
        ],
    );
    all(CHANGES, "~/.local/state/a", &["rm $XDG_STATE_HOME/a"]);
    none(CHANGES, "~/.config/a", &["XDG_CONFIG_HOME=/x; rm $XDG_CONFIG_HOME/a"]);
}
