//! Checks that the demo and the tests compile each dependency in the same way, and so only once.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::project::{DEMO_BUILD, FEATURES, Project};

/// Fails if the demo compiles a dependency in another way than the tests do; `host/xtask/unify/Cargo.toml` unifies them.
pub(crate) fn check_graphs(project: &Project) -> Result<()> {
    let tests = Graph::read_from_cargo(
        project,
        &["test", "--no-run", "--locked", "--workspace", "--features", FEATURES],
    )?;
    let programs = ["--bin", "hookbox", "--bin", "hookbox-compile", "--bin", "xtask-generate"];
    let demo = Graph::read_from_cargo(project, &[&DEMO_BUILD[..], &programs].concat())?;
    let different = demo.causes_of_differences(&tests);
    ensure!(
        different.is_empty(),
        "the demo compiles dependencies with other features than the tests, so `cargo xtask test` would compile them again, with all \
         that use them; add the features that the tests turn on to host/xtask/unify/Cargo.toml:\n{}",
        different.into_iter().collect::<Vec<_>>().join("\n")
    );
    Ok(())
}

/// The compilations of one build, as `cargo --unit-graph` lists them.
struct Graph(Vec<Unit>);

/// The compilation of one target of a package.
struct Unit {
    /// True if the package is from a registry, and not of this workspace.
    is_dependency: bool,
    /// The package with its version, target, features and profile.
    what: String,
    /// Places of the units that this one uses.
    uses: Vec<usize>,
}

impl Graph {
    /// Asks cargo for the compilations of this command. Nothing is compiled.
    fn read_from_cargo(project: &Project, words: &[&str]) -> Result<Self> {
        let listing = ["--unit-graph", "-Zunstable-options"];
        // A stable cargo has the listing only with this variable.
        let cargo = project.cargo(words.iter().copied()).args(listing).quiet_env("RUSTC_BOOTSTRAP", "1");
        let graph: Value = serde_json::from_str(&cargo.output()?).context("cargo wrote no unit graph")?;
        Self::from_json(&graph).context("cargo's unit graph has a form that this check does not know")
    }

    fn from_json(graph: &Value) -> Option<Self> {
        let units = graph.get("units")?.as_array()?;
        Some(Self(units.iter().map(Unit::from_json).collect::<Option<_>>()?))
    }

    /// Returns the dependencies that the other build compiles differently, although it compiles everything that they use identically.
    fn causes_of_differences(&self, other: &Self) -> BTreeSet<String> {
        let (own, others) = (self.digests(), other.digests());
        let shared: HashSet<_> = others.values().collect();
        let is_shared = |at: &usize| own.get(at).is_some_and(|digest| shared.contains(digest));
        let units = self.0.iter().enumerate().filter(|(at, unit)| unit.is_dependency && !is_shared(at));
        units.filter(|(_, unit)| unit.uses.iter().all(is_shared)).map(|(_, unit)| unit.what.clone()).collect()
    }

    /// Returns a digest of each unit and of everything that it uses, by its place.
    fn digests(&self) -> HashMap<usize, u64> {
        let mut known = HashMap::new();
        for at in 0..self.0.len() {
            self.compute_digest(at, &mut known);
        }
        known
    }

    /// Computes the digest of a unit. The depth of the recursion is that of the graph, a few dozen.
    fn compute_digest(&self, at: usize, known: &mut HashMap<usize, u64>) -> u64 {
        if let Some(digest) = known.get(&at) {
            return *digest;
        }
        let Some(unit) = self.0.get(at) else { return 0 };
        let mut used: Vec<_> = unit.uses.iter().map(|used| self.compute_digest(*used, known)).collect();
        used.sort_unstable();
        let mut hasher = DefaultHasher::new();
        (&unit.what, used).hash(&mut hasher);
        *known.entry(at).or_insert(hasher.finish())
    }
}

impl Unit {
    fn from_json(unit: &Value) -> Option<Self> {
        let package = unit.get("pkg_id")?.as_str()?;
        let name = package.rsplit('#').next()?;
        let mut profile = unit.get("profile")?.clone();
        // `dev` and `test` are compiled alike if their settings are equal.
        profile.as_object_mut()?.remove("name");
        let parts = [unit.pointer("/target/kind")?, unit.get("mode")?, unit.get("platform")?, &profile];
        let parts: Vec<_> = parts.iter().map(ToString::to_string).collect();
        let uses = unit.get("dependencies")?.as_array()?.iter();
        let uses = uses.map(|used| usize::try_from(used.get("index")?.as_u64()?).ok());
        Some(Self {
            is_dependency: package.starts_with("registry+"),
            what: format!("{name} {} {}", unit.get("features")?, parts.join(" ")),
            uses: uses.collect::<Option<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn create_graph(features: &[&str]) -> Graph {
        let unit = |package: &str, features: &[&str], uses: &[usize]| {
            let uses: Vec<_> = uses.iter().map(|index| json!({ "index": index })).collect();
            json!({
                "pkg_id": format!("registry+x#{package}@1.0.0"), "target": { "kind": ["lib"] }, "mode": "build",
                "platform": null, "profile": { "name": "dev" }, "features": features, "dependencies": uses,
            })
        };
        let units = [unit("a", &[], &[1]), unit("b", features, &[2]), unit("c", &[], &[])];
        Graph::from_json(&json!({ "units": units })).unwrap()
    }

    #[test]
    fn only_the_dependency_that_differs_itself_is_named() {
        assert!(create_graph(&["x"]).causes_of_differences(&create_graph(&["x"])).is_empty());
        let causes = create_graph(&["x"]).causes_of_differences(&create_graph(&["x", "y"]));
        let causes: Vec<_> = causes.iter().map(|cause| cause.split(' ').next().unwrap()).collect();
        assert_eq!(causes, ["b@1.0.0"]);
    }
}
