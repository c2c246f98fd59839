//! A file of hooks while it is read: its text in its language, the components that it names, and its problems.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use hookbox_core::{
    ShippedPlugin,
    hook::WasmSpec,
    hookfile::{Loaded, Severity, Source},
};
use hookbox_model::{Json, TrustLevel};
use serde_json::Value;

use super::{
    line::{self, Language},
    plugin_root,
};
use crate::{
    file_rules::{CheckedForm, FileFault, FileRules},
    json_comments, yaml,
};

/// A file while it is read.
pub(crate) struct Reader<'a> {
    pub(super) source: &'a Source,
    /// Text to read: the file, with comments removed.
    pub(super) text: Cow<'a, str>,
    pub(super) language: Language,
    pub(super) loaded: Loaded,
}

/// Returns where a byte of the text is, for the end of a message: line and column, both from 1.
fn describe_position(text: &str, byte: usize) -> String {
    let before = text.get(..byte).unwrap_or_default();
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    format!(", at line {} column {column}", before.matches('\n').count() + 1)
}

impl<'a> Reader<'a> {
    pub(crate) fn new(source: &'a Source) -> Self {
        let text = Cow::Borrowed(source.text.as_str());
        Self { source, text, language: Language::Json, loaded: Loaded::default() }
    }

    /// Parses the text as JSON, without its comments, for an agent that removes them first.
    pub(crate) fn json_with_comments(&mut self) -> Option<Value> {
        self.text = json_comments::blank_comments(&self.source.text);
        self.parse_json()
    }

    /// Parses the text as a JSON object; reports a problem and returns `None` if it is something else.
    pub(crate) fn parse_json(&mut self) -> Option<Value> {
        let value = self.any_json()?;
        if !value.is_object() {
            self.report_error("the file is not a JSON object, so no hook of it can be read");
            return None;
        }
        Some(value)
    }

    /// Parses the text as JSON of any kind; reports a problem and returns `None` if it is not JSON.
    pub(crate) fn any_json(&mut self) -> Option<Value> {
        // JavaScript programs remove a byte order mark. For an agent that refuses it, [`Self::report_discarded`] reports the file.
        match Json::parse(self.text.trim_start_matches('\u{feff}')) {
            Ok(json) => Some(json.to_value()),
            Err(error) => {
                self.report_error(&format!("the file is not acceptable JSON: {error}"));
                None
            }
        }
    }

    /// Parses the text as TOML into JSON values; reports a problem and returns `None` if it is not TOML.
    pub(crate) fn parse_toml(&mut self) -> Option<Value> {
        self.written_in_toml();
        match toml::from_str(&self.source.text) {
            Ok(value) => Some(value),
            Err(error) => {
                let place = error
                    .span()
                    .map(|span| describe_position(&self.source.text, span.start))
                    .unwrap_or_default();
                self.report_error(&format!("the file is not acceptable TOML: {}{place}", error.message()));
                None
            }
        }
    }

    /// Parses the text as YAML into JSON values. An agent that reads YAML ignores a file that it cannot read.
    pub(crate) fn parse_yaml(&mut self) -> Option<Value> {
        self.language = Language::Yaml;
        match yaml::parse(&self.source.text) {
            Ok(value) => Some(value),
            Err(error) => {
                self.report_warning(&format!(
                    "the file is not acceptable YAML, so no hook of it runs: {error}"
                ));
                None
            }
        }
    }

    /// Declares that the file is TOML, and read by its agent's parser.
    pub(crate) fn written_in_toml(&mut self) {
        self.language = Language::Toml;
    }

    /// Returns true, and reports an error, if the agent discards the file as a whole.
    pub(crate) fn report_discarded(
        &mut self,
        file: &Value,
        (agent, rules): (&str, &FileRules),
        of: CheckedForm<'_>,
    ) -> bool {
        let has_mark = rules.refuses_mark && self.source.text.starts_with('\u{feff}');
        let Some(fault) = has_mark.then(FileFault::byte_order_mark).or_else(|| rules.find_fault(file, of))
        else {
            return false;
        };
        let line = line::find_line(&self.text, self.language, &fault.place);
        let message = format!("{fault}, and {agent} loads no hook of such a file: correct it or take it out");
        let mut problem = self.source.make_problem(Severity::Error, &message, None);
        problem.line = line;
        self.loaded.problems.push(problem);
        true
    }

    /// See [`plugin_root`].
    pub(crate) fn plugin_root(&self, manifests: &[&str]) -> Option<String> {
        plugin_root(self.source, manifests)
    }

    /// Returns the plugin of this name that comes with hookbox.
    pub(crate) fn find_plugin(&self, name: &str) -> Option<ShippedPlugin> {
        self.source.plugins.find(name)
    }

    /// Returns the component that an entry names: a plugin that comes with hookbox, or a file by its absolute path or by one from the
    /// folder of the hook file.
    ///
    /// # Errors
    ///
    /// The plugin is unknown, or the file with the hooks is not the user's.
    pub(crate) fn find_component(&self, name: &str) -> Result<WasmSpec, String> {
        // A bare name never means a file: a file of that name in the project must not replace a shipped
        // plugin.
        if !name.contains(['/', '.']) {
            let plugin = self.source.plugins.find(name).map(WasmSpec::from_shipped);
            return plugin.ok_or_else(|| {
                let known = self.source.plugins.names().join(", ");
                format!("no plugin `{name}` comes with hookbox (these do: {known}); name a file by a path with a `/`")
            });
        }
        // The component would run without having been reviewed or pinned.
        if self.source.trust_level == TrustLevel::Untrusted {
            return Err("an untrusted file names a component; add it with `hookbox plugin add`".to_owned());
        }
        let folder = self.source.file.as_deref().and_then(Path::parent);
        let path = folder.map_or_else(|| PathBuf::from(name), |folder| folder.join(name));
        if path.is_absolute() {
            return Ok(WasmSpec::new(path));
        }
        Err(format!("`{name}` is not absolute, and the folder of the hook file is not known"))
    }

    pub(crate) fn report_error(&mut self, message: &str) {
        self.loaded.problems.push(self.source.make_problem(Severity::Error, message, None));
    }

    pub(crate) fn report_warning(&mut self, message: &str) {
        self.loaded.problems.push(self.source.make_problem(Severity::Warning, message, None));
    }

    pub(crate) fn finish(self) -> Loaded {
        self.loaded
    }
}
