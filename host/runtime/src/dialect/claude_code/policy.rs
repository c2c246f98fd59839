//! What settings say about all hooks: `disableAllHooks`, and what administrators allow.

use std::path::Path;

use hookbox_model::Layer;
use serde_json::Value;

use super::wildcard;
use crate::{
    config::{Problem, Source},
    dialect::own_hooks::Reader,
};

/// What holds for the hooks of several files.
#[derive(Debug, Default)]
pub(super) struct Policy {
    /// Do the hooks of an administrator's files not run?
    managed_off: bool,
    /// Do the hooks of other files not run, and why?
    others_off: Option<&'static str>,
    /// Patterns; `None` if every address will do.
    urls: Option<Vec<String>>,
    /// Names; `None` if every variable will do.
    variables: Option<Vec<String>>,
}

impl Policy {
    /// What these files say; of single values, an administrator's file over any other, else the later over the earlier.
    pub(super) fn of(sources: &[Source]) -> (Self, Vec<Problem>) {
        let (mut policy, mut problems) = (Self::default(), Vec::new());
        let mut off = None;
        for source in sources {
            let mut reader = Reader::new(source);
            let Some(file) = Reader::new(source).json() else { continue };
            let managed = is_managed(source);
            if let Some(said) = flag(&file, "disableAllHooks", &mut reader) {
                policy.managed_off |= managed && said;
                if managed || !off.is_some_and(|(managed, _)| managed) {
                    off = Some((managed, said));
                }
            }
            if let Some(only) = flag(&file, "allowManagedHooksOnly", &mut reader) {
                match managed {
                    true if only => policy.others_off = Some(MANAGED_ONLY),
                    true => {}
                    false => reader.warning(
                        "`allowManagedHooksOnly` counts in an administrator's settings alone; here it changes nothing",
                    ),
                }
            }
            add(&mut policy.urls, list(&file, "allowedHttpHookUrls", &mut reader));
            add(&mut policy.variables, list(&file, "httpHookAllowedEnvVars", &mut reader));
            problems.extend(reader.finish().problems);
        }
        if off.is_some_and(|(_, said)| said) {
            policy.others_off = policy.others_off.or(Some(ALL_OFF));
        }
        (policy, problems)
    }

    /// Why no hook of this file runs, if none does.
    pub(super) fn refuses(&self, source: &Source) -> Option<&'static str> {
        if is_managed(source) { self.managed_off.then_some(ALL_OFF) } else { self.others_off }
    }

    /// May a hook ask this address?
    pub(super) fn allows_url(&self, url: &str) -> bool {
        self.urls.as_ref().is_none_or(|urls| urls.iter().any(|pattern| wildcard::matches(pattern, url)))
    }

    /// May a header have this variable?
    pub(super) fn allows_variable(&self, name: &str) -> bool {
        self.variables.as_ref().is_none_or(|names| names.iter().any(|listed| listed == name))
    }
}

const ALL_OFF: &str = "`disableAllHooks` is true: no hook of this file runs";
const MANAGED_ONLY: &str =
    "`allowManagedHooksOnly` is true in an administrator's settings: no hook of this file runs";

/// Is it a file that an administrator writes?
fn is_managed(source: &Source) -> bool {
    let by_name = |file: &Path| {
        let folder = file.parent().and_then(Path::file_name);
        file.file_name().is_some_and(|name| name == "managed-settings.json")
            || folder.is_some_and(|folder| folder == "managed-settings.d")
    };
    source.layer == Layer::Managed || source.file.as_deref().is_some_and(by_name)
}

/// What is neither is told, and counts as `true`: to run less is what each of these is for.
fn flag(file: &Value, key: &str, reader: &mut Reader<'_>) -> Option<bool> {
    let said = file.get(key)?;
    Some(said.as_bool().unwrap_or_else(|| {
        reader.error(&format!("`{key}` is neither true nor false; it is taken for true"));
        true
    }))
}

/// What is no list of texts is told, and counts as an empty one.
fn list(file: &Value, key: &str, reader: &mut Reader<'_>) -> Option<Vec<String>> {
    let said = file.get(key)?;
    let texts = said.as_array().and_then(|list| list.iter().map(|item| item.as_str().map(str::to_owned)).collect());
    Some(texts.unwrap_or_else(|| {
        reader.error(&format!("`{key}` is not a list of texts; it is taken for an empty one"));
        Vec::new()
    }))
}

/// Lists of several files are one.
fn add(all: &mut Option<Vec<String>>, more: Option<Vec<String>>) {
    if let Some(more) = more {
        all.get_or_insert_default().extend(more);
    }
}
