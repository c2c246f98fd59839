//! Pins a process of hookbox to its caller's processor. A caller that waits for the answer needs no second processor, and waking an idle
//! one takes many times as long as a switch between two processes.

use std::process::Child;

/// A process that can be pinned.
#[derive(Debug)]
pub struct CpuPin(here::Place);

impl CpuPin {
    /// Wraps this process, which is not pinned yet.
    pub fn of_child(child: &Child) -> Self {
        Self(here::Place::of_child(child))
    }

    /// Pins the process to the processor of this thread. Where that is not possible, it stays unpinned.
    pub fn pin_process(&mut self) {
        self.0.pin_process();
    }

    /// Unpins the process, when the caller goes on with something else.
    pub fn unpin_process(&mut self) {
        self.0.unpin_process();
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
        processor: Option<usize>,
    }

    impl Place {
        pub(super) fn of_child(child: &Child) -> Self {
            Self { child: Pid::from_child(child), processor: None }
        }

        pub(super) fn pin_process(&mut self) {
            let here = sched_getcpu();
            // A set has room for 1,024 processors, and a larger number would panic.
            if self.processor == Some(here) || here >= CpuSet::MAX_CPU {
                return;
            }
            let mut only = CpuSet::new();
            only.set(here);
            self.processor = sched_setaffinity(Some(self.child), &only).ok().map(|()| here);
        }

        pub(super) fn unpin_process(&mut self) {
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
        pub(super) fn of_child(_: &Child) -> Self {
            Self
        }

        pub(super) fn pin_process(&mut self) {}

        pub(super) fn unpin_process(&mut self) {}
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
            let (all, mut pin) = (processors(&child), CpuPin::of_child(&child));
            pin.pin_process();
            assert_eq!(processors(&child).count(), 1);
            // A second call changes nothing.
            for _ in 0..2 {
                pin.unpin_process();
                assert_eq!(processors(&child), all);
            }
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}
