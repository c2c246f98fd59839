//! Every line that a command's help gives as an example is true: where what it names is there, it runs and does not fail.

use std::{fs::File, io::Write, process::Stdio};

use nix::pty::openpty;

use crate::{LS, Ran, TestBed, guests};

/// Commands that have commands of their own.
const OF_SEVERAL: [&str; 2] = ["hooks", "plugin"];
/// Commands of the programs beside hookbox, which need not be there.
const ELSEWHERE: [&str; 10] = [
    "export",
    "plugin new",
    "plugin build",
    "plugin test",
    "plugin profile",
    "plugin wit",
    "plugin sign",
    "plugin verify",
    "plugin push",
    "plugin pull",
];
/// Examples that need what no test has, and what that is. They may fail, but not for their words.
const BEYOND: [(&str, &str); 8] = [
    ("hookbox check --bundle", "a folder that `hookbox export` made"),
    ("hookbox allow --once 3fa9", "a call of that name"),
    ("hookbox allow --for 1h 3fa9", "a call of that name"),
    ("hookbox setup --agents claude-code,codex", "Codex, and a person who trusts hookbox in it"),
    ("hookbox confine", "npm, make and a kernel that confines"),
    ("hookbox import gemini-cli --plugin", "an extension of Gemini CLI"),
    ("hookbox plugin add guard.py", "componentize-py"),
    ("hookbox plugin update guard", "a plugin from a registry"),
];
const RULES: &str = "\
[[hook]]
name = \"guard-shell\"
on = \"tool.before\"
tool = { class = \"shell\" }
wasm = { plugin = \"guard-shell\" }
";
/// What a project brings that is switched off, or trusted.
const OF_PROJECT: &str = "\
[[hook]]
name = \"lint\"
on = \"tool.before\"
shell = { command = \"true\" }

[[hook]]
name = \"slow-check\"
on = \"tool.after\"
wasm = { path = \"slow.wasm\" }
";
/// The public key of a publisher.
const PUBLIC_KEY: &str =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH release@acme.example\n";
const OF_CLAUDE: &str =
    r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"true"}]}]}}"#;
const OF_CODEX: &str = "[[hooks.PreToolUse]]\nmatcher = \"Bash\"\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"true\"\n";

fn read_help(words: &[&str]) -> String {
    let ran = TestBed::new().run_hookbox(&[words, &["--help"]].concat());
    assert_eq!(ran.code, 0, "{words:?}: {ran}");
    ran.stdout
}

/// The commands that a help lists; those that go on to the next line have their description there.
fn list_commands(help: &str) -> Vec<&str> {
    let listed = help.split_once("\nCommands:\n").map_or("", |(_, rest)| rest);
    let lines = listed.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty() && *name != "help").collect()
}

/// The examples of a help, each on one line again. What ends with a colon tells of the next one.
fn list_examples(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| !["Example:", "Examples:"].contains(line)).skip(1);
    let lines = lines.map(str::trim).take_while(|line| !line.is_empty());
    let mut examples: Vec<String> = Vec::new();
    for line in lines.filter(|line| !line.ends_with(':')) {
        let is_next = ["hookbox ", "echo ", "mkdir "].iter().any(|first| line.starts_with(first));
        match examples.last_mut().filter(|_| !is_next) {
            Some(before) => before.extend([" ", line]),
            None => examples.push(line.to_owned()),
        }
    }
    examples
}

/// A home and a project with what the examples of this command name.
fn create_bed(command: &str) -> TestBed {
    // `import` writes the user's file.
    let bed = if command == "import" { TestBed::new() } else { TestBed::with_config(RULES) };
    let event = LS.replace(":\"ls\"", ":\"mkfs.ext4 /dev/sda1\"");
    for (file, text) in [
        ("[PROJECT]/event.json", event.as_str()),
        ("[PROJECT]/.claude/settings.json", OF_CLAUDE),
        ("[HOME]/.claude/settings.json", OF_CLAUDE),
        ("[PROJECT]/.codex/config.toml", OF_CODEX),
        ("[HOME]/.config/run-claude/hooks.yaml", "hooks: []\n"),
        ("[PROJECT]/config.yaml", "model_list: []\n"),
        ("[PROJECT]/new.toml", "# no hooks\n"),
        ("[PROJECT]/from-claude-code", ""),
        ("[PROJECT]/plugin.toml", "name = \"acme/guard\"\nversion = \"1.0.0\"\n"),
        ("[PROJECT]/guard.js", "export function handle() {}\n"),
        ("[PROJECT]/dist/README.md", ""),
        ("[PROJECT]/release.pub", PUBLIC_KEY),
    ] {
        bed.write_file(file, text);
    }
    for file in ["guard.wasm", "plugins/mine.wasm", "downloaded.wasm", "target/guard.wasm"] {
        bed.write_bytes(&format!("[PROJECT]/{file}"), &guests::build_component("denies"));
    }
    if ["disable", "trust"].contains(&command) {
        bed.write_file("[PROJECT]/.hookbox/hooks.toml", OF_PROJECT);
        bed.write_bytes("[PROJECT]/.hookbox/slow.wasm", &guests::build_component("none"));
    }
    if ["log", "allow"].contains(&command) {
        assert!(bed.answer_event(&event).stdout.contains("disk-write"));
    }
    bed
}

/// A person types this at a terminal, and says yes to all that is asked.
fn type_example(bed: &TestBed, example: &str) -> Ran {
    let terminal = openpty(None, None).unwrap();
    File::from(terminal.master.try_clone().unwrap()).write_all(&b"y\n".repeat(8)).unwrap();
    let mut command = bed.build_shell_command(&format!(" {example}").replace(" hookbox ", " \"$0\" "));
    command.stdin(Stdio::from(terminal.slave));
    let ran = bed.wait_for(command.spawn().unwrap());
    drop(terminal.master);
    ran
}

/// All examples of a command, one after another.
fn examples_of(command: &str) -> Vec<String> {
    if !OF_SEVERAL.contains(&command) {
        return list_examples(&read_help(&[command]));
    }
    let list = read_help(&[command]);
    let own = |name: &&str| !ELSEWHERE.contains(&format!("{command} {name}").as_str());
    let names = list_commands(&list).into_iter().filter(own);
    names.flat_map(|name| list_examples(&read_help(&[command, name]))).collect()
}

#[test]
fn every_example_of_the_help_runs() {
    let first = read_help(&[]);
    let names = list_commands(&first).into_iter().filter(|name| !ELSEWHERE.contains(name));
    let mut all = vec![("", list_examples(&first))];
    all.extend(names.map(|name| (name, examples_of(name))));
    let mut wrong = Vec::new();
    for (command, examples) in all.iter().filter(|(_, examples)| !examples.is_empty()) {
        let bed = create_bed(command);
        for example in examples {
            let ran = type_example(&bed, example);
            let may_fail = BEYOND.iter().any(|(line, _)| example.starts_with(line));
            if ran.stderr.contains("\nUsage: ") || ran.code != 0 && !may_fail {
                wrong.push(format!("{example}\n{ran}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let count: usize = all.iter().map(|(_, examples)| examples.len()).sum();
    assert!(count > 60, "{all:?}");
    for (line, _) in BEYOND {
        let is_one = all.iter().any(|(_, examples)| examples.iter().any(|one| one.starts_with(line)));
        assert!(is_one, "`{line}` is no example any more");
    }
}

#[test]
fn examples_are_read_as_the_help_has_them() {
    let help = "\
Do it

Commands:
  one      Does one
  a-longer-one
           Does another
  help     Print this

Examples:
  What this does:
    hookbox one
  hookbox one --with 'two
  words'   # said
  echo '{}' | hookbox run

Exit code: 0.
";
    assert_eq!(list_commands(help), ["one", "a-longer-one"]);
    assert_eq!(
        list_examples(help),
        ["hookbox one", "hookbox one --with 'two words'   # said", "echo '{}' | hookbox run"]
    );
}
