//! Publications, which cannot be taken back.

mod grammar;
mod host;
mod image;
mod registry;

pub(super) use self::grammar::GRAMMARS;
use super::{Pack, Program};

pub(super) const PACK: Pack = Pack {
    name: "publish",
    is_default: false,
    programs: &[
        Program { names: &["npm"], rules: registry::NPM },
        Program { names: &["pnpm"], rules: registry::PNPM },
        Program { names: &["yarn", "yarnpkg"], rules: registry::YARN },
        Program { names: &["cargo"], rules: registry::CARGO },
        Program { names: PYTHON, rules: registry::PYTHON_MODULES },
        Program { names: &["twine"], rules: registry::TWINE },
        Program {
            names: &[
                "uv",
                "poetry",
                "hatch",
                "flit",
                "pdm",
                "maturin",
                "bun",
                "jsr",
                "deno",
                "wasm-pack",
                "wkg",
                "lerna",
                "changeset",
                "changesets",
            ],
            rules: registry::PUBLISH_VERB,
        },
        Program { names: &["gem", "rake"], rules: registry::GEM },
        Program { names: &["mvn", "mvnw", "mvnd"], rules: registry::MAVEN },
        Program { names: &["gradle", "gradlew", "sbt", "lein", "mill"], rules: registry::JVM },
        Program { names: &["dotnet", "nuget"], rules: registry::DOTNET },
        Program { names: &["pod", "mix", "dart", "flutter"], rules: registry::MOBILE },
        Program { names: &["luarocks", "cabal", "stack", "opam", "conan"], rules: registry::UPLOADERS },
        Program { names: &["anaconda", "hf", "huggingface-cli"], rules: registry::DATA },
        Program { names: &["snapcraft", "fastlane"], rules: registry::STORES },
        Program { names: &["vsce", "ovsx"], rules: registry::EXTENSIONS },
        Program { names: &["semantic-release", "release-it", "np"], rules: registry::RELEASERS },
        Program { names: &["nx"], rules: registry::NX },
        Program { names: &["goreleaser"], rules: host::GORELEASER },
        Program {
            names: &["docker", "podman", "nerdctl", "buildah", "docker-compose"],
            rules: image::ENGINES,
        },
        Program { names: &["skopeo"], rules: image::SKOPEO },
        Program { names: &["crane", "regctl", "oras", "helm"], rules: image::COPIERS },
        Program { names: &["gh"], rules: host::GH },
        Program { names: &["glab"], rules: host::GLAB },
    ],
    places: &[],
    checks: &[],
};

/// Names under which Python is started.
pub(super) const PYTHON: &[&str] = &[
    "python",
    "python3",
    "py",
    "python3.8",
    "python3.9",
    "python3.10",
    "python3.11",
    "python3.12",
    "python3.13",
    "python3.14",
];
