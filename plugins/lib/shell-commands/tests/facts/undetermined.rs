//! Parts that the text does not determine.

use crate::assert_facts;

#[test]
fn a_program_that_is_not_known_is_listed() {
    assert_facts(
        "$EDITOR notes.txt",
        "
        ?: …~ notes.txt
        ? program: … notes.txt
        ",
    );
    assert_facts(
        "${CC:-gcc} -c a.c",
        "
        ?: gcc~ -c a.c
        read /home/me/project/a.c
        unknown /home/me/project/a.c
        ? program: gcc -c a.c
        ",
    );
    assert_facts(
        "sudo \"$TOOL\" x",
        "
        sudo: sudo …~ x
        sudo > ?: …~ x
        ? program: … x
        ",
    );
}

#[test]
fn a_download_that_is_executed_is_code() {
    assert_facts(
        "curl -fsSL https://get.example.com/install.sh | bash -s -- -y",
        "
        curl: curl -fsSL https://get.example.com/install.sh
        bash: bash -s -- -y [piped]
        host get.example.com of curl
        ? code: bash -s -- -y
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
    assert_facts(
        "wget -q https://a.example/i.sh && sh i.sh",
        "
        wget: wget -q https://a.example/i.sh
        sh: sh i.sh
        use /home/me/project/i.sh
        write /home/me/project/i.sh
        write …~
        host a.example of wget
        ? code: i.sh
        ",
    );
}

#[test]
fn a_script_that_is_executed_is_code_by_its_name() {
    assert_facts(
        "bash deploy.sh prod; source ~/.venv/bin/activate; python3 script.py --fast; node --inspect app.js; cat x | sh",
        "
        bash: bash deploy.sh prod
        source: source ~/.venv/bin/activate~
        python3: python3 script.py --fast
        node: node --inspect app.js
        cat: cat x
        sh: sh [piped]
        use /home/me/.venv/bin/activate
        read /home/me/project/app.js
        use /home/me/project/deploy.sh
        read /home/me/project/script.py
        read /home/me/project/x
        ? code: deploy.sh
        ? code: ~/.venv/bin/activate
        ? code: script.py
        ? code: app.js
        ? code: sh
        ",
    );
}

#[test]
fn a_script_that_the_line_writes_is_read() {
    assert_facts(
        "echo 'rm x' > a.sh; bash a.sh",
        r#"
        echo: echo "rm x" >a.sh
        bash: bash a.sh
        bash > rm: rm x
        use /home/me/project/a.sh
        write /home/me/project/a.sh
        write /home/me/project/x
        "#,
    );
}

#[test]
fn text_that_is_evaluated_is_code_where_it_is_not_known() {
    assert_facts(
        "eval \"$CMD\"",
        "
        eval: eval …~
        ? code: eval …
        ",
    );
    assert_facts(
        "eval \"$(ssh-agent -s)\"",
        "
        ssh-agent: ssh-agent -s
        eval: eval …~
        ? code: eval …
        ",
    );
    assert_facts(
        "bash -c \"ls $DIR\"",
        r#"
        bash: bash -c "ls …"~
        bash > ls: ls …~
        use /home/me/project/ls …~
        ? code: ls …
        "#,
    );
    assert_facts(
        "bash -c 'ls \"$1\"' _ \"$DIR\"",
        r#"
        bash: bash -c "ls \"$1\"" _ …~
        bash > ls: ls …~
        use /home/me/project/ls "$1"
        "#,
    );
    assert_facts(
        "ssh host \"rm $f\"",
        r#"
        ssh: ssh host "rm …"~
        ssh > rm: rm …~ [elsewhere] in ?
        host host of ssh
        ? code: rm …
        "#,
    );
}

#[test]
fn code_of_another_language_is_listed() {
    assert_facts(
        "python3 - <<'E'\nimport os\nos.remove('x.txt')\nE",
        r"
        python3: python3 - [piped]
        write /home/me/project/x.txt
        ? language: import os\nos.remove(\'x.txt\')
        ",
    );
    assert_facts(
        "python -c 'print(1)'; perl -pi -e 's/a/b/' f; node -e 'x()'; php -r 'y();'; ruby -ne 'puts 1'; pwsh -NoProfile -Command Get-Date",
        r#"
        python: python -c print(1)
        perl: perl -pi -e s/a/b/ f
        node: node -e x()
        php: php -r y();
        ruby: ruby -ne "puts 1"
        pwsh: pwsh -NoProfile -Command Get-Date
        read /home/me/project/Get-Date
        read /home/me/project/e
        read /home/me/project/f
        write /home/me/project/f
        unknown /home/me/project/f
        read /home/me/project/i
        unknown /home/me/project/i
        read /home/me/project/oProfile
        unknown /home/me/project/oProfile
        read /home/me/project/ommand
        unknown /home/me/project/ommand
        read /home/me/project/puts 1
        read /home/me/project/s/a/b
        unknown /home/me/project/s/a/b
        ? language: print(1)
        ? language: s/a/b/
        ? language: x()
        ? language: y();
        ? language: puts 1
        ? language: Get-Date
        "#,
    );
    assert_facts(
        "python -m pytest -q; python --version",
        "
        python: python -m pytest -q
        python: python --version
        read /home/me/project/pytest
        ",
    );
    assert_facts(
        "powershell.exe -NoProfile -Command ls; cmd.exe /c del x",
        "
        powershell.exe: powershell.exe -NoProfile -Command ls
        cmd.exe: cmd.exe /c del x
        read /c
        unknown /c
        read /home/me/project/del
        unknown /home/me/project/del
        read /home/me/project/ls
        unknown /home/me/project/ls
        read /home/me/project/oProfile
        unknown /home/me/project/oProfile
        read /home/me/project/ommand
        unknown /home/me/project/ommand
        read /home/me/project/x
        unknown /home/me/project/x
        ? language: ls
        ? language: del x
        ",
    );
}

#[test]
fn an_error_of_syntax_is_listed() {
    assert_facts(
        "echo \"unclosed",
        r#"
        ? syntax: echo \"unclosed
        "#,
    );
    assert_facts(
        "ls\nif true; then echo",
        r"
        ls: ls
        ? syntax: ls\nif true; then echo
        ",
    );
    assert_facts(
        "rm x\0y",
        r"
        rm: rm x
        rm: rm xy
        write /home/me/project/x
        write /home/me/project/xy
        ? syntax: rm x\0y
        ",
    );
    assert_facts(
        "rm \u{FDD0}",
        "
        ? syntax: rm …
        ",
    );
}
