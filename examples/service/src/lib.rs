//! The example is `../http_service.rs`.
