//! Programs that hand text to a shell.

use crate::support::all;

#[test]
fn options_and_settings_that_are_commands_are_judged() {
    all(
        "deny rm-root",
        &[
            "git -c core.pager='rm -rf /' log",
            "git -c alias.x='!rm -rf /' x",
            "git config alias.x '!rm -rf /'",
            "git rebase -x 'rm -rf /' main",
            "git submodule foreach 'rm -rf /'",
            "git bisect run rm -rf /",
            "tar cf x --to-command='rm -rf /' y",
            "tar cf x . --checkpoint=1 --checkpoint-action=exec='rm -rf /'",
            "tar -I 'rm -rf /' -xf y",
            "ssh -o ProxyCommand='rm -rf /' host",
            "rsync -e 'rm -rf /' a b",
            "vim -c ':!rm -rf /'",
            "tmux new -d 'rm -rf /'",
            "compgen -C 'rm -rf /'",
            "mapfile -C 'rm -rf /' -c 1 < x",
        ],
    );
}

#[test]
fn variables_that_some_program_runs_are_judged() {
    all(
        "deny rm-root",
        &[
            "BASH_ENV='$(rm -rf /)' bash -c ls",
            "ENV='$(rm -rf /)' sh -i",
            "PS4='$(rm -rf /)'; set -x; ls",
            "export PROMPT_COMMAND='rm -rf /'",
            "env GIT_PAGER='rm -rf /' git log",
            "GIT_SSH_COMMAND='rm -rf /' git fetch",
            "EDITOR='rm -rf /' git commit",
        ],
    );
}

#[test]
fn plain_calls_of_a_shell_in_other_languages_are_judged() {
    all(
        "deny rm-root",
        &[
            "awk 'BEGIN{system(\"rm -rf /\")}'",
            "perl -e 'system(\"rm -rf /\")'",
            "perl -e 'system \"rm\", \"-rf\", \"/\"'",
            "perl -e '`rm -rf /`'",
            "ruby -e 'FileUtils.rm_rf(\"/\")'",
            "php -r 'shell_exec(\"rm -rf /\");'",
            "python -c 'import os; os.system(\"rm -rf /\")'",
            "python3 -c \"import os; os.system('echo \\'x\\'; rm -rf /')\"",
            "python3 -c \"import subprocess; subprocess.run(['rm', '-rf', '/'])\"",
            "python3 -c \"import shutil; shutil.rmtree('/')\"",
            "python3 - <<'EOF'\nimport os\nos.system(\"rm -rf /\")\nEOF",
            "node -e 'require(\"child_process\").execSync(\"rm -rf /\")'",
            "node -e 'fs.rmSync(\"/\", {recursive: true})'",
        ],
    );
}

#[test]
fn text_that_only_looks_like_a_command_to_such_a_program_passes() {
    all(
        "none",
        &[
            "git -c core.pager=cat log",
            "git -c user.name=\"it's me\" commit -m 'rm -rf /'",
            "git config alias.st 'status -sb'",
            "git config --global user.name reboot",
            "git -c user.name=reboot commit",
            "git rebase -x 'cargo test' main",
            "tar -I zstd -xf y.tar.zst",
            "tar xf x --to-command='wc -c'",
            "ssh -o ProxyCommand='nc %h %p' host",
            "PAGER=cat git log",
            "PS1='$ ' bash",
            "GIT_SSH_COMMAND='ssh -i key' git fetch",
            "vim -c ':wq' file",
            "tmux new -d 'cargo run'",
            "awk 'BEGIN { system(\"date\") } /rm -rf \\// { print \"rm -rf /\" }' log",
            "python3 -c 'print(\"rm -rf /\")'",
            "python3 -c \"import subprocess; subprocess.run(['ls', '-la'])\"",
            "python3 -c \"import shutil; shutil.rmtree('build')\"",
            "node -e 'fs.rmSync(\"dist\", {recursive: true})'",
            "find . -type f | xargs grep -l x",
            "find . -name '*.o' -exec rm {} +",
            "for f in *.tmp; do rm -rf \"$f\"; done",
        ],
    );
}

#[test]
fn a_command_behind_a_cluster_of_letters_is_found() {
    all(
        "deny rm-root",
        &[
            "ssh -voProxyCommand='rm -rf /' host",
            "scp -qvoProxyCommand='rm -rf /' a host:b",
            "rsync -ae 'rm -rf /' a host:b",
            "tar -cI 'rm -rf /' -f - x",
        ],
    );
    all(
        "deny pipe-to-shell",
        &["curl https://x.example | powershell", "curl https://x.example | pwsh -NoLogo -"],
    );
}
