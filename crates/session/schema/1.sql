-- A run of `dodona run`, in the order in which they were begun. Times are for people: no order and no result depends on them.
CREATE TABLE run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    started INTEGER NOT NULL,               -- seconds since 1970, by the clock of the machine
    seconds REAL,                           -- how long it took; NULL while it runs, and of one that was killed
    state TEXT NOT NULL CHECK (state IN ('running', 'finished', 'interrupted')),
    version TEXT NOT NULL,                  -- of Dodona
    seed INTEGER NOT NULL,
    options TEXT NOT NULL,                  -- JSON
    name TEXT UNIQUE,                       -- of a baseline, which `clean` never removes
    record TEXT                             -- what it found, as JSON; the last twenty runs have it
) STRICT;

-- A subject by the path of its manifest, from the folder that `.dodona` lies in.
CREATE TABLE subject (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL
) STRICT;

-- A piece of work that was finished. The key is the SHA-256 of all that its result depends on; the same key is the same result.
CREATE TABLE piece (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE CHECK (length(key) = 32),
    kind TEXT NOT NULL,                     -- inputs, discover, check, mutate, cover, subject
    subject INTEGER NOT NULL REFERENCES subject,
    about TEXT NOT NULL,                    -- the function or the relation that it is about
    seconds REAL NOT NULL,
    record TEXT NOT NULL                    -- JSON
) STRICT;
CREATE INDEX piece_of_subject ON piece (subject, kind);

-- Which pieces a run consists of, and whether it did them itself.
CREATE TABLE run_piece (
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    piece INTEGER NOT NULL REFERENCES piece ON DELETE CASCADE,
    reused INTEGER NOT NULL CHECK (reused IN (0, 1)),
    PRIMARY KEY (run, piece)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_of_piece ON run_piece (piece);

-- A relation by what it says. The same statement under another name is the same relation.
CREATE TABLE relation (
    id INTEGER PRIMARY KEY,
    subject INTEGER NOT NULL REFERENCES subject ON DELETE CASCADE,
    meaning BLOB NOT NULL CHECK (length(meaning) = 32),
    name TEXT NOT NULL,                     -- as in the last run that had it
    text TEXT NOT NULL,
    UNIQUE (subject, meaning)
) STRICT;

-- What a run found of a relation.
CREATE TABLE verdict (
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    relation INTEGER NOT NULL REFERENCES relation ON DELETE CASCADE,
    function TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('accepted', 'found')),
    verdict TEXT NOT NULL CHECK (verdict IN ('holds', 'violated', 'only-allowed', 'never-eligible', 'not-run')),
    held INTEGER NOT NULL,                  -- eligible groups on which it held
    violated INTEGER NOT NULL,
    groups INTEGER NOT NULL,                -- all groups, those that were not eligible too
    counterexample TEXT,                    -- JSON
    PRIMARY KEY (run, relation)
) STRICT, WITHOUT ROWID;

-- A mutant by its key, which unrelated edits do not change.
CREATE TABLE mutant (
    id INTEGER PRIMARY KEY,
    subject INTEGER NOT NULL REFERENCES subject ON DELETE CASCADE,
    key TEXT NOT NULL,
    operator TEXT NOT NULL,
    place TEXT NOT NULL,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    UNIQUE (subject, key)
) STRICT;

-- Which mutants a test kills, as a set of bits: bit 0 of byte 0 stands for the mutant with the id `first`, the next bit for the next id.
CREATE TABLE kills (
    piece INTEGER NOT NULL REFERENCES piece ON DELETE CASCADE,
    test TEXT NOT NULL,                     -- the name of a relation, or one of: counted, revealed, killed
    first INTEGER NOT NULL,
    mutants BLOB NOT NULL,
    PRIMARY KEY (piece, test)
) STRICT, WITHOUT ROWID;

-- What inputs run of a function.
CREATE TABLE coverage (
    piece INTEGER PRIMARY KEY REFERENCES piece ON DELETE CASCADE,
    function TEXT NOT NULL,
    lines INTEGER NOT NULL,
    lines_run INTEGER NOT NULL,
    branches INTEGER NOT NULL,
    branches_run INTEGER NOT NULL
) STRICT;
