use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The most shards that a command is divided into. The plan of a division is made by each of them.
const MOST: u32 = 100_000;

/// Which part of a command a shard is: `3/16` is the third of sixteen.
///
/// ```
/// use dodona_session::ShardNumber;
/// let third: ShardNumber = "3/16".parse()?;
/// assert_eq!((third.number(), third.of()), (3, 16));
/// assert_eq!("17/16".parse::<ShardNumber>().unwrap_err(), "the shards of 16 are 1/16 to 16/16");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct ShardNumber {
    number: u32,
    of: u32,
}

impl ShardNumber {
    /// The shard of this number, from 1, of so many; `None` if there is none.
    pub fn new(number: u32, of: u32) -> Option<ShardNumber> {
        (1 <= number && number <= of && of <= MOST).then_some(ShardNumber { number, of })
    }

    /// Its number, from 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// How many shards there are.
    pub fn of(self) -> u32 {
        self.of
    }

    /// All shards of so many.
    pub fn all(of: u32) -> impl Iterator<Item = ShardNumber> {
        (1..=of).filter_map(move |number| ShardNumber::new(number, of))
    }

    /// The name of its file: `03-of-16.shard`. Files of a folder stand in the order of their numbers.
    pub fn file_name(self) -> String {
        let width = self.of.to_string().len();
        format!("{:0width$}-of-{}.shard", self.number, self.of)
    }
}

impl FromStr for ShardNumber {
    type Err = String;

    fn from_str(text: &str) -> Result<ShardNumber, String> {
        let parsed = text.split_once('/').and_then(|(n, of)| Some((n.parse().ok()?, of.parse().ok()?)));
        let Some((number, of)) = parsed else {
            return Err("is no shard: give its number and how many there are (3/16)".to_owned());
        };
        ShardNumber::new(number, of).ok_or_else(|| match of {
            0 => "no shards are no part of anything: give a number and how many there are (3/16)".to_owned(),
            of if of > MOST => format!("at most {MOST} shards make a command"),
            of => format!("the shards of {of} are 1/{of} to {of}/{of}"),
        })
    }
}

impl TryFrom<String> for ShardNumber {
    type Error = String;

    fn try_from(text: String) -> Result<ShardNumber, String> {
        text.parse()
    }
}

impl From<ShardNumber> for String {
    fn from(shard: ShardNumber) -> String {
        shard.to_string()
    }
}

impl fmt::Display for ShardNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_number_of_so_many_is_a_shard() {
        for text in ["1/1", "1/16", "16/16", "100000/100000"] {
            assert_eq!(text.parse().map(|shard: ShardNumber| shard.to_string()).as_deref(), Ok(text));
        }
        for text in [
            "0/0",
            "0/16",
            "17/16",
            "1/0",
            "1",
            "/",
            "1/",
            "-1/2",
            "1/2/3",
            "a/b",
            "1/100001",
            "4294967296/1",
        ] {
            assert!(text.parse::<ShardNumber>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_files_of_a_folder_stand_in_the_order_of_their_numbers() {
        let names: Vec<String> = ShardNumber::all(120).map(ShardNumber::file_name).collect();
        assert!(names.is_sorted());
        assert_eq!((names[0].as_str(), names.len()), ("001-of-120.shard", 120));
    }
}
