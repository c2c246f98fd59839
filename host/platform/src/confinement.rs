//! Confinement of a process: prepared in the parent, and applied by the child before its program starts.
//!
//! [`KernelSupport`] states the features of this machine. A request for an unsupported feature is an error, and starts no process.

mod kernel;
mod kernel_support;
mod landlock;
mod limits;
mod seccomp_command;
mod seccomp_worker;
mod self_confinement;
mod steps;

pub use self::{
    kernel_support::{KernelSupport, LEAST_LANDLOCK},
    landlock::{LandlockGrants, Ruleset},
    limits::Limits,
    seccomp_command::CommandSeccomp,
    self_confinement::DroppedRights,
    steps::{Group, Steps},
};

/// Closes every inherited descriptor of this process except its three standard streams. Only for the beginning of a program, which has
/// opened nothing yet.
pub fn close_inherited() {
    #[cfg(on_linux)]
    kernel::close_inherited();
}

#[cfg(all(test, not(on_linux)))]
mod tests {
    use std::io::ErrorKind;

    use super::*;

    #[test]
    fn what_cannot_hold_is_refused_in_words() {
        let machine = KernelSupport::detect_features();
        assert!(!machine.confines_files() && !machine.seccomp && !machine.no_new_privileges);
        let files = Ruleset::new(&LandlockGrants::default()).unwrap_err();
        let network = CommandSeccomp::new().unwrap_err();
        assert_eq!([files.kind(), network.kind()], [ErrorKind::Unsupported; 2]);
        assert_eq!(
            network.to_string(),
            "this platform cannot keep a process from the network: that needs seccomp filters"
        );
    }
}
