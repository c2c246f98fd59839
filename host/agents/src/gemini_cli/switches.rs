//! Switches in settings files of Gemini CLI or its fork: all hooks off, or those of some names.

use serde_json::Value;

use super::facts::DISABLED;

/// A switch of all hooks: its possible places, of which the first that is present counts.
pub(super) type Switch = &'static [&'static str];

/// Combined switches of all files.
#[derive(Debug, Default)]
pub(super) struct GeminiSwitches {
    /// The place that disables all hooks.
    off: Option<&'static str>,
    disabled: Vec<String>,
}

impl GeminiSwitches {
    /// Reads the switches of these files. The agent ranks files by location, which is not known here, so of two files that differ the one
    /// that lets hooks run counts.
    pub(super) fn from_files(switches: &[Switch], files: &[Value]) -> Self {
        let off = switches.iter().find_map(|switch| {
            let values: Vec<_> =
                files.iter().filter_map(|file| find_first(switch, file, Value::as_bool)).collect();
            // A project's file must not switch off the guards of the user's file.
            let off = values.iter().find(|(_, on)| !on)?;
            values.iter().all(|(_, on)| !on).then_some(off.0)
        });
        let listed = files.iter().filter_map(|file| Some(find_first(DISABLED, file, Value::as_array)?.1));
        let disabled = listed.flatten().filter_map(Value::as_str).map(str::to_owned).collect();
        Self { off, disabled }
    }

    /// Returns the place that disables all hooks.
    pub(super) fn off(&self) -> Option<&'static str> {
        self.off
    }

    /// Returns true if the hook is off. A hook is identified by its name, or by its command if it has no name.
    pub(super) fn turns_off(&self, name: Option<&str>, command: &str) -> bool {
        let known_by = name.unwrap_or(command);
        self.off.is_some() || self.disabled.iter().any(|disabled| disabled == known_by)
    }
}

/// Returns the first of these places with a value of its kind, and the value.
fn find_first<'v, T>(
    switch: Switch,
    file: &'v Value,
    read: impl Fn(&'v Value) -> Option<T>,
) -> Option<(&'static str, T)> {
    switch.iter().find_map(|place| {
        let (table, key) = place.split_once('.')?;
        Some((*place, read(file.get(table)?.get(key)?)?))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SWITCHES: &[Switch] = &[&["hooksConfig.enabled", "hooks.enabled"], &["tools.enableHooks"]];

    fn find_off_switch(files: &[Value]) -> Option<&'static str> {
        GeminiSwitches::from_files(SWITCHES, files).off()
    }

    #[test]
    fn hooks_are_off_if_one_file_switches_them_off_and_no_other_on() {
        let (on, off_) =
            (json!({"hooksConfig": {"enabled": true}}), json!({"hooksConfig": {"enabled": false}}));
        assert_eq!(find_off_switch(&[]), None);
        assert_eq!(find_off_switch(&[json!({"hooks": {}})]), None);
        assert_eq!(find_off_switch(std::slice::from_ref(&on)), None);
        assert_eq!(find_off_switch(std::slice::from_ref(&off_)), Some("hooksConfig.enabled"));
        assert_eq!(find_off_switch(&[off_.clone(), json!({})]), Some("hooksConfig.enabled"));
        assert_eq!(find_off_switch(&[off_, on]), None);
        assert_eq!(find_off_switch(&[json!({"hooks": {"enabled": false}})]), Some("hooks.enabled"));
        let both = json!({"hooks": {"enabled": false}, "hooksConfig": {"enabled": true}});
        assert_eq!(find_off_switch(&[both]), None);
        let two = json!({"hooksConfig": {"enabled": true}, "tools": {"enableHooks": false}});
        assert_eq!(find_off_switch(&[two]), Some("tools.enableHooks"));
        assert_eq!(find_off_switch(&[json!({"hooksConfig": {"enabled": "false"}})]), None);
    }

    #[test]
    fn a_hook_is_known_by_its_name_and_without_one_by_its_command() {
        let file = json!({"hooksConfig": {"disabled": ["off", "./off.sh"]}, "hooks": {"disabled": ["old"]}});
        let switches = GeminiSwitches::from_files(SWITCHES, &[file]);
        for (name, command, expected) in [
            (Some("off"), "x", true),
            (None, "./off.sh", true),
            (Some("on"), "./off.sh", false),
            (None, "off.sh", false),
            (Some("old"), "x", false),
        ] {
            assert_eq!(switches.turns_off(name, command), expected, "{name:?} {command}");
        }
    }
}
