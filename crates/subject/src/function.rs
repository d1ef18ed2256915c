//! A function under test: its signature, and how values cross into WebAssembly and back.

use std::path::PathBuf;

use crate::{Domain, Sampling, Scalar, Type};

/// How the names of the exports of generated glue begin. A linker knows one function of each name: an export `cbrt` would be what the
/// standard library calls for cube roots.
const GLUE: &str = "dodona_glue_";

/// A function under test as the manifest declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The name in relations.
    pub name: String,
    /// The name of the module's export that is called; `_start` for a command.
    pub export: String,
    /// The parameters, in the order of the signature.
    pub parameters: Vec<Parameter>,
    /// What it returns.
    pub result: ResultLowering,
    /// The WebAssembly arguments in order, made from the parameters and the result's lowering.
    /// Empty for a command.
    pub arguments: Vec<Argument>,
    /// A precondition over all parameters, an expression of the relation language.
    pub requires: Option<String>,
    /// The files of its relations, as absolute paths.
    pub relations: Vec<PathBuf>,
}

/// A parameter of a function under test.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name in the signature.
    pub name: String,
    /// The type in the signature.
    pub ty: Type,
    /// How its value crosses into the call.
    pub lowering: Lowering,
    /// Where the function is meant to work.
    pub domain: Domain,
    /// How source inputs are drawn.
    pub sampling: Sampling,
}

/// How a parameter's value crosses into the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lowering {
    /// A scalar by value.
    Value,
    /// A sequence or text in linear memory; pointer and length (in elements, bytes for text) are passed.
    PointerLength(Passing),
    /// A sequence or text in linear memory with a zero element after it; only the pointer is passed.
    NulTerminated(Passing),
    /// The text is the command's standard input.
    Stdin,
    /// The value is an argument word of the command (numbers in decimal), in the order of the signature.
    Word,
    /// The text is a file of this name in the command's in-memory directory.
    File(String),
}

/// Whether the callee's writes to a parameter are an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// Only read, as far as the test is concerned.
    In,
    /// The value after the call is an output: `f(x).xs`. A sequence keeps its length;
    /// NUL-terminated text ends at the first NUL.
    InOut,
}

/// What a function returns and how it crosses back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultLowering {
    /// Nothing.
    None,
    /// A scalar by value.
    Value(Scalar),
    /// The callee writes a pointer and a length (`struct { T *data; size_t length; }`, in elements)
    /// through a pointer that is passed ([`Argument::ReturnPointer`]).
    ReturnPointer(Type),
    /// The caller passes a buffer ([`Argument::OutPointer`], [`Argument::OutCapacity`]); the callee fills it and returns the length
    /// in elements. A negative length or one over the capacity is malformed.
    OutBuffer {
        /// The type of the result.
        ty: Type,
        /// The buffer's size in elements (bytes for text).
        capacity: u32,
    },
    /// The callee returns a pointer to elements ended by a zero element.
    NulTerminated(Type),
    /// The callee is a command: outputs are `stdout`, `stderr` and `exit`.
    Command,
}

/// One WebAssembly argument of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The scalar parameter of this index.
    Value(usize),
    /// The address of the parameter of this index.
    Pointer(usize),
    /// The length of the parameter of this index, in elements (bytes for text).
    Length(usize),
    /// The address of the result's pointer-and-length pair.
    ReturnPointer,
    /// The address of the result's buffer.
    OutPointer,
    /// The capacity of the result's buffer, in elements (bytes for text).
    OutCapacity,
    /// A constant, such as the element size of `qsort`.
    Constant(i64),
    /// A function pointer: the table index of this export.
    FunctionPointer(String),
}

/// What of a call an output is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OutputName {
    /// The return value: `f(x)`.
    Return,
    /// The value of an in-out parameter after the call: `f(x).xs`.
    Parameter(String),
    /// `.stdout` of a command.
    Stdout,
    /// `.stderr` of a command.
    Stderr,
    /// `.exit` of a command.
    Exit,
}

impl OutputName {
    /// The word after the dot, `None` for the return value.
    pub fn selector(&self) -> Option<&str> {
        match self {
            OutputName::Return => None,
            OutputName::Parameter(name) => Some(name),
            OutputName::Stdout => Some("stdout"),
            OutputName::Stderr => Some("stderr"),
            OutputName::Exit => Some("exit"),
        }
    }
}

/// One output of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Which output.
    pub name: OutputName,
    /// Its type.
    pub ty: Type,
}

impl Function {
    /// The outputs of a call, in the order of [`crate::Calls::outputs`]: the return value first,
    /// then in-out parameters in order; for a command stdout, stderr, exit.
    pub fn outputs(&self) -> Vec<Output> {
        let output = |name, ty| Output { name, ty };
        let mut outputs = match &self.result {
            ResultLowering::None => vec![],
            ResultLowering::Value(s) => vec![output(OutputName::Return, Type::Scalar(*s))],
            ResultLowering::ReturnPointer(ty)
            | ResultLowering::NulTerminated(ty)
            | ResultLowering::OutBuffer { ty, .. } => vec![output(OutputName::Return, *ty)],
            ResultLowering::Command => vec![
                output(OutputName::Stdout, Type::Text),
                output(OutputName::Stderr, Type::Text),
                output(OutputName::Exit, Type::Scalar(Scalar::I32)),
            ],
        };
        outputs.extend(self.parameters.iter().filter_map(|p| match p.lowering {
            Lowering::PointerLength(Passing::InOut) | Lowering::NulTerminated(Passing::InOut) => {
                Some(output(OutputName::Parameter(p.name.clone()), p.ty))
            }
            _ => None,
        }));
        outputs
    }

    /// Whether this is a WASI command rather than an exported function.
    pub fn is_command(&self) -> bool {
        self.result == ResultLowering::Command
    }

    /// Lets generated glue export the function, under a name that no library has.
    pub(crate) fn export_from_glue(&mut self) {
        self.export.insert_str(0, GLUE);
    }

    /// The name by which C code calls the function: that of the export, and not of the glue.
    pub fn symbol(&self) -> &str {
        self.export.strip_prefix(GLUE).unwrap_or(&self.export)
    }

    /// The parameter of a name, with its index.
    pub fn parameter(&self, name: &str) -> Option<(usize, &Parameter)> {
        self.parameters.iter().enumerate().find(|(_, p)| p.name == name)
    }
}
