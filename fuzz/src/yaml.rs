//! The YAML reader, through the one agent that has its hooks in YAML.

use hookbox::dialect;

/// The bytes are what `hooks.yaml` may hold.
pub fn run(data: &[u8]) {
    if let Some(dialect) = dialect::find_dialect("run-claude") {
        crate::own_hooks::read(dialect, data);
    }
}
