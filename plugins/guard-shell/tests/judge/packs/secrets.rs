//! Secrets that are not files.

use crate::support::all_with;

/// Other packs know some of these programs, too.
const ALONE: &str = r#"{"packs": {"git": "off", "cloud": "off", "database": "off", "container": "off", "publish": "off", "packages": "off", "persistence": "off", "system": "off", "network": "off"}}"#;

fn all(expected: &str, commands: &[&str]) {
    all_with(ALONE, expected, commands);
}

#[test]
fn what_prints_a_token_is_asked_about() {
    all(
        "ask token-print",
        &[
            "gh auth token",
            "gh auth token --hostname github.example.com",
            "gh auth status --show-token",
            "gh auth status -t",
            "aws configure get aws_secret_access_key",
            "aws --profile prod configure get default.aws_session_token",
            "aws configure export-credentials --format env",
            "aws sts assume-role --role-arn x --role-session-name y",
            "aws ecr get-login-password --region eu-west-1",
            "gcloud auth print-access-token",
            "gcloud --project p auth application-default print-access-token",
            "az account get-access-token --resource x",
            "kubectl create token admin -n kube-system",
            "oc whoami -t",
            "vault token create -policy root",
            "git credential fill",
            "printf 'host=x\\n' | git -C sub credential fill",
            "docker-credential-desktop get",
            "heroku auth:token",
            "fly auth token",
            "npm token create",
            "npm config get //registry.npmjs.org/:_authToken",
            "firebase login:ci",
            "sudo -u deploy gh auth token",
            "echo \"$(gh auth token)\"",
            "gh auth token > token.txt",
            "gh auth token | tee token.txt",
        ],
    );
}

#[test]
fn what_prints_a_secret_of_a_store_is_asked_about() {
    all(
        "ask secret-read",
        &[
            "aws secretsmanager get-secret-value --secret-id prod/db",
            "aws --region eu-west-1 secretsmanager get-secret-value --secret-id x --query SecretString",
            "aws ssm get-parameter --name /prod/db --with-decryption",
            "aws ssm get-parameters-by-path --path /prod --with-decryption --recursive",
            "gcloud secrets versions access latest --secret=db",
            "gcloud secrets --project p versions access 3 --secret db",
            "az keyvault secret show --vault-name v --name n",
            "az keyvault secret show -n n --vault-name v --query value -o tsv",
            "kubectl get secret db -o yaml",
            "kubectl -n shop get secrets -ojson",
            "kubectl get -n shop secret/db -o=jsonpath='{.data.password}'",
            "kubectl get pods,secrets --output json",
            "oc get secret x --output=go-template='{{.data}}'",
            "kubectl config view --raw",
            "vault kv get secret/app",
            "vault -address https://v.example kv get -field=password secret/app",
            "vault read -format=json secret/data/app",
            "vault read database/creds/app",
            "op read op://vault/item/password",
            "op item get db --reveal",
            "op item get db --fields password",
            "doppler secrets",
            "doppler secrets get DB_URL --plain",
            "doppler secrets download --no-file --format env",
            "pass show mail/work",
            "gopass show -o mail",
            "bw get password github",
            "secret-tool lookup service x",
            "security find-generic-password -s svc -w",
            "security find-generic-password -ga svc",
            "sops -d secrets.yaml",
            "sops --decrypt --input-type yaml secrets.enc",
            "ansible-vault view group_vars/all/vault.yml",
            "ansible-vault decrypt --vault-password-file p vault.yml",
            "heroku config -a shop",
            "heroku config:get DATABASE_URL --app shop",
            "pulumi config --show-secrets",
            "pulumi stack output --stack prod --show-secrets",
            "vercel env pull",
            "docker inspect -f '{{.Config.Env}}' web",
            "docker container inspect --format '{{json .Config.Env}}' web",
            "lpass show x",
            "keyring get svc me",
        ],
    );
}

#[test]
fn what_takes_a_secret_unseen_is_free() {
    all(
        "none",
        &[
            "TOKEN=$(gh auth token)",
            "export GH_TOKEN=$(gh auth token)",
            "GH_TOKEN=\"$(gh auth token)\" npm publish --dry-run",
            "curl -H \"Authorization: Bearer $(gcloud auth print-access-token)\" https://x.example",
            "gh auth token | docker login ghcr.io -u me --password-stdin",
            "aws ecr get-login-password | docker login --username AWS --password-stdin 1.dkr.ecr.eu-west-1.amazonaws.com",
            "PGPASSWORD=$(vault kv get -field=password secret/db) psql -h db",
            "PASSWORD=$(kubectl get secret db -o jsonpath='{.data.password}' | base64 -d)",
            "gh auth token > /dev/null && echo in",
            "op run --env-file=.env.tpl -- npm start",
            "doppler run -- npm start",
            "pass show -c mail/work",
        ],
    );
}

#[test]
fn keys_are_not_taken_out_unasked() {
    all(
        "ask key-export",
        &[
            "gpg --export-secret-keys me@x.example",
            "gpg --homedir d --armor --export-secret-subkeys x",
            "security export -k login.keychain -o x",
            "openssl rsa -in server.key",
            "openssl pkey -in server.key -text",
            "openssl pkcs12 -in store.p12 -nodes",
        ],
    );
    all(
        "none",
        &[
            "gpg --armor --export me@x.example",
            "gpg --list-secret-keys",
            "openssl rsa -in server.key -pubout",
            "openssl rsa -in server.key -noout -modulus",
            "openssl rsa -in server.key -out plain.key",
            "openssl pkcs12 -export -in cert.crt -out store.p12",
            "ssh-keygen -y -f id_ed25519",
        ],
    );
}

#[test]
fn secrets_that_others_use_are_not_deleted_or_replaced_unasked() {
    all(
        "ask secret-delete",
        &[
            "aws secretsmanager delete-secret --secret-id x --force-delete-without-recovery",
            "aws --region us-east-1 secretsmanager delete-secret --secret-id x",
            "aws ssm delete-parameters --names /a /b",
            "aws kms schedule-key-deletion --key-id x",
            "gcloud secrets delete db",
            "gcloud secrets versions destroy 3 --secret db",
            "az keyvault purge --name v",
            "az keyvault secret delete --vault-name v -n n",
            "kubectl -n shop delete secret db",
            "kubectl delete secret/db",
            "vault kv destroy -versions=1-3 secret/app",
            "vault kv metadata delete secret/app",
            "vault -namespace admin secrets disable kv/",
            "vault --namespace admin auth disable github",
            "vault lease revoke -prefix secret/",
            "vault operator seal",
            "op item delete db --archive",
            "op vault delete Engineering",
            "op connect token delete x",
            "doppler secrets delete DB_URL --project p -y",
            "doppler -p backend configs delete prod",
            "infisical secrets delete X",
            "pass rm -rf mail",
            "bw delete item x",
            "security delete-generic-password -s x",
            "gpg --batch --yes --delete-secret-keys x",
            "gh secret delete TOKEN --env production",
            "gh variable remove X -R o/r",
            "heroku config:unset X -a shop",
            "fly secrets unset X --app shop",
            "git credential reject",
            "docker secret rm db",
        ],
    );
    all(
        "ask secret-replace",
        &[
            "aws secretsmanager put-secret-value --secret-id x --secret-string y",
            "aws secretsmanager update-secret --description d --secret-id x",
            "aws ssm put-parameter --name /a --value b --overwrite",
            "az keyvault secret set --vault-name v -n n --value x",
        ],
    );
}

#[test]
fn secrets_of_the_environment_are_not_printed_unasked() {
    all(
        "ask environment-secrets",
        &[
            "env | grep -i token",
            "env | grep -E 'AWS|SECRET'",
            "printenv | sort | grep PASSWORD",
            "printenv GITHUB_TOKEN",
            "printenv HOME AWS_SECRET_ACCESS_KEY",
            "sudo printenv DATABASE_URL",
        ],
    );
    all(
        "none",
        &[
            "env",
            "printenv",
            "export -p",
            "env | sort",
            "env | grep PATH",
            "env | grep -q GITHUB_TOKEN",
            "env | grep -c TOKEN",
            "printenv PATH",
            "X=$(printenv GITHUB_TOKEN)",
            "env NODE_ENV=test npm test",
        ],
    );
}

#[test]
fn what_people_typed_is_not_read_unasked() {
    all(
        "ask history-read",
        &[
            "cat ~/.bash_history",
            "tail -50 $HOME/.zsh_history",
            "grep ssh ~/.bash_history",
            "cat /home/me/.local/share/fish/fish_history",
            "cat < ~/.psql_history",
            "cp ~/.python_history x",
        ],
    );
    all(
        "none",
        &["history", "wc -l ~/.bash_history", "ls -la ~/.bash_history", "cat history.md", "cat HISTORY.rst"],
    );
}

#[test]
fn a_search_for_keys_outside_of_the_project_is_asked_about() {
    all(
        "ask key-search",
        &[
            "grep -r password ~",
            "grep -rniE 'api_key|secret' /home",
            "grep -rl 'BEGIN RSA PRIVATE KEY' /",
            "rg AKIA ~",
            "find / -name id_rsa",
            "find ~ -name '*.pem' -o -name '.env'",
            "sudo find /home -type f -iname '*credentials*'",
        ],
    );
    all(
        "none",
        &[
            "grep -r password .",
            "grep -rn token src/",
            "rg api_key",
            "find . -name '*.pem'",
            "find ~ -name '*.rs'",
            "grep -r main ~",
            "grep password /etc/ssh/sshd_config",
            "find / -name node",
        ],
    );
}

#[test]
fn everyday_commands_of_the_same_programs_are_free() {
    all(
        "none",
        &[
            "gh auth status",
            "gh auth login",
            "gh secret list",
            "gh secret set TOKEN < token",
            "gh pr list --json number",
            "aws sts get-caller-identity",
            "aws configure list",
            "aws configure get region",
            "aws secretsmanager list-secrets",
            "aws secretsmanager describe-secret --secret-id x",
            "aws secretsmanager get-random-password",
            "aws ssm get-parameter --name /app/config",
            "aws ssm describe-parameters",
            "gcloud auth list",
            "gcloud secrets list",
            "gcloud secrets versions list db",
            "az keyvault list",
            "az keyvault secret list --vault-name v",
            "az account show",
            "kubectl get secrets",
            "kubectl get secret db -o name",
            "kubectl describe secret db",
            "kubectl get pods -o yaml",
            "kubectl config view",
            "kubectl create secret generic db --from-literal=a=b --dry-run=client -o yaml",
            "vault status",
            "vault kv list secret/",
            "vault policy list",
            "vault login -method=oidc",
            "op whoami",
            "op item list --vault Engineering",
            "op item get db",
            "doppler setup",
            "doppler secrets --only-names",
            "pass ls",
            "pass git push",
            "bw status",
            "security find-certificate -a",
            "security find-generic-password -s svc",
            "gpg --verify a.sig a",
            "gpg -d file.gpg",
            "openssl x509 -in cert.crt -text",
            "openssl rand -hex 32",
            "git credential approve",
            "git status",
            "heroku logs -a shop",
            "heroku config:set X=y -a shop",
            "docker inspect web",
            "docker inspect -f '{{.State.Status}}' web",
            "fly secrets list",
            "npm config get registry",
            "sops -e secrets.yaml",
            "ansible-vault encrypt x.yml",
            "pulumi config",
            "env",
        ],
    );
}

#[test]
fn the_pack_and_its_codes_can_be_switched_off() {
    all_with(
        r#"{"packs": {"secrets": "off"}}"#,
        "none",
        &["gh auth token", "cat ~/.bash_history", "env | grep TOKEN"],
    );
    all_with(r#"{"off": ["token-print"]}"#, "none", &["gh auth token"]);
    all_with(
        r#"{"packs": {"secrets": "off"}, "deny": ["history-read"]}"#,
        "deny history-read",
        &["cat ~/.bash_history"],
    );
}
