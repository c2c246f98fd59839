//! The user's `policy.toml` and `hookbox.lock`.

use hookbox::{Sha256Digest, model::PluginName};
use hookbox_app::plugin_lock::PluginLock;
use hookbox_trust::policy::Policy;

/// Names that rules may be for.
const NAMES: [&str; 3] = ["acme/guard", "acme-evil/guard", "a"];

/// The bytes are one of the files.
pub fn run(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    if let Ok(policy) = Policy::parse(text) {
        for publisher in NAMES.iter().filter_map(|name| policy.find_publisher(&PluginName::parse(name)?)) {
            assert!(publisher.threshold() >= 1 && !publisher.principals().is_empty(), "{text}");
        }
        assert!(policy.denied().all(|(component, _)| policy.find_denial(component).is_some()), "{text}");
        assert_eq!(policy.find_denial(&Sha256Digest::of_content(data)), None);
    }
    if let Ok(lock) = PluginLock::parse(text) {
        assert_eq!(PluginLock::parse(&lock.text()).as_ref(), Ok(&lock));
    }
}
