//! Why a request is refused, and requests read from JSON.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::codes::{Code, Coded, Params};

/// Why a request is refused: in English, and as a code with values for pages that have words of their own.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ApiFault {
    /// What is wrong, and where.
    pub error: String,
    /// What is wrong, for programs.
    pub code: Code,
    /// The values that belong to the code.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub params: Params,
}

impl ApiFault {
    /// A fault without values.
    pub fn new(code: Code, error: impl fmt::Display) -> Self {
        Self { error: error.to_string(), code, params: Params::new() }
    }

    /// The same with one more value.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.params.insert(key.to_owned(), value.into());
        self
    }
}

impl<E: Coded + fmt::Display> From<E> for ApiFault {
    fn from(error: E) -> Self {
        let (code, params) = error.coded();
        Self { error: error.to_string(), code, params }
    }
}

/// Parses a request. No request contains a list, and serde would accept a list in place of an object.
///
/// # Errors
/// If the value is not an object, contains a list, or has missing, unknown or ill-typed fields.
pub fn parse_object<T: DeserializeOwned>(value: Value) -> Result<T, ApiFault> {
    if !value.is_object() || has_list(&value) {
        let wanted = "an object is wanted, as in {\"moves\": \"f5\"}, and no list in it";
        return Err(ApiFault::new(Code::NotObject, wanted));
    }
    serde_json::from_value(value).map_err(|error| ApiFault::new(Code::BadField, error))
}

/// Parses JSON.
///
/// # Errors
/// If it is not JSON.
pub fn parse_json(bytes: &[u8]) -> Result<Value, ApiFault> {
    serde_json::from_slice(bytes)
        .map_err(|error| ApiFault::new(Code::NotJson, format_args!("the request is not JSON: {error}")))
}

fn has_list(value: &Value) -> bool {
    match value {
        Value::Array(_) => true,
        Value::Object(fields) => fields.values().any(has_list),
        _ => false,
    }
}
