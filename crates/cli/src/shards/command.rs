//! Writes the command that a shard is a part of as words, which are the same for all of its shards however they were typed.

use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Command};

/// What tells where a part is done, how fast, and how its result is shown: not what is done.
const ELSEWHERE: [&str; 5] = ["shard", "to", "jobs", "format", "memory"];

/// The words of a verb as it was typed, without the options that tell which shard is meant and where it is written. Options stand in the order of the definition, whatever order they were
/// typed in, and those with their usual value are left out.
pub(crate) fn command(verb: &Command, typed: &ArgMatches) -> Vec<String> {
    let is_meant = |arg: &&clap::Arg| {
        let id = arg.get_id().as_str();
        !ELSEWHERE.contains(&id)
            && typed.try_contains_id(id).unwrap_or(false)
            && typed.value_source(id) == Some(ValueSource::CommandLine)
    };
    let (mut named, mut options) = (Vec::new(), Vec::new());
    for arg in verb.get_arguments().filter(is_meant) {
        let id = arg.get_id().as_str();
        let occurrences = typed.get_raw_occurrences(id).into_iter().flatten();
        let occurrences = occurrences
            .map(|values| values.map(|value| value.to_string_lossy().into_owned()).collect::<Vec<String>>());
        let Some(long) = arg.get_long() else {
            named.extend(occurrences.flatten());
            continue;
        };
        if matches!(arg.get_action(), ArgAction::SetTrue) {
            options.push(format!("--{long}"));
            continue;
        }
        for values in occurrences {
            let values = match arg.get_value_delimiter() {
                Some(delimiter) => vec![values.join(&delimiter.to_string())],
                None => values,
            };
            for value in values {
                match is_one(arg) && !value.starts_with('-') {
                    true => options.extend([format!("--{long}"), value]),
                    false => options.push(format!("--{long}={value}")),
                }
            }
        }
    }
    // A path may begin with a dash.
    let dashes = named.iter().any(|word| word.starts_with('-')).then(|| "--".to_owned());
    [verb.get_name().to_owned()].into_iter().chain(options).chain(dashes).chain(named).collect()
}

/// Whether what stands behind an option is its value and nothing else can be.
fn is_one(arg: &clap::Arg) -> bool {
    !arg.is_require_equals_set() && arg.get_num_args().is_none_or(|count| count.max_values() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &[&str]) -> Vec<String> {
        let definition = crate::definition();
        let typed =
            definition.clone().try_get_matches_from([&["dodona"], line].concat()).expect("it is whole");
        let (name, typed) = typed.subcommand().expect("a verb");
        command(definition.find_subcommand(name).expect("a verb"), typed)
    }

    #[test]
    fn the_words_are_those_that_were_typed_in_one_order() {
        let line = ["check", "a", "b", "--seed", "7", "--shard", "2/3", "--to", "x", "--jobs", "2", "--all"];
        assert_eq!(words(&line), ["check", "--seed", "7", "--all", "a", "b"]);
        let other = ["check", "--all", "--seed=7", "a", "--memory", "1GiB", "b"];
        assert_eq!(words(&other), words(&line));
        assert_eq!(words(&["check", "--from=-x.csv", "--", "-a"]), ["check", "--from=-x.csv", "--", "-a"]);
    }

    #[test]
    fn the_words_are_understood_as_what_was_typed() {
        for line in [
            &["check", "a", "--relation", "x", "--relation", "y=1", "--from=-f.csv"][..],
            &["check", "a", "--relations", "r.mr", "s.mr", "--min-eligible", "0.5"],
            &["check", "a", "--sources-by", "path,random", "--sources", "12"],
            &["mutate", "a", "--function", "f", "--operators", "ROR,AOR", "--fail-under", "0.5"],
        ] {
            let words = words(line);
            let again: Vec<&str> = words.iter().map(String::as_str).collect();
            assert_eq!(self::words(&again), words, "{line:?}");
        }
    }
}
