//! Checksum line of an exported `hooks.toml` that reveals edits. The line is not a signature: the author of a folder wrote the
//! file and can write another one with its own line. So a sealed file is untrusted all the same.

use hookbox::Sha256Digest;

/// Beginning of the line.
const LINE: &str = "# SHA-256 of the other lines: \"";
/// End of the line.
const END: &str = "\"\n";

/// Returns the text of a `hooks.toml` with the checksum line between its first lines and the rest.
pub fn build_seal_text(first: &str, rest: &str) -> String {
    let digest = compute_checksum(first, rest);
    format!("{first}{LINE}{}{END}{rest}", digest.as_str())
}

/// Returns true if the text is as it was sealed.
pub fn is_whole(text: &str) -> bool {
    let parts = text.split_once(LINE).and_then(|(first, line)| Some((first, line.split_once(END)?)));
    parts.is_some_and(|(first, (digest, rest))| compute_checksum(first, rest).as_str() == digest)
}

fn compute_checksum(first: &str, rest: &str) -> Sha256Digest {
    Sha256Digest::of_content(format!("{first}{rest}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_whole_as_it_was_sealed_and_with_no_byte_changed_added_or_taken_out() {
        let text = build_seal_text("# first\n", "version = 1\n\n[[hook]]\nname = \"a\"\n");
        assert!(is_whole(&text));
        for at in 0..text.len() {
            let (before, after) = text.split_at(at);
            assert!(!is_whole(&format!("{before}x{after}")), "{at}");
            assert!(!is_whole(&format!("{before}{}", &after[1..])), "{at}");
        }
        assert!(!is_whole(&format!("{text}\n")));
        assert!(!is_whole(""));
        assert!(!is_whole("version = 1\n"));
    }
}
