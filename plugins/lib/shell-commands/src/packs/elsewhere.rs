//! Commands that run in a container, in a pod or on another machine: what they do to files there is nobody's loss here, but a cluster, a
//! cloud or a database is the same one from everywhere.

use super::{Known, Words};
use crate::{arg::Arg, call::Call};

/// Programs, and for each of the ways in which they run a command the words that say so and how many operands stand between these and the
/// command.
type Carrier = (&'static [&'static str], &'static [(&'static [&'static str], usize)]);

const ENGINES: &[&str] = &["docker", "podman", "nerdctl", "finch"];

const CARRIERS: &[Carrier] = &[
    (
        ENGINES,
        &[
            (&["exec"], 1),
            (&["run"], 1),
            (&["container", "exec"], 1),
            (&["container", "run"], 1),
            (&["compose", "exec"], 1),
            (&["compose", "run"], 1),
        ],
    ),
    (&["docker-compose", "podman-compose"], &[(&["exec"], 1), (&["run"], 1)]),
    (&["kubectl", "kubecolor", "k", "oc"], &[(&["exec"], 1), (&["rsh"], 1), (&["run"], 1), (&["debug"], 1)]),
    (&["heroku"], &[(&["run"], 0)]),
    (&["lxc", "incus", "multipass"], &[(&["exec"], 1)]),
    (&["limactl", "machinectl"], &[(&["shell"], 1)]),
    (&["minikube", "colima"], &[(&["ssh"], 0)]),
    (&["toolbox"], &[(&["run"], 0)]),
    (&["distrobox"], &[(&["enter"], 1)]),
];

/// The commands that another one may run elsewhere: the words that it names, and those behind the program that its image starts by itself.
pub(crate) fn carried_elsewhere(call: &Call) -> Vec<Vec<Arg>> {
    way(call).map_or_else(Vec::new, |operands| commands(operands, call))
}

/// Number of operands in front of the command.
fn way(call: &Call) -> Option<usize> {
    let (_, ways) = CARRIERS.iter().find(|(names, _)| names.contains(&call.name()))?;
    let longest = ways.iter().map(|(verbs, _)| verbs.len()).max()?;
    let (words, _) = Words::up_to(longest, call);
    let is_meant = |verbs: &[&str]| {
        let mut given = words.operands.iter();
        verbs.iter().all(|verb| given.next().is_some_and(|word| word.as_str() == *verb))
    };
    ways.iter().find(|(verbs, _)| is_meant(verbs)).map(|(verbs, before)| verbs.len() + before)
}

fn commands(operands: usize, call: &Call) -> Vec<Vec<Arg>> {
    let (words, behind) = Words::up_to(operands, call);
    // The name of a pod may stand on both sides of its options.
    let dashes = call.args().iter().position(|arg| arg.as_str() == "--");
    let command = match dashes.filter(|_| !ENGINES.contains(&call.name())) {
        Some(at) => call.args().get(at + 1..).unwrap_or_default(),
        None => behind,
    };
    let own = entry(&words).map(|program| [&[program], command].concat());
    let named = (!command.is_empty()).then(|| command.to_vec());
    named.into_iter().chain(own).collect()
}

/// The program that a container starts, whatever words follow: that of an option, or that after which the image is called.
fn entry(words: &Words) -> Option<Arg> {
    if let Some(program) = words.values_of("--entrypoint").flatten().last() {
        return Some(program.clone());
    }
    let runs = words.operands.iter().any(|word| word.as_str() == "run");
    let image = words.operands.last().filter(|_| runs)?.base_name()?;
    let name = image.split([':', '@']).next().unwrap_or_default();
    let program = name.strip_suffix("-cli").unwrap_or(name);
    Known::by_name(program).is_any().then(|| Arg::new(program))
}
