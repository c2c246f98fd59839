//! A plugin's manifest on disk: [`plugin_toml`] is what its author writes, [`section`] where it is in the plugin's file.
//!
//! Text and bytes in, text and bytes out: no file is opened here. What a manifest means is the model's to say
//! ([`hookbox_model::Manifest`]).

pub mod plugin_toml;
pub mod section;
pub mod sections;
