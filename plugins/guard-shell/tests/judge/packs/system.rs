//! The machine: its services, users, files outside the project.
