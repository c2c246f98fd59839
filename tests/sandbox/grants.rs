//! What a guest may know of the world, with and without a grant.

use std::time::{SystemTime, UNIX_EPOCH};

use hookbox::{
    HookSpec, Host, Target,
    hook::WasmSpec,
    model::{FailureCode, Grants},
};

use crate::{Bed, build_program, dispatch_event, expect_failure, find_failure_code, guests, tool_event};

fn grant_clock() -> Grants {
    Grants { clock: true, ..Grants::default() }
}

fn grant_random() -> Grants {
    Grants { random: true, ..Grants::default() }
}

fn create_host(bed: &Bed, guest: &str, grants: Grants) -> Host {
    let target = Target::Wasm(WasmSpec { grants, ..WasmSpec::new(bed.write_plugin(guest)) });
    bed.builder().hooks([HookSpec { target, ..bed.create_gate(guest) }]).build()
}

/// What the guest logs for an event of this time.
fn run_and_read_log(bed: &Bed, guest: &str, grants: Grants, time: u64) -> String {
    let mut event = tool_event();
    event.time = time;
    dispatch_event(&create_host(bed, guest, grants), event).reports.remove(0).log.remove(0).message
}

fn read_clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis().try_into().unwrap()
}

#[test]
fn without_a_grant_the_time_is_the_events_and_with_it_the_machines() {
    let bed = Bed::new();
    for time in [0, 1_700_000_000_000, u64::MAX] {
        assert_eq!(run_and_read_log(&bed, "tells_time", grant_random(), time), time.to_string());
    }
    let before = read_clock();
    let told: u64 = run_and_read_log(&bed, "tells_time", grant_clock(), 5).parse().unwrap();
    assert!((before..=read_clock()).contains(&told), "{told}");
}

/// What a program sees of the clocks, in nanoseconds: both resolutions, the wall clock, the monotonic one twice.
fn clocks_of_wasi(plugin: &[u8], grants: Grants) -> [u64; 5] {
    let bed = Bed::new();
    let file = bed.write_file("program.wasm", plugin);
    let target = Target::Wasm(WasmSpec { grants, ..WasmSpec::new(file) });
    let host = bed.builder().hooks([HookSpec { target, ..bed.create_gate("program_tells_time") }]).build();
    let mut event = tool_event();
    event.time = 1_700_000_000_123;
    let said = dispatch_event(&host, event).reports.remove(0).log.remove(0).message;
    let told: Vec<u64> = said.split(' ').map(|number| number.parse().unwrap()).collect();
    told.try_into().unwrap()
}

const MILLISECOND: u64 = 1_000_000;

#[test]
fn without_a_grant_wasis_wall_clock_says_the_events_time_and_its_other_clock_counts_looks() {
    for plugin in [guests::build_component("program_tells_time"), build_program("program_tells_time")] {
        let event = 1_700_000_000_123 * MILLISECOND;
        let told = clocks_of_wasi(&plugin, grant_random());
        assert_eq!(told, [MILLISECOND, MILLISECOND, event, 0, MILLISECOND]);
    }
}

#[test]
fn with_a_grant_wasis_clocks_are_the_machines_to_the_millisecond() {
    for plugin in [guests::build_component("program_tells_time"), build_program("program_tells_time")] {
        let before = read_clock();
        let [wall_resolution, resolution, wall, first, second] = clocks_of_wasi(&plugin, grant_clock());
        assert_eq!([wall_resolution, resolution], [MILLISECOND; 2]);
        assert!((before..=read_clock()).contains(&(wall / MILLISECOND)), "{wall}");
        assert_eq!([wall, first, second].map(|time| time % MILLISECOND), [0; 3]);
        assert!(first <= second, "{first} {second}");
    }
}

#[test]
fn without_a_grant_random_bytes_follow_from_the_event_and_with_it_from_nothing() {
    let bed = Bed::new();
    let drawn = |grants, time| run_and_read_log(&bed, "draws", grants, time);
    assert_eq!(drawn(grant_clock(), 1), drawn(grant_clock(), 1));
    assert_ne!(drawn(grant_clock(), 1), drawn(grant_clock(), 2));
    assert_ne!(drawn(grant_random(), 1), drawn(grant_random(), 1));
}

#[test]
fn random_bytes_are_not_drawn_without_end() {
    let bed = Bed::new();
    for grants in [grant_clock(), grant_random()] {
        let report =
            dispatch_event(&create_host(&bed, "draws_too_much", grants), tool_event()).reports.remove(0);
        assert_eq!(find_failure_code(&report), FailureCode::Trap);
        assert_eq!(
            expect_failure(&report).message,
            "the guest trapped: more than 4096 random bytes in one call"
        );
    }
}
