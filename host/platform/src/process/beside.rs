//! A process of ours that runs where its caller does. Whoever sends it something and waits for the answer needs no second processor, and
//! one that sleeps takes many times as long to wake up as the kernel to change from one process to the other.

use std::process::Child;

/// Such a process.
#[derive(Debug)]
pub struct Beside(here::Place);

impl Beside {
    /// Of this one, which runs anywhere as yet.
    pub fn of(child: &Child) -> Self {
        Self(here::Place::of(child))
    }

    /// From now on it runs on the processor of this thread. Where that cannot be, it runs anywhere.
    pub fn come(&mut self) {
        self.0.come();
    }

    /// It runs anywhere again: the caller goes on with something else.
    pub fn leave(&mut self) {
        self.0.leave();
    }
}

#[cfg(on_linux)]
mod here {
    use rustix::{
        process::Pid,
        thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity},
    };

    use super::Child;

    #[derive(Debug)]
    pub(super) struct Place {
        child: Pid,
        /// The one that it is kept on.
        processor: Option<usize>,
    }

    impl Place {
        pub(super) fn of(child: &Child) -> Self {
            Self { child: Pid::from_child(child), processor: None }
        }

        pub(super) fn come(&mut self) {
            let here = sched_getcpu();
            if self.processor == Some(here) || here >= CpuSet::MAX_CPU {
                return;
            }
            let mut only = CpuSet::new();
            only.set(here);
            self.processor = sched_setaffinity(Some(self.child), &only).ok().map(|()| here);
        }

        pub(super) fn leave(&mut self) {
            if self.processor.take().is_some()
                && let Ok(all) = sched_getaffinity(None)
            {
                let _ = sched_setaffinity(Some(self.child), &all);
            }
        }
    }
}

#[cfg(not(on_linux))]
mod here {
    use super::Child;

    #[derive(Debug)]
    pub(super) struct Place;

    #[expect(clippy::unused_self, reason = "Linux keeps something")]
    impl Place {
        pub(super) fn of(_: &Child) -> Self {
            Self
        }

        pub(super) fn come(&mut self) {}

        pub(super) fn leave(&mut self) {}
    }
}

#[cfg(test)]
mod tests {
    #[cfg(on_linux)]
    mod linux {
        use std::process::{Command, Stdio};

        use rustix::{process::Pid, thread::sched_getaffinity};

        use super::super::*;

        #[test]
        #[expect(clippy::disallowed_methods, reason = "a test starts one")]
        fn a_process_runs_where_its_caller_does_until_it_may_leave() {
            let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
            let processors = |child: &Child| sched_getaffinity(Some(Pid::from_child(child))).unwrap();
            let (all, mut beside) = (processors(&child), Beside::of(&child));
            beside.come();
            assert_eq!(processors(&child).count(), 1);
            // Twice is no more than once.
            for _ in 0..2 {
                beside.leave();
                assert_eq!(processors(&child), all);
            }
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}
