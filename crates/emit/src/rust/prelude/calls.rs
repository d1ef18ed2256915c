//: Call call
/// A call of a function under test.
pub struct Call {
    text: String,
    /// How the call ended; `None` where an argument is undefined, so that the call was not made.
    ended: Option<Result<Vec<Value>, ()>>,
}

/// Calls a function if every argument has a value. A panic counts as a trap.
pub fn call<const N: usize>(
    name: &str,
    arguments: [Value; N],
    run: impl FnOnce([&Value; N]) -> Vec<Value>,
) -> Call {
    let written: Vec<String> = arguments.iter().map(|a| format!("{a:?}")).collect();
    let made = arguments.iter().all(|a| !matches!(a, Undefined));
    let ended = made.then(|| quietly(|| run(arguments.each_ref())));
    Call { text: format!("{name}({})", written.join(", ")), ended }
}

thread_local! {
    static QUIET: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Runs code that may panic and suppresses the message of a panic.
fn quietly<T>(run: impl FnOnce() -> T) -> Result<T, ()> {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |about| {
            if !QUIET.get() {
                loud(about);
            }
        }));
    });
    QUIET.set(true);
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    QUIET.set(false);
    result.map_err(|_| ())
}

impl Call {
    /// Whether the call was made and returned.
    pub fn returned(&self) -> bool {
        matches!(self.ended, Some(Ok(_)))
    }

    /// Whether the call was made and trapped.
    pub fn trapped(&self) -> bool {
        matches!(self.ended, Some(Err(())))
    }

    /// The output of this index; undefined if the call did not return.
    pub fn output(&self, index: usize) -> Value {
        match &self.ended {
            Some(Ok(outputs)) => outputs[index].clone(),
            _ => Undefined,
        }
    }

    /// Whether the call trapped; undefined if it was not made.
    pub fn traps(&self) -> Value {
        self.ended.as_ref().map_or(Undefined, |ended| Bool(ended.is_err()))
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        match &self.ended {
            None => f.write_str(" is not called"),
            Some(Err(())) => f.write_str(" traps"),
            Some(Ok(outputs)) => match &outputs[..] {
                [output] => write!(f, " gives {output:?}"),
                outputs => write!(f, " gives {outputs:?}"),
            },
        }
    }
}

//: judge Standing
/// What the failure of a call means.
#[derive(Clone, Copy, PartialEq)]
pub enum Standing {
    /// A source call: after its failure, the failure of follow-up calls is no violation.
    Source,
    /// A follow-up call: its failure violates the relation if all source calls returned.
    FollowUp,
    /// A call whose failure the relation asks about: the failure alone decides nothing.
    Observed,
}

/// The verdict: the relation holds if its expectation is true and no follow-up call failed.
pub fn judge(calls: &[(Standing, &Call)], expected: Value) -> Result<(), TestCaseError> {
    let failed = |standing| calls.iter().any(|(s, call)| *s == standing && call.trapped());
    let crashed = failed(Standing::FollowUp) && !failed(Standing::Source);
    if !crashed && is_true(&expected) {
        return Ok(());
    }
    let told: String = calls.iter().map(|(_, call)| format!("\n    {call:?}")).collect();
    let why = match (crashed, expected) {
        (true, _) => "a follow-up call traps where the source calls return",
        (false, Undefined) => "what is expected has no value",
        (false, _) => "what is expected is false",
    };
    Err(TestCaseError::fail(format!("{why}:{told}")))
}

//: is_true
/// Whether a value is true: neither false nor undefined.
pub fn is_true(a: impl Into<Value>) -> bool {
    matches!(a.into(), Bool(true))
}

//: made
/// Whether all arguments of a call have a value.
pub fn made(arguments: &[Value]) -> bool {
    arguments.iter().all(|a| !matches!(a, Undefined))
}
