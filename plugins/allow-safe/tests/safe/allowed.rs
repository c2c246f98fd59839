//! Everyday commands that are allowed.

use crate::assert_allowed;

#[test]
fn commands_that_only_read_are_allowed() {
    assert_allowed(&[
        "ls -la src && cat Cargo.toml | head -20",
        "cd src && grep -rn 'fn main' . | wc -l",
        "find . -name '*.rs' -not -path './target/*' | xargs grep -n TODO",
        "find src -type f -exec grep -l unsafe {} +",
        "sed -n '10,20p;30q' src/lib.rs",
        "sed 's/[0-9]*/n/g; /^#/d' a.txt",
        "awk -F: '{print $1}' a.txt | sort | uniq -c | sort -rn",
        "jq -r '.scripts | keys[]' package.json",
        "git status --short && git diff --stat HEAD~1 && git log --oneline -5",
        "git --no-pager log -n 3 --format=%H -- src",
        "git branch -a; git tag --list 'v*'; git remote -v; git stash list",
        "rg -n --type rust 'unwrap' src",
        "for f in a.rs b.rs; do wc -l \"$f\"; done",
        "if [ -f Makefile ]; then head -5 Makefile; else echo none; fi",
        "timeout 10 bash -c 'ls -la | tail -3'",
        "which python3 || command -v python",
        "NO_COLOR=1 GIT_PAGER=cat git log -1",
        "echo \"$(date +%F) $(uname -a)\"",
        "cat /usr/include/stdio.h | head -3; ls /; stat ~/.ssh/id_rsa",
        "diff -u a.txt b.txt; cmp a b; file a.bin; xxd a.bin | head",
        "ps aux | grep node | head -3; df -h; free -m",
        "tar -tzf a.tar.gz; unzip -l a.zip",
        "python3 --version; node --version",
        "cat .env.example",
        "while read -r line; do echo \"$line\"; done < list.txt",
    ]);
}

#[test]
fn commands_that_write_inside_the_project_are_allowed() {
    assert_allowed(&[
        "mkdir -p src/new && touch src/new/mod.rs",
        "cat <<'EOF' > src/main.py\nimport os\nos.system('x')\nEOF",
        "echo done >> notes/log.txt 2>/dev/null",
        "cp a.txt b.txt && mv b.txt docs/",
        "ls | tee listing.txt",
        "chmod +x scripts/run.sh",
        "printf '%s\\n' one two > sub/list.txt",
    ]);
}
