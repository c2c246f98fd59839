//! Lines of bounded length.

use std::io;
use tokio::io::{AsyncRead, AsyncReadExt as _};

const CHUNK: usize = 64 << 10;

/// A line of the input, without its end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Whole(Vec<u8>),
    /// It was longer than it may be, and is gone.
    TooLong,
}

/// Reads lines. Of one that is too long no more is kept than it may be long.
pub(super) struct Lines<R> {
    input: R,
    most: usize,
    chunk: Box<[u8]>,
    /// What of the chunk has been read and not yet looked at.
    unread: std::ops::Range<usize>,
    line: Vec<u8>,
    is_too_long: bool,
    at_end: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(input: R, most: usize) -> Self {
        let chunk = vec![0; CHUNK].into_boxed_slice();
        Self { input, most, chunk, unread: 0..0, line: Vec::new(), is_too_long: false, at_end: false }
    }

    /// The next line; `None` at the end. A last line that nothing ends is one. It may be dropped and asked for again.
    pub(super) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            if let Some(line) = self.take_chunk() {
                return Ok(Some(line));
            }
            if self.at_end {
                let is_there = self.is_too_long || !self.line.is_empty();
                return Ok(is_there.then(|| self.take_line()));
            }
            let read = self.input.read(&mut self.chunk).await?;
            self.at_end = read == 0;
            self.unread = 0..read;
        }
    }

    /// Moves what was read to the line, up to the end of the line.
    fn take_chunk(&mut self) -> Option<Line> {
        let unread = self.chunk.get(self.unread.clone()).unwrap_or_default();
        let end = unread.iter().position(|byte| *byte == b'\n');
        let taken = unread.get(..end.unwrap_or(unread.len())).unwrap_or_default();
        self.is_too_long |= self.line.len() + taken.len() > self.most;
        if self.is_too_long {
            self.line = Vec::new();
        } else {
            self.line.extend_from_slice(taken);
        }
        self.unread.start += taken.len() + usize::from(end.is_some());
        end.map(|_| self.take_line())
    }

    fn take_line(&mut self) -> Line {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.is_too_long) { Line::TooLong } else { Line::Whole(line) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, Lines};

    fn lines(text: &[u8], most: usize) -> Vec<Line> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut lines = Lines::new(text, most);
        runtime.block_on(async {
            let mut all = Vec::new();
            while let Some(line) = lines.next().await.unwrap() {
                all.push(line);
            }
            all
        })
    }

    #[test]
    fn a_line_may_be_so_long_and_no_longer() {
        let whole = |text: &str| Line::Whole(text.into());
        assert_eq!(lines(b"", 3), []);
        assert_eq!(lines(b"abc\n\nd", 3), [whole("abc"), whole(""), whole("d")]);
        assert_eq!(lines(b"abcd\nab\nabcd", 3), [Line::TooLong, whole("ab"), Line::TooLong]);
        let long = [vec![b'x'; 200_000], b"\nab\n".to_vec()].concat();
        assert_eq!(lines(&long, 199_999), [Line::TooLong, whole("ab")]);
        assert_eq!(lines(&long, 200_000), [Line::Whole(vec![b'x'; 200_000]), whole("ab")]);
    }
}
