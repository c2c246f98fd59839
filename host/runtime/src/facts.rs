//! Facts about the command lines of one event, computed once for all its hooks.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
};

use hookbox_model::{Failure, FailureCode, ShellFacts, ShellLanguage};
use tokio::sync::OnceCell;

use crate::{
    interfaces::{CommandLine, FactsFuture, FactsSource},
    trace,
};

/// Computes facts about command lines of a POSIX shell.
pub(crate) trait FactsReader: fmt::Debug + Send + Sync + 'static {
    /// Returns the facts about this command line. Dropping the future ends the computation.
    fn read_facts<'a>(&'a self, line: &'a CommandLine) -> ReadFuture<'a>;
}

/// Facts being read.
pub(crate) type ReadFuture<'a> = Pin<Box<dyn Future<Output = Result<ShellFacts, Failure>> + Send + 'a>>;

/// Returns the facts about a command line of any language.
pub(crate) async fn read_any_facts(
    reader: &dyn FactsReader,
    line: &CommandLine,
) -> Result<ShellFacts, Failure> {
    match line.language {
        ShellLanguage::Posix => reader.read_facts(line).await,
        other => Ok(ShellFacts::in_unread_language(other)),
    }
}

/// The facts of a chain's event. A hook that rewrites the command line makes it another one, whose facts are computed anew.
pub(crate) struct EventFacts {
    reader: Arc<dyn FactsReader>,
    known: Mutex<Vec<(CommandLine, Arc<FactsCell>)>>,
}

type FactsCell = OnceCell<Arc<ShellFacts>>;

impl EventFacts {
    pub(crate) fn new(reader: Arc<dyn FactsReader>) -> Self {
        Self { reader, known: Mutex::default() }
    }

    fn cell_for(&self, line: &CommandLine) -> Arc<FactsCell> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, cell)) = known.iter().find(|(known, _)| known == line) {
            return Arc::clone(cell);
        }
        let cell = Arc::<FactsCell>::default();
        known.push((line.clone(), Arc::clone(&cell)));
        cell
    }

    async fn compute_facts(&self, line: &CommandLine) -> Arc<ShellFacts> {
        let read = read_any_facts(self.reader.as_ref(), line).await;
        trace::report_facts(read.as_ref().err());
        Arc::new(read.unwrap_or_else(|failure| ShellFacts::from_failure(describe_failure(&failure))))
    }
}

impl fmt::Debug for EventFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EventFacts")
    }
}

impl FactsSource for EventFacts {
    fn find_facts<'a>(&'a self, line: &'a CommandLine) -> FactsFuture<'a> {
        Box::pin(async move {
            let cell = self.cell_for(line);
            Ok(Arc::clone(cell.get_or_init(|| self.compute_facts(line)).await))
        })
    }
}

/// Returns the reason of a failure for hooks, which may be untrusted: without the paths in its message.
fn describe_failure(failure: &Failure) -> &'static str {
    match failure.code {
        FailureCode::Replaced => "shell-facts is not the plugin of this hookbox: install hookbox again",
        FailureCode::Missing => "shell-facts is missing: install hookbox again",
        FailureCode::NotCompiled => "shell-facts is not compiled: run `hookbox setup`",
        FailureCode::Fuel
        | FailureCode::Memory
        | FailureCode::Stack
        | FailureCode::HostCalls
        | FailureCode::Output
        | FailureCode::Timeout => "shell-facts exceeded a limit on this command line",
        FailureCode::BadOutput => "the answer of shell-facts is not facts: install hookbox again",
        _ => "shell-facts failed: `hookbox facts` shows the reason",
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::future::join;

    use super::*;

    /// A reader that counts, and fails for the command line `fails`.
    #[derive(Debug, Default)]
    struct Counting(AtomicUsize);

    impl FactsReader for Counting {
        fn read_facts<'a>(&'a self, line: &'a CommandLine) -> ReadFuture<'a> {
            Box::pin(async move {
                self.0.fetch_add(1, Ordering::Relaxed);
                tokio::task::yield_now().await;
                match line.command.as_str() {
                    "fails" => Err(Failure::new(FailureCode::Fuel, "/home/me/shell-facts.wasm")),
                    command => Ok(ShellFacts::from_failure(command)),
                }
            })
        }
    }

    fn run_with_counter(asked: impl AsyncFnOnce(&EventFacts)) -> usize {
        let reader = Arc::new(Counting::default());
        let facts = EventFacts::new(Arc::<Counting>::clone(&reader));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(asked(&facts));
        reader.0.load(Ordering::Relaxed)
    }

    #[test]
    fn concurrent_and_later_hooks_share_one_computation() {
        let count = run_with_counter(async |facts: &EventFacts| {
            let line = CommandLine::new("ls", "/code");
            let (first, second) = join(facts.find_facts(&line), facts.find_facts(&line)).await;
            assert_eq!(first, second);
            assert_eq!(facts.find_facts(&line).await, first);
        });
        assert_eq!(count, 1);
    }

    #[test]
    fn a_rewritten_command_line_is_computed_anew() {
        let count = run_with_counter(async |facts: &EventFacts| {
            let first = facts.find_facts(&CommandLine::new("ls", "/code")).await;
            let second = facts.find_facts(&CommandLine::new("ls -l", "/code")).await;
            assert_ne!(first, second);
        });
        assert_eq!(count, 2);
    }

    #[test]
    fn a_failure_is_an_undetermined_part_without_the_paths_of_the_machine() {
        let count = run_with_counter(async |facts: &EventFacts| {
            for _ in 0..2 {
                let found = facts.find_facts(&CommandLine::new("fails", "/code")).await.unwrap();
                assert_eq!(
                    *found,
                    ShellFacts::from_failure("shell-facts exceeded a limit on this command line")
                );
            }
        });
        assert_eq!(count, 1);
    }

    #[test]
    fn a_language_without_a_reader_needs_no_component() {
        let count = run_with_counter(async |facts: &EventFacts| {
            let line = CommandLine { language: ShellLanguage::Powershell, ..CommandLine::new("ls", "/code") };
            let found = facts.find_facts(&line).await.unwrap();
            assert_eq!(*found, ShellFacts::in_unread_language(ShellLanguage::Powershell));
        });
        assert_eq!(count, 0);
    }
}
