//! The program that guards, and agents that are started without it.

use crate::support::all;

#[test]
fn the_program_is_neither_replaced_nor_removed() {
    all(
        "deny hook-config",
        &[
            "cp x ~/.local/bin/hookbox",
            "cp hookbox ~/.local/bin/",
            "cp hookbox ~/.local/bin",
            "install -m 755 x /usr/local/bin/hookbox",
            "sudo ln -sf /bin/true /usr/bin/hookbox",
            "mv ~/.cargo/bin/hookbox /tmp",
            "rm ~/.cargo/bin/hookbox",
            "rm ~/.local/bin/hookbox-compile",
            "rm /opt/homebrew/bin/hookbox",
            "echo '#!/bin/sh' > ~/bin/hookbox",
            "chmod -x ~/.local/bin/hookbox",
            "truncate -s0 ~/.local/bin/hookbox",
            "rm \"$(which hookbox)\"",
            "rm $(command -v hookbox)",
            "chmod 0 `which hookbox`",
            "which hookbox | xargs rm",
            "rm ~/.local/bin/hook*",
            "dd if=/dev/zero of=/usr/bin/hookbox",
            "cargo uninstall hookbox",
            "brew uninstall hookbox",
            "sudo apt-get remove -y hookbox",
            "apt purge hookbox",
            "dnf remove hookbox",
            "npm uninstall -g hookbox",
            "pipx uninstall hookbox",
            "pip uninstall -y hookbox",
            "sudo pacman -Rns hookbox",
            "dpkg --purge hookbox",
            "nix profile remove hookbox",
            "nix-env -e hookbox",
        ],
    );
}

#[test]
fn the_program_is_not_ended() {
    all(
        "deny hook-config",
        &[
            "pkill hookbox",
            "pkill -9 -f hookbox",
            "pkill -f 'hookbox run'",
            "pkill hookb",
            "pkill '^hook.*'",
            "killall hookbox",
            "killall -9 hookbox-compile",
            "killall -r 'hook.*'",
            "kill $(pidof hookbox)",
            "kill -9 `pgrep hookbox`",
            "kill -STOP $(pgrep -f hookbox)",
            "pgrep hookbox | xargs kill",
            "pidof hookbox | xargs -n1 kill -9",
            "ps aux | grep hookbox | awk '{print $2}' | xargs kill -9",
            "ps aux | grep '[h]ookbox' | awk '{print $2}' | xargs kill",
            "p=$(pidof hookbox); kill $p",
            "for p in $(pgrep hookbox); do kill $p; done",
            "systemctl --user stop hookbox",
            "systemctl disable hookbox.service",
            "skill hookbox",
        ],
    );
}

#[test]
fn an_agent_is_not_started_without_its_hooks() {
    all(
        "deny agent-config",
        &[
            "claude --settings '{\"disableAllHooks\":true}' -p x",
            "claude -p x --settings='{\"disableAllHooks\": true}'",
            "claude --settings ./x.json -p x",
            "claude --setting-sources project -p x",
            "claude --setting-sources '' -p x",
            "claude --bare -p x",
            "CLAUDE_CODE_SIMPLE=1 claude -p x",
            "env CLAUDE_CODE_SAFE_MODE=1 claude -p x",
            "CLAUDE_CONFIG_DIR=/tmp/x claude -p x",
            "export CLAUDE_CONFIG_DIR=/tmp/x; claude -p x",
            "HOME=/tmp/x claude -p x",
            "env HOME=/tmp/x claude -p x",
            "env -i /usr/bin/claude -p x",
            "npx @anthropic-ai/claude-code --bare -p x",
            "codex -c features.hooks=false exec x",
            "codex exec -c 'features.codex_hooks=false' x",
            "codex --config features.hooks=false x",
            "codex --disable hooks exec x",
            "codex exec --disable=codex_hooks x",
            "CODEX_HOME=/tmp/x codex exec x",
            "GEMINI_CLI_HOME=/tmp/x gemini -p x",
            "GEMINI_CLI_SYSTEM_SETTINGS_PATH=/tmp/x.json gemini -p x",
            "XDG_CONFIG_HOME=/tmp/x opencode run x",
            "OPENCODE_CONFIG_DIR=/tmp/x opencode run x",
            "COPILOT_HOME=/tmp/x copilot -p x",
        ],
    );
    all(
        "none",
        &[
            "claude -p 'explain this'",
            "claude --version",
            "claude --model opus -p x",
            "codex exec x",
            "codex -c model=o3 exec x",
            "gemini -p x",
            "HOME=/tmp/x make test",
            "CODEX_HOME=/tmp/x ls",
            "echo claude --bare",
            "git commit -m 'claude --bare'",
        ],
    );
}

#[test]
fn the_name_alone_harms_nothing() {
    all(
        "none",
        &[
            "which hookbox",
            "ls -l $(which hookbox)",
            "pgrep hookbox",
            "ps aux | grep hookbox",
            "cargo install hookbox",
            "cp target/debug/hookbox /tmp/hookbox",
            "rm target/debug/hookbox",
            "kill $(pidof node)",
            "pkill node",
            "pkill -f 'vite dev'",
            "kill %1",
            "killall node",
            "systemctl status hookbox",
            "cargo uninstall ripgrep",
            "npm uninstall left-pad",
            "strings ~/.local/bin/hookbox",
            "grep hookbox README.md | xargs echo",
        ],
    );
}
