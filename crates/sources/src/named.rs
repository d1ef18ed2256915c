//! A value with its name and type.

use dodona_target::{Type, Value};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::json::{from_json, to_json};

/// The value of a variable, parameter or output. As JSON it is an object with `name`, `type` (as in a signature) and
/// `value` (as in [`crate::json`]), so that it can be read without the manifest.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedValue {
    /// The name of the variable, parameter or output; empty for a return value.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// The value, of that type.
    pub value: Value,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    value: serde_json::Value,
}

impl Serialize for NamedValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Form { name: self.name.clone(), ty: self.ty.to_string(), value: to_json(&self.value) }
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for NamedValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = Form::deserialize(deserializer)?;
        let ty: Type = form.ty.parse().map_err(D::Error::custom)?;
        let at_fault = |e| D::Error::custom(format_args!("value of `{}`: {e}", form.name));
        let value = from_json(ty, &form.value).map_err(at_fault)?;
        Ok(NamedValue { name: form.name, ty, value })
    }
}
