//! Ways into the machine, and out of it.

mod data;
mod reverse;

use super::{Check, Grammar, Pack, Program, Rule, Style};

pub(super) const PACK: Pack = Pack {
    name: "network",
    is_default: true,
    programs: &[
        Program { names: &["ngrok"], rules: NGROK },
        Program { names: &["cloudflared"], rules: CLOUDFLARED },
        Program { names: &["tailscale"], rules: TAILSCALE },
        Program { names: &["devtunnel"], rules: DEVTUNNEL },
        Program { names: &["code", "code-insiders", "code-tunnel"], rules: CODE },
        Program { names: &["upterm", "bore", "zrok", "expose", "inlets", "rathole"], rules: SUBCOMMANDS },
        Program { names: TUNNELS, rules: TUNNEL },
        Program { names: &["lt"], rules: LOCALTUNNEL },
        Program { names: LOGINS, rules: LOGIN },
        Program { names: &["kickstart"], rules: KICKSTART },
        Program { names: SCANNERS, rules: SCANNER },
        Program { names: &["nc", "ncat", "netcat"], rules: NETCAT },
        Program { names: &["dig", "kdig"], rules: DIG },
        Program { names: SNIFFERS, rules: SNIFFER },
        Program { names: &["nsupdate"], rules: NSUPDATE },
        Program { names: &["git"], rules: GIT },
        Program { names: &["npm", "yarn", "pnpm"], rules: NPM },
    ],
    places: &[],
    checks: &[
        Check { rule: REVERSE_SHELL, is_broken: reverse::opens_shell },
        Check { rule: TUNNEL_RULE, is_broken: data::forwards },
        Check { rule: SCAN, is_broken: data::scans },
        Check { rule: METADATA, is_broken: data::asks_metadata },
        Check { rule: DNS_DATA, is_broken: data::hides_in_names },
        Check { rule: UNCHECKED, is_broken: data::sends_unchecked },
        Check { rule: REMOTE_FILE, is_broken: data::copies_to_system },
        Check { rule: FILE_SERVER, is_broken: data::serves_files },
    ],
};

const REVERSE_SHELL: Rule = Rule::deny(
    "reverse-shell",
    &[],
    "gives a shell on this machine to the other end of a connection",
    "log in over SSH, or tell the person what has to run where",
);

const fn tunnel(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "tunnel",
        shapes,
        "makes this machine reachable from outside",
        "use it on 127.0.0.1, or tell the person which port somebody else has to reach",
    )
}

const TUNNEL_RULE: Rule = tunnel(&[]);
const NGROK: &[Rule] = &[tunnel(&["http|tcp|tls|start|tunnel|service !-h|--help"])];
const CLOUDFLARED: &[Rule] = &[tunnel(&[
    "--url|--hello-world|--unix-socket",
    "tunnel run|route|create|ingress !--help|-h",
    "tunnel --url|--hello-world|--name|--unix-socket|--token",
    "service install",
])];
const TAILSCALE: &[Rule] = &[tunnel(&[
    "funnel|serve 0*|1*|2*|3*|4*|5*|6*|7*|8*|9*|http*|tcp*|tls*|localhost*|text*|unix*|/*|.*|on !--help",
    "up|set --ssh|--advertise-exit-node|--advertise-routes",
])];
const DEVTUNNEL: &[Rule] = &[tunnel(&["host|create|port !--help|-h"])];
const CODE: &[Rule] = &[tunnel(&["tunnel $ !--help|-h", "tunnel service install"])];
const SUBCOMMANDS: &[Rule] = &[tunnel(&[
    "host|local|share|http|server|client|forward * !--help|-h",
    "host|--server|--client !--help|-h",
])];

/// Programs that are there for nothing else.
const TUNNELS: &[&str] = &[
    "localtunnel",
    "chisel",
    "frpc",
    "frps",
    "loclx",
    "localxpose",
    "pagekite",
    "pagekite.py",
    "sshuttle",
    "gost",
    "iodine",
    "iodined",
    "dnscat",
    "dnscat2",
    "ptunnel",
    "ptunnel-ng",
    "gs-netcat",
    "ligolo-ng",
    "pwnat",
    "tmate",
    "ttyd",
    "gotty",
    "sshx",
    "wetty",
    "teleconsole",
    "telebit",
    "revsocks",
];
const TUNNEL: &[Rule] = &[tunnel(&["!--help|-h|--version|-V|-v"])];

const LOCALTUNNEL: &[Rule] = &[tunnel(&["-p|--port"])];

const LOGINS: &[&str] = &[
    "sshd",
    "dropbear",
    "telnetd",
    "in.telnetd",
    "utelnetd",
    "rshd",
    "x11vnc",
    "x0vncserver",
    "vncserver",
    "tigervncserver",
    "xrdp",
    "anydesk",
    "rustdesk",
];

const fn remote_login(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "remote-login",
        shapes,
        "lets others log in to this machine",
        "tell the person who has to get in, and why",
    )
}

const LOGIN: &[Rule] = &[remote_login(&["!--help|-h|--version|-V|-t|-T|-list|-kill|-G"])];
const KICKSTART: &[Rule] = &[remote_login(&["-activate|-configure"])];

const fn scan(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "network-scan",
        shapes,
        "looks for open doors of other machines",
        "ask the one port that is meant: `nc -z HOST PORT`",
    )
}

const SCAN: Rule = scan(&[]);
const SCANNERS: &[&str] = &[
    "masscan",
    "zmap",
    "rustscan",
    "naabu",
    "unicornscan",
    "arp-scan",
    "netdiscover",
    "fping",
    "nikto",
    "nuclei",
    "gobuster",
    "dirb",
    "ffuf",
    "wpscan",
    "sqlmap",
    "hydra",
    "medusa",
    "ncrack",
    "enum4linux",
    "crackmapexec",
    "netexec",
    "responder",
    "msfconsole",
    "msfvenom",
];
const SCANNER: &[Rule] = &[scan(&["!--help|--version|-V"])];
const NETCAT: &[Rule] = &[scan(&["-z ** *-* $"])];
const DIG: &[Rule] = &[scan(&["** axfr|AXFR|ixfr*|IXFR*", "-t=axfr|AXFR|ixfr*"])];

const SNIFFERS: &[&str] =
    &["tcpdump", "tshark", "dumpcap", "ngrep", "ettercap", "bettercap", "arpspoof", "dsniff", "driftnet"];
const SNIFFER: &[Rule] = &[Rule::ask(
    "traffic-capture",
    &["!-r|--read-file|-h|--help|--version|-v|-D|--list-interfaces|-G"],
    "reads along what others send",
    "turn the log of the one program on that is meant",
)];
const NSUPDATE: &[Rule] = &[Rule::ask(
    "dns-update",
    &["!-V|-h"],
    "changes names in the DNS",
    "tell the person which record should change",
)];

const METADATA: Rule = Rule::ask(
    "cloud-metadata",
    &[],
    "asks the cloud for what it tells this machine only, credentials among it",
    "ask the person for the one value that is needed",
);
const DNS_DATA: Rule = Rule::ask(
    "dns-data",
    &[],
    "sends what a command prints to the servers of a domain, as part of a name",
    "look up a name that is written out",
);
const REMOTE_FILE: Rule = Rule::ask(
    "remote-system-file",
    &[],
    "writes into a system folder of another machine",
    "copy it into a home folder there, and tell the person where it belongs",
);
const FILE_SERVER: Rule =
    Rule::off("file-server", &[], "shows a folder to the whole network", "add `--bind 127.0.0.1`");

const fn unchecked(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "tls-unchecked",
        shapes,
        "sends data or credentials without checking who gets them",
        "give the server's certificate: `curl --cacert FILE`",
    )
}

const UNCHECKED: Rule = unchecked(&[]);
const GIT: &[Rule] = &[unchecked(&[
    "config ** http.ssl*erify|http.*.ssl*erify false|0|no|off",
    "-c=http.ssl*erify=false|http.ssl*erify=0|http.ssl*erify=no",
])];
const NPM: &[Rule] =
    &[unchecked(&["config set strict-ssl false", "config set strict-ssl=false", "set strict-ssl=false"])];

pub(super) const GRAMMARS: &[Grammar] = &[
    Grammar {
        names: &["nc", "ncat", "netcat"],
        style: Style::Whole,
        is_global: true,
        rows: &[("", "wpsigIOPqTVXxMmeGo", &["wait", "source", "source-port", "exec", "sh-exec", "proxy"])],
    },
    Grammar {
        names: &["dig", "kdig"],
        style: Style::Whole,
        is_global: true,
        rows: &[("", "tcbfkpqxy", &[])],
    },
    Grammar {
        names: &["cloudflared"],
        style: Style::SingleDash,
        is_global: true,
        rows: &[(
            "",
            "",
            &["url", "config", "name", "token", "loglevel", "logfile", "unix-socket", "protocol", "region"],
        )],
    },
    Grammar {
        names: &["tailscale"],
        style: Style::SingleDash,
        is_global: true,
        rows: &[("", "", &["socket", "set-path", "advertise-routes"])],
    },
    Grammar {
        names: &["kickstart", "vncserver", "tigervncserver"],
        style: Style::SingleDash,
        is_global: true,
        rows: &[],
    },
    Grammar {
        names: &["ngrok"],
        style: Style::SingleDash,
        is_global: true,
        rows: &[(
            "",
            "",
            &["config", "log", "log-level", "region", "domain", "hostname", "authtoken", "url"],
        )],
    },
];
