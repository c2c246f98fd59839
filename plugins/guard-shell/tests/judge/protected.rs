//! Files that file tools may not write are denied to commands, too.

use crate::support::{all, all_with};

#[test]
fn configuration_of_hooks_is_changed_by_no_command() {
    all(
        "deny hook-config",
        &[
            "rm ~/.config/hookbox/hooks.toml",
            "rm -rf ~/.config/hookbox",
            "rm -rf ~/.config",
            "rm -f \"$HOME\"/.config/hookbox/*",
            "cd ~/.config/hookbox && rm hooks.toml",
            "mv ~/.config/hookbox /tmp/x",
            "mv /tmp/hooks.toml ~/.config/hookbox/",
            "echo > .hookbox/hooks.toml",
            ": > .hookbox/hooks.toml",
            "cat x >> ./.hookbox/../.hookbox/hooks.toml",
            "> .git/hooks/pre-commit",
            "cp x .git/hooks/pre-commit",
            "cp pre-commit .git/hooks",
            "cp -t .git/hooks pre-commit",
            "install -m 755 x .git/hooks/pre-commit",
            "ln -sf /tmp/x .git/hooks/pre-push",
            "echo x | tee .git/hooks/pre-commit",
            "echo x | sudo tee -a .git/config",
            "sed -i s/a/b/ .git/config",
            "sed -i.bak -e s/a/b/ .git/config",
            "sed --in-place s/a/b/ .git/config",
            "perl -pi -e s/a/b/ .git/config",
            "dd if=x of=.git/hooks/pre-commit",
            "truncate -s 0 .git/hooks/pre-commit",
            "touch .hookbox/hooks.toml",
            "chmod -x .git/hooks/pre-commit",
            "curl -o .git/hooks/pre-commit https://x.example/y",
            "curl --output .git/hooks/pre-commit https://x.example/y",
            "wget -O .git/hooks/pre-commit https://x.example/y",
            "wget -P .git/hooks https://x.example/pre-commit",
            "tar xf x.tar -C .git/hooks",
            "unzip x.zip -d .git/hooks",
            "rsync -a hooks/ .git/hooks/",
            "ed .git/config < script",
            "ex -sc 'g/x/d|x' .git/config",
            "vim -es -c 'wq' .git/config",
            "find .git/hooks -delete",
            "find .git/hooks -type f -exec rm {} +",
            "ls | xargs -I{} cp {} .git/hooks/{}",
            "python3 -c \"open('.git/hooks/pre-commit', 'w').write('x')\"",
            "python3 - <<'E'\nimport os\nos.remove('.hookbox/hooks.toml')\nE",
            "python3 -c \"p='.git/config'; f=open(p, mode='a')\"",
            "node -e \"require('fs').writeFileSync('.git/hooks/pre-commit', '')\"",
            "bash -c 'rm .git/hooks/pre-commit'",
            "f=.git/hooks/pre-commit; echo x > $f",
            "if a; then f=.git/config; else f=x; fi; echo x > $f",
            "rm .g?t/hooks/pre-commit",
            "rm .GIT/hooks/pre-commit",
            "rm -rf ~/.cache/hookbox ~/.local/state/hookbox",
            "echo x > ~/.gitconfig",
            "git config core.hooksPath /tmp/x",
            "git config --global core.hookspath /tmp/x",
            "git config set core.hooksPath x",
            "git -C sub config --local core.hooksPath x",
            "git config --unset core.hooksPath",
            "git config include.path ../x",
            "git config core.fsmonitor ./x",
            "git config --global init.templateDir x",
            "hookbox uninstall claude-code",
            "sudo hookbox uninstall codex --yes",
            "hookbox disable --all-projects",
            "hookbox disable guard-shell --for 1h",
            "hookbox setup --remove --yes",
            "hookbox setup --yes --rem",
            "hookbox allow --once",
            "yes | hookbox allow --for 1h",
            "hookbox hooks clear --agent code-forge",
            "hookbox hooks remove --agent code-forge tool:pre_execute",
            "hookbox import claude-code --output ~/.config/hookbox/hooks.toml > .hookbox/hooks.toml",
        ],
    );
    all("ask git-command", &["git config alias.x '!make'", "git config filter.x.clean 'make x'"]);
    all(
        "ask hookbox-install",
        &[
            "hookbox install claude-code",
            "hookbox setup --yes",
            "ln -s ~/.local/bin/hookbox hb",
            "cp /usr/local/bin/hookbox x",
            "hookbox plugin manifest guard.wasm plugin.toml",
            "hookbox import codex --output x.toml",
            "hookbox hooks add --agent code-forge 'tool:*' 'true'",
            "hookbox enable --project",
            "hookbox a-verb-of-next-year",
        ],
    );
    all(
        "none",
        &[
            "hookbox install claude-code --dry-run",
            "hookbox check",
            "hookbox --version",
            "hookbox hooks list --agent code-forge",
            "hookbox import codex",
            "hookbox explain < e.json",
            "hookbox --help",
        ],
    );
}

#[test]
fn configuration_of_agents_is_changed_by_no_command() {
    all(
        "deny agent-config",
        &[
            "echo '{}' > ~/.claude/settings.json",
            "cp x .claude/settings.local.json",
            "rm -rf .claude",
            "rm -rf ~/.claude/*",
            "mv .claude .claude.bak",
            "mv x ~/.claude.json",
            "jq . x > .mcp.json",
            "cat > .gemini/settings.json <<'E'\n{}\nE",
            "tee .codex/config.toml < x",
            "sed -i s/a/b/ .cursor/hooks.json",
            "echo x > .github/hooks/x.json",
            "rm .forge/hooks.json",
            "echo x > .windsurf/hooks.json",
            "yq -i .a=1 .qwen/settings.json",
            "echo true > .qwen/settings.local.json",
            "cp x .openhands/hooks/pre_tool_use.sh",
            "echo true > .openhands/session_start.sh",
            "echo '{}' > opencode.json",
            "rm .opencode/opencode.jsonc",
            "cp x.ts .opencode/plugin/",
            "cp x.ts .opencode/tools/x.ts",
            "rm -rf .opencode/tool",
            "cp x ~/.aws/amazonq/cli-agents/default.json",
            "echo '{}' > .amazonq/cli-agents/x.json",
            "git rm .claude/settings.json",
            "sudo cp x /etc/claude-code/managed-settings.json",
            "python3 -c \"import pathlib; pathlib.Path('.claude/settings.json').write_text('')\"",
        ],
    );
}

#[test]
fn reading_protected_files_or_writing_next_to_them_is_allowed() {
    all(
        "none",
        &[
            "cat ~/.config/hookbox/hooks.toml .git/config",
            "cp .git/config /tmp/x",
            "ls .git/hooks .claude",
            "grep -r x .claude/settings.json > out",
            "sed -n 1p .git/config",
            "python3 -c \"print(open('.git/config').read())\"",
            "python3 -c \"import json; print(json.load(open('.claude/settings.json')))\"",
            "tar cf x.tar .claude",
            "tar -C .claude -cf x.tar .",
            "python3 -c \"print(open('.claude/settings.json').read().replace('a', 'b'))\"",
            "find .git -name '*.lock' -delete",
            "rm -f .git/index.lock",
            "rm -rf ~/.cache",
            "rm -rf .github",
            "rm *",
            "rm -rf build/*",
            "cp x .claude/agents/a.md",
            "echo x > CLAUDE.md",
            "git config user.email me@x.example",
            "git config --global user.name 'A B'",
            "git config --global init.defaultBranch main",
            "git config --global --add safe.directory /x",
            "git config core.autocrlf input",
            "git config core.hooksPath",
            "git config --get core.hooksPath",
            "git config --list",
            "git config alias.st status",
            "git config pull.rebase true",
            "git config core.fsmonitor true",
            "git commit -m 'echo > .git/hooks/pre-commit'",
            "echo rm .git/hooks/pre-commit",
        ],
    );
}

#[test]
fn secrets_are_written_without_a_question_unless_one_is_wanted() {
    let lines = ["echo x >> ~/.ssh/id_rsa", "rm ~/.aws/credentials", "cp x ~/.netrc", "chmod 644 server.key"];
    all("none", &lines);
    all_with(r#"{"ask": ["secret-write"]}"#, "ask secret-write", &lines);
}
