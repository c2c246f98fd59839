//! What runs again by itself, long after the command.
