//! Firewalls, and the machine's network.

use super::Rule;

pub(super) const fn firewall_off(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "firewall-off",
        shapes,
        "switches the firewall off or throws its rules away",
        "list the rules (`ufw status`, `iptables -L -n`), and tell the person which one is in the way",
    )
}

const fn firewall_open(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "firewall-open",
        shapes,
        "lets others reach this machine",
        "listen on 127.0.0.1, or tell the person which port has to be open",
    )
}

pub(super) const UFW: &[Rule] = &[
    firewall_off(&["disable|reset|delete !--dry-run", "default allow !--dry-run", "route delete !--dry-run"]),
    firewall_open(&[
        "allow|limit !--dry-run",
        "insert|prepend ** allow|limit !--dry-run",
        "route allow|insert",
    ]),
];
pub(super) const IPTABLES: &[Rule] = &[
    firewall_off(&["-F|--flush|-X|--delete-chain", "-D|--delete", "-P|--policy INPUT|FORWARD|OUTPUT ACCEPT"]),
    firewall_open(&["-A|-I|--append|--insert=INPUT|FORWARD -j|--jump=ACCEPT"]),
];
pub(super) const NFT: &[Rule] = &[firewall_off(&["flush|delete|destroy !-c|--check"])];
pub(super) const FIREWALLD: &[Rule] = &[
    firewall_off(&[
        "--remove-rich-rule|--delete-zone|--delete-policy|--reset-to-defaults|--panic-off",
        "--set-default-zone|--set-target=trusted|ACCEPT",
    ]),
    firewall_open(&[
        "--add-port|--add-service|--add-rich-rule|--add-source|--add-forward-port|--add-masquerade|--add-protocol",
    ]),
];
pub(super) const PFCTL: &[Rule] = &[firewall_off(&["-d|-F"])];
pub(super) const MAC_FIREWALL: &[Rule] =
    &[firewall_off(&["--setglobalstate off", "--setblockall off"]), firewall_open(&["--add|--unblockapp"])];

const fn network_down(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "network-down",
        shapes,
        "takes the network, an address or a route away",
        "look first (`ip addr`, `ip route`), and tell the person what should change",
    )
}

pub(super) const IP: &[Rule] = &[network_down(&[
    "l|li|lin|link s|se|set ** down",
    "l|li|lin|link|a|ad|add|addr|address|r|ro|rou|rout|route|ru|rul|rule|n|ne|neigh|tun|tunnel d|de|del|dele|delet|delete",
    "a|ad|add|addr|address|r|ro|rou|rout|route|ru|rul|rule f|fl|flu|flus|flush",
])];
pub(super) const IFCONFIG: &[Rule] = &[network_down(&["* ** down|delete|destroy|-alias"])];
pub(super) const IFDOWN: &[Rule] = &[network_down(&["*", "-a|--all"])];
pub(super) const ROUTE: &[Rule] = &[network_down(&["del|delete|flush"])];
pub(super) const NMCLI: &[Rule] = &[network_down(&[
    "n|ne|net|netw|netwo|networ|network|networking off",
    "r|ra|rad|radi|radio * off",
    "c|co|con|conn|connection d|de|del|delete|down",
    "d|de|dev|device d|di|dis|disconnect|del|delete|down",
])];
pub(super) const NETWORKSETUP: &[Rule] = &[network_down(&[
    "-setairportpower|-setnetworkserviceenabled ** off",
    "-setdnsservers|-setmanual|-setdhcp|-setwebproxy|-setsecurewebproxy|-removenetworkservice|-setautoproxyurl",
])];
