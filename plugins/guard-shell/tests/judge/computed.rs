//! Words that the shell works out.

use crate::support::all;

#[test]
fn what_the_shell_works_out_is_worked_out() {
    all(
        "deny rm-root",
        &[
            "read b <<< /; rm -rf $b",
            "read -r b <<< \"/\"; rm -rf \"$b\"",
            "read a b <<< 'x /'; rm -rf $b",
            "read b < <(echo /); rm -rf $b",
            "echo / | { read b; rm -rf $b; }",
            "mapfile -t b <<< /; rm -rf \"${b[0]}\"",
            "x=/usr.bak; rm -rf ${x%.*}",
            "x=/foo; rm -rf ${x%f*}",
            "x=foo/usr; rm -rf /${x##*/}",
            "x=a/b/usr; rm -rf /${x##*/}",
            "x=a_/usr; rm -rf ${x#*_}",
            "x='\\x2f'; rm -rf ${x@E}",
            "x=/; rm -rf ${x@Q}",
            "x=/USR; rm -rf ${x@L}",
            "x=rm; ${x@L} -rf /",
            "x=/xusr; rm -rf ${x/x}",
            "printf -v x '%s' /; rm -rf $x",
            "x=$'\\057'; rm -rf $x",
            "rm -rf /proc/self/root/usr",
            "rm -rf /proc/self/root",
            "rm -rf /proc/self/root/",
            "rm -rf /proc/thread-self/root/etc",
            "rm -rf /proc/1/root/etc",
            "rm -rf /proc/$$/root/etc",
            "rm -rf /proc/self/cwd",
            "rm -rf /proc/self/cwd/*",
            "rm -rf /proc/self/task/1/root/usr",
        ],
    );
    all(
        "deny hook-config",
        &[
            "rm /proc/self/cwd/.git/config",
            "rm /proc/self/root/etc/hookbox/hooks.toml",
            "rm \"/proc/self/root$HOME/.config/hookbox/hooks.toml\"",
            "echo x > /proc/self/cwd/.git/hooks/pre-commit",
            "read f <<< .git/config; rm $f",
            "x=.git/configx; rm ${x%?}",
        ],
    );
    all(
        "ask unset-variable",
        &[
            "rm -rf \"${UNSET:-}\"/",
            "rm -rf \"${UNSET-}\"/*",
            "rm -rf ${UNSET:-}/usr",
            "rm -rf ${UNSET%/}/",
            "rm -rf \"${UNSET}\"/",
            "rm -rf ${UNSET#x}/*",
            "rm -rf \"${UNSET//x/}/\"",
        ],
    );
}

#[test]
fn what_is_worked_out_to_something_harmless_is_free() {
    all(
        "none",
        &[
            "x=build.tar.gz; rm -rf ${x%%.*}",
            "x=/tmp/a.tar; rm -rf ${x%.*}",
            "x=a/b; rm -rf ${x##*/}",
            "read b <<< build; rm -rf $b",
            "read a b <<< 'x y'; rm -rf $a $b",
            "rm -rf \"${BUILD:-build}\"/x",
            "rm -rf \"${BUILD:-build}\"/*",
            "rm -rf \"${BUILD:?}\"/*",
            "cat /proc/self/status",
            "ls /proc/self/cwd",
            "rm -rf /proc/self/cwd/build",
            "rm -rf \"$(mktemp -d)\"/x",
            "d=$(mktemp -d); rm -rf \"$d\"/*",
            "rm -rf \"$(pwd)/build\"",
        ],
    );
}
