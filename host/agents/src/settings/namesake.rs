//! Detects a plugin that opencode loads instead of hookbox's: of several plugins with one name it keeps the one that it finds last.

use std::path::Path;

use jsonc_parser::{
    ParseOptions,
    cst::{CstNode, CstRootNode},
};

use super::MAX_SETTINGS_BYTES;

/// Name of hookbox's plugin in opencode: the name of its file.
const NAME: &str = "hookbox";

/// Returns the first entry of `plugin` in this text of an `opencode.json` that has the name of hookbox's plugin. `None` if the text cannot
/// be read: with such a file opencode does not start.
pub fn find_namesake(text: &str) -> Option<String> {
    if text.len() > MAX_SETTINGS_BYTES {
        return None;
    }
    let tree = CstRootNode::parse(text, &ParseOptions::default()).ok()?;
    let lists = tree.object_value()?.properties().into_iter();
    let lists = lists.filter(|member| member.decoded_name().as_deref() == Some("plugin"));
    let entries = lists.filter_map(|member| member.value()?.as_array()).flat_map(|list| list.elements());
    entries.filter_map(|entry| read_specifier(&entry)).find(|specifier| parse_name(specifier) == Some(NAME))
}

/// Returns the plugin's name: the entry, or the first element of a list, if the plugin has options.
fn read_specifier(entry: &CstNode) -> Option<String> {
    let first = entry.as_array().and_then(|list| list.elements().into_iter().next());
    first.as_ref().unwrap_or(entry).as_string_lit()?.decoded_value().ok()
}

/// Returns the plugin's name: a file's name without its extension, or a package's without its version.
fn parse_name(specifier: &str) -> Option<&str> {
    if specifier.contains('/') && !specifier.starts_with('@') {
        let path = specifier.split(['?', '#']).next()?;
        return Path::new(path).file_stem()?.to_str();
    }
    // An `@` at the start belongs to the scope of the package.
    let version = specifier.rfind('@').filter(|start| *start > 0);
    specifier.get(..version.unwrap_or(specifier.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plugin_is_known_by_the_name_that_opencode_gives_it() {
        for same in ["hookbox", "hookbox@1.0.0", "file:///a/hookbox.js", "./hookbox.ts", "a/hookbox.mjs?b"] {
            let text = format!("{{ // mine\n\"plugin\": [\"x\", {same:?},],\n}}");
            assert_eq!(find_namesake(&text).as_deref(), Some(same));
            assert_eq!(find_namesake(&format!("{{\"plugin\": [[{same:?}, {{}}]]}}")).as_deref(), Some(same));
        }
        for other in ["hookbox-theme", "@me/hookbox", "@me/hookbox@1.0.0", "file:///hookbox/a.js", ""] {
            assert_eq!(find_namesake(&format!("{{\"plugin\": [{other:?}]}}")), None, "{other}");
        }
        for none in ["", "[", "{}", "[]", "{\"plugin\": \"hookbox\"}", "{\"mcp\": {\"hookbox\": {}}}"] {
            assert_eq!(find_namesake(none), None, "{none}");
        }
    }
}
