//! Format of messages: the total length, the length of the JSON, the JSON, and then binary data.

use std::io;

use serde::{Serialize, de::DeserializeOwned};

/// Bytes in front of the JSON: two numbers.
const HEAD: usize = 8;

// The compiler returns at most 512 MiB of code. The length has to fit into the 32 bits of the head.
/// Longest message to a worker, bytes: native code, or an event whose content occurs several times.
pub(super) const MOST_TO_WORKER: usize = 768 << 20;

/// Longest message to the host, bytes: an answer, a log and refusals at their largest limits, every character escaped.
pub(super) const MOST_TO_HOST: usize = 160 << 20;

pub(super) fn encode_message(json: &impl Serialize, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut frame = vec![0; HEAD];
    serde_json::to_writer(&mut frame, json)?;
    let (json, all) = (frame.len() - HEAD, frame.len() + bytes.len());
    let number = |length: usize| u32::try_from(length).map(u32::to_le_bytes).map_err(|_| too_long());
    let (all, json) = (number(all)?, number(json)?);
    for (place, byte) in frame.iter_mut().zip(all.into_iter().chain(json)) {
        *place = byte;
    }
    frame.extend_from_slice(bytes);
    Ok(frame)
}

/// A message that arrives in pieces.
#[derive(Default)]
pub(super) struct Incoming(Vec<u8>);

impl Incoming {
    /// Returns how many bytes are needed to proceed; zero if the message is complete.
    pub(super) fn missing_bytes(&self, most: usize) -> io::Result<usize> {
        let Some(all) = self.read_number(0) else { return Ok(HEAD.saturating_sub(self.0.len())) };
        if all < HEAD || all > most {
            return Err(if all > most { too_long() } else { io::ErrorKind::InvalidData.into() });
        }
        Ok(all.max(HEAD).saturating_sub(self.0.len()))
    }

    pub(super) fn add_bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Decodes the complete message into its JSON and its binary data.
    pub(super) fn read<T: DeserializeOwned>(&self) -> io::Result<(T, &[u8])> {
        let json = self.read_number(4).unwrap_or_default();
        let parts = self.0.get(HEAD..).filter(|rest| rest.len() >= json).map(|rest| rest.split_at(json));
        let (json, bytes) = parts.ok_or(io::ErrorKind::InvalidData)?;
        Ok((serde_json::from_slice(json)?, bytes))
    }

    fn read_number(&self, at: usize) -> Option<usize> {
        let bytes = self.0.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(bytes)).ok()
    }
}

fn too_long() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is longer than any message")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make_incoming(bytes: &[u8]) -> Incoming {
        let mut incoming = Incoming::default();
        incoming.add_bytes(bytes);
        incoming
    }

    #[test]
    fn a_message_is_read_as_it_was_written_in_pieces_of_any_size() {
        let frame = encode_message(&["a", "b"], b"code").unwrap();
        let mut read = Incoming::default();
        for byte in &frame {
            assert!(read.missing_bytes(100).unwrap() > 0);
            read.add_bytes(&[*byte]);
        }
        assert_eq!(read.missing_bytes(100).unwrap(), 0);
        assert_eq!(read.read::<Vec<String>>().unwrap(), (vec!["a".to_owned(), "b".to_owned()], &b"code"[..]));
    }

    #[test]
    fn lengths_that_no_message_has_are_refused() {
        for length in [0_u32, 7, 101, u32::MAX] {
            assert!(make_incoming(&length.to_le_bytes()).missing_bytes(100).is_err(), "{length}");
        }
        // The JSON is longer than the message.
        let frame = [12_u32.to_le_bytes(), 9_u32.to_le_bytes(), *b"null"].concat();
        assert!(make_incoming(&frame).read::<()>().is_err());
        assert!(make_incoming(&[]).read::<()>().is_err());
    }
}
