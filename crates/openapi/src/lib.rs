mod document;
mod pattern;
mod resolve;
mod values;
