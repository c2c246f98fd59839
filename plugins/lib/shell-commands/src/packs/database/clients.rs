//! Statements among the words of a database client.

use std::borrow::Cow;

use super::{Grammar, Style, Words};
use crate::{arg::Arg, call::Call, packs::place};

/// A client of databases that speak SQL.
struct Client {
    names: &'static [&'static str],
    /// Operands that come first, where the program does more than that.
    verbs: &'static [&'static str],
    /// Options with a statement.
    options: &'static [&'static str],
    /// The first operand that is a statement.
    operands: Option<usize>,
}

const fn client(
    names: &'static [&'static str],
    verbs: &'static [&'static str],
    options: &'static [&'static str],
    operands: Option<usize>,
) -> Client {
    Client { names, verbs, options, operands }
}

const CLIENTS: &[Client] = &[
    client(&["psql", "pgcli", "ysqlsh", "usql", "vsql", "gsql"], &[], &["-c", "--command"], None),
    client(
        &["mysql", "mariadb", "mycli", "litecli", "mysqlsh"],
        &[],
        &["-e", "--execute", "--init-command", "--sql"],
        None,
    ),
    client(&["sqlite3", "sqlite", "sqlcipher", "duckdb"], &[], &["-c", "-s", "-cmd", "--cmd"], Some(1)),
    client(&["clickhouse-client", "clickhouse-local", "chc"], &[], &["-q", "--query"], Some(0)),
    client(&["clickhouse"], &["client|local"], &["-q", "--query"], Some(1)),
    client(&["sqlcmd", "osql", "tsql", "mssql-cli", "isql"], &[], &["-q", "-Q", "--query"], None),
    client(&["cqlsh", "hive", "beeline", "spark-sql"], &[], &["-e", "--execute"], None),
    client(&["impala-shell", "snowsql"], &[], &["-q", "--query"], None),
    client(&["trino", "presto", "presto-cli"], &[], &["-execute", "--execute"], None),
    client(&["cockroach"], &["sql"], &["-e", "--execute"], None),
    client(&["dolt", "snow"], &["sql"], &["-q", "--query"], None),
    client(&["influx", "influx3"], &[], &["-execute", "--execute"], Some(1)),
    client(&["db2", "ksql", "vtgate"], &[], &[], Some(0)),
    client(&["sqlplus", "surreal"], &[], &[], None),
    client(&["bq"], &["query"], &[], Some(1)),
    client(&["wrangler"], &["d1", "execute"], &["--command"], None),
    client(&["turso"], &["db", "shell"], &[], Some(3)),
    client(&["heroku"], &["pg:psql"], &["-c", "--command"], None),
    client(&["heroku"], &["pg", "psql"], &["-c", "--command"], None),
    client(&["supabase"], &["db", "query|execute"], &[], Some(2)),
    client(&["prisma"], &["db", "execute"], &[], None),
    client(&["rails"], &["db|dbconsole"], &[], None),
];

/// Returns true if a program of this name takes statements.
pub(super) fn is_client(name: &str) -> bool {
    CLIENTS.iter().any(|client| client.verbs.is_empty() && client.names.contains(&name))
}

/// Returns true if the client's database takes a backslash before a quote as a part of the string.
pub(super) fn escapes(call: &Call) -> bool {
    call.is(&[
        "mysql",
        "mariadb",
        "mycli",
        "mysqlsh",
        "clickhouse",
        "clickhouse-client",
        "clickhouse-local",
        "bq",
    ])
}

/// The statements that a command gives to a database.
pub(super) fn statements(call: &Call) -> Vec<Cow<'_, str>> {
    let name = call.name();
    if !CLIENTS.iter().any(|client| client.names.contains(&name)) {
        return Vec::new();
    }
    let words = Words::of(call);
    let is_meant = |client: &&Client| client.names.contains(&name) && has_verbs(client, &words);
    let Some(client) = CLIENTS.iter().find(is_meant).filter(|_| !is_throwaway(call, &words)) else {
        return Vec::new();
    };
    let values = client.options.iter().flat_map(|option| values_of(call, option));
    let mut found: Vec<Cow<'_, str>> = values.collect();
    // `psql -f <(…)`
    let streams = call.args().iter().filter_map(|arg| arg.stream.as_ref()?.text.as_deref());
    found.extend(streams.map(Cow::Borrowed));
    let operands = client.operands.and_then(|first| words.operands.get(first..));
    found.extend(operands.unwrap_or_default().iter().map(|operand| Cow::Owned(operand.plain())));
    if client.operands.is_some() {
        // `db2 drop table t`: without quotes, the words are one statement.
        let all: Vec<String> = operands.unwrap_or_default().iter().map(Arg::plain).collect();
        found.push(Cow::Owned(all.join(" ")));
    }
    found.extend(call.stdin.text.as_deref().map(Cow::Borrowed));
    found
}

fn has_verbs(client: &Client, words: &Words) -> bool {
    let mut operands = words.operands.iter();
    client
        .verbs
        .iter()
        .all(|verb| operands.next().is_some_and(|operand| verb.split('|').any(|one| one == operand.as_str())))
}

/// A database in memory or in a temporary folder is nobody's loss.
fn is_throwaway(call: &Call, words: &Words) -> bool {
    if !call.is(&["sqlite3", "sqlite", "sqlcipher", "duckdb"]) {
        return false;
    }
    let opens = |text: &str| {
        let text = text.trim_start().to_lowercase();
        text.contains("attach") || text.starts_with(".open")
    };
    let is_more =
        call.args().iter().any(|arg| opens(arg.as_str())) || call.stdin.text.as_deref().is_some_and(opens);
    let file = words.operands.first().map(Arg::as_str);
    !is_more
        && file.is_none_or(|file| {
            file.is_empty() || file == ":memory:" || place::of_path(file, call) == place::Place::Temporary
        })
}

/// Returns the values of an option, however they are written: an unknown option before it hides nothing.
fn values_of<'a>(call: &'a Call, option: &'a str) -> impl Iterator<Item = Cow<'a, str>> {
    let args = call.args();
    args.iter().enumerate().filter_map(move |(at, arg)| {
        let text = arg.as_str();
        if option.starts_with("--") {
            let (name, glued) =
                text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
            // Many clients take a part of the name for it: `--comm=…`.
            let is_meant = name.len() > 2 && option.starts_with(name);
            return match glued.filter(|_| is_meant) {
                Some(glued) => Some(Cow::Owned(Arg::new(glued).plain())),
                None => is_meant.then(|| next(args, at)).flatten(),
            };
        }
        let letter = option.trim_start_matches('-');
        let letters = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
        if letters.ends_with(letter) && letters.len() <= 8 {
            return next(args, at);
        }
        let glued = letters.strip_prefix(letter).filter(|_| letter.len() == 1)?;
        Some(Cow::Owned(Arg::new(glued).plain()))
    })
}

fn next(args: &[Arg], at: usize) -> Option<Cow<'_, str>> {
    args.get(at + 1).map(|arg| Cow::Owned(arg.plain()))
}

pub(super) const PSQL_GRAMMAR: Grammar = Grammar {
    names: &["psql", "pgcli", "ysqlsh"],
    style: Style::Shortened,
    is_global: true,
    rows: &[(
        "",
        "cdfFhLopPRTUv",
        &[
            "command",
            "dbname",
            "field-separator",
            "file",
            "host",
            "log-file",
            "output",
            "port",
            "pset",
            "record-separator",
            "table-attr",
            "username",
            "variable",
        ],
    )],
};

pub(super) const MYSQL_GRAMMAR: Grammar = Grammar {
    names: &["mysql", "mariadb"],
    style: Style::Shortened,
    is_global: true,
    rows: &[(
        "",
        "DehPSu",
        &["database", "defaults-file", "execute", "host", "port", "protocol", "socket", "user"],
    )],
};

pub(super) const SQLITE_GRAMMAR: Grammar = Grammar {
    names: &["sqlite3", "sqlite", "sqlcipher", "duckdb"],
    style: Style::SingleDash,
    is_global: true,
    rows: &[(
        "",
        "",
        &[
            "A",
            "c",
            "cmd",
            "heap",
            "init",
            "lookaside",
            "maxsize",
            "mmap",
            "newline",
            "nullvalue",
            "pagecache",
            "s",
            "separator",
            "vfs",
        ],
    )],
};

pub(super) const REDIS_GRAMMAR: Grammar = Grammar {
    names: super::script::REDIS,
    style: Style::Whole,
    is_global: true,
    rows: &[(
        "",
        "adDhinprstuX",
        &[
            "cacert",
            "cacertdir",
            "cert",
            "count",
            "eval",
            "functions-rdb",
            "intrinsic-latency",
            "key",
            "pass",
            "pattern",
            "pipe-timeout",
            "quoted-pattern",
            "rdb",
            "sni",
            "tls-ciphers",
            "user",
        ],
    )],
};
