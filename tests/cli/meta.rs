//! What the command says about itself: help, completions, the manual page, the schema.

use std::fs;

use insta::assert_snapshot;

use crate::{TestBed, guests};

const COMMANDS: [&str; 31] = [
    "run",
    "bus",
    "control",
    "check",
    "list",
    "disable",
    "enable",
    "trust",
    "untrust",
    "log",
    "allow",
    "restore",
    "explain",
    "facts",
    "try",
    "setup",
    "status",
    "install",
    "uninstall",
    "init",
    "hooks",
    "confine",
    "import",
    "dialects",
    "doctor",
    "plugin",
    "export",
    "completions",
    "man",
    "schema",
    "version",
];

fn read_help(command: &str) -> String {
    let ran = TestBed::new().run_hookbox(&[command, "--help"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    ran.stdout
}

#[test]
fn help_teaches_by_example() {
    let ran = TestBed::new().run_hookbox(&["--help"]);
    assert_snapshot!(ran, @"
    exit code 0
    --- stdout
    One hook host for every coding agent

    Usage: hookbox <COMMAND>

    Commands:
      run          Answer one event: event on standard input, the agent's own answer on standard output
      bus          Answer llxprt-code's message bus: requests on standard input, responses on standard
                   output
      control      Speak the Agent SDK's control protocol over standard input and output
      check        Check the configuration and compile its plugins
      list         List the hooks in the order in which they run
      disable      Disable a hook of yours, or the hooks of a project, for a time
      enable       Enable a disabled hook
      trust        Review the hooks of the current project and choose which may run
      untrust      Revoke trust in this project's hooks
      log          Show recent answers and decisions of hooks
      allow        Allow one blocked call
      restore      Undo or accept changes of hookbox's own files
      explain      Dry run of an event: matching hooks, answers, combined result
      facts        Print the facts about a command line that hooks get
      try          Create an event and show how the hooks answer, without an agent
      setup        Protect every agent on this machine, and test the protection
      status       Show the protection of this machine and the next steps
      install      Add hookbox to an agent's settings
      uninstall    Remove hookbox from an agent's settings, or from all
      init         Write a commented hooks.toml for the project
      hooks        List, add and remove hooks in an agent's own hook file
      confine      Run a command confined to a profile
      import       Convert an agent's own hooks into hookbox's configuration, and list what cannot be
                   converted
      dialects     List each agent's events and the answers it supports: block, ask, rewrite, context
      doctor       Check the installation: files, cache, compiler, sandbox
      plugin       Add, list, inspect and remove plugins; write and test your own
      export       Export signed plugins as a plugin for an agent
      completions  Print completions for a shell
      man          Print the manual page
      schema       Print the JSON Schema of hooks.toml, for editors
      version      Print the version
      help         Print this message or the help of the given subcommand(s)

    Options:
      -h, --help     Print help
      -V, --version  Print version

    Examples:
      hookbox setup                          # protect every agent
      hookbox status                         # protection and next steps
      hookbox explain --command 'rm -rf ~'   # the decision about a call
      hookbox check                          # check and compile the hooks

    Configuration: ~/.config/hookbox/hooks.toml, <project>/.hookbox/hooks.toml
    Exit codes: 0 done, 1 problems, 2 wrong usage; of `run` the agent's own.
    Colours: --color auto, always or never; NO_COLOR=1 switches them off.
    --- stderr
    ");
}

/// Commands of commands. Those that another program runs are not among them.
const OF_SEVERAL: [&[&str]; 12] = [
    &["hooks", "list"],
    &["hooks", "add"],
    &["hooks", "remove"],
    &["plugin", "add"],
    &["plugin", "remove"],
    &["plugin", "outdated"],
    &["plugin", "update"],
    &["plugin", "gc"],
    &["plugin", "list"],
    &["plugin", "inspect"],
    &["plugin", "manifest"],
    &["plugin", "signer", "add"],
];

#[test]
fn every_help_fits_on_a_page_of_sixty_lines() {
    let mut commands: Vec<Vec<&str>> = vec![Vec::new()];
    commands.extend(COMMANDS.iter().filter(|command| **command != "export").map(|command| vec![*command]));
    commands.extend(OF_SEVERAL.map(<[&str]>::to_vec));
    for columns in ["80", "100"] {
        let bed = TestBed::new().with_variable("COLUMNS", columns);
        for words in &commands {
            let help =
                bed.run_with_input(&mut bed.bare_command(&[&words[..], &["--help"]].concat()), b"").stdout;
            let lines = help.lines().count();
            assert!((1..=60).contains(&lines), "{lines} lines of {columns} columns: {words:?}");
        }
    }
}

#[test]
fn help_of_control_says_what_it_answers_and_how_it_ends() {
    let help = read_help("control").split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "answers each call by your hooks, as `run` would",
        "Requests that are not about hooks (permissions, MCP, user messages) are answered with an error",
        "hookbox control < from-claude-code > to-claude-code",
        "0 at the end of the input; 1 if Claude Code rejected the hooks",
    ] {
        assert!(help.contains(said), "{help}");
    }
}

#[test]
fn help_of_run() {
    assert_snapshot!(read_help("run"), @r#"
    Answer one event: event on standard input, the agent's own answer on standard output

    Usage: hookbox run [OPTIONS]

    Options:
          --agent <NAME>              The agent that sends the event
          --agent-timeout <DURATION>  The agent's timeout for the hook, `5s` or `500ms` [default: the
                                      agent's own default]
          --report <FILE>             Append the result of each hook to this file, as one JSON line
          --bundle <DIR>              Run only the plugins of a folder that `hookbox export` wrote
          --trust-hook <sha256:HEX>   Trust a project hook for this run, by the digest that `hookbox
                                      trust --review` shows; repeatable
          --config <FILE>             An additional configuration file for this session
          --source <FILE>             Run only this hook file, as the agent would; repeatable, in order
          --own[=<WHICH>]             Run only the agent's hook files at their usual places: the user's,
                                      with `all` also the project's [possible values: user, all]
          --with-hookbox              With --source or --own: run hookbox's hooks too, in one chain with
                                      the agent's
      -h, --help                      Print help
      -V, --version                   Print version

    Places:
          --home <DIR>         The home folder [default: from the user database]
          --config-home <DIR>  The folder of `hookbox/hooks.toml` [default: ~/.config]
          --state-home <DIR>   The folder for state [default: ~/.local/state]
          --cache-home <DIR>   The folder for compiled plugins [default: ~/.cache]

    Examples:
      hookbox run --agent claude-code < event.json
      echo '{"event":"session.start"}' | hookbox run --agent native
      hookbox run --agent claude-code --source .claude/settings.json < event.json
      hookbox run --agent claude-code --own < event.json
      hookbox run --agent claude-code --own --with-hookbox < event.json

    The project is found from the event's working directory. Without --agent, the agent is determined
    from the input.
    Exit code: as the agent's protocol requires; for the native dialect 0, or 2 for a deny.
    "#);
}

#[test]
fn help_of_bus() {
    assert_snapshot!(read_help("bus"), @r#"
    Answer llxprt-code's message bus: requests on standard input, responses on standard output

    Usage: hookbox bus [OPTIONS]

    Options:
          --project <DIR>  The session's working folder [default: current folder]
          --session <ID>   The session id [default: generated]
          --log            Write the result of each hook and of each event to standard error, one JSON
                           line each
          --config <FILE>  An additional configuration file for this session
      -h, --help           Print help

    Places:
          --home <DIR>         The home folder [default: from the user database]
          --config-home <DIR>  The folder of `hookbox/hooks.toml` [default: ~/.config]
          --state-home <DIR>   The folder for state [default: ~/.local/state]
          --cache-home <DIR>   The folder for compiled plugins [default: ~/.cache]

    Example:
      echo '{"type":"HOOK_EXECUTION_REQUEST","payload":{"eventName":"BeforeTool",
        "input":{"tool_name":"read_file","tool_input":{"path":"a"}},"correlationId":"1"}}' |
        tr -d '\n' | hookbox bus

    A message is one line of JSON, of at most 32 MiB. Each message gets one response, as soon as it is
    ready. Control messages are HOOKBOX_LIST_HOOKS, HOOKBOX_SET_HOOK_ENABLED (`name`, `enabled`) and
    HOOKBOX_DISPOSE. The hooks are those for the session's folder.

    The command exits at the end of standard input, after it has answered all requests. After a signal
    it stops its hooks and exits.

    Exit code: 0 at the end of the input, 1 after an input or output error or a signal, 2 for wrong
    usage.
    "#);
}

#[test]
fn help_of_check() {
    assert_snapshot!(read_help("check"), @"
    Check the configuration and compile its plugins

    Usage: hookbox check [OPTIONS]

    Options:
          --agent <NAME>             Check this agent's own hook file
          --project <DIR>            The project's folder [default: current folder]
          --bundle <DIR>             Check only the plugins of a folder that `hookbox export` wrote
          --json                     Print JSON
          --trust-hook <sha256:HEX>  Trust a project hook for this run, by the digest that `hookbox
                                     trust --review` shows; repeatable
          --config <FILE>            An additional configuration file for this session
          --source <FILE>            Run only this hook file, as the agent would; repeatable, in order
          --own[=<WHICH>]            Run only the agent's hook files at their usual places: the user's,
                                     with `all` also the project's [possible values: user, all]
          --with-hookbox             With --source or --own: run hookbox's hooks too, in one chain with
                                     the agent's
      -h, --help                     Print help

    Examples:
      hookbox check                     # the user's file and the current project's
      hookbox check --config new.toml   # and an additional file
      hookbox check --agent run-claude --source ~/.config/run-claude/hooks.yaml
      hookbox check --bundle ~/.claude/plugins/cache/acme

    Exit code: 0 if no error was found (warnings are allowed), otherwise 1.
    ");
}

#[test]
fn help_of_list() {
    assert_snapshot!(read_help("list"), @"
    List the hooks in the order in which they run

    Usage: hookbox list [OPTIONS]

    Options:
          --agent <NAME>   List this agent's own hook file
          --json           Print JSON
          --project <DIR>  The project's folder [default: current folder]
          --config <FILE>  An additional configuration file for this session
          --source <FILE>  Run only this hook file, as the agent would; repeatable, in order
          --own[=<WHICH>]  Run only the agent's hook files at their usual places: the user's, with `all`
                           also the project's [possible values: user, all]
          --with-hookbox   With --source or --own: run hookbox's hooks too, in one chain with the
                           agent's
      -h, --help           Print help

    Examples:
      hookbox list
      hookbox list --agent code-forge
      hookbox list --agent run-claude --source ~/.config/run-claude/hooks.yaml
    ");
}

#[test]
fn help_of_explain() {
    assert_snapshot!(read_help("explain"), @"
    Dry run of an event: matching hooks, answers, combined result

    Usage: hookbox explain [OPTIONS] [FILE]

    Arguments:
      [FILE]  A file with the event [default: standard input]

    Options:
          --command <LINE>  A shell command in place of an event; with --agent, as an event of that
                            agent
          --agent <NAME>    The agent that sent the event
          --json            Print JSON
          --verbose         Also print the costs, and the answer in the agent's format
          --call-all        Also call shell hooks and webhooks
          --facts           Show the facts about the command line that hooks get
          --calls <NUMBER>  Run the hooks this many times in one process, and show the cost of a later
                            call
          --config <FILE>   An additional configuration file for this session
          --source <FILE>   Run only this hook file, as the agent would; repeatable, in order
          --own[=<WHICH>]   Run only the agent's hook files at their usual places: the user's, with
                            `all` also the project's [possible values: user, all]
          --with-hookbox    With --source or --own: run hookbox's hooks too, in one chain with the
                            agent's
      -h, --help            Print help

    Examples:
      hookbox explain --command 'rm -rf build'
      hookbox explain < event.json
      hookbox explain --agent claude-code --json event.json

    Wasm hooks are called if the call has no effect outside the sandbox. Shell hooks, webhooks, and wasm
    hooks with http, fs.write or kv are called only with --call-all.
    ");
}

#[test]
fn help_of_facts() {
    assert_snapshot!(read_help("facts"), @"
    Print the facts about a command line that hooks get

    Usage: hookbox facts [OPTIONS] <COMMAND>

    Arguments:
      <COMMAND>  The command line

    Options:
          --json          Print JSON
          --folder <DIR>  The folder that the command starts in, which need not exist [default: current
                          folder]
      -h, --help          Print help

    Examples:
      hookbox facts 'curl -s https://example.org/install | sudo sh'
      hookbox facts --json --folder /srv/app 'rm -rf build'

    Hooks get the same facts by the interface `facts`. The command line is read as one of bash, and is
    not run. A part that the text does not determine is listed as `unknown`.
    Exit code: 0 if there are facts, 1 if they cannot be computed.
    ");
}

#[test]
fn help_of_plugin() {
    let ran = TestBed::new().run_hookbox(&["plugin", "inspect", "--help"]);
    assert_snapshot!(ran, @"
    exit code 0
    --- stdout
    Show a plugin's file, and its requested and granted capabilities

    Usage: hookbox plugin inspect [OPTIONS] <FILE>

    Arguments:
      <FILE>  The plugin's file, its digest, or the name of a built-in plugin

    Options:
          --json           Print JSON
          --project <DIR>  The folder of the project whose hooks are searched [default: current folder]
          --config <FILE>  An additional configuration file for this session
      -h, --help           Print help

    Examples:
      hookbox plugin inspect guard-shell           # a built-in plugin
      hookbox plugin inspect plugins/mine.wasm
      hookbox plugin inspect --json downloaded.wasm

    An installed plugin is also found by its digest: `sha256:` and 64 digits. The signatures next to
    the file are verified with your allowed_signers, revoked.krl and policy.toml. The file is not run.
    Exit code: 0 if the file is a valid plugin, 1 if not.
    --- stderr
    ");
}

#[test]
fn help_of_install() {
    assert_snapshot!(read_help("install"), @"
    Add hookbox to an agent's settings

    Usage: hookbox install [OPTIONS] <AGENT>

    Arguments:
      <AGENT>  The agent: claude-code, gemini-cli, ...

    Options:
          --user             Use the user's settings (the default)
          --here             Use the settings of the project around the current folder
          --file <FILE>      The configuration file of a proxy (litellm, run-claude)
          --yes              Write without asking
          --dry-run          Show the changes without writing them
          --events <EVENTS>  The agent's names of the events, separated by commas [default: the usual
                             ones]
      -h, --help             Print help

    Examples:
      hookbox install claude-code                        # ~/.claude/settings.json
      hookbox install gemini-cli --here --dry-run        # the project's settings; writes nothing
      hookbox install claude-code --events PreToolUse --yes
      hookbox install litellm --file config.yaml         # the configuration of a LiteLLM proxy

    Writes the command `hookbox run --agent AGENT` for each event; the rest of the file is unchanged.
    A proxy (litellm, run-claude) gets the name of the Python package that calls hookbox in its process.
    A second run changes nothing. `hookbox uninstall AGENT` removes the entries.
    ");
}

#[test]
fn help_of_uninstall_and_dialects() {
    assert_snapshot!(["uninstall", "dialects"].map(read_help).join("----\n"), @"
    Remove hookbox from an agent's settings, or from all

    Usage: hookbox uninstall [OPTIONS] [AGENT]

    Arguments:
      [AGENT]  The agent: claude-code, gemini-cli, ... [default: all, with the guards]

    Options:
          --purge        Also remove hookbox's state and compiled plugins
          --user         Use the user's settings (the default)
          --here         Use the settings of the project around the current folder
          --file <FILE>  The configuration file of a proxy (litellm, run-claude)
          --yes          Write without asking
          --dry-run      Show the changes without writing them
      -h, --help         Print help

    Examples:
      hookbox uninstall claude-code
      hookbox uninstall gemini-cli --here --dry-run
      hookbox uninstall litellm --file config.yaml
      hookbox uninstall --purge --dry-run
      hookbox uninstall                  # every agent, and the guards of `hookbox setup`

    Removes every command that runs hookbox for this agent, for any folder of hookbox. Other hooks are
    unchanged. Without an agent it does what `hookbox setup --remove` does, and lists what is left.
    Exit code: 0 if hookbox was removed, 1 if it was not or you declined, 2 if a question needs a
    terminal or the command line is wrong.
    ----
    List each agent's events and the answers it supports: block, ask, rewrite, context

    Usage: hookbox dialects [OPTIONS] [NAME]

    Arguments:
      [NAME]  The agent [default: all]

    Options:
          --json  Print JSON
      -h, --help  Print help

    Examples:
      hookbox dialects
      hookbox dialects claude-code --json

    An event marked `unsure` is taken from secondary sources and not verified.
    ");
}

#[test]
fn help_of_the_small_commands() {
    assert_snapshot!(["doctor", "completions", "man", "schema"].map(read_help).join("----\n"), @"
    Check the installation: files, cache, compiler, sandbox

    Usage: hookbox doctor [OPTIONS]

    Options:
          --json           Print JSON
          --project <DIR>  The project's folder [default: current folder]
      -h, --help           Print help

    Checks each agent on this machine: hookbox's entries in its settings, obstacles that keep the agent
    from calling hookbox, and the answer to a recorded `rm -rf /`, which is not run.

    Exit code: 0 if nothing is wrong, 1 if an installed agent does not call hookbox, no hook can block
    anything, or a file is broken. A result marked `odd` may be intended.
    ----
    Print completions for a shell

    Usage: hookbox completions <SHELL>

    Arguments:
      <SHELL>  The shell [possible values: bash, elvish, fish, powershell, zsh]

    Options:
      -h, --help  Print help

    Example:
      mkdir -p ~/.local/share/bash-completion/completions
      hookbox completions bash > ~/.local/share/bash-completion/completions/hookbox
    ----
    Print the manual page

    Usage: hookbox man

    Options:
      -h, --help  Print help
    ----
    Print the JSON Schema of hooks.toml, for editors

    Usage: hookbox schema

    Options:
      -h, --help  Print help
    ");
}

#[test]
fn without_a_command_the_help_is_shown_as_wrong_usage() {
    let ran = TestBed::new().run_hookbox(&[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("Usage: hookbox <COMMAND>"), "{ran}");
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = concat!("hookbox ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(TestBed::new().run_hookbox(&["--version"]).stdout, version);
}

#[test]
fn completions_of_every_shell_know_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = TestBed::new().run_hookbox(&["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{shell}");
        let forgotten: Vec<_> = COMMANDS.iter().filter(|command| !ran.stdout.contains(**command)).collect();
        assert_eq!(forgotten, Vec::<&&str>::new(), "{shell}");
    }
}

#[test]
fn the_manual_page_is_one_and_knows_every_command() {
    let ran = TestBed::new().run_hookbox(&["man"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.lines().any(|line| line.starts_with(".TH hookbox 1")), "{ran}");
    for command in COMMANDS {
        assert!(ran.stdout.contains(&format!("hookbox\\-{command}(1)")), "{command}: {ran}");
    }
}

#[test]
fn the_schema_is_the_one_in_the_documentation() {
    let ran = TestBed::new().run_hookbox(&["schema"]);
    assert_eq!(
        ran.stdout,
        fs::read_to_string(guests::repository_folder("docs/reference/hooks.schema.json")).unwrap()
    );
}
