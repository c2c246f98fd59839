//! Programs that run a command among other things, and variables that are set on the way.

use crate::support::all;

#[test]
fn a_command_is_seen_through_the_tools_that_run_it() {
    all(
        "deny rm-root",
        &[
            "su -- root -c 'rm -rf /'",
            "su root -- -c 'rm -rf /'",
            "su - root -- -c 'rm -rf /'",
            "runuser root -- -c 'rm -rf /'",
            "sg root -c 'rm -rf /'",
            "sg - root 'rm -rf /'",
            "setarch x86_64 rm -rf /",
            "setarch -R rm -rf /",
            "linux64 rm -rf /",
            "valgrind --tool=none rm -rf /",
            "perf stat rm -rf /",
            "perf record -e cycles -o x -- rm -rf /",
            "eatmydata rm -rf /",
            "eatmydata -- rm -rf /",
            "ssh-agent rm -rf /",
            "npx -c 'rm -rf /'",
            "npx --call='rm -rf /'",
            "npm exec -- rm -rf /",
            "npm exec -c 'rm -rf /'",
            "pnpm exec rm -rf /",
            "uv run rm -rf /",
            "uv run --with x -- rm -rf /",
            "poetry run rm -rf /",
            "poetry run sh -c 'rm -rf /'",
            "bundle exec rm -rf /",
            "conda run -n x rm -rf /",
            "mise exec node@20 -- rm -rf /",
            "nix-shell --run 'rm -rf /'",
            "nix-shell -p jq --command 'rm -rf /'",
            "ls | entr rm -rf /",
            "faketime yesterday rm -rf /",
        ],
    );
}

#[test]
fn editors_and_sed_run_what_their_commands_say() {
    all(
        "deny rm-root",
        &[
            "vim +'!rm -rf /'",
            "vim -c 'silent !rm -rf /'",
            "vim '+%!rm -rf /' x",
            "vim -c 'call system(\"rm -rf /\")'",
            "ex -c '!rm -rf /'",
            "nvim --cmd '!rm -rf /'",
            "sed '1e rm -rf /' x",
            "sed -n '/a/,$e rm -rf /' x",
            "sed -e p -e 'e rm -rf /' x",
            "sed 's/a;b/c/;1e rm -rf /' x",
            "sed 's/.*/rm -rf \\//e' x",
            "sed 's|.*|rm -rf /|ge' x",
        ],
    );
}

#[test]
fn variables_are_followed_through_references_reads_and_files() {
    all(
        "deny rm-root",
        &[
            "declare -n r=x; x=/; rm -rf $r",
            "declare -n r=x; r=/; rm -rf $x",
            "declare -n r=x s=r; x=/; rm -rf $s",
            "x=echo; declare -n r=x; r=rm; $x -rf /",
            "x=rm; declare -n r=x; $r -rf /",
            "declare -n r=CMD; r=rm; \"$CMD\" -rf /",
            "IFS= read -r x < <(echo /); rm -rf $x",
            "IFS= read -r x <<< /; rm -rf \"$x\"",
            "A=1 B=2 eval 'x=/'; rm -rf $x",
            "xargs -a <(echo /) rm -rf",
            "xargs --arg-file <(echo /) rm -rf",
            "parallel -a <(echo /) rm -rf",
        ],
    );
}

#[test]
fn the_same_tools_with_ordinary_commands_pass() {
    all(
        "none",
        &[
            "su -- root -c 'ls /'",
            "su - postgres -c 'psql -l'",
            "sg docker -c 'docker ps'",
            "setarch x86_64 make",
            "valgrind --leak-check=full ./a.out",
            "perf stat -e cycles ls /",
            "perf report",
            "perf list rm -rf /",
            "npx eslint . --fix",
            "npx -y create-vite@latest . --template react",
            "npm run build",
            "npm exec -- tsc --noEmit",
            "npm install rm",
            "uv run pytest -x",
            "uv run --with rich python -c 'print(1)'",
            "uv pip install -r requirements.txt",
            "poetry run pytest",
            "poetry add rm",
            "nix-shell --run 'make'",
            "nix-shell -p reboot",
            "vim +10 file",
            "vim -c '%s/rm -rf \\///' -c wq file",
            "ex -c 'wq' file",
            "vim -c '!make' file",
            "sed '1e date' x",
            "sed 's/rm -rf \\///' x",
            "sed -i.bak -e 's/a/e rm -rf/' x",
            "sed 's/a;e rm -rf \\//b/' x",
            "sed '/x/a e rm -rf /' x",
            "sed 's/a/rm -rf \\//w e' x",
            "sed -n '/start/,/end/p' x",
            "sed -e '1{N;N;d}' -e '$!N' x",
            "declare -n r=x; x=build; rm -rf $r",
            "f() { local -n out=$1; out=5; }; f y",
            "IFS=, read -r a b < file; echo $a",
            "IFS= read -r x < <(echo build); rm -rf $x",
            "xargs -a list grep x",
            "xargs -a <(echo build) rm -rf",
            "X=/ ls; rm -rf build/$X",
        ],
    );
}
