//! The folder `dodona/` of a package: its manifest and its relations, which a person edits.

use std::path::{Path, PathBuf};

use dodona_records::{Binding, BrokenPromise, SurveyRecord, SurveyedRelation};
use dodona_report::grouped;
use dodona_sources::{write_atomically, write_new};
use dodona_target::{on_one_line, user_file};

use super::package::Package;
use crate::failure::Failure;
use crate::{ending, shell};

/// Where the manifest and the relations of a package are kept.
#[derive(Clone, Debug)]
pub(super) struct Home {
    /// As absolute path.
    pub(super) folder: PathBuf,
    pub(super) manifest: PathBuf,
    pub(super) relations: PathBuf,
}

/// What Dodona itself keeps in a folder; whatever else is there is a person's.
const OURS: [&str; 3] = [".dodona", ".gitignore", "dodona-regressions"];

impl Home {
    /// The folder of a package.
    ///
    /// # Errors
    /// When a folder of that name is there and is something else.
    pub(super) fn new(folder: Option<&Path>, package: &Package) -> Result<Home, Failure> {
        let folder = match folder {
            Some(folder) => std::path::absolute(folder)
                .map_err(|error| Failure::usage(format!("{}: {error}", folder.display())))?,
            None => package.folder.join("dodona"),
        };
        let file = |end: &str| folder.join(format!("{}.{end}", package.name));
        let home = Home { manifest: file("toml"), relations: file("mr"), folder };
        match home.has_others() && !home.is_kept() && !home.relations.exists() {
            false => Ok(home),
            true => Err(Failure::usage(format!(
                "{} is there, and nothing in it was made by this command; keep manifest and relations elsewhere: --folder tests/dodona",
                shown(&home.folder)
            ))),
        }
    }

    /// Whether there is a manifest.
    pub(super) fn is_kept(&self) -> bool {
        self.manifest.exists()
    }

    /// Whether something stands in the folder's place that is not Dodona's.
    fn has_others(&self) -> bool {
        if self.folder.symlink_metadata().is_err() {
            return false;
        }
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return !self.folder.is_dir() };
        entries.flatten().any(|entry| OURS.iter().all(|ours| entry.file_name() != *ours))
    }

    /// Whether files can be written, before the long run and not after it. The folder is there.
    ///
    /// # Errors
    /// When they cannot.
    pub(super) fn check_writable(&self) -> Result<(), Failure> {
        for path in [&self.manifest, &self.relations] {
            dodona_sources::check_writable(path).map_err(|error| cannot_write(path, &error))?;
        }
        Ok(())
    }

    /// Writes the files of the first run: all of them or none, but for relations that are there already, to which new ones are added.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(super) fn write(&self, manifest: &str, heading: &str, found: &str) -> Result<(), Failure> {
        ending::answer();
        let ignored = self.folder.join(".gitignore");
        let mut files: Vec<(&Path, &[u8])> = vec![(&self.manifest, manifest.as_bytes())];
        // What is built is made anew by every machine.
        if !ignored.exists() {
            files.push((&ignored, b"/.dodona/\n"));
        }
        let relations = format!("{heading}{found}");
        let is_kept = self.relations.exists();
        if !is_kept {
            files.push((&self.relations, relations.as_bytes()));
        }
        write_new(&files).map_err(|(path, error)| cannot_write(&path, &error))?;
        if is_kept { self.add_relations(found) } else { Ok(()) }
    }

    /// The text of the relations.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub(super) fn relations_text(&self) -> Result<String, Failure> {
        if !self.relations.exists() {
            return Ok(String::new());
        }
        read(&self.relations)
    }

    /// The text of the manifest.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn manifest_text(&self) -> Result<String, Failure> {
        read(&self.manifest)
    }

    /// Adds relations behind what is there.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub(super) fn add_relations(&self, found: &str) -> Result<(), Failure> {
        self.append(&self.relations, found)
    }

    /// Adds functions behind what is there.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub(super) fn add_functions(&self, blocks: &str) -> Result<(), Failure> {
        self.append(&self.manifest, blocks)
    }

    fn append(&self, path: &Path, more: &str) -> Result<(), Failure> {
        if more.is_empty() {
            return Ok(());
        }
        ending::answer();
        let mut text = if path.exists() { read(path)? } else { String::new() };
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text += more;
        write_atomically(path, text.as_bytes()).map_err(|error| cannot_write(path, &error))
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    user_file::text(path).map_err(|error| Failure::usage(format!("cannot read {}: {error}", shown(path))))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::usage(format!("cannot write {}: {error}; --folder names another folder", shown(path)))
}

/// A path as people see it: from where they are, if it lies below.
pub(super) fn shown(path: &Path) -> String {
    shell::path(&from_here(path))
}

/// A path from the folder that the command was run in, if it lies below.
pub(super) fn from_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path).to_owned()
}

/// The relations that somebody put behind a `#`: they are not proposed again.
pub(super) fn declined(relations: &str) -> Vec<String> {
    let comments = relations.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
    let texts = comments.map(|comment| comment.trim_start_matches('#').trim());
    texts.filter(|text| text.starts_with("relation ")).map(str::to_owned).collect()
}

/// The comment at the beginning of a file of relations.
pub(super) fn heading(package: &str) -> String {
    format!(
        "# Relations of {package}, which `cargo dodona` checks. They were found, and not meant by anybody yet: read each, delete what is chance, and write\n\
         # what you know. A relation behind a # is not proposed again.\n"
    )
}

/// Relations as a file has them, function by function, with what is known of each.
pub(super) fn relations(record: &SurveyRecord) -> String {
    let mut text = String::new();
    for relation in &record.relations {
        text += &format!("\n# {}\n{}\n", evidence(relation), relation.text);
    }
    if !record.broken.is_empty() {
        text +=
            "\n# Names promise these, and an input says otherwise. Behind a # they are not tried again.\n";
    }
    for (place, promise) in record.broken.iter().enumerate() {
        let BrokenPromise { text: said, functions, held, violated, source, .. } = promise;
        let function = functions.first().map_or("", String::as_str);
        let (source, eligible) = (Binding::input(source), grouped(held + violated));
        text += &format!(
            "# relation {function}_promises_{}: {}\n#   violated by {} of {eligible} inputs, such as {}\n",
            place + 1,
            on_one_line(said),
            grouped(*violated),
            on_one_line(&source),
        );
    }
    text
}

fn evidence(relation: &SurveyedRelation) -> String {
    let held = match relation.is_example {
        true => "an example".to_owned(),
        false => format!("held on {} inputs", grouped(relation.held)),
    };
    let Some(caught) = &relation.caught else { return format!("{held}; not run on faults") };
    let alone = match (caught.len(), relation.only.len()) {
        (0, _) => return format!("{held}; catches none of the seeded faults that were tried"),
        (_, 0) => String::new(),
        (_, only) => format!(", {only} of them alone"),
    };
    format!(
        "{held}; catches {} seeded fault{}{alone}",
        caught.len(),
        if caught.len() == 1 { "" } else { "s" }
    )
}
