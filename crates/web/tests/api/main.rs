//! The service as a program sees it that asks it, every answer held against the OpenAPI file.

mod bounds;
mod client;
mod contract;
mod games;
mod hidden;
mod laboratory;
mod malformed;
mod schema;
mod search;
