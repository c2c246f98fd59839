//! Tried faults, and failures.

use anyhow::{Result, ensure};

/// Maximum number of failures that are printed for each group.
const MAX_PRINTED: usize = 20;

/// A line for each group.
#[derive(Default)]
pub(super) struct Table {
    groups: Vec<Group>,
}

/// Tries of one kind.
pub(super) struct Group {
    name: String,
    tried: usize,
    /// Failures, each with the fault that caused it.
    wrong: Vec<String>,
}

impl Group {
    pub(super) fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), tried: 0, wrong: Vec::new() }
    }

    /// Records a tried fault with its result.
    pub(super) fn record_fault(&mut self, what: impl FnOnce() -> String, result: Result<(), String>) {
        self.tried += 1;
        if let Err(why) = result {
            self.wrong.push(format!("{}: {why}", what()));
        }
    }
}

impl Table {
    /// Reports a finished group.
    pub(super) fn report_group(&mut self, group: Group) {
        let Group { name, tried, wrong } = &group;
        println!("{tried:>6} tried {:>4} wrong  {name}", wrong.len());
        for wrong in wrong.iter().take(MAX_PRINTED) {
            println!("              {wrong}");
        }
        self.groups.push(group);
    }

    /// Returns an error if any fault was not handled, or if nothing was tried.
    pub(super) fn end(self) -> Result<()> {
        let tried: usize = self.groups.iter().map(|group| group.tried).sum();
        let wrong: usize = self.groups.iter().map(|group| group.wrong.len()).sum();
        println!("{tried:>6} tried {wrong:>4} wrong  in all");
        // A selection that matches nothing would pass.
        ensure!(tried > 0, "no fault was tried");
        ensure!(wrong == 0, "{wrong} of {tried} faults fell through");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_that_falls_through_and_none_at_all_are_errors() {
        let table = |results: &[Result<(), String>]| {
            let mut group = Group::new("some");
            for result in results {
                group.record_fault(|| "what".to_owned(), result.clone());
            }
            let mut table = Table::default();
            table.report_group(group);
            table.end()
        };
        assert!(table(&[Ok(()), Ok(())]).is_ok());
        assert_eq!(
            table(&[Ok(()), Err("why".to_owned())]).unwrap_err().to_string(),
            "1 of 2 faults fell through"
        );
        assert_eq!(table(&[]).unwrap_err().to_string(), "no fault was tried");
    }
}
