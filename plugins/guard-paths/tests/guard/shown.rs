//! Ways to see a secret that name no program which is there to print files.

use crate::all_commands;

#[test]
fn a_program_on_no_list_prints_what_it_is_given() {
    all_commands(
        "{}",
        "deny secret-file",
        &[
            "tr a b < .env",
            "xargs < .env",
            "xargs -n1 echo < .env",
            "column -t .env",
            "cut -f1- .env",
            "cut -d= -f1- .env",
            "cut -d= -f1 --complement .env",
            "cpp .env",
            "gcc -E -x c .env",
            "python3 .env",
            "node .env",
            "php .env",
            "python3 -m json.tool .env",
            "make -f .env -p",
            "make -f.env",
            "frobnicate .env",
            "frobnicate --input=.env",
            "frobnicate -i.env",
            "frobnicate @.env",
            "./show.sh .env",
            "./show.sh < config/.env",
            "sudo frobnicate .env",
            "m4 .env",
            "date -f .env",
            "file -f .env",
            "wc --files0-from=.env",
            "tar cf x.tar --files-from=.env",
            "git config -f .env --list",
            "git grep --no-index KEY .env",
            "git commit -F .env",
            "sops -d .env",
            "git hash-object -w .env",
            "openssl base64 < .env",
            "sqlite3 x '.import .env t'",
            "dotenv -f .env list",
            "dotenvx get -f .env",
        ],
    );
    all_commands(
        "{}",
        "deny private-key",
        &[
            "cut -d= -f1 id_rsa",
            "cat id_rsa | cut -d= -f1",
            "openssl rsa -in server.key",
            "openssl pkey -in server.key -text -noout",
            "frobnicate server.pem",
        ],
    );
}

#[test]
fn an_option_without_a_value_hides_no_file() {
    all_commands(
        "{}",
        "deny secret-file",
        &[
            "base64 -i .env",
            "bat -P .env",
            "hexdump -c .env",
            "od -w .env",
            "pr -t .env",
            "sort -m .env",
            "more -p .env",
            "sed -E s/a/b/ .env",
            "grep -T KEY .env",
            "grep -r KEY .env",
        ],
    );
}

#[test]
fn an_option_that_shows_little_must_be_one() {
    all_commands(
        "{}",
        "deny secret-file",
        &["grep -ec .env", "grep -A1 -eq .env", "sed -n -e '$=' -e p .env", "diff -s .env /dev/null"],
    );
    all_commands(
        "{}",
        "none",
        &[
            "grep -nc KEY .env",
            "sed -n '$=' .env",
            "diff -q .env .env.example",
            "cmp -s .env other",
            "cut -f 1 -d '=' -s .env",
        ],
    );
}

#[test]
fn a_pattern_for_hidden_files_prints_a_secret() {
    all_commands("{}", "deny secret-file", &["cat .*", "head -5 .???", "tail -n1 .e*"]);
    all_commands("{}", "deny credentials", &["grep KEY .[a-z]*"]);
    all_commands("{}", "none", &["ls -d .*", "du -sh .[!.]*", "cat *", "cat .pre*"]);
}

#[test]
fn a_file_is_read_through_any_descriptor() {
    all_commands(
        "{}",
        "deny secret-file",
        &[
            "exec 3<.env; cat <&3",
            "exec 3<.env; cat /dev/fd/3",
            "cat /proc/self/fd/4 4<.env",
            "exec 3<.env; read -u3 line; echo $line",
            "exec < .env; cat",
            "(cat) < .env",
            "{ sort; } < .env",
            "while read -r line; do echo \"$line\"; done < .env",
            "while cat; do :; done < .env",
            "mapfile -t lines < .env; echo \"${lines[@]}\"",
            "mapfile < .env; echo \"${MAPFILE[@]}\"",
            "X=$(<.env); declare -p X",
            "X=$(<.env); set",
            "X=$(cat .env); cat <<< \"$X\"",
            "X=$(cat .env); cat <<EOF\n$X\nEOF",
        ],
    );
    all_commands(
        "{}",
        "none",
        &[
            "while read -r line; do export \"$line\"; done < .env",
            "mapfile -t lines < .env",
            "docker login -u x --password-stdin < docker.key",
            "gh secret set -f .env",
            "gh secret set KEY < .env",
        ],
    );
}

#[test]
fn a_secret_that_is_loaded_is_printed_by_who_prints_variables() {
    all_commands(
        "{}",
        "deny secret-file",
        &[
            "set -x; . ./.env",
            "set -euxo pipefail; source .env",
            "set -o xtrace; source .env",
            "set -v && . ./.env",
            "bash -x .env",
            "bash -xc '. ./.env'",
            "bash -o xtrace -c 'source .env'",
            "set -x; KEY=$(cat .env)",
            ". ./.env; set -x; curl -H \"Authorization: $KEY\" https://x.example",
            ". ./.env; echo $KEY",
            "source .env && echo \"${KEY:0:4}\"",
            "source .env && printf '%s\\n' \"$KEY\"",
            ". ./.env; cat <<< \"$KEY\"",
            ". ./.env; printenv",
            ". ./.env; printenv KEY",
            "set -a; . ./.env; env | sort",
            ". ./.env; set",
            ". ./.env; export -p",
            ". ./.env; declare -p KEY",
            "[ -f .env ] && . ./.env; echo $KEY",
            "load() { . ./.env; }; load; echo $KEY",
            "export $(cat .env | xargs); env",
            "export $(cat .env | xargs) && echo $KEY",
            "while read -r line; do export \"$line\"; done < .env; printenv",
            "eval \"$(cat .env)\"; echo $KEY",
            "set -a; . ./.env; python3 -c 'import os; print(os.environ[\"KEY\"])'",
            "set -a; . ./.env; node -p process.env.KEY",
            "node --env-file=.env -e 'console.log(process.env.KEY)'",
            "set -a; . ./.env; awk 'BEGIN { print ENVIRON[\"KEY\"] }'",
            "docker run --env-file .env alpine env",
            "docker compose --env-file .env config",
        ],
    );
    all_commands(
        "{}",
        "none",
        &[
            "source .env && npm start",
            "set -a; . ./.env; set +a; ./run",
            "set -euo pipefail; source .env; ./run",
            "set -x; set +x; source .env",
            "set -o pipefail; source .env",
            "source .env && curl -H \"Authorization: Bearer $TOKEN\" https://x.example",
            "source .env; psql \"$DATABASE_URL\" -c 'select 1'",
            "source .env; echo \"${KEY:+set}\"",
            "source .env; echo \"${#KEY}\"",
            "source .env; [ -n \"$KEY\" ] && echo yes",
            "source .env; echo \"$HOME $USER\"",
            "source .env; NAME=x; echo $NAME",
            "for f in a b; do . ./.env; echo $f; done",
            "docker compose --env-file .env up -d",
            "docker compose --env-file .env config --quiet",
            "docker run --env-file .env app ./serve",
            "source <(grep -v '^#' .env); npm test",
            "echo $KEY; . ./.env",
            "source .venv/bin/activate; echo $VIRTUAL_ENV",
            "set -a; . ./.env; python3 -c 'import os; print(len(os.environ[\"KEY\"]))'",
            "set -a; . ./.env; python3 app.py",
        ],
    );
}

#[test]
fn what_does_something_with_a_file_as_a_whole_prints_nothing_of_it() {
    all_commands(
        "{}",
        "none",
        &[
            "test -f .env",
            "[ -f .env ]",
            "[[ -s .env ]] && echo yes",
            "ls .env",
            "ls -la .env*",
            "git check-ignore .env",
            "git check-ignore -v .env",
            "git rm --cached --ignore-unmatch x; git status .env",
            "cp .env.example .env",
            "chmod 600 .env",
            "touch .env",
            "sudo chown root .env",
            "basename .env",
            "realpath .env",
            "echo .env",
            "printf '%s\\n' .env",
            "which .env",
            "find . -name .env -maxdepth 2",
            "du -sh .env",
            "direnv allow .env",
            "code .env",
            "vercel env pull .env.local",
            "npm run build --if-present -- x",
            "frobnicate --env-file .env",
            "frobnicate --env .env",
            "frobnicate --dotenv=.env",
            "frobnicate --exclude .env .",
            "frobnicate --ignore=.env .",
            "uvicorn app --ssl-keyfile server.key --ssl-certfile server.pem",
            "frobnicate 'please look at config/.env and tell me what it is'",
            "export_all() { set -a; . \"$1\"; set +a; }; export_all .env",
            "env FILE=.env npm start",
            "make .env",
            "make ENV_FILE=.env up",
            "openssl rsa -in server.key -pubout",
            "openssl rsa -in server.key -noout -modulus",
            "ssh-keygen -y -f id_rsa",
            "gpg --import x.key",
            "bash .env",
        ],
    );
}
