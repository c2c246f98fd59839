//! Findings of a walk, and doubts about a command.

use super::Walker;
use crate::{arg::Arg, call::Call, codes, finding::Finding, policy::Severity, word::Doubt};

/// Maximum number of findings.
const MAX_FINDINGS: usize = 64;

impl Walker<'_> {
    /// Reports a finding about a command.
    pub(super) fn report(&mut self, code: &'static str, call: &Call, what: &str) {
        let finding = Finding::new(code, call, what, &self.via);
        self.keep(finding);
    }

    /// Reports that something could not be understood.
    pub(super) fn doubt(&mut self, doubt: Doubt) {
        self.record_doubt(&doubt);
        if let (Some(touched), Doubt::TooComplex(_)) = (&mut self.touched, &doubt) {
            touched.is_cut = true;
        }
        let (code, why) = match doubt {
            Doubt::Unreadable(why) => ("unparsable", why),
            Doubt::TooComplex(why) => ("too-complex", why),
        };
        let finding = Finding::about(code, &format!("the command can not be judged: {why}"), &self.via);
        self.keep(finding);
    }

    /// Reports a command that is only known when it runs.
    pub(super) fn unknown_command(&mut self, words: &[Arg]) {
        let call = Call { words: words.to_vec(), ..Call::default() };
        self.report("unknown-command", &call, "runs a command that is only known when it runs");
    }

    pub(super) fn keep(&mut self, finding: Finding) {
        let is_of_core = || codes::named(finding.code).is_some_and(|code| code.is_of_core());
        if self.touched.is_some() || (self.is_elsewhere && is_of_core()) {
            return;
        }
        let certain = !matches!(finding.code, "unparsable" | "unknown-command" | "unknown-argument");
        // What is not reported must not crowd out what is.
        let is_reported = self.policy.severity_at(finding.code, finding.place) > Severity::Off;
        let wanted = is_reported && (certain || !self.probably_data);
        if wanted && self.findings.len() < MAX_FINDINGS && !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }
}
