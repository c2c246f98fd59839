//! Reports the isolation of untrusted guests.

use hookbox::sandbox::worker;

use super::Doctor;
use crate::{commands::block_on, environment};

const REPORT_LABEL: &str = "untrusted plugins";

impl Doctor<'_> {
    /// Probes an isolated process. A missing compiler was reported before.
    pub(super) fn check_isolation(&mut self) {
        if !worker::is_possible() {
            return self.report_oddity(
                REPORT_LABEL,
                "run in the process of hookbox, by the sandbox alone: this platform has no more",
            );
        }
        let Some(compiler) = environment::find_compiler().filter(|program| program.is_file()) else { return };
        match block_on(true, worker::probe_privileges(&compiler)) {
            Err(error) => self.report_fault("runtime", &error),
            Ok(Err(failure)) => self.report_fault(REPORT_LABEL, &failure.message),
            Ok(Ok((held, missing))) => {
                let held = if held.is_empty() { "nothing".to_owned() } else { held.join(", ") };
                let text = format!("run in a process of their own; there holds: {held}");
                if missing.is_empty() {
                    self.report_ok(REPORT_LABEL, &text);
                } else {
                    self.report_oddity(REPORT_LABEL, &format!("{text}; not here: {}", missing.join(", ")));
                }
            }
        }
    }
}
