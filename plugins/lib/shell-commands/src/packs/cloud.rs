//! Deployments and resources in clouds.

mod access;
mod aws;
mod buckets;
mod platforms;
mod providers;
mod services;
mod stacks;
mod vaults;

use super::{Grammar, Pack, Program, Rule, Style};

pub(super) const PACK: Pack = Pack {
    name: "cloud",
    is_default: true,
    programs: &[
        access::AWS,
        access::GCLOUD,
        access::AZ,
        access::HEROKU,
        buckets::AWS,
        buckets::AZCOPY,
        buckets::B2,
        buckets::GCLOUD,
        buckets::GSUTIL,
        buckets::MINIO,
        buckets::RCLONE,
        buckets::S3CMD,
        buckets::S5CMD,
        aws::AWS,
        providers::GCLOUD,
        providers::AZ,
        providers::DASHED,
        providers::CAMEL,
        providers::OTHERS,
        stacks::TERRAFORM,
        stacks::TERRAGRUNT,
        stacks::PULUMI,
        stacks::CDK,
        stacks::SERVERLESS,
        stacks::KOPS,
        stacks::NAMED,
        platforms::HEROKU,
        platforms::FLY,
        platforms::VERCEL,
        platforms::NETLIFY,
        platforms::WRANGLER,
        platforms::FIREBASE,
        platforms::SUPABASE,
        platforms::CLOUD_FOUNDRY,
        platforms::DOKKU,
        platforms::RAILWAY,
        platforms::FASTLY,
        services::SERVICES,
        services::SPLIT,
        services::DECK,
        services::JENKINS,
        vaults::VAULT,
        vaults::CONSUL,
        vaults::NOMAD,
        vaults::MANAGERS,
    ],
    places: &[],
    checks: &[],
};

pub(super) const GRAMMARS: &[Grammar] = &[
    aws::GRAMMAR,
    buckets::AZCOPY_GRAMMAR,
    buckets::GSUTIL_GRAMMAR,
    buckets::MINIO_GRAMMAR,
    buckets::RCLONE_GRAMMAR,
    buckets::S3CMD_GRAMMAR,
    buckets::S5CMD_GRAMMAR,
    platforms::FIREBASE_GRAMMAR,
    platforms::FLY_GRAMMAR,
    platforms::HEROKU_GRAMMAR,
    platforms::NETLIFY_GRAMMAR,
    platforms::SUPABASE_GRAMMAR,
    platforms::VERCEL_GRAMMAR,
    platforms::WRANGLER_GRAMMAR,
    providers::AZ_GRAMMAR,
    providers::GCLOUD_GRAMMAR,
    providers::OTHERS_GRAMMAR,
    services::GRAMMAR,
    services::JAVA_GRAMMAR,
    stacks::CDK_GRAMMAR,
    stacks::PULUMI_GRAMMAR,
    stacks::SERVERLESS_GRAMMAR,
    stacks::TERRAFORM_GRAMMAR,
    vaults::GRAMMAR,
    vaults::MANAGERS_GRAMMAR,
];

/// Options that take the next word wherever they stand.
const fn everywhere(
    names: &'static [&'static str],
    style: Style,
    rows: &'static [(&'static str, &'static str, &'static [&'static str])],
) -> Grammar {
    Grammar { names, style, rows, is_global: true }
}
