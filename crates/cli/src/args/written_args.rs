//! The arguments of verbs that write relations: the file, and tests beside it.

use std::path::PathBuf;

use clap::Args;
use dodona_emit::Language;

use crate::destination::OverwriteArgs;

/// Where relations are written.
#[derive(Clone, Debug, Args)]
pub(crate) struct WrittenArgs {
    /// Where the relations are written; a file that exists is kept, and a numbered one written
    #[arg(long, value_name = "FILE.mr")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
    /// Write the relations also as tests that run without Dodona, beside the file of relations: rust (proptest), c, python
    /// (hypothesis) or java (JUnit 5), and where the functions are: a module path, a file to include, a .wasm file, a class
    #[arg(long, value_name = "LANGUAGE[=WHERE]", value_parser = emit)]
    pub(crate) emit: Vec<Emit>,
}

/// A language that tests are written in, and where these find the functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Emit {
    pub(crate) language: Language,
    pub(crate) module: Option<String>,
}

fn emit(text: &str) -> Result<Emit, String> {
    let (language, module) = match text.split_once('=') {
        Some((_, "")) => return Err("nothing stands behind the `=`".to_owned()),
        Some((language, module)) => (language, Some(module.to_owned())),
        None => (text, None),
    };
    Ok(Emit { language: self::language(language)?, module })
}

/// A language that tests are written in, by its name.
pub(crate) fn language(name: &str) -> Result<Language, String> {
    match name.to_lowercase().as_str() {
        "rust" => Ok(Language::Rust),
        "c" => Ok(Language::C),
        "python" => Ok(Language::Python),
        "java" => Ok(Language::Java),
        _ => Err("the languages are rust, c, python and java".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_in_a_language_and_may_say_where_the_functions_are() {
        let c = Emit { language: Language::C, module: Some("a=b.h".into()) };
        assert_eq!(emit("c=a=b.h"), Ok(c));
        assert_eq!(emit("Python"), Ok(Emit { language: Language::Python, module: None }));
        assert_eq!(emit("java").map(|emit| emit.language), Ok(Language::Java));
        for text in ["", "cobol", "c=", "=x"] {
            assert!(emit(text).is_err(), "{text}");
        }
    }
}
