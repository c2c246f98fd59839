//! The store, in memory.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
};

use crate::kv::{Error, Scope};

const MAX_KEY_BYTES: usize = 256;
const MAX_VALUE_BYTES: usize = 64 << 10;
const MAX_KEYS: usize = 1000;

type Entries = BTreeMap<(u8, String), Vec<u8>>;

thread_local! {
    static ENTRIES: RefCell<Entries> = const { RefCell::new(BTreeMap::new()) };
    static ERROR: Cell<Option<Error>> = const { Cell::new(None) };
}

pub(super) fn set_error(error: Option<Error>) {
    ERROR.set(error);
}

pub(crate) fn get(scope: Scope, key: &str) -> Result<Option<Vec<u8>>, Error> {
    check(key, &[])?;
    Ok(ENTRIES.with_borrow(|entries| entries.get(&name(scope, key)).cloned()))
}

pub(crate) fn set(scope: Scope, key: &str, value: &[u8]) -> Result<(), Error> {
    check(key, value)?;
    ENTRIES.with_borrow_mut(|entries| entries.insert(name(scope, key), value.to_vec()));
    Ok(())
}

pub(crate) fn delete(scope: Scope, key: &str) -> Result<(), Error> {
    check(key, &[])?;
    ENTRIES.with_borrow_mut(|entries| entries.remove(&name(scope, key)));
    Ok(())
}

pub(crate) fn keys(scope: Scope, prefix: &str) -> Result<Vec<String>, Error> {
    ERROR.get().map_or(Ok(()), Err)?;
    ENTRIES.with_borrow(|entries| {
        let from = entries.range(name(scope, prefix)..).map(|((scope, key), _)| (*scope, key));
        let same = from.take_while(|(of, key)| *of == number(scope) && key.starts_with(prefix));
        Ok(same.map(|(_, key)| key.clone()).take(MAX_KEYS).collect())
    })
}

pub(crate) fn increment(scope: Scope, key: &str, by: i64) -> Result<i64, Error> {
    let old = match get(scope, key)? {
        None => 0,
        Some(value) => {
            String::from_utf8(value).ok().and_then(|text| text.parse().ok()).ok_or(Error::NotANumber)?
        }
    };
    let sum = i64::checked_add(old, by).ok_or(Error::NotANumber)?;
    set(scope, key, sum.to_string().as_bytes())?;
    Ok(sum)
}

pub(crate) fn swap(scope: Scope, key: &str, old: Option<&[u8]>, new: &[u8]) -> Result<bool, Error> {
    let same = get(scope, key)?.as_deref() == old;
    if same {
        set(scope, key, new)?;
    }
    Ok(same)
}

fn check(key: &str, value: &[u8]) -> Result<(), Error> {
    let fits = (1..=MAX_KEY_BYTES).contains(&key.len()) && value.len() <= MAX_VALUE_BYTES;
    match ERROR.get() {
        Some(error) => Err(error),
        None if fits => Ok(()),
        None => Err(Error::BadSize),
    }
}

fn name(scope: Scope, key: &str) -> (u8, String) {
    (number(scope), key.to_owned())
}

fn number(scope: Scope) -> u8 {
    match scope {
        Scope::Session => 0,
        Scope::Project => 1,
        Scope::User => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::set_kv_error;

    #[test]
    fn keys_are_those_of_one_scope_that_begin_so() {
        for (scope, key) in [(Scope::Session, "ab"), (Scope::Session, "b"), (Scope::Project, "ac")] {
            assert_eq!(set(scope, key, b""), Ok(()));
        }
        assert_eq!(keys(Scope::Session, ""), Ok(vec!["ab".to_owned(), "b".to_owned()]));
        assert_eq!(keys(Scope::Session, "a"), Ok(vec!["ab".to_owned()]));
        assert_eq!(keys(Scope::User, ""), Ok(vec![]));
    }

    #[test]
    fn numbers_are_counted_and_nothing_else_is() {
        assert_eq!(increment(Scope::User, "n", 5), Ok(5));
        assert_eq!(increment(Scope::User, "n", -7), Ok(-2));
        assert_eq!(set(Scope::User, "n", b"x"), Ok(()));
        assert_eq!(increment(Scope::User, "n", 1), Err(Error::NotANumber));
    }

    #[test]
    fn a_value_is_swapped_for_the_one_that_is_there() {
        assert_eq!(swap(Scope::User, "s", None, b"1"), Ok(true));
        assert_eq!(swap(Scope::User, "s", None, b"2"), Ok(false));
        assert_eq!(swap(Scope::User, "s", Some(b"1"), b"2"), Ok(true));
        assert_eq!(get(Scope::User, "s"), Ok(Some(b"2".to_vec())));
        assert_eq!(delete(Scope::User, "s"), Ok(()));
        assert_eq!(get(Scope::User, "s"), Ok(None));
    }

    #[test]
    fn the_store_can_be_made_to_fail() {
        assert_eq!(set(Scope::User, "", b""), Err(Error::BadSize));
        set_kv_error(Some(Error::Busy));
        assert_eq!(get(Scope::User, "k"), Err(Error::Busy));
        set_kv_error(None);
        assert_eq!(get(Scope::User, "k"), Ok(None));
    }
}
