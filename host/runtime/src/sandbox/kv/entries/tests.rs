//! One namespace, without a guest.

use std::path::Path;

use hookbox_model::{Layer, Scope};

use super::*;
use crate::sandbox::kv::{Owner, file};

/// A store with a namespace that has a quota of 4 KiB.
struct Bed {
    _folder: tempfile::TempDir,
    connection: Connection,
}

impl Bed {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (connection, _) = file::open(&folder.path().join("state"), file::MAX_PAGES).unwrap();
        Self { _folder: folder, connection }
    }

    fn run_on_entries<T>(&self, act: impl FnOnce(&Entries<'_>) -> Result<T, Problem>) -> Result<T, Error> {
        let owner = Owner::new(Layer::User, Path::new("/a.wasm"));
        let space = Namespace { owner, scope: Scope::User, place: String::new() };
        match act(&Entries { connection: &self.connection, space: &space, quota: 4096, now: 0 }) {
            Ok(found) => Ok(found),
            Err(Problem::Guest(error)) => Err(error),
            Err(Problem::Store(error)) => panic!("{error}"),
        }
    }

    fn set(&self, key: &str, value: &[u8]) -> Result<(), Error> {
        self.run_on_entries(|entries| entries.set(key, value))
    }

    fn list_keys(&self, prefix: &str) -> Vec<String> {
        self.run_on_entries(|entries| entries.list_keys(prefix)).unwrap()
    }
}

#[test]
fn a_key_has_1_to_256_bytes_and_a_value_at_most_64_kib() {
    let bed = Bed::new();
    assert_eq!(bed.set("", b""), Err(Error::BadSize));
    assert_eq!(bed.set(&"k".repeat(256), b""), Ok(()));
    assert_eq!(bed.set(&"k".repeat(257), b""), Err(Error::BadSize));
    assert_eq!(bed.set("k", &vec![0; (64 << 10) + 1]), Err(Error::BadSize));
    assert_eq!(bed.run_on_entries(|entries| entries.get("")), Err(Error::BadSize));
}

#[test]
fn the_quota_counts_keys_and_values_and_forgets_what_is_gone() {
    let bed = Bed::new();
    assert_eq!(bed.set("one", &[0; 2045]), Ok(()));
    assert_eq!(bed.set("two", &[0; 2046]), Err(Error::Quota));
    assert_eq!(bed.set("two", &[0; 2045]), Ok(()));
    assert_eq!(bed.set("", b""), Err(Error::BadSize));
    assert_eq!(bed.set("3", b""), Err(Error::Quota));
    assert_eq!(bed.set("one", &[0; 2044]), Ok(()));
    assert_eq!(bed.set("3", b""), Ok(()));
    assert_eq!(bed.run_on_entries(|entries| entries.delete("two")), Ok(()));
    assert_eq!(bed.run_on_entries(|entries| entries.delete("two")), Ok(()));
    assert_eq!(bed.set("two", &[0; 2045]), Ok(()));
}

#[test]
fn keys_come_in_the_order_of_their_bytes_and_no_more_than_1000() {
    let bed = Bed::new();
    for key in ["b", "a%", "a_", "a", "A", "é", "a\0x"] {
        bed.set(key, b"").unwrap();
    }
    assert_eq!(bed.list_keys(""), ["A", "a", "a\0x", "a%", "a_", "b", "é"]);
    assert_eq!(bed.list_keys("a"), ["a", "a\0x", "a%", "a_"]);
    assert_eq!(bed.list_keys("a%"), ["a%"]);
    assert_eq!(bed.list_keys("c"), [""; 0]);
    for number in 0..1200 {
        bed.set(&format!("{number:03}"), b"").unwrap_or_default();
    }
    assert_eq!(bed.list_keys("").len(), 1000);
}

#[test]
fn a_number_is_counted_up_and_down_and_stays_within_64_bits() {
    let bed = Bed::new();
    let add = |by| bed.run_on_entries(|entries| entries.increment("n", by));
    assert_eq!([add(3), add(-5), add(i64::MAX)], [Ok(3), Ok(-2), Ok(i64::MAX - 2)]);
    assert_eq!(add(3), Err(Error::NotANumber));
    assert_eq!(bed.run_on_entries(|entries| entries.get("n")), Ok(Some(b"9223372036854775805".to_vec())));
    for value in ["", "x", "1.5", "99999999999999999999"] {
        bed.set("n", value.as_bytes()).unwrap();
        assert_eq!(add(1), Err(Error::NotANumber), "{value}");
    }
}

#[test]
fn a_value_is_swapped_only_for_the_one_that_is_expected() {
    let bed = Bed::new();
    let swap = |old: Option<&[u8]>, new: &[u8]| bed.run_on_entries(|entries| entries.swap("k", old, new));
    assert_eq!(swap(Some(b""), b"1"), Ok(false));
    assert_eq!(swap(None, b"1"), Ok(true));
    assert_eq!([swap(None, b"2"), swap(Some(b"2"), b"3")], [Ok(false), Ok(false)]);
    assert_eq!(swap(Some(b"1"), b"2"), Ok(true));
    assert_eq!(bed.run_on_entries(|entries| entries.get("k")), Ok(Some(b"2".to_vec())));
}
