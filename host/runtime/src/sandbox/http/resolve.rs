//! Names to addresses. The system's own function cannot be used in a static program, and takes names that no rule covers
//! on the way (search domains).

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::{error::Error, pin::Pin, str::FromStr, sync::Arc};

use hickory_resolver::{
    Hosts, TokioResolver,
    config::{ResolveHosts, ResolverConfig, ResolverOpts},
    lookup_ip::LookupIp,
    net::{NetError, runtime::TokioRuntimeProvider},
    proto::{
        op::Query,
        rr::{Name, RecordType},
    },
    system_conf::read_system_conf,
};

/// A lookup under way. Dropping it ends it.
pub(super) type Resolving = Pin<Box<dyn Future<Output = Found> + Send>>;

type Found = Result<Vec<IpAddr>, Box<dyn Error + Send + Sync>>;

/// Says which addresses a name has.
pub(super) trait Resolve: Send + Sync {
    /// The addresses of `name`, the best first. The name is canonical, and whole: no domain is to be added to it.
    fn resolve(&self, name: &str) -> Resolving;
}

/// By the name servers and the hosts file of this machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct System;

impl Resolve for System {
    fn resolve(&self, name: &str) -> Resolving {
        let name = name.to_owned();
        // Read anew each time: networks come and go.
        Box::pin(async move {
            match of_this_machine(&name) {
                Some(addresses) => Ok(addresses),
                None => NameServers::of_this_machine()?.addresses(&name).await,
            }
        })
    }
}

/// `localhost` and all names below it, whatever a name server or the hosts file says of them (RFC 6761).
fn of_this_machine(name: &str) -> Option<Vec<IpAddr>> {
    let is_local = name == "localhost" || name.ends_with(".localhost");
    is_local.then(|| vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()])
}

/// By these name servers and hosts. Nothing is kept between lookups.
#[derive(Clone, Debug)]
pub(super) struct NameServers {
    pub(super) config: ResolverConfig,
    pub(super) options: ResolverOpts,
    /// Who stands here is not asked about.
    pub(super) hosts: Arc<Hosts>,
}

impl NameServers {
    /// Those of `/etc/resolv.conf` and `/etc/hosts`.
    fn of_this_machine() -> Result<Self, NetError> {
        let (config, options) = read_system_conf()?;
        // A machine may do without one.
        let hosts = Hosts::from_system().unwrap_or_default();
        Ok(Self { config, options, hosts: Arc::new(hosts) })
    }

    pub(super) async fn addresses(self, name: &str) -> Found {
        // The dot at its end keeps the domains of this machine from being tried.
        let name = Name::from_str(&format!("{name}."))?;
        let listed = self.listed(&name);
        if listed.is_empty() { self.asked(name).await } else { Ok(listed) }
    }

    /// As the hosts file says.
    fn listed(&self, name: &Name) -> Vec<IpAddr> {
        let kinds = [RecordType::AAAA, RecordType::A].into_iter();
        let found = kinds.filter_map(|kind| self.hosts.lookup_static_host(&Query::query(name.clone(), kind)));
        found.flat_map(|lookup| LookupIp::from(lookup).iter().collect::<Vec<_>>()).collect()
    }

    /// As the name servers say.
    async fn asked(self, name: Name) -> Found {
        let Self { config, mut options, .. } = self;
        options.use_hosts_file = ResolveHosts::Never;
        let builder = TokioResolver::builder_with_config(config, TokioRuntimeProvider::default());
        let found = builder.with_options(options).build()?.lookup_ip(name).await?;
        Ok(found.iter().collect())
    }
}
