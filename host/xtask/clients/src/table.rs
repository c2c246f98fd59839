//! Results of all clients, a line each.

use anyhow::Result;

use super::{
    client::{Client, RefusalReaction},
    session::{Fact, Outcome},
};

#[derive(Default)]
pub(super) struct Table {
    rows: Vec<(&'static Client, Result<Outcome>)>,
}

impl Table {
    pub(super) fn add(&mut self, client: &'static Client, outcome: Result<Outcome>) {
        self.rows.push((client, outcome));
    }

    pub(super) fn print(&self) {
        println!(
            "\n| agent | version | file lost without hookbox | file kept | model told why | harmless command ran | by hand |"
        );
        println!("|---|---|---|---|---|---|---|");
        for (client, outcome) in &self.rows {
            println!(
                "| {} | {} | {} |",
                client.agent,
                client.package.version(),
                format_cells(client, outcome)
            );
        }
        println!();
        for (client, outcome) in &self.rows {
            match outcome {
                Ok(outcome) => println!("{}: {}", client.agent, outcome.doctor),
                Err(error) => println!("{}: {error:#}", client.agent),
            }
        }
    }

    /// Returns the agents with an unexpected result.
    pub(super) fn failed(&self) -> Vec<&'static str> {
        self.rows
            .iter()
            .filter(|(client, outcome)| !is_well(client, outcome))
            .map(|(client, _)| client.agent)
            .collect()
    }
}

/// Facts in the order of the columns.
const FACTS: [Fact; 4] = [Fact::LostWithout, Fact::FileKept, Fact::ReasonReceived, Fact::HarmlessRan];

fn format_cells(client: &Client, outcome: &Result<Outcome>) -> String {
    let word = |fact| match outcome {
        Ok(outcome) if outcome.shows_fact(fact) => "yes",
        Ok(_) => "no",
        Err(_) => "not seen",
    };
    format!("{} | {}", FACTS.map(word).join(" | "), client.by_hand.unwrap_or("nothing"))
}

fn is_well(client: &Client, outcome: &Result<Outcome>) -> bool {
    let Ok(outcome) = outcome else { return false };
    // A client that ends its session at a refusal sends no reason to the model.
    let is_right = |fact| {
        outcome.shows_fact(fact)
            == (fact != Fact::ReasonReceived || client.refused == RefusalReaction::GoesOn)
    };
    FACTS.into_iter().all(is_right)
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;
    use crate::client::ALL;

    fn is_well_of(agent: &str, seen: &[Fact]) -> bool {
        let client = ALL.iter().find(|client| client.agent == agent).unwrap();
        let mut table = Table::default();
        table.add(client, Ok(Outcome { seen: seen.to_vec(), doctor: String::new() }));
        table.failed().is_empty()
    }

    #[test]
    fn a_session_is_well_only_if_all_was_seen() {
        assert!(is_well_of("codex", &FACTS));
        for missing in FACTS {
            let seen: Vec<_> = FACTS.into_iter().filter(|fact| *fact != missing).collect();
            assert!(!is_well_of("codex", &seen), "{missing:?}");
        }
    }

    #[test]
    fn a_client_that_ends_at_a_refusal_tells_its_model_nothing() {
        assert!(is_well_of("cline", &[Fact::LostWithout, Fact::FileKept, Fact::HarmlessRan]));
        assert!(!is_well_of("cline", &FACTS));
    }

    #[test]
    fn a_client_that_was_not_seen_failed() {
        let mut table = Table::default();
        let client = ALL.first().unwrap();
        table.add(client, Err(anyhow!("it cannot be had")));
        assert_eq!(table.failed(), [client.agent]);
        assert_eq!(
            format_cells(client, &Err(anyhow!(""))),
            "not seen | not seen | not seen | not seen | nothing"
        );
    }
}
