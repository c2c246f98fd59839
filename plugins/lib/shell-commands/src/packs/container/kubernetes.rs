//! Clusters, and what runs in them.

use super::{Grammar, Program, Rule, Style};

const fn delete(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "kubernetes-delete",
        shapes,
        "deletes what runs in the cluster or what it keeps",
        "`kubectl delete … --dry-run=server` or `helm uninstall --dry-run` shows what would go",
    )
}

const fn disrupt(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "kubernetes-disrupt",
        shapes,
        "stops what runs in the cluster, or puts another one in its place",
        "`kubectl diff` or `--dry-run=server` shows the change; apply it without force",
    )
}

/// The verbs of the cluster's own program.
const DELETE: [&str; 3] =
    ["delete !--dry-run=client|server !-h", "apply --prune !--dry-run=client|server", "adm prune --confirm"];
const DISRUPT: [&str; 8] = [
    "drain|cordon !--dry-run=client|server",
    "apply|replace|create --force !--dry-run=client|server",
    "scale --replicas=0 !--dry-run=client|server",
    "rollout undo !--dry-run=client|server",
    "taint ** *:NoExecute !--dry-run=client|server",
    "certificate deny",
    "adm drain|cordon",
    "rollback",
];

pub(super) const KUBECTL: Program =
    Program { names: &["kubectl", "kubecolor", "k", "oc"], rules: &[delete(&DELETE), disrupt(&DISRUPT)] };

pub(super) const KUBECTL_GRAMMAR: Grammar = Grammar {
    names: &["kubectl", "kubecolor", "k", "oc", "k3s", "microk8s", "minikube", "k0s"],
    style: Style::Whole,
    is_global: true,
    rows: &[
        (
            "",
            "nosvl",
            &[
                "as",
                "as-group",
                "as-uid",
                "cache-dir",
                "certificate-authority",
                "client-certificate",
                "client-key",
                "cluster",
                "context",
                "field-selector",
                "grace-period",
                "kubeconfig",
                "log-flush-frequency",
                "match-server-version",
                "namespace",
                "output",
                "password",
                "profile",
                "replicas",
                "request-timeout",
                "selector",
                "server",
                "timeout",
                "tls-server-name",
                "token",
                "user",
                "username",
            ],
        ),
        ("apply", "fklo", &["filename", "kustomize", "field-manager", "prune-allowlist"]),
        ("delete", "fklo", &["filename", "kustomize", "raw"]),
        ("exec", "cf", &["container", "filename"]),
        ("replace", "fko", &["filename", "kustomize", "raw"]),
        ("rollout undo", "fkl", &["filename", "kustomize", "to-revision"]),
        ("scale", "fkl", &["filename", "kustomize", "current-replicas", "resource-version"]),
    ],
};

/// Distributions that bring that program along.
pub(super) const BUNDLED: Program = Program {
    names: &["k3s", "microk8s", "minikube", "k0s"],
    rules: &[
        delete(&["kubectl|kc delete !--dry-run=client|server", "reset", "etcd-snapshot delete|prune"]),
        disrupt(&["kubectl|kc drain|cordon", "kubectl|kc replace|apply --force"]),
    ],
};

pub(super) const HELM: Program = Program {
    names: &["helm", "helm3"],
    rules: &[
        delete(&["uninstall|delete|del|un !--dry-run"]),
        disrupt(&["upgrade --force|--force-replace !--dry-run", "rollback !--dry-run"]),
    ],
};

pub(super) const HELM_GRAMMAR: Grammar = Grammar {
    names: &["helm", "helm3"],
    style: Style::Whole,
    is_global: true,
    rows: &[(
        "",
        "fno",
        &[
            "cascade",
            "description",
            "history-max",
            "kube-apiserver",
            "kube-as-user",
            "kube-context",
            "kube-token",
            "kubeconfig",
            "namespace",
            "output",
            "post-renderer",
            "registry-config",
            "repo",
            "repository-cache",
            "repository-config",
            "set",
            "set-file",
            "set-string",
            "timeout",
            "values",
            "version",
        ],
    )],
};

pub(super) const HELMFILE: Program = Program { names: &["helmfile"], rules: &[delete(&["destroy|delete"])] };

pub(super) const HELMFILE_GRAMMAR: Grammar = Grammar {
    names: &["helmfile"],
    style: Style::Whole,
    is_global: true,
    rows: &[(
        "",
        "cefln",
        &["args", "chart", "environment", "file", "kube-context", "log-level", "namespace", "selector"],
    )],
};

/// Programs that make nodes of machines.
pub(super) const NODES: Program = Program {
    names: &["kubeadm", "rke", "rke2", "talosctl", "istioctl"],
    rules: &[delete(&[
        "reset !--dry-run",
        "remove",
        "uninstall|experimental uninstall !--dry-run",
        "x uninstall",
    ])],
};

/// Scripts that do nothing else.
pub(super) const UNINSTALL: Program = Program {
    names: &["k3s-uninstall.sh", "k3s-agent-uninstall.sh", "rke2-uninstall.sh"],
    rules: &[delete(&["**"])],
};

pub(super) const ARGO: Program = Program {
    names: &["argocd", "argo", "flux"],
    rules: &[
        delete(&["delete|uninstall !--dry-run", "app|appset|cluster|proj|repo|account delete|rm|remove"]),
        disrupt(&["app sync --force|--prune|--replace !--dry-run", "app rollback"]),
    ],
};

pub(super) const VELERO: Program = Program {
    names: &["velero"],
    rules: &[delete(&[
        "backup|restore|schedule|snapshot|backup-location|snapshot-location delete",
        "delete",
        "uninstall",
    ])],
};

pub(super) const TOOLS_GRAMMAR: Grammar = Grammar {
    names: &["argocd", "argo", "flux", "velero", "talosctl", "kubeadm"],
    style: Style::Whole,
    is_global: true,
    rows: &[(
        "",
        "en",
        &[
            "auth-token",
            "config",
            "context",
            "endpoints",
            "kubeconfig",
            "kubecontext",
            "namespace",
            "nodes",
            "server",
        ],
    )],
};

/// Clusters in containers of this machine, which are made to be thrown away.
pub(super) const LOCAL: Program = Program {
    names: &["kind", "k3d", "minikube", "ctlptl"],
    rules: &[Rule::off(
        "local-cluster-delete",
        &["delete", "cluster|registry|node delete|rm|del"],
        "deletes a cluster of this machine with all that runs in it",
        "create another one next to it: `kind create cluster --name NAME`",
    )],
};
