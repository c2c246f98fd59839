//! The store as a whole, without a guest.

use std::{fs, path::Path};

use hookbox_model::{Layer, Scope};

use super::*;
use crate::{Clock, sandbox::kv::Owner};

/// 256 KiB.
const MAX_PAGES: i32 = 64;
/// Quota of one project, far more than the whole store may have here.
const QUOTA: u64 = 1 << 30;

/// A store that grows to [`MAX_PAGES`].
struct Bed {
    folder: tempfile::TempDir,
    store: Arc<Store>,
}

impl Bed {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(Some(folder.path().join("state")), MAX_PAGES).await.unwrap();
        Self { folder, store }
    }

    /// Runs `act` on the entries of this plugin number for this project number.
    async fn run_on_entries<T: Send + 'static>(
        &self,
        number: usize,
        kind: TransactionKind,
        act: impl FnOnce(&Entries<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let owner = Owner::new(Layer::User, Path::new(&format!("/{}.wasm", number % 3)));
        let space = Namespace { owner, scope: Scope::Project, place: number.to_string() };
        let now = Clock::machine().now_seconds().cast_signed();
        let request = StoreRequest { kind, max_wait: Duration::from_mins(1), quota: QUOTA, now };
        self.store.run_on_entries(request, || Some(space), act).await
    }

    async fn keep_entry(&self, number: usize) -> Result<(), Problem> {
        self.run_on_entries(number, TransactionKind::Write, |entries| entries.set("k", &[b'x'; 16 << 10]))
            .await
    }

    async fn is_kept(&self, number: usize) -> bool {
        let value =
            self.run_on_entries(number, TransactionKind::Read, |entries| entries.get("k")).await.unwrap();
        value.is_some_and(|value| value.len() == 16 << 10)
    }

    fn size(&self) -> u64 {
        fs::metadata(self.folder.path().join("state/kv.sqlite")).unwrap().len()
    }
}

#[test]
fn all_plugins_and_projects_together_keep_no_more_than_the_bound() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let bed = Bed::new().await;
        let (kept, error) = fill_store(&bed).await;
        let message = bed.store.fault_for(&error).0.message;
        assert!(
            message.ends_with("the disk is full, or hooks keep 1 GiB already: move it away to begin anew"),
            "{message}"
        );
        assert!(bed.size() <= 256 << 10, "{}", bed.size());
        // Existing entries are complete, and a removal makes room again.
        for number in 0..kept {
            assert!(bed.is_kept(number).await, "{number}");
        }
        assert!(!bed.is_kept(kept).await);
        bed.run_on_entries(0, TransactionKind::Write, |entries| entries.delete("k")).await.unwrap();
        bed.keep_entry(kept).await.unwrap();
    });
}

/// Returns how many projects had room, and the error for the next one.
async fn fill_store(bed: &Bed) -> (usize, rusqlite::Error) {
    for number in 0..16 {
        match bed.keep_entry(number).await {
            Ok(()) => {}
            Err(Problem::Store(error)) => return (number, error),
            Err(other) => panic!("{other:?}"),
        }
    }
    panic!("more is kept than fits");
}
