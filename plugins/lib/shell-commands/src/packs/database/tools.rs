//! Tools that drop a database or make it anew, and queues.

use super::{Grammar, Program, Rule, Style};

const fn drop(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "database-drop",
        shapes,
        "drops databases or what keeps them",
        "dump it first (`pg_dump`, `mysqldump`, `mongodump`), and let the person drop it",
    )
}

const fn reset(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "database-reset",
        shapes,
        "empties the database or makes it anew, without its data",
        "write a migration, or make another database to try it on",
    )
}

const fn queue(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "queue-delete",
        shapes,
        "deletes queues or topics with the messages in them",
        "list them first, and let the person delete them",
    )
}

pub(super) const POSTGRES: Program =
    Program { names: &["dropdb", "dropuser"], rules: &[drop(&["!-V|--version"])] };

pub(super) const POSTGRES_GRAMMAR: Grammar = Grammar {
    names: &["dropdb", "dropuser"],
    style: Style::Shortened,
    is_global: true,
    rows: &[("", "hpU", &["host", "port", "username", "maintenance-db"])],
};

pub(super) const PG_RESTORE: Program =
    Program { names: &["pg_restore"], rules: &[drop(&["-c|--clean -d|--dbname !-l|--list"])] };

pub(super) const PG_RESTORE_GRAMMAR: Grammar = Grammar {
    names: &["pg_restore"],
    style: Style::Shortened,
    is_global: true,
    rows: &[(
        "",
        "dfFhIjLnNpPStTU",
        &[
            "dbname", "file", "format", "host", "jobs", "port", "role", "schema", "table", "username",
            "use-list",
        ],
    )],
};

pub(super) const PG_CLUSTER: Program = Program {
    names: &["pg_dropcluster", "pg_resetwal", "pg_resetxlog"],
    rules: &[drop(&["* !-n|--dry-run"])],
};

pub(super) const MYSQLADMIN: Program = Program {
    names: &["mysqladmin", "mariadb-admin"],
    rules: &[drop(&["** drop *", "** shutdown|flush-all-tables"])],
};

pub(super) const MYSQLADMIN_GRAMMAR: Grammar = Grammar {
    names: &["mysqladmin", "mariadb-admin"],
    style: Style::Shortened,
    is_global: true,
    rows: &[("", "chiPSuw", &["count", "defaults-file", "host", "port", "sleep", "socket", "user", "wait"])],
};

pub(super) const MONGORESTORE: Program =
    Program { names: &["mongorestore", "mongoimport"], rules: &[drop(&["--drop !--dryRun"])] };

pub(super) const BQ: Program =
    Program { names: &["bq"], rules: &[drop(&["rm", "load --replace", "query --replace"])] };

pub(super) const BQ_GRAMMAR: Grammar = Grammar {
    names: &["bq"],
    style: Style::SingleDash,
    is_global: true,
    rows: &[("", "", &["project_id", "dataset_id", "location", "format", "destination_table"])],
};

pub(super) const ETCD: Program = Program {
    names: &["etcdctl", "etcdutl"],
    rules: &[drop(&["del", "rm|rmdir", "member remove", "user|role delete", "snapshot restore"])],
};

pub(super) const ETCD_GRAMMAR: Grammar = Grammar {
    names: &["etcdctl", "etcdutl"],
    style: Style::Whole,
    is_global: true,
    rows: &[("", "w", &["cacert", "cert", "command-timeout", "endpoints", "key", "user", "write-out"])],
};

pub(super) const INFLUX: Program = Program {
    names: &["influx", "influx3"],
    rules: &[drop(&[
        "delete",
        "bucket|org|database|table delete",
        "delete database|table",
        "restore --full",
    ])],
};

pub(super) const CASSANDRA: Program = Program {
    names: &["nodetool", "couchbase-cli", "neo4j-admin", "cbq", "redis-trib"],
    rules: &[drop(&[
        "decommission|removenode|assassinate|clearsnapshot",
        "bucket-delete|bucket-flush|server-remove",
        "database load --overwrite-destination",
        "load --force",
    ])],
};

/// Tasks of Rails that empty a database. `db:schema:load` and `db:setup` are how a fresh checkout begins.
const RAILS_TASKS: [&str; 4] = [
    "** db:drop|db:drop:*|db:reset|db:reset:*|db:purge|db:purge:*|db:migrate:reset|db:truncate_all|db:seed:replant \
     !-T|--tasks !-n|--dry-run",
    "** spec:reset|db:mongoid:drop|db:mongoid:purge",
    "runner|r *.destroy_all*|*.delete_all*",
    "** gitlab:backup:restore",
];

pub(super) const RAILS: Program =
    Program { names: &["rails", "rake", "gitlab-rails", "gitlab-rake"], rules: &[reset(&RAILS_TASKS)] };

pub(super) const RAILS_GRAMMAR: Grammar = Grammar {
    names: &["rails", "rake"],
    style: Style::Whole,
    is_global: true,
    rows: &[("", "feIr", &["environment", "rakefile", "execute"])],
};

/// `manage.py` may be run by itself or by Python.
const MANAGE_TASKS: [&str; 2] = ["flush|reset_db|reset_schema|drop_db|dropdb|clean_db", "migrate * zero"];

pub(super) const MANAGE: Program =
    Program { names: &["manage.py", "django-admin", "django-admin.py"], rules: &[reset(&MANAGE_TASKS)] };

pub(super) const PYTHON: Program = Program {
    names: &["python", "python2", "python3", "py"],
    rules: &[reset(&[
        "*manage.py flush|reset_db|reset_schema|drop_db|dropdb|clean_db",
        "*manage.py migrate * zero",
        "downgrade base -m=alembic",
        "db downgrade base -m=flask",
        "flush|reset_db -m=django",
    ])],
};

pub(super) const PYTHON_GRAMMAR: Grammar = Grammar {
    names: &["python", "python2", "python3", "py"],
    style: Style::Whole,
    is_global: true,
    rows: &[("", "cmWX", &[])],
};

pub(super) const ALEMBIC: Program =
    Program { names: &["alembic"], rules: &[reset(&["downgrade base !--sql"])] };

pub(super) const FLASK: Program = Program {
    names: &["flask"],
    rules: &[reset(&["db downgrade base !--sql", "drop-db|drop_db|reset-db|reset_db|dropdb"])],
};

pub(super) const PRISMA: Program = Program {
    names: &["prisma"],
    rules: &[reset(&["migrate reset", "db push --force-reset|--accept-data-loss", "migrate dev --force"])],
};

pub(super) const NODE: Program = Program {
    names: &[
        "sequelize",
        "sequelize-cli",
        "knex",
        "typeorm",
        "typeorm-ts-node-commonjs",
        "typeorm-ts-node-esm",
        "mikro-orm",
        "medusa",
        "strapi",
        "payload",
        "wasp",
    ],
    rules: &[reset(&[
        "db:drop|db:migrate:undo:all|db:seed:undo:all",
        "migrate:rollback -a|--all",
        "schema:drop",
        "schema:sync -f|--force",
        "schema:drop|schema:fresh -r|--run",
        "migration:fresh",
        "migrate:fresh|migrate:reset|migrate:refresh",
        "db drop|reset",
    ])],
};

pub(super) const JAVASCRIPT_GRAMMAR: Grammar = Grammar {
    names: &["sequelize", "sequelize-cli", "knex", "typeorm", "mikro-orm", "prisma", "drizzle-kit"],
    style: Style::Whole,
    is_global: true,
    rows: &[(
        "",
        "d",
        &[
            "config",
            "connection",
            "dataSource",
            "env",
            "knexfile",
            "migrations-path",
            "options-path",
            "schema",
            "url",
        ],
    )],
};

pub(super) const DRIZZLE: Program =
    Program { names: &["drizzle-kit"], rules: &[reset(&["push --force", "drop"])] };

const ARTISAN: &str =
    "*artisan migrate:fresh|migrate:reset|migrate:refresh|db:wipe !--pretend !--env=testing|test|ci";

pub(super) const PHP: Program = Program {
    names: &["php", "sail", "lando", "ddev"],
    rules: &[reset(&[
        ARTISAN,
        "*console doctrine:database:drop|doctrine:schema:drop -f|--force !-e|--env=test",
        "*console doctrine:schema:update -f|--force --complete !-e|--env=test",
        "drush sql-drop|sql:drop|site-install|si",
        "wp db reset|drop|clean",
    ])],
};

pub(super) const PHP_GRAMMAR: Grammar = Grammar {
    names: &["php", "sail", "artisan", "console", "drush", "wp"],
    style: Style::Whole,
    is_global: false,
    rows: &[("", "BcdEFRStz", &[])],
};

pub(super) const SYMFONY: Program = Program {
    names: &["artisan", "console", "drush", "wp"],
    rules: &[reset(&[
        "migrate:fresh|migrate:reset|migrate:refresh|db:wipe !--pretend !--env=testing|test|ci",
        "doctrine:database:drop|doctrine:schema:drop -f|--force !-e|--env=test",
        "sql-drop|sql:drop|site-install|si",
        "db reset|drop|clean",
    ])],
};

pub(super) const MIX: Program = Program {
    names: &["mix"],
    rules: &[reset(&["** ecto.drop|ecto.drop,|ecto.reset|ecto.reset,|ash.reset|ash_postgres.drop"])],
};

pub(super) const DOTNET: Program = Program {
    names: &["dotnet", "dotnet-ef"],
    rules: &[reset(&["ef database drop !--dry-run", "database drop !--dry-run", "ef database update 0"])],
};

pub(super) const FLYWAY: Program =
    Program { names: &["flyway"], rules: &[reset(&["** clean", "** undo -target=0"])] };

pub(super) const LIQUIBASE: Program = Program {
    names: &["liquibase"],
    rules: &[reset(&[
        "** drop-all|dropall|dropAll",
        "** rollback-count|rollbackCount|rollback-to-date|rollbackToDate",
    ])],
};

pub(super) const DASHED_GRAMMAR: Grammar =
    Grammar { names: &["flyway"], style: Style::SingleDash, is_global: true, rows: &[] };

/// Programs that do nothing but migrate.
pub(super) const MIGRATE: Program = Program {
    names: &["migrate", "dbmate", "goose", "atlas", "tern", "soda", "bee", "hasura", "bytebase"],
    rules: &[reset(&[
        "drop",
        "down $",
        "down -all",
        "** reset|down-to",
        "schema clean",
        "migrate --down-all",
    ])],
};

pub(super) const MIGRATE_GRAMMAR: Grammar = Grammar {
    names: &["migrate", "dbmate", "goose"],
    style: Style::SingleDash,
    is_global: true,
    rows: &[(
        "",
        "",
        &[
            "path",
            "database",
            "source",
            "lock-timeout",
            "prefetch",
            "dir",
            "d",
            "e",
            "env",
            "u",
            "url",
            "table",
        ],
    )],
};

pub(super) const RUST: Program = Program {
    names: &["diesel", "sqlx", "sea-orm-cli", "cargo-sqlx", "refinery"],
    rules: &[reset(&["database|db drop|reset", "migrate fresh|refresh|reset"])],
};

pub(super) const SUPABASE: Program = Program {
    names: &["supabase"],
    rules: &[reset(&["db reset", "migration repair|squash", "stop --no-backup"])],
};

pub(super) const KAFKA_TOPICS: Program = Program {
    names: &["kafka-topics", "kafka-topics.sh", "kafka-consumer-groups", "kafka-consumer-groups.sh"],
    rules: &[queue(&["--delete", "--delete-offsets", "--reset-offsets --execute"])],
};

pub(super) const KAFKA_OTHERS: Program = Program {
    names: &[
        "kafka-delete-records",
        "kafka-delete-records.sh",
        "kafka-acls",
        "kafka-acls.sh",
        "kafka-configs",
        "kafka-configs.sh",
        "rpk",
        "kcat",
    ],
    rules: &[queue(&["--offset-json-file", "--remove", "--alter --delete-config", "topic|group delete"])],
};

pub(super) const RABBITMQ: Program = Program {
    names: &["rabbitmqctl", "rabbitmqadmin"],
    rules: &[queue(&[
        "reset|force_reset|stop_app|shutdown|forget_cluster_node",
        "delete_user|delete_vhost|delete_queue|purge_queue|clear_permissions|clear_policy",
        "delete|purge *",
        "queues|vhosts|users|exchanges delete|purge",
    ])],
};

pub(super) const RABBITMQ_GRAMMAR: Grammar = Grammar {
    names: &["rabbitmqctl", "rabbitmqadmin"],
    style: Style::Whole,
    is_global: true,
    rows: &[(
        "",
        "cHNnPpuVt",
        &["config", "host", "node", "password", "port", "timeout", "username", "vhost"],
    )],
};

/// The program of a search service.
pub(super) const ALGOLIA: Program = Program {
    names: &["algolia"],
    rules: &[Rule::ask(
        "search-index-delete",
        &["apikeys|indices|index|objects|rules|settings|synonyms delete|clear"],
        "deletes an index or what it needs",
        "list what the index holds, and let the person delete it",
    )],
};

pub(super) const NATS: Program = Program {
    names: &["nats"],
    rules: &[queue(&[
        "stream|str|s|consumer|con|c|kv|object|obj|bucket delete|del|rm|purge|reset",
        "account|acct restore|purge|delete|del|rm",
    ])],
};
