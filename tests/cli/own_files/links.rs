//! Links in an untrusted clone that lead to hookbox's files, and modes that close the folders above them.

use std::{fs, os::unix::fs::symlink};

use super::{is_refused, run};
use crate::TestBed;

/// A clone with a link of this name and target.
fn create_bed(name: &str, target: &str) -> TestBed {
    let bed = TestBed::with_config("# no hooks\n");
    bed.write_file("[PROJECT]/src/main.toml", "");
    bed.write_file("[PROJECT]/x/a/b.toml", "");
    fs::create_dir_all(bed.resolve_path("[HOME]/other/deeper")).unwrap();
    symlink(bed.resolve_path("[HOME]/other"), bed.resolve_path("[PROJECT]/other")).unwrap();
    let link = bed.resolve_path(&format!("[PROJECT]/{name}"));
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(bed.resolve_path(target), link).unwrap();
    bed
}

/// Every command is refused with the link's name, or no command is refused for a link.
fn check_commands(bed: &TestBed, link: Option<&str>, commands: &[&str]) {
    let wrong: Vec<_> = commands
        .iter()
        .map(|command| (command, run(bed, command)))
        .filter(|(_, answer)| match link {
            Some(link) => !is_refused(answer) || !answer.to_string().contains(&format!("{link} -> ")),
            None => is_refused(answer),
        })
        .map(|(command, answer)| format!("{command}: {answer}"))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), commands.len(), wrong.join("\n"));
}

/// Commands that leave the files behind a link as they are.
const HARMLESS: [&str; 15] = [
    "rm -rf node_modules",
    "rm -rf x",
    "find -L . -name '*.toml' -exec cat {} +",
    "find . -name '*.rs' -exec sed -i s/a/b/ {} +",
    "find . -name '*.rs' | xargs sed -i s/a/b/",
    "grep -Rn deny .",
    "chmod -R u+w .",
    "chmod +x *.sh",
    "rm -f *.o",
    "cp -r src /tmp/copy",
    "rsync -aL . /tmp/copy/",
    "tar -chf /tmp/x.tar .",
    "git checkout .",
    "git add -A && git commit -m x",
    "echo x > src/new.toml",
];

/// Commands that follow links, or change the files on a list.
const FOLLOWING: [&str; 18] = [
    "find -L . -name '*.toml' -exec sed -i s/a/b/ {} +",
    "find -L . -type f | xargs sed -i s/a/b/",
    "find . -follow -name '*.toml' -delete",
    "sudo find -L . -type f -exec chmod 600 {} +",
    "bash -c \"find -L . -name '*.toml' -exec sed -i s/a/b/ {} +\"",
    "find -L . -name '*.toml' -print0 | xargs -0 -n1 truncate -s 0",
    "for f in $(find -L . -name '*.toml'); do echo > \"$f\"; done",
    "chmod -RL u+w .",
    "chmod -R -L u+w .",
    "chown -RL me .",
    "rsync -aK x/ .",
    "rsync -a --keep-dirlinks x/ .",
    "rsync -rL --remove-source-files ./ /tmp/copy/",
    "tar -xhf x.tar",
    "tar xhf x.tar",
    "cp -r --keep-directory-symlink x/. .",
    "grep -Rl deny --include='*.toml' . | xargs sed -i s/deny/allow/",
    "rg -L -l deny -g '*.toml' | xargs sed -i s/deny/allow/",
];

#[test]
fn a_link_to_their_folder_is_not_followed() {
    let bed = create_bed("out", "[HOME]/.config/hookbox");
    check_commands(&bed, Some("out"), &FOLLOWING);
    check_commands(
        &bed,
        Some("out"),
        &[
            "tee */hooks.toml < x",
            "for f in */*.toml; do echo > \"$f\"; done",
            "cp x/a.toml */hooks.toml",
            // An archive, or a copy, may have such a folder.
            "cp -r x/. .",
            "unzip -o x.zip",
        ],
    );
    check_commands(&bed, None, &HARMLESS);
    // By its name.
    assert!(is_refused(&run(&bed, "cp -r x out/")));
}

#[test]
fn a_link_to_one_of_them_on_a_list_is_not_written() {
    let bed = create_bed("src/settings.toml", "[HOME]/.config/hookbox/hooks.toml");
    check_commands(&bed, Some("src/settings.toml"), &FOLLOWING);
    check_commands(
        &bed,
        Some("src/settings.toml"),
        &[
            "find . -name '*.toml' | xargs tee",
            "find . -type l -exec chmod 000 {} +",
            "find src -type l | xargs -n1 truncate -s 0",
            "git ls-files | xargs tee",
            "git ls-files -z | xargs -0 sed -i --follow-symlinks s/a/b/",
            "find . -name '*.toml' -exec sed --follow-symlinks -i s/a/b/ {} +",
            "tee src/*.toml < x",
            "for f in src/*.toml; do echo > \"$f\"; done",
            "cp x/* src",
            "cp -r x/. .",
            "truncate -s 0 src/*",
        ],
    );
    check_commands(&bed, None, &HARMLESS);
}

#[test]
fn a_link_to_a_folder_above_them_is_not_followed() {
    let bed = create_bed("src/up", "[HOME]");
    check_commands(&bed, Some("src/up"), &FOLLOWING);
    check_commands(&bed, Some("src/up"), &["tee src/*/.config/hookbox/hooks.toml < x"]);
    check_commands(&bed, None, &HARMLESS);
    check_commands(
        &bed,
        None,
        &["find . -name '*.toml' | xargs tee", "cp -r x/. .", "tar xf x.tar", "truncate -s 0 src/*.toml"],
    );
}

#[test]
fn a_link_behind_another_link_is_found() {
    let bed = create_bed("a", "[HOME]/other/deeper");
    symlink(bed.resolve_path("[HOME]/.config"), bed.resolve_path("[HOME]/other/deeper/b")).unwrap();
    check_commands(&bed, Some("deeper/b"), &FOLLOWING);
    check_commands(&bed, None, &HARMLESS);
}

#[test]
fn links_that_lead_elsewhere_are_followed() {
    let bed = create_bed("x/round", "[PROJECT]");
    check_commands(&bed, None, &FOLLOWING);
    check_commands(&bed, None, &HARMLESS);
    check_commands(
        &bed,
        None,
        &["tee src/*.toml < x", "git ls-files | xargs tee", "unzip -o x.zip", "cp -r x/. ."],
    );
}

#[test]
fn no_folder_above_them_is_closed() {
    let bed = TestBed::new();
    let installed = bed.run_hookbox(&["install", "claude-code", "--yes"]);
    assert_eq!(installed.code, 0, "{installed}");
    for command in [
        "chmod 000 ~/.claude",
        "chmod 0 ~/.claude",
        "chmod 600 ~/.claude",
        "chmod -v a-x ~/.claude",
        "chmod -x ~/.claude",
        "chmod u=,g= ~/.claude",
        "chmod u=rw ~/.claude",
        "cd ~ && chmod 000 .claude",
        "chmod 000 ~",
        "chmod -R 000 ~",
        "chmod --recursive a= ~/.claude",
        "chmod 000 ~/.config",
        "find ~ -maxdepth 0 -exec chmod 000 {} +",
    ] {
        assert!(is_refused(&run(&bed, command)), "{command}");
    }
    for command in [
        "chmod 700 ~/.claude",
        "chmod 0755 ~",
        "chmod u+x ~/.claude",
        "chmod go-rwx ~/.claude",
        "chmod u=rwX,go= ~/.config",
        "chmod 300 ~/.claude",
        "chmod 000 ~/.other",
        "chmod 600 ~/.netrc",
        "chmod -x build.sh",
        "chmod -R 700 ~/.ssh",
        "chmod 644 ~/.claude/*.md",
        "find ~/src -type f -exec chmod 644 {} +",
    ] {
        assert!(!is_refused(&run(&bed, command)), "{command}");
    }
}
