//! Requests to one repository of a registry.

use bytes::Bytes;
use hyper::{
    Method, StatusCode,
    header::{self, HeaderValue},
};
use semver::Version;
use serde::Deserialize;
use url::Url;

use crate::{
    access::{Visitor, is_challenge},
    digest::Digest,
    error::{Error, ErrorKind},
    json,
    manifest::{Descriptor, INDEX, MANIFEST},
    reference::parse_tag,
    wire::{Reply, Wire, WireRequest},
};

/// Longest manifest or list of tags, bytes.
pub const MAX_MANIFEST: u64 = 4 << 20;
/// Most pages of a list of tags.
const MOST_PAGES: usize = 32;
const BOTH: &str = "application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json";
const BYTES: &str = "application/octet-stream";
const DIGEST: &str = "docker-content-digest";

/// A manifest with its exact bytes.
pub(crate) struct Stored {
    pub(crate) bytes: Vec<u8>,
    pub(crate) digest: Digest,
    pub(crate) media_type: Option<String>,
}

/// A session with one repository. It keeps the authorization from one request to the next.
pub(crate) struct Session<'a> {
    wire: Wire<'a>,
    visitor: Visitor<'a>,
    authorization: Option<HeaderValue>,
}

#[derive(Deserialize)]
struct Tags {
    /// Some registries write `null` for an empty list.
    tags: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Complaints {
    errors: Vec<Complaint>,
}

#[derive(Deserialize)]
struct Complaint {
    code: String,
}

impl<'a> Session<'a> {
    pub(crate) fn new(wire: Wire<'a>, visitor: Visitor<'a>) -> Self {
        Self { wire, visitor, authorization: None }
    }

    pub(crate) async fn fetch_manifest(
        &mut self,
        tag: &str,
        pinned: Option<&Digest>,
    ) -> Result<Stored, Error> {
        let url = self.build_url(&format!("manifests/{tag}"));
        let ask = WireRequest::new(Method::GET, url).with_header(header::ACCEPT, BOTH).at_most(MAX_MANIFEST);
        let reply = self.send_request(ask).await?;
        self.check_found(&reply, tag)?;
        // The digest is always computed; the registry's own statement is only compared with it.
        let digest = Digest::of_content(&reply.body);
        if pinned.is_some_and(|pinned| *pinned != digest) {
            return Err(
                self.make_damaged_error(&format!("sends another manifest for `{tag}`: it is `{digest}`"))
            );
        }
        self.check_named(&reply, &digest)?;
        let media_type =
            reply.get_header("content-type").map(|kind| kind.split(';').next().unwrap_or(kind).trim());
        Ok(Stored { media_type: media_type.map(str::to_owned), bytes: reply.body, digest })
    }

    /// Returns the current digest of a tag, if the registry reports it without the whole manifest.
    pub(crate) async fn fetch_digest(&mut self, tag: &str) -> Result<Option<Digest>, Error> {
        let url = self.build_url(&format!("manifests/{tag}"));
        let reply =
            self.send_request(WireRequest::new(Method::HEAD, url).with_header(header::ACCEPT, BOTH)).await?;
        if reply.status == StatusCode::NOT_FOUND {
            return Ok(None);
        }
        self.check_found(&reply, tag)?;
        match reply.get_header(DIGEST).and_then(Digest::parse) {
            Some(digest) => Ok(Some(digest)),
            None => Ok(Some(self.fetch_manifest(tag, None).await?.digest)),
        }
    }

    /// Returns content by its descriptor, and checks its size and digest.
    pub(crate) async fn fetch_blob(&mut self, wanted: &Descriptor) -> Result<Vec<u8>, Error> {
        let digest = &wanted.digest;
        let ask =
            WireRequest::new(Method::GET, self.build_url(&format!("blobs/{digest}"))).at_most(wanted.size);
        let reply = self.send_request(ask).await?;
        self.check_found(&reply, &digest.to_string())?;
        let (found, length) = (Digest::of_content(&reply.body), reply.body.len());
        if length as u64 != wanted.size {
            let size = wanted.size;
            return Err(
                self.make_damaged_error(&format!("sends {length} bytes for `{digest}`, which has {size}"))
            );
        }
        if found != *digest {
            return Err(
                self.make_damaged_error(&format!("sends other content for `{digest}`: it is `{found}`"))
            );
        }
        self.check_named(&reply, digest)?;
        Ok(reply.body)
    }

    /// Returns the versions that have tags; other tags are skipped.
    pub(crate) async fn list_versions(&mut self) -> Result<Vec<Version>, Error> {
        let mut url = self.build_url("tags/list");
        let mut versions = Vec::new();
        // A registry could link its pages in a circle.
        for _ in 0..MOST_PAGES {
            let reply = self.send_request(WireRequest::new(Method::GET, url).at_most(MAX_MANIFEST)).await?;
            self.check_found(&reply, "tags")?;
            let page: Tags = json::parse_document(&reply.body, "the list of tags")?;
            versions.extend(page.tags.unwrap_or_default().iter().filter_map(|tag| parse_tag(tag)));
            let Some(next) = reply.get_header("link").and_then(next_page) else { return Ok(versions) };
            // The request for the next page carries the authorization.
            let next = reply.from.join(next).ok().filter(|next| self.wire.home.is_same_server(next));
            url = next.ok_or_else(|| self.make_damaged_error("has more tags at another server"))?;
        }
        Err(Error::new(ErrorKind::TooLarge, format!("{} has too many tags", self.name())))
    }

    /// Returns true if the registry has this content.
    pub(crate) async fn has_content(&mut self, digest: &Digest) -> Result<bool, Error> {
        let reply = self
            .send_request(WireRequest::new(Method::HEAD, self.build_url(&format!("blobs/{digest}"))))
            .await?;
        Ok(reply.status.is_success())
    }

    pub(crate) async fn upload_content(&mut self, content: Bytes) -> Result<(), Error> {
        let digest = Digest::of_content(&content);
        let begun =
            self.send_change(WireRequest::new(Method::POST, self.build_url("blobs/uploads/"))).await?;
        self.expect_status(&begun, StatusCode::ACCEPTED)?;
        let place = begun.get_header("location").and_then(|location| begun.from.join(location).ok());
        // The upload would otherwise go, with its authorization, to a server of the registry's choice.
        let place = place.filter(|place| self.wire.home.is_same_server(place));
        let mut place =
            place.ok_or_else(|| self.make_damaged_error("takes no content at its own address"))?;
        place.query_pairs_mut().append_pair("digest", &digest.to_string());
        let done = self.send_change(WireRequest::new(Method::PUT, place).with_body(content, BYTES)).await?;
        self.expect_status(&done, StatusCode::CREATED)
    }

    pub(crate) async fn put_manifest(
        &mut self,
        tag: &str,
        manifest: &[u8],
        is_pack: bool,
    ) -> Result<(), Error> {
        let url = self.build_url(&format!("manifests/{tag}"));
        let media_type = if is_pack { INDEX } else { MANIFEST };
        let ask = WireRequest::new(Method::PUT, url).with_body(Bytes::copy_from_slice(manifest), media_type);
        let reply = self.send_change(ask).await?;
        self.expect_status(&reply, StatusCode::CREATED)?;
        self.check_named(&reply, &Digest::of_content(manifest))
    }

    fn build_url(&self, path: &str) -> Url {
        self.wire.home.build_url(&format!("{}/{path}", self.visitor.scope.name))
    }

    async fn send_request(&mut self, mut ask: WireRequest) -> Result<Reply, Error> {
        ask.authorization.clone_from(&self.authorization);
        let reply = self.wire.follow_redirects(ask.clone()).await?;
        if !is_challenge(&self.wire, &reply) || self.authorization.is_some() {
            return Ok(reply);
        }
        self.get_in(&reply).await?;
        ask.authorization.clone_from(&self.authorization);
        self.wire.follow_redirects(ask).await
    }

    /// Sends a request that changes something; redirects are not followed.
    async fn send_change(&mut self, mut ask: WireRequest) -> Result<Reply, Error> {
        ask.authorization.clone_from(&self.authorization);
        let reply = self.wire.send_once(ask.clone()).await?;
        if !is_challenge(&self.wire, &reply) || self.authorization.is_some() {
            return Ok(reply);
        }
        self.get_in(&reply).await?;
        ask.authorization.clone_from(&self.authorization);
        self.wire.send_once(ask).await
    }

    async fn get_in(&mut self, no: &Reply) -> Result<(), Error> {
        self.authorization = Some(self.visitor.authorize_request(&mut self.wire, no).await?);
        Ok(())
    }

    fn check_found(&self, reply: &Reply, what: &str) -> Result<(), Error> {
        match reply.status {
            StatusCode::OK => Ok(()),
            StatusCode::NOT_FOUND => {
                let name = self.name();
                Err(Error::new(ErrorKind::NotFound, format!("{name} has no `{what}`")))
            }
            _ => self.expect_status(reply, StatusCode::OK),
        }
    }

    fn expect_status(&self, reply: &Reply, status: StatusCode) -> Result<(), Error> {
        let actual = reply.status;
        match actual {
            _ if actual == status => Ok(()),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                Err(self.visitor.build_unauthorized("denies access"))
            }
            _ => {
                let code =
                    parse_error_code(&reply.body).map_or_else(String::new, |code| format!(" ({code})"));
                let text = format!("`{}` answers {}{code}", self.visitor.registry, actual.as_u16());
                Err(Error::new(ErrorKind::Unreachable, text))
            }
        }
    }

    /// Checks the digest in the server's response.
    fn check_named(&self, reply: &Reply, digest: &Digest) -> Result<(), Error> {
        // Only the registry states digests; a storage server behind a redirect may use the header for its
        // own.
        let named = reply.headers.get(DIGEST).filter(|_| self.wire.home.is_same_server(&reply.from));
        if named.is_none_or(|named| named.to_str().ok().and_then(Digest::parse).as_ref() == Some(digest)) {
            return Ok(());
        }
        Err(self.make_damaged_error(&format!("names another digest for `{digest}`")))
    }

    fn name(&self) -> String {
        format!("`{}/{}`", self.visitor.registry, self.visitor.scope.name)
    }

    fn make_damaged_error(&self, what: &str) -> Error {
        Error::for_damage(format!("`{}` {what}", self.visitor.registry))
    }
}

/// Parses `<ADDRESS>; rel="next"`.
fn next_page(link: &str) -> Option<&str> {
    let (address, rest) = link.trim().strip_prefix('<')?.split_once('>')?;
    rest.contains("rel=\"next\"").then_some(address)
}

/// Returns the code of the registry's first error: its message is untrusted.
fn parse_error_code(body: &[u8]) -> Option<String> {
    let complaints: Complaints = json::parse_document(body, "").ok()?;
    let code = complaints.errors.into_iter().next()?.code;
    // The code is shown on a terminal.
    let plain = code.len() <= 64 && code.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    plain.then_some(code)
}
