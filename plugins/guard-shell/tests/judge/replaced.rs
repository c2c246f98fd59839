//! Folders above protected places: removed, replaced, or filled with unreviewed files.

use crate::support::all;

#[test]
fn a_folder_above_a_protected_place_is_not_taken_away() {
    all(
        "deny hook-config",
        &[
            "rm -rf ~/.local",
            "rm -rf ~/.local/state",
            "rm -r \"$HOME/.local/\"",
            "rm -rf ~/.local/*",
            "mv ~/.local /tmp/x",
            "mv ~/.config x",
            "mv -t /tmp ~/.config",
            "mv ~/.config/* /tmp",
            "find ~/.local -delete",
            "trash ~/.config",
            "gio trash ~/.config",
            "rsync -a --delete empty/ ~/.config/",
            "git mv .hookbox x",
            "mv .git/hooks x",
            "cd ~ && mv .config x",
            "cd / && rm -rf etc/hookbox",
        ],
    );
    all(
        "deny agent-config",
        &[
            "rm -rf ~/.claude",
            "mv ~/.gemini /tmp/x",
            "trash-put ~/.claude",
            "find ~/.claude -mindepth 1 -delete",
            "rsync -a --delete empty/ .claude/",
            "tar cf x.tar --remove-files .claude",
            "git clean -fdx .claude",
            "git -C .claude clean -fdx",
        ],
    );
}

#[test]
fn nothing_is_put_in_place_of_a_folder_above_a_protected_place() {
    all(
        "deny agent-config",
        &[
            "ln -sfn x ~/.claude",
            "ln -s /tmp/x .gemini",
            "ln -sT x ~/.claude",
            "cp -r x ~/.claude",
            "cp -a x ~/.claude/",
            "cp -r x/. ~/.claude/",
            "cp -R x/* .claude",
            "cp -rT x .claude",
            "cp -r -t .claude x/*",
            "cp --recursive x .claude",
            "mv x .claude",
            "mv -T x ~/.claude",
            "mv x/.claude .",
            "cp -r x/.claude .",
            "cp -r x/.claude ~",
            "rsync -a x/ ~/.claude/",
            "rsync -a x/.claude .",
            "tar xf x.tar -C ~/.claude",
            "unzip x.zip -d .claude",
            "git clone https://x.example/y .claude",
            "git worktree add .claude",
            "mount --bind x ~/.claude",
            "mount -o bind x .claude",
            "cd .claude && tar xf ../x.tar",
            "cd .claude && unzip ../x.zip",
        ],
    );
    all(
        "deny hook-config",
        &[
            "ln -sfn x ~/.config/hookbox",
            "ln -sfn x ~/.config",
            "ln -sfn x ~/.local",
            "mount --bind x ~/.config",
            "cp -r x .git",
            "cp -r x/. .git/",
            "cp -r x/.git .",
            "mv x/.git .",
            "rsync -a x/ .git/",
            "tar xf x.tar -C .git",
        ],
    );
}

#[test]
fn replacing_files_next_to_a_protected_place_is_allowed() {
    all(
        "none",
        &[
            "cp -r nvim ~/.config/",
            "mv app.conf ~/.config/",
            "mkdir -p ~/.local/bin && mv tool ~/.local/bin/",
            "ln -s ~/dotfiles/nvim ~/.config/nvim",
            "ln -sf ~/x/tool ~/.local/bin/tool",
            "cp -r x/agents .claude/agents",
            "cp -r skills/x .claude/skills/",
            "rsync -a skills/ .claude/skills/",
            "cp a.md .claude/",
            "mv a.md .claude/commands/",
            "rm -rf ~/.local/share/app",
            "rm -rf ~/.local/lib/python3.12/site-packages/x",
            "rm -rf ~/.config/app",
            "git clone https://x.example/y ~/.config/nvim",
            "tar xf x.tar -C ~/.local",
            "cp -r build/. dist/",
            "rsync -a --delete build/ dist/",
            "mkdir -p .claude .git/info",
            "cp -r .claude /tmp/x",
            "git clean -fdxn .claude",
        ],
    );
}
