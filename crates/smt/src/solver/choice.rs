//! The choice of a solver: by name, by command line, or the best one that is installed.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A script that speaks SMT-LIB for the Python module of bitwuzla.
const BITWUZLA_SCRIPT: &str = include_str!("bitwuzla.py");

/// Where the set-up script puts a virtual environment that has the module, below the user's cache folder.
const OWN_PYTHON: &str = "dodona/solver/bin/python";

/// Why there is no solver to start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSolver {
    /// No known solver is installed.
    #[error(
        "no SMT solver is installed; install one with `scripts/setup.sh`, `apt-get install z3` or `pip install bitwuzla`, \
         or give the command of one with `--solver`"
    )]
    NoneInstalled,
    /// The solver that was asked for is not installed.
    #[error("the solver `{0}` is not found; install it, or give the command that starts it with `--solver`")]
    NotFound(String),
    /// The command line has no words, or a quotation mark is not closed.
    #[error(
        "`{0}` is not the command line of a solver; write bitwuzla, z3, cvc5 or a command with its arguments"
    )]
    NotACommand(String),
    /// A solver was found, but it does not work.
    #[error("the solver `{command}` does not start: {reason}; choose another one with `--solver`")]
    DoesNotStart {
        /// The command's words.
        command: String,
        /// What happened.
        reason: String,
    },
}

/// The kind of solver, which determines its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// The bitwuzla program.
    Bitwuzla,
    /// The Python module of bitwuzla, behind a script.
    BitwuzlaModule,
    /// z3.
    Z3,
    /// cvc5.
    Cvc5,
    /// Another solver, of which only SMT-LIB is assumed.
    Other,
}

impl Family {
    /// Whether these solvers can be told to end a question after so much work, which is the same in every run.
    pub fn counts_work(self) -> bool {
        match self {
            Family::BitwuzlaModule | Family::Z3 | Family::Cvc5 => true,
            Family::Bitwuzla | Family::Other => false,
        }
    }

    fn of(program: &OsStr) -> Family {
        let stem = Path::new(program).file_stem().and_then(OsStr::to_str).unwrap_or_default();
        [("bitwuzla", Family::Bitwuzla), ("z3", Family::Z3), ("cvc5", Family::Cvc5)]
            .into_iter()
            .find_map(|(name, family)| stem.starts_with(name).then_some(family))
            .unwrap_or(Family::Other)
    }

    /// The options with which the program reads SMT-LIB commands from a pipe, one after the other.
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Family::Bitwuzla => &["--produce-models", "--lang", "smt2"],
            Family::BitwuzlaModule => &["-u", "-c", BITWUZLA_SCRIPT],
            Family::Z3 => &["-in", "-smt2"],
            Family::Cvc5 => &["--quiet", "--incremental", "--produce-models", "--lang", "smt2"],
            Family::Other => &[],
        }
    }
}

/// The command line of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverCommand {
    family: Family,
    program: OsString,
    arguments: Vec<OsString>,
}

impl SolverCommand {
    fn of(family: Family, program: impl Into<OsString>) -> SolverCommand {
        let arguments = family.arguments().iter().map(OsString::from).collect();
        SolverCommand { family, program: program.into(), arguments }
    }

    /// The kind of solver.
    pub fn family(&self) -> Family {
        self.family
    }

    /// The process to start, without its pipes.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        command
    }

    /// The name and version that the solver reports, such as `Z3 version 4.8.12 - 64 bit`, or the words of the command if it
    /// reports none. Starts a process.
    pub fn version(&self) -> String {
        let mut command = Command::new(&self.program);
        if self.family == Family::BitwuzlaModule {
            command.args(&self.arguments);
        }
        let output = command.arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output();
        let words =
            output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        match (words.lines().next().map(str::trim), self.family) {
            (None | Some(""), _) => self.words(),
            (Some(line), Family::Bitwuzla) if !line.contains("bitwuzla") => format!("bitwuzla {line}"),
            (Some(line), _) => line.to_owned(),
        }
    }

    /// The command as people read it. The script of the Python module is called by its name.
    pub fn words(&self) -> String {
        let program = self.program.to_string_lossy();
        if self.family == Family::BitwuzlaModule {
            return format!("{program} with the module bitwuzla");
        }
        let arguments = self.arguments.iter().map(|word| word.to_string_lossy());
        std::iter::once(program).chain(arguments).collect::<Vec<_>>().join(" ")
    }
}

/// Where solvers are looked for.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The folders of programs, as in `PATH`.
    pub path: OsString,
    /// The Python to ask for bitwuzla first, as in `DODONA_PYTHON`.
    pub python: Option<OsString>,
    /// The user's cache folder, as in `XDG_CACHE_HOME` or `~/.cache`.
    pub cache: Option<PathBuf>,
}

impl Surroundings {
    /// The surroundings of this process.
    pub fn of_process() -> Surroundings {
        let from = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
        Surroundings {
            path: from("PATH").unwrap_or_default(),
            python: from("DODONA_PYTHON"),
            cache: from("XDG_CACHE_HOME")
                .map(PathBuf::from)
                .or_else(|| Some(env::home_dir()?.join(".cache"))),
        }
    }

    fn program(&self, name: &str) -> Option<PathBuf> {
        env::split_paths(&self.path).map(|folder| folder.join(name)).find(|file| is_program(file))
    }

    fn programs(&self, family: Family, name: &str) -> Vec<SolverCommand> {
        self.program(name).map(|file| SolverCommand::of(family, file)).into_iter().collect()
    }

    /// Python interpreters that may have the module. Only importing it would tell, which is left to the first start.
    fn bitwuzla_modules(&self) -> Vec<SolverCommand> {
        let own = self.cache.iter().map(|cache| cache.join(OWN_PYTHON)).filter(|file| is_program(file));
        let named = ["python3", "python"].into_iter().filter_map(|name| self.program(name));
        let usual = Some(PathBuf::from("/usr/bin/python3")).filter(|file| is_program(file));
        let mut pythons: Vec<OsString> = self.python.iter().cloned().collect();
        pythons.extend(own.chain(named).chain(usual).map(OsString::from));
        let mut seen = std::collections::HashSet::new();
        pythons.retain(|python| seen.insert(python.clone()));
        pythons.into_iter().map(|python| SolverCommand::of(Family::BitwuzlaModule, python)).collect()
    }
}

fn is_program(file: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    file.is_file()
}

/// The solver to start: the first of its candidates that works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverChoice {
    wanted: Option<String>,
    candidates: Vec<SolverCommand>,
}

impl SolverChoice {
    /// The best solver that is installed (bitwuzla, z3, cvc5), if none is wanted. `bitwuzla`, `z3` and `cvc5` are looked for by
    /// name. Anything else is a command line; if it is a single word that names one of the three, its options are added.
    ///
    /// # Errors
    /// When no solver fits, or the words are not a command line.
    ///
    /// ```
    /// use dodona_smt::solver::{SolverChoice, Surroundings};
    ///
    /// let own = SolverChoice::find(Some("my-solver --smt2"), &Surroundings::of_process())?;
    /// assert_eq!(own.candidates()[0].words(), "my-solver --smt2");
    /// # Ok::<(), dodona_smt::solver::NoSolver>(())
    /// ```
    pub fn find(wanted: Option<&str>, around: &Surroundings) -> Result<SolverChoice, NoSolver> {
        let candidates = match wanted.map(str::trim) {
            None => ["bitwuzla", "z3", "cvc5"].into_iter().flat_map(|name| by_name(name, around)).collect(),
            Some(name @ ("bitwuzla" | "z3" | "cvc5")) => by_name(name, around),
            Some(line) => vec![by_command_line(line)?],
        };
        let choice = SolverChoice { wanted: wanted.map(str::to_owned), candidates };
        if choice.candidates.is_empty() { Err(choice.none()) } else { Ok(choice) }
    }

    /// The commands that may be started, the best first.
    pub fn candidates(&self) -> &[SolverCommand] {
        &self.candidates
    }

    /// The same, followed by further candidates.
    #[cfg(test)]
    pub(super) fn or(mut self, other: SolverChoice) -> SolverChoice {
        self.candidates.extend(other.candidates);
        self
    }

    /// Only the first candidates.
    #[cfg(test)]
    pub(super) fn only(mut self, count: usize) -> SolverChoice {
        self.candidates.truncate(count);
        self
    }

    /// The message if no candidate works.
    pub(crate) fn none(&self) -> NoSolver {
        self.wanted.clone().map_or(NoSolver::NoneInstalled, NoSolver::NotFound)
    }
}

fn by_name(name: &str, around: &Surroundings) -> Vec<SolverCommand> {
    match name {
        "bitwuzla" => {
            let mut found = around.programs(Family::Bitwuzla, name);
            found.extend(around.bitwuzla_modules());
            found
        }
        "z3" => around.programs(Family::Z3, name),
        _ => around.programs(Family::Cvc5, name),
    }
}

fn by_command_line(line: &str) -> Result<SolverCommand, NoSolver> {
    let words = shlex::split(line).unwrap_or_default();
    let (program, arguments) = words.split_first().ok_or_else(|| NoSolver::NotACommand(line.to_owned()))?;
    let family = Family::of(OsStr::new(program));
    if arguments.is_empty() {
        return Ok(SolverCommand::of(family, program));
    }
    Ok(SolverCommand {
        family,
        program: program.into(),
        arguments: arguments.iter().map(OsString::from).collect(),
    })
}
