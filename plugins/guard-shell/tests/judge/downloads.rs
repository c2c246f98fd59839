//! Downloads and copies from elsewhere that get their names from where they come from.

use crate::support::all;

#[test]
fn a_download_onto_a_protected_name_writes_it() {
    all(
        "deny agent-config",
        &[
            "cd ~/.claude && curl -O https://x/settings.json",
            "cd ~/.claude && curl -sSLO https://x/settings.json?raw=1",
            "cd ~/.claude && curl --remote-name https://x/settings.json",
            "cd ~/.claude && curl --remote-name-all https://x/a https://x/settings.json",
            "curl --output-dir ~/.claude -o settings.json https://x/y",
            "wget -NP ~/.claude https://x/settings.json",
            "wget -P ~/.claude https://x/settings.json",
            "wget --directory-prefix=$HOME/.claude https://x/settings.json",
            "cd ~/.claude && wget https://x/settings.json",
            "cd ~/.claude && curl -OJ https://x/y",
            "cd ~/.claude && aria2c https://x/settings.json",
            "aria2c -d ~/.claude -o settings.json https://x/y",
            "scp h:settings.json ~/.claude/",
            "scp h:settings.json ~/.claude",
            "scp u@h:/x/settings.json ~/.claude/",
            "rsync h:settings.json ~/.claude/",
            "rsync -a h:settings.json ~/.claude/",
        ],
    );
    all(
        "deny hook-config",
        &[
            "curl --output-dir ~/.local/bin -O u/hookbox",
            "wget -qP ~/.local/bin u/hookbox",
            "scp h:hookbox ~/.local/bin/",
        ],
    );
}

#[test]
fn other_downloads_are_free() {
    all(
        "none",
        &[
            "curl -O https://x/settings.json",
            "cd /tmp && curl -O https://x/a.tar.gz",
            "curl --output-dir ~/.local/bin -O https://x/jq",
            "wget -P ~/.cache/x https://x/settings.json",
            "wget https://x/y.zip",
            "scp h:notes.md ~/.claude/",
            "curl -s https://x/settings.json",
        ],
    );
}
