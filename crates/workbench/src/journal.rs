//! Calls in a file, so that work that ended early goes on without making them again.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use dodona_sources::json::{from_json, to_json};
use dodona_target::{Column, Signature, Type, Value};
use serde_json::{Value as Json, json};

/// A file with the calls that returned, a line of JSON for each: `{"function": "f", "arguments": [1], "outputs": [2]}`. Calls that ended otherwise are made again.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Mutex<File>,
    /// Lines that were there.
    before: Mutex<Vec<KeptCall>>,
}

/// A call that returned.
#[derive(Clone, Debug)]
pub(crate) struct KeptCall {
    /// The function, by its index.
    pub(crate) function: usize,
    pub(crate) arguments: Vec<Value>,
    pub(crate) outputs: Vec<Value>,
}

impl Journal {
    /// Opens a file, or makes it and its folder. Lines that are no calls of these functions, such as one that was not written to its end, are passed over.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn open(path: &Path, functions: &[Signature]) -> io::Result<Journal> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let text = match fs::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let names: HashMap<&str, usize> =
            functions.iter().enumerate().map(|(index, function)| (function.name.as_str(), index)).collect();
        let before = text.lines().filter_map(|line| call(line, functions, &names)).collect();
        let mut file = File::options().append(true).create(true).open(path)?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n")?;
        }
        Ok(Journal { path: path.to_owned(), file: Mutex::new(file), before: Mutex::new(before) })
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// How many calls were there when it was opened and were not taken since.
    pub fn calls(&self) -> usize {
        self.before.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The calls that were there. They are handed out once.
    pub(crate) fn take(&self) -> Vec<KeptCall> {
        std::mem::take(&mut self.before.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds calls that returned: of some rows, the arguments and the outputs.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn add(
        &self,
        function: &Signature,
        (arguments, outputs): (&[Column], &[Column]),
        rows: impl Iterator<Item = usize>,
    ) -> io::Result<()> {
        let of = |columns: &[Column], row: usize| -> Vec<Json> {
            columns.iter().map(|column| to_json(&column.value(row))).collect()
        };
        let line = |row: usize| {
            let call = json!({"function": function.name, "arguments": of(arguments, row), "outputs": of(outputs, row)});
            format!("{call}\n")
        };
        // In one piece, so that lines of two threads do not mix.
        let lines: String = rows.map(line).collect();
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(lines.as_bytes())
    }

    /// Removes the file: the work has come to its end.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(&self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }
}

/// The call of a line.
fn call(line: &str, functions: &[Signature], names: &HashMap<&str, usize>) -> Option<KeptCall> {
    let line: Json = serde_json::from_str(line).ok()?;
    let index = *names.get(line.get("function")?.as_str()?)?;
    let function = &functions[index];
    let values = |key: &str, types: Vec<Type>| -> Option<Vec<Value>> {
        let items = line.get(key)?.as_array()?;
        let values = items.iter().zip(&types).map(|(item, ty)| from_json(*ty, item).ok());
        values.collect::<Option<Vec<_>>>().filter(|values| values.len() == types.len())
    };
    let arguments = values("arguments", function.parameters.iter().map(|parameter| parameter.ty).collect())?;
    let outputs = values("outputs", function.outputs.iter().map(|output| output.ty).collect())?;
    Some(KeptCall { function: index, arguments, outputs })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "what fails here has failed the test")]
mod tests {
    use dodona_target::{Output, OutputName, Parameter};

    use super::*;

    fn function() -> Signature {
        let output = Output::new(OutputName::Return, "[f64]".parse().unwrap());
        let parameters = vec![Parameter::new("n", "i64".parse().unwrap()), Parameter::new("t", Type::Text)];
        Signature { name: "f".into(), parameters, outputs: vec![output], requires: None }
    }

    #[test]
    fn calls_come_back_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("calls/f.jsonl");
        let journal = Journal::open(&path, &[function()]).unwrap();
        let column = |ty: &str, value: &Value| Column::one(ty.parse().unwrap(), value);
        let values = [Value::Int(i64::MIN.into()), Value::Text([0xff, b'\n'][..].into())];
        let arguments = [column("i64", &values[0]), column("text", &values[1])];
        let output = Value::Sequence(dodona_target::Sequence::Float(vec![f64::NAN, -0.0, f64::INFINITY]));
        journal.add(&function(), (&arguments, &[column("[f64]", &output)]), 0..1).unwrap();
        // A line that was not written to its end, and one of another function.
        fs::write(
            &path,
            fs::read_to_string(&path).unwrap() + "{\"function\": \"g\"}\n{\"function\": \"f\", \"argu",
        )
        .unwrap();
        let again = Journal::open(&path, &[function()]).unwrap();
        let calls = again.take();
        assert_eq!(calls.len(), 1);
        assert_eq!((calls[0].function, calls[0].arguments.as_slice()), (0, &values[..]));
        assert_eq!(calls[0].outputs[0].to_string(), "[nan, -0.0, inf]");
        assert!(fs::read_to_string(&path).unwrap().ends_with("argu\n"), "the next line begins anew");
        again.remove().unwrap();
        assert!(!path.exists());
    }
}
