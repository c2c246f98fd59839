//! Selection of targets and duration.

use anyhow::{Context, Result, bail};

/// Duration of each target's run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RunLength {
    /// Number of seconds; each run tries other inputs.
    Seconds(u64),
    /// Number of inputs beyond the seeds; each run of unchanged code tries the same inputs.
    Runs(u64),
}

impl RunLength {
    /// Default duration.
    const USUAL: Self = Self::Seconds(30);

    /// Returns the optimisation level of the targets. A few thousand inputs take less time than a more optimised build.
    pub(super) fn optimisation(self) -> &'static str {
        match self {
            Self::Seconds(_) => "2",
            Self::Runs(_) => "1",
        }
    }

    /// Returns the target's arguments.
    pub(super) fn arguments(self) -> Vec<String> {
        match self {
            Self::Seconds(seconds) => vec![format!("-max_total_time={seconds}")],
            Self::Runs(runs) => vec![format!("-runs={runs}"), "-seed=1".to_owned()],
        }
    }
}

/// Targets and duration from the command line.
#[derive(Debug, PartialEq)]
pub(super) struct Plan {
    pub(super) targets: Vec<String>,
    /// Duration for each of them.
    pub(super) turn: RunLength,
}

impl Plan {
    /// Parses `[TARGET]… [--seconds NUMBER | --runs NUMBER]`; without a target all run.
    pub(super) fn parse_words(words: &[String], known: &[String]) -> Result<Self> {
        let mut plan = Self { targets: Vec::new(), turn: RunLength::USUAL };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut number = || {
                let number = words.next().and_then(|number| number.parse().ok());
                number.with_context(|| format!("`{word}` needs a number"))
            };
            match word.as_str() {
                "--seconds" => plan.turn = RunLength::Seconds(number()?),
                "--runs" => plan.turn = RunLength::Runs(number()?),
                _ if known.contains(word) => plan.targets.push(word.clone()),
                _ => bail!("unknown fuzz target `{word}`; there are: {}", known.join(", ")),
            }
        }
        if plan.targets.is_empty() {
            plan.targets = known.to_vec();
        }
        Ok(plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_plan(words: &str) -> Result<Plan> {
        let words: Vec<_> = words.split_whitespace().map(str::to_owned).collect();
        Plan::parse_words(&words, &["events".to_owned(), "json".to_owned()])
    }

    #[test]
    fn all_targets_run_unless_some_are_named() {
        let all = Plan { targets: vec!["events".into(), "json".into()], turn: RunLength::Seconds(30) };
        assert_eq!(parse_plan("").unwrap(), all);
        let one = |turn| Plan { targets: vec!["json".into()], turn };
        assert_eq!(parse_plan("json --seconds 5").unwrap(), one(RunLength::Seconds(5)));
        assert_eq!(parse_plan("--runs 5 json").unwrap(), one(RunLength::Runs(5)));
    }

    #[test]
    fn an_invalid_fuzz_plan_is_refused_with_the_cause() {
        let message = |words| parse_plan(words).unwrap_err().to_string();
        assert_eq!(message("yaml"), "unknown fuzz target `yaml`; there are: events, json");
        assert_eq!(message("--seconds x"), "`--seconds` needs a number");
        assert_eq!(message("--runs"), "`--runs` needs a number");
    }
}
