//! A name server on a loopback address, by UDP and TCP.

use core::net::IpAddr;
use std::{
    io::{Read, Write},
    net::{Ipv4Addr, TcpListener, UdpSocket},
    str::FromStr,
    sync::{Arc, Mutex},
    thread,
};

use hickory_resolver::{
    Hosts,
    config::{ConnectionConfig, NameServerConfig, ResolverConfig, ResolverOpts},
    proto::{
        op::{Message, ResponseCode},
        rr::{Name, RData, Record, RecordType, rdata::CNAME},
    },
};
use hookbox_http::{Domains, NameServers, Resolve, Resolving};

/// Largest answer by UDP, bytes; a larger answer is cut, so that the resolver repeats the query by TCP.
const MAX_UDP: usize = 512;

/// The server's record of one name.
pub(super) enum NameRecord {
    /// Addresses of the name.
    Addresses(Vec<IpAddr>),
    /// Alias of this name.
    Alias(&'static str),
    /// No answer at all.
    Nothing,
}

/// Names with their records. Every other name does not exist.
pub(super) type Zone = Vec<(&'static str, NameRecord)>;

/// A server that records its queries: the kind of record and the name, and `tcp` for a query by TCP.
pub(super) struct NameServer {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl NameServer {
    pub(super) fn new(zone: Zone) -> Self {
        let (udp, tcp) = bind_sockets();
        let port = udp.local_addr().unwrap().port();
        let (zone, asked) = (Arc::new(zone), Arc::new(Mutex::new(Vec::new())));
        let (of_udp, kept) = (Arc::clone(&zone), Arc::clone(&asked));
        thread::spawn(move || by_udp(&udp, &of_udp, &kept));
        let kept = Arc::clone(&asked);
        thread::spawn(move || by_tcp(&tcp, &zone, &kept));
        Self { port, asked }
    }

    /// Returns the queries so far, sorted.
    pub(super) fn asked(&self) -> Vec<String> {
        let mut asked = self.asked.lock().unwrap().clone();
        asked.sort();
        asked
    }

    /// Returns a resolver that queries this server, on a machine with this hosts file and the search domain
    /// `corp.example`.
    pub(super) fn make_resolver(&self, hosts: &str) -> Arc<dyn Resolve> {
        let connections = [ConnectionConfig::udp(), ConnectionConfig::tcp()].map(|mut connection| {
            connection.port = self.port;
            connection
        });
        let server = NameServerConfig::new(Ipv4Addr::LOCALHOST.into(), true, connections.into());
        let search = vec![Name::from_str("corp.example.").unwrap()];
        let mut read = Hosts::default();
        read.read_hosts_conf(hosts.as_bytes()).unwrap();
        Arc::new(Machine(NameServers {
            config: ResolverConfig::from_parts(None, search, vec![server]),
            options: ResolverOpts::default(),
            hosts: Arc::new(read),
        }))
    }
}

/// A machine with these name servers.
struct Machine(NameServers);

impl Resolve for Machine {
    fn resolve(&self, name: &str, domains: Domains) -> Resolving {
        let (servers, name) = (self.0.clone(), name.to_owned());
        Box::pin(async move { servers.resolve_name(&name, domains).await })
    }
}

/// Returns two sockets on one port.
fn bind_sockets() -> (UdpSocket, TcpListener) {
    loop {
        let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        if let Ok(udp) = UdpSocket::bind(tcp.local_addr().unwrap()) {
            return (udp, tcp);
        }
    }
}

fn by_udp(socket: &UdpSocket, zone: &Zone, asked: &Mutex<Vec<String>>) {
    let mut buffer = [0; 4096];
    while let Ok((size, from)) = socket.recv_from(&mut buffer) {
        let question = Message::from_vec(&buffer[..size]).unwrap();
        asked.lock().unwrap().push(format_question(&question));
        if let Some(answer) = answer_question(zone, &question) {
            let bytes = answer.to_vec().unwrap();
            let bytes = if bytes.len() > MAX_UDP { answer.truncate().to_vec().unwrap() } else { bytes };
            socket.send_to(&bytes, from).unwrap();
        }
    }
}

fn by_tcp(listener: &TcpListener, zone: &Zone, asked: &Mutex<Vec<String>>) {
    for stream in listener.incoming() {
        let mut stream = stream.unwrap();
        let mut length = [0; 2];
        // Several queries may come by one connection.
        while stream.read_exact(&mut length).is_ok() {
            let mut question = vec![0; u16::from_be_bytes(length).into()];
            stream.read_exact(&mut question).unwrap();
            let question = Message::from_vec(&question).unwrap();
            asked.lock().unwrap().push(format!("{} tcp", format_question(&question)));
            let bytes = answer_question(zone, &question).unwrap().to_vec().unwrap();
            let length = u16::try_from(bytes.len()).unwrap().to_be_bytes();
            stream.write_all(&[&length[..], &bytes].concat()).unwrap();
        }
    }
}

fn format_question(question: &Message) -> String {
    let query = &question.queries[0];
    format!("{} {}", query.query_type(), query.name())
}

fn answer_question(zone: &Zone, question: &Message) -> Option<Message> {
    let query = &question.queries[0];
    let metadata = &question.metadata;
    let mut answer = Message::response(metadata.id, metadata.op_code);
    answer.metadata.recursion_available = true;
    answer.add_query(query.clone());
    let found = zone.iter().find(|(name, _)| *query.name() == parse_name(name));
    let of_kind = |address: &&IpAddr| address.is_ipv4() == (query.query_type() == RecordType::A);
    let record = |name: Name, data: RData| Record::from_rdata(name, 60, data);
    match found.map(|(_, value)| value) {
        Some(NameRecord::Nothing) => return None,
        None => answer.metadata.response_code = ResponseCode::NXDomain,
        Some(NameRecord::Alias(other)) => {
            answer.add_answer(record(query.name().clone(), RData::CNAME(CNAME(parse_name(other)))));
        }
        Some(NameRecord::Addresses(addresses)) => {
            for address in addresses.iter().filter(of_kind) {
                answer.add_answer(record(query.name().clone(), RData::from(*address)));
            }
        }
    }
    Some(answer)
}

fn parse_name(name: &str) -> Name {
    Name::from_str(&format!("{name}.")).unwrap()
}
