//! Packages that are removed although others need them, or come from an unreviewed source.

use crate::support::{all, all_with};

const ON: &str = r#"{"packs": {"packages": "on"}}"#;

#[test]
fn packages_of_the_system_are_not_removed_unasked() {
    all_with(
        ON,
        "ask package-remove",
        &[
            "apt remove nginx",
            "sudo apt-get -y purge nginx",
            "apt-get -o Dpkg::Use-Pty=0 remove nginx",
            "apt autoremove --purge -y",
            "apt-get install -y nginx-",
            "dpkg -P nginx",
            "dpkg --remove nginx",
            "dnf remove -y nginx",
            "yum --enablerepo epel erase nginx",
            "dnf history undo 12",
            "rpm -e nginx",
            "zypper --non-interactive rm nginx",
            "pacman -Rns nginx",
            "pacman --noconfirm --remove nginx",
            "yay -R nginx",
            "apk del nginx",
            "apk -X https://host/repo del nginx",
            "brew uninstall --force nginx",
            "brew bundle cleanup --force",
            "snap remove --purge lxd",
            "flatpak uninstall -y app",
            "nix-env -e nginx",
            "nix profile remove nginx",
            "nix-collect-garbage -d",
            "emerge --unmerge nginx",
            "port uninstall nginx",
            "pkg delete -y nginx",
            "xbps-remove -R nginx",
            "winget uninstall app",
            "choco uninstall -y app",
            "dpkg -l | awk '{print $2}' | xargs sudo apt-get remove -y",
        ],
    );
}

#[test]
fn tools_and_whole_environments_are_not_removed_unasked() {
    all_with(
        ON,
        "ask tool-remove",
        &[
            "npm uninstall -g typescript",
            "npm rm --global typescript",
            "pnpm remove -g typescript",
            "yarn global remove typescript",
            "cargo uninstall ripgrep",
            "cargo +nightly uninstall ripgrep",
            "gem uninstall rails",
            "pipx uninstall-all",
            "uv tool uninstall ruff",
            "uv python uninstall 3.11",
            "rustup toolchain uninstall stable",
            "rustup self uninstall -y",
            "pyenv uninstall -f 3.11",
            "asdf uninstall nodejs 20",
            "volta uninstall node",
            "composer global remove x/y",
            "dotnet tool uninstall -g x",
        ],
    );
    all_with(
        ON,
        "ask package-set-remove",
        &[
            "pip uninstall -y -r requirements.txt",
            "python -m pip uninstall -yr requirements.txt",
            "uv pip uninstall -r requirements.txt",
            "pip freeze | xargs pip uninstall -y",
            "pip uninstall -y $(pip freeze)",
            "conda env remove -n work",
            "conda remove -n work --all -y",
        ],
    );
}

#[test]
fn nothing_unverified_is_installed_unasked() {
    all_with(
        ON,
        "ask package-unverified",
        &[
            "pip install --trusted-host pypi.example.com x",
            "pip install --index-url http://pypi.example.com/simple x",
            "pip install -i http://pypi.example.com/simple x",
            "pip install --extra-index-url=http://pypi.example.com/simple x",
            "pip install http://example.com/x.tar.gz",
            "pip install git+http://example.com/x",
            "python3 -m pip install --trusted-host h x",
            "pip config set global.trusted-host h",
            "uv pip install --allow-insecure-host h x",
            "uv add --index http://h/simple x",
            "npm install --registry http://h x",
            "npm i git+http://h/x.git",
            "npm install http://h/x.tgz",
            "npm config set strict-ssl false",
            "npm config set registry=http://h",
            "yarn add http://h/x.tgz",
            "yarn config set strict-ssl false",
            "apt-get install -y --allow-unauthenticated x",
            "apt-get -o Acquire::AllowInsecureRepositories=true update",
            "dnf install --nogpgcheck x",
            "yum --setopt=gpgcheck=0 install x",
            "rpm -ivh http://h/x.rpm",
            "rpm -U --nosignature x.rpm",
            "zypper --no-gpg-checks install x",
            "apk add --allow-untrusted x.apk",
            "gem install -s http://h x",
            "gem install -P NoSecurity x",
            "snap install --dangerous x.snap",
            "cargo install --git http://h/x",
            "go get -insecure h/x",
            "go env -w GOSUMDB=off",
            "conda config --set ssl_verify false",
        ],
    );
}

#[test]
fn forcing_and_upgrading_everything_is_asked_about() {
    all_with(
        ON,
        "ask package-force",
        &[
            "pip install --break-system-packages x",
            "python3 -m pip install --break-system-packages x",
            "dpkg -i --force-all x.deb",
            "rpm -i --nodeps x.rpm",
            "apt-get install --allow-downgrades x=1",
        ],
    );
    all_with(
        ON,
        "ask system-upgrade",
        &[
            "apt-get -y dist-upgrade",
            "apt full-upgrade",
            "do-release-upgrade",
            "dnf distro-sync",
            "zypper dup",
        ],
    );
}

#[test]
fn what_is_off_can_be_turned_on() {
    let config = r#"{"ask": ["package-from-address", "package-source"]}"#;
    all_with(
        config,
        "ask package-from-address",
        &[
            "pip install git+https://github.com/psf/requests",
            "pip install https://h/x.whl",
            "uv add git+https://github.com/psf/requests",
            "npm i git+https://github.com/a/b",
            "npm i github:a/b",
            "cargo install --git https://github.com/a/b",
        ],
    );
    all_with(
        config,
        "ask package-source",
        &["add-apt-repository -y ppa:a/b", "dnf copr enable a/b", "apt-key adv --keyserver h --recv-keys 1"],
    );
    all_with(ON, "none", &["pip install git+https://github.com/psf/requests", "add-apt-repository ppa:a/b"]);
}

#[test]
fn installing_looking_and_cleaning_caches_passes() {
    all_with(
        ON,
        "none",
        &[
            "apt-get update && apt-get install -y nginx",
            "apt-get -s remove nginx",
            "apt remove --dry-run nginx",
            "apt-get clean",
            "apt list --installed",
            "apt-get upgrade -y",
            "dpkg -i x.deb",
            "dpkg -l",
            "dnf install -y nginx",
            "dnf --assumeno remove nginx",
            "dnf clean all",
            "rpm -qa",
            "rpm -q --scripts nginx",
            "rpm -e --test nginx",
            "zypper in nginx",
            "pacman -Syu --noconfirm",
            "pacman -Rp nginx",
            "pacman -Qi nginx",
            "apk add --no-cache nginx",
            "brew install nginx",
            "brew cleanup",
            "brew list",
            "flatpak install app",
            "nix-shell -p hello",
            "nix-collect-garbage",
            "nix build",
            "pip uninstall -y flask",
            "pip install -r requirements.txt",
            "pip install -e .",
            "pip install --index-url https://download.pytorch.org/whl/cpu torch",
            "pip install -i http://localhost:3141/simple x",
            "pip cache purge",
            "python -m pip install --upgrade pip",
            "uv remove requests",
            "uv pip install x",
            "poetry remove requests",
            "conda install -n work numpy",
            "conda create -n work",
            "npm uninstall lodash",
            "npm rm lodash",
            "npm ci",
            "npm install -g typescript",
            "npm cache clean --force",
            "npm install --registry http://localhost:4873 x",
            "yarn remove lodash",
            "cargo remove serde",
            "cargo install ripgrep",
            "gem install rails",
            "rustup update",
            "rustup target remove wasm32-wasip2",
            "go get h/x@latest",
            "go clean -modcache",
            "asdf list",
            "snap list",
        ],
    );
}

#[test]
fn the_pack_is_off_by_default() {
    all("none", &["apt-get remove -y nginx", "pip install --break-system-packages x"]);
}
