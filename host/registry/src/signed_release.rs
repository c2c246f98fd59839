//! A release's statement and its signatures, as annotations of a manifest: whatever copies the manifest copies them.

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::{error::Error, manifest::Annotations};

/// The annotation with the statement's bytes, in base64.
pub(crate) const STATEMENT: &str = "dev.hookbox.statement";
/// Prefix of the annotations with signatures; a number follows.
pub(crate) const SIGNATURE: &str = "dev.hookbox.statement.sshsig.";
/// Longest statement, bytes.
pub(crate) const MAX_STATEMENT: usize = 256 << 10;
/// Longest signature, bytes.
pub(crate) const MAX_SIGNATURE: usize = 16 << 10;
/// Most signatures of one statement.
pub const MAX_SIGNATURES: usize = 16;

/// The statement of a release and its signatures, not verified yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signed {
    /// The bytes that are signed.
    pub statement: Option<Vec<u8>>,
    /// The armored signatures.
    pub signatures: Vec<String>,
}

impl Signed {
    /// Reads the statement and signatures of these annotations.
    pub fn from_annotations(annotations: &Annotations) -> Result<Self, Error> {
        let statement = annotations.get(STATEMENT).map(|text| decode_base64(text)).transpose()?;
        let mut signatures = Vec::new();
        let count = annotations.keys().filter(|key| key.starts_with(SIGNATURE)).count();
        if count > MAX_SIGNATURES {
            return Err(Error::for_damage(format!("a statement has at most {MAX_SIGNATURES} signatures")));
        }
        // By number, so that no signature is skipped or counted twice.
        for number in 0..count {
            let signature = annotations.get(&format!("{SIGNATURE}{number}"));
            let signature =
                signature.ok_or_else(|| Error::for_damage("the signatures are not numbered from 0"))?;
            if signature.len() > MAX_SIGNATURE {
                return Err(Error::for_damage(format!("a signature is longer than {MAX_SIGNATURE} bytes")));
            }
            signatures.push(signature.clone());
        }
        Ok(Self { statement, signatures })
    }

    /// Writes the statement and signatures as annotations.
    pub fn write_annotations(&self, annotations: &mut Annotations) {
        if let Some(statement) = &self.statement {
            annotations.insert(STATEMENT.to_owned(), STANDARD.encode(statement));
        }
        for (number, signature) in self.signatures.iter().enumerate() {
            annotations.insert(format!("{SIGNATURE}{number}"), signature.clone());
        }
    }
}

fn decode_base64(text: &str) -> Result<Vec<u8>, Error> {
    // The length of the base64 form, checked before it is decoded.
    if text.len() > MAX_STATEMENT.div_ceil(3) * 4 {
        return Err(Error::for_damage(format!("the statement is longer than {MAX_STATEMENT} bytes")));
    }
    STANDARD
        .decode(text)
        .map_err(|_| Error::for_damage(format!("the annotation `{STATEMENT}` is not base64")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sign_annotations(signatures: usize) -> Annotations {
        let mut annotations = Annotations::new();
        let signatures = (0..signatures).map(|number| format!("signature {number}")).collect();
        Signed { statement: Some(b"{}".to_vec()), signatures }.write_annotations(&mut annotations);
        annotations
    }

    #[test]
    fn what_is_written_is_read_alike() {
        let read = Signed::from_annotations(&sign_annotations(12)).unwrap();
        assert_eq!(read.statement.as_deref(), Some(&b"{}"[..]));
        assert_eq!(read.signatures[11], "signature 11");
        assert_eq!(Signed::from_annotations(&Annotations::new()).unwrap(), Signed::default());
    }

    #[test]
    fn a_gap_a_crowd_and_anything_long_are_refused() {
        let mut gap = sign_annotations(3);
        gap.remove("dev.hookbox.statement.sshsig.1");
        let mut long = sign_annotations(1);
        long.insert(format!("{SIGNATURE}0"), "x".repeat(MAX_SIGNATURE + 1));
        let mut statement = sign_annotations(1);
        statement.insert(STATEMENT.to_owned(), "A".repeat(MAX_STATEMENT * 2));
        let mut other = sign_annotations(1);
        other.insert(STATEMENT.to_owned(), "{}".to_owned());
        for (annotations, message) in [
            (gap, "the signatures are not numbered from 0"),
            (sign_annotations(17), "a statement has at most 16 signatures"),
            (long, "a signature is longer than 16384 bytes"),
            (statement, "the statement is longer than 262144 bytes"),
            (other, "the annotation `dev.hookbox.statement` is not base64"),
        ] {
            assert_eq!(Signed::from_annotations(&annotations).unwrap_err().to_string(), message);
        }
    }
}
