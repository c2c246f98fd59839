//! Name resolution. The system's own function cannot be used in a static program, and resolves names with search domains, which no
//! guest's rule covers.

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
pub type Resolving = Pin<Box<dyn Future<Output = Found> + Send>>;

/// The addresses of a name, or an error.
pub type Found = Result<Vec<IpAddr>, Box<dyn Error + Send + Sync>>;

/// Use of the machine's search domains (`search` in `/etc/resolv.conf`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domains {
    /// The name is complete: no other name is looked up.
    Never,
    /// They are appended, as for the machine's other programs, unless the name ends in a dot.
    AsConfigured,
}

/// A resolver of names.
pub trait Resolve: Send + Sync {
    /// Returns the addresses of `name`, the best first. The name is in lower case and ASCII.
    fn resolve(&self, name: &str, domains: Domains) -> Resolving;
}

/// Resolver with the name servers and the hosts file of this machine.
#[derive(Clone, Copy, Debug)]
pub struct System;

impl Resolve for System {
    fn resolve(&self, name: &str, domains: Domains) -> Resolving {
        let name = name.to_owned();
        // Read anew each time: networks come and go.
        Box::pin(async move {
            match of_this_machine(&name) {
                Some(addresses) => Ok(addresses),
                None => NameServers::of_this_machine()?.resolve_name(&name, domains).await,
            }
        })
    }
}

/// Returns the addresses of `localhost` and all names below it, independent of name servers and the hosts file (RFC 6761).
fn of_this_machine(name: &str) -> Option<Vec<IpAddr>> {
    let name = name.strip_suffix('.').unwrap_or(name);
    let is_local = name == "localhost" || name.ends_with(".localhost");
    is_local.then(|| vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()])
}

/// Resolver with these name servers and hosts. Nothing is cached between lookups.
#[derive(Clone, Debug)]
pub struct NameServers {
    /// The servers.
    pub config: ResolverConfig,
    /// Options of the lookups.
    pub options: ResolverOpts,
    /// Names that are not looked up.
    pub hosts: Arc<Hosts>,
}

impl NameServers {
    /// Returns the resolver of `/etc/resolv.conf` and `/etc/hosts`.
    fn of_this_machine() -> Result<Self, NetError> {
        let (config, options) = read_system_conf()?;
        // The machine may have no hosts file.
        let hosts = Hosts::from_system().unwrap_or_default();
        Ok(Self { config, options, hosts: Arc::new(hosts) })
    }

    /// Returns the addresses of this name, the best first.
    pub async fn resolve_name(self, name: &str, domains: Domains) -> Found {
        // A dot at its end keeps the domains of this machine from being tried.
        let whole = Name::from_str(&format!("{}.", name.strip_suffix('.').unwrap_or(name)))?;
        let listed = self.look_up_hosts(&whole);
        match (listed.is_empty(), domains) {
            (false, _) => Ok(listed),
            (true, Domains::Never) => self.query_servers(whole).await,
            (true, Domains::AsConfigured) => self.query_servers(Name::from_str(name)?).await,
        }
    }

    /// Returns the addresses in the hosts file.
    fn look_up_hosts(&self, name: &Name) -> Vec<IpAddr> {
        let kinds = [RecordType::AAAA, RecordType::A].into_iter();
        let found = kinds.filter_map(|kind| self.hosts.lookup_static_host(&Query::query(name.clone(), kind)));
        found.flat_map(|lookup| LookupIp::from(lookup).iter().collect::<Vec<_>>()).collect()
    }

    /// Looks up the addresses with the name servers.
    async fn query_servers(self, name: Name) -> Found {
        let Self { config, mut options, hosts } = self;
        // The builder would otherwise read the file once more.
        options.use_hosts_file = ResolveHosts::Never;
        let builder = TokioResolver::builder_with_config(config, TokioRuntimeProvider::default());
        let mut resolver = builder.with_options(options).build()?;
        // A name with a domain added may be listed, too.
        resolver.set_hosts(hosts);
        Ok(resolver.lookup_ip(name).await?.iter().collect())
    }
}
