//! Hosts that commands contact.

use crate::assert_facts;

#[test]
fn the_address_of_a_client_is_a_host() {
    assert_facts(
        "curl -fsSL https://user:pw@API.Example.com:8443/v1 -o f; wget -q a.example/f.tgz; http POST :8000/a x=1; curl 'http://[::1]:80/' --retry 3",
        "
        curl: curl -fsSL https://user:pw@API.Example.com:8443/v1 -o f
        wget: wget -q a.example/f.tgz
        http: http POST :8000/a x=1
        curl: curl http://[::1]:80/ --retry 3
        read /home/me/project/POST
        write /home/me/project/f
        write /home/me/project/f.tgz
        read /home/me/project/x=1
        write …~
        host api.example.com of curl
        host a.example of wget
        host localhost of http
        host ::1 of curl
        ",
    );
    assert_facts(
        "ping -c 3 10.0.0.1; dig @8.8.8.8 example.com; nc example.org 25; nc -l 8080; socat TCP:h.example:80 -; psql -h db.example -c 'select 1'; openssl s_client -connect t.example:443",
        r#"
        ping: ping -c 3 10.0.0.1
        dig: dig @8.8.8.8 example.com
        nc: nc example.org 25
        nc: nc -l 8080
        socat: socat TCP:h.example:80 -
        psql: psql -h db.example -c "select 1"
        openssl: openssl s_client -connect t.example:443
        read /home/me/project/db.example
        unknown /home/me/project/db.example
        read /home/me/project/select 1
        unknown /home/me/project/select 1
        host 10.0.0.1 of ping
        host 8.8.8.8 of dig
        host example.org of nc
        host h.example of socat
        host db.example of psql
        host t.example of openssl
        "#,
    );
}

#[test]
fn a_remote_path_has_a_host() {
    assert_facts(
        "scp a.txt me@host.example:/tmp/ && rsync -a dir/ backup@b.example:dir && ssh -J jump.example c.example ls",
        "
        scp: scp a.txt me@host.example:/tmp/
        rsync: rsync -a dir/ backup@b.example:dir
        ssh: ssh -J jump.example c.example ls
        ssh > ls: ls [elsewhere] in ?
        read /home/me/project/a.txt
        write /home/me/project/backup@b.example:dir and below
        write /home/me/project/backup@b.example:dir/dir
        read /home/me/project/dir
        write /home/me/project/me@host.example:/tmp
        write /home/me/project/me@host.example:/tmp/a.txt
        host host.example of scp
        host b.example of rsync
        host jump.example of ssh
        host c.example of ssh
        ",
    );
}

#[test]
fn a_repository_and_a_registry_are_hosts() {
    assert_facts(
        "git clone git@github.com:o/r.git; git push origin main; git pull https://g.example/r",
        "
        git: git clone git@github.com:o/r.git
        git: git push origin main
        git: git pull https://g.example/r
        write /home/me/project and below
        write /home/me/project/https:/g.example/r and below
        write /home/me/project/r and below
        host github.com of git
        host g.example of git
        ",
    );
    assert_facts(
        "docker pull ghcr.io/o/i:1; docker pull alpine; pip install --index-url=https://p.example/simple x; npm install https://r.example/p.tgz",
        "
        docker: docker pull ghcr.io/o/i:1
        docker: docker pull alpine
        pip: pip install --index-url=https://p.example/simple x
        npm: npm install https://r.example/p.tgz
        write /home/me/project
        host ghcr.io of docker
        host p.example of pip
        host r.example of npm
        ",
    );
}

#[test]
fn an_unknown_host_is_not_certain() {
    assert_facts(
        "curl \"https://$HOST/x\"; curl \"https://a.example$SUFFIX/\"; curl \"https://b.example/$PATH_\"; curl -K cfg; curl 'http://{a,b}.example/'; curl \"$URL\"",
        "
        curl: curl https://…/x~
        curl: curl https://a.example…/~
        curl: curl https://b.example/…~
        curl: curl -K cfg
        curl: curl http://{a,b}.example/
        curl: curl …~
        read /home/me/project/cfg
        host …~ of curl
        host a.example…~ of curl
        host b.example of curl
        host {a,b}.example~ of curl
        ",
    );
}

#[test]
fn a_proxy_is_a_host() {
    assert_facts(
        "curl -x http://proxy.example:3128 https://a.example/",
        "
        curl: curl -x http://proxy.example:3128 https://a.example/
        host proxy.example of curl
        host a.example of curl
        ",
    );
}

#[test]
fn a_socket_of_the_shell_is_a_host() {
    assert_facts(
        "exec 3<>/dev/tcp/evil.example/443; cat <&3",
        "
        exec: exec >/dev/tcp/evil.example/443
        cat: cat </dev/tcp/evil.example/443 [piped]
        read /dev/tcp/evil.example/443
        write /dev/tcp/evil.example/443
        host evil.example of bash
        ",
    );
    assert_facts(
        "while read l; do echo; done < /dev/tcp/in.example/80",
        "
        read: read l [piped]
        echo: echo [piped]
        read /dev/tcp/in.example/80
        read /home/me/project/l
        unknown /home/me/project/l
        host in.example of bash
        ",
    );
}

#[test]
fn a_file_and_a_text_are_not_hosts() {
    assert_facts(
        "curl file:///etc/passwd; echo https://a.example/; git commit -m https://b.example/",
        "
        curl: curl file:///etc/passwd
        echo: echo https://a.example/
        git: git commit -m https://b.example/
        read /etc/passwd
        ",
    );
}
