//! Hooks of a session without a file: the program passes text in the format of an agent's own hook file.
//!
//! ```
//! use hookbox_agents::code_forge::{CodeForge, hooks_json::{Entry, Hook, HooksFile}};
//! use hookbox_embed::session_hooks::session_hooks;
//!
//! let mut registry = HooksFile::default();
//! registry.register(Hook::new(Entry::with_command("tool:pre_execute:bash", "./check.sh"))?);
//! let loaded = session_hooks(&CodeForge, &registry.text()).ok_or("it has no hook files")?;
//! assert_eq!(loaded.hooks[0].name, "tool:pre_execute:bash");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use hookbox_agents::Dialect;
use hookbox_core::{
    ShippedPlugins,
    hookfile::{Loaded, Source},
};
use hookbox_model::{Layer, TrustLevel};

/// Loads `text` in the format of this agent's own hook file; `None` if the agent has no such file.
pub fn session_hooks(agent: &dyn Dialect, text: &str) -> Option<Loaded> {
    let source = Source {
        layer: Layer::Session,
        // The text is the program's own, like its code.
        trust_level: TrustLevel::Own,
        file: None,
        root: None,
        plugins: ShippedPlugins::default(),
        text: text.to_owned(),
    };
    agent.hook_file().map(|own| own.load(&source))
}
