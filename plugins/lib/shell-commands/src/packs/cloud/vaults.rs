//! Keepers of secrets and of settings that services share.

use super::{Grammar, Program, Rule, Style, everywhere};

const fn delete(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "vault-delete",
        shapes,
        "deletes secrets or settings that services may need",
        "list what depends on it first, and let the person delete it",
    )
}

pub(super) const VAULT: Program = Program {
    names: &["vault", "bao"],
    rules: &[delete(&[
        "delete",
        "kv delete|destroy",
        "kv metadata delete",
        "secrets|auth|audit disable",
        "secrets move",
        "policy|namespace delete",
        "lease|token revoke",
        "operator seal|step-down|rekey|generate-root|rotate",
        "operator raft remove-peer",
        "operator raft snapshot restore",
        "plugin deregister",
    ])],
};

pub(super) const CONSUL: Program = Program {
    names: &["consul"],
    rules: &[delete(&[
        "kv|config|intention|partition|namespace|peering delete",
        "acl * delete",
        "snapshot restore",
        "leave|force-leave",
        "services deregister",
        "operator raft remove-peer",
    ])],
};

pub(super) const NOMAD: Program = Program {
    names: &["nomad"],
    rules: &[delete(&[
        "stop",
        "job stop|deployments-fail",
        "var purge",
        "volume delete|deregister|detach",
        "namespace|quota delete",
        "acl * delete",
        "node drain|purge",
        "system gc",
        "operator raft remove-peer",
        "operator snapshot restore",
    ])],
};

pub(super) const GRAMMAR: Grammar = everywhere(
    &["vault", "bao", "consul", "nomad"],
    Style::SingleDash,
    &[(
        "",
        "",
        &[
            "address",
            "agent-address",
            "ca-cert",
            "client-cert",
            "client-key",
            "datacenter",
            "field",
            "format",
            "http-addr",
            "mount",
            "namespace",
            "ns",
            "region",
            "token",
            "version",
            "versions",
        ],
    )],
);

/// Password managers with commands of the form `op item delete name`.
pub(super) const MANAGERS: Program = Program {
    names: &["bw", "bws", "chamber", "doppler", "infisical", "op"],
    rules: &[delete(&["** delete", "secret|project * delete"])],
};

pub(super) const MANAGERS_GRAMMAR: Grammar = everywhere(
    MANAGERS.names,
    Style::Whole,
    &[("", "cpt", &["account", "config", "env", "path", "project", "session", "token", "vault"])],
);
