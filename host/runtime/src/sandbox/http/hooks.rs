//! Entry point for requests: `wasi:http` passes a guest's requests here.

use std::sync::Arc;

use hookbox_model::{AddressRange, HttpRule};
use hyper::{
    Request, Response,
    header::{EXPECT, HeaderName, TE, TRAILER},
};
use wasmtime_wasi_http::{
    DEFAULT_FORBIDDEN_HEADERS, Error, ForbiddenHeaderFilter, RequestOptions, WasiBody, WasiHttpHooks,
};

use super::{
    Servers,
    caps::{self, Caps},
    exchange::Exchange,
    secrets::Secrets,
};
use crate::sandbox::refusals::Refusals;

/// Rules and state of one call's requests.
#[derive(Clone)]
pub(super) struct Hooks {
    pub(super) rules: Arc<[HttpRule]>,
    pub(super) addresses: Arc<[AddressRange]>,
    pub(super) secrets: Arc<Secrets>,
    pub(super) servers: Servers,
    pub(super) caps: Caps,
    pub(super) refusals: Refusals,
}

/// A request under way.
type Sending = Box<dyn Future<Output = Result<(Response<WasiBody>, Connection), Error>> + Send>;

/// Drives the connection while the answer is read. Dropping it closes the connection.
pub(super) type Connection = Box<dyn Future<Output = Result<(), Error>> + Send>;

impl WasiHttpHooks for Hooks {
    fn forbidden_header_filter(&mut self) -> ForbiddenHeaderFilter {
        Arc::new(is_ours)
    }

    /// The host writes this header, from the checked target.
    fn set_host_header(&mut self) -> bool {
        false
    }

    fn send_request(
        &mut self,
        request: Request<WasiBody>,
        options: Option<RequestOptions>,
        _: Connection,
    ) -> Sending {
        Box::new(Exchange::new(self.clone(), options.unwrap_or_default()).run(request))
    }

    fn p2_outgoing_body_chunk_size(&mut self) -> usize {
        caps::CHUNK
    }
}

/// Returns true if this header belongs to the connection: the guest cannot set it.
pub(super) fn is_ours(name: &HeaderName) -> bool {
    // Headers of framing from a guest could make a server read one request as two (request smuggling).
    DEFAULT_FORBIDDEN_HEADERS.contains(name) || [TE, TRAILER, EXPECT].contains(name)
}
