//! What is said of a release: statements, bundles of sigstore with or over one, and the keys of these.

use hookbox_trust::{
    sigstore::{SigstoreBundle, parse_key},
    statement::Release,
};

/// A key that has signed the bundles among the seeds.
const KEY: &str = include_str!("../seeds/statements/key.pem");
/// What was signed with it.
const SIGNED: &str = include_str!("../seeds/statements/release.json");

/// The bytes are what any of them may hold.
pub fn run(data: &[u8]) {
    if let Ok(release) = Release::parse(data) {
        let text = release.to_statement();
        // Of a time less than seconds are not written.
        let again = Release::parse(text.as_bytes());
        assert!(again.is_ok_and(|again| again.to_statement() == text), "{text}");
    }
    if let Ok(bundle) = SigstoreBundle::parse(data)
        && let Ok(key) = parse_key(KEY)
        && let Ok(statement) = bundle.read_signed_statement(&key, SIGNED.as_bytes())
    {
        assert_eq!(statement, SIGNED.as_bytes());
    }
}
