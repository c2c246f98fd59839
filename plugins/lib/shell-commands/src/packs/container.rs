//! Containers, clusters and machines that run in this one.

mod engines;
mod kubernetes;
mod machines;

use super::{Call, Check, Grammar, Pack, Program, Rule, Style, Words};

pub(super) const PACK: Pack = Pack {
    name: "container",
    is_default: true,
    programs: &[
        engines::DOCKER,
        engines::COMPOSE,
        engines::BUILDAH,
        engines::CRICTL,
        engines::CTR,
        engines::REGISTRIES,
        kubernetes::KUBECTL,
        kubernetes::BUNDLED,
        kubernetes::HELM,
        kubernetes::HELMFILE,
        kubernetes::NODES,
        kubernetes::UNINSTALL,
        kubernetes::ARGO,
        kubernetes::VELERO,
        kubernetes::LOCAL,
        machines::VAGRANT,
        machines::LXC,
        machines::VIRSH,
        machines::VIRTUALBOX,
        machines::NSPAWN,
        machines::PROXMOX,
        machines::HELPERS,
    ],
    places: &[],
    checks: &[Check { rule: engines::WHOLE_MACHINE, is_broken: engines::mounts_root }],
};

pub(super) const GRAMMARS: &[Grammar] = &[
    engines::DOCKER_GRAMMAR,
    engines::COMPOSE_GRAMMAR,
    engines::CRICTL_GRAMMAR,
    engines::CTR_GRAMMAR,
    kubernetes::KUBECTL_GRAMMAR,
    kubernetes::HELM_GRAMMAR,
    kubernetes::HELMFILE_GRAMMAR,
    kubernetes::TOOLS_GRAMMAR,
    machines::VIRSH_GRAMMAR,
];
