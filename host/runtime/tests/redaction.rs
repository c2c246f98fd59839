//! Secrets in texts that are kept in the log, and ordinary lines that look like them.

use hookbox::redaction::{Secrets, redact_tokens};

/// The short secret in each form: no length and no mix of characters reveals it.
const SECRET: &str = "hunter2";

/// Lines with the secret that the log does not contain.
const REDACTED: [&str; 116] = [
    // Databases.
    "mysql -u root -phunter2 db",
    "mysqldump --password=hunter2 db",
    "mysqladmin -u root password hunter2",
    "MYSQL_PWD=hunter2 mysql",
    "PGPASSWORD=hunter2 psql -h db",
    "PGPASSWORD='hunter2' psql -h db",
    "psql \"host=db user=app password=hunter2\"",
    "psql postgres://app:hunter2@db/x",
    "redis-cli -a hunter2 ping",
    "redis-cli -u redis://:hunter2@db:6379",
    "REDISCLI_AUTH=hunter2 redis-cli",
    "mongosh -u admin -p hunter2 db",
    "mongodump --password hunter2",
    "sqlplus app/hunter2@db",
    "sqlcmd -S h -U sa -P hunter2",
    "bcp x out y -U sa -P hunter2",
    "ALTER USER app WITH PASSWORD 'hunter2'",
    "CREATE USER app IDENTIFIED BY 'hunter2'",
    "Server=db;User Id=sa;Pwd=hunter2;",
    "Server=db;User Id=sa;Password=hunter2;",
    "spring.datasource.password=hunter2",
    // Remote machines, registries and clouds.
    "sshpass -p hunter2 ssh me@h",
    "sshpass -phunter2 ssh me@h",
    "SSHPASS=hunter2 sshpass -e ssh me@h",
    "docker login -u me -p hunter2 registry.example",
    "docker login --username me --password hunter2",
    "echo hunter2 | docker login -u me --password-stdin",
    "helm registry login -u me -p hunter2 h",
    "az login -u me -p hunter2",
    "gh auth login --with-token <<< hunter2",
    "twine upload -u me -p hunter2 dist/*",
    "//registry.example/:_authToken=hunter2",
    "npm config set //registry.example/:_authToken hunter2",
    "npm publish --otp=hunter2",
    "machine h login me password hunter2",
    "git clone https://oauth2:hunter2@h/x.git",
    "git clone https://hunter2@h/x.git",
    "git config credential.helper '!echo password=hunter2'",
    "vault login hunter2",
    "vault kv put secret/x password=hunter2",
    "kubectl create secret generic x --from-literal=a=hunter2 --from-literal=b=hunter2",
    "gh secret set X --body hunter2",
    "fly secrets set KEY=hunter2",
    "heroku config:set SECRET=hunter2",
    "aws configure set aws_secret_access_key hunter2",
    "tailscale up --authkey=hunter2",
    "smbclient //h/s -U me%hunter2",
    "mount -t cifs //h/s /m -o username=me,password=hunter2",
    "mount -t cifs //h/s /m -o user=me,pass=hunter2",
    "ldapsearch -x -D cn=a -w hunter2 -b dc=x",
    "rabbitmqctl add_user me hunter2",
    "snmpwalk -v3 -A hunter2 -X hunter2 h",
    "nmcli dev wifi connect x password hunter2",
    "AccountKey=hunter2;EndpointSuffix=x",
    // Requests.
    "curl -u me:hunter2 https://h",
    "curl -ume:hunter2 https://h",
    "curl --user=me:hunter2 https://h",
    "curl -H 'X-Api-Key: hunter2' https://h",
    "curl -H \"X-Auth-Token: hunter2\" https://h",
    "curl -H 'PRIVATE-TOKEN: hunter2' https://h",
    "curl -H 'Authorization: Bearer hunter2' https://h",
    "curl -H 'Authorization: token hunter2' https://h",
    "curl -H 'Authorization: hunter2' https://h",
    "curl -H 'Cookie: session=hunter2' https://h",
    "curl -b session=hunter2 https://h",
    "curl -d 'user=me&password=hunter2' https://h",
    "curl -d '{\"user\":\"me\",\"password\":\"hunter2\"}' https://h",
    r#"curl -d "{\"passwd\": \"hunter2\"}" https://h"#,
    "curl 'https://h/?token=hunter2&x=1'",
    "curl 'https://h/?a=1&key=hunter2'",
    "curl 'https://h/?pass=hunter2'",
    "curl 'https://h/?X-Amz-Signature=hunter2'",
    "curl https://hooks.slack.com/services/hunter2",
    "wget --http-password=hunter2 https://h",
    "wget --ftp-password hunter2 ftp://h",
    "http -a me:hunter2 https://h",
    "requests.get(url, auth=(\"me\", \"hunter2\"))",
    // Accounts and encrypted files.
    "echo 'root:hunter2' | chpasswd",
    "echo hunter2 | sudo -S ls",
    "printf '%s\\n' hunter2 | sudo -S ls",
    "useradd -p hunter2 me",
    "htpasswd -b file me hunter2",
    "htpasswd -nb me hunter2",
    "openssl enc -aes-256-cbc -k hunter2 -in x",
    "openssl req -passout pass:hunter2",
    "gpg --batch --passphrase hunter2 -d x",
    "7z x -phunter2 x.7z",
    "unzip -P hunter2 x.zip",
    "keytool -storepass hunter2 -keypass hunter2",
    "wpa_passphrase net hunter2",
    "ConvertTo-SecureString hunter2 -AsPlainText",
    // Variables, settings and code.
    "export API_KEY=hunter2",
    "export DB_PASS=\"hunter2\"",
    "export AUTH=hunter2",
    "set -x SECRET_KEY hunter2",
    "$env:API_KEY = \"hunter2\"",
    "docker run -e POSTGRES_PASSWORD=hunter2 x",
    "ansible-playbook x.yml -e \"become_pass=hunter2 x=1\"",
    "ENCRYPTION_KEY=hunter2",
    "SIGNING_KEY: hunter2",
    "password: hunter2",
    "  db_pass: \"hunter2\"",
    "api_key: \"hunter2\"",
    "\"apiKey\": \"hunter2\",",
    "\"pwd\": \"hunter2\",",
    "clientSecret: 'hunter2'",
    "const password = \"hunter2\";",
    "password := \"hunter2\"",
    "'password' => 'hunter2',",
    "passcode=hunter2",
    "<password>hunter2</password>",
    // Options of any program.
    "x --token hunter2",
    "x --secret-key hunter2",
    "x --access-token=hunter2",
    "x --pass hunter2",
    "x --pw 'hunter2'",
];

/// Lines with the secret that the log contains: in these forms it is a word like any other.
const KEPT: [&str; 6] = [
    "pwd: hunter2",
    "pin: hunter2",
    "otp=hunter2",
    "expect -c 'send \"hunter2\\r\"'",
    "npm login --auth hunter2",
    "./connect me hunter2",
];

/// Lines without a secret, most of them of public projects and of agents at work.
const HARMLESS: [&str; 49] = [
    "docker run -u 1000:1000 -p 8080:80 -e HOME=/tmp x",
    "docker compose run --publish 8080:80 -p 2022:22 -p 127.0.0.1:2021:21 web python manage.py shell",
    "docker compose -p my_project ps -a",
    "docker ps -a --filter label=com.docker.compose.hook=pre_start",
    "cargo codspeed build -m walltime --profile profiling -p uv-bench --bench uv --bench workspace_discovery",
    "cargo test -p tokio-util --target value --features full",
    "tsc -p tsconfig.build.json && vite build",
    "mkdir -p /app/ssl && openssl genrsa -out /app/ssl/server.key 2048 && chmod 600 /app/ssl/server.key",
    "http-server -c-1 -p 9900 src/",
    "uv venv -p 3.13 --seed",
    "node -p process.arch",
    "rencrypt data/sample1.txt -p rev -o encrypted_data/sample1.txt",
    "export UV_PUBLISH_PASSWORD=\"$ARTIFACT_REGISTRY_TOKEN\"",
    "export UV_PUBLISH_USERNAME=oauth2accesstoken",
    "curl -H \"Authorization: Bearer $GH_TOKEN\" https://api.example/x",
    "curl -H \"X-Api-Key: ${KEY}\" -b cookies.txt -u \"$USER:$PASS\" https://h",
    "echo \"$TOKEN\" | docker login ghcr.io -u me --password-stdin",
    "mysql -u root -p\"$MYSQL_ROOT_PASSWORD\" db",
    "mysql -h db -P 3306 --protocol=tcp",
    "sshpass -e ssh me@h",
    "sshpass -p \"$PW\" ssh -p 22 me@h",
    "gh auth login",
    "gcloud auth login && uvx coiled login",
    "uv auth token --username foo example.com",
    "pip config set --global global.keyring-provider subprocess",
    "pip install tokenizers --no-cache-dir --no-deps",
    "python3 -c \"import pickle, zipfile, json; print('Basic libraries available')\"",
    "print('Basic tokenization works')",
    "print(f\"chars per token: {avg_chars_per_token:.2f}\")",
    "grep -E \"(AWS_ACCESS_KEY_ID|AWS_SECRET_ACCESS_KEY|ghp_|hf_)\" ./ray_processing/ray_cluster.yaml",
    "grep -A 2 -B 2 \"AWS_SECRET_ACCESS_KEY\" ./tools/eval_expdb.py",
    "sed -i 's/AWS_SECRET_ACCESS_KEY/<your-aws-secret-access-key>/g' process.yaml",
    "gitlab-runner unregister --url https://gitlab.example.com --token <token>",
    "psql -h db -U docker --no-password",
    "security import ~/Downloads/mac_development.cer -k ~/Library/Keychains/login.keychain-db",
    "security find-identity -v -p codesigning",
    "socat -u OPEN:fifo TCP:host.example:4444",
    "set -- -f; source bootstrap.sh",
    "set -euo pipefail; ./token.sh",
    "kubectl create configmap x --from-literal=a=b && kubectl get secret x",
    "vault login -method=userpass username=me",
    "zip -r out.zip src && unzip -p out.zip src/a | head",
    "7z x archive.7z -o/tmp/out && tar -xpf a.tar",
    "ldapsearch -x -H ldap://h -b dc=x",
    "git tag -a v0.1.0 -m v0.1.0",
    "od -A x -t x1z -v /tmp/binary_file | head -5",
    "echo \"fs.inotify.max_user_watches=524288\" | sudo tee -a /etc/sysctl.conf",
    "kinds.map(Token::new); primary_key=True; cache_key: id",
    "PASS: a test, 3 passed; pass: 3, key: value, pins=2",
];

fn redact_text(text: &str) -> String {
    redact_tokens(&Secrets::default().redact_text(text))
}

#[test]
fn short_secrets_in_known_forms_are_redacted() {
    let kept: Vec<_> = REDACTED.iter().filter(|line| redact_text(line).contains(SECRET)).collect();
    assert!(kept.is_empty(), "{} of {} are kept: {kept:#?}", kept.len(), REDACTED.len());
}

#[test]
fn short_secrets_in_other_forms_are_kept() {
    let redacted: Vec<_> = KEPT.iter().filter(|line| !redact_text(line).contains(SECRET)).collect();
    assert!(redacted.is_empty(), "move to the other list: {redacted:#?}");
}

#[test]
fn ordinary_lines_stay_as_they_are() {
    let changed: Vec<_> =
        HARMLESS.iter().map(|line| (line, redact_text(line))).filter(|(line, text)| *line != text).collect();
    assert!(changed.is_empty(), "{changed:#?}");
}
