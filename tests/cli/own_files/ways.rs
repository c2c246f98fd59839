//! Ways to say what is written that name no file, or name it by something else.

use super::{answer_call, is_refused, run};
use crate::{TestBed, trust};

/// Every command is refused, or none of them.
fn check_commands(bed: &TestBed, refused: bool, commands: &[&str]) {
    for command in commands {
        let answer = run(bed, command);
        assert_eq!(is_refused(&answer), refused, "{command}: {answer}");
    }
}

/// With a file of the user's, and without anything that is trusted.
fn create_bed() -> TestBed {
    TestBed::with_config("# no hooks\n")
}

#[test]
fn another_name_that_the_same_line_gives_to_them_does_not_get_past() {
    let bed = create_bed();
    check_commands(
        &bed,
        true,
        &[
            "ln -s ~/.config/hookbox x",
            "ln -s ~/.config x; echo > x/hookbox/hooks.toml",
            "ln -s ~ x && rm x/.config/hookbox/hooks.toml",
            "ln -s one two; ln -s ~/.config one; echo > two/hookbox/hooks.toml",
            "ln -f ~/.config/hookbox/hooks.toml y",
            "cp -al ~/.config x; echo > x/hookbox/hooks.toml",
            "mount --bind ~/.config/hookbox /mnt",
            "sudo mount -o bind ~ /mnt && rm -rf /mnt/.config/hookbox",
        ],
    );
    check_commands(
        &bed,
        false,
        &[
            "ln -s ~/.config/nvim nvim",
            "ln -s ~ home; ls home/.config/hookbox",
            "ln -s ~/.config x; rm -rf x",
            "ln -s . here; touch here/x",
            "cp -al build build2",
            "mount --bind /proc /mnt/proc",
        ],
    );
}

#[test]
fn a_container_that_could_write_them_is_not_started() {
    let bed = create_bed();
    check_commands(
        &bed,
        true,
        &[
            "docker run -v ~/.config/hookbox:/x image ls",
            "podman run --volume=$HOME/.config/hookbox:/x:rw image",
            "docker run --mount type=bind,src=$HOME/.config/hookbox,dst=/x image",
            "docker run -v $HOME/.config:/x image rm -rf /x/hookbox",
            "docker run -v /:/host image sh -c 'rm -rf /host[HOME]/.config/hookbox'",
        ],
    );
    check_commands(
        &bed,
        false,
        &[
            "docker run -v ~/.config/hookbox:/x:ro image ls",
            "docker run -v \"$HOME\":/home/x image ls",
            "docker run -v $PWD:/app -w /app image npm test",
            "docker run image rm -rf /root/.config/hookbox",
        ],
    );
}

#[test]
fn a_pattern_is_what_it_matches_there() {
    let bed = create_bed();
    check_commands(
        &bed,
        true,
        &[
            "rm ~/.config/h*/*",
            "rm -rf ~/.config/*x",
            "rm -rf ~/.config/[!n]*",
            "rm -rf ~/.config/[[:alpha:]]*",
            "rm -rf ~/.config/{n,h}*",
            "rm ~/.config/*/*.toml",
            "rm -rf ~/.c*/h*",
            "mv ~/.config/h* /tmp",
            "echo > ~/.config/h*/hooks.toml",
            "cd ~/.config && rm -rf h*",
            "cd ~/.config/h*/ && rm hooks.toml",
            "rm -rf ~/.config/n*/../hookbox",
            "shopt -s globstar; rm ~/.config/**/*.toml",
            "for f in ~/.config/h*/*; do rm \"$f\"; done",
            "for d in ~/.config/*; do rm -rf \"$d/hooks.toml\"; done",
            "a=(~/.config/h*); rm -r \"${a[@]}\"",
            "a=(~/.config/[h]*); rm -r \"${a[@]}\"",
            "p=~/.config/h*; rm -r $p",
            "set -- ~/.config/h*; rm -r \"$1\"",
            "f=$(ls -d ~/.config/h*); rm -r $f",
            "printf '%s\\n' ~/.config/h*/* | xargs rm",
            "compgen -G \"$HOME/.config/h*\" | xargs rm -r",
            "find ~/.config -name 'h*' -exec rm -r {} +",
            "find ~/.config -name '[h]*' -exec rm -rf {} +",
            "find ~/.config -path '*x/*' -delete",
            "find ~/.config/h* -delete",
            "find ~ -name .config -exec rm -rf {} +",
            "rm -rf \"$XDG_CONFIG_HOME/hookbox\"",
            "cd \"$XDG_CONFIG_HOME\" && rm -rf h*",
        ],
    );
    check_commands(
        &bed,
        false,
        &[
            "rm -rf ~/.config/n*",
            "rm -rf ~/.config/[n]*",
            "rm -rf ~/.config/[!a-m]*",
            "rm -rf ~/.config/*-notes",
            "rm ~/.config/*/init.lua",
            "for d in ~/.config/*/; do rm -f \"$d/.DS_Store\"; done",
            "for f in ~/.config/*/*.toml; do cat \"$f\"; done",
            "find ~/.config -name '*.bak' -delete",
            "cat ~/.config/h*/*",
            "cd \"$BUILD\" && rm -rf *; echo hookbox",
        ],
    );
}

#[test]
fn an_unknown_part_of_a_path_before_the_name_of_an_existing_file_is_refused() {
    let bed = create_bed();
    check_commands(
        &bed,
        true,
        &[
            "echo x > ~/.config/$(cut -c1-7 <<< hookbox)/hooks.toml",
            "d=$(ls ~/.config | grep hook); echo x > ~/.config/$d/hooks.toml",
            "pushd ~/.config; pushd /; touch \"${DIRSTACK[1]}/hookbox/x\"",
            "touch $(dirname $FOLDER)/hookbox/x",
            "rm -rf ~/.config/$(basename /x/hookbox)",
            "rm ~/$(sed s/q// <<< .config/hooqkbox)/hooks.toml",
            "cp x ~/.config/h$(printf ooxkbox | sed s/x//)/HOOKS.toml",
        ],
    );
    check_commands(
        &bed,
        false,
        &[
            "echo x > ~/.config/$(cat name)/settings.toml",
            "rm ~/.config/other/$(cat name)/hooks.toml",
            "rm -rf ~/.config/$(basename /x/other)",
            "cat ~/.config/$(cat name)/hooks.toml",
            "echo x > $(git rev-parse --show-toplevel)/hooks.toml",
        ],
    );
}

#[test]
fn a_path_that_a_program_receives_outside_its_arguments_is_refused() {
    let bed = create_bed();
    check_commands(
        &bed,
        true,
        &[
            "JAVA_TOOL_OPTIONS=-Xlog:all:file=[HOME]/.config/hookbox/hooks.toml java -version",
            "NODE_OPTIONS=\"--redirect-warnings=$HOME/.config/hookbox/hooks.toml\" node -e 'process.emitWarning(1)'",
            "python3 - ~/.config/hookbox/hooks.toml <<< \"import sys; open(sys.argv[1],'w')\"",
            "echo ~/.config/hookbox/hooks.toml | python3 -c \"import sys; open(sys.stdin.read().strip(),'w')\"",
            "cd ~/.config; stat -c %n * | xargs rm -r",
            "cd ~/.config; select d in *; do rm -r $d; break; done <<< 1",
            "rm $(find ~/.config -type f -size +0)",
            "find ~/.local -user $(id -un) -type f -delete",
            "for d in $(ls ~/.config); do rm -rf ~/.config/$d; done",
            "ls ~/.config | while read d; do rm -r ~/.config/$d; done",
            "L=$(du -a ~/.config | cut -f2); echo \"$L\" | xargs rm -r",
            "mapfile -t A < <(ls -d ~/.config/*); rm -r \"${A[@]}\"",
            "find ~/.config -type f -exec cp x {} \\;",
            "HOME=~/.config; cd; echo x > hookbox/hooks.toml",
            "f() { local HOME=/tmp/x; }; f; touch ~/.config/hookbox/x",
            ": HOME=/x; GIT_TRACE=$HOME/.config/hookbox/x git status",
            "cd ~/.config; alias c='cd /tmp'; c; touch hookbox/x",
            "cd ~/.config; trap 'cd /tmp' DEBUG; touch hookbox/x",
            "HOME=$HOME; GLOBIGNORE=x; rm -rf ~/*",
            "cp -rT x ~/.config",
            "cp -r . ~/.config",
            "cp -r .. ~/.config",
            "cp -r $X ~/.config/",
            "git -C ~ checkout HEAD -- '*'",
            "cd ~/.config; ls | xargs echo | xargs rm -r",
            "alias g='cd ~/.config'; shopt -s expand_aliases; eval 'g; rm hookbox/hooks.toml'",
        ],
    );
    check_commands(
        &bed,
        false,
        &[
            "JAVA_TOOL_OPTIONS=-Xlog:all:file=[HOME]/.config/other/log java -version",
            &format!("CLASSPATH=/a{} java Main", ":/opt/libraries/some.jar".repeat(500)),
            "python3 - ~/.config/other/x <<< \"import sys; open(sys.argv[1],'w')\"",
            "cd ~/.config; stat -c %n * | xargs grep -l x",
            "cd ~/.config; select d in *; do echo $d; break; done <<< 1",
            "rm $(find ~/.config -name '*.orig')",
            "S=$(du -sh ~/.cache | cut -f1); rm -f tmp.log; echo \"$(du -sh ~/.cache) $S\"",
            "trap 'rm -f \"$tmp\"' EXIT; n=$(find ~/.config -type f | wc -l); echo $n",
            "[ -n \"$(ls -A ~/.config)\" ] && rm -f tmp.log",
            "ls ~/.config | while read d; do echo \"$d\"; done; rm tmp.log",
            "for d in $(ls ~/.config); do rm -f ~/bak/$d; done",
            "find ~/.config -type f -exec cp {} backup/ \\;",
            "find ~/.config -type f | xargs cp -t backup/",
            "cp -r nvim ~/.config/ && rsync -a kitty ~/.config/",
            "ln -sf /opt/x/.bashrc ~ && ln -s /opt/nvim ~/.config",
            "export HOME=$(mktemp -d); rm -rf \"$HOME\" && rm -rf ~/.config",
            "env HOME=/tmp/x bash -c 'rm -rf ~/.config'",
            "tar -xzf nvim.tgz -C ~/.config nvim && unzip n.zip 'nvim/*' -d ~/.config",
            "git -C ~ checkout -- .zshrc && cd ~ && git restore .zshrc",
        ],
    );
}

#[test]
fn neither_an_archive_nor_a_repository_comes_into_their_place() {
    let bed = create_bed();
    check_commands(
        &bed,
        true,
        &[
            "tar czf ~/.config/hookbox/hooks.toml x",
            "tar cbf 20 ~/.config/hookbox/hooks.toml x",
            "unzip -d ~/.config x.zip hookbox/hooks.toml",
            "unzip -d ~/.config x.zip",
            "tar xf x.tar -C ~/.config",
            "cd ~/.local/share && tar xzf x.tgz",
            "bsdtar -xf x.tar -C ~/.local",
            "7z a ~/.config/hookbox/hooks.toml x",
            "cpio -o -O ~/.config/hookbox/hooks.toml",
            "git -C ~/.config/hookbox checkout .",
            "git -C ~/.config checkout HEAD~1 -- hookbox/hooks.toml",
            "git -C ~/.config reset --hard",
            "cd ~ && git stash",
            "git worktree remove ~/.config/hookbox",
            "GIT_WORK_TREE=~/.config/hookbox git checkout -f",
            "rsync -a --remove-source-files ~/.config/hookbox/ x/",
            "rsync -ab --backup-dir=$HOME/.config/hookbox a/ b/",
            "cp --parents hookbox/hooks.toml ~/.config",
            "zip -rm x.zip ~/.config/hookbox",
            "tar -C ~/.config --remove-files -cf x.tar hookbox",
            "tar c hookbox | tar x -C ~/.config",
            "cd ~/.config && git clone http://localhost/hookbox",
            "cd ~/.config/hookbox && patch -p1 < x.patch",
            "cd ~/.config/hookbox && npm init -y",
            "docker cp x:/hookbox ~/.config",
            "docker save -o ~/.config/hookbox/hooks.toml x",
            "sqlite3 :memory: \"vacuum into '[HOME]/.config/hookbox/hooks.toml'\"",
        ],
    );
    check_commands(
        &bed,
        false,
        &[
            "tar czf x.tgz ~/.config/hookbox",
            "tar tf ~/.config/hookbox/x.tar",
            "git -C ~/.config/hookbox status",
            "git -C ~/.config diff",
            "git clone http://localhost/hookbox && cd hookbox && cargo build",
            "cd ~/.config && git clone http://localhost/nvim",
            "tar cf - -C ~/.config hookbox | tar xf - -C /tmp",
            "unzip -d ~/.config/nvim x.zip",
            "cd ~ && tar xf x.tar",
            "npm install && patch -p1 < x.patch",
            "git checkout main && git pull && git reset --hard",
        ],
    );
}

#[test]
fn programs_on_no_list_are_not_given_them_and_readers_are() {
    let bed = create_bed();
    check_commands(
        &bed,
        true,
        &[
            "sd deny allow ~/.config/hookbox/hooks.toml",
            "frobnicate ~/.config/hookbox/hooks.toml",
            "nano ~/.config/hookbox/hooks.toml",
            "sqlite3 ~/.local/state/hookbox/x.db",
            "cmake -E remove ~/.config/hookbox/hooks.toml",
            "sed -Ei s/deny/allow/ ~/.config/hookbox/hooks.toml",
            "sed -E -i s/deny/allow/ ~/.config/hookbox/hooks.toml",
            "sed -nEi.bak s/deny/allow/ ~/.config/hookbox/hooks.toml",
            "gawk --include inplace 1 ~/.config/hookbox/hooks.toml",
            "cd ~/.config && rg -l deny | xargs sed -i s/deny/allow/",
        ],
    );
    check_commands(
        &bed,
        false,
        &[
            "view ~/.config/hookbox/hooks.toml",
            "vim -R ~/.config/hookbox/hooks.toml",
            "jq . ~/.local/state/hookbox/trusted.json",
            "hookbox check ~/.config/hookbox/hooks.toml",
            "code ~/.config/hookbox/hooks.toml",
            "shellcheck ~/.config/hookbox/x.sh",
            "sed -E -n s/a/b/p ~/.config/hookbox/hooks.toml",
            "taplo check ~/.config/hookbox/hooks.toml",
            "wasm-tools print ~/.local/share/hookbox/x.wasm",
            "sqlite3 -readonly ~/.local/state/hookbox/x.db 'select 1'",
            "sha256sum [BIN]/hookbox",
        ],
    );
}

#[test]
fn a_line_that_loses_its_reader_does_not_get_past() {
    let bed = create_bed();
    check_commands(
        &bed,
        true,
        &[
            "export D=~/.config/hookbox; rm -rf $D",
            "dd if=/dev/null of=~/.config/hookbox/hooks.toml",
            "cd ~/.config/hookbox; cd /; cd -; echo > hooks.toml",
            "pushd ~/.config/hookbox; pushd /tmp; popd; echo > hooks.toml",
            // Nobody knows in which folder, and the line names hookbox.
            "CDPATH=~/.config; cd hookbox; echo > hooks.toml",
            "cd \"$SOMEWHERE\" && rm hookbox/hooks.toml",
            "shopt -s dotglob; rm -rf ~/*",
            "a=(x ~/.config/hookbox); rm -rf \"${a[1]}\"",
            "grep -rl deny ~/.config | xargs sed -i s/deny/allow/",
            "find ~/.config -type f -exec sed -i s/deny/allow/ {} +",
            "find ~ -type f -print0 | xargs -0 rm",
        ],
    );
    check_commands(
        &bed,
        false,
        &[
            "cd \"$SOMEWHERE\" && rm hooks.toml",
            "cd \"$SOMEWHERE\" && rm -r hookbox-notes/notes.txt",
            "grep -rl deny ~/.config | xargs cat",
            "find . -type f | xargs sed -i s/a/b/",
            "find ~ -name '*.pyc' | xargs rm",
        ],
    );
}

#[test]
fn text_that_a_program_runs_or_types_does_not_get_past() {
    let bed = create_bed();
    check_commands(
        &bed,
        true,
        &[
            "printf 'x:\\n\\trm -rf ~/.config/hookbox\\n' | make -f -",
            "echo 'rm -rf ~/.config/hookbox' | script -q /dev/null",
            "script -q /dev/null <<< 'rm -rf ~/.config/hookbox'",
            "script -c 'rm -rf ~/.config/hookbox'",
            "echo '@reboot rm -rf ~/.config/hookbox' | crontab -",
            "python3 -c \"from pathlib import Path; (Path.home() / '.config/hookbox/hooks.toml').unlink()\"",
            "python3 -c\"import shutil; shutil.rmtree('[HOME]/.config/hookbox')\"",
            "node --eval=\"require('fs').rmSync('[HOME]/.config/hookbox/hooks.toml')\"",
            "tsx -e \"require('fs').rmSync('[HOME]/.config/hookbox/hooks.toml')\"",
            "emacs --batch --eval '(delete-file \"~/.config/hookbox/hooks.toml\")'",
            "vim -es -c 'call delete(\"[HOME]/.config/hookbox/hooks.toml\")' -c q",
            "awk -v f=\"$HOME/.config/hookbox/hooks.toml\" 'BEGIN{print \"\" > f}'",
            "pwsh -c 'Remove-Item ~/.config/hookbox/hooks.toml'",
            "python3 -c 'import os; os.execvp(\"hookbox\", [\"hookbox\", \"disable\", \"g\"])'",
            "vim -c 'term hookbox disable x'",
            "cargo run --bin hookbox -- disable g",
            "hookbox trust -- list",
            "tmux send-keys 'rm -rf ~/.config/hookbox' Enter",
            "tmux send-keys 'hookbox disable g' Enter",
            "screen -X stuff 'hookbox trust\\n'",
            "expect -c 'spawn hookbox trust'",
            "tclsh <<< 'file delete [HOME]/.config/hookbox/hooks.toml'",
            "echo 'set f [open \"~/.config/hookbox/hooks.toml\" w]; close $f' | tclsh8.6",
            "expect -c 'exec rm $env(HOME)/.config/hookbox/hooks.toml'",
            "gdb -batch -ex 'python open(\"[HOME]/.config/hookbox/hooks.toml\", \"w\")'",
            "gdb -batch -ex 'shell rm ~/.config/hookbox/hooks.toml'",
            "lldb -b -o 'script import os; os.remove(\"[HOME]/.config/hookbox/hooks.toml\")'",
            "python3 -c \"import pty; pty.spawn(['hookbox', 'trust'])\"",
        ],
    );
    check_commands(
        &bed,
        false,
        &[
            "tmux send-keys 'hookbox list' Enter",
            "gdb -batch -ex 'info symbol main' ~/.config/hookbox/x",
            "gdb -batch -ex 'file ~/.config/hookbox/x'",
            "git commit -m 'hookbox trust: say more'",
            "cargo run --bin hookbox -- list",
            "python3 -c \"import shutil; shutil.copy('[HOME]/.config/hookbox/hooks.toml', 'x.toml')\"",
            "python3 -c \"s = open('[HOME]/.config/hookbox/hooks.toml').read(); open('x', 'w').write(s)\"",
            "python3 -c \"from pathlib import Path; print((Path.home() / '.config/hookbox/hooks.toml').read_text())\"",
        ],
    );
}

#[test]
fn a_tool_writes_them_neither_by_a_patch_nor_by_the_name_of_a_member() {
    let bed = create_bed();
    let patch = "--- a/x\\n+++ [HOME]/.config/hookbox/hooks.toml\\n@@ -1 +1 @@\\n-a\\n+b\\n";
    let update = "*** Begin Patch\\n*** Update File: [HOME]/.config/hookbox/hooks.toml\\n*** End Patch";
    for (tool, input) in [
        ("mcp__files__apply", format!(r#"{{"patch":"{patch}"}}"#)),
        ("mcp__files__apply", format!(r#"{{"diff":"{update}"}}"#)),
        ("mcp__files__write", r#"{"files":{"[HOME]/.config/hookbox/hooks.toml":"x"}}"#.to_owned()),
        ("mcp__web__fetch_and_save", r#"{"save_to":"~/.config/hookbox/hooks.toml"}"#.to_owned()),
        ("mcp__files__put", r#"{"where":"file:[HOME]/.config/hookbox/hooks.toml"}"#.to_owned()),
        ("Write", r#"{"file_path":"file://[HOME]/.config/hookbox/hooks.toml","content":""}"#.to_owned()),
        (
            "search_and_replace",
            r#"{"path":"[HOME]/.config/hookbox/hooks.toml","search":"a","replace":"b"}"#.to_owned(),
        ),
    ] {
        let answer = answer_call(&bed, tool, &input);
        assert!(is_refused(&answer), "{tool} {input}: {answer}");
    }
    for (tool, input) in [
        ("Write", format!(r#"{{"file_path":"[PROJECT]/x","content":"{patch}"}}"#)),
        ("Write", r#"{"file_path":"[PROJECT]/x","content":"{\"a\":\"~/.config/hookbox/x\"}"}"#.to_owned()),
        ("mcp__files__search", r#"{"path":"[HOME]/.config/hookbox","search":"a"}"#.to_owned()),
    ] {
        let answer = answer_call(&bed, tool, &input);
        assert!(!is_refused(&answer), "{tool} {input}: {answer}");
    }
}

#[test]
fn what_a_trusted_hook_runs_is_kept_from_lists_and_not_from_everyday_git() {
    let bed = trust::create_project("argv = [\"sh\", \"scripts/guard.sh\"]");
    bed.write_file("[PROJECT]/scripts/guard.sh", "#!/bin/sh\n");
    let trusted = trust::run_with_keys(&bed, &["trust"], "y\n");
    assert!(trusted.stdout.contains("trusted 1"), "{trusted}");
    check_commands(
        &bed,
        true,
        &[
            "git checkout HEAD~1 -- .hookbox/hooks.toml",
            "git restore scripts/guard.sh",
            "find . -type f -exec sed -i s/a/b/ {} +",
            "grep -rl a . | xargs sed -i s/a/b/",
            "docker run -v $PWD:/app image rm -rf /app/.hookbox",
            "black scripts/guard.sh",
            "sd a b scripts/guard.sh",
            "sed -Ei s/a/b/ scripts/guard.sh",
            "rm scripts/g*",
            "fd -e sh -x rm",
            "fd . scripts -x rm",
            "find scripts -maxdepth 1 -type f -delete",
            // Whether git would leave it is not known.
            "git clean -fdx",
        ],
    );
    check_commands(
        &bed,
        false,
        &[
            "git checkout main",
            "git stash && git pull && git stash pop",
            "git checkout -- .",
            "git reset --hard",
            "find . -name '*.py' -exec sed -i s/a/b/ {} +",
            "grep -rl a . | grep py | xargs sed -i s/a/b/",
            "git ls-files '*.py' | xargs black",
            "docker run -v $PWD:/app image npm test",
            "prettier --write .",
            "shellcheck scripts/guard.sh",
            "sh scripts/guard.sh",
            "git rm --cached scripts/guard.sh",
            "./lint.sh scripts/guard.sh",
            "bats scripts/guard.sh",
            "pre-commit run --files scripts/guard.sh",
            "cargo run -- scripts/guard.sh",
            "python3 lint.py scripts/guard.sh",
            "taplo check .hookbox/hooks.toml",
            "git grep -l x | xargs sed -i s/a/b/",
            "git ls-files | xargs rustfmt",
            "rg -l x | xargs sed -i s/a/b/",
            "find . -name __pycache__ -prune -exec rm -rf {} +",
            "find -maxdepth 1 -type f -delete",
            "fd -e py -x rm",
            "fd -g '*.pyc' -X rm",
            "cd \"$(mktemp -d)\" && rm -rf *",
            "cd \"$(mktemp -d)\" && rm -rf scripts",
            "cd \"$BUILD\" && rm -rf *",
        ],
    );
}
