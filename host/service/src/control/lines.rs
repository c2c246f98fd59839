//! Bytes as lines, of which none may take more memory than a message may.

/// Longest message, bytes: as long as an event may be.
pub const MAX_LINE_BYTES: usize = hookbox::MAX_EVENT_BYTES;
/// Of a longer one the beginning is kept.
const BEGINNING: usize = 64 << 10;

/// A line without its end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Whole(Vec<u8>),
    /// It is longer than a message may be: how long, and its beginning.
    TooLong(usize, Vec<u8>),
}

/// Puts lines together.
#[derive(Debug, Default)]
pub(super) struct Lines {
    kept: Vec<u8>,
    /// How long the line is so far; what is beyond the limit is not kept.
    length: usize,
}

impl Lines {
    /// The lines that end in these bytes. Empty ones are none.
    pub(super) fn add(&mut self, bytes: &[u8]) -> Vec<Line> {
        let mut pieces = bytes.split(|byte| *byte == b'\n');
        let last = pieces.next_back().unwrap_or_default();
        let mut lines = Vec::new();
        for piece in pieces {
            self.keep(piece);
            lines.extend(self.take());
        }
        self.keep(last);
        lines
    }

    /// The last line, if the stream ends within one.
    pub(super) fn end(&mut self) -> Option<Line> {
        self.take()
    }

    fn keep(&mut self, piece: &[u8]) {
        self.length = self.length.saturating_add(piece.len());
        if self.length <= MAX_LINE_BYTES {
            self.kept.extend_from_slice(piece);
            return;
        }
        if self.kept.len() < BEGINNING {
            let more = BEGINNING - self.kept.len();
            self.kept.extend_from_slice(piece.get(..more).unwrap_or(piece));
        }
        self.kept.truncate(BEGINNING);
        self.kept.shrink_to_fit();
    }

    fn take(&mut self) -> Option<Line> {
        let (line, length) = (std::mem::take(&mut self.kept), std::mem::take(&mut self.length));
        if length > MAX_LINE_BYTES {
            return Some(Line::TooLong(length, line));
        }
        (!line.trim_ascii().is_empty()).then_some(Line::Whole(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_are_the_same_however_their_bytes_arrive() {
        let text = b"{\"a\":1}\n\n \r\n{\"b\":2}\n{\"c\"";
        for size in 1..=text.len() {
            let mut lines = Lines::default();
            let found: Vec<_> = text.chunks(size).flat_map(|chunk| lines.add(chunk)).collect();
            assert_eq!(found, [whole("{\"a\":1}"), whole("{\"b\":2}")], "{size}");
            assert_eq!(lines.end(), Some(whole("{\"c\"")), "{size}");
            assert_eq!(lines.end(), None, "{size}");
        }
    }

    #[test]
    fn of_a_line_that_is_too_long_the_beginning_is_kept_and_the_next_one_is_whole() {
        let mut lines = Lines::default();
        assert_eq!(lines.add(b"begin"), []);
        let chunk = vec![b'x'; 1 << 20];
        for _ in 0..100 {
            assert_eq!(lines.add(&chunk), []);
            assert!(lines.kept.capacity() <= 2 * MAX_LINE_BYTES);
        }
        assert_eq!(lines.kept.len(), BEGINNING);
        let found = lines.add(b"\n{}\n");
        let [Line::TooLong(length, beginning), next] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((*length, beginning.len(), &beginning[..6]), (5 + (100 << 20), BEGINNING, &b"beginx"[..]));
        assert_eq!(*next, whole("{}"));
    }

    #[test]
    fn a_line_may_be_as_long_as_a_message_and_no_longer() {
        let mut lines = Lines::default();
        let mut text = vec![b'x'; MAX_LINE_BYTES];
        text.push(b'\n');
        assert_eq!(lines.add(&text), [Line::Whole(vec![b'x'; MAX_LINE_BYTES])]);
        text.insert(0, b'x');
        assert_eq!(lines.add(&text), [Line::TooLong(MAX_LINE_BYTES + 1, vec![b'x'; BEGINNING])]);
    }
}
