//! Publications, which cannot be taken back.

use crate::support::all_with;

const ON: &str = r#"{"packs": {"publish": "on"}}"#;

#[test]
fn packages_are_not_published_unasked() {
    all_with(
        ON,
        "ask package-publish",
        &[
            "npm publish",
            "npm publish --access=public ./pkg --tag next",
            "npm --prefix pkg publish",
            "npm -w lib publish",
            "npm publis",
            "pnpm -r publish --no-git-checks",
            "pnpm --filter lib publish",
            "yarn publish",
            "yarn npm publish --tolerate-republish",
            "yarn workspace lib npm publish",
            "yarn workspaces foreach -A npm publish",
            "bun publish",
            "npx lerna publish from-package",
            "npx changeset publish",
            "npx semantic-release",
            "npx np minor",
            "npx nx release publish",
            "cargo publish",
            "cargo publish -p lib --allow-dirty",
            "cargo +nightly publish",
            "cargo -C lib publish",
            "cargo --config x=1 publish",
            "cargo release minor --execute",
            "twine upload dist/*",
            "python -m twine upload -r testpypi dist/*",
            "python3 -m twine upload dist/*",
            "python setup.py sdist upload",
            "uv publish",
            "uv --directory lib publish --token x",
            "poetry publish --build",
            "poetry -C lib publish",
            "hatch publish",
            "flit publish",
            "maturin publish",
            "gem push a-1.0.gem",
            "bundle exec rake release",
            "mvn deploy",
            "mvn -B -DskipTests clean deploy",
            "mvn -pl core -am deploy",
            "./mvnw release:perform",
            "gradle publish",
            "./gradlew -Pversion=1 :lib:publish",
            "./gradlew publishAllPublicationsToMavenRepository",
            "sbt +publish",
            "lein deploy clojars",
            "dotnet nuget push a.nupkg --source nuget.org",
            "nuget push a.nupkg",
            "pod trunk push a.podspec",
            "mix hex.publish",
            "dart pub publish",
            "luarocks upload a.rockspec",
            "cabal upload a.tar.gz",
            "hf upload me/model .",
            "vsce publish",
            "npx ovsx publish a.vsix",
            "snapcraft upload a.snap",
            "sudo sh -c 'npm publish'",
        ],
    );
}

#[test]
fn packages_are_not_withdrawn_unasked() {
    all_with(
        ON,
        "ask package-withdraw",
        &[
            "npm unpublish lib@1.0.0",
            "npm unpublish --force",
            "npm deprecate lib@1 'use 2'",
            "npm dist-tag rm lib next",
            "echo yes | npm unpublish lib",
            "pnpm unpublish lib",
            "yarn npm unpublish lib",
            "cargo yank --version 1.0.0 lib",
            "cargo +stable yank lib@1.0.0",
            "gem yank lib -v 1.0.0",
            "dotnet nuget delete lib 1.0.0",
            "pod trunk delete lib 1.0.0",
            "mix hex.publish --revert 1.0.0",
            "vsce unpublish me.lib",
            "anaconda remove me/lib",
        ],
    );
}

#[test]
fn who_may_publish_and_what_everybody_gets_is_not_changed_unasked() {
    all_with(
        ON,
        "ask package-access",
        &[
            "npm owner add eve lib",
            "npm access public lib",
            "npm access grant read-write org:team lib",
            "npm dist-tag add lib@1.0.0 latest",
            "npm token create",
            "npm team add org:team eve",
            "yarn npm tag add lib@1.0.0 latest",
            "cargo owner --add eve lib",
            "cargo owner -a eve",
            "gem owner lib --add eve",
            "pod trunk add-owner lib eve@example.com",
        ],
    );
}

#[test]
fn images_and_charts_are_not_pushed_unasked() {
    all_with(
        ON,
        "ask image-push",
        &[
            "docker push example.com/app:1",
            "docker image push app",
            "podman push app docker://example.com/app",
            "docker compose push",
            "docker-compose push",
            "docker buildx build --platform linux/amd64 --push -t app .",
            "docker build --push -t app .",
            "docker buildx bake --push",
            "buildah push app",
            "skopeo copy docker://a/b docker://c/d",
            "crane copy a/b c/d",
            "crane push a.tar example.com/app",
            "oras push example.com/app a.json",
            "helm push a.tgz oci://example.com/charts",
        ],
    );
    all_with(
        ON,
        "none",
        &[
            "docker push localhost:5000/app",
            "docker push 127.0.0.1:5000/app",
            "docker build -t app .",
            "docker buildx build --load .",
            "docker pull app",
            "skopeo copy docker://a/b dir:out",
            "skopeo inspect docker://a/b",
            "crane manifest a/b",
            "helm package chart",
            "helm pull chart",
        ],
    );
}

#[test]
fn releases_visibility_and_access_are_not_changed_unasked() {
    all_with(
        ON,
        "ask release-publish",
        &[
            "gh release create v1.0.0 dist/* --notes x",
            "gh release -R o/r create v1.0.0",
            "gh release edit v1 --draft=false",
            "gh release upload v1 a.zip --clobber",
            "glab release create v1",
            "goreleaser release --clean",
        ],
    );
    all_with(
        ON,
        "ask hub-visibility",
        &[
            "gh repo edit --visibility public",
            "gh repo edit o/r --visibility=private",
            "gh repo create o/r --public --source .",
            "gh gist create --public a.txt",
            "gh gist create a.txt -p",
            "gh api -X PATCH repos/o/r -f visibility=public",
            "gh api --method PATCH repos/o/r -F private=false",
        ],
    );
    all_with(
        ON,
        "ask hub-access",
        &[
            "gh secret set TOKEN --body x",
            "gh variable set X -b y",
            "gh ssh-key add key.pub",
            "gh repo deploy-key add key.pub",
            "gh api -X PUT repos/o/r/collaborators/eve",
            "glab variable set X y",
        ],
    );
    all_with(ON, "ask hub-merge-unchecked", &["gh pr merge 12 --squash --admin"]);
}

#[test]
fn what_builds_looks_or_tries_passes() {
    all_with(
        ON,
        "none",
        &[
            "npm publish --dry-run",
            "npm publish --help",
            "npm pack",
            "npm view lib versions",
            "npm run publish",
            "npm owner ls lib",
            "npm dist-tag ls lib",
            "npm access list packages",
            "npm token list",
            "npm install",
            "npm deprecate",
            "pnpm publish --dry-run",
            "yarn npm info lib",
            "yarn publish-docs",
            "cargo publish --dry-run",
            "cargo publish --workspace --dry-run",
            "cargo publish -n",
            "cargo package",
            "cargo release minor",
            "cargo owner --list",
            "cargo run -- publish",
            "twine check dist/*",
            "python -m build",
            "python -m twine check dist/*",
            "python setup.py sdist",
            "python upload.py",
            "uv build",
            "uv publish --dry-run",
            "uv run publish",
            "poetry build",
            "poetry publish --dry-run",
            "gem build a.gemspec",
            "mvn package",
            "mvn -DskipTests clean install",
            "mvn -Dmaven.deploy.skip=true deploy",
            "./gradlew publishToMavenLocal",
            "./gradlew build",
            "./gradlew --dry-run publish",
            "sbt publishLocal",
            "mix release",
            "dart pub publish --dry-run",
            "npx semantic-release --dry-run",
            "npx nx build",
            "goreleaser release --snapshot --clean",
            "goreleaser build",
            "gh release view v1",
            "gh release create v1 --draft",
            "gh release download v1",
            "gh repo create o/r --private",
            "gh repo edit --description 'a public thing'",
            "gh gist create a.txt",
            "gh pr merge 12 --squash",
            "gh secret list",
            "gh api repos/o/r/collaborators",
            "glab release list",
        ],
    );
}

#[test]
fn the_pack_can_be_off() {
    all_with("{}", "none", &["npm publish", "gh release create v1"]);
}

#[test]
fn a_registry_is_on_this_machine_only_if_its_host_is() {
    all_with(
        ON,
        "ask image-push",
        &[
            "docker push localhost.evil.example/x",
            "docker push 127.0.0.1.evil.example:5000/x",
            "docker image push localhost.evil.example/x",
            "podman manifest push localhost.evil.example/x",
        ],
    );
    all_with(
        ON,
        "none",
        &["docker push localhost:5000/x", "docker push 127.0.0.1:5000/x:1", "podman push localhost/x"],
    );
}

#[test]
fn npm_s_commands_and_options_are_understood_as_npm_does() {
    all_with(
        ON,
        "ask package-publish",
        &[
            "npm pub",
            "npm pu",
            "npm publi --tag next",
            "npm publish --dry-run false",
            "npm publish --dry-run=false",
            "npm publish --no-dry-run",
            "npm stag publish",
        ],
    );
    all_with(ON, "ask package-withdraw", &["npm unp x@1", "npm dep x@1 'do not use'"]);
    all_with(
        ON,
        "ask package-access",
        &["npm ow add me x", "npm aut rm me x", "npm ac public", "npm to create"],
    );
    all_with(
        ON,
        "none",
        &[
            "npm publish --dry-run",
            "npm publish --dry-run true",
            "npm pub --dry",
            "npm p",
            "npm prune",
            "npm un x",
        ],
    );
}
