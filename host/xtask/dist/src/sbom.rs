//! The list of components of a release, in the format of `CycloneDX`.

use std::collections::BTreeSet;

use anyhow::Result;
use serde_json::{Value, json};

use crate::artifacts::{Artifact, hash_bytes};
use crate::dependencies::{Key, Package, Packages};
use crate::licences::EMBEDDED;
use crate::release::Release;

/// The reference of hookbox itself.
const OWN: &str = "hookbox";

/// Returns `hookbox-VERSION.cdx.json`.
pub(crate) fn pack_bom(release: &Release, packages: &Packages) -> Result<Artifact> {
    let bom = format_bom(&release.version, packages)?;
    Ok(Artifact { name: format!("hookbox-{}.cdx.json", release.version), bytes: bom.into_bytes() })
}

fn format_bom(version: &str, packages: &Packages) -> Result<String> {
    let components = packages.iter().map(|(key, package)| describe_package(key, package));
    let embedded = EMBEDDED.map(|(name, place, licence)| describe_embedded(name, place, licence));
    let own = json!({
        "type": "application", "bom-ref": OWN, "name": OWN, "version": version,
        "licenses": [{ "expression": "Apache-2.0" }],
    });
    let mut bom = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": own },
        "components": components.chain(embedded).collect::<Vec<_>>(),
        "dependencies": list_dependencies(packages),
    });
    let serial = format_serial(&bom.to_string());
    if let Some(members) = bom.as_object_mut() {
        members.insert("serialNumber".to_owned(), serial.into());
    }
    Ok(serde_json::to_string_pretty(&bom)? + "\n")
}

fn describe_package(key: &Key, package: &Package) -> Value {
    let (name, version) = key;
    let mut component = json!({
        "type": "library", "bom-ref": format_reference(key), "name": name, "version": version,
        "licenses": [{ "expression": package.licence }],
    });
    if let Some(members) = component.as_object_mut().filter(|_| package.is_from_registry) {
        // A `+` in a version is written in hexadecimal, as in any address.
        let version = version.replace('+', "%2B");
        members.insert("purl".to_owned(), format!("pkg:cargo/{name}@{version}").into());
    }
    component
}

fn describe_embedded(name: &str, place: &str, licence: &str) -> Value {
    json!({
        "type": "library", "bom-ref": name, "name": name, "description": place,
        "licenses": [{ "license": { "id": licence } }],
    })
}

/// Returns the dependencies of each package. hookbox depends on the packages that no other package uses, and on the embedded parts.
fn list_dependencies(packages: &Packages) -> Vec<Value> {
    let used: BTreeSet<&Key> = packages.values().flat_map(|package| &package.uses).collect();
    let unused = packages.keys().filter(|key| !used.contains(key)).map(format_reference);
    let embedded = EMBEDDED.map(|(name, ..)| name.to_owned());
    let own = json!({ "ref": OWN, "dependsOn": unused.chain(embedded).collect::<Vec<_>>() });
    let others = packages.iter().map(|(key, package)| {
        let used: Vec<_> = package.uses.iter().map(format_reference).collect();
        json!({ "ref": format_reference(key), "dependsOn": used })
    });
    [own].into_iter().chain(others).collect()
}

fn format_reference((name, version): &Key) -> String {
    format!("{name}@{version}")
}

/// Returns a UUID of version 8, which is derived from a text: the same list has the same number.
fn format_serial(text: &str) -> String {
    let digest = hash_bytes(text.as_bytes());
    let part = |from: usize, to: usize| digest.get(from..to).unwrap_or_default();
    format!("urn:uuid:{}-{}-8{}-8{}-{}", part(0, 8), part(8, 12), part(13, 16), part(17, 20), part(20, 32))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn create_packages() -> Packages {
        let key = |name: &str, version: &str| (name.to_owned(), version.to_owned());
        let own =
            Package { is_from_registry: false, ..Package::create_sample("Apache-2.0", &[("a", "1.0.0+x")]) };
        let other = Package::create_sample("MIT OR Apache-2.0", &[]);
        Packages::from([(key("hookbox-cli", "1.2.3"), own), (key("a", "1.0.0+x"), other)])
    }

    #[test]
    fn packages_are_components_and_those_of_a_registry_have_an_address() {
        let bom: Value = serde_json::from_str(&format_bom("1.2.3", &create_packages()).unwrap()).unwrap();
        let at = |pointer: &str| bom.pointer(pointer).cloned().unwrap_or_default();
        assert_eq!(at("/metadata/component/version"), "1.2.3");
        assert_eq!(at("/components/0/purl"), "pkg:cargo/a@1.0.0%2Bx");
        assert_eq!(at("/components/0/licenses/0/expression"), "MIT OR Apache-2.0");
        assert_eq!((at("/components/1/name"), at("/components/1/purl")), (json!("hookbox-cli"), Value::Null));
        assert_eq!(at("/dependencies/0/dependsOn/0"), "hookbox-cli@1.2.3");
        assert_eq!(at("/dependencies/2"), json!({ "ref": "hookbox-cli@1.2.3", "dependsOn": ["a@1.0.0+x"] }));
    }

    #[test]
    fn an_equal_list_has_an_equal_number_and_another_list_another_one() {
        let packages = create_packages();
        let bom = format_bom("1.2.3", &packages).unwrap();
        assert_eq!(bom, format_bom("1.2.3", &packages).unwrap());
        let serial = |version: &str| {
            let bom: Value = serde_json::from_str(&format_bom(version, &packages).unwrap()).unwrap();
            bom.get("serialNumber").and_then(Value::as_str).unwrap().to_owned()
        };
        assert_ne!(serial("1.2.3"), serial("1.2.4"));
        let lengths: Vec<_> = serial("1.2.3").split(['-', ':']).map(str::len).collect();
        assert_eq!(lengths, [3, 4, 8, 4, 4, 4, 12]);
    }
}
