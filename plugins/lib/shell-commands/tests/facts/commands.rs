//! Commands: their words, their places, and the programs that lead to them.

use crate::assert_facts;

#[test]
fn a_line_is_its_commands_with_their_words() {
    assert_facts(
        "ls -la src",
        "
        ls: ls -la src
        ",
    );
    assert_facts(
        "cat a.txt | grep -c x | sort > out.txt",
        "
        cat: cat a.txt
        grep: grep -c x [piped]
        sort: sort >out.txt [piped]
        use /home/me/project/a.txt
        write /home/me/project/out.txt
        ",
    );
    assert_facts(
        "cd sub && make 2>&1 | tee build.log",
        "
        cd: cd sub
        make: make in /home/me/project/sub
        tee: tee build.log [piped] in /home/me/project/sub
        read /home/me/project/sub/build.log
        write /home/me/project/sub/build.log
        ",
    );
}

#[test]
fn a_wrapper_is_followed_by_the_command_that_it_starts() {
    assert_facts(
        "sudo sh -c 'rm -rf /var/lib/x'",
        r#"
        sudo: sudo sh -c "rm -rf /var/lib/x"
        sudo > sh: sh -c "rm -rf /var/lib/x"
        sudo > sh > rm: rm -rf /var/lib/x
        use /home/me/project/rm -rf /var/lib/x
        write /var/lib/x and below
        "#,
    );
    assert_facts(
        "timeout 5 nice -n 3 make all",
        "
        timeout: timeout 5 nice -n 3 make all
        timeout > nice: nice -n 3 make all
        timeout > nice > make: make all
        ",
    );
    assert_facts(
        "find . -name __pycache__ -exec rm -rf {} +",
        "
        find: find . -name __pycache__ -exec rm -rf {} +
        find > rm: rm -rf ./**/__pycache__~
        write /home/me/project/**/__pycache__~
        write /home/me/project/**/__pycache__~ and below
        ",
    );
    assert_facts(
        "xargs rm < files.txt",
        "
        xargs: xargs rm <files.txt [piped]
        xargs > rm: rm …~ <files.txt [piped]
        read /home/me/project/files.txt
        write …~
        ",
    );
    assert_facts(
        "git ls-files '*.rs' | xargs -I{} cp {} /backup/",
        "
        git: git ls-files *.rs
        xargs: xargs -I{} cp {} /backup/ [piped]
        xargs > cp: cp *.rs/**/*~ /backup/ [piped]
        xargs > cp: cp *.rs~ /backup/ [piped]
        write /backup
        write /backup/*~
        write /backup/*.rs~
        read /home/me/project/*.rs~
        read /home/me/project/*.rs~ and below
        ",
    );
    assert_facts(
        "trap 'rm -f lock' EXIT",
        r#"
        trap: trap "rm -f lock" EXIT
        trap > rm: rm -f lock
        write /home/me/project/lock
        "#,
    );
}

#[test]
fn an_assignment_belongs_to_its_command_alone() {
    assert_facts(
        "A=1 B=$X env C=2 make all",
        "
        env: A=1 B=…~ env C=2 make all
        env > make: C=2 make all
        ",
    );
    assert_facts(
        "x=1; make $x",
        "
        set: x=1
        make: make 1
        ",
    );
}

#[test]
fn a_redirection_is_a_word_of_its_command() {
    assert_facts(
        "cmd < in.txt >> log.txt 2> err.txt",
        "
        cmd: cmd <in.txt >log.txt >err.txt [piped]
        write /home/me/project/err.txt
        read /home/me/project/in.txt
        write /home/me/project/log.txt
        ",
    );
    assert_facts(
        "cat <<EOF > f\nhello $USER\nEOF",
        "
        cat: cat >f [piped]
        write /home/me/project/f
        ",
    );
    assert_facts(
        "{ echo x; } > out",
        "
        echo: echo x
        write /home/me/project/out
        ",
    );
}

#[test]
fn a_command_elsewhere_has_no_folder_and_no_path_here() {
    assert_facts(
        "ssh -p 22 deploy@prod.example.com 'cd /srv && rm -rf cache'",
        r#"
        ssh: ssh -p 22 deploy@prod.example.com "cd /srv && rm -rf cache"
        ssh > cd: cd /srv [elsewhere] in ?
        ssh > rm: rm -rf cache [elsewhere] in /srv
        host prod.example.com of ssh
        "#,
    );
    assert_facts(
        "docker exec -it web rm -rf /data",
        "
        docker: docker exec -it web rm -rf /data
        docker > rm: rm -rf /data [elsewhere] in ?
        ",
    );
    assert_facts(
        "docker run --rm -v \"$PWD\":/w -w /w rust:1 rm -rf target",
        "
        docker: docker run --rm -v /home/me/project:/w -w /w rust:1 rm -rf target
        docker > rm: rm -rf target [elsewhere] in /w
        link /home/me/project
        write /home/me/project/target and below
        ",
    );
    assert_facts(
        "kubectl exec pod -- rm /x",
        "
        kubectl: kubectl exec pod -- rm /x
        kubectl > rm: rm /x [elsewhere] in ?
        ",
    );
}

#[test]
fn a_folder_that_is_not_known_is_left_out() {
    assert_facts(
        "cd \"$DIR\" && rm y",
        "
        cd: cd …~
        rm: rm y in ?
        write …/y~
        ",
    );
    assert_facts(
        "cd ~/src && rm y",
        "
        cd: cd ~/src~
        rm: rm y in /home/me/src
        write /home/me/src/y
        ",
    );
    assert_facts(
        "(cd a && rm b); rm c",
        "
        cd: cd a
        rm: rm b in /home/me/project/a
        rm: rm c
        write /home/me/project/a/b
        write /home/me/project/c
        ",
    );
}

#[test]
fn a_loop_lists_each_value_once() {
    assert_facts(
        "for f in a b c; do rm $f; done",
        "
        set: f=a
        rm: rm a
        set: f=b
        rm: rm b
        set: f=c
        rm: rm c
        write /home/me/project/a
        write /home/me/project/b
        write /home/me/project/c
        ",
    );
    assert_facts(
        "for f in *.log; do gzip \"$f\"; done",
        "
        set: f=*.log~
        gzip: gzip *.log~
        write /home/me/project/*~
        read /home/me/project/*.log~
        write /home/me/project/*.log~
        ",
    );
}

#[test]
fn each_branch_is_taken() {
    assert_facts(
        "if test -f a; then rm a; else touch b; fi",
        "
        test: test -f a
        rm: rm a
        touch: touch b
        write /home/me/project/a
        unknown /home/me/project/b
        ",
    );
    assert_facts(
        "x=1; $y && x=2; rm $x",
        "
        set: x=1
        ?: …~
        set: x=2
        rm: rm 2
        rm: rm 1
        write /home/me/project/1
        write /home/me/project/2
        ? program: …
        ",
    );
}

#[test]
fn a_function_lists_its_commands_where_it_is_called() {
    assert_facts(
        "f() { rm \"$1\"; }; f a",
        "
        set: BASH_FUNC_f%%=…~
        f: f a
        rm: rm a
        write /home/me/project/a
        write …~
        ",
    );
    assert_facts(
        "f() { rm b; }",
        "
        set: BASH_FUNC_f%%=…~
        write /home/me/project/b
        ",
    );
}

#[test]
fn a_text_that_a_program_may_run_is_guessed() {
    assert_facts(
        "git -c core.pager='rm z' log",
        r#"
        git: git -c "core.pager=rm z" log
        git > rm: rm z [guessed]
        write /home/me/project/z
        "#,
    );
    assert_facts(
        "awk 'BEGIN{system(\"rm q\")}'",
        r#"
        awk: awk "BEGIN{system(\"rm q\")}"
        awk > rm: rm q [guessed]
        write /home/me/project/q
        "#,
    );
    assert_facts(
        "test -v 'a[$(rm s)]'",
        r#"
        test: test -v "a[$(rm s)]"
        rm: rm s [guessed]
        write /home/me/project/s
        "#,
    );
}

#[test]
fn a_substitution_is_listed_before_its_command() {
    assert_facts(
        "echo $(cat VERSION) > v",
        "
        cat: cat VERSION
        echo: echo …~ >v
        read /home/me/project/VERSION
        write /home/me/project/v
        ",
    );
    assert_facts(
        "bash <(curl -s https://x.example/i)",
        "
        curl: curl -s https://x.example/i
        bash: bash …~
        use …~
        host x.example of curl
        ? code: bash …
        ",
    );
}

#[test]
fn a_word_has_marks_for_what_is_not_known() {
    assert_facts(
        "rm -rf \"$TARGET/build\" ${OUT:-dist} ~/x *.rs [ab]?.txt '*'",
        "
        rm: rm -rf …/build~ dist~ ~/x~ *.rs~ [ab]?.txt~ *
        write /home/me/project/*~ and below
        write /home/me/project/*.rs~ and below
        write /home/me/project/[ab]?.txt~ and below
        write /home/me/project/dist and below
        write /home/me/x and below
        write …/build~ and below
        ",
    );
    assert_facts(
        "/usr/bin/RM x",
        "
        rm: /usr/bin/RM x
        write /home/me/project/x
        ",
    );
}

#[test]
fn variables_of_the_shell_are_commands_without_words() {
    assert_facts(
        "((i=1)); : ${PATH:=x}",
        "
        set: i=…~
        set: PATH=x~
        :: : x~
        ? code: i=1
        ",
    );
    assert_facts(
        "x=$(cat f); echo $((x)) ${(e)x}",
        "
        cat: cat f
        set: x=…~
        echo: echo …~ …~
        use /home/me/project/f
        ? code: x
        ? code: e)x
        ",
    );
}
