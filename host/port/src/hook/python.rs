//! A function of Python, as a hook calls it.

use super::Confinement;

/// A function of Python as configured.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PythonSpec {
    /// The module that has it.
    pub module: String,
    /// Its name in the module; `Class.method` where it is in a class.
    pub function: String,
    /// Folders that modules are looked for in, before those that the interpreter looks into itself.
    pub path: Vec<String>,
    /// Names of variables that its interpreter gets from our environment, besides the few that every process needs.
    pub env: Vec<String>,
    /// What its interpreter is kept from; `None` if it is a function of another system's file, which runs as that system would run
    /// it.
    pub confinement: Option<Confinement>,
}

impl PythonSpec {
    /// Is it to be kept from nothing but what no honest function notices? Then a program that is an interpreter may run it itself,
    /// where nothing keeps it from anything.
    pub fn is_free(&self) -> bool {
        self.confinement.as_ref().is_none_or(|confinement| *confinement == Confinement::default())
    }

    /// A function of an installed module, without variables of our environment and kept from nothing.
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
