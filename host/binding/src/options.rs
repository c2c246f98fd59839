//! Options of a host, as a program sets them.

use std::{
    env::consts::EXE_SUFFIX,
    path::{Path, PathBuf},
};

use hookbox::{Pin, ShippedPlugins, agents, sandbox::compile::Compiler};
use hookbox_app::{
    Surroundings,
    places::{NamedPlaces, Places},
};
use hookbox_service::HookSource;

use crate::{BindingError, ErrorCode};

/// Pins of the shipped plugins at the build of the package.
const PINS: &[Pin] = include!(concat!(env!("OUT_DIR"), "/shipped_plugins.rs"));
/// Path of the plugins in a package, and in an installation relative to the folder above that of its programs.
const PLUGINS: &str = "share/hookbox/plugins";
/// Path of the compiler, like that of the plugins.
const COMPILER: &str = "bin/hookbox-compile";

/// Options of a host. The default is the user's own configuration, as `hookbox run` finds it.
#[derive(Clone, Debug, Default)]
pub struct HostOptions {
    /// One file of hookbox's configuration, and neither the user's nor a project's.
    pub config: Option<PathBuf>,
    /// One more file, in addition to the user's and the project's.
    pub session: Option<PathBuf>,
    /// True if no files are read except the administrator's.
    pub without_files: bool,
    /// An agent and its own hook files, and nothing else.
    pub own: Option<(String, Vec<PathBuf>)>,
    /// Paths of the user's files that differ from those in the user database.
    pub places: NamedPlaces,
    /// The program that compiles plugins. Defaults to the package's.
    pub compiler: Option<PathBuf>,
    /// The folder of the shipped plugins. Defaults to the package's.
    pub plugins: Option<PathBuf>,
    /// The folder of the package's data.
    pub package: PathBuf,
    /// True if the program is a Python interpreter and calls functions named in files itself.
    pub functions_here: bool,
    /// The variables of the program. The configuration decides which of them a hook gets.
    pub variables: Vec<(String, String)>,
}

impl HostOptions {
    /// Makes relative paths absolute in the current folder, so that they stay valid if the program changes it.
    #[must_use]
    pub fn whole(self) -> Self {
        let one = |path: Option<PathBuf>| path.as_deref().map(whole);
        let NamedPlaces { home, config, cache, state } = self.places;
        let places =
            NamedPlaces { home: one(home), config: one(config), cache: one(cache), state: one(state) };
        let files = |files: Vec<PathBuf>| files.iter().map(|file| whole(file)).collect();
        Self {
            config: one(self.config),
            session: one(self.session),
            own: self.own.map(|(agent, own)| (agent, files(own))),
            places,
            compiler: one(self.compiler),
            plugins: one(self.plugins),
            package: whole(&self.package),
            ..self
        }
    }

    pub(crate) fn source(&self) -> Result<HookSource, BindingError> {
        let named_sources =
            [self.config.is_some(), self.session.is_some(), self.without_files, self.own.is_some()];
        // Each names the whole source of hooks; a precedence among them would drop guards unnoticed.
        if named_sources.iter().filter(|is_named| **is_named).count() > 1 {
            let message =
                "`config`, `session`, `source` and no hooks at all exclude each other; say one of them";
            return Err(BindingError::new(ErrorCode::Options, message));
        }
        if self.without_files {
            return Ok(HookSource::Nothing);
        }
        if let Some((agent, files)) = &self.own {
            let dialect = named(agent)?;
            if dialect.hook_file().is_none() {
                let message = format!("hookbox does not run {agent}'s own hook files");
                return Err(BindingError::new(ErrorCode::Options, message));
            }
            return Ok(HookSource::Own(dialect, files.clone()));
        }
        let source = self.config.clone().map(HookSource::File);
        Ok(source.unwrap_or_else(|| HookSource::Layers(self.session.clone())))
    }

    pub(crate) fn surroundings(&self) -> Surroundings {
        let plugins = self.plugins.clone().unwrap_or_else(|| self.package.join(PLUGINS));
        Surroundings {
            places: Places::of_account(&self.places),
            shipped: ShippedPlugins::new(&plugins, PINS),
            program: None,
            compiler: self.compiler(),
            variables: self.variables.clone(),
            session_folders: Vec::new(),
        }
    }

    /// Returns the key for sharing machines: hosts with equal keys may share them.
    pub(crate) fn user(&self) -> User {
        let NamedPlaces { home, cache, state, .. } = self.places.clone();
        User { home, cache, state, compiler: self.compiler_file(), functions_here: self.functions_here }
    }

    fn compiler_file(&self) -> PathBuf {
        self.compiler.clone().unwrap_or_else(|| self.package.join(format!("{COMPILER}{EXE_SUFFIX}")))
    }

    fn compiler(&self) -> Compiler {
        let file = self.compiler_file();
        // Checked here, so that the message names the option, and not the first plugin that is compiled.
        if file.is_file() {
            return Compiler::Process(file);
        }
        let file = file.display();
        Compiler::Missing(format!(
            "this package came without hookbox-compile ({file} is not there); say where it is with `compiler`"
        ))
    }
}

/// Owner of machines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct User {
    home: Option<PathBuf>,
    cache: Option<PathBuf>,
    state: Option<PathBuf>,
    compiler: PathBuf,
    pub(crate) functions_here: bool,
}

pub(crate) fn named(agent: &str) -> Result<&'static dyn agents::Dialect, BindingError> {
    agents::find_dialect(agent).ok_or_else(|| {
        let known: Vec<_> = agents::all_dialects().iter().map(|dialect| dialect.name()).collect();
        let message = format!("unknown agent {agent:?}; there are {}", known.join(", "));
        BindingError::new(ErrorCode::Agent, message)
    })
}

fn whole(path: &Path) -> PathBuf {
    // Without following links, which may change their targets later.
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
