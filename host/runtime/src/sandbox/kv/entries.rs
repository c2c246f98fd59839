//! The entries of one namespace, within one transaction.

use rusqlite::{Connection, ErrorCode, OptionalExtension, params};

use super::{super::bindings::hookbox::hook::kv::Error, place::Namespace};

/// Longest key, bytes.
const MAX_KEY_BYTES: usize = 256;
/// Longest value, bytes.
const MAX_VALUE_BYTES: usize = 64 << 10;
/// Most keys in one list.
const MAX_KEYS: usize = 1000;

#[derive(Debug)]
pub(super) enum Problem {
    /// Returned to the guest.
    Guest(Error),
    /// The hook fails.
    Store(rusqlite::Error),
}

impl From<rusqlite::Error> for Problem {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Guest(Error::Busy),
            _ => Self::Store(error),
        }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self::Guest(error)
    }
}

/// Entries of one namespace, for one request.
pub(super) struct Entries<'a> {
    pub(super) connection: &'a Connection,
    pub(super) space: &'a Namespace,
    /// Most bytes of keys and values together.
    pub(super) quota: u64,
    /// Current time, seconds since the Unix epoch.
    pub(super) now: i64,
}

impl Entries<'_> {
    pub(super) fn get(&self, key: &str) -> Result<Option<Vec<u8>>, Problem> {
        check_sizes(key, &[])?;
        let sql = "SELECT value FROM entry JOIN namespace ON id = namespace \
                   WHERE owner = ?1 AND scope = ?2 AND place = ?3 AND key = ?4";
        let mut query = self.connection.prepare_cached(sql)?;
        let Namespace { owner, scope, place } = self.space;
        let found = query.query_row(params![owner.as_str(), scope.as_str(), place, key], |row| row.get(0));
        Ok(found.optional()?)
    }

    pub(super) fn list_keys(&self, prefix: &str) -> Result<Vec<String>, Problem> {
        // A range and not `LIKE`, which ignores the case of letters and has wildcards.
        let sql = "SELECT key FROM entry JOIN namespace ON id = namespace \
                   WHERE owner = ?1 AND scope = ?2 AND place = ?3 AND key >= ?4 ORDER BY key LIMIT ?5";
        let mut query = self.connection.prepare_cached(sql)?;
        let Namespace { owner, scope, place } = self.space;
        let most = i64::try_from(MAX_KEYS).unwrap_or(i64::MAX);
        let params = params![owner.as_str(), scope.as_str(), place, prefix, most];
        let keys: Vec<String> = query.query_map(params, |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(keys.into_iter().take_while(|key| key.starts_with(prefix)).collect())
    }

    pub(super) fn set(&self, key: &str, value: &[u8]) -> Result<(), Problem> {
        check_sizes(key, value)?;
        let Row { id, bytes } = self.row()?;
        let bytes = bytes - self.stored_size(id, key)? + entry_size(key, value);
        if u64::try_from(bytes).unwrap_or_default() > self.quota {
            return Err(Error::Quota.into());
        }
        let sql = "INSERT OR REPLACE INTO entry (namespace, key, value) VALUES (?1, ?2, ?3)";
        self.connection.prepare_cached(sql)?.execute(params![id, key, value])?;
        self.update_size(id, bytes)
    }

    pub(super) fn delete(&self, key: &str) -> Result<(), Problem> {
        check_sizes(key, &[])?;
        let Row { id, bytes } = self.row()?;
        let bytes = bytes - self.stored_size(id, key)?;
        let sql = "DELETE FROM entry WHERE namespace = ?1 AND key = ?2";
        self.connection.prepare_cached(sql)?.execute(params![id, key])?;
        self.update_size(id, bytes)
    }

    pub(super) fn increment(&self, key: &str, by: i64) -> Result<i64, Problem> {
        let number = match self.get(key)? {
            None => 0,
            Some(value) => parse_number(&value).ok_or(Error::NotANumber)?,
        };
        let sum = number.checked_add(by).ok_or(Error::NotANumber)?;
        self.set(key, sum.to_string().as_bytes())?;
        Ok(sum)
    }

    pub(super) fn swap(&self, key: &str, old: Option<&[u8]>, new: &[u8]) -> Result<bool, Problem> {
        let same = self.get(key)?.as_deref() == old;
        if same {
            self.set(key, new)?;
        }
        Ok(same)
    }

    /// Returns the namespace's row, created if necessary, and updates its time of writing.
    fn row(&self) -> Result<Row, Problem> {
        let sql = "INSERT INTO namespace (owner, scope, place, bytes, written) VALUES (?1, ?2, ?3, 0, ?4) \
                   ON CONFLICT DO UPDATE SET written = excluded.written RETURNING id, bytes";
        let Namespace { owner, scope, place } = self.space;
        let params = params![owner.as_str(), scope.as_str(), place, self.now];
        let row = |row: &rusqlite::Row<'_>| Ok(Row { id: row.get(0)?, bytes: row.get(1)? });
        Ok(self.connection.prepare_cached(sql)?.query_row(params, row)?)
    }

    /// Returns the entry's part of the quota, bytes.
    fn stored_size(&self, id: i64, key: &str) -> Result<i64, Problem> {
        let sql = "SELECT length(value) FROM entry WHERE namespace = ?1 AND key = ?2";
        let mut query = self.connection.prepare_cached(sql)?;
        let value: Option<i64> = query.query_row(params![id, key], |row| row.get(0)).optional()?;
        Ok(value.map_or(0, |value| value + entry_size(key, &[])))
    }

    fn update_size(&self, id: i64, bytes: i64) -> Result<(), Problem> {
        let sql = "UPDATE namespace SET bytes = ?2 WHERE id = ?1";
        self.connection.prepare_cached(sql)?.execute(params![id, bytes])?;
        Ok(())
    }
}

/// A namespace on disk.
struct Row {
    id: i64,
    /// Size of all its keys and values.
    bytes: i64,
}

fn entry_size(key: &str, value: &[u8]) -> i64 {
    i64::try_from(key.len() + value.len()).unwrap_or(i64::MAX)
}

fn check_sizes(key: &str, value: &[u8]) -> Result<(), Error> {
    let fits = (1..=MAX_KEY_BYTES).contains(&key.len()) && value.len() <= MAX_VALUE_BYTES;
    if fits { Ok(()) } else { Err(Error::BadSize) }
}

fn parse_number(value: &[u8]) -> Option<i64> {
    std::str::from_utf8(value).ok()?.parse().ok()
}

#[cfg(test)]
mod tests;
