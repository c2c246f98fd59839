//! Files by other names: links, mounts, folders of containers.

use shell_commands::Access;

use crate::{CHANGES, all, none};

#[test]
fn what_is_written_by_a_name_that_the_same_line_gave_is_written_where_that_leads() {
    all(
        CHANGES,
        "~/p/a",
        &[
            "ln -s ~/p x; echo > x/a",
            "ln -s ~ x && rm x/p/a",
            "ln -sfn ~/p .; echo > p/a",
            "ln ~/p/a y; echo > y",
            "link ~/p/a y; echo > y",
            "cp -l ~/p/a y; echo > y",
            "cp -al ~/p y; echo > y/a",
            "cp -rs ~/p y; echo > y/a",
            "ln -s -t d ~/p; rm d/p/a",
            "mkdir d; cd d; ln -s ~/p; echo > p/a",
            "ln -s one two; ln -s ~/p one; echo > two/a",
            "mount --bind ~/p /mnt; rm /mnt/a",
            "mount -o bind ~/p /mnt; rm /mnt/a",
            "bindfs ~/p m; rm m/a",
            "bwrap --bind ~/p /x rm /x/a",
        ],
    );
    // Below the folder that the link is in.
    all(CHANGES, "/home/me/project/../p/a", &["ln -s ../p x; echo > x/a"]);
    all(CHANGES, "/home/me/project/d/../../p/a", &["ln -s ../../p d/x; echo > d/x/a"]);
    all(
        &[Access::Alias],
        "~/p",
        &["ln -s ~/p x", "cp -al ~/p x", "mount --rbind ~/p x", "bindfs ~/p x", "docker run -v ~/p:/x image"],
    );
    // To take the link away leaves what it leads to.
    none(CHANGES, "~/p", &["ln -s ~/p x; rm -rf x", "cp -r ~/p x; rm -rf x", "mount -o ro,bind ~/p x"]);
}

#[test]
fn a_container_that_is_given_a_folder_writes_there() {
    all(
        &[Access::Alias],
        "~/p",
        &[
            "docker run --rm -v ~/p:/x image ls",
            "podman run --volume=$HOME/p:/x:rw image",
            "docker run --mount type=bind,source=$HOME/p,target=/x image",
            "nerdctl container run -v ~/p:/x image",
            "docker compose run -v ~/p:/x app",
        ],
    );
    none(
        &[Access::Alias],
        "~/p",
        &[
            "docker run -v ~/p:/x:ro image",
            "docker run --mount type=bind,src=$HOME/p,dst=/x,readonly image",
            "docker run -v p:/x image",
        ],
    );
    all(
        CHANGES,
        "~/p/a",
        &[
            "docker run -v ~/p:/x image rm /x/a",
            "docker run -v ~/p:/x image sh -c 'echo > /x/a'",
            "docker run -v $HOME:/h -w /h image rm p/a",
            "docker run --mount type=bind,src=$HOME/p,dst=/x image rm -r /x/a",
        ],
    );
    all(CHANGES, "/home/me/p/a", &["docker run -v /:/host image rm /host/home/me/p/a"]);
    none(CHANGES, "~/p/a", &["docker run -v $HOME:/h image rm /p/a", "docker run image rm ~/p/a"]);
}

#[test]
fn words_of_too_much_text_are_not_read_to_the_end() {
    let long = "y".repeat(8_000);
    let looped = format!("for a in {}; do touch q/$a{long}; done", "x ".repeat(4_000));
    let braces = format!("touch q/{}", ["{1,2}"; 4].join(&long));
    for line in [looped, braces] {
        assert!(shell_commands::files(&line, "/home/me/project", "").is_cut);
    }
}
