//! What sanitizers say of the call that they ended: the fault and its place in the code under test, out of a report of many lines.

use dodona_subject::build::Sanitizer;
use dodona_target::Ending;

use crate::protocol::one_line;

/// Parts of the paths of code that is not under test: generated calls, and the sanitizers themselves.
const NOT_UNDER_TEST: [&str; 3] = ["/dodona-glue/", "/libsanitizer/", "/compiler-rt/"];

/// The fault and its place, if a text is a report of AddressSanitizer or UndefinedBehaviorSanitizer.
pub(crate) fn read(said: &str) -> Option<Ending> {
    of_undefined(said).or_else(|| of_addresses(said))
}

/// `f.c:3:12: runtime error: signed integer overflow: …`
fn of_undefined(said: &str) -> Option<Ending> {
    let (place, fault) = said.lines().find_map(|line| line.split_once(": runtime error: "))?;
    Some(Ending {
        location: Some(under_test(place)?.to_owned()),
        message: one_line(&format!("{}: {fault}", Sanitizer::Undefined.reporter())),
    })
}

/// A line with the fault, one with the access, and then the frames: `    #0 0x55d0c in sum ./f.c:4`.
fn of_addresses(said: &str) -> Option<Ending> {
    let (_, fault) = said.split_once("ERROR: AddressSanitizer: ")?;
    let mut lines = fault.lines();
    let kind = lines.next()?;
    // Addresses and numbers of processes are others in each run.
    let kind = [" on address 0x", " on unknown address", ": 0x", " (pc 0x"]
        .iter()
        .fold(kind, |kind, end| kind.split(end).next().unwrap_or(kind));
    let access = lines.clone().find_map(|line| {
        let access = line
            .strip_prefix("The signal is caused by a ")
            .or_else(|| line.starts_with(['R', 'W']).then_some(line))?;
        Some(access.split(" at 0x").next().unwrap_or(access).trim_end_matches('.'))
    });
    let frames = lines.filter_map(|line| line.trim_start().strip_prefix('#'));
    let places =
        frames.filter_map(|frame| frame.split_once(" in ")?.1.rsplit_once(' ')).map(|(_, place)| place);
    // A frame without debug information has the program's own path in parentheses.
    let location = places.filter(|place| place.contains(':') && !place.starts_with('(')).find_map(under_test);
    let access = access.map(|access| format!(", {access}")).unwrap_or_default();
    Some(Ending {
        location: location.map(str::to_owned),
        message: one_line(&format!("{}: {kind}{access}", Sanitizer::Address.reporter())),
    })
}

/// A place, unless it is in code that nobody wrote.
fn under_test(place: &str) -> Option<&str> {
    let is_other = NOT_UNDER_TEST.iter().any(|part| place.contains(part));
    (!is_other).then_some(place.strip_prefix("./").unwrap_or(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(message: &str, location: &str) -> Option<Ending> {
        Some(Ending { message: Some(message.to_owned()), location: Some(location.to_owned()) })
    }

    #[test]
    fn reports_are_told_by_fault_and_place() {
        let overflow = "=================================================================\n\
            ==4123==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000018 at pc 0x55d bp 0x7ff sp 0x7fe\n\
            READ of size 4 at 0x602000000018 thread T0\n    \
            #0 0x7f12 in __interceptor_memcpy ../../../../src/libsanitizer/asan/asan_interceptors.cc:12\n    \
            #1 0x55d1 in sum ./s.c:4\n    #2 0x55d2 in dodona_glue_sum /dodona-glue/c/glue:1\n";
        assert_eq!(read(overflow), ending("AddressSanitizer: heap-buffer-overflow, READ of size 4", "s.c:4"));
        let null = "AddressSanitizer:DEADLYSIGNAL\n==9==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x5 bp 0x7 sp 0x7 T0)\n\
            ==9==The signal is caused by a READ memory access.\n    #0 0x55 in first lib/s.c:9\n";
        assert_eq!(read(null), ending("AddressSanitizer: SEGV", "lib/s.c:9"));
        let signed = "./s.c:3:12: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'\n";
        let words = "UndefinedBehaviorSanitizer: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'";
        assert_eq!(read(signed), ending(words, "s.c:3:12"));
        assert_eq!(read("Segmentation fault"), None);
        assert_eq!(read(""), None);
    }
}
