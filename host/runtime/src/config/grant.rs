//! `grant`: what a wasm hook may do beyond answering.

use hookbox_model::{Grants, Tier};
use toml::de::DeTable;

use super::{
    report::{Found, Report},
    values,
};

/// The grants of a hook. A file that nobody has reviewed gives none.
pub(super) fn resolve(table: &DeTable<'_>, tier: Tier, report: &mut Report) -> Grants {
    let Some(grant) = values::table(table, "grant") else { return Grants::default() };
    if !table.contains_key("wasm") {
        let warning = Found::warning(grant.span(), "grant has no effect here: it is for wasm hooks");
        report.add(warning.help("a shell hook or a webhook has all of your power by its nature"));
        return Grants::default();
    }
    if tier == Tier::Unknown {
        let warning = Found::warning(grant.span(), "grant has no effect here");
        report.add(warning.help("a project's hook gets nothing granted until the file is trusted"));
        return Grants::default();
    }
    let given =
        |name: &str| grant.get_ref().get(name).and_then(|flag| flag.get_ref().as_bool()).unwrap_or(false);
    Grants { clock: given("clock"), random: given("random") }
}
