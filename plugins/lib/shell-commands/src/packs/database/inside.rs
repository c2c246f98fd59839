//! Clients that run in a container, or where an application runs: `docker exec db psql -c …`.

use super::{clients, script};
use crate::call::Call;

/// Programs that run a command somewhere else.
const CARRIERS: &[&str] = &[
    "docker",
    "docker-compose",
    "finch",
    "fly",
    "flyctl",
    "heroku",
    "k",
    "kubectl",
    "lxc",
    "nerdctl",
    "oc",
    "podman",
    "podman-compose",
    "railway",
    "render",
];
/// Verbs behind which there is one.
const VERBS: &[&str] = &["exec", "run", "run:detached", "rsh", "ssh", "container", "console"];
/// Tools that make a database anew.
const TOOLS: &[&str] = &[
    "alembic",
    "artisan",
    "dropdb",
    "dropuser",
    "flask",
    "flyway",
    "knex",
    "liquibase",
    "manage.py",
    "mix",
    "mysqladmin",
    "pg_restore",
    "php",
    "prisma",
    "python",
    "python3",
    "rails",
    "rake",
    "sequelize",
    "typeorm",
    "rabbitmqctl",
    "kafka-topics",
    "kafka-topics.sh",
    "mongorestore",
    "etcdctl",
    "nodetool",
    "cqlsh",
];
/// Words that only affect how the command behind them starts.
const PREFIXES: &[&str] = &["bundle", "npx", "pnpm", "poetry", "uv", "yarn", "exec", "run", "sudo"];
/// Maximum number of words that are examined.
const MAX_WORDS: usize = 64;

/// The database command that another program runs somewhere else.
pub(in super::super) fn carried(call: &Call) -> Option<Call> {
    if !call.is(CARRIERS) {
        return None;
    }
    let args = call.args();
    let verb = args.iter().take(MAX_WORDS).position(|arg| VERBS.contains(&arg.as_str()))?;
    let known = |at: &usize| {
        args.get(*at).and_then(crate::arg::Arg::base_name).is_some_and(|name| {
            clients::is_client(&name) || script::is_shell(&name) || TOOLS.contains(&name.as_str())
        })
    };
    let starts = |at: &usize| {
        let before = args.get(at.saturating_sub(1)).map(crate::arg::Arg::as_str).unwrap_or_default();
        !before.starts_with("--name") && before != "--entrypoint" || PREFIXES.contains(&before)
    };
    // The name of a service may be that of its client: `docker compose exec mysql mysql -e …`.
    let found: Vec<usize> =
        (verb + 1..args.len().min(MAX_WORDS)).filter(known).filter(starts).take(2).collect();
    let at = match *found.as_slice() {
        [first, second] if second == first + 1 => second,
        [first, ..] => first,
        [] => return None,
    };
    args.get(at..).map(|words| call.with_words(words))
}
