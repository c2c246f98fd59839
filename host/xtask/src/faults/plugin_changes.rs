//! Adding, updating and removing plugins: after any failure or kill, the hooks call either the old plugin or the new one, complete.

use std::{fs, path::Path, process::Command};

use anyhow::{Result, ensure};

use super::{
    bed::{Bed, Ended},
    oracle,
    scenario::{HOOKS, Scenario},
};

const LOCK: &str = ".config/hookbox/hookbox.lock";
const STORE: &str = ".local/share/hookbox/store/sha256";
/// Folders that such a command changes; the cache stays warm.
const STATE: [&str; 2] = [".config", ".local"];
/// Copies of these, from before the command and after it.
const BEFORE: &str = "before";
const AFTER: &str = "after";
/// Remains of a process that was killed while it fetched a plugin. No process has this number.
const LEFT: &str = ".local/state/hookbox/fetched-4194999";
const SOURCE: &str = "oci-layout:[HOME]/layout";
const ADD: &[&str] = &["plugin", "add", SOURCE, "--yes"];
const ADD_FIRST: &[&str] = &["plugin", "add", "oci-layout:[HOME]/layout:1.0.0", "--yes"];
const UPDATE: &[&str] = &["plugin", "update"];
const REMOVE: &[&str] = &["plugin", "remove", "guard", "--yes"];
const GC: &[&str] = &["plugin", "gc"];

pub(super) fn list_scenarios() -> [Scenario; 4] {
    let scenario = |name, words, make| Scenario {
        name,
        words,
        hooks: "# none\n",
        make,
        reset: restore_state,
        holds: check_state,
        killed: is_whole,
    };
    [
        scenario("plugin-add", ADD, |bed| from(bed, &[], ADD)),
        scenario("plugin-update", UPDATE, |bed| from(bed, &[ADD_FIRST], UPDATE)),
        scenario("plugin-remove", REMOVE, |bed| from(bed, &[ADD], REMOVE)),
        scenario("plugin-gc", GC, |bed| from(bed, &[ADD_FIRST, UPDATE], GC)),
    ]
}

/// Creates a home folder in which these commands have run, and its state after the tested command. Two signed releases are in an image
/// layout.
fn from(bed: &Bed, before: &[&[&str]], words: &[&str]) -> Result<()> {
    run(bed, &["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", "[HOME]/key"])?;
    for (version, number) in [("1.0.0", 1), ("1.1.0", 2)] {
        let guard = bed.join_path("guard.wasm");
        fs::copy(bed.fill_placeholders("[PLUGINS]/find-text.wasm"), &guard)?;
        let manifest = format!("name = \"acme/guard\"\nversion = \"{version}\"\nseq = {number}\n");
        bed.write_file("plugin.toml", &manifest)?;
        for words in [
            &["plugin", "manifest", "[HOME]/guard.wasm", "[HOME]/plugin.toml"][..],
            &["plugin", "sign", "[HOME]/guard.wasm", "--key", "[HOME]/key"],
            &["plugin", "push", "[HOME]/guard.wasm", "oci-layout:[HOME]/layout"],
        ] {
            expect_success(bed, words)?;
        }
    }
    for words in before {
        expect_success(bed, words)?;
    }
    fs::create_dir_all(bed.join_path(LEFT))?;
    save_state(bed, BEFORE)?;
    expect_success(bed, words)?;
    save_state(bed, AFTER)
}

fn expect_success(bed: &Bed, words: &[&str]) -> Result<()> {
    let ended = bed.run(&[], words, "")?;
    ensure!(ended.status.code() == Some(0), "{words:?}: {}", ended.shown());
    Ok(())
}

fn save_state(bed: &Bed, name: &str) -> Result<()> {
    let folder = bed.join_path(name).display().to_string();
    run(bed, &["mkdir", "-p", &folder])?;
    STATE
        .iter()
        // With the files' times: hookbox hashes files that have just changed.
        .try_for_each(|state| run(bed, &["cp", "-a", &bed.join_path(state).display().to_string(), &folder]))
}

fn restore_state(bed: &Bed) -> Result<()> {
    for state in STATE {
        // Also files that only the faulty run made.
        run(bed, &["rm", "-rf", &bed.join_path(state).display().to_string()])?;
        let kept = bed.join_path(BEFORE).join(state).display().to_string();
        run(bed, &["cp", "-a", &kept, &bed.join_path(state).display().to_string()])?;
    }
    Ok(())
}

/// Runs another program, without its output.
fn run(bed: &Bed, words: &[&str]) -> Result<()> {
    let [program, words @ ..] = words else { return Ok(()) };
    let ended = Command::new(program).args(words.iter().map(|word| bed.fill_placeholders(word))).output()?;
    ensure!(ended.status.success(), "{program}: {}", String::from_utf8_lossy(&ended.stderr));
    Ok(())
}

/// Checks that the state is the old or the new one; the new one if the command reports success.
fn check_state(bed: &Bed, ended: &Ended) -> Result<(), String> {
    oracle::check_exit(ended)?;
    is_whole(bed)?;
    let is = |state: &str| {
        [HOOKS, LOCK]
            .into_iter()
            .all(|file| read_text(&bed.join_path(file)) == read_text(&bed.join_path(state).join(file)))
    };
    let is_done = is(AFTER)
        && (ended.status.code() != Some(0) || list_store(bed) == list_stored(&bed.join_path(AFTER)));
    // If the lock file is reported missing, there is nothing to do, and nothing is printed.
    let is_left = (ended.status.code() != Some(0) || ended.stdout.is_empty()) && is(BEFORE);
    if is_done || is_left {
        Ok(())
    } else {
        Err(format!("neither as before nor as after: {}", ended.shown()))
    }
}

/// Checks that each file is the old or the new one, and that the plugin that the hooks call is present and complete.
fn is_whole(bed: &Bed) -> Result<(), String> {
    for file in [HOOKS, LOCK] {
        let now = read_text(&bed.join_path(file));
        if ![BEFORE, AFTER].iter().any(|state| read_text(&bed.join_path(state).join(file)) == now) {
            return Err(format!("{file} is {now:?}"));
        }
    }
    let hooks = read_text(&bed.join_path(HOOKS)).unwrap_or_default();
    for name in hooks.split('"').filter_map(|word| word.split_once(STORE)?.1.strip_prefix('/')) {
        let now = fs::read(bed.join_path(STORE).join(name)).map_err(|error| format!("{name}: {error}"))?;
        let was =
            |state: &str| fs::read(bed.join_path(state).join(STORE).join(name)).is_ok_and(|was| was == now);
        if !was(BEFORE) && !was(AFTER) {
            return Err(format!("{name} is damaged"));
        }
    }
    Ok(())
}

fn list_store(bed: &Bed) -> Vec<String> {
    list_stored(&bed.join_path(""))
}

/// Returns the names in the store of a home folder.
fn list_stored(home: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(home.join(STORE)) else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<_> = names.filter_map(|name| name.strip_suffix(".wasm").map(str::to_owned)).collect();
    names.sort();
    names
}

fn read_text(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok()
}
