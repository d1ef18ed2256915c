/// The program around the functions.
///
/// It speaks the worker protocol (`book/worker-protocol.md`) with the framing `rows`: it reads requests from its standard input and writes answers to its
/// standard output, which the functions cannot reach: what they print is lost. Of the hello it needs the memory only, as it was built with its functions.
/// A process that is only asked for rows in processes of their own calls nothing itself, so that each of these begins as the first one did.
///
/// What is returned comes in the order in which it is read, and behind it what is left in parameters. A `usize` has four bytes in arguments, as in
/// WebAssembly, and eight in results.
#[allow(dead_code)]
mod dodona_worker {
    use std::io::{Read, Seek, SeekFrom, Write};

    /// Each row is called in a process of its own.
    pub const APART: u8 = 1;
    /// What was said is wanted.
    pub const TELL: u8 = 2;
    /// The version of the frames.
    const VERSION: u8 = 1;
    /// Bytes of answers after which they are sent, and Dodona reads them while the next rows are called.
    const PART: usize = 1 << 15;

    extern "C" {
        fn fork() -> i32;
        fn pthread_atfork(before: Option<extern "C" fn()>, parent: Option<extern "C" fn()>, child: Option<extern "C" fn()>) -> i32;
        fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
        fn dup(file: i32) -> i32;
        fn dup2(from: i32, to: i32) -> i32;
        fn pipe(ends: *mut i32) -> i32;
        fn alarm(seconds: u32) -> u32;
        fn setitimer(which: i32, new: *const [i64; 4], old: *mut [i64; 4]) -> i32;
        fn setrlimit(resource: i32, limits: *const [u64; 2]) -> i32;
        fn fcntl(file: i32, command: i32, ...) -> i32;
        fn poll(files: *mut Waited, count: std::ffi::c_ulong, milliseconds: i32) -> i32;
        fn kill(process: i32, signal: i32) -> i32;
        fn getpid() -> i32;
        #[cfg(target_os = "linux")]
        fn prctl(option: i32, ...) -> i32;
        fn _exit(code: i32) -> !;
    }

    /// What `poll` waits for: something to read.
    #[repr(C)]
    struct Waited { file: i32, events: i16, happened: i16 }

    const PROCESSOR_TIME: i32 = 2;
    const TIME_SIGNALS: [i32; 2] = [14, 27];
    /// How long a row may take that is called by itself, by a clock and of the processor; and all rows of a frame, after which each is called by
    /// itself.
    const ROW_SECONDS: [u32; 2] = [10, 1];
    const FRAME_SECONDS: [u32; 2] = [4, 2];
    /// After so long a process is ended from outside, which it cannot ignore.
    const LAST: std::time::Duration = std::time::Duration::from_secs(11);
    const KILLED: i32 = 9;
    const ABORTED: i32 = 6;
    /// What a process writes last, so that one that was ended in between is known.
    const END: u8 = 0xe5;

    /// The bytes of memory that a process may have; what limits them elsewhere cannot do it where a sanitizer reserves addresses.
    static MOST_MEMORY: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(u64::MAX);

    /// Whether what is said of the row that is called will be read.
    static IS_TOLD: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

    /// Ends this process as a report of a sanitizer would, where nobody reads that: to find the lines of its frames takes a tenth of a second.
    pub fn end_unless_told() {
        if !IS_TOLD.load(std::sync::atomic::Ordering::Relaxed) { unsafe { kill(getpid(), ABORTED) }; }
    }

    /// Whether a process has more pages in memory than it may.
    fn has_too_much(process: i32) -> bool {
        let pages = std::fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
        let resident: u64 = pages.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0);
        resident.saturating_mul(4096) > MOST_MEMORY.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// A row: its arguments, and the answer, to which its call adds its outputs one after the other.
    pub struct Row<'a> {
        arguments: &'a [u8],
        answer: &'a mut Vec<u8>,
        kept: Vec<Box<dyn std::any::Any>>,
    }

    /// Why what a function gave is no value of its type, thrown instead of an answer.
    pub struct Malformed(pub &'static str);

    pub trait Number: Copy + Default + 'static {
        fn take(from: &mut &[u8]) -> Self;
        fn put(self, to: &mut Vec<u8>);
    }

    fn bytes<const N: usize>(from: &mut &[u8]) -> [u8; N] {
        let (taken, rest) = from.split_at(N);
        *from = rest;
        taken.try_into().unwrap()
    }

    fn count(from: &mut &[u8]) -> usize {
        u32::from_le_bytes(bytes(from)) as usize
    }

    macro_rules! numbers {
        ($($ty:ty, $input:ty, $output:ty);*) => { $(impl Number for $ty {
            fn take(from: &mut &[u8]) -> $ty { <$input>::from_le_bytes(bytes(from)) as $ty }
            fn put(self, to: &mut Vec<u8>) { to.extend((self as $output).to_le_bytes()) }
        })* }
    }
    numbers!(i8, i8, i8; i16, i16, i16; i32, i32, i32; i64, i64, i64; isize, i32, i64);
    numbers!(u8, u8, u8; u16, u16, u16; u32, u32, u32; u64, u64, u64; usize, u32, u64; f32, f32, f32; f64, f64, f64);
    impl Number for bool {
        fn take(from: &mut &[u8]) -> bool { bytes::<1>(from)[0] != 0 }
        fn put(self, to: &mut Vec<u8>) { to.push(self as u8) }
    }

    impl Row<'_> {
        pub fn take<T: Number>(&mut self) -> T { T::take(&mut self.arguments) }

        /// Where the elements lie until the row is done, and how many there are.
        pub fn take_items<T: Number>(&mut self) -> (*mut T, usize) {
            let items = self.take_all::<T>();
            let count = items.len();
            (self.keep(items), count)
        }

        pub fn take_all<T: Number>(&mut self) -> Vec<T> {
            let count = count(&mut self.arguments);
            (0..count).map(|_| T::take(&mut self.arguments)).collect()
        }

        /// Keeps elements until the row is done; where they lie.
        pub fn keep<T: Number>(&mut self, mut items: Vec<T>) -> *mut T {
            let at = items.as_mut_ptr();
            self.kept.push(Box::new(items));
            at
        }

        pub fn number(&mut self, _slot: usize, number: impl Number) { number.put(self.answer) }

        pub fn items<T: Number>(&mut self, _slot: usize, items: Vec<T>) {
            self.answer.extend((items.len() as u32).to_le_bytes());
            items.into_iter().for_each(|item| item.put(self.answer));
        }
    }

    thread_local!(static SAID: std::cell::RefCell<[String; 2]> = const { std::cell::RefCell::new([String::new(), String::new()]) });

    fn text(text: &str, to: &mut Vec<u8>) {
        to.extend((text.len() as u32).to_le_bytes());
        to.extend(text.as_bytes());
    }

    /// Calls a function with one row, and adds its outcome without the length.
    fn call(function: fn(&mut Row), arguments: &[u8], flags: u8, to: &mut Vec<u8>) {
        let start = to.len();
        IS_TOLD.store(flags & TELL != 0, std::sync::atomic::Ordering::Relaxed);
        to.push(0);
        let mut row = Row { arguments, answer: to, kept: Vec::new() };
        let returned = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| function(&mut row)));
        // The answer is that of the process that was asked: one that a function made has no more to do.
        if IS_FORKED.load(std::sync::atomic::Ordering::Relaxed) { unsafe { _exit(0) } }
        if let Err(thrown) = returned {
            to.truncate(start);
            if let Some(Malformed(why)) = thrown.downcast_ref() {
                to.push(5);
                return text(why, to);
            }
            // The panic has no type.
            to.extend([1, 0, 0, 0, 0]);
            let said = SAID.with(|said| std::mem::take(&mut *said.borrow_mut()));
            said.iter().for_each(|said| text(if flags & TELL == 0 { "" } else { said }, to));
        }
    }

    /// Whether a function made this process out of the one that it was called in.
    static IS_FORKED: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

    extern "C" fn note_fork() {
        IS_FORKED.store(true, std::sync::atomic::Ordering::Relaxed);
    }

    /// Ends this process after some seconds, by a clock and of the processor; with zeros no more.
    fn end_after(seconds: [u32; 2]) {
        unsafe {
            alarm(seconds[0]);
            setitimer(PROCESSOR_TIME, &[0, 0, seconds[1] as i64, 0], std::ptr::null_mut());
        }
    }

    /// Ends this process when the one that started it ends, whatever it is doing.
    fn end_with_parent() {
        #[cfg(target_os = "linux")]
        unsafe { prctl(1, KILLED as std::ffi::c_ulong); }
    }

    /// Keeps a file from programs that are started.
    fn keep(file: i32) -> i32 {
        unsafe { fcntl(file, 2, 1) };
        file
    }

    /// The same file under a number that functions hardly ever use for one of their own.
    fn out_of_the_way(file: i32) -> i32 {
        use std::os::fd::FromRawFd;
        let moved = unsafe { fcntl(file, 0, 400) };
        if moved < 0 { return file; }
        drop(unsafe { std::fs::File::from_raw_fd(file) });
        moved
    }

    /// What a process of its own writes, and how it ended; `None` if its time was up.
    fn forked(errors: Option<&std::fs::File>, work: impl FnOnce() -> Vec<u8>) -> (Vec<u8>, Option<i32>) {
        use std::os::fd::{AsRawFd, FromRawFd};
        let mut ends = [0; 2];
        unsafe {
            if pipe(ends.as_mut_ptr()) != 0 { panic!("no pipe: {}", std::io::Error::last_os_error()); }
            for end in &mut ends { *end = keep(out_of_the_way(*end)); }
            let child = fork();
            if child == 0 {
                end_with_parent();
                IS_FORKED.store(false, std::sync::atomic::Ordering::Relaxed);
                if let Some(errors) = errors { dup2(errors.as_raw_fd(), 2); }
                end_after(ROW_SECONDS);
                let answer = work();
                let _ = std::fs::File::from_raw_fd(ends[1]).write_all(&answer);
                _exit(0);
            }
            drop(std::fs::File::from_raw_fd(ends[1]));
            let output = std::fs::File::from_raw_fd(ends[0]);
            if child < 0 { panic!("no process: {}", std::io::Error::last_os_error()); }
            read_until_end(child, output)
        }
    }

    /// What a process writes up to its end; a program that it has started may go on and keep the pipe.
    fn read_until_end(child: i32, mut output: std::fs::File) -> (Vec<u8>, Option<i32>) {
        use std::os::fd::AsRawFd;
        let end = std::time::Instant::now() + LAST;
        let (mut answer, mut bytes, mut status) = (Vec::new(), [0; 1 << 16], 0);
        let (mut is_open, mut has_ended) = (true, false);
        loop {
            let mut waited = Waited { file: output.as_raw_fd(), events: 1, happened: 0 };
            if is_open && unsafe { poll(&mut waited, 1, 20) } > 0 {
                match output.read(&mut bytes) {
                    Ok(0) | Err(_) => is_open = false,
                    Ok(count) => answer.extend(&bytes[..count]),
                }
            } else if has_ended {
                return (answer, Some(status));
            } else if !is_open {
                std::thread::sleep(std::time::Duration::from_micros(50));
            }
            has_ended = has_ended || unsafe { waitpid(child, &mut status, 1) } == child;
            if super::DODONA_SANITIZES_ADDRESSES && !has_ended && has_too_much(child) {
                unsafe { kill(child, KILLED) };
                unsafe { waitpid(child, &mut status, 0) };
                return (answer, Some(status));
            }
            if !has_ended && std::time::Instant::now() > end {
                unsafe { kill(child, KILLED) };
                unsafe { waitpid(child, &mut status, 0) };
                return (answer, None);
            }
        }
    }

    /// An answer behind its length.
    fn sized(to: &mut Vec<u8>, answer: impl FnOnce(&mut Vec<u8>)) {
        let start = to.len();
        to.extend([0; 4]);
        answer(to);
        let length = (to.len() - start - 4) as u32;
        to[start..start + 4].copy_from_slice(&length.to_le_bytes());
    }

    /// The rows of a frame.
    fn rows(mut rest: &[u8], rows: usize) -> impl Iterator<Item = &[u8]> {
        (0..rows).map(move |_| {
            let length = count(&mut rest);
            let (row, others) = rest.split_at(length);
            rest = others;
            row
        })
    }

    /// A row in a process of its own, whose end is an outcome too.
    fn apart(function: fn(&mut Row), row: &[u8], flags: u8, errors: &mut Option<std::fs::File>, to: &mut Vec<u8>) {
        if let Some(errors) = errors { let _ = errors.set_len(0).and(errors.seek(SeekFrom::Start(0))); }
        let (answer, status) = forked(errors.as_ref(), || {
            let mut answer = Vec::new();
            call(function, row, flags, &mut answer);
            answer.push(END);
            answer
        });
        let Some(status) = status else { return to.push(3) };
        match (status & 0x7f, answer.split_last()) {
            (0, Some((&END, answer))) => to.extend(answer),
            (0, _) => { to.push(4); to.extend(((status >> 8) as u32 & 0xff).to_le_bytes()); }
            (signal, _) if TIME_SIGNALS.contains(&signal) => to.push(3),
            (signal, _) => {
                to.push(2);
                to.extend((signal as u32).to_le_bytes());
                let mut said = Vec::new();
                if let Some(errors) = errors {
                    let _ = errors.seek(SeekFrom::Start(0)).and_then(|_| errors.take(1 << 16).read_to_end(&mut said));
                }
                text(&String::from_utf8_lossy(&said), to);
            }
        }
    }

    /// A file without a name that takes what is written to standard error.
    fn errors() -> Option<std::fs::File> {
        let path = std::env::temp_dir().join(format!("dodona-worker-{}", std::process::id()));
        let file = std::fs::File::options().read(true).write(true).create_new(true).open(&path).ok();
        let _ = std::fs::remove_file(path);
        file
    }

    /// Takes away from the functions what the protocol is spoken on; what they print goes nowhere. Returns both ends.
    fn ends() -> (std::fs::File, std::fs::File) {
        use std::os::fd::{AsRawFd, FromRawFd};
        unsafe {
            let ends = (std::fs::File::from_raw_fd(keep(out_of_the_way(dup(0)))), std::fs::File::from_raw_fd(keep(out_of_the_way(dup(1)))));
            let nothing = std::fs::File::options().read(true).write(true).open("/dev/null").expect("there is /dev/null");
            dup2(nothing.as_raw_fd(), 0);
            dup2(nothing.as_raw_fd(), 1);
            ends
        }
    }

    /// The most memory that the process may have, and no file of what was in it when it ended.
    fn limit(memory: u64) {
        let (core, address_space) = if cfg!(target_os = "linux") { (4, Some(9)) } else { (4, None) };
        unsafe {
            setrlimit(core, &[0, 0]);
            let address_space = address_space.filter(|_| !super::DODONA_SANITIZES_ADDRESSES);
            if let Some(resource) = address_space { setrlimit(resource, &[memory, memory]); }
            MOST_MEMORY.store(memory, std::sync::atomic::Ordering::Relaxed);
        }
    }

    /// Reads the hello, keeps to the memory in it, and greets. `None` where there is no Dodona.
    fn greet(input: &mut std::fs::File, output: &mut std::fs::File) -> Option<()> {
        let (mut hello, mut byte) = (Vec::new(), [0]);
        while byte != *b"\n" {
            input.read_exact(&mut byte).ok()?;
            hello.extend(byte);
        }
        let hello = String::from_utf8(hello).ok()?;
        let memory = hello.split_once("\"memory\":")?.1;
        let digits = memory.find(|one: char| !one.is_ascii_digit()).unwrap_or(memory.len());
        limit(memory[..digits].parse().ok()?);
        output.write_all(b"{\"protocol\":1,\"worker\":\"Rust\",\"framing\":\"rows\"}\n").ok()
    }

    /// What is written of a panic.
    fn note_panics() {
        std::panic::set_hook(Box::new(|info| {
            let payload = info.payload();
            let owned = payload.downcast_ref::<String>().map(String::as_str);
            let said = payload.downcast_ref::<&'static str>().copied().or(owned).unwrap_or("");
            let place = info.location().filter(|_| super::DODONA_HAS_PLACES).map(|place| place.to_string()).unwrap_or_default();
            SAID.with(|kept| *kept.borrow_mut() = [said.to_owned(), place]);
        }));
    }

    /// Answers to rows of a request, which are sent in parts.
    struct Answer<'a> {
        output: &'a mut std::fs::File,
        id: u32,
        rows: u32,
        bytes: Vec<u8>,
    }

    impl Answer<'_> {
        /// Adds a row; sends what there is if that is much.
        fn row(&mut self, most: usize, row: impl FnOnce(&mut Vec<u8>)) -> std::io::Result<()> {
            if self.rows == 0 {
                self.bytes.clear();
                self.bytes.extend([0; 16]);
            }
            sized(&mut self.bytes, row);
            self.rows += 1;
            if self.bytes.len() < most { Ok(()) } else { self.send() }
        }

        fn send(&mut self) -> std::io::Result<()> {
            if self.rows == 0 { return Ok(()); }
            let length = (self.bytes.len() - 16) as u32;
            for (place, number) in [VERSION as u32, length, self.id, self.rows].into_iter().enumerate() {
                self.bytes[place * 4..place * 4 + 4].copy_from_slice(&number.to_le_bytes());
            }
            self.rows = 0;
            self.output.write_all(&self.bytes)
        }
    }

    /// Calls the rows of requests until there are no more.
    fn answer(input: &mut std::fs::File, output: &mut std::fs::File, calls: &[fn(&mut Row)]) -> std::io::Result<()> {
        let (mut head, mut arguments, mut bytes) = ([0; 20], Vec::new(), Vec::new());
        loop {
            input.read_exact(&mut head)?;
            if head[0] != VERSION { return Ok(()); }
            let (flags, mut rest) = (head[1], &head[4..]);
            let [length, id, function, rows] = std::array::from_fn(|_| count(&mut rest));
            arguments.resize(length, 0);
            input.read_exact(&mut arguments)?;
            let function = calls[function];
            let mut answer = Answer { output, id: id as u32, rows: 0, bytes };
            let rows = self::rows(&arguments, rows);
            if flags & APART == 0 {
                end_after(FRAME_SECONDS);
                for row in rows { answer.row(PART, |to| call(function, row, flags, to))?; }
                end_after([0, 0]);
                answer.send()?;
            } else {
                let mut errors = if flags & TELL == 0 { None } else { errors() };
                for row in rows { answer.row(0, |to| apart(function, row, flags, &mut errors, to))?; }
            }
            bytes = answer.bytes;
        }
    }

    pub fn run(calls: &[fn(&mut Row)]) {
        end_with_parent();
        let (mut input, mut output) = ends();
        if greet(&mut input, &mut output).is_none() { return; }
        note_panics();
        unsafe { pthread_atfork(None, None, Some(note_fork)); }
        // It ends with Dodona, whose pipes end then.
        let _ = answer(&mut input, &mut output, calls);
    }
}
