//! Registries of images and charts. A registry on this machine is private.

use crate::packs::Rule;

const PUSHES: &str = "puts it into a registry, where others get it";
const BUILD_IT: &str = "build it, and tell the person which line pushes it";

pub(super) const ENGINES: &[Rule] = &[Rule::ask(
    "image-push",
    &[
        "push !<here>|ttl.sh/*",
        "image push !<here>|ttl.sh/*",
        "manifest push !<here>",
        "compose push !--dry-run",
        "push $ !--dry-run",
        "build|buildx --push",
        "buildx build|bake|b --push",
        "image|builder build --push",
        "compose build --push !--dry-run",
        "buildx imagetools create !--dry-run",
    ],
    PUSHES,
    BUILD_IT,
)];

pub(super) const SKOPEO: &[Rule] =
    &[Rule::ask("image-push", &["copy|sync * docker://*", "delete *"], PUSHES, BUILD_IT)];

pub(super) const COPIERS: &[Rule] = &[Rule::ask(
    "image-push",
    &[
        "push *",
        "copy|cp|append|mutate|rebase|tag * !*.tar",
        "image|manifest|tag|blob copy|cp|delete|put|mod",
        "manifest push|delete",
        "cm-push",
    ],
    PUSHES,
    BUILD_IT,
)];
