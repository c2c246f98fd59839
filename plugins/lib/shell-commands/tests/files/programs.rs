//! Effects of programs on the files that their words name.

use shell_commands::Access;

use crate::{CHANGES, all, none};

#[test]
fn a_program_on_no_list_is_given_what_its_words_name_and_one_that_looks_is_not() {
    all(
        CHANGES,
        "~/p/a.toml",
        &[
            "sd x y ~/p/a.toml",
            "prettier --write ~/p/a.toml",
            "dos2unix ~/p/a.toml",
            "sqlite3 ~/p/a.toml 'delete from x'",
            "ditto x ~/p/a.toml",
            "nano ~/p/a.toml",
            "emacs -nw ~/p/a.toml",
            "rvim ~/p/a.toml",
            "vimdiff ~/p/a.toml x",
            "vim ~/p/a.toml",
            "vim -R +w! ~/p/a.toml",
            "chflags uchg ~/p/a.toml",
            "fallocate -l 9 ~/p/a.toml",
            "setfattr -n user.x -v y ~/p/a.toml",
            "shfmt -w ~/p/a.toml",
            "eslint --fix ~/p/a.toml",
            "ruff check --fix ~/p/a.toml",
            "black ~/p/a.toml",
            "cmake -E copy x ~/p/a.toml",
            "cmake -E remove ~/p/a.toml",
            "gh repo clone x ~/p/a.toml",
            "sftp host:x ~/p/a.toml",
            "history -w ~/p/a.toml",
            "python3 -m json.tool x ~/p/a.toml",
            "python3 -m black ~/p/a.toml",
            "deno run write.ts ~/p/a.toml",
            "python3 run ~/p/a.toml",
        ],
    );
    none(
        CHANGES,
        "~/p/a.toml",
        &[
            "view ~/p/a.toml",
            "vim -R ~/p/a.toml",
            "less ~/p/a.toml",
            "jq . ~/p/a.toml",
            "yq . ~/p/a.toml",
            "shellcheck ~/p/a.toml",
            "shfmt -d ~/p/a.toml",
            "eslint ~/p/a.toml",
            "ruff check ~/p/a.toml",
            "black --check ~/p/a.toml",
            "prettier --check ~/p/a.toml",
            "taplo check ~/p/a.toml",
            "pytest ~/p/a.toml",
            "python3 -m json.tool ~/p/a.toml",
            "gunzip -c ~/p/a.toml",
            "hyperfine ~/p/a.toml",
            "python3 -m black --check ~/p/a.toml",
            "npx eslint ~/p/a.toml",
            "ruby -wc ~/p/a.toml",
            "python3 ~/p/a.toml",
            "deno run --allow-read ~/p/a.toml",
            "go run ~/p/a.toml",
            "npx tsx ~/p/a.toml",
            "taplo lint ~/p/a.toml",
            "wasm-tools print ~/p/a.toml",
            "wasm2wat ~/p/a.toml",
            "sqlite3 -readonly ~/p/a.toml 'select 1'",
            "sqlite3 'file:~/p/a.toml?mode=ro' 'select 1'",
        ],
    );
    all(CHANGES, "~/p/a.toml", &["wasm-tools strip x -o ~/p/a.toml"]);
}

#[test]
fn a_program_that_is_there_to_change_files_changes_them_and_another_is_given_them() {
    all(
        &[Access::Write],
        "~/p/a",
        &[
            "sd x y ~/p/a",
            "black ~/p/a",
            "python3 -m black ~/p/a",
            "prettier --write ~/p/a",
            "shfmt -w ~/p/a",
            "dos2unix ~/p/a",
        ],
    );
    let given = [
        "./run.sh ~/p/a",
        "bats ~/p/a",
        "pre-commit run --files ~/p/a",
        "cargo run -- ~/p/a",
        "python3 lint.py ~/p/a",
    ];
    all(&[Access::Give], "~/p/a", &given);
    none(&[Access::Write], "~/p/a", &given);
}

#[test]
fn an_archiver_writes_the_archive_that_it_makes() {
    all(
        CHANGES,
        "~/p/a",
        &[
            "tar czf ~/p/a x",
            "tar -cvzf ~/p/a x",
            "tar cbf 20 ~/p/a x",
            "tar --create --file=$HOME/p/a x",
            "tar rf ~/p/a x",
            "tar -c -g ~/p/a x",
            "bsdtar -cf ~/p/a x",
            "jar cf ~/p/a x",
            "zip ~/p/a x",
            "7z a ~/p/a x",
            "cpio -o -O ~/p/a",
            "cpio -oF ~/p/a",
            "pax -w -f ~/p/a x",
            "rar a ~/p/a x",
            "mksquashfs x ~/p/a",
        ],
    );
    none(
        CHANGES,
        "~/p/a",
        &["tar tf ~/p/a", "tar xzf ~/p/a", "unzip ~/p/a", "7z l ~/p/a", "cpio -it < ~/p/a"],
    );
}

#[test]
fn an_archive_is_unpacked_into_a_folder_and_its_files_that_are_named_are_below() {
    all(
        CHANGES,
        "~/p/a",
        &[
            "tar xfC x.tar ~/p/a",
            "tar -xC ~/p/a -f x.tar",
            "tar -C ~/p -xf x.tar a",
            "unzip -qod ~/p/a x.zip",
            "unzip -d ~/p x.zip a",
            "7z x x.7z -o$HOME/p/a",
            "7z e x.7z -o$HOME/p a",
            "cpio -idm -D ~/p/a",
            "cpio -pdm ~/p/a",
            "pax -rw x ~/p/a",
            "dpkg -x x.deb ~/p/a",
            "dpkg-deb -R x.deb ~/p/a",
            "unar -o ~/p/a x.rar",
            "unsquashfs -d ~/p/a x",
            "python3 -m zipfile -e x.zip ~/p/a",
        ],
    );
    all(CHANGES, "~/p/a/", &["unrar x x.rar ~/p/a/"]);
}

#[test]
fn git_brings_a_folder_or_the_files_that_are_named_to_another_state() {
    all(
        &[Access::Restore],
        "~/p/./.",
        &["git -C ~/p/. checkout .", "git -C ~/p/. restore .", "git --work-tree=$HOME/p/. checkout -f ."],
    );
    all(
        &[Access::Restore],
        "~/p/a",
        &[
            "git -C ~/p checkout HEAD~1 -- a",
            "git -C ~/p checkout HEAD~1 a",
            "git -C ~/p restore --source=HEAD~3 a",
            "git -C ~/p stash push a",
            "cd ~/p && git checkout a",
            "GIT_WORK_TREE=$HOME/p git checkout a",
            "export GIT_WORK_TREE=$HOME/p; git checkout a",
        ],
    );
    all(
        &[Access::Restore],
        "~/p/.",
        &["git -C ~/p reset --hard", "git -C ~/p stash", "git -C ~/p pull", "git -C ~/p rebase main"],
    );
    none(
        &[Access::Restore],
        "~/p/.",
        &[
            "git -C ~/p status",
            "git -C ~/p reset x",
            "git -C ~/p stash list",
            "git -C ~/p restore --staged x",
        ],
    );
    all(
        CHANGES,
        "~/p/a",
        &[
            "git worktree remove --force ~/p/a",
            "git worktree move x ~/p/a",
            "git init ~/p/a",
            "git rm ~/p/a",
            "git submodule add https://x/y ~/p/a",
        ],
    );
    none(CHANGES, "~/p/a", &["git rm --cached ~/p/a", "git rm -r --cached ~/p/a", "git rm -n ~/p/a"]);
}
