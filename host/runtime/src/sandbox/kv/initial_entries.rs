//! Entries that exist before a call: for tests of plugins, which begin in the middle of a session.

use std::{path::Path, time::Duration};

use hookbox_model::{Event, Failure, FailureCode, KvGrant, Scope};

use super::{
    CallScope, Error, MAX_WAIT, Namespace, Owner, Problem, Store, StoreRequest, TransactionKind, file,
};
use crate::HookSpec;

/// Adds an entry to the store in `folder`, for calls of this hook for this event.
///
/// # Errors
///
/// A store that cannot be opened, a hook that is not a component, and an entry that the hook could not have added: a
/// key or a value of a bad size, or a scope that the event does not identify.
pub async fn add_entry(
    folder: &Path,
    (hook, event): (&HookSpec, &Event),
    scope: Scope,
    (key, value): (&str, &[u8]),
) -> Result<(), Failure> {
    let refused =
        |why: &str| Failure::new(FailureCode::Refused, &format!("the entry {key} cannot be there: {why}"));
    let wasm = hook.wasm().ok_or_else(|| refused("the hook is not a component"))?;
    let owner = Owner::new(hook.origin.layer, &wasm.path);
    let call_scope = CallScope::from_event(event);
    let store = Store::open(Some(folder.to_owned()), file::MAX_PAGES).await?;
    let now = Duration::from_millis(event.time).as_secs().cast_signed();
    let request =
        StoreRequest { kind: TransactionKind::Write, max_wait: MAX_WAIT, quota: KvGrant::MAX_QUOTA, now };
    let entry = (key.to_owned(), value.to_owned());
    let space = move || Namespace::from_scope(&owner, scope, &call_scope);
    let put = store.run_on_entries(request, space, move |entries| entries.set(&entry.0, &entry.1)).await;
    put.map_err(|problem| match problem {
        Problem::Guest(Error::NoPlace) => refused(&format!("the event does not tell where its {scope} is")),
        Problem::Guest(Error::BadSize) => refused("the key is empty or too long, or the value is too long"),
        Problem::Guest(_) => refused("the store is in use, or full"),
        Problem::Store(error) => refused(&error.to_string()),
    })
}
