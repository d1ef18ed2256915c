//! A function under test: its signature, and how values cross into WebAssembly and back.

use std::ops::Deref;
use std::path::PathBuf;

use dodona_target::{Output, OutputName, Parameter, Scalar, Signature, Type};

/// How the names of the exports of generated glue begin. A linker knows one function of each name: an export `cbrt` would be what the
/// standard library calls for cube roots.
const GLUE: &str = "dodona_glue_";

/// The export of the glue of AssemblyScript that gives memory for arguments. Pages behind the memory of such a module are none of ours:
/// its runtime takes all memory that it finds when the first object is made.
pub(crate) const ALLOCATOR: &str = "dodona_malloc";

/// A function under test as the manifest declares it: its signature, which it is read as, and how WebAssembly is called.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// What relations see of it.
    pub signature: Signature,
    /// The name of the module's export that is called; `_start` for a command.
    pub export: String,
    /// How the value of each parameter crosses into the call, in order.
    pub lowerings: Vec<Lowering>,
    /// What it returns.
    pub result: ResultLowering,
    /// The WebAssembly arguments in order, made from the parameters and the result's lowering.
    /// Empty for a command.
    pub arguments: Vec<Argument>,
    /// The files of its relations, as absolute paths.
    pub relations: Vec<PathBuf>,
}

impl Deref for Function {
    type Target = Signature;

    fn deref(&self) -> &Signature {
        &self.signature
    }
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

impl Lowering {
    /// Whether the callee's writes are an output.
    pub fn is_in_out(&self) -> bool {
        matches!(self, Lowering::PointerLength(Passing::InOut) | Lowering::NulTerminated(Passing::InOut))
    }
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
    /// The callee writes these outputs through a pointer that is passed ([`Argument::ReturnPointer`]), into a slot of 8 bytes each, in order:
    /// a scalar into the first bytes, a sequence or text as its pointer and its length in elements. Slots of outputs that a call does not
    /// have stay 0.
    Record(Vec<Output>),
    /// The callee returns these outputs as the several values that a function of WebAssembly may return, each a scalar.
    MultiValue(Vec<Output>),
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

impl Function {
    /// A function without a precondition, called by an export of its name with its arguments in the order that C has: the return pointer
    /// first, the parameters in order, an out-buffer last.
    pub fn new(name: &str, parameters: Vec<(Parameter, Lowering)>, result: ResultLowering) -> Function {
        let (parameters, lowerings): (Vec<Parameter>, Vec<Lowering>) = parameters.into_iter().unzip();
        let outputs = outputs(&parameters, &lowerings, &result);
        Function {
            signature: Signature { name: name.to_owned(), parameters, outputs, requires: None },
            export: name.to_owned(),
            arguments: usual_arguments(&lowerings, &result),
            lowerings,
            result,
            relations: Vec::new(),
        }
    }

    /// The parameters with how the value of each crosses into the call, in order.
    #[inline]
    pub fn lowered(&self) -> impl Iterator<Item = (&Parameter, &Lowering)> {
        self.parameters.iter().zip(&self.lowerings)
    }

    /// Whether this is a WASI command rather than an exported function.
    pub fn is_command(&self) -> bool {
        self.result == ResultLowering::Command
    }

    /// Whether the caller passes the address of anything: of a sequence or text, or of where the callee writes its results. A result
    /// that the callee places itself ([`ResultLowering::NulTerminated`]) is none.
    pub fn passes_addresses(&self) -> bool {
        let of_parameter =
            |l: &Lowering| matches!(l, Lowering::PointerLength(_) | Lowering::NulTerminated(_));
        let of_result = matches!(
            self.result,
            ResultLowering::ReturnPointer(_) | ResultLowering::Record(_) | ResultLowering::OutBuffer { .. }
        );
        of_result || self.lowerings.iter().any(of_parameter)
    }

    /// Lets generated glue export the function, under a name that no library has.
    pub(crate) fn export_from_glue(&mut self) {
        self.export.insert_str(0, GLUE);
    }

    /// The name by which C code calls the function: that of the export, and not of the glue.
    pub fn symbol(&self) -> &str {
        self.export.strip_prefix(GLUE).unwrap_or(&self.export)
    }
}

/// The arguments in the order that C has: the return pointer first, the parameters in order, an out-buffer last.
pub(crate) fn usual_arguments(lowerings: &[Lowering], result: &ResultLowering) -> Vec<Argument> {
    let mut arguments = Vec::new();
    if matches!(result, ResultLowering::ReturnPointer(_) | ResultLowering::Record(_)) {
        arguments.push(Argument::ReturnPointer);
    }
    for (index, lowering) in lowerings.iter().enumerate() {
        match lowering {
            Lowering::Value => arguments.push(Argument::Value(index)),
            Lowering::PointerLength(_) => {
                arguments.extend([Argument::Pointer(index), Argument::Length(index)])
            }
            Lowering::NulTerminated(_) => arguments.push(Argument::Pointer(index)),
            Lowering::Stdin | Lowering::Word | Lowering::File(_) => {}
        }
    }
    if matches!(result, ResultLowering::OutBuffer { .. }) {
        arguments.extend([Argument::OutPointer, Argument::OutCapacity]);
    }
    arguments
}

/// What relations see of these functions, in order.
pub fn signatures(functions: &[Function]) -> Vec<Signature> {
    functions.iter().map(|function| function.signature.clone()).collect()
}

/// The outputs of a call of a function that is lowered so.
pub(crate) fn outputs(
    parameters: &[Parameter],
    lowerings: &[Lowering],
    result: &ResultLowering,
) -> Vec<Output> {
    let output = Output::new;
    let mut outputs = match result {
        ResultLowering::None => vec![],
        ResultLowering::Value(s) => vec![output(OutputName::Return, Type::Scalar(*s))],
        ResultLowering::ReturnPointer(ty)
        | ResultLowering::NulTerminated(ty)
        | ResultLowering::OutBuffer { ty, .. } => vec![output(OutputName::Return, *ty)],
        ResultLowering::Record(outputs) | ResultLowering::MultiValue(outputs) => outputs.clone(),
        ResultLowering::Command => vec![
            output(OutputName::Stdout, Type::Text),
            output(OutputName::Stderr, Type::Text),
            output(OutputName::Exit, Type::Scalar(Scalar::I32)),
        ],
    };
    let written = parameters.iter().zip(lowerings).filter(|(_, lowering)| lowering.is_in_out());
    outputs.extend(written.map(|(p, _)| output(OutputName::Parameter(p.name.clone()), p.ty)));
    outputs
}
