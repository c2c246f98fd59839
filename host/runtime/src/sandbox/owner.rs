//! Identity of a plugin for its stored entries.

use std::path::Path;

use hookbox_model::Layer;

/// The plugin that entries belong to.
///
/// It is the layer that configures the plugin and the plugin's path as written there: a new version at an unchanged
/// path finds the old version's entries, and a project's plugin never finds those of the user's. The name in the
/// manifest does not count, since it is unverified: any plugin could claim the entries of another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Owner(String);

impl Owner {
    /// Returns the owner for the plugin at `path`, as a file of `layer` names it.
    pub(crate) fn new(layer: Layer, path: &Path) -> Self {
        Self(format!("{} {}", layer.as_str(), escape_path(path)))
    }

    #[cfg(feature = "kv")]
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns the path as text; different paths have different texts.
pub(super) fn escape_path(path: &Path) -> String {
    path.as_os_str().as_encoded_bytes().escape_ascii().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plugins_of_two_layers_or_paths_are_two_owners() {
        let owner = |layer, path: &str| Owner::new(layer, Path::new(path));
        assert_eq!(owner(Layer::User, "/a.wasm"), owner(Layer::User, "/a.wasm"));
        assert_ne!(owner(Layer::User, "/a.wasm"), owner(Layer::Project, "/a.wasm"));
        assert_ne!(owner(Layer::User, "/a.wasm"), owner(Layer::User, "/b.wasm"));
    }
}
