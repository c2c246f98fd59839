//! Text that programs run, whoever wrote it: rules of make, tables of cron, code, keys for a terminal.

use shell_commands::files;

use crate::{CHANGES, FOLDER, all, none, of_a_person};

#[test]
fn what_make_cron_and_editors_are_told_is_run() {
    all(
        CHANGES,
        "~/p/a",
        &[
            "make -f - <<< $'x:\n\trm ~/p/a'",
            "make -f - <<'E'\nx:\n\t@rm $$HOME/p/a\nE",
            "printf 'x:\n\trm ~/p/a\n' > M; make -f M",
            "printf 'x:\n\trm ~/p/a\n' > Makefile; make",
            "printf 'x:\n\trm ~/p/a\n' | make -f -",
            "make --eval='x:;rm ~/p/a' x",
            "make --eval='$(shell rm ~/p/a)'",
            "make -f /dev/stdin <<< $'x:\n\t-@rm $(HOME)/p/a'",
            "make -f <(printf 'x:\n\trm ~/p/a\n')",
            "cat > Makefile <<'E'\nx:\n\trm ~/p/a\nE\nmake x",
            "echo '* * * * * rm ~/p/a' | crontab -",
            "(crontab -l; echo '0 0 * * * rm ~/p/a') | crontab -",
            "crontab <<< '@reboot rm ~/p/a'",
            "echo 'rm ~/p/a' | script -q /dev/null",
            "echo 'rm ~/p/a' | script",
            "script -q /dev/null <<< 'rm ~/p/a'",
            "script -qec 'rm ~/p/a' /dev/null",
            "script --command='rm ~/p/a'",
            "script -q /dev/null rm ~/p/a",
            "echo 'rm ~/p/a' | unshare -r",
            "echo 'rm ~/p/a' | chroot /",
            "echo 'rm ~/p/a' | fakeroot",
            "echo 'rm ~/p/a' | nix-shell",
            "echo 'rm ~/p/a' | newgrp x",
            "echo 'rm ~/p/a' | sg x",
            "echo 'rm ~/p/a' | setarch",
            "at now <<< 'rm ~/p/a'",
            "ed -s <<< $'e ~/p/a\n1,$d\nw'",
            "ex -s <<< $'e ~/p/a\n%d\nwq'",
            "vim -es -c 'e ~/p/a' -c '%d' -c wq",
        ],
    );
    none(
        CHANGES,
        "~/p/a",
        &[
            "make -f - <<< $'x:\n\tcat ~/p/a'",
            "crontab -l <<< '# * * * * * rm ~/p/a'",
            "ed -s <<< $'e ~/p/a\n1p\nq'",
        ],
    );
}

#[test]
fn code_that_asks_for_the_home_folder_names_files_there() {
    all(
        CHANGES,
        "~/.p/a.toml",
        &[
            "python3 - <<< \"import pathlib; pathlib.Path.home().joinpath('.p/a.toml').write_text('')\"",
            "python3 -c \"from pathlib import Path; (Path.home() / '.p' / 'a.toml').unlink()\"",
            "python3 -c \"import os; open(os.path.join(os.environ['HOME'], '.p', 'a.toml'), 'w')\"",
            "python3 -c \"import os; open(os.environ['HOME'] + '/.p/a.toml', 'w')\"",
            "python3 -c \"import os; os.replace('x', os.path.expanduser('~/.p/a.toml'))\"",
            "node -e \"require('fs').rmSync(process.env.HOME + '/.p/a.toml')\"",
            "node -e 'require(\"fs\").writeFileSync(`${process.env.HOME}/.p/a.toml`, \"\")'",
            "node <<< \"require('fs').writeFileSync(require('os').homedir()+'/.p/a.toml','')\"",
            "perl -e 'unlink \"$ENV{HOME}/.p/a.toml\"'",
            "ruby -e 'File.delete(Dir.home + \"/.p/a.toml\")'",
        ],
    );
    none(
        CHANGES,
        "~/.p/a.toml",
        &[
            "python3 -c \"from pathlib import Path; print((Path.home() / '.p/a.toml').read_text())\"",
            "python3 -c \"open('.p/a.toml', 'w')\"",
        ],
    );
}

#[test]
fn what_only_a_person_has_hookbox_do_is_told_wherever_it_is_typed_or_handed_on() {
    of_a_person(&[
        "hookbox trust",
        "tmux send-keys 'hookbox disable g' Enter",
        "tmux send-keys -t x hookbox Space disable Space g Enter",
        "tmux send-keys -t 0 -l 'hookbox trust'",
        "tmux new -d 'hookbox trust'",
        "tmux new-session -d -s x hookbox trust",
        "echo 'hookbox trust' | tmux load-buffer -",
        "screen -X stuff 'hookbox disable g'",
        "screen -S x -X stuff 'hookbox disable g^M'",
        "screen -S x -p 0 -X stuff $'hookbox trust\n'",
        "screen -X stuff 'hookbox trust\\n'",
        "screen -dm hookbox trust",
        "expect -c 'spawn hookbox trust; expect y; send \"y\\r\"'",
        "expect -c 'spawn sh; send \"hookbox trust\\r\"'",
        "expect <<< 'spawn hookbox trust'",
        "script -qc 'hookbox trust' /dev/null",
        "python3 -c \"import subprocess; subprocess.run(['hookbox','trust'])\"",
        "python3 -c \"import pty; pty.spawn(['hookbox','trust'])\"",
        "xdotool type 'hookbox trust'",
        "zellij action write-chars 'hookbox trust'",
        "osascript -e 'tell app \"Terminal\" to do script \"hookbox trust\"'",
        "socat - EXEC:'hookbox trust',pty",
        "awk 'BEGIN{system(\"hookbox trust\")}'",
        "make -f - <<< $'x:\n\thookbox trust'",
        "echo '@reboot hookbox trust' | crontab -",
    ]);
    for command in [
        "tmux send-keys 'hookbox list' Enter",
        "tmux send-keys 'hookbox trust --review' Enter",
        "echo 'hookbox trust'",
        "git commit -m 'hookbox trust: say more'",
        "grep -rn 'hookbox disable' docs",
        "cargo test 'hookbox trust'",
        "python3 -c \"print('hookbox trust')\"",
    ] {
        assert_eq!(files(command, FOLDER, "").of_a_person, None, "{command}");
    }
}
