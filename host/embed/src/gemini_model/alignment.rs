//! Alignment of a hook's messages with the caller's.

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Alignment<'m, T> {
    /// The fate of each of the caller's messages, in order.
    pub(super) fates: Vec<Fate<'m, T>>,
    /// Messages that the hook added.
    pub(super) added: &'m [T],
    /// Index of the caller's message before which the added ones are inserted; at the end if it is the number of messages.
    pub(super) before: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate<'m, T> {
    /// The message is unchanged.
    Kept,
    /// The hook replaced it with this.
    Changed(&'m T),
    /// The hook removed it.
    Gone,
}

/// Aligns the messages. Equal messages at both ends are kept. Those between are paired in order; the rest are added or removed.
pub(super) fn align_messages<'m, T: Clone + PartialEq>(before: &[T], after: &'m [T]) -> Alignment<'m, T> {
    // Messages have no ids: equal ones at both ends are certain, and hooks mostly change or add a few.
    let front = before.iter().zip(after).take_while(|(old, new)| old == new).count();
    let (old, new) = (before.get(front..).unwrap_or_default(), after.get(front..).unwrap_or_default());
    let back = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let old = old.len() - back;
    let new = new.get(..new.len() - back).unwrap_or_default();
    let (paired, added) = new.split_at(old.min(new.len()));
    let gone = old - paired.len();
    let mut fates = vec![Fate::Kept; front];
    fates.extend(paired.iter().map(Fate::Changed));
    fates.extend(std::iter::repeat_n(Fate::Gone, gone));
    fates.extend(std::iter::repeat_n(Fate::Kept, back));
    Alignment { fates, added, before: front + old }
}

#[cfg(test)]
mod tests {
    use super::{Fate::*, *};

    #[test]
    fn what_is_the_same_at_both_ends_stays() {
        let is = |after: &[u8], fates: &[Fate<'_, u8>], added: &[u8], before: usize| {
            let found = align_messages(&[1, 2, 3], after);
            assert_eq!((found.fates.as_slice(), found.added, found.before), (fates, added, before));
        };
        is(&[1, 2, 3], &[Kept, Kept, Kept], &[], 3);
        is(&[1, 9, 3], &[Kept, Changed(&9), Kept], &[], 2);
        is(&[1, 2, 3, 9], &[Kept, Kept, Kept], &[9], 3);
        is(&[9, 1, 2, 3], &[Kept, Kept, Kept], &[9], 0);
        is(&[1, 3], &[Kept, Gone, Kept], &[], 2);
        is(&[8, 9], &[Changed(&8), Changed(&9), Gone], &[], 3);
        is(&[], &[Gone, Gone, Gone], &[], 3);
    }
}
