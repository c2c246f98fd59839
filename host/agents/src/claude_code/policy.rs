//! Settings for all hooks: `disableAllHooks`, and restrictions by administrators.

use std::path::Path;

use hookbox_core::hookfile::{Problem, Source};
use hookbox_model::Layer;
use serde_json::Value;

use super::wildcard;
use crate::agent_hook_file::Reader;

/// Policy for the hooks of several files.
#[derive(Debug, Default)]
pub(super) struct Policy {
    /// True if the hooks of an administrator's files do not run.
    managed_off: bool,
    /// Reason why the hooks of other files do not run, if they do not.
    others_off: Option<&'static str>,
    /// Patterns; `None` if every address will do.
    urls: Option<Vec<String>>,
    /// Names; `None` if every variable will do.
    variables: Option<Vec<String>>,
}

impl Policy {
    /// Reads the policy of these files; for single values, an administrator's file overrides any other, else a later file an earlier one.
    pub(super) fn from_sources(sources: &[Source]) -> (Self, Vec<Problem>) {
        let (mut policy, mut problems) = (Self::default(), Vec::new());
        let mut off = None;
        for source in sources {
            let mut reader = Reader::new(source);
            let Some(file) = Reader::new(source).parse_json() else { continue };
            let managed = is_managed(source);
            if let Some(is_set) = read_flag(&file, "disableAllHooks", &mut reader) {
                // An administrator's hooks stay on unless the administrator switches them off: the user's
                // file must not disable a guard.
                policy.managed_off |= managed && is_set;
                if managed || !off.is_some_and(|(managed, _)| managed) {
                    off = Some((managed, is_set));
                }
            }
            match read_flag(&file, "allowManagedHooksOnly", &mut reader) {
                // The switch of a project's file would otherwise remove the user's own guards.
                Some(true) if managed => policy.others_off = Some(MANAGED_ONLY),
                Some(_) if !managed => reader.report_warning(
                    "`allowManagedHooksOnly` counts in an administrator's settings alone; here it changes nothing",
                ),
                _ => {}
            }
            append_list(&mut policy.urls, read_list(&file, "allowedHttpHookUrls", &mut reader));
            append_list(&mut policy.variables, read_list(&file, "httpHookAllowedEnvVars", &mut reader));
            problems.extend(reader.finish().problems);
        }
        if off.is_some_and(|(_, is_set)| is_set) {
            policy.others_off = policy.others_off.or(Some(ALL_OFF));
        }
        (policy, problems)
    }

    /// Returns the reason why the hooks of this file do not run, if they are off.
    pub(super) fn find_refusal(&self, source: &Source) -> Option<&'static str> {
        if is_managed(source) { self.managed_off.then_some(ALL_OFF) } else { self.others_off }
    }

    /// Returns true if a hook may send requests to this URL.
    pub(super) fn allows_url(&self, url: &str) -> bool {
        self.urls.as_ref().is_none_or(|urls| urls.iter().any(|pattern| wildcard::matches_text(pattern, url)))
    }

    /// Returns true if a header may contain this variable.
    pub(super) fn allows_variable(&self, name: &str) -> bool {
        self.variables.as_ref().is_none_or(|names| names.iter().any(|listed| listed == name))
    }
}

const ALL_OFF: &str = "`disableAllHooks` is true: no hook of this file runs";
const MANAGED_ONLY: &str =
    "`allowManagedHooksOnly` is true in an administrator's settings: no hook of this file runs";

/// Returns true if the file is written by an administrator.
fn is_managed(source: &Source) -> bool {
    let by_name = |file: &Path| {
        let folder = file.parent().and_then(Path::file_name);
        file.file_name().is_some_and(|name| name == "managed-settings.json")
            || folder.is_some_and(|folder| folder == "managed-settings.d")
    };
    source.layer == Layer::Managed || source.file.as_deref().is_some_and(by_name)
}

/// Reads a flag. Another kind of value is reported and counts as `true`: each of these flags reduces what runs.
fn read_flag(file: &Value, key: &str, reader: &mut Reader<'_>) -> Option<bool> {
    let value = file.get(key)?;
    Some(value.as_bool().unwrap_or_else(|| {
        reader.report_error(&format!("`{key}` is neither true nor false; it is taken for true"));
        true
    }))
}

/// Reads a list of texts. Another kind of value is reported and counts as an empty list.
fn read_list(file: &Value, key: &str, reader: &mut Reader<'_>) -> Option<Vec<String>> {
    let value = file.get(key)?;
    let texts =
        value.as_array().and_then(|list| list.iter().map(|item| item.as_str().map(str::to_owned)).collect());
    Some(texts.unwrap_or_else(|| {
        reader.report_error(&format!("`{key}` is not a list of texts; it is taken for an empty one"));
        Vec::new()
    }))
}

/// Lists of several files are one.
fn append_list(all: &mut Option<Vec<String>>, more: Option<Vec<String>>) {
    if let Some(more) = more {
        all.get_or_insert_default().extend(more);
    }
}

#[cfg(test)]
mod tests {
    use hookbox_model::TrustLevel;

    use super::*;
    use crate::{agent_hook_file::AgentHookFile, claude_code::ClaudeCode};
    use hookbox_core::hookfile::Loaded;

    const USER: &str = "/home/u/.claude/settings.json";
    const PROJECT: &str = "/p/.claude/settings.json";
    const MANAGED: &str = "/etc/claude-code/managed-settings.json";

    /// Loads files with one hook each, named like its file, and the given keys.
    fn load_files(files: &[(&str, &str)]) -> Loaded {
        let source = |(file, keys): &(&str, &str)| {
            let hook = format!(
                r#"{{"type":"command","command":"{file}"}},{{"type":"http","url":"http://127.0.0.1/{file}","headers":{{"X":"$A$B"}},"allowedEnvVars":["A","B"]}}"#
            );
            let text = format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{hook}]}}]}}{keys}}}"#);
            Source {
                layer: Layer::Session,
                trust_level: TrustLevel::Own,
                file: Some((*file).into()),
                root: None,
                plugins: hookbox_core::ShippedPlugins::default(),
                text,
            }
        };
        ClaudeCode.load_all(&files.iter().map(source).collect::<Vec<_>>())
    }

    /// Returns the files whose hooks were loaded.
    fn list_active_files(files: &[(&str, &str)]) -> Vec<String> {
        let mut found: Vec<_> = load_files(files)
            .hooks
            .iter()
            .map(|hook| hook.origin.file.clone().unwrap().display().to_string())
            .collect();
        found.dedup();
        found
    }

    const OFF: &str = r#","disableAllHooks":true"#;
    const ON: &str = r#","disableAllHooks":false"#;

    #[test]
    fn the_last_file_switches_hooks_off_but_not_an_administrators() {
        assert_eq!(list_active_files(&[(USER, OFF), (PROJECT, "")]), [""; 0]);
        assert_eq!(list_active_files(&[(USER, OFF), (PROJECT, ON)]), [USER, PROJECT]);
        assert_eq!(list_active_files(&[(MANAGED, ""), (USER, OFF)]), [MANAGED]);
        assert_eq!(list_active_files(&[(MANAGED, OFF), (USER, ON)]), [""; 0]);
        assert_eq!(list_active_files(&[(MANAGED, ON), (USER, OFF)]), [MANAGED, USER]);
    }

    #[test]
    fn an_administrator_leaves_his_own_hooks_alone_on() {
        let only = r#","allowManagedHooksOnly":true"#;
        assert_eq!(list_active_files(&[(MANAGED, only), (USER, ""), (PROJECT, "")]), [MANAGED]);
        assert_eq!(
            list_active_files(&[("/etc/claude-code/managed-settings.d/a.json", only), (USER, "")]).len(),
            1
        );
        let loaded = load_files(&[(USER, only)]);
        assert_eq!(loaded.hooks.len(), 2);
        assert!(loaded.problems.iter().any(|problem| problem.message.ends_with("here it changes nothing")));
    }

    #[test]
    fn lists_of_all_files_bound_every_request() {
        let (a, b) =
            (r#","allowedHttpHookUrls":["http://127.0.0.1//home/*"]"#, r#","allowedHttpHookUrls":[]"#);
        assert_eq!(load_files(&[(USER, a), (PROJECT, b)]).hooks.len(), 3);
        assert_eq!(load_files(&[(USER, ""), (PROJECT, b)]).hooks.len(), 2);
        let names = r#","httpHookAllowedEnvVars":["B"]"#;
        let shown = format!("{:?}", load_files(&[(USER, names)]).hooks);
        assert!(shown.contains(r#"env: ["B"]"#), "{shown}");
    }

    #[test]
    fn what_is_of_the_wrong_kind_is_an_error_and_read_strictly() {
        let wrong = r#","disableAllHooks":"no""#;
        let loaded = load_files(&[(USER, wrong)]);
        assert!(loaded.has_errors() && loaded.hooks.is_empty());
        let wrong = r#","allowedHttpHookUrls":"*""#;
        let loaded = load_files(&[(USER, wrong)]);
        assert!(loaded.has_errors());
        assert_eq!(loaded.hooks.len(), 1);
    }
}
