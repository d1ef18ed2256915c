//! Folders with odd names, and links that lead back.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use super::{Files, manifest, number_of};

const C: [(&str, &str); 2] =
    [("k.h", "#define K 1"), ("f.c", "#include \"k.h\"\nint f(void) { return K; }\n")];

#[test]
fn subjects_are_built_in_folders_of_any_name() {
    let files = Files::new(&[]);
    for name in [
        &b"p%1"[..],
        b"a b",
        b"#1 $HOME",
        b"\"q\" 'r'",
        b"new\nline",
        b"-flag",
        b"@args",
        b"\xff\xfe",
        b"back\\slash",
    ] {
        let folder = files.path(".").join(OsStr::from_bytes(name));
        std::fs::create_dir(&folder).expect("made");
        for (file, text) in C {
            std::fs::write(folder.join(file), text).expect("written");
        }
        // Without a name, the subject is called like its folder.
        let build = manifest("c = [\"f.c\"]").replace("name = \"subject\"\n", "");
        std::fs::write(folder.join("dodona.toml"), build).expect("written");
        let number =
            || number_of(&folder.join("dodona.toml")).unwrap_or_else(|error| panic!("{name:?}: {error}"));
        assert_eq!(number(), 1, "{name:?}");
        std::fs::write(folder.join("k.h"), "#define K 2").expect("written");
        assert_eq!(number(), 2, "{name:?}");
        let left = std::fs::read_dir(folder.join(".dodona")).expect("products").count();
        assert_eq!(left, 2, "{name:?}: a module and its stamp");
    }
}

#[test]
fn headers_and_sources_have_any_names() {
    let files = Files::new(&[]);
    for name in ["a b", "100%", "#1$x", "q\"r'", "-x", "@x", "two  spaces", "tail\\"] {
        let build = format!("c = ['''{name}.c''']\nflags = ['''-I../{name}''']");
        files.write("subject/dodona.toml", &manifest(&build));
        files.write(&format!("subject/{name}.c"), "#include <k.h>\nint f(void) { return K; }\n");
        files.write(&format!("{name}/k.h"), "#define K 1");
        assert_eq!(files.number(), 1, "{name}");
        files.write(&format!("{name}/k.h"), "#define K 2");
        assert_eq!(files.number(), 2, "{name}");
    }
}

#[test]
fn links_that_lead_back_change_nothing() {
    let files = Files::new(&[("subject/dodona.toml", &manifest("c = [\"f.c\"]"))]);
    C.iter().for_each(|(file, text)| files.write(&format!("subject/{file}"), text));
    for (link, target) in [("a", "."), ("b", "."), ("c", ".."), ("self.h", "self.h")] {
        std::os::unix::fs::symlink(target, files.path("subject").join(link)).expect("linked");
    }
    assert_eq!(files.number(), 1);
    files.write("subject/k.h", "#define K 2");
    assert_eq!(files.number(), 2);
}

#[test]
fn names_of_subjects_do_not_leave_the_folder_of_products() {
    for name in ["../../x", "a/b", "."] {
        let build = manifest("c = [\"f.c\"]").replace("name = \"subject\"", &format!("name = \"{name}\""));
        let files = Files::new(&[("subject/dodona.toml", &build)]);
        C.iter().for_each(|(file, text)| files.write(&format!("subject/{file}"), text));
        assert_eq!(files.number(), 1);
        assert_eq!(std::fs::read_dir(files.path("subject/.dodona")).expect("products").count(), 2, "{name}");
    }
}
