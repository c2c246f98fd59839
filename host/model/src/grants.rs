//! What the operator lets a sandboxed hook do.

/// The operator's yes to powers that a hook does not have by itself. The default is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Grants {
    /// To know what time it is. Without it the time is the event's.
    pub clock: bool,
    /// To get unpredictable bytes. Without it they follow from the event.
    pub random: bool,
}

impl Grants {
    /// The names of those that are given, as the configuration writes them.
    pub fn names(self) -> Vec<&'static str> {
        let all = [("clock", self.clock), ("random", self.random)];
        all.into_iter().filter(|(_, given)| *given).map(|(name, _)| name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_given_by_default_and_what_is_given_is_named() {
        assert_eq!(Grants::default().names(), Vec::<&str>::new());
        assert_eq!(Grants { clock: true, random: true }.names(), ["clock", "random"]);
    }
}
