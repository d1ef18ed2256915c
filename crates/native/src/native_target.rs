//! Rust functions as a target.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dodona_target::{
    CallError, Caller, Calls, Column, Ending, EqualCosts, Outcome, Session, Signature, Target, Traits, Trap,
    Until, on_one_line,
};

use crate::NativeFunction;
use crate::panics;

/// Rust functions of this process.
///
/// Their calls share whatever the functions keep, and none can be ended from outside: a time is looked at between calls.
#[derive(Clone)]
pub struct NativeTarget {
    name: String,
    declared_in: PathBuf,
    functions: Arc<[NativeFunction]>,
    signatures: Arc<[Signature]>,
}

impl NativeTarget {
    /// Functions with a name for reports, and the file that declares them.
    pub fn new(name: String, declared_in: PathBuf, functions: Vec<NativeFunction>) -> NativeTarget {
        let signatures = functions.iter().map(|function| function.signature.clone()).collect();
        NativeTarget { name, declared_in, functions: functions.into(), signatures }
    }
}

impl Target for NativeTarget {
    fn name(&self) -> &str {
        &self.name
    }

    fn declared_in(&self) -> &Path {
        &self.declared_in
    }

    fn functions(&self) -> &[Signature] {
        &self.signatures
    }

    fn traits(&self) -> Traits {
        Traits {
            kind: "native functions",
            isolated: false,
            deterministic: true,
            unit_of_cost: EqualCosts::UNIT,
        }
    }

    fn open(&self) -> Box<dyn Session> {
        Box::new(NativeSession {
            functions: Arc::clone(&self.functions),
            until: Until::default(),
            costs: EqualCosts::default(),
        })
    }

    fn shared(&self) -> Arc<dyn Target> {
        Arc::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

struct NativeSession {
    functions: Arc<[NativeFunction]>,
    until: Until,
    costs: EqualCosts,
}

impl Caller for NativeSession {
    fn call(&mut self, function: usize, arguments: &[Column]) -> Result<Calls, CallError> {
        if !self.until.goes_on() {
            return Err(CallError::Stopped);
        }
        let rows = arguments.first().map_or(1, Column::len);
        self.costs.note(rows);
        Ok((self.functions[function].rows)(arguments, rows))
    }
}

impl Session for NativeSession {
    fn end_at(&mut self, until: &Until) {
        self.until = until.clone();
    }

    fn costs(&self) -> &[u64] {
        self.costs.of_rows()
    }

    fn why(&mut self, function: usize, arguments: &[Column], outcome: Outcome) -> Ending {
        if outcome != Outcome::Trapped(Trap::Panicked) {
            return Ending::default();
        }
        (self.functions[function].rows)(arguments, 1);
        let said = panics::said();
        Ending {
            location: said.location,
            message: said.message.map(|message| on_one_line(&message).to_string()),
        }
    }
}
