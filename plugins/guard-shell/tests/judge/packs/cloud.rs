//! What is deployed, and what clouds hold.
