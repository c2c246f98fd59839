//! `terminalSequence`: text that Claude Code writes to the terminal for a hook.

/// Longest sequence, bytes.
const MAX_BYTES: usize = 4096;
/// Terminal commands that are allowed: titles (0, 1, 2) and notifications (9, 99, 777).
const COMMANDS: [&str; 6] = ["0", "1", "2", "9", "99", "777"];

/// Returns true if the text consists of bells, titles and notifications. Claude Code drops anything else.
pub(super) fn is_allowed(text: &str) -> bool {
    let mut rest = text;
    while !rest.is_empty() {
        let Some(behind) = rest.strip_prefix('\u{7}').or_else(|| behind_command(rest)) else { return false };
        rest = behind;
    }
    !text.is_empty() && text.len() <= MAX_BYTES
}

/// Returns the text after the command that `text` begins with, which ends with a bell or with `ESC \`.
fn behind_command(text: &str) -> Option<&str> {
    let body = text.strip_prefix("\u{1b}]")?;
    let end = body.find(['\u{7}', '\u{1b}'])?;
    let (body, rest) = body.split_at_checked(end)?;
    let number = body.split(';').next().unwrap_or_default();
    // A control character could end the command early and begin another one, such as one that writes the
    // clipboard.
    let plain = COMMANDS.contains(&number) && !body.contains(char::is_control);
    rest.strip_prefix('\u{7}').or_else(|| rest.strip_prefix("\u{1b}\\")).filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn bells_titles_and_notifications_are_allowed_and_nothing_else() {
        for (text, expected) in [
            ("\u{7}", true),
            ("\u{1b}]0;title\u{7}", true),
            ("\u{1b}]777;notify;a;b\u{1b}\\\u{7}", true),
            ("\u{1b}]9;4;1;50\u{7}", true),
            ("\u{1b}]52;c;ZXZpbA==\u{7}", false),
            ("\u{1b}]8;;http://x\u{7}", false),
            ("\u{1b}[2J", false),
            ("\u{1b}]0;title", false),
            ("\u{1b}]0;a\nb\u{7}", false),
            ("plain", false),
            ("", false),
        ] {
            assert_eq!(is_allowed(text), expected, "{text:?}");
        }
    }
}
