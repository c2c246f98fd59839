//! Commands that run in another folder than the line seems to.

use crate::support::{CWD, all, verdict_at};

#[test]
fn the_folder_of_an_option_is_where_the_command_runs() {
    all(
        "deny hook-config",
        &[
            "env -C ~/.config/hookbox rm hooks.toml",
            "env --chdir=$HOME/.config/hookbox rm hooks.toml",
            "env -C ~ rm -rf .config",
            "sudo -D ~/.config/hookbox rm hooks.toml",
            "git -C ~/.config/hookbox rm -f hooks.toml",
            "git -C ~/.config rm -rf hookbox",
            "git --work-tree=$HOME/.config/hookbox clean -fdx",
            "git -C .git/hooks mv a pre-commit",
            "systemd-run --working-directory=$HOME/.config/hookbox rm hooks.toml",
            "run0 --chdir=$HOME/.config/hookbox rm hooks.toml",
            "unshare --wd=$HOME/.config/hookbox rm hooks.toml",
            "nsenter --wd=$HOME/.config/hookbox rm hooks.toml",
            "parallel --wd ~/.config/hookbox rm ::: hooks.toml",
            "start-stop-daemon --start --chdir ~/.config/hookbox --exec /bin/rm -- hooks.toml",
            "find ~/.config/hookbox -execdir rm hooks.toml \\;",
            "tar -xf x.tar -C ~/.config hookbox",
            "tar --directory=.git -xf x.tar hooks",
            "uv run --directory ~/.config/hookbox rm hooks.toml",
            "pnpm -C ~/.config/hookbox exec rm hooks.toml",
            "(cd ~/.config/hookbox; rm hooks.toml)",
            "pushd ~/.config/hookbox; rm hooks.toml",
        ],
    );
    all(
        "deny rm-root",
        &[
            "env -C / rm -rf usr",
            "cd / && rm -rf usr",
            "cd /; rm -r etc",
            "(cd /usr && rm -rf bin)",
            "env -C / rm -rf ./*",
        ],
    );
    all(
        "none",
        &[
            "env -C build rm -rf x",
            "make -C build clean",
            "git -C sub rm x",
            "tar -C build -xf x.tar",
            "git -C sub status",
        ],
    );
}

#[test]
fn a_line_in_the_root_or_in_a_folder_of_the_system_removes_what_it_names_there() {
    for (folder, line) in [
        ("/", "rm -rf usr"),
        ("/", "rm -rf ./etc"),
        ("/", "rm -rf home/*"),
        ("/usr", "rm -rf lib"),
        ("/home", "rm -rf me"),
        ("/home/me/project", "rm -rf ../../me"),
        ("/", "find usr -delete"),
        ("/", "mv etc /tmp"),
    ] {
        assert_eq!(verdict_at(folder, folder, line), "deny rm-root", "{line} in {folder}");
    }
    for (folder, line) in [
        ("/", "rm -rf target"),
        ("/srv", "rm -rf app"),
        ("/home/me", "rm -rf project"),
        ("/tmp", "rm -rf usr"),
    ] {
        assert_eq!(verdict_at(folder, folder, line), "none", "{line} in {folder}");
    }
}

#[test]
fn a_call_that_names_its_folder_runs_there() {
    for (folder, line, expected) in [
        ("/", "rm -rf usr", "deny rm-root"),
        ("/home/me/.config/hookbox", "rm hooks.toml", "deny hook-config"),
        ("/code/project/.git/hooks", "rm pre-commit", "deny hook-config"),
        ("/code/project/.claude", "cp x settings.json", "deny agent-config"),
        ("/code", "rm -rf project", "deny rm-root"),
        ("/code/project/build", "rm -rf *", "none"),
        ("/code/project/build", "rm -rf ..", "deny rm-root"),
        ("/code/project/build", "rm -rf ../*", "deny rm-root"),
    ] {
        assert_eq!(verdict_at(folder, CWD, line), expected, "{line} in {folder}");
    }
}
