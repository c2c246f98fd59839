//! Command-line arguments, and the settings of the hook.

use std::{
    fs::File,
    io::Read,
    time::{SystemTime, UNIX_EPOCH},
};

use serde::de::DeserializeOwned;
use shell_commands::{Config, Policy};
use toml::Value;

/// The longest file of settings, in bytes.
const MAX_FILE: u64 = 1 << 20;

/// The plugin whose verdicts are printed, with its settings.
#[derive(Debug)]
pub(crate) enum Subject {
    GuardShell(Box<Policy>),
    AllowSafe(allow_safe::Policy),
}

/// Settings of a run: the policy for the lines, and the format of the output.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) subject: Subject,
    pub(crate) cwd: String,
    pub(crate) json: bool,
    pub(crate) only_stopped: bool,
    pub(crate) facts: bool,
}

/// Parses the arguments; `None` if they ask for help.
pub(crate) fn read(arguments: impl IntoIterator<Item = String>) -> Result<Option<Settings>, String> {
    let mut arguments = arguments.into_iter();
    let (mut config, mut plugin) = (None, "guard-shell".to_owned());
    let (mut cwd, mut json, mut only_stopped, mut facts) = (String::new(), false, false, false);
    while let Some(argument) = arguments.next() {
        let mut value = || {
            arguments.next().ok_or_else(|| format!("`{argument}` needs a value; see `guard-shell --help`"))
        };
        match argument.as_str() {
            "--config" => config = Some(value()?),
            "--plugin" => plugin = value()?,
            "--cwd" => cwd = value()?,
            "--json" => json = true,
            "--stopped" => only_stopped = true,
            "--facts" => facts = true,
            "-h" | "--help" => return Ok(None),
            _ => return Err(format!("unknown option `{argument}`; see `guard-shell --help`")),
        }
    }
    let subject = match plugin.as_str() {
        "guard-shell" => Subject::GuardShell(Box::new(
            Policy::new(&config_of::<Config>(config.as_deref(), &plugin)?)?.at(now()),
        )),
        "allow-safe" => Subject::AllowSafe(allow_safe::Policy::new(&config_of(config.as_deref(), &plugin)?)?),
        _ => return Err(format!("no plugin `{plugin}` judges lines; write guard-shell or allow-safe")),
    };
    Ok(Some(Settings { subject, cwd, json, only_stopped, facts }))
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Returns the settings of the first hook in a file that calls the plugin; the defaults without a file.
fn config_of<T: DeserializeOwned + Default>(file: Option<&str>, plugin: &str) -> Result<T, String> {
    let Some(file) = file else { return Ok(T::default()) };
    let mut text = String::new();
    let read = File::open(file).and_then(|opened| opened.take(MAX_FILE + 1).read_to_string(&mut text));
    read.map_err(|error| format!("cannot read {file}: {error}"))?;
    if text.len() as u64 > MAX_FILE {
        return Err(format!("{file} is longer than {MAX_FILE} bytes"));
    }
    let value: Value = toml::from_str(&text).map_err(|error| format!("{file}: {error}"))?;
    let hooks = value.get("hook").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_ours = |hook: &&Value| {
        hook.get("wasm").and_then(|wasm| wasm.get("plugin")).and_then(Value::as_str) == Some(plugin)
    };
    let missing = || format!("{file} has no hook with `wasm = {{ plugin = \"{plugin}\" }}`");
    let hook = hooks.iter().find(is_ours).ok_or_else(missing)?;
    match hook.get("config") {
        None => Ok(T::default()),
        Some(config) => {
            config.clone().try_into().map_err(|error| format!("{file}: the hook's config: {error}"))
        }
    }
}
