//! Splits bytes into lines of bounded length.

/// A line without its line break.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A complete line.
    Whole(Vec<u8>),
    /// A line beyond the limit: its length in bytes, and the kept beginning.
    TooLong(usize, Vec<u8>),
}

/// Assembles lines from the pieces in which they arrive.
#[derive(Debug)]
pub struct Lines {
    most: usize,
    beginning: usize,
    kept: Vec<u8>,
    /// Length of the current line; bytes beyond the limit are not kept.
    length: usize,
}

impl Lines {
    /// Creates a splitter for lines of at most `most` bytes. Of a longer line nothing is kept.
    pub fn new(most: usize) -> Self {
        Self { most, beginning: 0, kept: Vec::new(), length: 0 }
    }

    /// Keeps this many bytes of a line that is too long.
    #[must_use]
    pub fn keep_beginning(self, bytes: usize) -> Self {
        Self { beginning: bytes, ..self }
    }

    /// Returns the first line that ends in these bytes, and removes it from them; without an end, removes everything.
    pub fn next(&mut self, bytes: &mut &[u8]) -> Option<Line> {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (piece, rest) = bytes.split_at_checked(end.unwrap_or(bytes.len()))?;
        self.keep_piece(piece);
        *bytes = rest.get(1..).unwrap_or_default();
        end.map(|_| self.take_line())
    }

    /// Returns the unterminated last line, at the end of the input.
    pub fn take_last(&mut self) -> Option<Line> {
        (self.length > 0).then(|| self.take_line())
    }

    /// Returns true if the current line exceeds the limit.
    pub fn is_too_long(&self) -> bool {
        self.length > self.most
    }

    fn keep_piece(&mut self, piece: &[u8]) {
        self.length = self.length.saturating_add(piece.len());
        if !self.is_too_long() {
            self.kept.extend_from_slice(piece);
            return;
        }
        let more = self.beginning.saturating_sub(self.kept.len());
        self.kept.extend_from_slice(piece.get(..more).unwrap_or(piece));
        self.kept.truncate(self.beginning);
        // The line may never end, and its memory must not stay in use until then.
        self.kept.shrink_to_fit();
    }

    fn take_line(&mut self) -> Line {
        let (line, length) = (std::mem::take(&mut self.kept), std::mem::take(&mut self.length));
        if length > self.most { Line::TooLong(length, line) } else { Line::Whole(line) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect_lines(lines: &mut Lines, mut bytes: &[u8]) -> Vec<Line> {
        std::iter::from_fn(|| lines.next(&mut bytes)).collect()
    }

    fn whole_line(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    fn too_long(length: usize, beginning: &str) -> Line {
        Line::TooLong(length, beginning.as_bytes().to_vec())
    }

    #[test]
    fn lines_are_the_same_however_their_bytes_arrive() {
        let text = b"a\n\nbcd\nefgh\n\xff\r\n0123456789\n\nij";
        for size in 1..=text.len() {
            let mut lines = Lines::new(3).keep_beginning(2);
            let found: Vec<_> =
                text.chunks(size).flat_map(|chunk| collect_lines(&mut lines, chunk)).collect();
            let expected = [
                whole_line("a"),
                whole_line(""),
                whole_line("bcd"),
                too_long(4, "ef"),
                Line::Whole(b"\xff\r".to_vec()),
                too_long(10, "01"),
                whole_line(""),
            ];
            assert_eq!(found, expected, "{size}");
            assert_eq!((lines.take_last(), lines.take_last()), (Some(whole_line("ij")), None), "{size}");
        }
    }

    #[test]
    fn a_line_that_never_ends_takes_no_more_memory_than_one_that_may_be_read() {
        let mut lines = Lines::new(1 << 20).keep_beginning(8);
        assert_eq!(collect_lines(&mut lines, b"begin"), []);
        for _ in 0..100 {
            assert_eq!(collect_lines(&mut lines, &vec![b'x'; 600 << 10]), []);
            assert!(lines.kept.capacity() <= 2 << 20);
        }
        assert!(lines.is_too_long());
        assert_eq!(lines.kept.capacity(), 8);
        assert_eq!(
            collect_lines(&mut lines, b"\n{}\n"),
            [too_long(5 + 100 * (600 << 10), "beginxxx"), whole_line("{}")]
        );
        assert!(!lines.is_too_long());
    }

    #[test]
    fn a_line_over_the_limit_is_dropped_whole_if_its_beginning_is_not_wanted() {
        let mut lines = Lines::new(3);
        assert_eq!(
            collect_lines(&mut lines, b"abc\nabcd\nab\nabcd"),
            [whole_line("abc"), too_long(4, ""), whole_line("ab")]
        );
        assert_eq!(lines.take_last(), Some(too_long(4, "")));
    }
}
