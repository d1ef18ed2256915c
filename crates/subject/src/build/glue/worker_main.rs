/// The program around the functions.
///
/// It reads frames from its standard input and writes the outcome of each row to its standard output, which the functions cannot reach: what they
/// print is lost. All numbers are little-endian. A process that is only asked for rows in processes of their own calls nothing itself, so that each of
/// these begins as the first one did.
///
/// A frame is a `u8` with flags, the `u32` number of a function, the `u32` number of rows, the `u32` length of what follows, and each row behind its
/// `u32` length. A row is its arguments, one after the other: scalars in the bytes that they have in WebAssembly (`usize` has four), sequences
/// and texts behind the `u32` number of their elements.
///
/// The answer has for each row the `u32` length of what follows, a `u8` that says how it ended, and
/// - 0, it returned: for each output 1 and the value, or 0 where the call has no such output; here `usize` has eight bytes;
/// - 1, it panicked: the message and the place behind their `u32` lengths, empty where they are not asked for;
/// - 2, a signal ended it: its `u32` number, and what was written to standard error behind its length;
/// - 3, its time was up;
/// - 4, it ended the process: the `u32` exit code.
#[allow(dead_code)]
mod dodona_worker {
    use std::io::{Read, Seek, SeekFrom, Write};

    /// Each row is called in a process of its own.
    pub const APART: u8 = 1;
    /// What was said is wanted.
    pub const TELL: u8 = 2;

    extern "C" {
        fn fork() -> i32;
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
    /// What a process writes last, so that one that was ended in between is known.
    const END: u8 = 0xe5;

    /// A row: its arguments, and the outputs that its call has left.
    #[derive(Default)]
    pub struct Row<'a> {
        arguments: &'a [u8],
        outputs: Vec<Option<Vec<u8>>>,
        kept: Vec<Box<dyn std::any::Any>>,
    }

    pub trait Number: Copy + 'static {
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
            let count = count(&mut self.arguments);
            let mut items: Vec<T> = (0..count).map(|_| T::take(&mut self.arguments)).collect();
            let at = (items.as_mut_ptr(), items.len());
            self.kept.push(Box::new(items));
            at
        }

        pub fn number(&mut self, slot: usize, number: impl Number) {
            let mut bytes = Vec::new();
            number.put(&mut bytes);
            self.put(slot, bytes);
        }

        pub fn items<T: Number>(&mut self, slot: usize, items: Vec<T>) {
            let mut bytes = (items.len() as u32).to_le_bytes().to_vec();
            items.into_iter().for_each(|item| item.put(&mut bytes));
            self.put(slot, bytes);
        }

        fn put(&mut self, slot: usize, bytes: Vec<u8>) {
            if self.outputs.len() <= slot { self.outputs.resize(slot + 1, None); }
            self.outputs[slot] = Some(bytes);
        }
    }

    thread_local!(static SAID: std::cell::RefCell<[String; 2]> = const { std::cell::RefCell::new([String::new(), String::new()]) });

    fn text(text: &str, to: &mut Vec<u8>) {
        to.extend((text.len() as u32).to_le_bytes());
        to.extend(text.as_bytes());
    }

    /// Calls a function with one row, and adds its outcome without the length.
    fn call(function: fn(&mut Row), outputs: usize, arguments: &[u8], flags: u8, to: &mut Vec<u8>) {
        let mut row = Row { arguments, ..Row::default() };
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| function(&mut row))) {
            Ok(()) => {
                to.push(0);
                row.outputs.resize(outputs, None);
                for output in row.outputs {
                    to.push(output.is_some() as u8);
                    to.extend(output.unwrap_or_default());
                }
            }
            Err(_) => {
                to.push(1);
                let said = SAID.with(|said| std::mem::take(&mut *said.borrow_mut()));
                said.iter().for_each(|said| text(if flags & TELL == 0 { "" } else { said }, to));
            }
        }
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

    /// What a process of its own writes, and how it ended; `None` if its time was up.
    fn forked(errors: Option<&std::fs::File>, work: impl FnOnce() -> Vec<u8>) -> (Vec<u8>, Option<i32>) {
        use std::os::fd::{AsRawFd, FromRawFd};
        let mut ends = [0; 2];
        unsafe {
            if pipe(ends.as_mut_ptr()) != 0 { panic!("no pipe: {}", std::io::Error::last_os_error()); }
            for end in ends { keep(end); }
            let child = fork();
            if child == 0 {
                end_with_parent();
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
    fn apart(function: fn(&mut Row), outputs: usize, row: &[u8], flags: u8, errors: &mut Option<std::fs::File>, to: &mut Vec<u8>) {
        if let Some(errors) = errors { let _ = errors.set_len(0).and(errors.seek(SeekFrom::Start(0))); }
        let (answer, status) = forked(errors.as_ref(), || {
            let mut answer = Vec::new();
            call(function, outputs, row, flags, &mut answer);
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
            let ends = (std::fs::File::from_raw_fd(keep(dup(0))), std::fs::File::from_raw_fd(keep(dup(1))));
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
            if let Some(resource) = address_space { setrlimit(resource, &[memory, memory]); }
        }
    }

    pub fn run(calls: &[(fn(&mut Row), usize)]) {
        let memory = std::env::args().nth(1).and_then(|memory| memory.parse().ok());
        memory.into_iter().for_each(limit);
        end_with_parent();
        let (mut input, mut output) = ends();
        std::panic::set_hook(Box::new(|info| {
            let payload = info.payload();
            let owned = payload.downcast_ref::<String>().map(String::as_str);
            let said = payload.downcast_ref::<&'static str>().copied().or(owned).unwrap_or("");
            let place = info.location().map(|place| place.to_string()).unwrap_or_default();
            SAID.with(|kept| *kept.borrow_mut() = [said.to_owned(), place]);
        }));
        let mut head = [0; 13];
        while input.read_exact(&mut head).is_ok() {
            let mut rest = &head[1..];
            let (function, rows, length) = (count(&mut rest), count(&mut rest), count(&mut rest));
            let mut arguments = vec![0; length];
            if input.read_exact(&mut arguments).is_err() { return; }
            let (function, outputs) = calls[function];
            let mut errors = if head[0] & TELL == 0 { None } else { errors() };
            if head[0] & APART == 0 {
                let mut answers = Vec::new();
                end_after(FRAME_SECONDS);
                for row in self::rows(&arguments, rows) {
                    sized(&mut answers, |to| call(function, outputs, row, head[0], to));
                }
                end_after([0, 0]);
                if output.write_all(&answers).is_err() { return; }
                continue;
            }
            for row in self::rows(&arguments, rows) {
                let mut answer = Vec::new();
                sized(&mut answer, |to| apart(function, outputs, row, head[0], &mut errors, to));
                if output.write_all(&answer).is_err() { return; }
            }
        }
    }
}

fn main() {
    dodona_worker::run(DODONA_CALLS)
}
