//! A hook of the type `command`.

use serde_json::{Map, Value};

use hookbox_core::{
    Target,
    hook::{ShellCommand, ShellSpec},
};

use crate::agent_hook_file::Reader;

/// Variable with the plugin's folder, for its hooks.
const PLUGIN_VARIABLE: &str = "CLAUDE_PLUGIN_ROOT";
/// Placeholder for the plugin's folder.
const PLUGIN_ROOT: &str = "${CLAUDE_PLUGIN_ROOT}";
/// Placeholders that only the hooks of plugins have.
pub(super) const OF_PLUGINS: [&str; 2] = ["CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA"];
/// Placeholders that a shell expands itself, since they are in its environment too.
const IN_ENVIRONMENT: [&str; 3] = ["CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA"];

/// Returns the target of a hook with this `command`; `plugin` is the plugin whose file it is from. `None` if the hook is left out.
pub(super) fn read_command(
    place: &str,
    line: String,
    hook: &Map<String, Value>,
    plugin: Option<&str>,
    reader: &mut Reader<'_>,
) -> Option<Target> {
    let words = match hook.get("args") {
        Some(args) => Some(exec_form(place, line.clone(), args, reader)?),
        None => None,
    };
    let command_line = words.as_ref().map_or_else(|| line.clone(), |words| words.join(" "));
    if command_line.contains("${user_config.") {
        reader.report_warning(&format!(
            "`{place}` uses `${{user_config.…}}`, which Claude Code alone knows, for a plugin's hooks; the hook runs without it"
        ));
    }
    let command = match words {
        // No shell expands the placeholders here.
        Some(words) => ShellCommand::Argv(words.iter().map(|word| in_plugin(word, plugin)).collect()),
        None => by_shell(place, line, hook, reader)?,
    };
    let variables = plugin.map(|root| (PLUGIN_VARIABLE.to_owned(), root.to_owned())).into_iter().collect();
    Some(Target::Shell(ShellSpec { variables, ..ShellSpec::new(command) }))
}

fn in_plugin(word: &str, plugin: Option<&str>) -> String {
    plugin.map_or_else(|| word.to_owned(), |root| word.replace(PLUGIN_ROOT, root))
}

/// Reads the form with `args`, in which the program is started without a shell.
fn exec_form(place: &str, program: String, args: &Value, reader: &mut Reader<'_>) -> Option<Vec<String>> {
    let args = args.as_array().map(|args| args.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
    let Some(Some(args)) = args else {
        reader.report_error(&format!("`{place}.args` is not a list of texts; the hook is left out"));
        return None;
    };
    // With `args` the command is one file name: a whole command line there is a common mistake, and such a
    // hook never starts.
    if program.contains(char::is_whitespace) && !program.contains('/') {
        reader.report_warning(&format!(
            "`{place}.command` is the name of a program where `args` is, and no program is called `{program}`"
        ));
    }
    Some(std::iter::once(program).chain(args.into_iter().map(str::to_owned)).collect())
}

fn by_shell(
    place: &str,
    line: String,
    hook: &Map<String, Value>,
    reader: &mut Reader<'_>,
) -> Option<ShellCommand> {
    let shell = |program: &[&str], line: String| {
        ShellCommand::Argv(program.iter().map(|word| (*word).to_owned()).chain([line]).collect())
    };
    match hook.get("shell") {
        None => Some(ShellCommand::Line(line)),
        Some(configured) => match configured.as_str() {
            Some("bash") => Some(shell(&["bash", "-c"], left_to("${", ":-}", &line))),
            Some("powershell") => {
                // A profile of the user may print text or change variables, and a prompt would wait without a
                // terminal.
                let program = ["pwsh", "-NoProfile", "-NonInteractive", "-Command"];
                Some(shell(&program, left_to("${env:", "}", &line)))
            }
            _ => {
                reader.report_error(&format!(
                    "`{place}.shell` is not `bash` or `powershell`; the hook is left out"
                ));
                None
            }
        },
    }
}

/// Rewrites the line's placeholders so that the shell itself expands them: text that a shell expands is not parsed as its program.
fn left_to(open: &str, close: &str, line: &str) -> String {
    IN_ENVIRONMENT.iter().fold(line.to_owned(), |line, name| {
        line.replace(&format!("${{{name}}}"), &format!("{open}{name}{close}"))
    })
}
