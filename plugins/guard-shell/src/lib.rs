//! The plugin `guard-shell`, which judges shell commands by what they would run. Its rules are in `plugins/lib/shell-commands/src/rules`, and as
//! tables in `plugins/lib/shell-commands/src/packs`. `guard-paths` shares that reader of command lines.

use hookbox_sdk::{Answer, Event, Hook, ToolClass, export, log};
pub use shell_commands::{
    Allow, Code, Commands, Config, Decision, Mode, OnUnsure, OwnRule, Policy, Severity, codes, judge,
    judge_in, only_reads,
};

/// A shell call whose command line the host does not find: what cannot be seen cannot be judged.
const NO_COMMAND_LINE: &str = "the call has no command line that could be judged";

/// A command line of PowerShell.
const UNREAD_LANGUAGE: &str = "the command is in PowerShell, which is not read";

/// The hook.
pub struct GuardShell;

impl Hook for GuardShell {
    fn handle(event: Event) -> Result<Answer, String> {
        let is_judged = |class| matches!(class, ToolClass::Shell | ToolClass::Mcp);
        let Some(tool) = event.tool.filter(|tool| is_judged(tool.class) && tool.output.is_none()) else {
            return Ok(Answer::none());
        };
        let policy = Policy::new(&hookbox_sdk::config::<Config>()?)?.at(event.time).of_one_event();
        // What cannot be seen cannot be changed, and what asks for a permission is not about to run.
        let is_confinable =
            tool.class == ToolClass::Shell && tool.command.is_some() && event.name == "tool.before";
        let policy = if is_confinable { policy } else { policy.asking() };
        let decision = match tool.command {
            _ if tool.class == ToolClass::Mcp => of_arguments((&tool.name, &tool.input), &event.cwd, &policy),
            Some(command) if is_powershell(&tool.name) => of_powershell(&command, &event.cwd, &policy),
            // The folders that the call names are where it runs.
            Some(command) if tool.paths.is_empty() => judge(&command, &event.cwd, &policy),
            Some(command) => tool
                .paths
                .iter()
                .filter_map(|folder| judge_in(&command, folder, &event.cwd, &policy))
                .max_by_key(|decision| decision.severity),
            None => Some(Decision {
                severity: policy.severity("unparsable"),
                code: "unparsable",
                text: NO_COMMAND_LINE.into(),
            }),
        };
        Ok(match decision {
            Some(decision) => match decision.severity {
                Severity::Deny => Answer::deny(decision.code, decision.format_message()),
                Severity::Ask => Answer::ask(decision.code, decision.format_message()),
                Severity::Confine => {
                    log::info(format!("confined ({}): {}", decision.code, decision.text));
                    Answer::confine(policy.profile())
                }
                Severity::Off => Answer::none(),
            },
            None => Answer::none(),
        })
    }
}

/// Tools whose command line is PowerShell's.
fn is_powershell(tool: &str) -> bool {
    ["powershell", "write_powershell"].iter().any(|name| tool.eq_ignore_ascii_case(name))
}

/// Judges text of PowerShell: its commands are not read, except for those that only look, so the guard asks. Text that is dangerous for bash stays so.
fn of_powershell(command: &str, cwd: &str, policy: &Policy) -> Option<Decision> {
    let unread = || Decision {
        severity: policy.severity("unparsable"),
        code: "unparsable",
        text: UNREAD_LANGUAGE.into(),
    };
    if only_reads(command) {
        return None;
    }
    let unread = Some(unread()).filter(|decision| decision.severity > Severity::Off);
    judge(command, cwd, &policy.clone().certain())
        .into_iter()
        .chain(unread)
        .max_by_key(|decision| decision.severity)
}

/// Judges the commands in the arguments of an MCP server's tool, because no table lists it.
fn of_arguments((tool, input): (&str, &str), cwd: &str, policy: &Policy) -> Option<Decision> {
    let found = tool_arguments::read(tool, input);
    let folders = found.folders(cwd);
    let certain = policy.clone().certain();
    let commands =
        found.commands.iter().flat_map(|command| folders.iter().map(move |folder| (command, folder)));
    let judged = commands.filter_map(|(command, folder)| {
        judge_in(&command.text, folder, cwd, if command.is_certain { policy } else { &certain })
    });
    let unseen = || Decision {
        severity: policy.severity("unparsable"),
        code: "unparsable",
        text: NO_COMMAND_LINE.into(),
    };
    judged.max_by_key(|decision| decision.severity).or_else(|| found.is_cut.then(unseen))
}

export!(GuardShell);
