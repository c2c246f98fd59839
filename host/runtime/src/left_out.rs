//! What this program was built without.

/// Says it of `what`, which a cargo feature brings.
pub(crate) fn left_out(what: &str, feature: &str) -> String {
    format!("this program was built without {what} (the cargo feature `{feature}` of the crate hookbox)")
}
