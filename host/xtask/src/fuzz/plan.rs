//! Which targets, and for how long.

use anyhow::{Context, Result, bail};

/// Seconds per target if nobody says.
const SECONDS: u64 = 30;

/// What the words of the command line ask for.
#[derive(Debug, PartialEq)]
pub(super) struct Plan {
    pub(super) targets: Vec<String>,
    /// For each of them.
    pub(super) seconds: u64,
}

impl Plan {
    /// `[TARGET]… [--seconds NUMBER]`; all targets if none is named.
    pub(super) fn of(words: &[String], known: &[String]) -> Result<Self> {
        let mut plan = Self { targets: Vec::new(), seconds: SECONDS };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--seconds" {
                let number = words.next().and_then(|number| number.parse().ok());
                plan.seconds = number.context("`--seconds` needs a number")?;
            } else if known.contains(word) {
                plan.targets.push(word.clone());
            } else {
                bail!("there is no fuzz target `{word}`; there are: {}", known.join(", "));
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

    fn plan(words: &str) -> Result<Plan> {
        let words: Vec<_> = words.split_whitespace().map(str::to_owned).collect();
        Plan::of(&words, &["events".to_owned(), "json".to_owned()])
    }

    #[test]
    fn all_targets_run_unless_some_are_named() {
        let all = Plan { targets: vec!["events".into(), "json".into()], seconds: 30 };
        assert_eq!(plan("").unwrap(), all);
        assert_eq!(plan("json --seconds 5").unwrap(), Plan { targets: vec!["json".into()], seconds: 5 });
    }

    #[test]
    fn what_is_not_understood_is_told() {
        let told = |words| plan(words).unwrap_err().to_string();
        assert_eq!(told("yaml"), "there is no fuzz target `yaml`; there are: events, json");
        assert_eq!(told("--seconds x"), "`--seconds` needs a number");
    }
}
