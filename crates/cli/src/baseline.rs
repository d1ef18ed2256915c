//! Relations that do not hold before a verb begins its own work with them.

use dodona_records::CheckRecord;
use dodona_report::{Format, Report as _, Styles};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::report;

/// The failure of a verb whose relations are violated. The violated relations are printed where people look: as the report, or behind
/// the message where the report is for programs. `needs` says what the verb needs them for.
///
/// # Errors
/// When the report cannot be printed.
pub(crate) fn violated(
    check: CheckRecord,
    needs: &str,
    exit: Exit,
    is_for_people: bool,
) -> Result<Failure, Failure> {
    let advice = format!(
        "{} violates relations before {needs} needs relations that hold: mend the function or the relation, or name others with \
         --relation",
        check.subject
    );
    let check = [check];
    if is_for_people {
        report(&check[..], Format::Terminal)?;
        return Ok(Failure::new(exit, advice));
    }
    let report = check.whole(Styles::plain());
    Ok(Failure::new(exit, format!("{advice}\n{report}").trim_end()))
}
