//! Exceptions in the user's configuration: command, folder, expiry date.

use super::{Allow, checked_shape};
use crate::{
    arg::Arg,
    call::Call,
    codes::{self, SELF_PROTECTION},
    packs::{Shape, Words},
    scope::home_of,
};

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// One exception, checked.
#[derive(Clone, Debug)]
pub(super) struct Allowed {
    command: String,
    folder: Option<String>,
    /// The first moment at which it does not hold, in milliseconds since the Unix epoch.
    end: Option<i64>,
    codes: Vec<String>,
}

impl Allowed {
    pub(super) fn new(allow: &Allow) -> Result<Self, String> {
        checked_shape("`allow`", &allow.command)?;
        for code in &allow.codes {
            if codes::named(code).is_none() {
                return Err(format!("`allow`: unknown code `{code}`"));
            }
            if SELF_PROTECTION.contains(&code.as_str()) {
                return Err(format!(
                    "`allow`: nothing is an exception from `{code}`, which protects the guard itself"
                ));
            }
        }
        let folder = allow.folder.as_deref().map(str::trim);
        if folder.is_some_and(|folder| {
            !folder.starts_with(['/', '~']) || folder.split('/').any(|part| part == "..")
        }) {
            return Err(
                "`allow`: `in` is a whole path, such as `/srv/app` or `~/code/app`, without `..`".to_owned()
            );
        }
        let end = allow.until.as_deref().map(|until| {
            day(until)
                .map(|day| (day + 1) * DAY)
                .ok_or_else(|| format!("`allow`: `until` is a day like `2026-12-31`, not `{until}`"))
        });
        Ok(Self {
            command: allow.command.clone(),
            folder: folder.map(|folder| folder.trim_end_matches('/').to_owned()),
            end: end.transpose()?,
            codes: allow.codes.clone(),
        })
    }

    pub(super) fn holds_at(&self, now: u64) -> bool {
        self.end.is_none_or(|end| now > 0 && i64::try_from(now).is_ok_and(|now| now < end))
    }

    pub(super) fn is_for(&self, code: &str, call: &Call) -> bool {
        let is_code = self.codes.is_empty() || self.codes.iter().any(|meant| meant == code);
        is_code && self.is_here(call) && self.is_command(call)
    }

    fn is_command(&self, call: &Call) -> bool {
        let written = call.words.first().map(Arg::as_str).unwrap_or_default();
        let Some(shape) = Shape::command(&self.command).filter(|shape| shape.is_of(call.name(), written))
        else {
            return false;
        };
        // What a redirection writes is no part of what the exception says.
        let writes_nothing = call
            .writes
            .iter()
            .all(|target| matches!(target.as_str(), "/dev/null" | "/dev/stdout" | "/dev/stderr"));
        writes_nothing && shape.covers(&Words::of(call).into_written())
    }

    /// Returns true if the workspace is in the exception's folder. An unknown workspace is not.
    fn is_here(&self, call: &Call) -> bool {
        let Some(folder) = &self.folder else { return true };
        let Some(workspace) = &call.workspace else { return false };
        let is_below = |root: &str| {
            workspace.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        match folder.strip_prefix('~') {
            None => is_below(folder),
            Some(rest) => home_of(workspace).is_some_and(|home| is_below(&format!("{home}{rest}"))),
        }
    }
}

/// The days from 1970-01-01 to a date of the years 1970 to 9999.
fn day(date: &str) -> Option<i64> {
    let [year, month, day] = *date.split('-').collect::<Vec<_>>() else { return None };
    let number = |text: &str, digits: usize| -> Option<i64> {
        let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse().ok())?
    };
    let (year, month, day) = (number(year, 4)?, number(month, 2)?, number(day, 2)?);
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = |month: i64| match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if year < 1970 || !(1..=12).contains(&month) || !(1..=length(month)).contains(&day) {
        return None;
    }
    let years = (1970..year).map(|year| 365 + i64::from(is_leap(year))).sum::<i64>();
    Some(years + (1..month).map(length).sum::<i64>() + day - 1)
}
