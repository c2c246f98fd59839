//! hookbox's files: the configuration in its layers, the state between events, and the settings of agents.
//!
//! The flow of an event through them:
//!
//! 1. the program provides what no file contains ([`Surroundings`]): the user's folders ([`places::Places`]), the compiler,
//!    the variables;
//! 2. [`FolderHooks::read_files`] reads the hooks for the event's folder, and [`FolderHooks::in_session`] the state of its session;
//! 3. [`FolderHooks::machine`] and [`FolderHooks::hooks_for`] become a [`hookbox::Host`], which answers;
//! 4. [`FolderHooks::keep_counts`] writes the counts.
//!
//! Nothing here is global, reads a variable or prints: a service may do all of it for many users' sessions at a time, on a
//! machine for each user. Every untrusted file is read with a bound, and without waiting for it indefinitely.

pub mod agents_own;
pub mod allowances;
pub mod bundle;
pub mod closure;
mod command_files;
mod command_words;
pub mod confine;
mod counts;
pub mod event_log;
mod folder_hooks;
mod hook_environment;
mod install_layouts;
pub mod install_record;
mod integrity;
mod layers;
mod once_record;
mod own_scripts;
pub mod places;
pub mod plugin_entry;
pub mod plugin_home;
pub mod plugin_lock;
pub mod plugin_store;
pub mod program_file;
pub mod project_trust;
pub mod releases;
mod search_path;
mod self_protection;
pub mod settings_file;
mod settled_file;
pub mod sidecars;
mod state_file;
mod surroundings;
pub mod switches;
pub mod trust_files;
pub mod trusted_hooks;

pub use folder_hooks::{FolderHooks, OWN_CHANGES, PLUGIN_HOOKS};
pub use integrity::{FileStatuses, GoodContent, OwnFileChange, OwnFiles};
pub use layers::{own_layers, own_source, projects_hooks, trust_candidates, users_hooks};
pub use once_record::OnceNotRecorded;
pub use self_protection::OWN_FILES;
pub use state_file::WriteError;
pub use surroundings::{HookFiles, Surroundings};
