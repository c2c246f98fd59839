//! The line of an exported `hooks.toml` by which an edit of it is seen. It is no signature: whoever hands a folder out wrote the file,
//! and can write another one with a line of its own. So what has it is a stranger's all the same.

use hookbox::Sha256Digest;

/// How the line begins.
const LINE: &str = "# SHA-256 of the other lines: \"";
/// How it ends.
const END: &str = "\"\n";

/// The text of a `hooks.toml` with the line between its first lines and the rest.
pub fn sealed(first: &str, rest: &str) -> String {
    let digest = of(first, rest);
    format!("{first}{LINE}{}{END}{rest}", digest.as_str())
}

/// Is the text as it was sealed?
pub fn is_whole(text: &str) -> bool {
    let parts = text.split_once(LINE).and_then(|(first, line)| Some((first, line.split_once(END)?)));
    parts.is_some_and(|(first, (digest, rest))| of(first, rest).as_str() == digest)
}

fn of(first: &str, rest: &str) -> Sha256Digest {
    Sha256Digest::of(format!("{first}{rest}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_whole_as_it_was_sealed_and_with_no_byte_changed_added_or_taken_out() {
        let text = sealed("# first\n", "version = 1\n\n[[hook]]\nname = \"a\"\n");
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
