//! The YAML reader, through the one agent that has its hooks in YAML.

use hookbox::agents;

/// The bytes are what `hooks.yaml` may hold.
pub fn run(data: &[u8]) {
    if let Some(dialect) = agents::find_dialect("run-claude") {
        crate::own_hooks::read(dialect, data);
    }
}
