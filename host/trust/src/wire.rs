//! OpenSSH's encoding of bytes, numbers and texts (RFC 4251, section 5).

/// The data ends too early, or continues after its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

/// Remaining bytes.
pub(crate) struct Wire<'a>(&'a [u8]);

impl<'a> Wire<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn take_bytes(&mut self, length: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Malformed)?;
        self.0 = rest;
        Ok(taken)
    }

    fn read_array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        self.take_bytes(N)?.try_into().map_err(|_| Malformed)
    }

    pub(crate) fn read_byte(&mut self) -> Result<u8, Malformed> {
        self.read_array().map(|[byte]| byte)
    }

    pub(crate) fn read_number(&mut self) -> Result<u32, Malformed> {
        self.read_array().map(u32::from_be_bytes)
    }

    pub(crate) fn read_long(&mut self) -> Result<u64, Malformed> {
        self.read_array().map(u64::from_be_bytes)
    }

    /// Reads bytes with their length before them.
    pub(crate) fn read_string(&mut self) -> Result<&'a [u8], Malformed> {
        let length = self.read_number()?;
        // The length is foreign, so it is compared with the remaining bytes and nothing is allocated by it.
        self.take_bytes(usize::try_from(length).map_err(|_| Malformed)?)
    }

    /// Reads text with its length before it.
    pub(crate) fn read_text(&mut self) -> Result<&'a str, Malformed> {
        str::from_utf8(self.read_string()?).map_err(|_| Malformed)
    }

    /// Checks that all bytes were read.
    pub(crate) fn end(&self) -> Result<(), Malformed> {
        if self.is_empty() { Ok(()) } else { Err(Malformed) }
    }
}

/// Appends bytes with their length before them; bytes beyond the largest length are cut off, which never happens to hookbox's values.
pub(crate) fn put_string(to: &mut Vec<u8>, bytes: &[u8]) {
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    to.extend_from_slice(&length.to_be_bytes());
    to.extend(bytes.iter().take(length as usize));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_read_again_and_nothing_else() {
        let mut bytes = Vec::new();
        put_string(&mut bytes, b"hook");
        put_string(&mut bytes, b"");
        let mut wire = Wire::new(&bytes);
        assert_eq!((wire.read_text(), wire.read_string(), wire.end()), (Ok("hook"), Ok(&b""[..]), Ok(())));
        assert_eq!(wire.read_byte(), Err(Malformed));
        for cut in 0..bytes.len() {
            let mut wire = Wire::new(&bytes[..cut]);
            assert!(wire.read_string().and_then(|_| wire.read_string()).is_err(), "{cut}");
        }
    }

    #[test]
    fn a_length_that_is_longer_than_the_data_is_refused() {
        assert_eq!(Wire::new(&[0xff, 0xff, 0xff, 0xff, 1]).read_string(), Err(Malformed));
    }
}
