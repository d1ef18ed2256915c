//! Names and types of debugging information entries.

use gimli::AttributeValue;

use super::{DebugType, Dwarf, Entry, Unit};

/// The name of an entry, looked up through `abstract_origin` and `specification`.
pub(super) fn name<'a>(
    dwarf: &Dwarf<'a>,
    unit: &Unit<'a>,
    entry: &Entry<'a>,
    depth: u32,
) -> Result<Option<String>, gimli::Error> {
    for attribute in [gimli::DW_AT_linkage_name, gimli::DW_AT_name] {
        if let Some(value) = entry.attr_value(attribute) {
            return Ok(Some(dwarf.attr_string(unit, value)?.to_string_lossy().into_owned()));
        }
    }
    match origin(unit, entry)? {
        Some(origin) if depth < 8 => name(dwarf, unit, &origin, depth + 1),
        _ => Ok(None),
    }
}

pub(super) fn origin<'a>(unit: &Unit<'a>, entry: &Entry<'a>) -> Result<Option<Entry<'a>>, gimli::Error> {
    for attribute in [gimli::DW_AT_abstract_origin, gimli::DW_AT_specification] {
        if let Some(AttributeValue::UnitRef(offset)) = entry.attr_value(attribute) {
            return unit.entry(offset).map(Some);
        }
    }
    Ok(None)
}

/// The type of an entry. Type chains are followed to a bounded depth: damaged DWARF may hold cycles.
pub(super) fn type_of<'a>(
    dwarf: &Dwarf<'a>,
    unit: &Unit<'a>,
    entry: &Entry<'a>,
    depth: u32,
) -> Result<DebugType, gimli::Error> {
    let Some(AttributeValue::UnitRef(offset)) = entry.attr_value(gimli::DW_AT_type) else {
        return match origin(unit, entry)? {
            Some(origin) if depth < 16 => type_of(dwarf, unit, &origin, depth + 1),
            _ => Ok(DebugType::Void),
        };
    };
    let ty = unit.entry(offset)?;
    let inner = |ty: &Entry<'a>| {
        if depth < 16 { type_of(dwarf, unit, ty, depth + 1) } else { Ok(DebugType::Other("…".into())) }
    };
    Ok(match ty.tag() {
        gimli::DW_TAG_base_type => base_type(&ty),
        gimli::DW_TAG_pointer_type | gimli::DW_TAG_reference_type => {
            DebugType::Pointer { to: Box::new(inner(&ty)?), constant: points_to_constant(unit, &ty)? }
        }
        gimli::DW_TAG_typedef
        | gimli::DW_TAG_const_type
        | gimli::DW_TAG_volatile_type
        | gimli::DW_TAG_restrict_type
        | gimli::DW_TAG_enumeration_type
            if ty.attr_value(gimli::DW_AT_type).is_some() =>
        {
            inner(&ty)?
        }
        gimli::DW_TAG_const_type => DebugType::Void,
        _ => DebugType::Other(name(dwarf, unit, &ty, 0)?.unwrap_or_else(|| "struct".into())),
    })
}

fn points_to_constant<'a>(unit: &Unit<'a>, pointer: &Entry<'a>) -> Result<bool, gimli::Error> {
    match pointer.attr_value(gimli::DW_AT_type) {
        Some(AttributeValue::UnitRef(offset)) => Ok(unit.entry(offset)?.tag() == gimli::DW_TAG_const_type),
        _ => Ok(false),
    }
}

fn base_type(ty: &Entry<'_>) -> DebugType {
    let bytes = ty.attr_value(gimli::DW_AT_byte_size).and_then(|v| v.udata_value()).unwrap_or(0) as u8;
    match ty.attr_value(gimli::DW_AT_encoding) {
        // Zig says so of what returns nothing.
        _ if bytes == 0 => DebugType::Void,
        Some(AttributeValue::Encoding(gimli::DW_ATE_boolean)) => DebugType::Bool,
        Some(AttributeValue::Encoding(gimli::DW_ATE_float)) => DebugType::Float { bytes },
        Some(AttributeValue::Encoding(gimli::DW_ATE_signed_char)) if bytes == 1 => DebugType::Char,
        Some(AttributeValue::Encoding(gimli::DW_ATE_unsigned | gimli::DW_ATE_unsigned_char)) => {
            DebugType::Int { signed: false, bytes }
        }
        _ => DebugType::Int { signed: true, bytes },
    }
}
