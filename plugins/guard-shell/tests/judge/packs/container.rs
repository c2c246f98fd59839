//! Containers, their volumes, and clusters.
