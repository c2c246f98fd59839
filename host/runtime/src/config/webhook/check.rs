//! Reports errors of a webhook. The handler has the checks; here each part is checked alone, so that all errors are
//! reported together and with their places.

use toml::Spanned;

use super::{Header, Report};
use crate::{
    handler::webhook::{
        HeaderProblem::{BadName, Reserved, Twice},
        WebhookHandler, WebhookSpecError,
    },
    hook::WebhookSpec,
    hookfile::PlacedProblem,
};

/// Address for checking a header alone.
const ANY_URL: &str = "https://localhost/";

/// Reports the errors of `spec`, which was read from `url` and `headers`.
pub(super) fn check_webhook(
    spec: &WebhookSpec,
    url: Option<&Spanned<&str>>,
    headers: &[Header<'_>],
    report: &mut Report,
) {
    let errors = report.errors();
    if let Some(url) = url {
        check_url(url, spec, report);
    }
    for (name, value) in headers {
        let alone = vec![((*name.get_ref()).to_owned(), (*value.get_ref()).to_owned())];
        if let Err(error) =
            check_spec(WebhookSpec { url: ANY_URL.to_owned(), headers: alone, ..spec.clone() })
        {
            let place = if is_about_name(&error) { name.span() } else { value.span() };
            report.add_error(place, error.to_string());
        }
    }
    if let Some(url) = url.filter(|_| report.errors() == errors) {
        // The only remaining error is a repeated header name.
        report_repeated(check_spec(spec.clone()).err(), url, headers, report);
    }
}

fn check_url(url: &Spanned<&str>, spec: &WebhookSpec, report: &mut Report) {
    if let Err(error) = check_spec(WebhookSpec { headers: Vec::new(), ..spec.clone() }) {
        report.add_error(url.span(), error.to_string());
    } else if url.get_ref().contains("${") {
        let error = PlacedProblem::error(url.span(), "variables do not work in the url");
        report.add_problem(error.help("put them in `headers`"));
    }
}

fn report_repeated(
    error: Option<WebhookSpecError>,
    url: &Spanned<&str>,
    headers: &[Header<'_>],
    report: &mut Report,
) {
    let Some(error) = error else { return };
    let is_it = |name: &str| matches!(&error, WebhookSpecError::Header { header, .. } if header == name);
    let second = headers.iter().rfind(|(name, _)| is_it(name.get_ref()));
    report.add_error(second.map_or_else(|| url.span(), |(name, _)| name.span()), error.to_string());
}

fn check_spec(spec: WebhookSpec) -> Result<(), WebhookSpecError> {
    WebhookHandler::check_spec(spec)
}

fn is_about_name(error: &WebhookSpecError) -> bool {
    matches!(error, WebhookSpecError::Header { problem: BadName | Reserved | Twice, .. })
}
