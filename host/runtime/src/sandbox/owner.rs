//! Whose a plugin is: what it keeps between calls is known by that.

use std::path::Path;

use hookbox_model::Layer;

/// The plugin that entries belong to.
///
/// That is the layer that configures it and its path as written there: a new version in the same place finds the old one's
/// entries, and a project's plugin never those of the user's. The name in its manifest does not count, since nobody vouches
/// for that: any plugin could claim the entries of another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Owner(String);

impl Owner {
    /// The plugin at `path`, as a file of `layer` names it.
    pub(crate) fn new(layer: Layer, path: &Path) -> Self {
        Self(format!("{} {}", layer.as_str(), escaped(path)))
    }

    #[cfg(feature = "kv")]
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// As text, no two paths as the same.
pub(super) fn escaped(path: &Path) -> String {
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
