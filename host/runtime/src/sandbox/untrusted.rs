//! Loads untrusted components.
//!
//! Their files are read, hashed and mapped on a separate thread, so that the thread that answers the agent keeps its
//! deadlines. The components of one project share a budget of bytes, which is checked before the first byte is read.

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    pin::pin,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use futures_util::future::{Either, select};
use hookbox_model::{Failure, FailureCode};
use tokio::{runtime::Builder, sync::oneshot};

use super::component_file::MAX_COMPONENT_BYTES;

/// Bytes of all untrusted component files of one project that one process loads: one largest component, or several smaller ones.
pub const MAX_UNTRUSTED_BYTES: u64 = MAX_COMPONENT_BYTES;

/// Stack of the thread that loads, bytes: linking a component recurses into its types.
const STACK: usize = 2 << 20;

/// The budgets of the projects of a machine. A budget exists as long as a component of its project.
#[derive(Default)]
pub(super) struct Budgets(Mutex<HashMap<PathBuf, Weak<AtomicU64>>>);

impl Budgets {
    pub(super) fn create_share(&self, project: &Path) -> Share {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let used = known.get(project).and_then(Weak::upgrade).unwrap_or_else(|| {
            known.retain(|_, used| used.strong_count() > 0);
            let used = Arc::default();
            known.insert(project.to_owned(), Arc::downgrade(&used));
            used
        });
        Share { used, own: AtomicU64::new(0) }
    }
}

/// The bytes of a project's budget that one component uses. Dropping the share returns them.
pub(crate) struct Share {
    used: Arc<AtomicU64>,
    own: AtomicU64,
}

impl Share {
    /// Makes the share as large as the component file at `path`, which has `size` bytes.
    ///
    /// # Errors
    ///
    /// The project's components would exceed [`MAX_UNTRUSTED_BYTES`].
    pub(super) fn resize(&self, path: &Path, size: u64) -> Result<(), Failure> {
        // A changed file is loaded again; its former size must not count in addition.
        self.give_back();
        let within = |used: u64| used.checked_add(size).filter(|sum| *sum <= MAX_UNTRUSTED_BYTES);
        match self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, within) {
            Ok(_) => {
                self.own.store(size, Ordering::Relaxed);
                Ok(())
            }
            Err(used) => Err(Failure::new(
                FailureCode::BadComponent,
                &format!(
                    "the plugin {} has {size} bytes, and the untrusted plugins of a project may have {MAX_UNTRUSTED_BYTES} bytes together, of \
                     which {used} are used; review the project with `hookbox trust`, or remove plugins",
                    path.display()
                ),
            )),
        }
    }

    fn give_back(&self) {
        let own = self.own.swap(0, Ordering::Relaxed);
        self.used.fetch_sub(own, Ordering::Relaxed);
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.give_back();
    }
}

/// Runs a load, or a call of a plugin of hookbox's, on a thread of its own. Dropping the returned future ends it at its next
/// await point; reads of untrusted files from the disk are limited by [`MAX_UNTRUSTED_BYTES`].
pub(super) async fn on_own_thread<T, F>(load: impl FnOnce() -> F + Send + 'static) -> Result<T, Failure>
where
    T: Send + 'static,
    F: Future<Output = Result<T, Failure>>,
{
    let (mut answer, answered) = oneshot::channel();
    let work = move || {
        let loaded = match Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime.block_on(async {
                match select(pin!(load()), pin!(answer.closed())).await {
                    Either::Left((loaded, _)) => Some(loaded),
                    Either::Right(_) => None,
                }
            }),
            Err(error) => Some(Err(cannot_load(&error))),
        };
        // An abandoned load has no receiver for its result.
        let _ = loaded.map(|loaded| answer.send(loaded));
    };
    let thread = thread::Builder::new().name("hookbox-loader".to_owned()).stack_size(STACK).spawn(work);
    thread.map_err(|error| cannot_load(&error))?;
    answered.await.unwrap_or_else(|_| Err(cannot_load(&io::Error::other("the thread panicked"))))
}

fn cannot_load(error: &io::Error) -> Failure {
    let message = format!("cannot load the plugin on a thread of its own: {error}");
    Failure::new(FailureCode::Internal, &message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn try_resize(share: &Share, size: u64) -> Result<(), FailureCode> {
        share.resize(Path::new("a.wasm"), size).map_err(|failure| failure.code)
    }

    #[test]
    fn components_of_one_project_share_a_budget_and_other_projects_have_their_own() {
        let budgets = Budgets::default();
        let (first, second) = (budgets.create_share(Path::new("/p")), budgets.create_share(Path::new("/p")));
        let other = budgets.create_share(Path::new("/q"));
        assert_eq!(try_resize(&first, MAX_UNTRUSTED_BYTES - 1), Ok(()));
        assert_eq!(try_resize(&second, 2), Err(FailureCode::BadComponent));
        assert_eq!(try_resize(&second, 1), Ok(()));
        assert_eq!(try_resize(&other, MAX_UNTRUSTED_BYTES), Ok(()));
    }

    #[test]
    fn a_component_that_is_loaded_again_or_gone_gives_its_bytes_back() {
        let budgets = Budgets::default();
        let (first, second) = (budgets.create_share(Path::new("/p")), budgets.create_share(Path::new("/p")));
        assert_eq!(try_resize(&first, MAX_UNTRUSTED_BYTES), Ok(()));
        assert_eq!(try_resize(&first, MAX_UNTRUSTED_BYTES), Ok(()), "the same file again");
        assert_eq!(try_resize(&second, 1), Err(FailureCode::BadComponent));
        drop(first);
        assert_eq!(try_resize(&second, MAX_UNTRUSTED_BYTES), Ok(()));
        assert_eq!(try_resize(&second, u64::MAX), Err(FailureCode::BadComponent));
    }
}
