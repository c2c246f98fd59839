//! Confinement on machines that lack a feature.

use std::time::Duration;

use super::*;
use crate::hook::DEFAULT_MEMORY;

/// A machine with every feature.
const COMPLETE: KernelSupport = KernelSupport {
    landlock: Some(7),
    seccomp: true,
    no_new_privileges: true,
    death_signal: true,
    counts_memory: true,
    counts_processes: true,
};

/// A machine without any feature.
const BARE: KernelSupport = KernelSupport {
    landlock: None,
    seccomp: false,
    no_new_privileges: false,
    death_signal: false,
    counts_memory: false,
    counts_processes: false,
};

/// Returns each setting alone, with the refusal that it causes.
fn single_settings() -> [(Confinement, UnsupportedSetting); 5] {
    let limits = ResourceLimits::default;
    [
        (
            Confinement { files: Some(FileRules::default()), ..Confinement::default() },
            UnsupportedSetting::Files,
        ),
        (Confinement { network: false, ..Confinement::default() }, UnsupportedSetting::Network),
        (Confinement { privileges: Some(false), ..Confinement::default() }, UnsupportedSetting::Privileges),
        (
            Confinement {
                limits: ResourceLimits { processes: Some(1), ..limits() },
                ..Confinement::default()
            },
            UnsupportedSetting::Processes,
        ),
        (
            Confinement { limits: ResourceLimits { memory: Some(1), ..limits() }, ..Confinement::default() },
            UnsupportedSetting::Memory,
        ),
    ]
}

#[test]
fn what_is_asked_for_and_cannot_hold_is_refused() {
    for (confinement, refusal) in single_settings() {
        assert_eq!(refused_by(&confinement, &BARE), Some(refusal));
        assert_eq!(refused_by(&confinement, &COMPLETE), None);
        assert!(refusal.to_string().ends_with(": run it where it can hold, or take the setting out"));
    }
}

#[test]
fn a_landlock_version_that_allows_truncation_does_not_confine_files() {
    let [(files, _), ..] = single_settings();
    let machine = |landlock| KernelSupport { landlock: Some(landlock), ..COMPLETE };
    assert_eq!(refused_by(&files, &machine(2)), Some(UnsupportedSetting::Files));
    assert_eq!(refused_by(&files, &machine(3)), None);
}

#[test]
fn a_default_confinement_that_the_kernel_lacks_is_skipped_and_reported() {
    let own = Confinement::default();
    assert_eq!(refused_by(&own, &BARE), None);
    let held = EffectiveConfinement::on_machine(&BARE, Some(&own));
    assert_eq!((held.session, held.no_new_privileges, held.dies_with_host), (true, false, false));
    assert_eq!((held.memory, held.refused), (None, None));
    let held = EffectiveConfinement::on_machine(&COMPLETE, Some(&own));
    assert_eq!((held.session, held.no_new_privileges, held.dies_with_host), (true, true, true));
    assert_eq!((held.memory, held.cpu), (Some(DEFAULT_MEMORY), Some(Duration::from_hours(1))));
}

#[test]
fn a_hook_of_another_systems_file_dies_with_us_and_no_more() {
    let held = EffectiveConfinement::on_machine(&COMPLETE, None);
    assert!(held.dies_with_host && held.network);
    assert_eq!((held.session, held.no_new_privileges, held.files, held.cpu), (false, false, None, None));
}

#[test]
fn rules_for_files_and_network_always_prevent_privileges() {
    for (confinement, _) in single_settings().into_iter().take(2) {
        assert!(Confinement { privileges: Some(true), ..confinement }.without_new_privileges());
    }
    assert!(!Confinement { privileges: Some(true), ..Confinement::default() }.without_new_privileges());
}

#[test]
fn a_limit_on_processes_is_set_in_the_child() {
    let limits = ResourceLimits { processes: Some(7), ..ResourceLimits::default() };
    let set = |limits: &ResourceLimits| limits_of(limits, &COMPLETE).processes;
    assert_eq!((set(&limits), set(&ResourceLimits::default())), (Some(7), None));
}

#[test]
fn a_limit_on_memory_is_set_where_it_counts_something() {
    let set = |machine| limits_of(&ResourceLimits::default(), machine).memory;
    assert_eq!((set(&COMPLETE), set(&BARE)), (Some(DEFAULT_MEMORY), None));
}
