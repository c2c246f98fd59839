//! The sockets of WASI, which every guest can import and none can use.

use std::{
    io::ErrorKind,
    net::{TcpListener, UdpSocket},
};

use hookbox::{
    HookSpec, Target,
    hook::WasmSpec,
    model::{Grants, Json},
};

use crate::{Bed, dispatch_event, tool_event};

/// What the guest tells of its attempt against this port.
fn attempt_connection(guest: &str, grants: &Grants, port: u16) -> String {
    let bed = Bed::new();
    let grants = grants.clone();
    let target = Target::Wasm(WasmSpec { grants, ..WasmSpec::new(bed.write_plugin(guest)) });
    let config = Json::parse(&format!(r#"{{"port":{port}}}"#)).unwrap();
    let spec = HookSpec { target, config, ..bed.create_gate(guest) };
    dispatch_event(&bed.builder().hooks([spec]).build(), tool_event()).reports.remove(0).log.remove(0).message
}

#[test]
fn no_socket_is_made_and_no_name_looked_up_whatever_is_granted() {
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let udp = UdpSocket::bind(tcp.local_addr().unwrap()).unwrap();
    let port = tcp.local_addr().unwrap().port();
    tcp.set_nonblocking(true).unwrap();
    udp.set_nonblocking(true).unwrap();
    let http = format!("http://127.0.0.1:{port}/").parse().unwrap();
    for grants in [Grants::default(), Grants { http: vec![http], ..Grants::default() }] {
        assert_eq!(attempt_connection("connects_by_tcp", &grants, port), "b", "access denied");
        assert_eq!(attempt_connection("sends_by_udp", &grants, port), "b", "access denied");
        assert_eq!(attempt_connection("looks_up_a_name", &grants, port), "u", "the resolver never resolves");
        assert_eq!(tcp.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
        assert_eq!(udp.recv(&mut [0; 16]).unwrap_err().kind(), ErrorKind::WouldBlock);
    }
}
