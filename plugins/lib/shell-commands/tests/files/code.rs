//! Text that programs run, whatever its source: rules of make, tables of cron, code, keys for a terminal.

use shell_commands::files;

use crate::{CHANGES, FOLDER, all, none, of_a_person};

#[test]
fn commands_in_input_for_make_cron_and_editors_count_as_run() {
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
fn code_is_found_in_the_word_of_its_option_and_in_each_language() {
    all(
        CHANGES,
        "/p/a.toml",
        &[
            "python3 -c\"open('/p/a.toml','w')\"",
            "python3 -Ic\"import os;os.remove('/p/a.toml')\"",
            "pypy3 -c \"open('/p/a.toml','w')\"",
            "ipython -c \"open('/p/a.toml','w')\"",
            "node --eval=\"require('fs').rmSync('/p/a.toml')\"",
            "node -p \"require('fs').rmSync('/p/a.toml')\"",
            "node -pe\"require('fs').rmSync('/p/a.toml')\"",
            "tsx -e \"require('fs').rmSync('/p/a.toml')\"",
            "npx ts-node --eval \"require('fs').rmSync('/p/a.toml')\"",
            "bun -e \"await Bun.write('/p/a.toml', '')\"",
            "deno eval \"Deno.removeSync('/p/a.toml')\"",
            "perl -e'unlink \"/p/a.toml\"'",
            "ruby -e'File.delete(\"/p/a.toml\")'",
            "php -r'unlink(\"/p/a.toml\");'",
            "luajit -e 'os.remove(\"/p/a.toml\")'",
            "julia -e 'rm(\"/p/a.toml\")'",
            "elixir -e 'File.rm!(\"/p/a.toml\")'",
            "groovy -e 'new File(\"/p/a.toml\").delete()'",
            "R -e 'file.remove(\"/p/a.toml\")'",
            "guile -c '(delete-file \"/p/a.toml\")'",
            "emacs --batch --eval '(delete-file \"/p/a.toml\")'",
            "emacs -batch --eval='(with-temp-file \"/p/a.toml\" (insert \"x\"))'",
            "emacsclient -e '(rename-file \"/p/a.toml\" \"x\")'",
            "vim -es -c 'call delete(\"/p/a.toml\")' -c q",
            "vim -es '+call delete(\"/p/a.toml\")' +q",
            "nvim --headless -c 'lua os.remove(\"/p/a.toml\")' -c q",
            "tclsh <<< 'file delete /p/a.toml'",
            "expect -c 'puts [open {/p/a.toml} w]'",
            "gdb -ex 'shell rm /p/a.toml'",
            "lldb -o 'script open(\"/p/a.toml\", \"w\")'",
            "pwsh -c 'Remove-Item /p/a.toml'",
            "pwsh -NoProfile -Command \"[IO.File]::Delete('/p/a.toml')\"",
            "pwsh -c 'Get-Content x > /p/a.toml'",
        ],
    );
    all(CHANGES, "~/p/a.toml", &["pwsh -c 'rm ~/p/a.toml'", "pwsh -c 'Remove-Item $HOME/p/a.toml'"]);
    none(
        CHANGES,
        "/p/a.toml",
        &[
            "emacs --batch --eval '(message (with-temp-buffer (insert-file-contents \"/p/a.toml\")))'",
            "tclsh <<< 'puts /p/a.toml'",
            "gdb -ex 'info line /p/a.toml:3'",
            "pwsh -c 'Get-Content /p/a.toml'",
            "tsx -e \"console.log(require('fs').readFileSync('/p/a.toml'))\"",
        ],
    );
}

#[test]
fn code_that_writes_a_file_may_look_at_another() {
    none(
        CHANGES,
        "/p/a.toml",
        &[
            "python3 -c \"d = open('/p/a.toml').read(); open('x', 'w').write(d)\"",
            "python3 -c \"import tomllib; d = tomllib.load(open('/p/a.toml', 'rb')); open('x.json', 'w')\"",
            "python3 -c \"import shutil; shutil.copy('/p/a.toml', 'x')\"",
            "python3 -c \"p = Path('/p/a.toml'); Path('x').write_text(p.read_text())\"",
            "python3 -c \"import os; print(os.path.exists('/p/a.toml')); os.makedirs('out')\"",
            "python3 - <<'E'\np = '/p/a.toml'\nwith open(p, encoding='utf-8') as f:\n    open('x', 'w').write(f.read())\nE",
            "node -e \"fs.writeFileSync('out', fs.readFileSync('/p/a.toml'))\"",
        ],
    );
    all(
        CHANGES,
        "/p/a.toml",
        &[
            "python3 -c \"open('/p/a.toml', 'r+').truncate()\"",
            "python3 -c \"open('/p/a.toml', mode).write('x'); open('x', 'w')\"",
            "python3 -c \"p = Path('/p/a.toml'); p.read_text(); p.write_text('')\"",
            "python3 -c \"p = '/p/a.toml'; q = p; os.remove(q)\"",
            "python3 -c \"import shutil; shutil.copy('x', '/p/a.toml')\"",
            "python3 -c \"import shutil; shutil.move('/p/a.toml', 'x')\"",
            "python3 -c \"[os.remove(f) for f in ['/p/a.toml']]\"",
            "python3 - <<'E'\np = '/p/a.toml'\ns = open(p).read()\nopen(p, 'w').write(s)\nE",
        ],
    );
}

#[test]
fn awk_writes_what_its_variables_and_texts_make_up() {
    all(
        CHANGES,
        "~/p/a",
        &[
            "awk -v f=\"$HOME/p/a\" 'BEGIN{print \"\" > f}'",
            "awk -vf=\"$HOME/p/a\" 'BEGIN{print \"\" >> f}'",
            "awk --assign=f=$HOME/p/a 'BEGIN{print \"\" > f}'",
            "awk -v d=\"$HOME/p\" 'BEGIN{print \"\" > d \"/a\"}'",
            "awk '{print > f}' f=$HOME/p/a x",
            "awk '{print > ARGV[2]}' x ~/p/a",
            "awk 'BEGIN{print \"\" > (ENVIRON[\"HOME\"] \"/p/a\")}'",
            "awk -v c=\"rm $HOME/p/a\" 'BEGIN{system(c)}'",
            "awk -v f=$HOME/p/a 'BEGIN{system(\"rm \" f)}'",
            "awk -v f=$HOME/p/a 'BEGIN{print \"x\" | \"tee \" f}'",
        ],
    );
    all(CHANGES, "/p/a", &["awk 'BEGIN{f=\"/p/a\"; print \"\" > f}'"]);
    none(
        CHANGES,
        "~/p/a",
        &[
            "awk '$1 > 5' ~/p/a",
            "awk -v x=1 '{print > \"out\"}' ~/p/a",
            "awk -v f=~/p/a '{print f > \"out\"}' x",
        ],
    );
}

#[test]
fn commands_reserved_for_the_user_are_recognized_wherever_they_are_typed_or_passed_on() {
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
        "awk 'BEGIN{\"hookbox trust\" | getline}'",
        "python -c 'import os; os.execvp(\"hookbox\", [\"hookbox\", \"disable\", \"g\"])'",
        "python -c 'import os; os.execlp(\"hookbox\", \"x\", \"disable\", \"g\")'",
        "python -c 'import os; os.spawnlp(os.P_WAIT, \"hookbox\", \"hookbox\", \"trust\")'",
        "python -c 'import subprocess as s; s.run([\"hookbox\"] + [\"trust\"])'",
        "python -c 'import subprocess as s; c = [\"hookbox\", \"trust\"]; s.run(c)'",
        "deno eval 'new Deno.Command(\"hookbox\", {args: [\"trust\"]}).spawn()'",
        "vim -c 'term hookbox disable x'",
        "vim '+vertical terminal ++close hookbox disable x'",
        "vim -c \"call term_start('hookbox trust')\"",
        "emacs --batch --eval '(shell-command \"hookbox trust\")'",
        "emacs --batch --eval '(call-process \"hookbox\" nil nil nil \"trust\")'",
        "cargo run --bin hookbox -- disable g",
        "cargo +nightly run -q --bin=hookbox -- trust",
        "cargo r -p hookbox disable g",
        "cargo run --manifest-path ~/hookbox/Cargo.toml -- trust",
        "npm exec hookbox -- trust",
        "pipx run hookbox trust",
        "uvx hookbox trust",
        "hookbox trust -- list",
        "hookbox trust -- --review",
        "hookbox trust list more",
        "hookbox disable -- --help",
        "make -f - <<< $'x:\n\thookbox trust'",
        "echo '@reboot hookbox trust' | crontab -",
        "hookbox plugin signer add evil.pub --as release@acme.example",
        "hookbox plugin signer add --yes --as=release@acme.example evil.pub",
        "python3 -c \"import subprocess; subprocess.run(['hookbox','plugin','signer','remove','x'])\"",
    ]);
    for command in [
        "tmux send-keys 'hookbox list' Enter",
        "tmux send-keys 'hookbox trust --review' Enter",
        "echo 'hookbox trust'",
        "git commit -m 'hookbox trust: say more'",
        "grep -rn 'hookbox disable' docs",
        "cargo test 'hookbox trust'",
        "cargo run --bin hookbox -- list",
        "cargo run --bin other -- trust",
        "cargo build --bin hookbox",
        "hookbox trust list --json",
        "hookbox trust --review",
        "hookbox disable g --dry-run",
        "hookbox plugin signer list",
        "hookbox plugin signer add evil.pub --as release@acme.example --dry-run",
        "vim -c 'term hookbox list'",
        "python -c 'import os; os.execvp(\"hookbox\", [\"hookbox\", \"list\"])'",
        "python3 -c \"print('hookbox trust')\"",
    ] {
        assert_eq!(files(command, FOLDER, "").of_a_person, None, "{command}");
    }
}
