//! `confine` of a shell hook: its results and its errors.

use std::time::Duration;

use super::*;
use crate::hook::{Confinement, FileRules, Place, ResourceLimits};

fn load_confinement(shell: &str) -> Option<Confinement> {
    let text = format!("name = 'a'\non = 'claude-code:PreToolUse'\nshell = {{ command = 'x', {shell} }}");
    let Target::Shell(shell) = load_hook(&text).target else { panic!("shell") };
    shell.confinement
}

fn find_confine_problems(confine: &str) -> String {
    find_handler_problems(&format!("shell = {{ command = 'x', confine = {{ {confine} }} }}"))
}

#[test]
fn a_hook_of_the_file_is_confined_by_default_and_one_that_speaks_for_an_agent_is_not() {
    assert_eq!(load_confinement("env = []"), Some(Confinement::default()));
    assert_eq!(load_confinement("confine = {}"), Some(Confinement::default()));
    assert_eq!(load_confinement("speaks = 'claude-code'"), None);
    assert_eq!(load_confinement("speaks = 'claude-code', confine = {}"), Some(Confinement::default()));
}

#[test]
fn every_key_of_confine_is_read() {
    let written = "read = ['project', '/a/../b', './project', '~/c/../d'], write = ['w'], network = false, \
         privileges = false, memory = '2GiB', processes = 256, file-size = '1MiB', cpu = '1m'";
    let path = |path: &str| Place::Path(path.into());
    let expected = Confinement {
        files: Some(FileRules {
            read: vec![Place::Project, path("/b"), path("/home/u/project"), Place::Home("d".into())],
            write: vec![path("/home/u/w")],
        }),
        network: false,
        privileges: Some(false),
        limits: ResourceLimits {
            memory: Some(2 << 30),
            processes: Some(256),
            file_size: Some(1 << 20),
            cpu: Some(Duration::from_mins(1)),
        },
    };
    assert_eq!(load_confinement(&format!("confine = {{ {written} }}")), Some(expected));
}

#[test]
fn one_kind_of_file_rule_closes_the_other() {
    let files = |lines: &str| load_confinement(&format!("confine = {{ {lines} }}")).unwrap().files;
    assert_eq!(files("network = true"), None);
    assert_eq!(files("read = []"), Some(FileRules::default()));
    let write = vec![Place::Project];
    assert_eq!(files("write = ['project']"), Some(FileRules { read: Vec::new(), write }));
}

#[test]
fn values_of_confine_have_their_types_and_ranges() {
    insta::assert_snapshot!(find_confine_problems("reed = ['project'], read = 'project'"), @r#"
    hooks.toml:4:38: error: unknown key `reed`
      4 | shell = { command = 'x', confine = { reed = ['project'], read = 'project' } }
        |                                      ^^^^
      help: did you mean `read`? allowed: read, write, network, privileges, memory, processes, file-size, cpu
    hooks.toml:4:65: error: `read` is a string, but must be a list, each a string
      4 | shell = { command = 'x', confine = { reed = ['project'], read = 'project' } }
        |                                                                 ^^^^^^^^^
      help: for example read = ["project"]
    "#);
    insta::assert_snapshot!(find_confine_problems("read = ['', '~other/x', '~']"), @r#"
    hooks.toml:4:46: error: `read` is empty
      4 | shell = { command = 'x', confine = { read = ['', '~other/x', '~'] } }
        |                                              ^^
      help: for example read = ["project"]
    hooks.toml:4:50: error: `~` is not expanded
      4 | shell = { command = 'x', confine = { read = ['', '~other/x', '~'] } }
        |                                                  ^^^^^^^^^^
      help: write it out, or relative to this file
    hooks.toml:4:62: error: `~` is not expanded
      4 | shell = { command = 'x', confine = { read = ['', '~other/x', '~'] } }
        |                                                              ^^^
      help: write it out, or relative to this file
    "#);
    insta::assert_snapshot!(find_confine_problems("memory = 1000, file-size = '1 parsec'"), @r#"
    hooks.toml:4:47: error: `memory` is an integer, but must be a string with a size and its unit
      4 | shell = { command = 'x', confine = { memory = 1000, file-size = '1 parsec' } }
        |                                               ^^^^
      help: for example memory = "2GiB"
    hooks.toml:4:65: error: file-size is `1 parsec`, which is not a size
      4 | shell = { command = 'x', confine = { memory = 1000, file-size = '1 parsec' } }
        |                                                                 ^^^^^^^^^^
      help: write a string with its unit: "512KiB", "16MiB"
    "#);
    insta::assert_snapshot!(find_confine_problems("memory = '1KiB', processes = 0"), @r#"
    hooks.toml:4:47: error: memory is 1.0 KiB, but must be from 4.0 MiB to 128.0 TiB
      4 | shell = { command = 'x', confine = { memory = '1KiB', processes = 0 } }
        |                                               ^^^^^^
    hooks.toml:4:67: error: `processes` is `0`
      4 | shell = { command = 'x', confine = { memory = '1KiB', processes = 0 } }
        |                                                                   ^
      help: allowed: 1 to 4194304
    "#);
    insta::assert_snapshot!(find_confine_problems("cpu = 60"), @r#"
    hooks.toml:4:44: error: `cpu` is an integer, but must be a string with a duration and its unit
      4 | shell = { command = 'x', confine = { cpu = 60 } }
        |                                            ^^
      help: say the unit: "60ms" or "60s"
    "#);
    insta::assert_snapshot!(find_confine_problems("cpu = '1500ms'"), @r#"
    hooks.toml:4:44: error: cpu is 1s 500ms, but must be whole seconds, from 1s to 24h
      4 | shell = { command = 'x', confine = { cpu = '1500ms' } }
        |                                            ^^^^^^^^
    "#);
    insta::assert_snapshot!(find_confine_problems("cpu = 'long'"), @r#"
    hooks.toml:4:44: error: cpu is `long`: expected number at 0
      4 | shell = { command = 'x', confine = { cpu = 'long' } }
        |                                            ^^^^^^
      help: write a number and its unit: "250ms", "10s", "1m 30s"
    "#);
}

#[test]
fn a_hook_that_is_kept_from_things_cannot_gain_privileges() {
    insta::assert_snapshot!(find_confine_problems("privileges = true, network = false"), @r#"
    hooks.toml:4:51: error: a hook that is kept from files or the network can gain no privileges
      4 | shell = { command = 'x', confine = { privileges = true, network = false } }
        |                                                   ^^^^
      help: leave out `privileges`, or `read`, `write` and `network = false`
    "#);
    assert_eq!(load_confinement("confine = { privileges = true }").unwrap().privileges, Some(true));
}
