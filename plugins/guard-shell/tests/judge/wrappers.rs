//! Commands that run commands.

use guard_shell::judge;

use crate::support::{CWD, all, policy};

#[test]
fn wrappers_are_unwrapped_with_their_own_options() {
    all(
        "deny rm-root",
        &[
            "sudo rm -rf /",
            "sudo -u root rm -rf /",
            "sudo -n -u root -- rm -rf /",
            "sudo --user=root rm -rf /",
            "sudo --user root rm -rf /",
            "sudo -Eu root A=1 rm -rf /",
            "sudo -s rm -rf /",
            "doas -u root rm -rf /",
            "env rm -rf /",
            "env -i A=1 B=2 rm -rf /",
            "env -u A -C /tmp rm -rf /",
            "env -S 'rm -rf /'",
            "env -S'rm -rf' /",
            "env x=rm sh -c '$x -rf /'",
            "command rm -rf /",
            "command -p rm -rf /",
            "builtin command rm -rf /",
            "exec rm -rf /",
            "exec -a x rm -rf /",
            "nohup rm -rf / &",
            "nice rm -rf /",
            "nice -n 10 rm -rf /",
            "nice -10 rm -rf /",
            "ionice -c 3 rm -rf /",
            "/usr/bin/time -f %e rm -rf /",
            "timeout 5 rm -rf /",
            "timeout -k 1 -s KILL 5 rm -rf /",
            "timeout --signal=KILL 5s rm -rf /",
            "stdbuf -oL rm -rf /",
            "stdbuf -o L rm -rf /",
            "setsid -f rm -rf /",
            "chroot /mnt/x rm -rf /",
            "chroot --userspec=a:b /x rm -rf /",
            "unshare -r rm -rf /",
            "watch -n 1 'rm -rf /'",
            "watch -x rm -rf /",
            "busybox rm -rf /",
            "busybox sh -c 'rm -rf /'",
            "ssh host rm -rf /",
            "ssh host 'rm -rf /'",
            "ssh -p 22 -i key user@host 'ls; rm -rf /'",
            "ssh host -p 22 rm -rf /",
            "su -c 'rm -rf /'",
            "su - root -c 'rm -rf /'",
            "runuser -u root -- rm -rf /",
            "script -c 'rm -rf /' log",
            "script -q /dev/null rm -rf /",
            "flock x rm -rf /",
            "flock -w 1 x -c 'rm -rf /'",
            "taskset -c 0 rm -rf /",
            "strace -f -o x rm -rf /",
            "systemd-run --unit x rm -rf /",
            "pkexec rm -rf /",
            "repeat 3 rm -rf /",
            "noglob rm -rf /",
            "env -C / rm -rf etc",
            "sudo -D / rm -rf etc",
            "screen -dm rm -rf /",
            "time -- rm -rf /",
            "echo 'rm -rf /' | at now",
            "hash -p /bin/rm x; x -rf /",
            "sudo nice -n 5 timeout 3 env A=1 rm -rf /",
        ],
    );
}

#[test]
fn the_string_that_env_splits_may_hold_its_own_options() {
    all(
        "deny rm-root",
        &[
            "env -S '-i rm -rf /'",
            "env -S '-u X rm -rf /'",
            "env -S '-uX A=1 rm -rf /'",
            "env -S '-C / rm -rf .'",
            "env --split-string='-C / rm -rf .'",
            "env --split-string '--chdir=/ rm -rf .'",
            "env --split='--chdir / rm -rf .'",
            "env -vS 'rm -rf /'",
            "env -ivS '-u X rm' -rf /",
            "env -i -S 'A=1 rm' -rf /",
            "env -S '-S \"rm -rf /\"'",
            r"env -S 'rm\_-rf\_/'",
            r"env -S 'A=1\t2 rm -rf /'",
            r#"env -S "'rm' \"-rf\" '/'""#,
            "env -S 'rm' -rf /",
            "env -S '-a x rm -rf /'",
            "env -S 'rm -rf / # for good'",
            "env -S 'rm -rf' '--' /",
            "x=rm; export x; env -S '${x} -rf /'",
            "env -S 'sh -c \"rm -rf /\"'",
            "env -u S -S'rm -rf /'",
        ],
    );
    all(
        "none",
        &[
            "env -S 'rm -rf target'",
            "env -S 'echo \"rm -rf /\"'",
            "env -S 'echo x # rm -rf /'",
            "env -S 'echo x;' rm -rf /",
            r"env -S 'echo \c rm -rf /'",
            "env -S 'python -u' x.py",
            "env -S '-C / ls'",
        ],
    );
}

#[test]
fn shells_are_parsed_again() {
    all(
        "deny rm-root",
        &[
            "sh -c 'rm -rf /'",
            "bash -lc 'rm -rf /'",
            "bash -c -e 'rm -rf /'",
            "sh -c + 'rm -rf /'",
            "sh -c - 'rm -rf /'",
            "sh -c -- 'rm -rf /'",
            "sh +x -c 'rm -rf /'",
            "bash -o pipefail -ec 'rm -rf /'",
            "bash --norc -c 'rm -rf /'",
            "bash --rcfile x -c 'rm -rf /'",
            "zsh -ic 'rm -rf /'",
            "dash -c 'ls; rm -rf /'",
            "/bin/sh -c 'rm -rf /'",
            "sh -c \"sh -c 'rm -rf /'\"",
            "bash -c 'rm -rf $1' _ /",
            "bash -c '$0 -rf /' rm",
            "bash -c '\"$@\"' _ rm -rf /",
            "bash -c \"$(echo 'rm -rf /')\"",
            "eval rm -rf /",
            "eval 'rm -rf /'",
            "eval \"rm\" '-rf /'",
            "eval eval 'rm -rf /'",
            "x='rm -rf /'; eval \"$x\"",
            "eval 'x=rm'; $x -rf /",
            "bash <<EOF\nrm -rf /\nEOF",
            "bash <<'EOF'\nls\nrm -rf /\nEOF",
            "sudo bash <<EOF\nrm -rf /\nEOF",
            "sh <<< 'rm -rf /'",
            "echo 'rm -rf /' | sh",
            "echo rm -rf / | sh",
            "echo -e 'ls\\nrm -rf /' | sh",
            "printf 'rm -rf /' | bash",
            "printf '%s %s /\\n' rm -rf | bash",
            "printf 'rm -rf %s' / | bash -s",
            "echo 'rm -rf /' | sudo sh",
            "echo 'rm -rf /' | cat | tee x | sh",
            "cat <<EOF | sh\nrm -rf /\nEOF",
            "(echo ls; echo 'rm -rf /') | sh",
            "bash <(echo 'rm -rf /')",
            "source <(echo 'rm -rf /')",
            ". /dev/stdin <<< 'rm -rf /'",
            "bash /dev/stdin <<< 'rm -rf /'",
            "echo 'rm -rf /' > x.sh; sh x.sh",
            "echo ls > x.sh; echo 'rm -rf /' >> x.sh; bash ./x.sh",
            "cat > x.sh <<EOF\nrm -rf /\nEOF\nchmod +x x.sh && ./x.sh",
            "echo 'rm -rf /' | ssh host sh",
            "ssh host <<EOF\nrm -rf /\nEOF",
        ],
    );
}

#[test]
fn arguments_from_pipes_and_searches_are_filled_in() {
    all(
        "deny rm-root",
        &[
            "echo / | xargs rm -rf",
            "echo /* | xargs rm -rf",
            "echo / | xargs -I{} rm -rf {}",
            "echo / | xargs -I % sh -c 'rm -rf %'",
            "printf '/\\0' | xargs -0 rm -rf",
            "xargs rm -rf / < list",
            "xargs -n 1 -P 4 rm -rf / < list",
            "echo 'rm -rf /' | xargs -I{} sh -c '{}'",
            "echo rm -rf / | xargs env",
            "xargs rm -rf <<< /",
            "parallel rm -rf ::: /",
            "parallel 'rm -rf {}' ::: a /",
            "find . -name x -exec sh -c 'rm -rf /' \\;",
            "find . -ok rm -rf / \\;",
            "find . -exec ls {} \\; -exec rm -rf / +",
        ],
    );
}

#[test]
fn what_is_confined_is_judged_all_the_same() {
    all(
        "deny rm-root",
        &[
            "hookbox confine -- rm -rf /",
            "hookbox confine rm -rf /",
            "hookbox confine --profile tests --project /code/project -- /bin/bash -c 'rm -rf /'",
            "/usr/local/bin/hookbox confine --profile=tests --home /h -- sh -c 'ls; rm -rf /'",
            "env X=1 hookbox confine -- sudo rm -rf /",
        ],
    );
    all("deny hook-config", &["hookbox confine -- hookbox uninstall claude-code"]);
    all(
        "none",
        &["hookbox confine -- cargo test", "hookbox confine --help", "hookbox confine -- bash -c 'make'"],
    );
    let text = judge("hookbox confine -- git push -f", CWD, &policy("{}")).unwrap().text;
    assert_eq!(text, "`git push -f` may overwrite commits on the remote (seen through: hookbox confine)");
}

#[test]
fn the_text_tells_the_command_and_the_way_to_it() {
    let text = |command: &str| judge(command, CWD, &policy("{}")).unwrap().text;
    assert_eq!(text("rm -rf / --no-preserve-root"), "`rm -rf / --no-preserve-root` removes /");
    assert_eq!(
        text("sudo sh -c 'rm -rf / --no-preserve-root'"),
        "`rm -rf / --no-preserve-root` removes / (seen through: sudo › sh -c)"
    );
    assert_eq!(text("echo $(rm -rf ~/*)"), "`rm -rf ~/*` removes a home folder (seen through: $(…))");
    assert_eq!(text("git push -f"), "`git push -f` may overwrite commits on the remote");
    assert_eq!(text("curl -s x | sh"), "`sh` runs what was just downloaded (seen through: sh)");
    assert_eq!(text("$(cat f) \"$X y\""), "`… … y` runs a command that is only known when it runs");
}

#[test]
fn the_text_is_bounded_and_shows_no_control_characters() {
    let command = format!("rm -rf / $'\\e[2J' \u{202E}x {}", "a".repeat(5000));
    let decision = judge(&command, CWD, &policy("{}")).unwrap();
    assert!(decision.text.chars().count() < 700, "{}", decision.text);
    assert!(decision.text.contains("\\u{1b}[2J \\u{202e}x"), "{}", decision.text);
}
