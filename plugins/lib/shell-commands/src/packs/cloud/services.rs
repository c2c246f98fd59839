//! Services that others run for one: gateways, builds, flags, monitors, payments.

use super::{Grammar, Program, Rule, Style, everywhere};

const fn delete(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "service-delete",
        shapes,
        "deletes what a service keeps or watches for you, or puts it out of use",
        "list it first, and let the person delete it",
    )
}

/// Programs whose second word is the verb.
pub(super) const SERVICES: Program = Program {
    names: &[
        "apigeecli",
        "circleci",
        "datadog-ci",
        "flipt",
        "ldcli",
        "newrelic",
        "pd",
        "sentry-cli",
        "splunk",
        "square",
        "stripe",
        "unleash",
    ],
    rules: &[delete(&[
        "* delete|remove|archive|destroy|clear|purge !--dry-run|-h",
        "* * delete !--dry-run|-h",
        "delete|remove|clean *",
        "api_keys roll",
    ])],
};

/// `split` is a program of every system, too, whose operands are files.
pub(super) const SPLIT: Program = Program {
    names: &["split"],
    rules: &[delete(&[
        "splits|environments|segments|traffic-types|workspaces delete",
        "splits|feature-flags kill|archive",
    ])],
};

pub(super) const DECK: Program = Program {
    names: &["deck"],
    rules: &[delete(&["reset|sync !--help", "gateway reset|sync", "konnect sync"])],
};

/// `java -jar jenkins-cli.jar -s http://… delete-job deploy`.
pub(super) const JENKINS: Program = Program {
    names: &["java", "jenkins-cli"],
    rules: &[delete(&["-jar=*jenkins-cli*.jar ** delete-*", "delete-*", "-s ** delete-*"])],
};

pub(super) const GRAMMAR: Grammar = everywhere(
    SERVICES.names,
    Style::Whole,
    &[(
        "",
        "otn",
        &[
            "access-token",
            "api-key",
            "config",
            "environment",
            "host",
            "index",
            "namespace",
            "org",
            "profile",
            "project",
            "token",
            "url",
        ],
    )],
);

pub(super) const JAVA_GRAMMAR: Grammar = everywhere(
    &["java", "jenkins-cli"],
    Style::SingleDash,
    &[("", "", &["auth", "classpath", "cp", "i", "jar", "module-path", "p", "s", "user"])],
);
