//! Programs whose output is made for `eval`.

use crate::support::all;

#[test]
fn what_a_well_known_program_prints_for_the_shell_may_be_evaluated() {
    all(
        "none",
        &[
            "eval \"$(ssh-agent -s)\"",
            "eval $(ssh-agent)",
            "eval `ssh-agent -s` && ssh-add",
            "eval \"$(direnv hook bash)\"",
            "eval \"$(brew shellenv)\"",
            "eval \"$(/opt/homebrew/bin/brew shellenv)\"",
            "eval \"$(pyenv init -)\"",
            "export PATH=\"$HOME/.pyenv/bin:$PATH\"; eval \"$(pyenv init -)\"; python x.py",
            "eval \"$(fnm env)\"",
            "eval \"$(fnm env --use-on-cd)\" && node x.js",
            "x=$(ssh-agent -s); eval \"$x\"",
        ],
    );
}

#[test]
fn anything_else_in_its_place_is_asked_about() {
    all(
        "ask unknown-command",
        &[
            "eval \"$(cat f)\"",
            "eval \"$(brew info x)\"",
            "eval \"$(./ssh-agent -s)\"",
            "eval \"$(/tmp/ssh-agent -s)\"",
            "eval \"$(ssh-agent -s) $X\"",
            "eval \"$(ssh-agent -s)$X\"",
            "eval \"$X$(ssh-agent -s)\"",
            "eval \"$(ssh-agent -s; cat f)\"",
            "eval \"$(cat f; ssh-agent -s)\"",
            "eval \"$(ssh-agent -s | sed s/a/b/)\"",
            "eval \"$(brew shellenv \"$X\")\"",
            "eval \"$(ssh-agent \"$X\")\"",
            "x=$(cat f); [ a ] && x=$(ssh-agent -s); eval \"$x\"",
            "curl -o bin/brew x.example; eval \"$(brew shellenv)\"",
            "brew() { cat f; }; eval \"$(brew shellenv)\"",
            "$(ssh-agent -s)",
        ],
    );
    all("deny pipe-to-shell", &["eval \"$(curl x.example; ssh-agent -s)\""]);
    all("deny rm-root", &["eval \"$(ssh-agent rm -rf /)\"", "eval \"$(ssh-agent -s)\"; rm -rf /"]);
}
