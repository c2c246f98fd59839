//! hookbox's own files: no tool of an agent writes them, whatever is configured, and whatever is not.

mod links;
mod off_switches;
mod tools;
mod ways;

use std::{fs, os::unix::fs::symlink};

use crate::{LS, Ran, TestBed, trust};

/// What a refusal says, in every agent's words.
const REFUSED: &str = "Only the user may do this, in a terminal or an editor";

/// An event of an agent that comes before a tool writes a file, and that tool.
type Writes = Option<(&'static str, &'static str)>;

/// An agent, an event of it that comes before a command runs, and one that comes before a tool writes a file.
const AGENTS: [(&str, &str, Writes); 16] = [
    ("claude-code", "PreToolUse", Some(("PreToolUse", "Write"))),
    ("codex", "PreToolUse", None),
    ("gemini-cli", "BeforeTool", Some(("BeforeTool", "write_file"))),
    ("llxprt", "BeforeTool", Some(("BeforeTool", "insert_at_line"))),
    ("cursor", "beforeShellExecution", Some(("preToolUse", "Write"))),
    ("copilot", "PreToolUse", Some(("PreToolUse", "Write"))),
    ("windsurf", "pre_run_command", None),
    ("cline", "PreToolUse", Some(("PreToolUse", "write_to_file"))),
    ("amazon-q", "preToolUse", Some(("preToolUse", "fs_write"))),
    ("qwen-code", "PreToolUse", Some(("PreToolUse", "write_file"))),
    ("droid", "PreToolUse", Some(("PreToolUse", "Create"))),
    ("kimi-code", "PreToolUse", Some(("PreToolUse", "Write"))),
    ("openhands", "PreToolUse", Some(("PreToolUse", "file_editor"))),
    ("opencode", "tool.execute.before", Some(("tool.execute.before", "write"))),
    ("cocode", "tool.before", None),
    ("code-forge", "tool:pre_execute", None),
];

/// An event as the agent tells it.
fn format_event(bed: &TestBed, agent: &str, event: &str, what: &[&str]) -> String {
    let cwd = bed.expand_placeholders("[PROJECT]");
    let made = bed.run_hookbox(&[&["try", event, "--agent", agent, "--cwd", &cwd, "--print"], what].concat());
    assert_eq!(made.code, 0, "{agent}: {made}");
    made.stdout
}

/// The answer to Claude Code, which is about to run this.
fn run(bed: &TestBed, command: &str) -> Ran {
    let command = serde_json::to_string(&bed.expand_placeholders(command)).unwrap();
    bed.answer_event(&LS.replace("\"ls\"", &command))
}

/// The answer to Claude Code, which is about to call this tool.
fn answer_call(bed: &TestBed, tool: &str, input: &str) -> Ran {
    bed.answer_event(&LS.replace("Bash", tool).replace(r#"{"command":"ls"}"#, input))
}

fn is_refused(answer: &Ran) -> bool {
    answer.to_string().contains(REFUSED)
}

#[test]
fn every_agent_is_refused_a_call_that_writes_hookboxs_files_and_nothing_else() {
    let bed = TestBed::new();
    for (agent, name, writes) in AGENTS {
        let mine = format_event(&bed, agent, name, &["--command", "rm -rf [HOME]/.config/hookbox"]);
        let answer = bed.answer_as(agent, &mine);
        assert!(is_refused(&answer), "{agent} {name}: {answer}");
        let other = format_event(&bed, agent, name, &["--command", "rm -rf [HOME]/.config/other"]);
        let answer = bed.answer_as(agent, &other);
        assert!(!is_refused(&answer) && answer.code == 0, "{agent} {name}: {answer}");
        if let Some((name, tool)) = writes {
            let path = bed.expand_placeholders("[HOME]/.config/hookbox/hooks.toml");
            let answer =
                bed.answer_as(agent, &format_event(&bed, agent, name, &["--tool", tool, "--path", &path]));
            assert!(is_refused(&answer), "{agent} {tool}: {answer}");
            let path = bed.expand_placeholders("[PROJECT]/main.rs");
            let answer =
                bed.answer_as(agent, &format_event(&bed, agent, name, &["--tool", tool, "--path", &path]));
            assert!(!is_refused(&answer) && answer.code == 0, "{agent} {tool}: {answer}");
        }
    }
}

#[test]
fn no_command_line_writes_them_in_any_way_that_it_says() {
    let bed = TestBed::new();
    for command in [
        "echo '' > ~/.config/hookbox/hooks.toml",
        "echo x >> $HOME/.config/hookbox/hooks.toml",
        "printf x | tee -a ~/.config/hookbox/policy.toml",
        "cp evil.toml ~/.config/hookbox/hooks.toml",
        "cp -r evil/hookbox ~/.config/",
        "mv evil.toml ~/.config/hookbox/hooks.toml",
        "mv ~/.config/hookbox ~/.config/gone",
        "mv ~/.config ~/gone",
        "rm ~/.config/hookbox/hooks.toml",
        "rm -rf ~/.config",
        "rm -rf ~/.conf*/hook*",
        "rm -rf ~/.config/*",
        "rm -rf ~/.config/hookbox/*",
        "find ~/.config/hookbox -delete",
        "find ~ -name hookbox -exec rm -rf {} +",
        "ln -sf /dev/null ~/.config/hookbox/hooks.toml",
        "ln -sfn evil ~/.config/hookbox",
        "ln -f evil.toml ~/.config/hookbox/hooks.toml",
        "sed -i s/deny/allow/ ~/.config/hookbox/hooks.toml",
        "install -m 600 evil.toml ~/.config/hookbox/hooks.toml",
        "dd if=/dev/null of=[HOME]/.config/hookbox/hooks.toml",
        "truncate -s 0 ~/.config/hookbox/hooks.toml",
        "chmod 000 ~/.config/hookbox",
        "touch ~/.config/hookbox/hooks.toml",
        "mkdir -p ~/.config/hookbox/x",
        "curl -o ~/.config/hookbox/hooks.toml http://localhost/x",
        "sort -o ~/.config/hookbox/hooks.toml x",
        "vim -es -c 'w! ~/.config/hookbox/hooks.toml' x",
        "ed ~/.config/hookbox/hooks.toml <<< 'w ~/.config/hookbox/hooks.toml'",
        "cd ~/.config && rm -rf hookbox",
        "cd ~/.config/hookbox; cat x > hooks.toml",
        "bash -c 'rm -rf ~/.config/hookbox'",
        "sudo rm -rf ~/.config/hookbox",
        "x=~/.config/hookbox; rm -rf $x",
        "rm -rf ../home/.config/hookbox",
        "rm -rf [HOME]/./.config/../.config/hookbox",
        "rm -rf ~/.config/HOOKBOX",
        "git clone http://localhost/x ~/.config/hookbox",
        "tar -xf x.tar -C ~/.config/hookbox",
        // A shell runs a line before it reads the next.
        "rm -rf ~/.config/hookbox\necho 'not ended",
        "echo a\nrm -rf ~/.config/hookbox\nfor",
        "bash -c \"rm -rf ~/.config/hookbox\n(\"",
        // The state, the data, the cache.
        "echo '[]' > ~/.local/state/hookbox/trusted.json",
        "rm ~/.local/state/hookbox/log.jsonl",
        "rm -rf ~/.local/state",
        "cp x.wasm ~/.local/share/hookbox/store/sha256/x",
        "rm -rf [CACHE]/hookbox",
        "rm [BIN]/hookbox-compile",
        "cp evil [BIN]/hookbox",
        "echo x > [SHIPPED]/guard-shell.wasm",
        "echo x > /etc/hookbox/hooks.toml",
    ] {
        let answer = run(&bed, command);
        assert!(is_refused(&answer), "{command}: {answer}");
    }
}

#[test]
fn what_only_the_text_says_is_refused_too() {
    let bed = TestBed::with_config("# no hooks\n");
    for command in [
        // The home folder behind more than a beginning, or another one.
        "cp x /$HOME/.config/hookbox/hooks.toml",
        "cp x /tmp/..$HOME/.config/hookbox/hooks.toml",
        "cp x /${HOME:1}/.config/hookbox/hooks.toml",
        "rm -rf \"/.$HOME/.config\"",
        "HOME=~/.config; echo x > ~/hookbox/hooks.toml",
        "export HOME=$HOME/.config && rm ~/hookbox/hooks.toml",
        "OLDPWD=~/.config; touch ~-/hookbox/x",
        // A path that a variable or a setting hands on.
        "GIT_TRACE=~/.config/hookbox/hooks.toml git status",
        "env GIT_TRACE=\"$HOME/.config/hookbox/hooks.toml\" git status",
        "TMPDIR=~/.config/hookbox mktemp",
        "git config core.worktree ~/.config && git checkout -f",
        "git -c core.worktree=$HOME/.config reset --hard",
        "git checkout-index --prefix=$HOME/.config/ -a -f",
        "git fast-export --export-marks=$HOME/.config/hookbox/hooks.toml HEAD",
        "git -C ~/.config/hookbox init",
        "export GIT_TRACE=$HOME/.config/hookbox/hooks.toml; git status",
        "HISTFILE=~/.config/hookbox/hooks.toml; history -w",
        // Code that puts a path together.
        "python3 -c \"import os; d='[HOME]/.config'; open(f'{d}/hookbox/hooks.toml','w')\"",
        "python3 -c \"import os; os.rename('[HOME]/.config','z')\"",
        "node -e \"process.chdir('[HOME]/.config'); fs.writeFileSync('hookbox/hooks.toml','')\"",
        "perl -e 'chdir \"[HOME]/.config\"; unlink \"hookbox/hooks.toml\"'",
        // Commands of hookbox's own.
        "hookbox plugin pull oci-layout:x --into=$HOME/.config/hookbox",
        "hookbox plugin pull oci-layout:x --into ~/.config/hookbox --replace",
        "cd ~/.config/hookbox; hookbox plugin new --lang c zz",
        "hookbox plugin push --unsigned g.wasm oci-layout:$HOME/.config/hookbox",
        // Text that nobody has read, where hookbox is named.
        "sort <<< 'cp x ~/.config/hookbox/hooks.toml' | sh",
        "echo 'cp x ~/.config/hookbox/hooks.toml' | grep cp | sudo /bin/bash",
        "BASH_ENV=<(echo hookbox trust) bash -c :",
        "bash -c \"$(sort <<< 'hookbox trust')\"",
        // A name that hides hookbox's.
        "env -u CLAUDECODE script -qec '~/.local/bin/hook?ox trust' /dev/null",
        "for h in ~/.local/bin/h*x; do $h trust; done",
        "find ~/.local/bin -name 'h*x' -exec {} untrust --all \\;",
        "[h]ookbox allow --once",
        // All that a folder has, found by no name.
        "find ~/.config -mindepth 1 -mmin -5 -delete",
        "find $HOME -newer /etc/passwd -type f -delete",
        "find ~/.config -mtime -1 -type f -exec sed -i s/a/b/ {} +",
        "find ~/.config -type f -size +0 | xargs rm",
        "cd ~/.config; ls | xargs rm -r",
        "cd ~/.config && for d in $(ls); do rm -r $d; done",
        "GLOBIGNORE=.:..; rm -r ~/*",
        // A folder by way of a process.
        "exec 3< ~/.config; echo x > /dev/fd/3/hookbox/hooks.toml",
        "cp x /proc/self/root$HOME/.config/hookbox/hooks.toml",
    ] {
        let answer = run(&bed, command);
        assert!(answer.to_string().contains("hookbox-files"), "{command}: {answer}");
    }
    // What is too long to be looked at could be any of that.
    let long = format!("echo {}; ls hookbox", "x ".repeat(150_000));
    assert!(run(&bed, &long).to_string().contains("hookbox-files"));
    let homes = format!("echo {}", "$HOME ".repeat(30_000));
    let settings: Vec<_> = (0..15_000).map(|at| format!("A{at}=/x/{at};")).collect();
    for long in [homes, settings.join(" ")] {
        assert!(!is_refused(&run(&bed, &long)), "{long:.40}");
        assert!(is_refused(&run(&bed, &format!("{long}; X=~/.config/hookbox/hooks.toml cp"))), "{long:.40}");
    }
    let homes = format!("HOME=/{}; echo {}", "a".repeat(60_000), "$HOME ".repeat(20_000));
    assert!(!is_refused(&run(&bed, &homes)));
    assert!(!run(&bed, &long.replace("hookbox", "other")).to_string().contains("hookbox-files"));
    let written = r#"{"file_path":"/proc/1/cwd/.config/hookbox/hooks.toml","content":""}"#;
    assert!(is_refused(&answer_call(&bed, "Write", written)));
}

#[test]
fn what_only_reads_them_or_is_elsewhere_is_not_refused() {
    let bed = TestBed::new();
    for command in [
        "cat ~/.config/hookbox/hooks.toml",
        "ls -la ~/.config/hookbox ~/.local/state/hookbox",
        "grep -r deny ~/.config/hookbox > found.txt",
        "diff ~/.config/hookbox/hooks.toml hooks.toml",
        "cp -r ~/.config/hookbox backup",
        "echo 'rm -rf ~/.config/hookbox'",
        "rm -rf ./*",
        "F=~/.config/hookbox/hooks.toml; cat $F",
        "python3 -c \"import os; print(os.listdir('[HOME]/.config'))\"",
        "python3 -c \"open('[HOME]/.config/other/x','w').write('1')\"",
        "find ~ -type f -mtime -1 -exec grep -l x {} +",
        "find ~/.config -type f | xargs grep -l x",
        "find . -type f -mtime +30 -delete",
        "cd ~/.config && ls | xargs -n1 echo",
        "GIT_TRACE=1 git status",
        "dd if=~/.config/hookbox/hooks.toml of=copy",
        "HOME=/tmp/other npm test",
        "git config core.worktree ~ && git status",
        "echo $HOME/.config/hookbox",
        "curl -fsSL http://localhost/install.sh | sh",
        "hookbox list --json | python3 -m json.tool",
        "direnv allow; mise trust; $EDITOR notes.md",
        "hookbox plugin pull oci-layout:x --into vendor",
        "ls /proc/self/fd; cat /proc/self/status > status.txt; echo x > /dev/null",
        "find ~ -name '*.pyc' -delete",
        "rm -rf ~/.config/hookbox-notes",
        "mkdir -p ~/.config ~/.local/state",
        "chmod 755 ~/.config",
        "git commit -m 'hookbox: write ~/.config/hookbox/hooks.toml'",
        "mkdir .hookbox && cp hooks.toml .hookbox/hooks.toml",
        "hookbox list && hookbox check && hookbox explain event.json",
        "hookbox log; hookbox doctor; hookbox plugin list; hookbox trust --review; hookbox trust list",
        "hookbox try tool.before --command ls",
        "hookbox import claude-code settings.json --output hooks.toml",
        "hookbox uninstall --help",
        "echo $(( 1 +",
        "rm -rf ~/.config/hookbox; case x in",
    ] {
        let answer = run(&bed, command);
        assert!(!is_refused(&answer) && answer.code == 0, "{command}: {answer}");
    }
    for (tool, input) in [
        ("Read", r#"{"file_path":"[HOME]/.config/hookbox/hooks.toml"}"#),
        ("Grep", r#"{"pattern":"x","path":"[HOME]/.config/hookbox"}"#),
        ("mcp__files__read_file", r#"{"path":"[HOME]/.config/hookbox/hooks.toml"}"#),
        ("mcp__files__create_directory", r#"{"path":"[HOME]/.config"}"#),
        ("mcp__notes__add", r#"{"text":"see ~/.config/hookbox/hooks.toml"}"#),
        ("mcp__notes__add", r#"{"text":"run `cat ~/.config/hookbox/hooks.toml`"}"#),
        (
            "mcp__files__search",
            r#"{"query":"what reads ~/.config/hookbox/hooks.toml","path":"[HOME]/.config/hookbox"}"#,
        ),
        (
            "mcp__files__read_file",
            r#"{"path":"[HOME]/.config/hookbox/hooks.toml","mode":"rb","delete":false}"#,
        ),
        ("mcp__git__git_diff", r#"{"repo_path":"[PROJECT]","target":"--output=/tmp/x"}"#),
        ("mcp__db__query", r#"{"query":"SELECT name FROM hooks WHERE path = '/tmp/hookbox'"}"#),
        ("Write", r#"{"file_path":"[PROJECT]/.hookbox/hooks.toml","content":""}"#),
    ] {
        let answer = answer_call(&bed, tool, input);
        assert!(!is_refused(&answer), "{tool}: {answer}");
    }
}

#[test]
fn no_tool_writes_them_whatever_it_is_called() {
    let bed = TestBed::new();
    for (tool, input) in [
        ("Write", r#"{"file_path":"[HOME]/.config/hookbox/new/x.toml","content":""}"#),
        (
            "Edit",
            r#"{"file_path":"[HOME]/.local/state/hookbox/allowed.json","old_string":"a","new_string":"b"}"#,
        ),
        ("mcp__files__write_file", r#"{"path":"[HOME]/.config/hookbox/hooks.toml","content":""}"#),
        ("mcp__files__write_file", r#"{"path":"~/.config/hookbox/hooks.toml","content":""}"#),
        ("mcp__files__move_file", r#"{"source":"[HOME]/.config","destination":"/tmp/x"}"#),
        ("mcp__files__thing", r#"{"where":"[HOME]/.local/share/hookbox/store/x"}"#),
        // What only reads by its name, and is told to write.
        ("mcp__git__git_diff", r#"{"target":"--output=~/.config/hookbox/hooks.toml"}"#),
        ("mcp__git__git_log", r#"{"target":"-o[HOME]/.config/hookbox/hooks.toml"}"#),
        ("mcp__db__query", r#"{"query":"COPY t TO '[HOME]/.config/hookbox/hooks.toml'"}"#),
        ("mcp__db__query", r#"{"sql":"SELECT 1 INTO OUTFILE \"[HOME]/.config/hookbox/hooks.toml\""}"#),
        ("mcp__db__query", r#"{"query":"ATTACH '[HOME]/.local/state/hookbox/trusted.json' AS a"}"#),
        ("mcp__py__get", r#"{"expression":"open('[HOME]/.config/hookbox/hooks.toml','w')"}"#),
        // Statements and commands of clients that name a file without quotes.
        ("mcp__x__query", r#"{"sql":".output [HOME]/.config/hookbox/hooks.toml"}"#),
        ("mcp__x__query", r#"{"query":".once ~/.config/hookbox/hooks.toml"}"#),
        ("mcp__x__query", r#"{"query":"\\o [HOME]/.config/hookbox/hooks.toml"}"#),
        ("mcp__x__query", r#"{"sql":"spool [HOME]/.config/hookbox/hooks.toml"}"#),
        ("mcp__x__query", r#"{"query":"vacuum into [HOME]/.config/hookbox/hooks.toml"}"#),
        ("mcp__x__query", r#"{"statement":"COPY t TO [HOME]/.config/hookbox/hooks.toml"}"#),
        ("mcp__x__get", r#"{"uri":"file://[HOME]/.config/hookbox/hooks.toml?mode=rwc"}"#),
        ("mcp__files__open_file", r#"{"path":"[HOME]/.config/hookbox/hooks.toml","mode":"w"}"#),
        ("mcp__files__open_file", r#"{"path":"[HOME]/.config/hookbox/hooks.toml","mode":"r+"}"#),
        ("mcp__files__find_files", r#"{"path":"[HOME]/.config/hookbox","delete":true}"#),
        ("mcp__files__search", r#"{"path":"[HOME]/.config/hookbox","replace":1}"#),
        ("mcp__web__fetch", r#"{"url":"https://a.example/x","target":"[HOME]/.config/hookbox/hooks.toml"}"#),
        ("mcp__terminal__run", r#"{"command":"rm -rf ~/.config/hookbox"}"#),
        ("mcp__terminal__run", r#"{"command":"rm -rf hookbox","cwd":"[HOME]/.config"}"#),
        ("SomethingNew", r#"{"file":"[HOME]/.config/hookbox/hooks.toml"}"#),
    ] {
        let answer = answer_call(&bed, tool, input);
        assert!(is_refused(&answer), "{tool} {input}: {answer}");
    }
}

#[test]
fn what_takes_files_by_their_names_is_refused_where_one_of_them_has_such_a_name() {
    let bed = TestBed::with_config("# no hooks\n");
    assert!(is_refused(&run(&bed, "find ~ -name '*.toml' -delete")));
    assert!(!is_refused(&run(&bed, "find ~ -name '*.pyc' -delete")));
    assert!(!is_refused(&run(&bed, "find . -name '*.toml' -delete")));
}

#[test]
fn no_link_and_no_other_name_leads_to_them() {
    let bed = TestBed::with_config("# no hooks\n");
    let (project, config) = (bed.resolve_path("[PROJECT]"), bed.resolve_path("[HOME]/.config/hookbox"));
    symlink(&config, project.join("to-folder")).unwrap();
    symlink(config.parent().unwrap(), project.join("to-parent")).unwrap();
    symlink(config.join("policy.toml"), project.join("to-nothing-yet")).unwrap();
    symlink("to-folder/hooks.toml", project.join("to-link")).unwrap();
    fs::hard_link(config.join("hooks.toml"), project.join("same-file")).unwrap();
    fs::create_dir(config.join("below")).unwrap();
    symlink(config.join("below"), project.join("to-below")).unwrap();
    for path in [
        "to-folder/hooks.toml",
        "to-parent/hookbox/x",
        "to-nothing-yet",
        "to-link",
        "same-file",
        "to-below/../hooks.toml",
    ] {
        let input = format!(r#"{{"file_path":"[PROJECT]/{path}","content":""}}"#);
        let answer = answer_call(&bed, "Write", &input);
        assert!(is_refused(&answer), "{path}: {answer}");
        let answer = run(&bed, &format!("echo x > {path}"));
        assert!(is_refused(&answer), "> {path}: {answer}");
    }
    for other in ["rm to-folder", "rm to-link", "rm -rf to-parent", "echo x > other"] {
        let answer = run(&bed, other);
        assert_eq!(answer.code, 0, "{other}: {answer}");
    }
}

#[test]
fn a_link_on_the_way_to_them_is_not_replaced() {
    let bed = TestBed::with_config("# no hooks\n");
    let (link, real) = (bed.resolve_path("[HOME]/.config"), bed.resolve_path("[HOME]/dotfiles"));
    fs::rename(&link, &real).unwrap();
    symlink("dotfiles", &link).unwrap();
    for command in [
        "rm ~/.config",
        "ln -sfn evil ~/.config",
        "mv ~/.config x",
        "rm -rf ~/dotfiles",
        "echo x > ~/dotfiles/hookbox/hooks.toml",
    ] {
        assert!(is_refused(&run(&bed, command)), "{command}");
    }
    assert!(!is_refused(&run(&bed, "echo x > ~/.config/other")));
}

#[test]
fn it_holds_where_nothing_is_there_yet() {
    let bed = TestBed::new();
    fs::remove_dir_all(bed.resolve_path("[HOME]/.config/hookbox")).unwrap();
    for command in [
        "mkdir -p ~/.config/hookbox && cp evil.toml ~/.config/hookbox/hooks.toml",
        "mkdir ~/.config/Hookbox",
        "mkdir -p ~/.local/state/hookbox",
        "git clone http://localhost/x ~/.local/share/hookbox",
    ] {
        assert!(is_refused(&run(&bed, command)), "{command}");
    }
    assert!(is_refused(&answer_call(
        &bed,
        "Write",
        r#"{"file_path":"[HOME]/.config/hookbox/hooks.toml","content":""}"#
    )));
}

#[test]
fn no_configuration_no_switch_and_no_session_takes_it_away() {
    let write = "rm -rf ~/.config/hookbox";
    let off = "[projects]\nenabled = false\n";
    for config in ["# no hooks\n", off, "[[hook"] {
        let bed = TestBed::with_config(config);
        let answer = run(&bed, write);
        assert!(answer.to_string().contains("deny") || answer.code == 2, "{config}: {answer}");
    }
    let allows = "[[hook]]\nname = \"sh\"\non = \"tool.before\"\nshell = { command = '''echo '{\"verdict\":\"allow\"}' ''' }\n";
    let bed = TestBed::with_config(allows);
    assert!(is_refused(&run(&bed, write)), "an allow of the user's own");

    // A file of the session instead of the user's, which is protected with it; and an agent's own file.
    let session = bed.write_file("[HOME]/session.toml", "# no hooks\n");
    let asks = |options: &[&str], command: &str| {
        let command = serde_json::to_string(&bed.expand_placeholders(command)).unwrap();
        let event = bed.expand_placeholders(&LS.replace("\"ls\"", &command));
        let arguments = [&["run", "--agent", "claude-code"], options].concat();
        bed.run_with_input(&mut bed.build_command(&arguments), event.as_bytes())
    };
    let session = session.display().to_string();
    assert!(is_refused(&asks(&["--config", &session], write)));
    assert!(is_refused(&asks(&["--config", &session], "echo x > ~/session.toml")));
    assert!(!is_refused(&asks(&[], "echo x > ~/session.toml")));
    bed.write_file("[HOME]/settings.json", "{\"hooks\": {}}");
    let source = bed.expand_placeholders("[HOME]/settings.json");
    assert!(is_refused(&asks(&["--source", &source], write)));
}

#[test]
fn what_rewrites_a_call_does_not_get_it_past() {
    let rewrites = "[[hook]]\nname = \"sh\"\nrole = \"transform\"\non = \"tool.before\"\nshell = { command = '''echo '{\"rewrite\":{\"replace\":{\"command\":\"rm -rf [HOME]/.config/hookbox\"}}}' ''' }\n";
    let bed = TestBed::with_config(rewrites);
    let answer = run(&bed, "ls");
    assert!(is_refused(&answer), "{answer}");
    assert!(!answer.stdout.contains("updatedInput"), "{answer}");
}

#[test]
fn an_agent_takes_no_rule_away_by_the_command_itself() {
    let bed = TestBed::new();
    for command in [
        "hookbox uninstall claude-code",
        "hookbox setup --remove",
        "cargo uninstall hookbox",
        "hookbox disable guard-shell",
        "hookbox enable guard-shell",
        "hookbox allow --once",
        "hookbox trust",
        "hookbox trust lint",
        "hookbox untrust --all",
        "hookbox plugin remove guard-shell",
        "hookbox plugin add ./evil.wasm --name guard-shell",
        "hookbox plugin signer add ./evil.pub --as release@acme.example --yes",
        "hookbox plugin signer remove release@acme.example --yes",
        "hookbox hooks clear claude-code",
        "env -u CLAUDECODE ~/.local/bin/hookbox disable --all",
        "script -qc 'hookbox trust' /dev/null",
        "yes | hookbox trust",
        "hookbox import claude-code settings.json --output ~/.config/hookbox/hooks.toml",
        "hookbox import claude-code settings.json -o ~/.config/hookbox/hooks.toml",
    ] {
        let answer = run(&bed, command);
        assert!(is_refused(&answer), "{command}: {answer}");
    }
}

#[test]
fn what_a_trusted_hook_of_a_project_runs_is_not_written_by_an_agent() {
    let bed = trust::create_project("argv = [\"sh\", \"scripts/guard.sh\"]");
    // One that has no opinion: whose denial stands hides that of hookbox.
    bed.write_file("[PROJECT]/scripts/guard.sh", "#!/bin/sh\n");
    let write = |path: &str| {
        let input = format!(r#"{{"file_path":"[PROJECT]/{path}","content":""}}"#);
        is_refused(&answer_call(&bed, "Write", &input))
    };
    let files = [".hookbox/hooks.toml", ".hookbox/more.toml", "scripts/guard.sh"];
    for path in files {
        assert!(!write(path), "{path}: nothing is trusted");
    }
    let trusted = trust::run_with_keys(&bed, &["trust"], "y\n");
    assert!(trusted.stdout.contains("trusted 1"), "{trusted}");
    for path in files {
        assert!(write(path), "{path}");
    }
    assert!(!write("scripts/other.sh") && !write("main.rs"));
    for command in [
        "rm -rf .hookbox",
        "echo x >> scripts/guard.sh",
        "git rm scripts/guard.sh",
        "rm -rf scripts",
        "rm scripts/*",
    ] {
        assert!(is_refused(&run(&bed, command)), "{command}");
    }
    // From another project, too.
    let elsewhere = LS.replace("[PROJECT]", "[HOME]/other").replace(
        "\"ls\"",
        &serde_json::to_string(&bed.expand_placeholders("rm [PROJECT]/.hookbox/hooks.toml")).unwrap(),
    );
    fs::create_dir_all(bed.resolve_path("[HOME]/other/.git")).unwrap();
    assert!(is_refused(&bed.answer_event(&elsewhere)));
}

/// Without any guard.
#[test]
fn an_agent_takes_no_entry_of_hookboxs_out_of_its_settings_and_edits_the_rest() {
    let bed = TestBed::new();
    let file = "[HOME]/.claude/settings.json";
    bed.write_file(file, "{\n  \"model\": \"opus\"\n}\n");
    let installed = bed.run_hookbox(&["install", "claude-code", "--yes"]);
    assert_eq!(installed.code, 0, "{installed}");
    let text = fs::read_to_string(bed.resolve_path(file)).unwrap();
    let write = |content: &str| {
        let input = serde_json::json!({ "file_path": bed.expand_placeholders(file), "content": content });
        is_refused(&answer_call(&bed, "Write", &input.to_string()))
    };
    let edit = |old: &str, new: &str| {
        let input = serde_json::json!({ "file_path": bed.expand_placeholders(file), "old_string": old, "new_string": new });
        is_refused(&answer_call(&bed, "Edit", &input.to_string()))
    };
    assert!(write("{}") && write("") && write(&text.replace("PreToolUse", "PostToolUse")));
    assert!(write(&text.replace("\"model\"", "\"disableAllHooks\": true,\n  \"model\"")));
    assert!(write(&text.replace("\"onFailure\": \"block\"", "\"onFailure\": \"continue\"")));
    assert!(edit("PreToolUse", "Stop") && edit("\"hooks\": {", "\"hookz\": {"));
    // hookbox's entry is there, and not asked.
    assert!(write(&text.replacen("\"timeout\": 60", "\"timeout\": 0.001", 1)));
    assert!(write(&text.replacen("\"type\": \"command\"", "\"type\": \"command\", \"if\": \"Read(x)\"", 1)));
    assert!(write(&format!("{}, \"hooks\": {{}}}}", text.trim_end().strip_suffix('}').unwrap())));
    // A tool may find what is not there literally.
    assert!(edit("\"PreToolUse\" :", "\"Nothing\":"));
    let both = serde_json::json!({ "file_path": bed.expand_placeholders(file), "content": text, "old_string": "PreToolUse", "new_string": "X" });
    assert!(is_refused(&answer_call(&bed, "Edit", &both.to_string())));
    assert!(!write(&text.replace("opus", "haiku")) && !edit("opus", "haiku"));
    for command in [
        "rm ~/.claude/settings.json",
        "rm -rf ~/.claude",
        "mv ~/.claude ~/.claude.old",
        "echo '{}' > ~/.claude/settings.json",
        "jq 'del(.hooks)' ~/.claude/settings.json | tee ~/.claude/settings.json",
        "sed -i s/PreToolUse/X/ ~/.claude/settings.json",
        "chmod 000 ~/.claude/settings.json",
    ] {
        assert!(is_refused(&run(&bed, command)), "{command}");
    }
    for command in [
        "cat ~/.claude/settings.json",
        "jq .model ~/.claude/settings.json",
        "rm -rf ~/.claude/todos",
        "ls -la ~/.claude",
        "echo '{}' > ~/.claude/settings.local.json",
        "echo '{}' > .claude/settings.json",
    ] {
        assert!(!is_refused(&run(&bed, command)), "{command}");
    }
    // Kept elsewhere, under another name.
    let kept = bed.resolve_path("[HOME]/dotfiles/claude.json");
    fs::create_dir_all(kept.parent().unwrap()).unwrap();
    fs::rename(bed.resolve_path(file), &kept).unwrap();
    symlink(&kept, bed.resolve_path(file)).unwrap();
    let input = serde_json::json!({ "file_path": kept, "content": "{}" });
    assert!(write("{}") && is_refused(&answer_call(&bed, "Write", &input.to_string())));
    assert!(!write(&text.replace("opus", "haiku")));
    let removed = bed.run_hookbox(&["uninstall", "claude-code", "--yes"]);
    assert_eq!(removed.code, 0, "{removed}");
    assert!(!write("{}") && !is_refused(&run(&bed, "rm ~/.claude/settings.json")));
}

#[test]
fn an_agent_makes_no_settings_file_with_an_entry_of_hookboxs_one_that_is_discarded() {
    let bed = TestBed::new();
    let file = "[HOME]/.codex/hooks.json";
    assert_eq!(bed.run_hookbox(&["install", "codex", "--yes"]).code, 0);
    let text = fs::read_to_string(bed.resolve_path(file)).unwrap();
    let write = |content: &str| {
        let input = serde_json::json!({ "file_path": bed.expand_placeholders(file), "content": content });
        is_refused(&answer_call(&bed, "Write", &input.to_string()))
    };
    assert!(write(&text.replacen('{', "{\"version\": 1,", 1)) && write(&format!("\u{feff}{text}")));
    assert!(!write(&text.replacen('{', "{\"description\": \"mine\",", 1)));
}

/// Calls of a size that agents really make, each with nothing of hookbox's in it, and with it at the end.
#[test]
fn a_large_call_is_looked_at_whole_and_only_refused_for_what_it_names() {
    let bed = TestBed::new();
    let ours = bed.expand_placeholders("[HOME]/.config/hookbox/hooks.toml");
    let list = |count: usize, item: &dyn Fn(usize) -> serde_json::Value, last: serde_json::Value| {
        (0..count).map(item).chain([last]).collect::<Vec<_>>()
    };
    let row = |id: usize| serde_json::json!({ "id": id, "name": format!("row {id}"), "tags": ["a", "b"] });
    let text = |id: usize| serde_json::json!(format!("text {id}"));
    let file = |id: usize| serde_json::json!(format!("src/file-{id}.rs"));
    let step = |id: usize| serde_json::json!({ "command": "ls", "cwd": format!("/code/{id}") });
    for last in ["other.toml", &ours] {
        let is_ours = last == ours;
        let endings =
            (0..200).map(|id| format!("e{id}")).chain([last.to_owned()]).collect::<Vec<_>>().join(",");
        for (what, input) in [
            ("rows", serde_json::json!({ "rows": list(7_000, &row, serde_json::json!({ "path": last })) })),
            (
                "texts",
                serde_json::json!({ "items": list(40_000, &text, serde_json::json!({ "path": last })) }),
            ),
            ("files", serde_json::json!({ "files": list(4_000, &file, serde_json::json!(last)) })),
            (
                "names below a folder",
                serde_json::json!({ "dir": "/code", "names": list(5_000, &file, serde_json::json!(last)) }),
            ),
            ("a padded path", serde_json::json!({ "path": last.replacen('/', &"/./".repeat(3_000), 1) })),
            (
                "a picture",
                serde_json::json!({ "data": format!("/9j/{}", "4AAQSkZJRg//".repeat(9_000)), "path": last }),
            ),
            (
                "commands",
                serde_json::json!({ "steps": list(60, &step, serde_json::json!({ "command": format!("touch {last}"), "cwd": "/code" })) }),
            ),
            ("a pattern", serde_json::json!({ "target": format!("{{{endings}}}") })),
        ] {
            let answer = answer_call(&bed, "mcp__data__import", &input.to_string());
            assert_eq!(is_refused(&answer), is_ours, "{what}: {last}: {answer}");
        }
        let paths = (0..2_000).map(|id| format!("'/api/{id}'")).collect::<Vec<_>>().join(",");
        let line = format!("python3 - <<'EOF'\nfor p in [{paths}]: open('{last}', 'w')\nEOF");
        assert_eq!(is_refused(&run(&bed, &line)), is_ours, "code");
    }
}

/// What cannot be looked at as a whole could hide it.
#[test]
fn a_call_that_is_too_much_to_look_at_is_refused() {
    let bed = TestBed::new();
    let hidden = "rm -rf ~/.config/hookbox";
    let many = (0..5000).map(|number| number.to_string()).collect::<Vec<_>>().join(" ");
    let many_files = format!("touch {many}; {hidden}");
    let deep = format!("{}{hidden}{}", "$(".repeat(200), ")".repeat(200));
    for command in [&many_files, &deep, &format!("{hidden} # \u{fdd5}")] {
        let answer = run(&bed, command);
        assert!(answer.stdout.contains("deny") && answer.stdout.contains("hookbox-files"), "{answer}");
    }
}
