//! Secrets that are not files: those in vaults, key rings, clients of services and the environment.

mod checks;
mod grammars;

use self::checks::{environment, history, key_search};
pub(super) use self::grammars::GRAMMARS;
use super::{Check, Pack, Program, Rule};

pub(super) const PACK: Pack = Pack {
    name: "secrets",
    is_default: true,
    programs: PROGRAMS,
    places: &[],
    checks: &[
        Check {
            rule: Rule::ask(
                "environment-secrets",
                &[],
                "prints secrets of the environment",
                "`[ -n \"$NAME\" ]` tells whether one is set; a program that needs it finds it there",
            ),
            is_broken: environment,
        },
        Check {
            rule: Rule::ask(
                "history-read",
                &[],
                "prints what was typed into a shell or a client, often with secrets in it",
                "ask the person for the command that is meant",
            ),
            is_broken: history,
        },
        Check {
            rule: Rule::ask(
                "key-search",
                &[],
                "looks for keys and passwords outside of the project",
                "search in the project, or ask the person where the key is",
            ),
            is_broken: key_search,
        },
    ],
};

/// A token of a client's.
const fn token(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "token-print",
        shapes,
        "prints a token",
        "let the program that needs it take it, unseen: `TOKEN=$(…)`, or a pipe into `--password-stdin`",
    )
    .if_shown()
}

/// A value that a store of secrets holds.
const fn value(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "secret-read",
        shapes,
        "prints a secret",
        "let the program that needs it take it, unseen: `VALUE=$(…)`; a list of the names is free",
    )
    .if_shown()
}

const fn key(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "key-export",
        shapes,
        "takes a private key out of where it is kept",
        "export the public half, or let the user do it",
    )
}

const fn deletion(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "secret-delete",
        shapes,
        "deletes secrets, or the right to them, for all who use them",
        "list the keys, and let the user delete them",
    )
}

const fn replacement(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "secret-replace",
        shapes,
        "puts another secret in the place of one that others use",
        "tell the person which line to run",
    )
}

const PROGRAMS: &[Program] = &[
    Program {
        names: &["gh"],
        rules: &[
            token(&["auth token", "auth status -t|--show-token"]),
            deletion(&["secret delete|remove", "variable delete|remove"]),
        ],
    },
    Program {
        names: &["glab"],
        rules: &[
            token(&["auth status -t|--show-token", "config get token"]),
            deletion(&["variable delete|remove"]),
        ],
    },
    Program {
        names: &["aws"],
        rules: &[
            token(&[
                "configure get *secret_access_key|*session_token",
                "configure export-credentials",
                "sts get-session-token|assume-role|assume-role-*|get-federation-token",
                "sso get-role-credentials",
                "ecr get-login-password|get-authorization-token",
                "ecr-public get-login-password|get-authorization-token",
                "codeartifact get-authorization-token",
                "eks get-token",
            ]),
            value(&[
                "secretsmanager get-secret-value|batch-get-secret-value",
                "ssm get-parameter|get-parameters|get-parameters-by-path|get-parameter-history --with-decryption",
                "kms decrypt",
                "iam create-access-key",
            ]),
            deletion(&[
                "secretsmanager delete-secret|delete-resource-policy|remove-regions-from-replication",
                "ssm delete-parameter|delete-parameters",
                "kms schedule-key-deletion|disable-key|delete-alias|delete-imported-key-material",
                "iam delete-access-key",
            ]),
            replacement(&["secretsmanager put-secret-value|update-secret", "ssm put-parameter --overwrite"]),
        ],
    },
    Program {
        names: &["gcloud"],
        rules: &[
            token(&[
                "auth print-access-token|print-identity-token|print-refresh-token",
                "auth application-default print-access-token",
            ]),
            value(&["secrets versions access", "kms decrypt"]),
            deletion(&[
                "secrets delete",
                "secrets versions destroy|disable",
                "kms keys versions destroy|disable",
                "iam service-accounts keys delete",
            ]),
        ],
    },
    Program {
        names: &["az"],
        rules: &[
            token(&["account get-access-token", "acr login --expose-token|-t", "ad sp create-for-rbac"]),
            value(&[
                "keyvault secret show|download",
                "storage account keys list",
                "webapp config appsettings list",
                "functionapp config appsettings list",
                "cosmosdb keys list",
                "redis list-keys",
                "acr credential show",
                "servicebus namespace authorization-rule keys list",
            ]),
            deletion(&[
                "keyvault delete|purge",
                "keyvault secret|key|certificate delete|purge",
                "ad sp|app delete",
            ]),
            replacement(&["keyvault secret set", "storage account keys renew"]),
        ],
    },
    Program {
        names: &["kubectl", "oc", "k", "microk8s.kubectl"],
        rules: &[
            value(&[
                "get ** secret|secrets|secret/*|secrets/*|*,secret|*,secrets|secret,*|secrets,* -o|--output=yaml|json|jsonpath*|go-template*|template*|custom-columns*",
                "config view --raw",
                "extract secret/*|secrets/*",
            ]),
            token(&["create token", "whoami -t|--show-token", "sa get-token", "serviceaccounts get-token"]),
            deletion(&["delete secret|secrets|secret/*|secrets/*"]),
        ],
    },
    Program {
        names: &["vault", "bao"],
        rules: &[
            value(&[
                "kv get|export",
                "read ** *creds/*|secret/*|*/data/*|kv/*|database/*",
                "unwrap",
                "print token",
            ]),
            token(&["token create"]),
            deletion(&[
                "delete",
                "kv delete|destroy",
                "kv metadata delete",
                "secrets disable|move",
                "auth disable",
                "audit disable",
                "policy delete",
                "lease revoke",
                "token revoke",
                "namespace delete",
                "operator seal|step-down|rekey|rotate|generate-root|migrate",
            ]),
        ],
    },
    Program {
        names: &["op"],
        rules: &[
            value(&[
                "read",
                "item get --reveal",
                "item get --fields|--otp",
                "document get",
                "inject !-o|--out-file",
            ]),
            token(&["service-account create", "connect token create", "signin --raw"]),
            deletion(&[
                "item|document|vault|user|group delete|suspend",
                "connect token delete|remove",
                "connect server delete|remove",
                "account forget",
            ]),
        ],
    },
    Program {
        names: &["doppler"],
        rules: &[
            value(&["secrets get", "secrets download", "secrets $ !--only-names", "configs tokens create"]),
            deletion(&["secrets|configs|environments|projects delete", "configs tokens revoke"]),
        ],
    },
    Program {
        names: &["infisical"],
        rules: &[value(&["secrets $", "secrets get", "export"]), deletion(&["secrets delete"])],
    },
    Program {
        names: &["pass", "gopass"],
        rules: &[
            value(&["show !-c|--clip", "otp !-c|--clip", "grep", "cat"]),
            deletion(&["rm|remove|delete", "recipients remove"]),
        ],
    },
    Program {
        names: &["bw"],
        rules: &[
            value(&["get password|totp|item|notes|exposed", "list items", "export"]),
            token(&["unlock --raw", "login --raw"]),
            deletion(&["delete"]),
        ],
    },
    Program { names: &["lpass"], rules: &[value(&["show !-c|--clip", "export"]), deletion(&["rm|rmdir"])] },
    Program { names: &["rbw"], rules: &[value(&["get", "code"]), deletion(&["remove|rm|purge"])] },
    Program { names: &["keyring"], rules: &[value(&["get"]), deletion(&["del"])] },
    Program { names: &["secret-tool"], rules: &[value(&["lookup", "search"]), deletion(&["clear"])] },
    Program { names: &["kwallet-query"], rules: &[value(&["-r|--read-password"])] },
    Program {
        names: &["security"],
        rules: &[
            value(&["find-generic-password -w|-g", "find-internet-password -w|-g", "dump-keychain -d"]),
            key(&["export"]),
            deletion(&[
                "delete-keychain|delete-generic-password|delete-internet-password|delete-identity|delete-certificate",
            ]),
        ],
    },
    Program {
        names: &["cmdkey", "credstash", "chamber"],
        rules: &[value(&["get|getall|read|export|env"]), deletion(&["delete|deleteall"])],
    },
    Program { names: &["conjur"], rules: &[value(&["variable get|value"]), replacement(&["variable set"])] },
    Program {
        names: &["sops"],
        rules: &[value(&["-d|--decrypt !-o|--output|-i|--in-place", "decrypt !-i|--in-place"])],
    },
    Program { names: &["ansible-vault"], rules: &[value(&["view", "decrypt"])] },
    Program {
        names: &["gpg", "gpg2"],
        rules: &[
            key(&["--export-secret-keys", "--export-secret-key", "--export-secret-subkeys"]),
            deletion(&["--delete-secret-keys", "--delete-secret-and-public-key"]),
        ],
    },
    Program {
        names: &["openssl"],
        rules: &[key(&[
            "pkcs12 --nodes|--noenc !--export",
            "rsa|ec|pkey|dsa|pkcs8 !--noout|--pubout|--pubin|--out|--help",
        ])
        .if_shown()],
    },
    Program { names: &["wg"], rules: &[value(&["showconf", "show ** private-key|preshared-keys"])] },
    Program {
        names: &["git"],
        rules: &[
            token(&["credential fill", "credential-store get", "credential-cache get", "credential-* get"]),
            deletion(&["credential reject|erase", "credential-* erase"]),
        ],
    },
    Program {
        names: &[
            "docker-credential-desktop",
            "docker-credential-ecr-login",
            "docker-credential-gcloud",
            "docker-credential-gcr",
            "docker-credential-osxkeychain",
            "docker-credential-pass",
            "docker-credential-secretservice",
            "docker-credential-wincred",
        ],
        rules: &[token(&["get"])],
    },
    Program {
        names: &["heroku"],
        rules: &[
            token(&["auth:token", "authorizations:create"]),
            value(&["config", "config:get", "pg:credentials:url"]),
            deletion(&["config:unset|config:remove", "authorizations:revoke|authorizations:destroy"]),
        ],
    },
    Program {
        names: &["fly", "flyctl"],
        rules: &[token(&["auth token", "tokens create"]), deletion(&["secrets unset", "tokens revoke"])],
    },
    Program { names: &["railway"], rules: &[value(&["variables|variable !--set"])] },
    Program {
        names: &["netlify", "ntl"],
        rules: &[value(&["env:get|env:list|env:clone"]), deletion(&["env:unset"])],
    },
    Program {
        names: &["vercel", "vc"],
        rules: &[value(&["env pull"]), deletion(&["env rm|remove", "secrets rm|remove"])],
    },
    Program { names: &["wrangler"], rules: &[deletion(&["secret delete|bulk", "kv:key delete"])] },
    Program { names: &["supabase"], rules: &[value(&["projects api-keys"]), deletion(&["secrets unset"])] },
    Program {
        names: &["pulumi"],
        rules: &[value(&[
            "config|stack|up|preview --show-secrets",
            "config get",
            "stack output|export --show-secrets",
        ])],
    },
    Program {
        names: &["npm", "pnpm", "yarn"],
        rules: &[token(&["token create", "config get *_authtoken|*_authToken|*_password"])],
    },
    Program {
        names: &["firebase"],
        rules: &[
            token(&["login:ci"]),
            value(&["functions:secrets:access", "functions:config:get"]),
            deletion(&["functions:secrets:destroy"]),
        ],
    },
    Program {
        names: &["databricks"],
        rules: &[
            token(&["auth token", "tokens create"]),
            value(&["secrets get-secret"]),
            deletion(&["secrets delete-secret|delete-scope"]),
        ],
    },
    Program { names: &["doctl"], rules: &[token(&["auth token"])] },
    Program {
        names: &["docker", "podman", "nerdctl"],
        rules: &[
            value(&[
                "inspect -f|--format=*Config.Env*|*.Env*",
                "container inspect -f|--format=*Config.Env*|*.Env*",
            ]),
            deletion(&["secret rm|remove"]),
        ],
    },
    Program {
        names: &["printenv"],
        rules: &[Rule::ask(
            "environment-secrets",
            &[SECRET_NAMES],
            "prints secrets of the environment",
            "`[ -n \"$NAME\" ]` tells whether one is set; a program that needs it finds it there",
        )
        .if_shown()],
    },
    Program { names: &["circleci"], rules: &[deletion(&["context remove-secret|delete"])] },
];

/// Shapes for names of variables with secrets.
const SECRET_NAMES: &str = "** *TOKEN|*TOKEN_*|*SECRET*|*PASSWORD*|*PASSWD*|*_PASS|*API_KEY*|*APIKEY*|*_KEY|*PRIVATE_KEY*|*CREDENTIALS*|*ACCESS_KEY*|DATABASE_URL|*_DSN|*CONNECTION_STRING*";
