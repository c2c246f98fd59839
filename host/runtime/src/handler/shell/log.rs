//! Standard error as lines of the hook's log.

use hookbox_model::{Limit, Limits, LogLevel, LogLine};

#[derive(Debug, Default)]
pub(in super::super) struct KeptLog {
    pub(in super::super) lines: Vec<LogLine>,
    /// Length of the text in `lines`, bytes.
    pub(in super::super) bytes: u64,
    /// Count of lines that were dropped beyond the quota.
    pub(in super::super) dropped: u64,
}

/// Returns the non-blank lines of `text`, cleaned, within the quota of lines and bytes.
pub(in super::super) fn keep_lines(text: &str, level: LogLevel, limits: &Limits) -> KeptLog {
    let mut kept = KeptLog::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let line = LogLine::new(level, line.trim_end());
        let bytes = kept.bytes + line.message.len() as u64;
        if bytes > limits.get(Limit::LogBytes) || kept.lines.len() >= limits.get_size(Limit::LogLines) {
            kept.dropped += 1;
        } else {
            kept.bytes = bytes;
            kept.lines.push(line);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summarize_log(kept: &KeptLog) -> (Vec<&str>, u64, u64) {
        (kept.lines.iter().map(|line| line.message.as_str()).collect(), kept.bytes, kept.dropped)
    }

    #[test]
    fn lines_are_cleaned_and_blank_ones_left_out() {
        let kept = keep_lines("one\r\n\n  \n\ttwo\x1b[0m\n", LogLevel::Info, &Limits::default());
        assert_eq!(summarize_log(&kept), (vec!["one", "\ttwo[0m"], 10, 0));
    }

    #[test]
    fn lines_past_either_quota_are_dropped_and_counted() {
        let limits = Limits::default().with_limit(Limit::LogLines, 2).unwrap();
        assert_eq!(summarize_log(&keep_lines("a\nb\nc\nd", LogLevel::Info, &limits)), (vec!["a", "b"], 2, 2));
        let limits = Limits::default().with_limit(Limit::LogBytes, 256).unwrap();
        let long = "x".repeat(250);
        assert_eq!(
            summarize_log(&keep_lines(&format!("{long}\nmore than six\nsix456"), LogLevel::Info, &limits)),
            (vec![&*long, "six456"], 256, 1)
        );
    }
}
