use std::time::Duration;

use super::script;
use crate::solver::process::{Failure, Process, Wanted};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(50);

/// Answers `sat` to check-sat and echoes what it is told to.
pub(super) const OBEDIENT: &str = r#"while read line; do
    case "$line" in
        '(check-sat)') echo sat;;
        '(echo '*) line=${line#*\"}; echo "${line%\"*}";;
    esac
done"#;

fn start(text: &str) -> Process {
    Process::start(&script(text).candidates()[0]).unwrap()
}

#[test]
fn answers_come_one_by_one() {
    let mut process = start(OBEDIENT);
    assert_eq!(process.ask("(check-sat)\n", LONG, &Wanted::default()), Ok("sat\n".to_owned()));
    assert_eq!(process.ask("(push 1)\n", LONG, &Wanted::default()), Ok(String::new()));
    assert_eq!(
        process.ask("(check-sat)\n(check-sat)\n", LONG, &Wanted::default()),
        Ok("sat\nsat\n".to_owned())
    );
}

#[test]
fn a_noisy_standard_error_disturbs_nobody() {
    let mut process = start(&format!("head -c 1000000 /dev/zero >&2; {OBEDIENT}"));
    assert_eq!(process.ask("(check-sat)\n", LONG, &Wanted::default()), Ok("sat\n".to_owned()));
}

#[test]
fn a_slow_start_is_waited_for() {
    let mut process = start(&format!("sleep 0.2; {OBEDIENT}"));
    assert_eq!(process.ask("(check-sat)\n", LONG, &Wanted::default()), Ok("sat\n".to_owned()));
}

#[test]
fn a_hanging_solver_is_given_up_even_if_it_does_not_read() {
    let mut process = start("sleep 1000");
    let more_than_a_pipe_holds = "(check-sat)\n".repeat(100_000);
    assert_eq!(process.ask(&more_than_a_pipe_holds, SHORT, &Wanted::default()), Err(Failure::Silent(SHORT)));
}

#[test]
fn death_is_noticed_before_the_limit() {
    assert_eq!(start("exit 0").ask("(check-sat)\n", LONG, &Wanted::default()), Err(Failure::Died));
    assert_eq!(
        start("read line; echo sat; kill -9 $$").ask("(check-sat)\n", LONG, &Wanted::default()),
        Err(Failure::Died)
    );
}

#[test]
fn an_answer_without_end_is_given_up() {
    assert_eq!(
        start("yes \"$(head -c 100000 /dev/zero | tr '\\0' x)\"").ask(
            "(check-sat)\n",
            LONG,
            &Wanted::default()
        ),
        Err(Failure::Endless)
    );
}

#[test]
fn what_is_not_text_is_read_all_the_same() {
    let mut process = start(&format!("printf '\\377\\n'; {OBEDIENT}"));
    assert_eq!(process.ask("(check-sat)\n", LONG, &Wanted::default()), Ok("\u{fffd}\nsat\n".to_owned()));
}

#[test]
fn nothing_is_left_of_it() {
    // A solver behind a wrapper: the wrapper's child has to end as well.
    let mut process = start(&format!("sleep 1000 & {OBEDIENT}"));
    assert_eq!(process.ask("(check-sat)\n", LONG, &Wanted::default()), Ok("sat\n".to_owned()));
    let wrapper = process.id();
    let child = std::fs::read_to_string(format!("/proc/{wrapper}/task/{wrapper}/children")).unwrap();
    drop(process);
    assert!(!std::path::Path::new(&format!("/proc/{wrapper}")).exists());
    // The child of the wrapper has been told to end; who adopted it waits for it, some time.
    let ended = |_| {
        std::thread::sleep(Duration::from_millis(1));
        let state = std::fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
        state.is_empty() || state.contains(") Z ") || state.contains(") X ")
    };
    assert!((0..60_000).any(ended));
}

#[test]
fn a_program_that_does_not_exist_does_not_start() {
    let choice = crate::solver::SolverChoice::find(Some("/no/such/solver"), &Default::default()).unwrap();
    assert!(matches!(Process::start(&choice.candidates()[0]), Err(Failure::NotStarted(_))));
}

#[test]
fn an_answer_that_nobody_wants_any_more_is_not_waited_for() {
    let mut process = start("cat > /dev/null");
    assert_eq!(process.ask("(check-sat)\n", LONG, &Wanted::new(|| false)), Err(Failure::NotWanted));
}
