//! Expiry of sessions: their end is not reported, so their entries are removed a long time after the last write.

use rusqlite::{Connection, TransactionBehavior, params};

/// Time for which the entries of a session are kept after the last write, seconds.
const SESSION_LIFETIME: i64 = 30 * DAY;
/// Interval of pruning, seconds.
const DAY: i64 = 24 * 60 * 60;
/// Most sessions that one pruning removes: a call waits for it.
const MAX_SESSIONS: i64 = 100;

/// Removes old sessions, at most once a day over all processes. `now` is in seconds since the Unix epoch.
pub(super) fn prune_sessions(connection: &mut Connection, now: i64) -> rusqlite::Result<()> {
    let last: i64 =
        connection.prepare_cached("SELECT pruned FROM upkeep")?.query_row([], |row| row.get(0))?;
    // A clock that was wrong for a while must not keep them for ever.
    if (last..last.saturating_add(DAY)).contains(&now) {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute("UPDATE upkeep SET pruned = ?1", [now])?;
    // With an order, so that the limit selects the same rows in both statements.
    let old = "SELECT id FROM namespace WHERE scope = 'session' AND written < ?1 ORDER BY id LIMIT ?2";
    let params = params![now.saturating_sub(SESSION_LIFETIME), MAX_SESSIONS];
    transaction.execute(&format!("DELETE FROM entry WHERE namespace IN ({old})"), params)?;
    transaction.execute(&format!("DELETE FROM namespace WHERE id IN ({old})"), params)?;
    transaction.commit()
}
