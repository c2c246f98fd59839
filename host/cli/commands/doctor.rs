//! `hookbox doctor`: shows the parts of this installation, and their problems.

mod agents;
mod attack;
mod coverage;
mod isolation;
mod namesakes;
mod off_switches;
mod protected;
mod stored_state;

use std::path::Path;

use hookbox::{
    handler::shell::confine::KernelSupport,
    model::Limits,
    sandbox::{
        cache::CacheDir,
        engine_settings::{Allocation, WASMTIME, probe_allocation},
    },
};
use hookbox_app::{FolderHooks, HookFiles, places::Places, program_file};

use super::{progress, sample_calls};
use crate::{
    args::DoctorArgs,
    confinement, diagnostic, environment,
    exit::ExitStatus,
    findings::{self, Level},
    printer::{ERROR, GOOD, Printer, WARNING},
    report,
};

pub(super) fn run_doctor(args: &DoctorArgs, printer: &Printer) -> ExitStatus {
    findings::with_findings(("doctor", args.json), printer, || examine_machine(args, printer))
}

fn examine_machine(args: &DoctorArgs, printer: &Printer) -> ExitStatus {
    let project = match super::resolve_project(args.project.as_deref()) {
        Ok(project) => project,
        Err(error) => {
            printer.print_error(&error);
            return ExitStatus::Usage;
        }
    };
    let files = HookFiles::Layers { folder: &project, session: None };
    let places = environment::read_places(&args.program);
    let folder_hooks =
        FolderHooks::read_files(progress::with_progress(environment::build_surroundings(places)), files);
    let mut doctor = Doctor { printer, healthy: true };
    doctor.report_ok("version", &format!("hookbox {}, wasmtime {WASMTIME}", env!("CARGO_PKG_VERSION")));
    doctor.check_program(&folder_hooks.places);
    doctor.report_files(&folder_hooks.places, &project);
    doctor.check_configuration(&folder_hooks);
    doctor.hooks_off(&folder_hooks);
    doctor.report_log(&folder_hooks);
    doctor.check_cache(&folder_hooks.places);
    doctor.check_compiler();
    doctor.check_sandbox();
    doctor.confinement();
    doctor.check_isolation();
    doctor.check_gates(&folder_hooks);
    doctor.check_plugins(&folder_hooks);
    doctor.report_suspended_plugins(&folder_hooks);
    doctor.check_agents(&folder_hooks, &project);
    if doctor.healthy { ExitStatus::Success } else { ExitStatus::Problems }
}

struct Doctor<'a> {
    printer: &'a Printer,
    healthy: bool,
}

impl Doctor<'_> {
    fn report_ok(&self, what: &str, text: &str) {
        self.printer.add_finding(Level::Ok, what, text);
        self.printer.print_line(&format!("{GOOD}ok{GOOD:#}      {what}: {}", report::sanitize_line(text)));
    }

    fn report_oddity(&self, what: &str, text: &str) {
        self.printer.add_finding(Level::Odd, what, text);
        self.printer
            .print_line(&format!("{WARNING}odd{WARNING:#}     {what}: {}", report::sanitize_line(text)));
    }

    fn report_fault(&mut self, what: &str, text: &str) {
        self.healthy = false;
        self.printer.add_finding(Level::Wrong, what, text);
        self.printer.print_line(&format!("{ERROR}wrong{ERROR:#}   {what}: {}", report::sanitize_line(text)));
    }

    /// Reports others who could change the programs that agents start.
    fn check_program(&mut self, places: &Places) {
        let Some(program) = environment::find_program() else {
            return self.report_fault("program", "its path is unknown");
        };
        // The compiler writes the native code that hookbox runs.
        let files =
            std::iter::once(program.clone()).chain(environment::find_compiler().filter(|it| it.exists()));
        match files.into_iter().find_map(|file| program_file::find_exposure(&file, places)) {
            Some(exposed) => self.report_fault("program", &exposed.to_string()),
            None => match program_file::in_project(&program, places) {
                Some(exposed) => self.report_oddity("program", &exposed.to_string()),
                None => self.report_ok("program", &program.display().to_string()),
            },
        }
    }

    fn report_files(&self, places: &Places, project: &Path) {
        let show = |layer: &str, file: Option<&Path>| match file {
            Some(file) if file.exists() => self.report_ok(layer, &file.display().to_string()),
            Some(file) => self.report_ok(layer, &format!("none ({})", file.display())),
            None => self.report_ok(layer, "none"),
        };
        show("managed configuration", Some(&Places::managed_config()));
        show("user configuration", places.user_config().as_deref());
        show("project configuration", places.project_config(project).map(|found| found.config).as_deref());
    }

    fn check_configuration(&mut self, folder_hooks: &FolderHooks) {
        diagnostic::print_problems(&folder_hooks.loaded.problems, self.printer);
        let text = format!(
            "{}, {}",
            diagnostic::format_count(folder_hooks.loaded.hooks.len(), "hook"),
            diagnostic::format_problem_counts(&folder_hooks.loaded.problems, (0, 0))
        );
        if folder_hooks.loaded.has_errors() {
            self.report_fault("configuration", &text);
        } else {
            self.report_ok("configuration", &text);
        }
    }

    fn check_cache(&mut self, places: &Places) {
        match places.cache() {
            None => self.report_fault("cache", "the home folder is unknown; set HOME or XDG_CACHE_HOME"),
            Some(path) => match CacheDir::open(&path) {
                Ok(dir) => self.report_ok("cache", &format!("{}, {}", path.display(), dir.summary())),
                Err(error) => self.report_fault("cache", &error.to_string()),
            },
        }
    }

    fn check_compiler(&mut self) {
        match environment::find_compiler() {
            Some(path) if path.is_file() => self.report_ok("compiler", &path.display().to_string()),
            Some(path) => self.report_fault(
                "compiler",
                &format!("{} does not exist; install hookbox-compile next to hookbox", path.display()),
            ),
            None => self.report_fault("compiler", "the path of this program is unknown"),
        }
    }

    fn check_sandbox(&mut self) {
        match probe_allocation(Allocation::POOLED, &Limits::default()) {
            Ok(found @ Allocation::Pooled { scan: true, .. }) => {
                self.report_ok("sandbox", &format!("a long-lived host gets a {found}"));
            }
            Ok(found) => {
                self.report_oddity(
                    "sandbox",
                    &format!("a long-lived host gets memory {found}: slower, as safe"),
                );
            }
            Err(error) => self.report_fault("sandbox", &error.to_string()),
        }
    }

    /// Reports the mechanisms for confining shell hooks.
    fn confinement(&self) {
        let (offered, missing) = confinement::list_features(&KernelSupport::detect_features());
        let offered = format!("{}; remain open: {}", offered.join(", "), confinement::REMAINING_EFFECTS);
        if missing.is_empty() {
            self.report_ok("shell hooks", &offered);
        } else {
            self.report_oddity("shell hooks", &format!("{offered}; not here: {}", missing.join(", ")));
        }
    }

    fn check_plugins(&mut self, folder_hooks: &FolderHooks) {
        let host = folder_hooks.build_host(folder_hooks.hooks());
        let tried = async {
            let mut tried = Vec::new();
            for (spec, result) in host.prepare().await {
                let failure = match result {
                    Ok(()) => sample_calls::find_failure(spec, folder_hooks).await,
                    Err(failure) => Some(failure),
                };
                tried.push((spec, failure));
            }
            tried
        };
        match super::block_on(true, tried) {
            Err(error) => self.report_fault("runtime", &error),
            Ok(results) => {
                for (spec, failure) in results.into_iter().filter(|(spec, _)| spec.origin.file.is_some()) {
                    match failure {
                        None => self.report_ok("hook", &spec.name),
                        Some(failure) => self.report_fault("hook", &format!("{}: {failure}", spec.name)),
                    }
                }
            }
        }
        // An unusable folder was reported above.
        if let Some(trouble) =
            host.machine().trouble().filter(|_| folder_hooks.places.opened_cache().is_some())
        {
            self.report_fault("cache", &trouble);
        }
    }
}
