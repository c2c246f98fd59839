//! Ways of calling a plugin.

use serde::{Deserialize, Serialize};

/// Way of calling a wasm file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A component that exports `handle`: a typed hook.
    Hook,
    /// A component that exports `wasi:cli/run`.
    Program,
    /// A core module that exports `_start`.
    CoreProgram,
    /// Any other component.
    Component,
    /// Any other core module.
    CoreModule,
}

impl Kind {
    /// Returns a description for the user.
    pub fn about(self) -> &'static str {
        match self {
            Self::Hook => "typed hook (a component that exports `handle`)",
            Self::Program => "program (a component that exports `wasi:cli/run`)",
            Self::CoreProgram => "program (a core module that exports `_start`)",
            Self::Component => "no hook: a component that exports neither `handle` nor `wasi:cli/run`",
            Self::CoreModule => "no hook: a core module without `_start`",
        }
    }

    /// Returns true if it can be a hook's handler.
    pub fn is_plugin(self) -> bool {
        matches!(self, Self::Hook | Self::Program | Self::CoreProgram)
    }
}
