//! A plugin's manifest on disk: the author's file ([`plugin_toml`]), and its section in the plugin's file ([`section`]).
//!
//! Text and bytes in, text and bytes out: no file is opened here. The model defines the meaning of a manifest
//! ([`hookbox_model::Manifest`]).

pub mod plugin_toml;
pub mod section;
pub mod sections;
