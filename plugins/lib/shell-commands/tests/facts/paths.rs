//! Accesses to files and folders.

use crate::assert_facts;

#[test]
fn a_path_is_absolute_and_normalised() {
    assert_facts(
        "rm -rf ../../x ~/../y /a/../b \"$Q/../z\" ./c//d/.",
        "
        rm: rm -rf ../../x ~/../y~ /a/../b …/../z~ ./c//d/.
        write /b and below
        write /home/me/project/c/d and below
        write /home/x and below
        write /home/y and below
        write …/z~ and below
        ",
    );
}

#[test]
fn an_access_has_a_kind() {
    assert_facts(
        "cp -r src/ /mnt/dst; mkdir -p a/b; ln -s /shared lib; source ./env; chmod 600 key; git checkout -- docs",
        "
        cp: cp -r src/ /mnt/dst
        mkdir: mkdir -p a/b
        ln: ln -s /shared lib
        source: source ./env
        chmod: chmod 600 key
        git: git checkout -- docs
        unknown /home/me/project/600 and below
        create-folder /home/me/project/a/b
        write /home/me/project/docs and below
        use /home/me/project/env
        unknown /home/me/project/key and below
        write /home/me/project/lib and below
        write /home/me/project/lib/shared
        read /home/me/project/src
        write /mnt/dst and below
        write /mnt/dst/src
        read /shared
        link /shared
        write /shared/shared
        ? code: ./env
        ",
    );
}

#[test]
fn a_pattern_is_kept() {
    assert_facts(
        "rm build/*.o",
        "
        rm: rm build/*.o~
        write /home/me/project/build/*.o~
        ",
    );
    assert_facts(
        "find . -name '*.tmp' -delete",
        "
        find: find . -name *.tmp -delete
        write /home/me/project/**/*.tmp~
        ",
    );
    assert_facts(
        "find src -type f -exec sed -i s/a/b/ {} +",
        "
        find: find src -type f -exec sed -i s/a/b/ {} +
        find > sed: sed -i s/a/b/ src
        find > sed: sed -i s/a/b/ src/**/*~
        read /home/me/project/src
        read /home/me/project/src and below
        write /home/me/project/src
        write /home/me/project/src and below
        ",
    );
    assert_facts(
        "find / -type f -exec chmod 600 {} +",
        "
        find: find / -type f -exec chmod 600 {} +
        find > chmod: chmod 600 /
        find > chmod: chmod 600 //**/*~
        unknown / and below
        unknown /home/me/project/600 and below
        ",
    );
}

#[test]
fn a_redirection_of_a_group_is_an_access() {
    assert_facts(
        "cd d; while read l; do echo; done < list.txt > out.txt",
        "
        cd: cd d
        read: read l [piped] in /home/me/project/d
        echo: echo [piped] in /home/me/project/d
        read /home/me/project/d/l
        unknown /home/me/project/d/l
        read /home/me/project/d/list.txt
        write /home/me/project/d/out.txt
        ",
    );
}
