//! The version of an export. An agent treats an equal version as unchanged, and a lower one as older, so the version increases
//! with every change and never decreases.

use hookbox::model::Version;
use serde_json::Value;

use super::ExportedPlugin;

/// Returns the version for these plugins: that of a single one, else the sum of all, number by number. It grows with each
/// plugin that is added, and with each newer version of one.
pub(super) fn compute_version(plugins: &[ExportedPlugin]) -> Version {
    match plugins {
        [one] => one.plugin.manifest.version.clone(),
        several => several
            .iter()
            .fold(Version::new(0, 0, 0), |all, one| add_versions(&all, &one.plugin.manifest.version)),
    }
}

fn add_versions(one: &Version, other: &Version) -> Version {
    Version::new(
        one.major.saturating_add(other.major),
        one.minor.saturating_add(other.minor),
        one.patch.saturating_add(other.patch),
    )
}

/// Returns the version in an agent's manifest; `None` if it cannot be compared.
pub(super) fn parse_version(manifest: &Value) -> Option<Version> {
    Version::parse(manifest.get("version")?.as_str()?).ok()
}

/// Returns this version if it is higher than the existing one, else the next one after that.
pub(super) fn raise_above(this: Version, there: &Version) -> Version {
    if this > *there {
        return this;
    }
    Version::new(there.major, there.minor, there.patch.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_up_whatever_is_exported_in_the_place_of_what_was_there() {
        for (this, there, comes) in [
            ("1.2.0", "1.1.9", "1.2.0"),
            ("1.2.0", "1.2.0", "1.2.1"),
            ("1.2.0", "5.0.0", "5.0.1"),
            ("1.2.0", "1.2.0-beta.1", "1.2.0"),
            ("1.2.0-beta.1", "1.2.0", "1.2.1"),
        ] {
            let [this, there] = [this, there].map(|text| Version::parse(text).unwrap());
            assert_eq!(raise_above(this, &there).to_string(), comes);
        }
    }

    #[test]
    fn a_sum_is_higher_than_before_when_a_version_of_it_is() {
        let version = |text: &str| Version::parse(text).unwrap();
        assert_eq!(add_versions(&version("1.9.7"), &version("2.0.3")), version("3.9.10"));
        assert!(
            add_versions(&version("2.0.0"), &version("2.0.3"))
                > add_versions(&version("1.9.7"), &version("2.0.3"))
        );
    }

    #[test]
    fn a_manifest_without_a_version_has_none() {
        for manifest in [r#"{"name":"a"}"#, r#"{"version":1}"#, r#"{"version":"new"}"#, "[]"] {
            assert_eq!(parse_version(&serde_json::from_str(manifest).unwrap()), None, "{manifest}");
        }
        assert_eq!(parse_version(&serde_json::json!({ "version": "1.2.0" })), Some(Version::new(1, 2, 0)));
    }
}
