//! Values that copies have in common until one of them changes.

use std::{
    ops::{Deref, DerefMut},
    rc::Rc,
};

/// A value that costs nothing to copy: it is copied when it is changed.
///
/// Each branch, pipe and substitution has a shell's state of its own, and most of them change next to nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Shared<T>(Rc<T>);

impl<T> Shared<T> {
    /// Returns true if two values are certainly equal, without a comparison of their contents.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Rc::make_mut(&mut self.0)
    }
}
