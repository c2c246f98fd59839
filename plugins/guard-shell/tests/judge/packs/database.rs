//! Data in databases.
