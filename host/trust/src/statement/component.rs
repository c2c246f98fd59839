//! The file that a statement is about.

use std::time::SystemTime;

use hookbox_core::digest::Sha256Digest;
use hookbox_model::Manifest;

use super::{Release, Source};
use crate::{Refusal, RefusalKind};

/// A plugin's file: its digest, and the manifest in it.
#[derive(Clone, Copy, Debug)]
pub struct Component<'a> {
    /// Digest of the file.
    pub digest: &'a Sha256Digest,
    /// Its manifest.
    pub manifest: &'a Manifest,
    /// The bytes of the manifest.
    pub manifest_bytes: &'a [u8],
}

impl Release {
    /// Creates the statement about this file.
    pub fn of_component(
        component: Component<'_>,
        channel: &str,
        issued: SystemTime,
        source: Option<Source>,
    ) -> Self {
        let Component { digest, manifest, manifest_bytes } = component;
        Self {
            name: manifest.name.clone(),
            component: digest.clone(),
            manifest: Sha256Digest::of_content(manifest_bytes),
            version: manifest.version.clone(),
            seq: manifest.seq,
            channel: channel.to_owned(),
            issued,
            expires: None,
            world: manifest.world.clone(),
            capabilities: manifest.asks.names(),
            effects: manifest.effects,
            source,
        }
    }

    /// Checks that the statement is about this file, and matches the file's manifest.
    pub fn check_component(&self, component: Component<'_>) -> Result<(), Refusal> {
        let mismatch = |why: String| Err(Refusal::new(RefusalKind::Mismatch, why));
        // First, so that a rebuilt plugin gets this message and not one about its manifest.
        if self.component != *component.digest {
            return mismatch(format!(
                "the statement is about the file with the SHA-256 {}, and this one has {}: after another build it is to be signed again",
                self.component.as_str(),
                component.digest.as_str()
            ));
        }
        // Compared as a whole with a statement made from the file: no field can be forgotten by a check of
        // its own.
        let expected = Self::of_component(component, &self.channel, self.issued, self.source.clone());
        for (what, is_same) in [
            ("name", self.name == expected.name),
            ("version", self.version == expected.version),
            ("seq", self.seq == expected.seq),
            ("world", self.world == expected.world),
            ("capabilities", self.capabilities == expected.capabilities),
            ("effects", self.effects == expected.effects),
            ("manifest_sha256", self.manifest == expected.manifest),
        ] {
            if !is_same {
                return mismatch(format!(
                    "the statement has another `{what}` than the manifest in the file: sign the file again"
                ));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{MANIFEST, make_release},
        *,
    };

    #[test]
    fn a_statement_is_about_one_file_and_its_manifest() {
        let (release, manifest, digest) = make_release(MANIFEST);
        let component =
            Component { digest: &digest, manifest: &manifest, manifest_bytes: MANIFEST.as_bytes() };
        assert_eq!(release.check_component(component), Ok(()));
        let other = Sha256Digest::of_content(b"other");
        let of_other = release.check_component(Component { digest: &other, ..component }).unwrap_err();
        assert_eq!(
            of_other.to_string(),
            format!(
                "the statement is about the file with the SHA-256 {}, and this one has {}: after another build it is to be signed again",
                digest.as_str(),
                other.as_str()
            )
        );
        for (from, to, what) in [
            ("acme/guard", "acme/other", "name"),
            ("1.2.0", "1.2.1", "version"),
            ("12", "13", "seq"),
            ("hook@0.2.0", "hook@0.1.0", "world"),
            (r#""clock":true,"#, "", "capabilities"),
            (r#","ask""#, "", "effects"),
            ("schema", " schema", "manifest_sha256"),
        ] {
            let text = MANIFEST.replacen(from, to, 1).replace("\" schema", " \"schema");
            let parsed = Manifest::parse(text.as_bytes()).unwrap();
            let component = Component { digest: &digest, manifest: &parsed, manifest_bytes: text.as_bytes() };
            let why = release.check_component(component).unwrap_err().to_string();
            assert!(why.contains(&format!("another `{what}`")), "{what}: {why}");
        }
    }
}
