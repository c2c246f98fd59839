//! Registries of packages: what is published there is copied within seconds.

use crate::packs::Rule;

const PUBLISHES: &str = "publishes a package, which cannot be taken back";
const TRY_IT: &str = "show what would be published, with the registry's dry run, and let the user publish it";
const WITHDRAWS: &str = "takes a published package away from everybody who uses it";
const PREPARE_FIX: &str = "prepare a fixed version, and let the user decide about this one";
const ACCESS: &str = "changes who may publish a package, or what everybody gets";
const ASK_OWNER: &str = "tell the person which line to run";

const fn publish(shapes: &'static [&'static str]) -> Rule {
    Rule::ask("package-publish", shapes, PUBLISHES, TRY_IT)
}

const fn withdraw(shapes: &'static [&'static str]) -> Rule {
    Rule::ask("package-withdraw", shapes, WITHDRAWS, PREPARE_FIX)
}

const fn access(shapes: &'static [&'static str]) -> Rule {
    Rule::ask("package-access", shapes, ACCESS, ASK_OWNER)
}

/// A command of npm's may be cut off where no other one begins like it.
pub(super) const NPM: &[Rule] = &[
    publish(&["pu[blish] !--dry-run", "stag[e] publish"]),
    withdraw(&["unp[ublish] !--dry-run", "dep[recate] * !--dry-run", "dist-tag|dist-tags|distTag rm"]),
    access(&[
        "ow[ner]|aut[hor] add|rm|remove",
        "ac[cess] public|restricted|grant|revoke|set|edit",
        "dist-tag|dist-tags|distTag add|set",
        "to[ken] create|revoke|delete|rm",
        "or[g]|ogr set|rm|add",
        "tea[m] create|destroy|add|rm",
        "pro[file] set",
    ]),
];

pub(super) const PNPM: &[Rule] = &[
    publish(&["publish !--dry-run", "recursive|multi|m publish !--dry-run"]),
    withdraw(&["unpublish !--dry-run", "deprecate *", "dist-tag rm"]),
    access(&["owner|author add|rm|remove", "access public|restricted|grant|revoke|set", "dist-tag add|set"]),
];

pub(super) const YARN: &[Rule] = &[
    publish(&[
        "publish !--dry-run",
        "npm publish !--dry-run|-n",
        "workspace * npm publish !--dry-run|-n",
        "workspace * publish",
        "workspaces foreach ** npm publish !--dry-run|-n",
    ]),
    withdraw(&[
        "unpublish",
        "npm unpublish|deprecate",
        "npm tag remove",
        "tag remove",
        "workspace * npm unpublish",
    ]),
    access(&[
        "owner add|remove",
        "npm tag add",
        "tag add",
        "access grant|revoke|public|restricted",
        "team create|destroy|add|remove",
    ]),
];

pub(super) const CARGO: &[Rule] = &[
    publish(&[
        "publish !-n|--dry-run",
        "+* publish !-n|--dry-run",
        "release -x|--execute",
        "smart-release --execute",
        "workspaces|ws publish !--dry-run",
    ]),
    withdraw(&["yank", "+* yank"]),
    access(&["owner -a|--add|-r|--remove", "+* owner -a|--add|-r|--remove"]),
];

pub(super) const PYTHON_MODULES: &[Rule] = &[publish(&[
    "-m=twine upload|register",
    "-m=flit|poetry|hatch|pdm|maturin publish !--dry-run",
    "setup.py|*/setup.py ** upload|register !-n|--dry-run",
])];

pub(super) const TWINE: &[Rule] = &[publish(&["upload|register"])];

pub(super) const PUBLISH_VERB: &[Rule] =
    &[publish(&["publish !-n|--dry-run", "upload !-n|--dry-run", "release publish !--dry-run"])];

pub(super) const GEM: &[Rule] = &[
    publish(&["push", "release", "release:rubygem_push"]),
    withdraw(&["yank"]),
    access(&["owner -a|--add|-r|--remove"]),
];

pub(super) const MAVEN: &[Rule] = &[publish(&[
    "** deploy|deploy:deploy|deploy:deploy-file|*:deploy|*:deploy-file !-D=maven.deploy.skip*",
    "** release:perform|release:stage|*:release-plugin*:perform|nexus-staging:release|nexus-staging:deploy !-D=dryRun*",
    "** central-publishing:publish|jreleaser:full-release|jreleaser:deploy|jreleaser:release",
])];

pub(super) const JVM: &[Rule] = &[publish(&[
    "** publish|*:publish|+publish|publishSigned|+publishSigned|publishPlugins|*:publishPlugins !-m|--dry-run",
    "** publish*ToSonatype|publish*ToMavenCentral|publish*Repository|*:publish*Repository|closeAndRelease* !-m|--dry-run",
    "** uploadArchives|bintrayUpload|releaseToMavenCentral|sonatypeRelease|sonatypeBundleRelease !-m|--dry-run",
    "deploy !-m|--dry-run",
])];

pub(super) const DOTNET: &[Rule] = &[publish(&["nuget push", "push"]), withdraw(&["nuget delete", "delete"])];

pub(super) const MOBILE: &[Rule] = &[
    publish(&["trunk push", "hex.publish !--dry-run|--revert", "pub publish|lish !-n|--dry-run"]),
    withdraw(&["trunk delete|deprecate", "hex.publish --revert", "hex.retire"]),
    access(&["trunk add-owner|remove-owner", "hex.owner add|remove|transfer"]),
];

pub(super) const UPLOADERS: &[Rule] =
    &[publish(&["upload !--dry-run|--skip-upload", "publish"]), withdraw(&["remove -r|--remote"])];

pub(super) const DATA: &[Rule] = &[
    publish(&["upload", "upload-large-folder"]),
    withdraw(&["remove *", "repo|repos delete", "repo-files delete"]),
    access(&["repo|repos settings"]),
];

pub(super) const STORES: &[Rule] =
    &[publish(&["upload|push|release|promote", "deliver|pilot|supply|upload_to_*"])];

pub(super) const EXTENSIONS: &[Rule] = &[publish(&["publish"]), withdraw(&["unpublish"])];

/// Without an operand they find the next version by themselves.
pub(super) const RELEASERS: &[Rule] =
    &[publish(&["!-d|--dry-run|--version|-v|--preview|-h|--changelog|--release-version"])];

pub(super) const NX: &[Rule] =
    &[publish(&["release publish !-d|--dry-run", "release $ !-d|--dry-run|--skip-publish"])];
