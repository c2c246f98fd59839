//! What the world gets to see, and cannot be taken back.
