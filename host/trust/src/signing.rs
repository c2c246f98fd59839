//! Signatures over statements: made with a private key in OpenSSH's format, and verified.

use ssh_key::{HashAlg, PrivateKey, Signature, SshSig};

use crate::{
    Refusal, RefusalKind,
    key::PublicKey,
    private_key,
    sshsig::{Envelope, NAMESPACE},
};

/// Longest file of a private key, bytes.
pub const MAX_PRIVATE_KEY_BYTES: usize = 64 << 10;

/// A private key that can sign.
pub struct SigningKey {
    private: PrivateKey,
    public: PublicKey,
}

impl SigningKey {
    /// Parses the file of a private key, as `ssh-keygen` writes it.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let padded = private_key::pad_scalar(text);
        let parsed = match padded {
            Some(bytes) => PrivateKey::from_bytes(&bytes),
            None => PrivateKey::from_openssh(text),
        };
        let private = parsed.map_err(|_| {
            make_key_error(
                "it is not a private key in OpenSSH's format; `ssh-keygen -p -f KEY` converts an older one",
            )
        })?;
        let public = private.public_key().to_bytes().map_err(|_| make_key_error("it is damaged"))?;
        let public = PublicKey::parse(&public)?;
        if public.kind().is_in_a_security_key() {
            return Err(make_key_error(
                "the key itself is in a security key: have an ssh-agent ask it (`ssh-add KEY`), and sign with `--key KEY.pub`",
            ));
        }
        // An ssh-agent asks for the passphrase; hookbox has no prompt for one.
        if private.is_encrypted() {
            return Err(make_key_error(
                "it has a passphrase: have an ssh-agent ask for it (`ssh-add KEY`), and sign with `--key KEY.pub`",
            ));
        }
        Ok(Self { private, public })
    }

    /// Returns its public key.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// Signs a statement.
    pub fn sign_statement(&self, statement: &[u8]) -> Result<Envelope, Refusal> {
        let failed = |_| Refusal::new(RefusalKind::Signature, "the key cannot sign");
        let signed = self.private.sign(NAMESPACE, HashAlg::Sha512, statement).map_err(failed)?;
        let signature = Vec::try_from(signed.signature().clone()).map_err(failed)?;
        Envelope::new(self.public.clone(), signature)
    }
}

/// Verifies that the signature is the key's, over this statement.
pub fn verify_signature(envelope: &Envelope, statement: &[u8]) -> Result<(), Refusal> {
    verify_envelope(envelope, statement).map_err(|_| {
        let (kind, fingerprint) = (envelope.key().kind(), envelope.key().fingerprint());
        let why =
            format!("the signature is not over this statement, or not by the key {fingerprint} ({kind})");
        Refusal::new(RefusalKind::Signature, why)
    })
}

fn verify_envelope(envelope: &Envelope, statement: &[u8]) -> Result<(), ssh_key::Error> {
    let key = ssh_key::PublicKey::from_bytes(envelope.key().as_bytes())?;
    let signature = Signature::try_from(envelope.signature())?;
    // A signature of another algorithm than the key's must not be tried: confusion of algorithms has broken
    // verifiers.
    if signature.algorithm().as_str() != envelope.key().kind().as_str() {
        return Err(ssh_key::Error::AlgorithmUnknown);
    }
    let signed = SshSig::new(key.key_data().clone(), NAMESPACE, HashAlg::Sha512, signature)?;
    key.verify(NAMESPACE, statement, &signed)
}

/// Returns true if the signature is the key's, over exactly these bytes.
#[cfg(feature = "sigstore-verify")]
pub(crate) fn verifies_bytes(key: &PublicKey, data: &[u8], signature: &Signature) -> bool {
    use signature::Verifier as _;
    let key = ssh_key::PublicKey::from_bytes(key.as_bytes());
    key.is_ok_and(|key| key.key_data().verify(data, signature).is_ok())
}

fn make_key_error(why: &str) -> Refusal {
    Refusal::new(RefusalKind::Key, why)
}
