//! A Python function, as a hook calls it.

use super::Confinement;

/// A Python function as configured.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PythonSpec {
    /// The module that contains it.
    pub module: String,
    /// Its name in the module; `Class.method` where it is in a class.
    pub function: String,
    /// Folders to search for modules, before those of the interpreter itself.
    pub path: Vec<String>,
    /// Names of variables that its interpreter gets from hookbox's environment, besides the few that every process needs.
    pub env: Vec<String>,
    /// Confinement of its interpreter; `None` if it is a function of another system's file, which runs as that system would run it.
    pub confinement: Option<Confinement>,
}

impl PythonSpec {
    /// Returns true if its confinement does not affect honest functions. Then a program that is an interpreter may run the function
    /// itself, without any confinement.
    pub fn is_free(&self) -> bool {
        self.confinement.as_ref().is_none_or(|confinement| *confinement == Confinement::default())
    }

    /// Creates a function of an installed module, unconfined: its interpreter gets all variables of hookbox's environment.
    pub fn new(module: &str, function: &str) -> Self {
        Self {
            module: module.to_owned(),
            function: function.to_owned(),
            path: Vec::new(),
            env: Vec::new(),
            confinement: None,
        }
    }
}
