//! Files that programs write under names that only an option, a statement or another word says.

use shell_commands::Access;

use crate::{CHANGES, all, none};

#[test]
fn what_is_copied_or_packed_may_be_taken_away_or_keep_its_folders() {
    all(
        CHANGES,
        "~/p/a",
        &[
            "rsync --remove-source-files ~/p/a x",
            "rsync -ab --backup-dir=$HOME/p/a x y",
            "rsync --partial-dir ~/p/a x y",
            "rsync -T ~/p/a x y",
            "rsync --write-batch=$HOME/p/a x y",
            "rsync -R p/a ~",
            "rsync -R x/./p/a ~",
            "cp --parents p/a ~",
            "cp --parents -t ~ p/a",
            "zip -m x.zip ~/p/a",
            "zip -rm x.zip ~/p/a",
            "zip --move x.zip ~/p/a",
            "7z a -sdel x.7z ~/p/a",
            "rar m x.rar ~/p/a",
            "rar a -df x.rar ~/p/a",
            "tar --remove-files -C ~/p -cf x.tar a",
            "tar cf x.tar -C ~/p a --remove-files",
            "tar -xPf x.tar ~/p/a",
            "tar c a | tar x -C ~/p",
        ],
    );
    all(CHANGES, "~/p/./a", &["tar cf - a | (cd ~/p && tar xf -)"]);
    none(
        CHANGES,
        "~/p/a",
        &[
            "rsync -a ~/p/a x",
            "rsync --remove-source-files host:~/p/a x",
            "cp --parents ~/p/a x",
            "zip -r x.zip ~/p/a",
            "7z a x.7z ~/p/a",
            "tar -C ~/p -cf x.tar a",
            "tar cf - -C ~/p a | tar xf - -C x",
        ],
    );
}

#[test]
fn a_clone_is_called_as_its_address_ends() {
    all(
        CHANGES,
        "~/p/a",
        &[
            "cd ~/p && git clone http://x/a",
            "cd ~/p && git clone --depth 1 http://x/y/a.git/",
            "cd ~/p && git clone git@x:a.git",
            "git -C ~/p clone http://x/a",
            "cd ~/p && gh repo clone x/a",
        ],
    );
    none(CHANGES, "~/p/a", &["cd ~/p && git clone http://x/a b"]);
}

#[test]
fn some_programs_write_into_the_folder_that_they_run_in() {
    all(
        CHANGES,
        "~/p/.",
        &[
            "cd ~/p && patch -p1 < x.patch",
            "cd ~/p && split x",
            "cd ~/p && csplit x 1",
            "cd ~/p && npm init -y",
            "cd ~/p && yarn add x",
            "cd ~/p && cargo init",
            "cd ~/p && go mod init x",
            "cd ~/p && uv sync",
            "cd ~/p && git init",
            "cd ~/p && gh release download",
        ],
    );
    none(
        CHANGES,
        "~/p/.",
        &["cd ~/p && npm test", "cd ~/p && cargo build", "cd ~/p && split x y", "cd ~/p && git log"],
    );
}

#[test]
fn an_engine_writes_what_it_takes_out_of_containers_and_images() {
    all(
        CHANGES,
        "~/p/a",
        &[
            "docker cp x:/a ~/p",
            "docker cp x:/y/a ~/p/",
            "docker cp x:/y ~/p/a",
            "docker save -o ~/p/a x",
            "podman image save --output=$HOME/p/a x",
            "docker export -o ~/p/a x",
            "docker build -o ~/p/a .",
            "docker build --output type=local,dest=$HOME/p/a .",
        ],
    );
    none(CHANGES, "~/p/a", &["docker cp ~/p/a x:/y", "docker run x gcc -o ~/p/a x.c"]);
}

#[test]
fn clients_of_databases_write_what_their_statements_name() {
    all(
        CHANGES,
        "/p/a",
        &[
            "sqlite3 :memory: \"vacuum into '/p/a'\"",
            "sqlite3 :memory: \"ATTACH '/p/a' as x; create table x.t(a)\"",
            "sqlite3 :memory: \"select writefile('/p/a', 'x')\"",
            "sqlite3 :memory: '.output /p/a' 'select 1'",
            "sqlite3 :memory: \".once '/p/a'\" 'select 1'",
            "sqlite3 <<< '.backup main /p/a'",
            "echo \"vacuum into '/p/a'\" | sqlite3",
            "duckdb -c \"copy (select 1) to '/p/a'\"",
            "psql -c \"\\\\copy t to '/p/a'\"",
            "mysql -e \"select 1 into outfile '/p/a'\"",
        ],
    );
    none(CHANGES, "/p/a", &["sqlite3 :memory: \".read '/p/a'\"", "psql -c \"\\\\copy t from '/p/a'\""]);
}

#[test]
fn a_container_is_given_its_folder_and_code_in_it_writes_there() {
    all(
        CHANGES,
        "~/p/a",
        &[
            "docker run --rm -v ~/p:/c alpine sh -c 'rm /c/a'",
            "docker run --entrypoint rm -v $HOME:/h alpine -rf /h/p/a",
            "docker run -v $HOME:/h alpine sed -Ei s/x/y/ /h/p/a",
        ],
    );
    all(&[Access::Alias], "~/p", &["docker create -v ~/p:/c alpine"]);
}
