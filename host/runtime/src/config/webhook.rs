//! `webhook`: the address and headers of a request.

#[cfg(feature = "webhook")]
mod check;

use toml::{Spanned, de::DeTable};

#[cfg(feature = "webhook")]
use self::check::check_webhook;
use super::{Key, quote_word, report::Report, values};
use crate::{
    hook::{WebhookMethod, WebhookSpec},
    hookfile::PlacedProblem,
};

type Header<'t> = (Spanned<&'t str>, Spanned<&'t str>);

/// Hides possible secrets in messages: the values of headers, and the part of the address after the server (all of it,
/// if it has credentials).
pub(super) fn hide_secrets(webhook: &DeTable<'_>, report: &mut Report) {
    let url = values::get_text(webhook, "url").map(|url| (shown_of_url(url.get_ref()), url));
    let headers = read_headers(webhook).into_iter().map(|(_, value)| (0, value));
    for (shown, text) in url.into_iter().chain(headers) {
        // Long quotes and escapes only make the text longer in the file than its value: more of it is hidden then.
        report.hide_span(text.span().start + 1 + shown..text.span().end.saturating_sub(1));
    }
}

fn shown_of_url(url: &str) -> usize {
    let scheme = url.find("://").map_or(0, |at| at + "://".len());
    let rest = url.get(scheme..).unwrap_or_default();
    let server = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    if rest.contains('@') { scheme } else { scheme + server }
}

/// Returns the request, unless a part of it is an error.
pub(super) fn resolve_webhook(webhook: &DeTable<'_>, report: &mut Report) -> Option<WebhookSpec> {
    let url = values::get_text(webhook, "url").filter(|url| !url.get_ref().is_empty());
    let headers = read_headers(webhook);
    let spec = build_spec(webhook, url.as_ref(), &headers);
    check_webhook(&spec, url.as_ref(), &headers, report);
    warn_of_unused_variables(webhook, &headers, report);
    url.map(|_| spec)
}

fn build_spec(webhook: &DeTable<'_>, url: Option<&Spanned<&str>>, headers: &[Header<'_>]) -> WebhookSpec {
    let put = values::get_text(webhook, "method").is_some_and(|method| *method.get_ref() == "PUT");
    let owned = |text: &Spanned<&str>| (*text.get_ref()).to_owned();
    WebhookSpec {
        url: url.map_or_else(String::new, owned),
        method: if put { WebhookMethod::Put } else { WebhookMethod::Post },
        headers: headers.iter().map(|(name, value)| (owned(name), owned(value))).collect(),
        env: values::get_strings(webhook, "env"),
        sign: values::get_text(webhook, "sign").map(|name| owned(&name)),
    }
}

/// Placeholder: the checks were left out of this program. The hook is read, and fails when it is called.
#[cfg(not(feature = "webhook"))]
fn check_webhook(_: &WebhookSpec, _: Option<&Spanned<&str>>, _: &[Header<'_>], _: &mut Report) {}

fn read_headers<'t>(webhook: &'t DeTable<'_>) -> Vec<Header<'t>> {
    let Some(table) = values::get_table(webhook, "headers") else {
        return Vec::new();
    };
    let name = |name: &'t Key<'_>| Spanned::new(name.span(), name.get_ref().as_ref());
    let pairs = (*table.get_ref()).iter();
    let mut headers: Vec<_> =
        pairs.filter_map(|(key, value)| Some((name(key), values::as_text(value)?))).collect();
    // The parser's table is sorted by name.
    headers.sort_by_key(|(name, _)| name.span().start);
    headers
}

fn warn_of_unused_variables(webhook: &DeTable<'_>, headers: &[Header<'_>], report: &mut Report) {
    for listed in values::get_texts(webhook, "env") {
        let variable = format!("${{{}}}", listed.get_ref());
        if !headers.iter().any(|(_, value)| value.get_ref().contains(&variable)) {
            let message = format!("no header uses the variable {}", quote_word(listed.get_ref()));
            report.add_problem(PlacedProblem::warning(listed.span(), message));
        }
    }
}
