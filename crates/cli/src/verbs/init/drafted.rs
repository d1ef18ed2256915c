//! What is written and shown of functions that were drafted: relations of known forms that were tried, and a list.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use dodona_discovery::{Trying, known_forms_that_hold};
use dodona_inference::known_forms::KnownForm;
use dodona_interface::Interface;
use dodona_target::Until;
use dodona_wasm::Workbench;
use dodona_workbench::{CheckOptions, Seed};

use crate::crate_functions::{left_lines, signature_lines};
use crate::failure::Failure;
use crate::{interrupt, open, shell};

/// So many relations are proposed of a function, besides those that names promise: a first draft is read whole.
const OF_EACH: usize = 3;

/// So many inputs are tried of each candidate: enough to tell what is hardly ever true from what may be.
const TRIED: u64 = 1_000;

/// A relation that held for fewer inputs is not written: nearly every one holds for a handful.
const ENOUGH: u64 = 100;

/// So long are candidates tried. A library may have hundreds of functions, and a draft is edited by hand.
const TRYING: Duration = Duration::from_secs(20);

/// Relations that were tried.
pub(super) struct Tried {
    /// Those that no input violates and enough inputs were eligible for.
    pub(super) held: Vec<KnownForm>,
    /// How many inputs each was tried on.
    inputs: u64,
    /// Whether the time was too short to try all candidates on all inputs.
    is_cut: bool,
}

/// Tries the relations of known forms that names and types suggest.
pub(super) fn tried(workbench: &Workbench) -> Result<Tried, Failure> {
    let trying = Trying { seed: Seed(0), sources: TRIED, jobs: CheckOptions::default().jobs };
    let until = Until::after(Some(TRYING), interrupt::listen());
    let tried =
        known_forms_that_hold(&workbench.any(), &|_| true, trying, &until).map_err(open::lab_failure)?;
    // Of those without a name most are chance, and no mutant has told which are not.
    let mut of_each = vec![0; workbench.functions().len()];
    // Where the time was too short for all, those that got far enough are written, with the fewest inputs that one of them got.
    let enough = tried.held.into_iter().zip(tried.on).filter(|(_, on)| *on >= ENOUGH.min(TRIED));
    let (mut held, on): (Vec<KnownForm>, Vec<u64>) = enough.unzip();
    let inputs = on.into_iter().min().unwrap_or(tried.tested);
    held.retain(|form| {
        let count = form.functions().next().map(|function| &mut of_each[function]);
        let is_one_of_few = count.is_some_and(|count| {
            *count += usize::from(form.form.is_law);
            *count <= OF_EACH
        });
        form.by_name || (form.form.is_law && is_one_of_few)
    });
    Ok(Tried { held, inputs, is_cut: !until.goes_on() })
}

pub(super) fn relations_text(name: &str, tried: &Tried) -> String {
    let mut text = format!(
        "# Relations of {name}. Those below are what functions of such names and types often have, and hold for {} random inputs each: keep what is\n\
         # meant, delete what is chance, and write what you know.\n",
        tried.inputs
    );
    if tried.held.is_empty() {
        text += "# None of those that were tried held. An example of what one says:\n# relation commutes: gcd(a, b) == gcd(b, a)\n";
    }
    for candidate in &tried.held {
        let _ = writeln!(text, "{candidate}");
    }
    text
}

/// What came of it.
pub(super) struct Found<'a> {
    pub(super) tried: &'a Tried,
    pub(super) files: [&'a Path; 2],
    pub(super) seconds: f64,
}

/// So many lines of each list are shown where there is more to say behind them.
const SHOWN: usize = 12;
const LEFT: usize = 5;

pub(super) fn listing(title: &str, interface: &Interface, found: Option<&Found<'_>>) -> String {
    let count = interface.functions.len();
    let mut text = format!(
        "{title}: {count} function{} can be called, {} cannot\n",
        if count == 1 { "" } else { "s" },
        interface.left.len()
    );
    let (shown, left) = if found.is_some() { (SHOWN, LEFT) } else { (usize::MAX, usize::MAX) };
    text += &signature_lines(interface, shown);
    if let Some(found) = found {
        let Tried { held, inputs, is_cut } = found.tried;
        let _ = writeln!(text, "relations that were tried and hold for {inputs} inputs: {}", held.len());
        for form in held.iter().take(SHOWN) {
            let _ = writeln!(text, "  {}", form.says());
        }
        if held.len() > SHOWN {
            let _ = writeln!(text, "  … and {} more", held.len() - SHOWN);
        }
        if *is_cut {
            let seconds = TRYING.as_secs();
            let _ = writeln!(
                text,
                "  the time of {seconds} s was too short for all candidates; dodona discover takes more"
            );
        }
    }
    text += &left_lines(interface, left);
    if found.is_none() && count > 0 {
        text += "no call was compiled: what does not compile is left out of a manifest that is written\n";
    }
    for (name, declared_in) in interface.foreign.iter().take(left) {
        let _ = writeln!(text, "  {name} is of the crate {declared_in}: dodona init --crate {declared_in}");
    }
    if let Some(found) = found {
        let [manifest, relations] = found.files.map(|file| shell::path(file).to_string());
        let folder = shell::path(
            found.files[0].parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")),
        );
        let _ = writeln!(
            text,
            "wrote {manifest} and {relations} after {:.1} s; then: dodona check {folder}",
            found.seconds
        );
    }
    text
}
