//! `webhook`: where an event is sent, and with which headers. What is allowed there, the handler itself says; here it
//! is asked piece by piece, so that every error comes at once and with its place.

use toml::{Spanned, de::DeTable};

use super::{Key, report::Report, suggest::quoted, values};
use crate::{
    handler::webhook::{WebhookHandler, WebhookSpecError},
    hook::{WebhookMethod, WebhookSpec},
    hookfile::Found,
};

/// An address for asking about a header alone.
const ANY_URL: &str = "https://localhost/";

/// A header's name and value.
type Header<'t> = (Spanned<&'t str>, Spanned<&'t str>);

/// Keeps out of messages what may be secret: the values of headers, and what follows the server in the address (all
/// of it, if it holds credentials).
pub(super) fn hide_secrets(webhook: &DeTable<'_>, report: &mut Report) {
    let url = values::text(webhook, "url").map(|url| (shown_of_url(url.get_ref()), url));
    let headers = headers(webhook).into_iter().map(|(_, value)| (0, value));
    for (shown, text) in url.into_iter().chain(headers) {
        // Long quotes and escapes only make the text longer in the file than it is: more of it is hidden then.
        report.hide(text.span().start + 1 + shown..text.span().end.saturating_sub(1));
    }
}

fn shown_of_url(url: &str) -> usize {
    let scheme = url.find("://").map_or(0, |at| at + "://".len());
    let rest = url.get(scheme..).unwrap_or_default();
    let server = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    if rest.contains('@') { scheme } else { scheme + server }
}

/// The request, if nothing of it is an error.
pub(super) fn resolve(webhook: &DeTable<'_>, report: &mut Report) -> Option<WebhookSpec> {
    let errors = report.errors();
    let put = values::text(webhook, "method").is_some_and(|method| *method.get_ref() == "PUT");
    let method = if put { WebhookMethod::Put } else { WebhookMethod::Post };
    let env = values::strings(webhook, "env");
    let sign = values::text(webhook, "sign").map(|name| (*name.get_ref()).to_owned());
    let spec = |url: &str, headers| {
        let (env, sign) = (env.clone(), sign.clone());
        WebhookSpec { url: url.to_owned(), method, headers, env, sign }
    };
    let url = values::text(webhook, "url").filter(|url| !url.get_ref().is_empty());
    if let Some(url) = &url {
        check_url(url, spec(url.get_ref(), Vec::new()), report);
    }
    let headers = headers(webhook);
    for (name, value) in &headers {
        let alone = vec![((*name.get_ref()).to_owned(), (*value.get_ref()).to_owned())];
        if let Err(error) = ask(spec(ANY_URL, alone)) {
            let place = if is_about_name(&error) { name.span() } else { value.span() };
            report.error(place, error.to_string());
        }
    }
    warn_of_unused_variables(webhook, &headers, report);
    let owned = |text: &Spanned<&str>| (*text.get_ref()).to_owned();
    let url = url?;
    let pairs = headers.iter().map(|(name, value)| (owned(name), owned(value)));
    let whole = spec(url.get_ref(), pairs.collect());
    if report.errors() == errors {
        // What is left to be wrong is that two names are one.
        report_repeated(ask(whole.clone()).err(), &url, &headers, report);
    }
    Some(whole)
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
    report.error(second.map_or_else(|| url.span(), |(name, _)| name.span()), error.to_string());
}

fn ask(spec: WebhookSpec) -> Result<(), WebhookSpecError> {
    WebhookHandler::check(spec)
}

fn check_url(url: &Spanned<&str>, spec: WebhookSpec, report: &mut Report) {
    if let Err(error) = ask(spec) {
        report.error(url.span(), error.to_string());
    } else if url.get_ref().contains("${") {
        let error = Found::error(url.span(), "variables do not work in the url");
        report.add(error.help("put them in `headers`"));
    }
}

fn is_about_name(error: &WebhookSpecError) -> bool {
    use crate::handler::webhook::HeaderProblem::{BadName, Reserved, Twice};
    matches!(error, WebhookSpecError::Header { problem: BadName | Reserved | Twice, .. })
}

/// The headers in the order of the file.
fn headers<'t>(webhook: &'t DeTable<'_>) -> Vec<Header<'t>> {
    let Some(table) = values::table(webhook, "headers") else {
        return Vec::new();
    };
    let name = |name: &'t Key<'_>| Spanned::new(name.span(), name.get_ref().as_ref());
    let pairs = (*table.get_ref()).iter();
    let mut headers: Vec<_> =
        pairs.filter_map(|(key, value)| Some((name(key), values::as_text(value)?))).collect();
    headers.sort_by_key(|(name, _)| name.span().start);
    headers
}

fn warn_of_unused_variables(webhook: &DeTable<'_>, headers: &[Header<'_>], report: &mut Report) {
    for listed in values::texts(webhook, "env") {
        let variable = format!("${{{}}}", listed.get_ref());
        if !headers.iter().any(|(_, value)| value.get_ref().contains(&variable)) {
            let message = format!("no header uses the variable {}", quoted(listed.get_ref()));
            report.add(Found::warning(listed.span(), message));
        }
    }
}
