//! Later calls of a chain in one process, which cost less than the first: plugins are loaded, connections are open.

use std::{collections::HashMap, time::Duration};

use hookbox::{Host, model::Event, model::Status};

/// Runs the chain of an event `calls` times and returns the median time of each hook that answered, by the hook's name.
pub(super) async fn measure_hooks(host: &Host, event: &Event, calls: u32) -> HashMap<String, Duration> {
    let mut times: HashMap<String, Vec<Duration>> = HashMap::new();
    for _ in 0..calls {
        for report in host.plan(event).run().await.reports {
            if matches!(report.status, Status::Answered(_)) {
                times.entry(report.hook).or_default().push(report.usage.wall);
            }
        }
    }
    times.into_iter().filter_map(|(hook, times)| Some((hook, compute_median(times)?))).collect()
}

fn compute_median(mut times: Vec<Duration>) -> Option<Duration> {
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_time() {
        let times =
            |times: &[u64]| compute_median(times.iter().copied().map(Duration::from_micros).collect());
        assert_eq!(times(&[9, 1, 5]), Some(Duration::from_micros(5)));
        assert_eq!(times(&[]), None);
    }
}
