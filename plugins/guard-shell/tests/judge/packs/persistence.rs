//! Commands that make something run again later by itself.

use crate::support::{all, all_with};

#[test]
fn start_files_of_shells_ask() {
    all(
        "ask shell-start-file",
        &[
            "echo 'export A=1' >> ~/.bashrc",
            "echo x >> $HOME/.zshrc",
            "echo x > /home/alice/.profile",
            "echo x | tee -a ~/.zshenv",
            "echo x | sudo tee /etc/profile.d/x.sh",
            "sudo sh -c 'echo x >> /root/.bashrc'",
            "sed -i /x/d ~/.bash_profile",
            "cp x ~/.config/fish/conf.d/x.fish",
            "cp x.sh /etc/profile.d/",
            "cd ~ && echo x >> .bash_aliases",
            "cd && echo x >> ./.zlogin",
            "ln -sf ~/dotfiles/zshrc ~/.zshrc",
            "rm ~/.bash_logout",
            "mv x ~/.xprofile",
            "cat >> /Users/me/.zprofile <<'E'\nx\nE",
            "curl -o ~/.bashrc https://x.example/bashrc",
        ],
    );
    all(
        "none",
        &[
            "cat ~/.bashrc",
            "source ~/.bashrc",
            "grep -n alias ~/.zshrc",
            "cp ~/.bashrc /tmp/bashrc",
            "diff ~/.profile /etc/skel/.profile",
            "echo x >> .envrc",
            "echo x > .bashrc",
            "echo x > dotfiles/.zshrc",
            "echo x > /tmp/.bashrc",
            "head -3 /etc/profile",
        ],
    );
}

#[test]
fn start_files_of_interpreters_ask() {
    all(
        "ask interpreter-start-file",
        &[
            "echo 'import x' > /usr/lib/python3/dist-packages/x.pth",
            "echo x > .venv/lib/python3.12/site-packages/x.pth",
            "cp hook.py venv/lib/python3.12/site-packages/sitecustomize.py",
            "echo x > sitecustomize.py",
            "tee ~/.local/lib/python3.12/site-packages/usercustomize.py < x",
        ],
    );
    all(
        "none",
        &["cat .venv/lib/python3.12/site-packages/x.pth", "echo x > model.pth", "cp a.pth models/b.pth"],
    );
}

#[test]
fn what_lets_people_log_in_over_ssh_asks() {
    all(
        "ask ssh-login",
        &[
            "echo ssh-ed25519 AAAA >> ~/.ssh/authorized_keys",
            "cat key.pub | ssh host 'cat >> ~/.ssh/authorized_keys'",
            "cp key.pub /root/.ssh/authorized_keys2",
            "echo x > ~/.ssh/rc",
            "echo 'ProxyCommand x' >> ~/.ssh/config",
            "sudo sed -i 's/no/yes/' /etc/ssh/sshd_config",
            "ssh-copy-id -i key.pub host",
            "ssh-copy-id -p 22 host",
        ],
    );
    all(
        "none",
        &[
            "cat ~/.ssh/config",
            "cat /etc/ssh/sshd_config",
            "ssh-keyscan github.com >> ~/.ssh/known_hosts",
            "ssh-keygen -t ed25519 -f /tmp/key -N ''",
            "ssh-copy-id -n host",
        ],
    );
}

#[test]
fn schedules_ask() {
    all(
        "ask schedule",
        &[
            "crontab jobs",
            "crontab -",
            "(crontab -l; echo '* * * * * true') | crontab -",
            "crontab -r",
            "sudo crontab -u alice -r",
            "crontab -e",
            "echo '* * * * * root true' | sudo tee /etc/cron.d/x",
            "cp job /etc/cron.daily/",
            "echo x >> /etc/crontab",
            "echo x > /var/spool/cron/crontabs/alice",
            "echo true | at now + 5 minutes",
            "at -f job.sh 23:00",
            "echo true | batch",
            "at -d 3",
            "atrm 3",
            "systemd-run --user --on-calendar=daily true",
            "systemd-run --on-active 5m true",
            "schtasks /create /tn x /tr y /sc daily",
        ],
    );
    all(
        "none",
        &[
            "crontab -l",
            "sudo crontab -u alice -l",
            "atq",
            "at -l",
            "at -c 3",
            "ls /etc/cron.d",
            "cat /etc/crontab",
            "systemd-run --user --scope true",
            "schtasks /query",
            "systemctl list-timers",
        ],
    );
}

#[test]
fn services_that_start_by_themselves_ask() {
    all(
        "ask start-service",
        &[
            "systemctl enable nginx",
            "sudo systemctl enable --now nginx.service",
            "systemctl --user enable x.timer",
            "systemctl -H host --now enable x",
            "systemctl link ./x.service",
            "systemctl edit nginx",
            "launchctl load ~/Library/LaunchAgents/x.plist",
            "launchctl bootstrap gui/501 x.plist",
            "launchctl setenv A b",
            "update-rc.d nginx defaults",
            "chkconfig nginx on",
            "rc-update add nginx default",
            "loginctl enable-linger alice",
            "pm2 startup",
            "defaults write com.apple.loginwindow LoginHook /tmp/x",
            "cp x.service /etc/systemd/system/",
            "cat > ~/.config/systemd/user/x.service <<'E'\n[Service]\nE",
            "cp x.plist ~/Library/LaunchAgents/",
            "sudo tee /Library/LaunchDaemons/x.plist < x",
            "cp x.desktop ~/.config/autostart/",
            "echo x >> /etc/rc.local",
            "cp x /etc/init.d/x",
            "echo x | sudo tee /etc/udev/rules.d/99-x.rules",
        ],
    );
    all(
        "none",
        &[
            "systemctl start nginx",
            "systemctl restart nginx",
            "systemctl status nginx",
            "systemctl is-enabled nginx",
            "systemctl list-unit-files --state enabled",
            "systemctl daemon-reload",
            "systemctl cat nginx",
            "launchctl list",
            "launchctl print gui/501",
            "loginctl list-sessions",
            "ls /etc/systemd/system",
            "pm2 start app.js",
            "defaults read com.apple.dock",
            "chkconfig --list",
            "echo x > x.service",
        ],
    );
}

#[test]
fn rules_about_root_are_denied() {
    all(
        "deny root-rules",
        &[
            "echo 'me ALL=(ALL) NOPASSWD: ALL' | sudo tee /etc/sudoers.d/me",
            "sudo sed -i s/a/b/ /etc/sudoers",
            "visudo",
            "visudo -f /etc/sudoers.d/me",
            "echo x >> /etc/pam.d/sshd",
            "echo /tmp/x.so > /etc/ld.so.preload",
            "cp x.rules /etc/polkit-1/rules.d/",
            "echo 'permit nopass me' >> /etc/doas.conf",
        ],
    );
    all(
        "none",
        &["visudo -c", "visudo -cf /etc/sudoers.d/me", "cat /etc/pam.d/sshd", "sudo cat /etc/sudoers"],
    );
}

#[test]
fn programs_with_rights_of_others_ask() {
    all(
        "ask setuid-bit",
        &[
            "chmod u+s ./x",
            "chmod +s ./x",
            "sudo chmod 4755 ./x",
            "chmod 06755 x",
            "chmod -v u=rwxs x",
            "chmod a+x,u+s x",
            "install -m 4755 x /usr/local/bin/x",
            "sudo setcap cap_net_bind_service=+ep ./server",
        ],
    );
    all(
        "none",
        &[
            "chmod +x x",
            "chmod 755 x",
            "chmod 0755 x",
            "chmod 2775 shared",
            "chmod g+s shared",
            "chmod u-s x",
            "chmod 1777 x",
            "chmod -x x",
            "setcap -r ./server",
            "setcap -v cap_net_raw=ep ./server",
            "getcap ./server",
            "install -m 755 x build/x",
        ],
    );
}

#[test]
fn scripts_of_an_install_ask() {
    all(
        "ask install-script",
        &["npm pkg set scripts.postinstall='node x.js'", "npm pkg set scripts.prepare=husky"],
    );
    all("none", &["npm pkg get scripts", "npm pkg set scripts.test=vitest", "npm pkg set version=1.0.0"]);
}

#[test]
fn the_pack_can_be_off() {
    all_with(
        r#"{"packs": {"persistence": "off"}}"#,
        "none",
        &["echo x >> ~/.bashrc", "crontab -r", "chmod u+s x"],
    );
    all_with(r#"{"packs": {"persistence": "ask"}}"#, "ask root-rules", &["visudo"]);
}
