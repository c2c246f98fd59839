//! The program that guards, and agents that are started without it.

use crate::support::all;

#[test]
fn trust_policies_and_installed_plugins_stay_unchanged() {
    all(
        "deny hook-config",
        &[
            "rm ~/.local/share/hookbox/store/sha256/*.wasm",
            "cp evil.wasm ~/.local/share/hookbox/store/sha256/00.wasm",
            "echo 'version = 1' > ~/.config/hookbox/policy.toml",
            "cat my.pub >> ~/.config/hookbox/allowed_signers",
            "find ~ -name revoked.krl -delete",
            "rm ~/.config/hookbox/hookbox.lock",
            "ssh-keygen -k -f ~/.config/hookbox/revoked.krl my.pub",
            "rm -rf ~/.local/share/hookbox",
        ],
    );
    all(
        "none",
        &[
            "ls ~/.local/share/hookbox/store/sha256",
            "cat ~/.config/hookbox/allowed_signers",
            "cat policy.toml",
        ],
    );
}

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
            "cp mine ~/.local/bin/hookbox-bundle",
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
            "HOME=/tmp/x cline task x",
            "HOME=/tmp/x kiro-cli chat x",
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
            "HOME=/tmp/x clinic x",
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

#[test]
fn a_copy_of_the_program_is_the_program() {
    all(
        "deny hook-config",
        &[
            "cp ~/.local/bin/hookbox x; ./x uninstall claude-code",
            "cp ~/.local/bin/hookbox /tmp/x && /tmp/x uninstall claude-code",
            "cp $(which hookbox) x; ./x uninstall claude-code",
            "cp ~/.local/bin/hookbox /tmp/x/; /tmp/x/hookbox uninstall claude-code",
            "ln ~/.local/bin/hookbox x; ./x uninstall claude-code",
            "ln -s ~/.local/bin/hookbox x; ./x uninstall claude-code",
            "ln -sf ~/.local/bin/hookbox /tmp/x; PATH=/tmp:$PATH x uninstall claude-code",
            "install -m755 ~/.local/bin/hookbox x; ./x disable guard",
            "cat ~/.local/bin/hookbox > x; chmod +x x; ./x uninstall claude-code",
            "cp ~/.local/bin/hookbox x; cp x y; ./y uninstall claude-code",
            "dd if=/usr/bin/hookbox of=x; ./x uninstall claude-code",
            "alias x=hookbox; x uninstall claude-code",
            "exec -a x hookbox uninstall claude-code",
        ],
    );
    // What is done with the other name in the next call nobody sees.
    all("ask hookbox-install", &["cp ~/.local/bin/hookbox x", "cp ~/.local/bin/hookbox x; ./x list"]);
    all(
        "none",
        &["cp ~/.local/bin/jq x; ./x uninstall y", "cp target/dist/hookbox out/", "cp -r src/hookbox backup"],
    );
}

#[test]
fn a_loader_or_a_debugger_runs_the_program_that_it_is_given() {
    all(
        "deny hook-config",
        &[
            "/lib64/ld-linux-x86-64.so.2 ~/.local/bin/hookbox uninstall claude-code",
            "/lib/ld-musl-x86_64.so.1 ~/.local/bin/hookbox uninstall claude-code",
            "/lib64/ld-linux-x86-64.so.2 --library-path /x ~/.local/bin/hookbox uninstall claude-code",
            "/lib64/ld-linux-x86-64.so.2 --argv0 y ~/.local/bin/hookbox uninstall claude-code",
            "qemu-x86_64 ~/.local/bin/hookbox uninstall claude-code",
            "qemu-aarch64-static -L /usr/x ~/.local/bin/hookbox uninstall claude-code",
            "gdb --args ~/.local/bin/hookbox uninstall claude-code",
            "gdb -q -ex run --args ~/.local/bin/hookbox uninstall claude-code",
            "lldb -- ~/.local/bin/hookbox uninstall claude-code",
            "rr record ~/.local/bin/hookbox uninstall claude-code",
            "box64 ~/.local/bin/hookbox uninstall claude-code",
        ],
    );
    all("deny rm-root", &["/lib64/ld-linux-x86-64.so.2 /bin/rm -rf /", "gdb -batch -ex run --args rm -rf /"]);
    all(
        "none",
        &[
            "gdb --args ./app x",
            "gdb -p 42",
            "qemu-x86_64 ./app",
            "/lib64/ld-linux-x86-64.so.2 --list /bin/ls",
        ],
    );
}

#[test]
fn the_program_is_not_made_unstartable() {
    all(
        "deny hook-config",
        &[
            "chmod -x ~/.local/bin",
            "chmod a-x ~/.local/bin",
            "chmod 000 ~/.local",
            "chmod 0 ~/.local/bin",
            "chmod 600 ~/.local/bin",
            "chmod -R a-x ~/.local/bin",
            "chmod u=rw ~/.local/bin",
            "chmod -x ~/.local/bin/*",
            "chmod -R 644 ~/.local",
            "sudo mount --bind /tmp/x ~/.local/bin",
            "mount -t tmpfs none ~/.local",
            "setfacl -m u:me:--- ~/.local/bin",
            "setfacl -R -m u:me:rw ~/.local/bin",
            "chmod -x /usr/local/bin/hookbox",
            "sudo chmod -x /usr/local/bin",
            "chmod -x ~/.cargo/bin",
            "chmod 000 ~",
            "cd ~/.local && chmod -x bin",
        ],
    );
    all(
        "none",
        &[
            "chmod +x ~/.local/bin/foo",
            "chmod -x ~/.local/bin/foo",
            "chmod 755 ~/.local/bin",
            "chmod u+rwx ~/.local/bin",
            "chmod 644 README.md",
            "chmod -x bin/run",
            "chmod 644 bin/*",
            "chmod 700 ~",
            "mount --bind /usr /mnt/image/usr",
            "chmod +x ~/.local/bin/*",
            "chmod 755 ~/.local/bin/*",
            "chmod 600 .env.example",
            "chmod -R u+w target",
        ],
    );
}

#[test]
fn settings_of_an_agent_are_not_moved() {
    all(
        "deny agent-config",
        &[
            "KIMI_CODE_HOME=/tmp/x kimi -p x",
            "kimi --config-file /tmp/x.toml -p x",
            "kimi --config-file=/tmp/x.toml -p x",
            "kimi --config 'hooks = []' -p x",
            "FACTORY_HOME_OVERRIDE=/tmp/x droid exec x",
            "droid exec --settings /tmp/x.json x",
            "droid exec --settings=/tmp/x.json x",
            "QWEN_HOME=/tmp/x qwen -p x",
            "env KIMI_CODE_HOME=/tmp/x kimi",
        ],
    );
    all(
        "none",
        &[
            "kimi -p x",
            "droid exec x",
            "KIMI_CODE_HOME=/tmp/x ls",
            "droid exec --auto low x",
            "kimi --continue",
        ],
    );
}
