//! Surfaces with a known optimum, and rival methods.
