//! The 23 methods of the GenMorph study (Ayerdi, Terragni, Jahangirova, Arrieta, Tonella, 2024, Table II),
//! written in Rust with the meaning of the Java originals, as subjects of metamorphic testing.
//!
//! | module | originals |
//! | --- | --- |
//! | [`math`] | Apache Commons Math 3.6: `Primes`, `ArithmeticUtils`, `CombinatoricsUtils`, `FastMath` |
//! | [`lang`] | Apache Commons Lang 3.12: `StringUtils`, `ArrayUtils` |
//! | [`guava`] | Guava 31: `Booleans`, `Stats`, `Ints`, `Strings`, `UnsignedBytes`, `Ascii` |
//!
//! Where the two differ:
//! - A Java exception is a panic here, which is a trap in WebAssembly. `null` does not exist.
//! - Java's text is UTF-16 and counts code units; text here is UTF-8 and counts characters (Unicode scalar values).
//!   They agree wherever no character lies above U+FFFF. A Java `char` is a text of one character.
//! - Title case is that of the Unicode version that Rust knows, which is newer than that of Java 17.
//! - `FastMath` has its own elementary functions; here they come from the crate `libm`.
//!   Both are within an ulp or so of the true value, so they may differ in the last place.
//! - Of the overloads of a method, the table's signature decides: `sort void(byte[],int,int)` is
//!   `UnsignedBytes.sort`, the only one in Guava with that name and those parameters.

pub mod ffi;
pub mod guava;
pub mod lang;
pub mod math;

mod text;
