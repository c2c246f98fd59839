//! The licences of everything that the programs and plugins contain.

use std::fmt::Write as _;

use crate::dependencies::Packages;

/// Parts that are not packages of a registry: name, place, licence.
pub(crate) const EMBEDDED: [(&str, &str, &str); 5] = [
    ("GNU C Library", "linked statically into the programs", "LGPL-2.1-or-later"),
    ("QuickJS", "in componentize-qjs", "MIT"),
    ("Rust standard library", "in the programs and the plugins", "MIT OR Apache-2.0"),
    ("SQLite", "in libsqlite3-sys", "blessing"),
    ("componentize-qjs 0.4.5", "the script engine of hookbox-compile", "Apache-2.0"),
];

/// Returns a line for each package of others and each embedded part: name, version or place, licence.
pub(crate) fn format_licences(packages: &Packages) -> String {
    let others = packages.iter().filter(|(_, package)| package.is_from_registry);
    let mut rows: Vec<(String, &str)> = others
        .map(|((name, version), package)| (format!("{name} {version}"), package.licence.as_str()))
        .collect();
    rows.extend(EMBEDDED.map(|(name, place, licence)| (format!("{name} ({place})"), licence)));
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    rows.iter().fold(HEAD.to_owned(), |mut text, (name, licence)| {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{name:width$}  {licence}");
        text
    })
}

const HEAD: &str = "hookbox is licensed under Apache-2.0 (LICENSE). Its programs and plugins contain:\n\n";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dependencies::Package;

    #[test]
    fn each_package_of_others_has_a_line_with_its_licence() {
        let own = Package { is_from_registry: false, ..Package::create_sample("Apache-2.0", &[]) };
        let key = |name: &str| (name.to_owned(), "1.0.0".to_owned());
        let packages =
            Packages::from([(key("serde"), Package::create_sample("MIT", &[])), (key("hookbox"), own)]);
        let text = format_licences(&packages);
        assert!(text.starts_with(HEAD), "{text}");
        let rows: Vec<_> = text.lines().skip(2).map(|row| row.split("  ").next().unwrap()).collect();
        assert_eq!(rows.first(), Some(&"serde 1.0.0"));
        assert_eq!(rows.len(), 1 + EMBEDDED.len());
        assert!(text.lines().nth(2).unwrap().ends_with("  MIT"), "{text}");
    }
}
