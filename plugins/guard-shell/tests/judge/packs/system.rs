//! The machine: its services, users, settings, and files outside the project.

use guard_shell::judge_in;

use crate::support::{all_with, policy};

/// The pack is off by default.
const ON: &str = r#"{"packs": {"system": "on"}}"#;

fn all(expected: &str, commands: &[&str]) {
    all_with(ON, expected, commands);
}

#[test]
fn removing_outside_the_project_asks() {
    all(
        "ask remove-outside",
        &[
            "rm -rf /opt/tool",
            "rm -r ~/Documents/letters",
            "rm -rf ../other",
            "rm -rf build /srv/data",
            "rm -f ~/Documents/*.odt",
            "sudo rm -rf /var/lib/mysql/data",
            "cd ~/x && rm -rf y",
            "rm -rf \"$HOME/.ssh\"",
            "shred -u ~/notes.txt",
            "shred -n 3 /opt/x",
            "truncate -s 0 /var/lib/x/db",
            "truncate --size=0 ~/x",
            "find ~/Downloads -name '*.zip' -delete",
            "find /var/data -mtime +3 -exec rm {} +",
            "bash -c 'rm -rf ~/Pictures/2020'",
        ],
    );
    all(
        "none",
        &[
            "rm -rf build dist",
            "rm -rf ./node_modules /tmp/x",
            "rm -rf /tmp/x /var/tmp/y",
            "rm -rf /code/project/target",
            "rm -f ~/Downloads/x.zip",
            "rm -rf ~/.cache/pip",
            "rm -rf \"$TMPDIR/x\"",
            "rm -rf \"$(mktemp -d)\"",
            "cd /tmp && rm -rf x",
            "cd /tmp/x && rm -rf *",
            "shred -u secret.txt",
            "truncate -s 1G /tmp/disk.img",
            "truncate -s 0 log.txt",
            "find . -name '*.pyc' -delete",
            "find /tmp/x -delete",
            "find ~/x -name y",
            "rm -rf ../project/target",
        ],
    );
    let code = |workspace: &str, command: &str| {
        judge_in(command, workspace, workspace, &policy(ON)).map(|decision| decision.code)
    };
    assert_eq!(code("/home/me/a", "rm -rf ~/a/target"), None);
    assert_eq!(code("/home/me/a", "rm -rf ~/b/target"), Some("remove-outside"));
    assert_eq!(code("/tmp/work", "rm -rf target"), None);
}

#[test]
fn modes_outside_the_project_ask() {
    all(
        "ask mode-outside",
        &["sudo chown -R me /usr/local/lib/node", "chmod -R u+w ~/x", "chgrp --recursive dev /srv/x build"],
    );
    all("none", &["chown -R me build", "chmod -R u+w /tmp/x", "chmod 600 ~/.ssh/id_x", "chmod -R +x bin"]);
}

#[test]
fn moving_what_lies_outside_asks() {
    all(
        "ask move-outside",
        &[
            "mv /usr/local/bin/node /usr/local/bin/node.bak",
            "mv ~/Documents/x .",
            "mv -t /tmp ~/x",
            "mv --target-directory=/tmp ../a",
            "mv Cargo.toml /dev/null",
            "mv -fv a b /dev/null",
        ],
    );
    all(
        "none",
        &[
            "mv a b",
            "mv kubectl /usr/local/bin/kubectl",
            "mv /tmp/x .",
            "mv x ~/y",
            "mv -t dist a b",
            "mv src/*.bak /tmp/",
        ],
    );
}

#[test]
fn copies_that_delete_ask() {
    all(
        "ask sync-delete",
        &[
            "rsync -a --delete dist/ host:/var/www/x/",
            "rsync -a --delete src/ ~/backup/",
            "rsync --del -av src/ /srv/x",
            "rsync -a src/ ../x --delete-excluded",
        ],
    );
    all(
        "none",
        &[
            "rsync -a --delete src/ dist/",
            "rsync -a --delete src/ /tmp/x/",
            "rsync -an --delete src/ host:/x/",
            "rsync --delete --dry-run src/ ~/x/",
            "rsync -a src/ host:/x/",
            "rsync -a --delete /srv/x/ build/",
        ],
    );
}

#[test]
fn services_that_stop_ask() {
    all(
        "ask service-stop",
        &[
            "systemctl stop docker",
            "sudo systemctl --user stop x.service",
            "systemctl disable --now nginx",
            "systemctl -H host mask sshd",
            "systemctl --signal=9 kill nginx",
            "systemctl isolate multi-user.target",
            "service nginx stop",
            "sudo /usr/sbin/service mysql stop",
            "rc-service nginx stop",
            "sv down nginx",
            "update-rc.d nginx remove",
            "chkconfig nginx off",
            "rc-update del nginx",
            "launchctl unload x.plist",
            "launchctl bootout gui/501/x",
        ],
    );
    all(
        "none",
        &[
            "systemctl status docker",
            "systemctl start docker",
            "systemctl restart docker",
            "systemctl reload nginx",
            "systemctl show -p stop x",
            "systemctl is-active --quiet docker",
            "service nginx start",
            "service nginx status",
            "service --status-all",
            "launchctl list",
            "docker stop x",
        ],
    );
}

#[test]
fn firewalls_that_open_or_go_ask() {
    all(
        "ask firewall-off",
        &[
            "ufw disable",
            "sudo ufw --force reset",
            "ufw delete allow 22",
            "ufw default allow incoming",
            "iptables -F",
            "ip6tables --flush INPUT",
            "iptables -t nat -F PREROUTING",
            "iptables -X",
            "iptables -P INPUT ACCEPT",
            "iptables -D INPUT 3",
            "nft flush ruleset",
            "nft delete table inet filter",
            "firewall-cmd --permanent --remove-rich-rule=x",
            "firewall-cmd --set-default-zone=trusted",
            "pfctl -d",
            "/usr/libexec/ApplicationFirewall/socketfilterfw --setglobalstate off",
            "echo x > /etc/nftables.conf",
        ],
    );
    all(
        "ask firewall-open",
        &[
            "ufw allow 22",
            "sudo ufw allow from 10.0.0.0/8",
            "ufw insert 1 allow 80/tcp",
            "iptables -A INPUT -p tcp --dport 22 -j ACCEPT",
            "iptables -t filter -I INPUT 1 -j ACCEPT",
            "firewall-cmd --permanent --add-port=80/tcp",
            "firewall-cmd --zone=public --add-service http",
        ],
    );
    all(
        "none",
        &[
            "ufw status",
            "ufw enable",
            "ufw --dry-run disable",
            "ufw deny 22",
            "iptables -L -n",
            "iptables -S",
            "iptables -t nat -L",
            "iptables -A INPUT -s 1.2.3.4 -j DROP",
            "iptables-save",
            "nft list ruleset",
            "firewall-cmd --list-all",
            "pfctl -s rules",
        ],
    );
}

#[test]
fn a_network_that_goes_asks() {
    all(
        "ask network-down",
        &[
            "ip link set eth0 down",
            "ip l s dev eth0 down",
            "ip -n ns link delete veth0",
            "ip route del default",
            "ip -6 r flush table main",
            "ip addr flush dev eth0",
            "ifconfig eth0 down",
            "ifdown eth0",
            "route del default",
            "nmcli networking off",
            "nmcli con delete x",
            "nmcli radio wifi off",
            "networksetup -setairportpower en0 off",
            "networksetup -setdnsservers Wi-Fi 1.1.1.1",
        ],
    );
    all(
        "none",
        &[
            "ip addr",
            "ip -br link show",
            "ip link set eth0 up",
            "ip route show",
            "ip route add default via 10.0.0.1",
            "ifconfig",
            "ifconfig eth0",
            "route -n",
            "nmcli device status",
            "networksetup -listallnetworkservices",
        ],
    );
}

#[test]
fn users_that_change_ask() {
    all(
        "ask user-change",
        &[
            "useradd -m x",
            "sudo adduser x",
            "userdel -r x",
            "usermod -aG docker \"$USER\"",
            "groupadd x",
            "gpasswd -d x docker",
            "passwd",
            "passwd x",
            "passwd -l x",
            "passwd -d root",
            "echo x:y | chpasswd",
            "chsh -s /bin/zsh",
            "chage -E 0 x",
            "dscl . -create /Users/x",
            "sysadminctl -addUser x",
            "echo x >> /etc/passwd",
            "sed -i /x/d /etc/group",
        ],
    );
    all(
        "none",
        &[
            "passwd -S x",
            "chage -l x",
            "chsh -l",
            "useradd --help",
            "dscl . -list /Users",
            "id x",
            "cat /etc/passwd",
            "getent group",
        ],
    );
}

#[test]
fn disks_and_volumes_that_change_ask() {
    all(
        "ask disk-change",
        &[
            "mount /dev/sdx1 /mnt",
            "mount -o remount,rw /",
            "mount -a",
            "mount -t tmpfs none /mnt",
            "umount /mnt",
            "umount -l /mnt",
            "swapoff -a",
            "losetup -d /dev/loop0",
            "lvremove vg0/lv1",
            "vgremove -f vg0",
            "lvm lvremove -y vg0/lv1",
            "resize2fs /dev/vg0/lv1 10G",
            "cryptsetup luksFormat disk.img",
            "cryptsetup --key-slot 1 luksKillSlot disk.img",
            "cryptsetup close x",
            "mdadm --stop /dev/md0",
            "zfs destroy -r tank/x",
            "zfs rollback tank/x@y",
            "btrfs subvolume delete /mnt/x",
            "dmsetup remove x",
            "diskutil unmountDisk disk2",
        ],
    );
    all(
        "none",
        &[
            "mount",
            "mount -l -t ext4",
            "mount --help",
            "umount --help",
            "losetup -a",
            "lvs",
            "lvremove --test vg0/lv1",
            "lvm --test lvremove vg0/lv1",
            "cryptsetup status x",
            "cryptsetup luksDump disk.img",
            "mdadm --detail /dev/md0",
            "zfs list",
            "zfs destroy -nv tank/x",
            "btrfs subvolume list /mnt",
            "diskutil list",
        ],
    );
}

#[test]
fn the_kernel_and_the_boot_ask() {
    all(
        "ask kernel-change",
        &[
            "sysctl -w vm.swappiness=1",
            "sysctl vm.swappiness=1",
            "sudo sysctl -p",
            "sysctl --system",
            "echo 1 > /proc/sys/net/ipv4/ip_forward",
            "echo 3 | sudo tee /proc/sys/vm/drop_caches",
            "echo b > /proc/sysrq-trigger",
            "modprobe -r kvm",
            "insmod x.ko",
            "rmmod x",
            "kexec -l /boot/vmlinuz",
            "update-grub",
            "grub-install /dev/loop0",
            "efibootmgr -o 1,2",
            "nvram boot-args=-v",
            "echo x >> /etc/sysctl.d/99-x.conf",
            "rm /boot/vmlinuz-6",
        ],
    );
    all(
        "none",
        &[
            "sysctl vm.swappiness",
            "sysctl -a",
            "sysctl -n hw.ncpu",
            "cat /proc/sys/net/ipv4/ip_forward",
            "modprobe -n kvm",
            "modprobe --show-depends kvm",
            "lsmod",
            "efibootmgr",
            "nvram -p",
            "bootctl --help",
            "grub-install --version",
        ],
    );
}

#[test]
fn protections_that_go_ask() {
    all(
        "ask protection-off",
        &[
            "setenforce 0",
            "sudo setenforce Permissive",
            "aa-disable /etc/apparmor.d/x",
            "aa-teardown",
            "apparmor_parser -R x",
            "csrutil disable",
            "sudo spctl --master-disable",
            "fdesetup disable",
            "tccutil reset All",
            "auditctl -e 0",
            "auditctl -D",
            "chattr -i /etc/x",
            "sed -i s/enforcing/disabled/ /etc/selinux/config",
        ],
    );
    all(
        "none",
        &[
            "setenforce 1",
            "getenforce",
            "csrutil status",
            "spctl --status",
            "spctl -a -v x.app",
            "auditctl -l",
            "lsattr x",
            "fdesetup status",
        ],
    );
}

#[test]
fn logs_and_histories_that_go_ask() {
    all(
        "ask log-removal",
        &[
            "journalctl --vacuum-time=1s",
            "sudo journalctl --rotate --vacuum-size 1M",
            "history -c",
            "history -cw",
            "unset HISTFILE",
            "export HISTFILE=/dev/null",
            "set +o history",
            "rm ~/.bash_history",
            "> ~/.zsh_history",
            "rm -f /var/log/auth.log",
            "echo > /var/log/wtmp",
            "truncate -s 0 /var/log/syslog",
            "dmesg -C",
            "wevtutil cl Security",
        ],
    );
    all(
        "none",
        &[
            "journalctl -u nginx -n 50",
            "journalctl --since today --no-pager",
            "history",
            "history 20",
            "dmesg -T",
            "dmesg | tail",
            "tail /var/log/syslog",
            "echo x >> /var/log/app.log",
            "set -o pipefail",
            "export HISTSIZE=1000",
        ],
    );
}

#[test]
fn settings_of_the_machine_ask() {
    all(
        "ask machine-settings",
        &[
            "echo '127.0.0.1 x' | sudo tee -a /etc/hosts",
            "sed -i /x/d /etc/hosts",
            "echo 'nameserver 1.1.1.1' > /etc/resolv.conf",
            "echo x >> /etc/fstab",
            "ln -sf /usr/share/zoneinfo/UTC /etc/localtime",
            "timedatectl set-timezone UTC",
            "timedatectl -H host set-ntp false",
            "hostnamectl set-hostname x",
            "hostname x",
            "hwclock --systohc",
            "date -s '2020-01-01'",
            "date 010112002026",
            "scutil --set HostName x",
            "systemsetup -setremotelogin on",
        ],
    );
    all(
        "none",
        &[
            "timedatectl",
            "timedatectl status",
            "hostnamectl",
            "hostname",
            "hostname -f",
            "date",
            "date +%s",
            "date -d yesterday +%F",
            "date -u -d @0",
            "hwclock -r",
            "cat /etc/hosts",
            "scutil --get HostName",
            "systemsetup -gettimezone",
        ],
    );
}

#[test]
fn trust_that_changes_asks() {
    all(
        "ask trust-change",
        &[
            "sudo update-ca-certificates",
            "update-ca-trust extract",
            "trust anchor x.crt",
            "security add-trusted-cert -d -k x.keychain x.crt",
            "cp x.crt /usr/local/share/ca-certificates/",
            "cp x.pem /etc/pki/ca-trust/source/anchors/",
        ],
    );
    all(
        "none",
        &["trust list", "security find-certificate -a", "ls /etc/ssl/certs", "update-ca-certificates --help"],
    );
}

#[test]
fn sessions_that_end_ask() {
    all(
        "ask session-end",
        &[
            "pkill -u alice",
            "pkill -KILL -u alice",
            "killall -u alice",
            "killall Finder",
            "killall -9 gnome-shell",
            "loginctl terminate-user alice",
            "loginctl kill-session 3",
            "gnome-session-quit --no-prompt",
        ],
    );
    all(
        "none",
        &[
            "pkill -f server.py",
            "pkill -u alice node",
            "pkill -HUP nginx",
            "pkill -STOP nginx",
            "killall node",
            "killall -9 node",
            "loginctl list-sessions",
            "kill 123",
        ],
    );
}

#[test]
fn the_pack_is_off_unless_it_or_a_code_is_on() {
    let lines = ["rm -rf ~/x", "mv ~/x .", "ufw disable", "sysctl -p", "history -c", "echo x >> /etc/hosts"];
    all_with("{}", "none", &lines);
    all_with(r#"{"deny": ["remove-outside"]}"#, "deny remove-outside", &["rm -rf ~/x"]);
}

#[test]
fn a_cancelled_trial_of_rsync_does_not_count_as_a_trial() {
    all(
        "ask sync-delete",
        &[
            "rsync -an --no-n --delete src/ /srv/data/",
            "rsync -a --delete --dry-run --no-dry-run src/ host:data/",
        ],
    );
    all("none", &["rsync -an --delete src/ /srv/data/"]);
    all("deny rm-root", &["rsync -a -n --no-n --delete empty/ /"]);
}

#[test]
fn disks_are_not_locked_unasked() {
    all("ask disk-change", &["blockdev --setro /dev/sda", "sudo blockdev --rereadpt /dev/sda"]);
    all("none", &["blockdev --report", "nginx -s stop && nginx", "haproxy -c -f x.cfg"]);
}
