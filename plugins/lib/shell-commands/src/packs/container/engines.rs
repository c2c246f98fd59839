//! Programs that run containers, and the registries that keep their images.

use super::{Call, Grammar, Program, Rule, Style, Words};
use crate::{arg::Arg, scope::full_name};

const fn volumes(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "container-volume-delete",
        shapes,
        "deletes volumes with the data that containers keep in them",
        "leave the volumes: `docker compose down` without `-v`",
    )
}

const fn prune(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "container-prune",
        shapes,
        "removes containers or images of all projects on this machine",
        "remove this project's by name; `docker system df` shows what takes the space",
    )
}

const fn remove(shapes: &'static [&'static str]) -> Rule {
    Rule::off(
        "container-remove",
        shapes,
        "removes containers or images, whatever runs in them",
        "`docker stop` it, and remove it by name without `-f`",
    )
}

const fn privileged(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "container-privileged",
        shapes,
        "gives a container power over this whole machine",
        "give it the one device (`--device`), capability (`--cap-add`) or folder that it needs",
    )
}

pub(super) const WHOLE_MACHINE: Rule = privileged(&[]);

/// Returns true if a container gets all files of this machine: `docker run -v /:/host`, however the root is written.
pub(super) fn mounts_root(call: &Call) -> bool {
    if !call.is(DOCKER.names) && !call.is(COMPOSE.names) {
        return false;
    }
    let words = Words::of(call);
    let values = |name: &'static str| words.values_of(name).flatten().map(Arg::plain).collect::<Vec<_>>();
    let is_root = |path: &str| full_name(None, path).is_some_and(|full| full == "/");
    let volumes = [values("-v"), values("--volume")].concat();
    let is_source = |part: &str| {
        part.split_once('=').is_some_and(|(key, path)| matches!(key, "source" | "src") && is_root(path))
    };
    volumes.iter().any(|volume| volume.contains(':') && volume.split(':').next().is_some_and(is_root))
        || values("--mount").iter().any(|mount| mount.split(',').any(is_source))
}

const fn swarm(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "container-service-delete",
        shapes,
        "takes down services, or what they are made of",
        "list it first (`docker service ls`), and let the person remove it",
    )
}

pub(super) const DOCKER: Program = Program {
    names: &["docker", "podman", "nerdctl", "finch"],
    rules: &[
        volumes(&[
            "volume rm|remove|prune",
            "compose down -v|--volumes !--dry-run",
            "compose rm -v|--volumes !--dry-run",
            "system prune --volumes",
            "system reset",
            "machine rm|reset",
        ]),
        prune(&[
            "system prune",
            "container|pod prune",
            "image prune -a|--all",
            "rm|rmi -a|--all",
            "container|pod|image rm -a|--all",
        ]),
        privileged(&[
            "run|create --privileged !--privileged=false",
            "container|compose run|create --privileged !--privileged=false",
            "run|create --cap-add=ALL|all",
            "container|compose run|create --cap-add=ALL|all",
        ]),
        swarm(&[
            "stack|service|secret|config|node rm|remove|down",
            "swarm leave -f|--force",
            "service scale *=0",
            "kube down",
            "play kube --down",
        ]),
        remove(&[
            "rm|rmi -f|--force",
            "container|image|pod rm -f|--force",
            "kill",
            "container kill",
            "network rm|remove|prune",
        ]),
    ],
};

/// Options of `docker run` and `docker create` that take a value.
const RUN: (&str, &[&str]) = (
    "aceghlmpuvw",
    &[
        "add-host",
        "annotation",
        "attach",
        "blkio-weight",
        "cap-add",
        "cap-drop",
        "cgroup-parent",
        "cgroupns",
        "cidfile",
        "cpu-shares",
        "cpus",
        "cpuset-cpus",
        "device",
        "dns",
        "entrypoint",
        "env",
        "env-file",
        "expose",
        "gpus",
        "group-add",
        "health-cmd",
        "hostname",
        "ip",
        "ipc",
        "label",
        "label-file",
        "link",
        "log-driver",
        "log-opt",
        "mac-address",
        "memory",
        "memory-swap",
        "mount",
        "name",
        "net",
        "network",
        "network-alias",
        "pid",
        "pids-limit",
        "platform",
        "publish",
        "pull",
        "restart",
        "runtime",
        "secret",
        "security-opt",
        "shm-size",
        "stop-signal",
        "stop-timeout",
        "sysctl",
        "tmpfs",
        "ulimit",
        "user",
        "userns",
        "uts",
        "volume",
        "volumes-from",
        "workdir",
    ],
);

/// Options of `docker exec` that take a value.
const EXEC: (&str, &[&str]) = ("euw", &["detach-keys", "env", "env-file", "index", "user", "workdir"]);

pub(super) const DOCKER_GRAMMAR: Grammar = Grammar {
    names: &["docker", "podman", "nerdctl", "finch"],
    style: Style::Whole,
    is_global: false,
    rows: &[
        (
            "",
            "cHln",
            &[
                "config",
                "connection",
                "context",
                "host",
                "identity",
                "log-level",
                "namespace",
                "root",
                "tlscacert",
                "tlscert",
                "tlskey",
                "url",
            ],
        ),
        ("exec", EXEC.0, EXEC.1),
        ("container exec", EXEC.0, EXEC.1),
        ("compose exec", EXEC.0, EXEC.1),
        ("inspect", "f", &["format", "type"]),
        ("container inspect", "f", &["format"]),
        ("compose", "fp", COMPOSE_OPTIONS),
        ("compose down", "t", &["rmi", "timeout"]),
        ("compose kill", "s", &["signal"]),
        ("compose rm", "", &[]),
        ("compose run", RUN.0, RUN.1),
        ("container create", RUN.0, RUN.1),
        ("container run", RUN.0, RUN.1),
        ("create", RUN.0, RUN.1),
        ("run", RUN.0, RUN.1),
        ("image prune", "", &["filter"]),
        ("system prune", "", &["filter"]),
        ("volume prune", "", &["filter"]),
        ("kill", "s", &["signal"]),
        ("rm", "t", &["time", "cidfile"]),
    ],
};

const COMPOSE_OPTIONS: &[&str] =
    &["ansi", "env-file", "file", "parallel", "profile", "progress", "project-directory", "project-name"];

pub(super) const COMPOSE: Program = Program {
    names: &["docker-compose", "podman-compose"],
    rules: &[
        volumes(&["down|rm -v|--volumes !--dry-run"]),
        privileged(&["run --privileged"]),
        remove(&["kill", "rm -f|--force"]),
    ],
};

pub(super) const COMPOSE_GRAMMAR: Grammar = Grammar {
    names: &["docker-compose", "podman-compose"],
    style: Style::Whole,
    is_global: false,
    rows: &[
        ("", "fpH", COMPOSE_OPTIONS),
        ("exec", EXEC.0, EXEC.1),
        ("down", "t", &["rmi", "timeout"]),
        ("run", RUN.0, RUN.1),
        ("kill", "s", &["signal"]),
    ],
};

pub(super) const BUILDAH: Program = Program {
    names: &["buildah"],
    rules: &[prune(&["rm|rmi -a|--all", "prune -a|--all"]), remove(&["rmi -f|--force"])],
};

pub(super) const CRICTL: Program = Program {
    names: &["crictl"],
    rules: &[
        prune(&["rm|rmp|rmi -a|--all", "rmi -q|--prune"]),
        swarm(&["rmp -f|--force", "stopp"]),
        remove(&["rm -f|--force"]),
    ],
};

pub(super) const CRICTL_GRAMMAR: Grammar = Grammar {
    names: &["crictl"],
    style: Style::Whole,
    is_global: true,
    rows: &[("", "cirt", &["config", "image-endpoint", "runtime-endpoint", "timeout"])],
};

pub(super) const CTR: Program = Program {
    names: &["ctr"],
    rules: &[
        prune(&["image|images|i prune --all", "content|c prune"]),
        swarm(&["namespace|namespaces|ns rm|remove"]),
        remove(&["container|containers|c rm|delete|del|remove", "task|tasks|t kill|rm|delete"]),
    ],
};

pub(super) const CTR_GRAMMAR: Grammar = Grammar {
    names: &["ctr"],
    style: Style::Whole,
    is_global: true,
    rows: &[("", "an", &["address", "namespace", "timeout", "connect-timeout"])],
};

/// Programs that change what a registry keeps.
pub(super) const REGISTRIES: Program = Program {
    names: &["crane", "gcrane", "oras", "reg", "regctl", "skopeo"],
    rules: &[Rule::ask(
        "registry-delete",
        &["delete|rm", "blob|image|index|manifest|repo|tag delete|rm"],
        "deletes images from a registry",
        "list the tags first, and let the person delete them",
    )],
};
