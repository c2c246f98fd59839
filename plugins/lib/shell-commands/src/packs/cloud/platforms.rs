//! Platforms that run one's applications.

use super::{Grammar, Program, Rule, Style, everywhere};

const fn delete(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "platform-delete",
        shapes,
        "deletes what the platform runs or keeps, with its data",
        "list it first, and let the person delete it",
    )
}

const fn setting(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "platform-setting",
        shapes,
        "takes away settings that what is deployed may need",
        "list the settings first, and let the person take them away",
    )
}

const fn stop(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "platform-stop",
        shapes,
        "stops what people use or puts an older one in its place",
        "tell the person why it should stop",
    )
}

pub(super) const HEROKU: Program = Program {
    names: &["heroku"],
    rules: &[
        delete(&[
            "apps:destroy|apps:delete|destroy|addons:destroy|addons:remove|addons:detach|pipelines:destroy",
            "domains:remove|domains:clear|certs:remove|spaces:destroy|container:rm|repo:reset|pg:reset",
            "pg:backups:delete|pg:backups:restore|pg:copy|pg:push|pg:credentials:destroy|keys:clear|domains clear",
            "apps|addons|pipelines|spaces destroy|delete|remove|detach",
            "domains|certs|container|repo remove|rm|clear|reset",
            "pg reset|copy|push",
            "pg backups delete|restore",
        ]),
        setting(&[
            "config:unset|config:remove|apps:rename|rename|features:disable|labs:disable",
            "config unset|remove",
            "apps rename",
            "features|labs disable",
        ]),
        stop(&[
            "ps:stop|ps:kill|maintenance:on|stop|rollback|releases:rollback",
            "ps stop|kill",
            "maintenance on",
            "releases rollback",
            "ps:scale|scale ** *=0|*=0:*",
            "ps scale ** *=0|*=0:*",
        ]),
    ],
};

pub(super) const HEROKU_GRAMMAR: Grammar = everywhere(
    &["heroku"],
    Style::Whole,
    &[("", "ar", &["app", "confirm", "pipeline", "remote", "space", "team"])],
);

pub(super) const FLY: Program = Program {
    names: &["fly", "flyctl"],
    rules: &[
        delete(&[
            "destroy",
            "app|apps|certs|consul|ext|extensions|ips|litefs-cloud|mpg|mysql|orgs|postgres|pg|redis|storage \
             destroy|delete|remove|rm|release|del",
            "m|machine|machines|vol|volume|volumes|tokens|wireguard destroy|delete|remove|rm|revoke|del",
            "ext|extensions * destroy|delete",
        ]),
        setting(&["secret|secrets unset|remove|rm"]),
        stop(&["suspend", "app|apps suspend", "m|machine|machines stop|suspend|kill", "scale count 0|*=0"]),
    ],
};

pub(super) const FLY_GRAMMAR: Grammar = everywhere(
    &["fly", "flyctl"],
    Style::Whole,
    &[("", "actor", &["access-token", "app", "config", "org", "process-group", "region"])],
);

pub(super) const VERCEL: Program = Program {
    names: &["vercel", "vc", "now"],
    rules: &[
        delete(&[
            "remove|rm",
            "alias|aliases|certs|dns|domain|domains|project|projects|teams|integration rm|remove",
            "blob del|delete|delete-store|remove",
            "blob store remove|delete",
        ]),
        setting(&["env rm|remove"]),
        stop(&["rollback"]),
    ],
};

pub(super) const VERCEL_GRAMMAR: Grammar = everywhere(
    &["vercel", "vc", "now"],
    Style::Whole,
    &[("", "ASQt", &["cwd", "global-config", "local-config", "scope", "team", "token"])],
);

pub(super) const NETLIFY: Program = Program {
    names: &["netlify", "ntl"],
    rules: &[
        delete(&["sites:delete|blobs:delete|db:drop", "sites|blobs delete", "api delete*"]),
        setting(&["env:unset|env:clone *", "env unset|clone *", "env:clone -t|--to", "env clone -t|--to"]),
    ],
};

pub(super) const NETLIFY_GRAMMAR: Grammar = everywhere(
    &["netlify", "ntl"],
    Style::Whole,
    &[("", "fst", &["auth", "context", "filter", "from", "scope", "site", "site-id", "to"])],
);

pub(super) const WRANGLER: Program = Program {
    names: &["wrangler"],
    rules: &[
        delete(&[
            "delete !--dry-run",
            "d1|dispatch-namespace|hyperdrive|kv:bulk|kv:key|kv:namespace|queues|vectorize|workflows delete !--local",
            "containers|pages|pipelines|r2 ** delete !--local",
            "kv bulk|key|namespace delete !--local",
            "queues purge",
            "d1 time-travel restore",
        ]),
        setting(&["secret|secrets delete", "pages secret delete", "secrets-store * delete", "secret:bulk"]),
        stop(&["rollback", "deployments rollback"]),
    ],
};

pub(super) const WRANGLER_GRAMMAR: Grammar = everywhere(
    &["wrangler"],
    Style::Whole,
    &[("", "ce", &["binding", "config", "cwd", "env", "name", "namespace-id", "project-name", "env-file"])],
);

pub(super) const FIREBASE: Program = Program {
    names: &["firebase"],
    rules: &[
        delete(&[
            "functions:delete|firestore:delete|firestore:databases:delete|database:remove|hosting:disable",
            "hosting:sites:delete|hosting:channel:delete|apphosting:backends:delete|dataconnect:sql:migrate",
            "ext:uninstall|remoteconfig:rollback|projects:delete|firestore:backups:delete",
        ]),
        setting(&["functions:config:unset|functions:secrets:destroy|functions:secrets:prune|target:clear"]),
    ],
};

pub(super) const FIREBASE_GRAMMAR: Grammar = everywhere(
    &["firebase"],
    Style::Whole,
    &[("", "cP", &["account", "config", "database", "instance", "project", "region", "site", "token"])],
);

pub(super) const SUPABASE: Program = Program {
    names: &["supabase"],
    rules: &[
        delete(&["branches|functions|projects|sso delete|remove", "storage rm"]),
        setting(&["secrets unset"]),
    ],
};

pub(super) const SUPABASE_GRAMMAR: Grammar = everywhere(
    &["supabase"],
    Style::Whole,
    &[("", "o", &["db-url", "output", "profile", "project-ref", "version", "workdir"])],
);

pub(super) const CLOUD_FOUNDRY: Program = Program {
    names: &["cf"],
    rules: &[
        delete(&["delete|d|delete-*|purge-*|rollback"]),
        setting(&["unset-env|ue|unbind-service|us"]),
        stop(&["stop|sp"]),
    ],
};

pub(super) const DOKKU: Program = Program {
    names: &["dokku"],
    rules: &[
        delete(&["*:destroy|*:remove|*:clear|cleanup"]),
        setting(&["config:unset|config:clear"]),
        stop(&["ps:stop|apps:lock"]),
    ],
};

pub(super) const RAILWAY: Program = Program {
    names: &["railway", "render", "surge", "eas", "appwrite", "deployctl"],
    rules: &[delete(&[
        "down|delete|teardown|remove",
        "** delete|delete-*|deleteProject|remove|rm",
        "*:delete",
    ])],
};

pub(super) const FASTLY: Program =
    Program { names: &["fastly"], rules: &[delete(&["** delete", "purge --all", "** purge --all"])] };
