//! Data: statements passed to database clients, tools that recreate a database, and deletion of backups.

mod backups;
mod clients;
mod inside;
mod script;
mod search;
mod sql;
mod tools;

pub(super) use self::inside::carried;
use super::{Call, Check, Grammar, Pack, Program, Rule, Style, Words};

pub(super) const PACK: Pack = Pack {
    name: "database",
    is_default: true,
    programs: &[
        tools::POSTGRES,
        tools::PG_RESTORE,
        tools::PG_CLUSTER,
        tools::MYSQLADMIN,
        tools::MONGORESTORE,
        tools::BQ,
        tools::ETCD,
        tools::INFLUX,
        tools::CASSANDRA,
        tools::RAILS,
        tools::PYTHON,
        tools::MANAGE,
        tools::ALEMBIC,
        tools::FLASK,
        tools::PRISMA,
        tools::NODE,
        tools::DRIZZLE,
        tools::PHP,
        tools::SYMFONY,
        tools::MIX,
        tools::DOTNET,
        tools::FLYWAY,
        tools::LIQUIBASE,
        tools::MIGRATE,
        tools::RUST,
        tools::SUPABASE,
        tools::KAFKA_TOPICS,
        tools::KAFKA_OTHERS,
        tools::RABBITMQ,
        tools::NATS,
        tools::ALGOLIA,
        backups::BORG,
        backups::RESTIC,
        backups::OTHERS,
    ],
    places: &[],
    checks: &[
        Check {
            rule: Rule::ask(
                "sql-drop",
                &[],
                "drops tables, columns or whole databases",
                "`ALTER TABLE … RENAME` keeps the data; else dump it first, and let the person drop it",
            ),
            is_broken: sql_drop,
        },
        Check {
            rule: Rule::ask(
                "sql-all-rows",
                &[],
                "changes or deletes every row of a table",
                "add a `WHERE`, and `SELECT count(*)` with the same one first",
            ),
            is_broken: sql_all_rows,
        },
        Check {
            rule: Rule::ask(
                "mongo-drop",
                &[],
                "drops collections or databases, or deletes every document",
                "`countDocuments` with a filter shows what would go; delete with that filter",
            ),
            is_broken: script::drops_collections,
        },
        Check {
            rule: Rule::ask(
                "redis-flush",
                &[],
                "empties or stops the server",
                "delete the keys that are meant, by name",
            ),
            is_broken: script::flushes_keys,
        },
        Check {
            rule: Rule::ask(
                "search-index-delete",
                &[],
                "deletes an index with every document in it",
                "list what the index holds, and let the person delete it",
            ),
            is_broken: search::deletes_index,
        },
        Check {
            rule: Rule::ask(
                "api-delete",
                &[],
                "asks a server to delete something",
                "`GET` it first, and tell the person what would go",
            ),
            is_broken: search::deletes_elsewhere,
        },
    ],
};

pub(super) const GRAMMARS: &[Grammar] = &[
    backups::BORG_GRAMMAR,
    backups::RESTIC_GRAMMAR,
    clients::PSQL_GRAMMAR,
    clients::MYSQL_GRAMMAR,
    clients::SQLITE_GRAMMAR,
    clients::REDIS_GRAMMAR,
    tools::BQ_GRAMMAR,
    tools::DASHED_GRAMMAR,
    tools::ETCD_GRAMMAR,
    tools::JAVASCRIPT_GRAMMAR,
    tools::MIGRATE_GRAMMAR,
    tools::MYSQLADMIN_GRAMMAR,
    tools::PG_RESTORE_GRAMMAR,
    tools::PHP_GRAMMAR,
    tools::POSTGRES_GRAMMAR,
    tools::PYTHON_GRAMMAR,
    tools::RABBITMQ_GRAMMAR,
    tools::RAILS_GRAMMAR,
];

fn sql_drop(call: &Call) -> bool {
    clients::statements(call).iter().any(|text| sql::read(text, clients::escapes(call)).drops)
}

fn sql_all_rows(call: &Call) -> bool {
    clients::statements(call).iter().any(|text| sql::read(text, clients::escapes(call)).touches_all_rows)
}
