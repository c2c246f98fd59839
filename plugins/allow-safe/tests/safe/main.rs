//! Which command lines are allowed.
