//! Deployments and resources in clouds.

use crate::support::{all, all_with};

#[test]
fn deleting_what_an_account_at_amazon_holds_is_asked_about() {
    all(
        "ask aws-delete",
        &[
            "aws ec2 terminate-instances --instance-ids i-1",
            "aws --profile prod --region eu-west-1 ec2 terminate-instances --instance-ids i-1",
            "aws ec2 --region eu-west-1 terminate-instances --instance-ids i-1",
            "aws rds delete-db-instance --db-instance-identifier db --skip-final-snapshot",
            "aws cloudformation delete-stack --stack-name web",
            "aws s3api delete-objects --bucket b --delete file://d.json",
            "aws ecr batch-delete-image --repository-name r --image-ids imageTag=1",
            "aws sqs purge-queue --queue-url https://sqs.example/1/q",
            "aws elbv2 deregister-targets --target-group-arn a --targets Id=i-1",
            "aws kms schedule-key-deletion --key-id k",
            "aws ec2 release-address --allocation-id a",
            "aws organizations leave-organization",
            "aws sns unsubscribe --subscription-arn a",
            "aws route53 change-resource-record-sets --hosted-zone-id Z --change-batch '{\"Changes\":[{\"Action\":\"DELETE\"}]}'",
            "aws dynamodb delete-table --table-name t --endpoint-url https://dynamodb.example",
            "xargs -n1 aws lambda delete-function --function-name < names",
            "sudo env AWS_PROFILE=prod aws eks delete-cluster --name c",
        ],
    );
}

#[test]
fn changing_who_has_access_to_a_cloud_is_asked_about() {
    all(
        "ask cloud-access",
        &[
            "aws iam attach-role-policy --role-name r --policy-arn arn:aws:iam::aws:policy/AdministratorAccess",
            "aws iam create-access-key --user-name u",
            "aws iam update-assume-role-policy --role-name r --policy-document file://p",
            "aws iam set-default-policy-version --policy-arn a --version-id v1",
            "aws s3api put-bucket-acl --bucket b --acl public-read",
            "aws ec2 authorize-security-group-ingress --group-id g --protocol tcp --port 22 --cidr 0.0.0.0/0",
            "aws rds modify-db-instance --db-instance-identifier d --publicly-accessible",
            "gcloud projects add-iam-policy-binding p --member=allUsers --role=roles/owner",
            "gcloud --project p storage buckets add-iam-policy-binding gs://b --member=allUsers --role=r",
            "gcloud iam service-accounts keys create key.json --iam-account=a",
            "gsutil iam ch allUsers:objectViewer gs://b",
            "gsutil -m acl ch -u AllUsers:R gs://b/f",
            "az role assignment create --assignee a --role Owner",
            "az ad sp create-for-rbac --name n",
            "az ad app credential reset --id 1",
            "az keyvault set-policy -n v --secret-permissions all",
            "heroku access:remove me@example.com -a web",
            "heroku access remove me@example.com",
            "heroku apps:leave",
            "heroku clients rotate 1",
            "heroku authorizations:revoke 1",
        ],
    );
}

#[test]
fn deleting_objects_of_a_bucket_is_asked_about() {
    all(
        "ask bucket-delete",
        &[
            "aws s3 rm s3://b/p --recursive",
            "aws s3 rb s3://b --force",
            "aws --profile p s3 sync . s3://b --delete",
            "gcloud storage rm -r gs://b",
            "gcloud alpha storage rsync a gs://b --delete-unmatched-destination-objects",
            "gsutil -m rm -r gs://b",
            "gsutil -o GSUtil:a=1 rb gs://b",
            "gsutil rsync -r -d a gs://b",
            "azcopy remove https://a.blob.example/c --recursive",
            "azcopy sync . https://a.blob.example/c --delete-destination true",
            "mc --json rb m/b",
            "mc mirror a m/b --remove",
            "mc admin user remove m u",
            "s3cmd -c conf del --recursive s3://b",
            "s3cmd sync --delete-removed . s3://b",
            "s5cmd --endpoint-url https://e rm 's3://b/*'",
            "b2 rm b2://b/f",
            "b2 bucket delete b",
            "rclone --config c purge remote:b",
        ],
    );
}

#[test]
fn deleting_what_other_clouds_hold_is_asked_about() {
    all(
        "ask gcloud-delete",
        &[
            "gcloud projects delete p",
            "gcloud compute instances delete vm --zone us-east1-b --quiet",
            "gcloud -q --project p sql instances delete db",
            "gcloud beta run services delete s",
            "gcloud kms keys versions destroy 1 --key k",
            "gcloud sql backups restore 1 --restore-instance=i && gcloud services disable a.example",
            "gcloud dns record-sets transaction remove --zone z",
        ],
    );
    all(
        "ask az-delete",
        &[
            "az group delete --name g --yes --no-wait",
            "az -o json vm delete -g g -n v",
            "az storage blob delete-batch -s c",
            "az keyvault purge --name v",
            "az acr repository untag -n r --image i:t",
            "az deployment group create -g g --template-file t --mode Complete",
        ],
    );
    all(
        "ask cloud-delete",
        &[
            "doctl compute droplet delete 1 --force",
            "doctl --context prod databases delete 1",
            "doctl compute droplet rm 1",
            "hcloud --context p server delete web",
            "linode-cli linodes delete 1",
            "oci compute instance terminate --instance-id i",
            "openstack server delete web",
            "scw instance server terminate 1",
            "vultr-cli instance delete 1",
            "civo kubernetes remove c",
            "yc compute instance delete vm",
            "turso db destroy d",
            "neonctl projects delete p",
            "ibmcloud ks cluster-rm c",
            "ibmcloud resource service-instance-delete s",
            "aliyun ecs DeleteInstance --InstanceId i",
        ],
    );
}

#[test]
fn tearing_a_stack_down_is_asked_about() {
    all(
        "ask stack-destroy",
        &[
            "terraform destroy",
            "terraform -chdir=infra destroy -auto-approve -var 'a=b'",
            "terraform apply -destroy -auto-approve",
            "tofu destroy --auto-approve",
            "terragrunt run-all destroy --terragrunt-non-interactive",
            "terragrunt run --all -- destroy",
            "terragrunt destroy-all",
            "pulumi destroy --yes",
            "pulumi -C infra destroy -s prod",
            "pulumi down",
            "pulumi stack rm prod",
            "npx cdk destroy --all --force",
            "cdk -a app destroy",
            "sls remove --stage prod",
            "sst remove",
            "sam delete --stack-name s",
            "eksctl delete cluster --name c",
            "kops delete cluster c --yes",
            "copilot svc delete",
            "eb terminate env",
        ],
    );
}

#[test]
fn changing_a_stack_unseen_is_asked_about() {
    all(
        "ask stack-apply",
        &[
            "terraform apply -auto-approve",
            "terraform apply --auto-approve -var-file prod.tfvars",
            "terraform -chdir=infra apply -var 'foo=bar' -auto-approve",
            "terragrunt run-all apply",
            "terragrunt run --all apply",
            "terragrunt apply-all",
            "pulumi up -y",
            "pulumi update --skip-preview",
            "pulumi -C infra up --yes -s prod",
            "cdk deploy --require-approval never",
            "cdktf deploy --auto-approve",
        ],
    );
    all(
        "ask stack-state",
        &[
            "terraform state rm aws_instance.a",
            "terraform state mv a b",
            "terraform state push s.tfstate",
            "terraform force-unlock -force 1",
            "terraform workspace delete -force w",
            "terraform taint a",
            "terragrunt state rm a",
            "pulumi state delete urn",
            "pulumi stack import --file s.json",
            "pulumi cancel",
        ],
    );
}

#[test]
fn deleting_what_a_platform_runs_is_asked_about() {
    all(
        "ask platform-delete",
        &[
            "heroku apps:destroy -a web --confirm web",
            "heroku apps destroy -a web",
            "heroku pg:reset -a web",
            "heroku -a web addons:destroy redis",
            "heroku domains:remove example.com",
            "heroku container rm web",
            "fly apps destroy web --yes",
            "flyctl -a web volumes destroy v",
            "fly destroy web",
            "fly machine destroy 1 --force",
            "fly postgres destroy db",
            "vercel remove web --yes",
            "vercel --token t --scope s project rm web",
            "vc domains rm example.com",
            "netlify sites:delete --force 1",
            "netlify api deleteSite --data '{}'",
            "wrangler delete",
            "npx wrangler d1 delete db",
            "wrangler r2 bucket delete b",
            "wrangler kv namespace delete --namespace-id=1",
            "wrangler kv:key delete --binding=B key",
            "firebase -P prod firestore:delete --all-collections -f",
            "firebase functions:delete f --force",
            "supabase projects delete p",
            "cf delete-service db -f",
            "dokku apps:destroy web",
            "railway down",
            "eas channel:delete c",
            "fastly service delete --service-id 1",
        ],
    );
    all(
        "ask platform-setting",
        &[
            "heroku config:unset KEY -a web",
            "heroku apps:rename other",
            "fly secrets unset KEY",
            "vercel env rm KEY production",
            "netlify env:unset KEY",
            "netlify env:clone --to 1",
            "wrangler secret delete KEY",
            "firebase functions:secrets:destroy KEY",
            "supabase secrets unset KEY",
            "cf unset-env web KEY",
            "dokku config:unset web KEY",
        ],
    );
    all(
        "ask platform-stop",
        &[
            "heroku ps:stop web.1",
            "heroku ps:scale worker=2 web=0",
            "heroku maintenance:on",
            "heroku rollback v1",
            "fly scale count 0",
            "fly suspend web",
            "fly machines stop 1",
            "vercel rollback",
            "wrangler deployments rollback",
            "cf stop web",
            "dokku ps:stop web",
        ],
    );
}

#[test]
fn deleting_from_a_vault_is_asked_about() {
    all(
        "ask vault-delete",
        &[
            "vault kv delete -mount=secret app",
            "vault kv metadata delete secret/app",
            "vault -address=https://v secrets disable kv/",
            "vault delete secret/app",
            "vault policy delete p",
            "vault lease revoke -prefix secret/",
            "vault operator seal",
            "vault token revoke t",
            "consul kv delete -recurse app",
            "consul acl token delete -id 1",
            "consul force-leave n",
            "nomad job stop -purge web",
            "nomad stop web",
            "nomad system gc",
            "op item delete Database",
            "op --account a vault delete Engineering",
            "doppler secrets delete KEY --config prod -y",
            "doppler projects delete backend --yes",
            "infisical secrets delete KEY",
        ],
    );
}

#[test]
fn everyday_work_with_clouds_passes() {
    all(
        "none",
        &[
            "aws --version",
            "aws s3 ls s3://b",
            "aws s3 cp a s3://b/",
            "aws s3 sync . s3://b",
            "aws s3 sync . s3://b --delete --dryrun",
            "aws s3 mb s3://b",
            "aws s3 rm s3://b/k --dryrun",
            "aws --endpoint-url http://localhost:4566 s3 rb s3://b",
            "aws ec2 terminate-instances --instance-ids i-1 --dry-run",
            "aws ec2 terminate-instances --help",
            "aws ec2 describe-instances --filters Name=tag:a,Values=delete-me",
            "aws dynamodb delete-table --table-name t --endpoint-url=http://localhost:8000",
            "aws iam list-users",
            "aws ecr get-login-password | docker login -u AWS --password-stdin r",
            "aws cloudformation deploy --template-file t --stack-name s",
            "gcloud compute instances list --filter delete",
            "gcloud projects list",
            "gcloud run deploy web",
            "gsutil cp a gs://b",
            "gsutil rsync -r a gs://b",
            "gsutil rsync -n -d a gs://b",
            "az login",
            "az group list -o table",
            "az group delete --help",
            "az storage blob upload -c c -f f -n delete",
            "azcopy copy a https://a.blob.example/c",
            "mc ls m/b",
            "rclone copy a remote:b",
            "rclone delete --dry-run remote:b",
            "doctl compute droplet list",
            "hcloud server list",
            "terraform init",
            "terraform plan -destroy",
            "terraform apply plan.tfplan",
            "terraform apply",
            "terraform destroy -help",
            "terraform validate && terraform fmt -check",
            "terraform state list",
            "terraform workspace delete w",
            "terragrunt run-all plan",
            "pulumi preview",
            "pulumi destroy --preview-only",
            "pulumi up",
            "pulumi stack ls",
            "cdk diff",
            "cdk deploy",
            "sam build",
            "kops delete cluster c",
            "heroku logs --tail -a web",
            "heroku ps:scale web=2",
            "heroku config:set KEY=1",
            "heroku ps:restart",
            "fly deploy --remote-only",
            "fly scale count 2",
            "fly machine list",
            "vercel deploy --prod",
            "netlify deploy",
            "wrangler dev",
            "wrangler deploy",
            "wrangler delete --dry-run",
            "firebase deploy --only hosting",
            "supabase start",
            "vault status",
            "consul kv get a",
            "nomad job run web.nomad",
            "op item get Database",
            "doppler run -- printenv",
            "echo aws s3 rm s3://b",
            "grep -r 'terraform destroy' docs",
        ],
    );
}

#[test]
fn the_pack_can_be_switched_off() {
    all_with(r#"{"packs": {"cloud": "off"}}"#, "none", &["terraform destroy", "aws s3 rb s3://b"]);
    all_with(r#"{"deny": ["stack-destroy"]}"#, "deny stack-destroy", &["terraform destroy"]);
}

#[test]
fn only_an_address_of_this_machine_is_one() {
    all("none", &["aws s3 rm s3://b --recursive --endpoint-url http://localhost:4566"]);
    all(
        "ask bucket-delete",
        &[
            "aws s3 rm s3://b --recursive --endpoint-url http://localhost.evil.example",
            "aws s3 rb s3://b --endpoint-url=http://localhost@evil.example",
            "aws s3 rm s3://b/x --endpoint-url http://localhost:80@evil.example",
            "aws s3 sync . s3://b --delete --endpoint-url http://127.0.0.1.evil.example",
            "aws s3 rm s3://b/x --endpoint-url http://localhost --endpoint-url https://s3.example",
        ],
    );
    all(
        "ask aws-delete",
        &["aws dynamodb delete-table --table-name t --endpoint-url http://localhost.evil.example:8000"],
    );
}

#[test]
fn options_that_come_out_of_a_variable_count() {
    all(
        "ask stack-apply",
        &[
            "TF_CLI_ARGS_apply=-auto-approve terraform apply",
            "TF_CLI_ARGS='-auto-approve -no-color' tofu apply",
            "export TF_CLI_ARGS_apply='-input=false -auto-approve'; terraform apply",
            "env TF_CLI_ARGS_apply=-auto-approve sudo terraform -chdir=infra apply",
            "PULUMI_SKIP_CONFIRMATIONS=true pulumi up",
        ],
    );
    all("ask stack-destroy", &["TF_CLI_ARGS_apply=-destroy terraform apply"]);
    all("ask stack-state", &["TF_CLI_ARGS_workspace_delete=-force terraform workspace delete old"]);
    all(
        "none",
        &[
            "TF_CLI_ARGS_plan=-auto-approve terraform apply",
            "TF_CLI_ARGS_apply=-auto-approve terraform plan",
            "PULUMI_SKIP_CONFIRMATIONS=false pulumi up",
        ],
    );
}

#[test]
fn what_services_keep_or_watch_is_not_deleted_unasked() {
    all(
        "ask service-delete",
        &[
            "apigeecli apis delete --name my-api",
            "circleci orb delete my-org/my-orb",
            "circleci --host https://ci.example namespace delete my-org",
            "datadog-ci monitors delete 123",
            "deck reset --force",
            "deck gateway sync --select-tag team-a",
            "flipt flag delete my-flag --namespace default",
            "java -jar jenkins-cli.jar -s http://jenkins.example/ delete-job deploy",
            "java -Xmx1g -jar /opt/jenkins-cli.jar -s http://jenkins.example/ -auth a:b delete-builds my-job 1..2",
            "ldcli flags archive my-flag --project my-project",
            "newrelic apm application delete 123",
            "pd service delete P123",
            "split splits kill my-split --workspace w",
            "splunk clean eventdata -index main",
            "stripe customers delete cus_123",
            "stripe --api-key x api_keys roll",
            "unleash projects delete my-project",
        ],
    );
    all(
        "none",
        &[
            "circleci config validate",
            "deck gateway diff",
            "java -jar app.jar delete",
            "java -jar jenkins-cli.jar -s http://jenkins.example/ list-jobs",
            "ldcli flags list",
            "split -l 100 splits",
            "stripe listen --forward-to localhost:3000",
        ],
    );
}

#[test]
fn a_copy_that_deletes_at_its_end_is_asked_about() {
    all(
        "ask bucket-delete",
        &["rclone sync /src remote:bucket", "rclone move src: dest:", "rclone dedupe remote:"],
    );
    all(
        "none",
        &[
            "rclone sync -n /src remote:bucket",
            "rclone copy /src remote:bucket",
            "rclone sync --interactive a: b:",
        ],
    );
    all("ask gcloud-delete", &["gcloud apigee deployments undeploy --api=a --environment=prod"]);
    all("ask cloud-access", &["aws sns remove-permission --topic-arn a --label L"]);
}
