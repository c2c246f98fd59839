//! Name resolution by a real name server.

use super::{
    name_server::{NameRecord, NameServer, Zone},
    *,
};
use hookbox_http::System;

/// A server that answers every request, and a guest that may contact it by the name `a.example`.
struct Bed {
    server: Server,
    names: NameServer,
}

impl Bed {
    fn new(zone: Zone) -> Self {
        let server = Server::with_answer("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
        Self { server, names: NameServer::new(zone) }
    }

    fn make_guest(&self, addresses: &[&str], hosts: &str) -> Guest {
        let rule = format!("http://a.example:{}", self.server.port());
        Guest::with_resolver(&make_grants(&[&rule], addresses), &[], self.names.make_resolver(hosts))
    }

    fn get(&self) -> Request<WasiBody> {
        build_get_request(&format!("http://a.example:{}/", self.server.port()))
    }

    /// Returns the status of a request; otherwise the guest's error, and the report.
    fn request_status(&self, addresses: &[&str], hosts: &str) -> Result<u16, (String, String)> {
        let mut guest = self.make_guest(addresses, hosts);
        block_on(async {
            match guest.send_request(self.get()).await {
                Ok(answer) => Ok(answer.status.as_u16()),
                Err(error) => {
                    let report: Vec<_> = guest.refusals().iter().map(ToString::to_string).collect();
                    Err((error.to_string(), report.join("\n")))
                }
            }
        })
    }
}

fn address_answer(addresses: &[&str]) -> NameRecord {
    NameRecord::Addresses(addresses.iter().map(|address| address.parse().unwrap()).collect())
}

fn resolve_name(
    names: &NameServer,
    name: &str,
    domains: Domains,
    hosts: &str,
) -> Result<Vec<String>, String> {
    let found = block_on(names.make_resolver(hosts).resolve(name, domains));
    found.map(|found| found.iter().map(ToString::to_string).collect()).map_err(|error| error.to_string())
}

#[test]
fn a_name_has_the_addresses_of_both_kinds_that_its_name_server_tells() {
    let names =
        NameServer::new(vec![("a.example", address_answer(&["192.0.2.1", "2001:db8::1", "192.0.2.2"]))]);
    assert_eq!(
        resolve_name(&names, "a.example", Domains::Never, ""),
        Ok(["2001:db8::1", "192.0.2.1", "192.0.2.2"].map(str::to_owned).into())
    );
    assert_eq!(names.asked(), ["A a.example.", "AAAA a.example."]);
}

#[test]
fn a_request_is_sent_to_the_address_from_the_name_server() {
    let bed = Bed::new(vec![("a.example", address_answer(&["127.0.0.1"]))]);
    assert_eq!(bed.request_status(&["127.0.0.1"], ""), Ok(200));
    assert_eq!(bed.server.received().len(), 1);
}

/// Catalogue N7: the search domains of a machine are not tried, so that only the name itself is sent to a name server.
#[test]
fn a_name_that_does_not_exist_is_an_error_and_no_domain_is_added_to_it() {
    let bed = Bed::new(vec![("a.example.corp.example", address_answer(&["127.0.0.1"]))]);
    let error = ("DNS error".to_owned(), String::new());
    assert_eq!(bed.request_status(&["127.0.0.1"], ""), Err(error));
    assert_eq!(bed.names.asked(), ["A a.example.", "AAAA a.example."]);
}

/// Webhooks reach a short name as the user's other programs do.
#[test]
fn the_machines_domains_are_added_where_it_is_asked_for_and_the_name_does_not_end_in_a_dot() {
    let zone = || vec![("hooks.corp.example", address_answer(&["192.0.2.1"]))];
    let names = NameServer::new(zone());
    assert_eq!(resolve_name(&names, "hooks", Domains::AsConfigured, ""), Ok(vec!["192.0.2.1".to_owned()]));
    let listed = "192.0.2.7 hooks.corp.example";
    assert_eq!(
        resolve_name(&names, "hooks", Domains::AsConfigured, listed),
        Ok(vec!["192.0.2.7".to_owned()])
    );
    for (name, domains) in [("hooks", Domains::Never), ("hooks.", Domains::AsConfigured)] {
        let names = NameServer::new(zone());
        assert!(resolve_name(&names, name, domains, listed).is_err());
        assert_eq!(names.asked(), ["A hooks.", "AAAA hooks."]);
    }
}

#[test]
fn a_name_without_an_address_is_an_error() {
    let bed = Bed::new(vec![("a.example", address_answer(&[]))]);
    assert_eq!(bed.request_status(&[], "").unwrap_err().0, "DNS error");
}

#[test]
fn a_name_lookup_without_an_answer_ends_at_the_guests_timeout() {
    let bed = Bed::new(vec![("a.example", NameRecord::Nothing)]);
    let short = Duration::from_millis(100);
    let of_guest = RequestOptions { connect_timeout: Some(short), ..RequestOptions::default() };
    let message = block_on(bed.make_guest(&[], "").send_within(bed.get(), of_guest)).unwrap_err();
    assert!(matches!(message, Error::DnsTimeout), "{message:?}");
    assert_eq!(bed.server.received(), Vec::<String>::new());
}

/// Catalogue N1: the owner of a name decides its address.
#[test]
fn an_address_that_is_not_public_is_refused_unless_it_is_granted() {
    let bed = Bed::new(vec![("a.example", address_answer(&["127.0.0.1", "::1", "10.0.0.1"]))]);
    let (message, report) = bed.request_status(&["10.0.0.2"], "").unwrap_err();
    assert_eq!(message, "destination IP address is prohibited");
    assert!(
        report.contains(
            "the address ::1 is not public; to permit it, write `grant = { addresses = [\"::1\"] }`"
        ),
        "{report}"
    );
    assert_eq!(bed.server.received(), Vec::<String>::new());
    assert_eq!(bed.request_status(&["127.0.0.1"], ""), Ok(200));
}

#[test]
fn a_name_with_more_addresses_than_one_packet_holds_is_asked_for_by_tcp() {
    let many: Vec<String> = (1..=200).map(|number| format!("192.0.2.{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let names = NameServer::new(vec![("a.example", address_answer(&many))]);
    let mut addresses = resolve_name(&names, "a.example", Domains::Never, "").unwrap();
    addresses.sort();
    let mut expected: Vec<_> = many.iter().map(ToString::to_string).collect();
    expected.sort();
    assert_eq!(addresses, expected);
    assert_eq!(names.asked(), ["A a.example.", "A a.example. tcp", "AAAA a.example."]);
}

#[test]
fn of_many_addresses_the_first_that_is_granted_and_answers_is_taken() {
    let many: Vec<String> = (1..=20).map(|number| format!("10.0.0.{number}")).collect();
    let mut many: Vec<&str> = many.iter().map(String::as_str).collect();
    many.extend(["::1", "127.0.0.1"]);
    let bed = Bed::new(vec![("a.example", address_answer(&many))]);
    // No process listens on the first.
    assert_eq!(bed.request_status(&["::1", "127.0.0.1"], ""), Ok(200));
}

#[test]
fn another_name_for_a_name_is_followed_and_its_addresses_are_checked_all_the_same() {
    let zone =
        || vec![("a.example", NameRecord::Alias("b.example")), ("b.example", address_answer(&["127.0.0.1"]))];
    let bed = Bed::new(zone());
    assert_eq!(bed.request_status(&["127.0.0.1"], ""), Ok(200));
    assert!(bed.server.received()[0].contains(&format!("host: a.example:{}\r\n", bed.server.port())));
    let asked = bed.names.asked();
    assert!(asked.contains(&"A b.example.".to_owned()), "{asked:?}");
    let bed = Bed::new(zone());
    assert_eq!(bed.request_status(&[], "").unwrap_err().0, "destination IP address is prohibited");
}

#[test]
fn names_that_stand_for_each_other_are_an_error() {
    let bed = Bed::new(vec![
        ("a.example", NameRecord::Alias("b.example")),
        ("b.example", NameRecord::Alias("a.example")),
    ]);
    assert_eq!(bed.request_status(&[], "").unwrap_err().0, "DNS error");
}

#[test]
fn a_name_in_the_hosts_file_is_not_asked_about_and_its_address_must_be_granted() {
    let bed = Bed::new(vec![("a.example", address_answer(&["2001:db8::1", "192.0.2.1"]))]);
    let hosts = "# ours\n127.0.0.1 other A.example # and more\n";
    assert_eq!(bed.request_status(&["127.0.0.1"], hosts), Ok(200));
    assert_eq!(bed.request_status(&[], hosts).unwrap_err().0, "destination IP address is prohibited");
    assert_eq!(bed.names.asked(), Vec::<String>::new());
}

#[test]
fn localhost_and_the_names_below_it_are_this_machine_whatever_the_name_server_answers() {
    for name in ["localhost", "a.localhost", "localhost."] {
        let found = block_on(System.resolve(name, Domains::AsConfigured)).unwrap();
        assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), ["127.0.0.1", "::1"], "{name}");
    }
}
