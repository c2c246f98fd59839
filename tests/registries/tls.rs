//! A registry behind TLS, with an authority of the test's own.

use std::fs;

use insta::assert_snapshot;
use rcgen::{
    BasicConstraints, Certificate, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd,
};

use crate::{
    create_bed, expect_success,
    testbed::{Ran, TestBed},
    tools::Registry,
};

/// Another name for this machine. It is none of those that are asked without TLS, and no name server has to know it.
const HERE: &str = "0.0.0.0";

/// An authority, and a registry with a certificate by it.
struct Secure {
    registry: Registry,
    bed: TestBed,
}

fn create_authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut of_authority = CertificateParams::new(Vec::new()).unwrap();
    of_authority.distinguished_name.push(DnType::CommonName, "the authority of a test");
    of_authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(of_authority, KeyPair::generate().unwrap()).unwrap()
}

/// For this name, until this year.
fn create_certificate(name: &str, until: i32) -> CertificateParams {
    let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
    params.not_before = date_time_ymd(2000, 1, 1);
    params.not_after = date_time_ymd(until, 1, 1);
    params
}

impl Secure {
    fn by_authority(params: &CertificateParams) -> Self {
        let (authority, key) = (create_authority(), KeyPair::generate().unwrap());
        let signed = params.signed_by(&key, &authority).unwrap();
        Self::start_with(&signed, &key, &authority.pem())
    }

    /// With this certificate, where the user names this authority.
    fn start_with(certificate: &Certificate, key: &KeyPair, authority: &str) -> Self {
        let bed = create_bed("1.2.0");
        let write = |name: &str, text: &str| bed.write_file(&format!("[PROJECT]/{name}"), text);
        let certificate = write("certificate.pem", &certificate.pem());
        let key = write("key.pem", &key.serialize_pem());
        let tls = format!(", tls: {{certificate: '{}', key: '{}'}}", certificate.display(), key.display());
        let registry = Registry::start_with(&tls, "");
        let file = write("authority.pem", authority).display().to_string();
        Self { bed: bed.with_variable("SSL_CERT_FILE", &file), registry }
    }

    fn place(&self) -> String {
        format!("oci://{}", self.registry.name_repository("acme/guard").replace("127.0.0.1", HERE))
    }

    fn push(&self) -> Ran {
        self.bed.run_hookbox(&["plugin", "push", "guard.wasm", &self.place()])
    }

    /// Why nothing gets there, and nothing comes from there.
    fn refused(&self) -> String {
        let pulled = self.bed.run_hookbox(&["plugin", "pull", &self.place()]);
        assert_eq!(self.push().stderr, pulled.stderr);
        assert_eq!(pulled.code, 1, "{pulled}");
        let port = self.registry.address.rsplit(':').next().unwrap();
        pulled.stderr.replace(port, "[PORT]")
    }
}

#[test]
fn a_registry_whose_authority_the_user_names_is_pushed_to_and_pulled_from() {
    let secure = Secure::by_authority(&create_certificate(HERE, 2100));
    expect_success(&secure.push());
    fs::create_dir(secure.bed.resolve_path("[PROJECT]/back")).unwrap();
    expect_success(&secure.bed.run_hookbox(&["plugin", "pull", &secure.place(), "--into", "back"]));
    let read = |name: &str| fs::read(secure.bed.resolve_path(&format!("[PROJECT]/{name}"))).unwrap();
    assert_eq!(read("guard.wasm"), read("back/guard.wasm"));
    // Whom nobody names is not trusted.
    let stranger = Secure { bed: secure.bed.with_variable("SSL_CERT_FILE", "/dev/null"), ..secure };
    assert!(stranger.refused().contains("cannot be reached"), "{}", stranger.refused());
}

#[test]
fn a_certificate_for_another_name_or_of_another_time_is_refused() {
    let refused = |name: &str, until: i32| Secure::by_authority(&create_certificate(name, until)).refused();
    assert_snapshot!(refused("registry.example", 2100), @"error: `0.0.0.0:[PORT]` cannot be reached: its certificate is for another name");
    assert_snapshot!(refused(HERE, 2001), @"error: `0.0.0.0:[PORT]` cannot be reached: its certificate has expired; have it renewed, or look at this machine's clock");
}

#[test]
fn a_certificate_that_vouches_for_itself_or_by_another_authority_is_refused() {
    let key = KeyPair::generate().unwrap();
    let own = create_certificate(HERE, 2100).self_signed(&key).unwrap();
    assert_snapshot!(Secure::start_with(&own, &key, &create_authority().pem()).refused(), @"error: `0.0.0.0:[PORT]` cannot be reached: its certificate is not from a trusted authority; if you trust the authority, name its file: SSL_CERT_FILE=authority.pem");
    let mut as_authority = create_certificate(HERE, 2100);
    as_authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let own = as_authority.self_signed(&key).unwrap();
    assert_snapshot!(Secure::start_with(&own, &key, &create_authority().pem()).refused(), @"error: `0.0.0.0:[PORT]` cannot be reached: its certificate is that of an authority; a server needs one that an authority has signed");
}
