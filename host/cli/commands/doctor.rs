//! `hookbox doctor`: shows the parts of this installation, and their problems.

mod agents;
mod attack;
mod coverage;
mod isolation;
mod kept;
mod namesakes;
mod off;
mod protected;

use std::path::Path;

use hookbox::{
    handler::shell::confine::KernelSupport,
    model::Limits,
    sandbox::{
        cache::CacheDir,
        settings::{Allocation, WASMTIME, probe},
    },
};
use hookbox_files::{HookFiles, Setup, places::Places, program_file};

use super::{progress, trial};
use crate::{
    args::DoctorArgs,
    confinement, diagnostic, environment,
    exit::ExitStatus,
    printer::{ERROR, GOOD, Printer, WARNING},
    report,
};

pub(super) fn doctor(args: &DoctorArgs, printer: &Printer) -> ExitStatus {
    let project = match super::project(args.project.as_deref()) {
        Ok(project) => project,
        Err(error) => {
            printer.error(&error);
            return ExitStatus::Usage;
        }
    };
    let files = HookFiles::Layers { folder: &project, session: None };
    let places = environment::places(&args.program);
    let setup = Setup::read(progress::told(environment::surroundings(places)), files);
    let mut doctor = Doctor { printer, healthy: true };
    doctor.good("version", &format!("hookbox {}, wasmtime {WASMTIME}", env!("CARGO_PKG_VERSION")));
    doctor.program(&setup.places);
    doctor.files(&setup.places, &project);
    doctor.configuration(&setup);
    doctor.hooks_off(&setup);
    doctor.log(&setup);
    doctor.cache(&setup.places);
    doctor.compiler();
    doctor.sandbox();
    doctor.confinement();
    doctor.apart();
    doctor.gates(&setup);
    doctor.plugins(&setup);
    doctor.late(&setup);
    doctor.agents(&setup, &project);
    if doctor.healthy { ExitStatus::Success } else { ExitStatus::Problems }
}

struct Doctor<'a> {
    printer: &'a Printer,
    healthy: bool,
}

impl Doctor<'_> {
    fn good(&self, what: &str, text: &str) {
        self.printer.line(&format!("{GOOD}ok{GOOD:#}      {what}: {}", report::plain(text)));
    }

    fn odd(&self, what: &str, text: &str) {
        self.printer.line(&format!("{WARNING}odd{WARNING:#}     {what}: {}", report::plain(text)));
    }

    fn bad(&mut self, what: &str, text: &str) {
        self.healthy = false;
        self.printer.line(&format!("{ERROR}wrong{ERROR:#}   {what}: {}", report::plain(text)));
    }

    /// Reports others who could change the programs that agents start.
    fn program(&mut self, places: &Places) {
        let Some(program) = environment::program() else {
            return self.bad("program", "its place is not known");
        };
        let files = std::iter::once(program.clone()).chain(environment::compiler().filter(|it| it.exists()));
        match files.into_iter().find_map(|file| program_file::exposed(&file, places)) {
            Some(exposed) => self.bad("program", &exposed.to_string()),
            None => match program_file::in_project(&program, places) {
                Some(exposed) => self.odd("program", &exposed.to_string()),
                None => self.good("program", &program.display().to_string()),
            },
        }
    }

    fn files(&self, places: &Places, project: &Path) {
        let show = |layer: &str, file: Option<&Path>| match file {
            Some(file) if file.exists() => self.good(layer, &file.display().to_string()),
            Some(file) => self.good(layer, &format!("none ({})", file.display())),
            None => self.good(layer, "none"),
        };
        show("managed configuration", Some(&Places::managed_config()));
        show("user configuration", places.user_config().as_deref());
        show("project configuration", places.project_config(project).map(|found| found.config).as_deref());
    }

    fn configuration(&mut self, setup: &Setup) {
        diagnostic::print(&setup.loaded.problems, self.printer);
        let text = format!(
            "{}, {}",
            diagnostic::plural(setup.loaded.hooks.len(), "hook"),
            diagnostic::count(&setup.loaded.problems, (0, 0))
        );
        if setup.loaded.has_errors() {
            self.bad("configuration", &text);
        } else {
            self.good("configuration", &text);
        }
    }

    fn cache(&mut self, places: &Places) {
        match places.cache() {
            None => self.bad("cache", "no home folder is known; set HOME or XDG_CACHE_HOME"),
            Some(path) => match CacheDir::open(&path) {
                Ok(dir) => self.good("cache", &format!("{}, {}", path.display(), dir.summary())),
                Err(error) => self.bad("cache", &error.to_string()),
            },
        }
    }

    fn compiler(&mut self) {
        match environment::compiler() {
            Some(path) if path.is_file() => self.good("compiler", &path.display().to_string()),
            Some(path) => self.bad(
                "compiler",
                &format!("{} is not there; install hookbox-compile next to hookbox", path.display()),
            ),
            None => self.bad("compiler", "the place of this program is not known"),
        }
    }

    fn sandbox(&mut self) {
        match probe(Allocation::POOLED, &Limits::default()) {
            Ok(found @ Allocation::Pooled { scan: true, .. }) => {
                self.good("sandbox", &format!("a long-lived host gets a {found}"));
            }
            Ok(found) => {
                self.odd("sandbox", &format!("a long-lived host gets memory {found}: slower, as safe"));
            }
            Err(error) => self.bad("sandbox", &error.to_string()),
        }
    }

    /// Reports the mechanisms for confining shell hooks.
    fn confinement(&self) {
        let (offered, missing) = confinement::machine(&KernelSupport::here());
        let offered = offered.join(", ");
        if missing.is_empty() {
            self.good("shell hooks", &offered);
        } else {
            self.odd("shell hooks", &format!("{offered}; not here: {}", missing.join(", ")));
        }
    }

    fn plugins(&mut self, setup: &Setup) {
        let host = setup.host(setup.hooks());
        let tried = async {
            let mut tried = Vec::new();
            for (spec, result) in host.prepare().await {
                let failure = match result {
                    Ok(()) => trial::failure(spec, setup).await,
                    Err(failure) => Some(failure),
                };
                tried.push((spec, failure));
            }
            tried
        };
        match super::block_on(true, tried) {
            Err(error) => self.bad("runtime", &error),
            Ok(results) => {
                for (spec, failure) in results.into_iter().filter(|(spec, _)| spec.origin.file.is_some()) {
                    match failure {
                        None => self.good("hook", &spec.name),
                        Some(failure) => self.bad("hook", &format!("{}: {failure}", spec.name)),
                    }
                }
            }
        }
        // An unusable folder was reported above.
        if let Some(trouble) = host.machine().trouble().filter(|_| setup.places.opened_cache().is_some()) {
            self.bad("cache", &trouble);
        }
    }
}
