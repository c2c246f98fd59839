//! Names to addresses. The system's own function cannot be used in a static program, and takes names that no rule covers
//! on the way (search domains).

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::{error::Error, pin::Pin};

use hickory_resolver::TokioResolver;

/// A lookup under way. Dropping it ends it.
pub(super) type Resolving =
    Pin<Box<dyn Future<Output = Result<Vec<IpAddr>, Box<dyn Error + Send + Sync>>> + Send>>;

/// Says which addresses a name has.
pub(super) trait Resolve: Send + Sync {
    /// The addresses of `name`, the best first. The name is canonical, and whole: no domain is to be added to it.
    fn resolve(&self, name: &str) -> Resolving;
}

/// By the name servers and the hosts file of this machine. Nothing is kept between lookups.
#[derive(Clone, Copy, Debug)]
pub(super) struct System;

impl Resolve for System {
    fn resolve(&self, name: &str) -> Resolving {
        let name = name.to_owned();
        Box::pin(async move {
            // Whatever a name server says of it.
            if name == "localhost" || name.ends_with(".localhost") {
                return Ok(vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]);
            }
            let resolver = TokioResolver::builder_tokio()?.build()?;
            // The dot at its end keeps the domains of this machine from being tried.
            let found = resolver.lookup_ip(format!("{name}.")).await?;
            Ok(found.iter().collect())
        })
    }
}
