//! Ways to write a protected file that name no program which is there to write files.

use crate::all_commands;

#[test]
fn a_program_may_write_to_the_path_of_an_option() {
    all_commands(
        "{}",
        "deny hook-config",
        &[
            "curl --trace .git/hooks/pre-commit https://x.example",
            "curl --trace-ascii .git/hooks/pre-commit https://x.example",
            "curl --stderr .git/hooks/pre-commit https://x.example",
            "curl --etag-save .git/config https://x.example",
            "wget --save-cookies .git/hooks/x https://x.example",
            "patch .git/hooks/pre-commit x.patch",
            "patch -d .git/hooks -p1 x",
            "patch -r .git/hooks/x a b",
            "ar r .git/hooks/pre-commit x",
            "ar -rcs .git/hooks/pre-commit x",
            "pip install -t .git/hooks x",
            "pip3 install --target=.git/hooks x",
            "python3 -m pip install -t .git/hooks x",
            "gem install -n .git/hooks x",
            "npm install --prefix .hookbox/x y",
            "psql -L .git/hooks/pre-commit -c 'select 1'",
            "mysql --tee=.git/hooks/pre-commit",
            "pg_dump -f .git/hooks/pre-commit db",
            "nmap -oN .git/hooks/pre-commit x",
            "tcpdump -w .git/hooks/pre-commit",
            "ssh -E .git/hooks/pre-commit h",
            "docker run --cidfile .git/hooks/pre-commit x",
            "socat - CREATE:.git/hooks/pre-commit",
            "valgrind --log-file=.git/hooks/pre-commit ls",
            "frobnicate --report=.git/hooks/pre-commit",
        ],
    );
}

#[test]
fn a_program_on_no_list_may_write_what_it_is_given() {
    all_commands(
        "{}",
        "deny hook-config",
        &[
            "frobnicate .git/hooks/pre-commit",
            "frobnicate -o .git/hooks/pre-commit",
            "frobnicate -o.git/config",
            "sudo frobnicate .hookbox/hooks.toml",
            "python3 -c 'import sys; x(sys.argv[1])' .git/hooks/pre-commit",
            "python3 write.py .git/hooks/pre-commit",
            "hx ~/.config/hookbox/hooks.toml",
            "convert x.png .git/hooks/pre-commit",
            "aws s3 cp s3://x/y .git/hooks/pre-commit",
            "gsutil cp gs://x/y .git/hooks/pre-commit",
            "rclone copyto r:x .git/hooks/pre-commit",
        ],
    );
    all_commands(
        "{}",
        "deny agent-config",
        &[
            "prettier --write .claude/settings.json",
            "frobnicate ~/.codex/config.toml",
            "aws s3 sync s3://x .codex/hooks",
        ],
    );
    all_commands(
        "{}",
        "none",
        &[
            "./.git/hooks/pre-commit",
            "bash .git/hooks/pre-commit",
            "python3 .claude/hooks/check.py",
            "test -x .git/hooks/pre-commit",
            "cat .git/hooks/pre-commit",
            "jq . .claude/settings.json",
            "ls -la .git/hooks",
            "cd .git/hooks",
            "stat .git/config",
            "git add .claude/settings.json",
            "git diff -- .mcp.json",
            "cp .claude/settings.json /tmp/x",
            "tar czf x.tgz .claude",
            "hookbox check .hookbox/hooks.toml",
            "claude --settings .claude/settings.json",
            "code .claude/settings.json",
            "gitleaks detect .git",
            "frobnicate .git",
            "watchexec --ignore .git/hooks make",
            "diff .git/config other",
            "aws s3 cp x s3://bucket/.codex/x",
        ],
    );
}

#[test]
fn a_list_of_ones_own_is_about_programs_that_write() {
    all_commands(
        r#"{"deny-write": ["Cargo.lock"]}"#,
        "none",
        &["frobnicate Cargo.lock", "cargo-audit -f Cargo.lock"],
    );
    all_commands(
        r#"{"deny": ["**/vault/**"]}"#,
        "deny path-denied",
        &["frobnicate vault/a", "tr a b < vault/a"],
    );
}

#[test]
fn git_configures_the_path_of_its_hooks() {
    all_commands(
        "{}",
        "deny hook-config",
        &[
            "cp x $(git rev-parse --git-dir)/hooks/pre-commit",
            "echo x > \"$(git rev-parse --git-common-dir)/hooks/pre-commit\"",
            "cp x \"$(git rev-parse --absolute-git-dir)\"/hooks/pre-commit",
            "cp x $(git rev-parse --git-path hooks/pre-commit)",
            "cp x $(git rev-parse --git-path hooks)/pre-commit",
            "cp x $(git rev-parse --show-toplevel)/.git/hooks/pre-commit",
            "D=$(git rev-parse --git-dir); cp x $D/hooks/pre-commit",
            "cd $(git rev-parse --git-dir)/hooks && cp ~/x pre-commit",
            "cp x $GIT_DIR/hooks/pre-commit",
            "cp x ${GIT_DIR:-.git}/hooks/pre-commit",
            "git config -e",
            "git config --edit",
            "git config edit",
            "git config --global -e",
            "git config --system --edit",
            "git config -f .git/config core.x y",
            "git config --rename-section x core",
        ],
    );
    all_commands(
        "{}",
        "none",
        &[
            "cat $(git rev-parse --git-dir)/HEAD",
            "git config -l",
            "git config --get user.name",
            "git config user.email me@x.example",
            "git config -f .git/config --list",
            "git rev-parse --git-dir",
        ],
    );
}
