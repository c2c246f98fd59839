//! Limits of a process, from the lowest value.

use anyhow::Result;

use super::{
    bed::Bed,
    oracle,
    scenario::{EVENT, GATE, HOOKS, RUN, without_cache},
    table::{Group, Table},
};

/// The option that limits the stack.
const STACK: &str = "-s";

/// The option of `ulimit`, its meaning, and the tried values.
const LIMITS: [(&str, &str, &[u64]); 6] = [
    ("-f", "blocks of a file", &[0, 1, 2, 4, 8, 16, 64, 256]),
    ("-n", "open files", &[3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 32]),
    (
        "-v",
        "KiB of address space",
        &[16_384, 32_768, 65_536, 131_072, 262_144, 524_288, 1_048_576, 4_194_304, 8_388_608],
    ),
    (STACK, "KiB of stack", &[16, 64, 128, 256, 1024]),
    ("-t", "seconds of processor time", &[1, 2]),
    ("-u", "processes", &[1, 2, 4, 8, 64]),
];

pub(super) fn run(bed: &Bed, table: &mut Table) -> Result<()> {
    let mut group = Group::new("limits (with a cache and without)");
    bed.clear()?;
    bed.write_file(HOOKS, GATE)?;
    for (option, what, values) in LIMITS {
        for value in values {
            let script = format!("ulimit {option} {value} && exec \"$0\" \"$@\"");
            let before: Vec<String> = ["sh", "-c", &script].iter().map(ToString::to_string).collect();
            // A program that cannot even start is not tested. With the smallest of these stacks it starts, and runs long enough to refuse.
            if option != STACK && bed.run(&before, &["--version"], "")?.status.code() != Some(0) {
                continue;
            }
            without_cache(bed)?;
            for cache in ["empty", "filled"] {
                let ended = bed.run(&before, RUN, EVENT)?;
                let result = oracle::check_deny(&ended).and_then(|()| oracle::is_clean(bed));
                group.record_fault(|| format!("{value} {what}, the cache is {cache}"), result);
                bed.run(&[], RUN, EVENT)?;
            }
        }
    }
    table.report_group(group);
    Ok(())
}
