//! Every way in which threads end.

use dodona_target::Interruption;

use super::*;

fn panicked(error: LabError) -> Panicked {
    match error {
        LabError::Panicked(panicked) => panicked,
        other => panic!("{other}"),
    }
}

fn idle() -> Until {
    Until::default()
}

#[test]
fn each_piece_is_run_once_and_in_order_whatever_the_number_of_threads() {
    for jobs in [1, 2, 7] {
        let ended = run((Worker::Check, jobs, 20), |_| (), |(), piece| Ok(piece), &idle(), &mut |_| {});
        let Ok(Ended::Done(done)) = ended else { panic!("{jobs} threads: not done") };
        assert_eq!(done, (0..20).collect::<Vec<_>>(), "{jobs} threads");
    }
}

#[test]
fn each_item_is_worked_on_once_whatever_the_number_of_threads() {
    for jobs in [1, 2, 7] {
        let mut items: Vec<usize> = vec![0; 20];
        let mut told = 0;
        let work = |index: usize, item: &mut usize| {
            *item += index;
            Ok(())
        };
        each((Worker::Check, jobs), &mut items, work, &mut |done| told = done).expect("no error");
        assert_eq!((items, told), ((0..20).collect::<Vec<_>>(), 20), "{jobs} threads");
    }
}

#[test]
fn without_pieces_there_is_nothing_to_do() {
    let ended = run((Worker::Check, 2, 0), |_| (), |(), piece| Ok(piece), &idle(), &mut |_| {});
    assert!(matches!(ended, Ok(Ended::Done(done)) if done.is_empty()));
    each((Worker::Check, 2), &mut [0; 0], |_, _| Ok(()), &mut |_| {}).expect("no error");
}

#[test]
fn a_panic_on_a_thread_is_an_error_and_no_interruption() {
    for jobs in [1, 3] {
        let work = |(): &mut (), piece: usize| {
            assert_ne!(piece, 5, "piece five");
            Ok(piece)
        };
        let ended = run((Worker::Mutants, jobs, 20), |_| (), work, &idle(), &mut |_| {});
        let panicked = panicked(ended.err().expect("it panicked"));
        assert_eq!(panicked.worker, Worker::Mutants);
        assert!(panicked.message.contains("piece five"), "{panicked}");
        assert!(panicked.place.is_some_and(|place| place.contains("tests.rs:")));
    }
}

#[test]
fn a_worker_that_cannot_be_made_is_an_error() {
    let worker = |_: &Until| -> () { panic!("no worker") };
    let ended = run((Worker::Baseline, 2, 3), worker, |(), piece| Ok(piece), &idle(), &mut |_| {});
    assert_eq!(panicked(ended.err().expect("it panicked")).message, "no worker");
}

#[test]
fn a_panic_in_scoped_work_is_an_error_too() {
    for jobs in [1, 3] {
        let work = |index: usize, _: &mut usize| {
            assert_ne!(index, 5, "item five");
            Ok(())
        };
        let mut items = [0; 20];
        let error = each((Worker::Evolution, jobs), &mut items, work, &mut |_| {}).expect_err("it panicked");
        assert!(panicked(error).message.contains("item five"));
    }
}

#[test]
fn of_several_errors_that_of_the_first_item_is_given() {
    for jobs in [1, 2, 20] {
        let work = |index: usize, _: &mut usize| match index {
            0..3 => Ok(()),
            _ => Err(LabError::Sources(index.to_string())),
        };
        let error = each((Worker::Suites, jobs), &mut [0; 20], work, &mut |_| {}).expect_err("an error");
        assert_eq!(error.to_string(), "3");
    }
}

#[test]
fn an_interruption_gives_what_was_done_and_is_no_error() {
    let interrupted = Interruption::default();
    let (release, wait) = std::sync::mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let work = move |(): &mut (), piece: usize| {
        if piece > 0 {
            // Stands for a slow call: it ends when the test has, and nobody waits for it.
            let _ = wait.lock().map(|wait| wait.recv());
        }
        Ok(piece)
    };
    let raise = &mut |_: &usize| _ = interrupted.raise();
    let ended = run((Worker::Mutants, 1, 3), |_| (), work, &Until::interrupted(&interrupted), raise);
    let Ok(Ended::Interrupted(done)) = ended else { panic!("not interrupted") };
    assert_eq!(done, [Some(0), None, None]);
    drop(release);
}

#[test]
fn one_who_waits_and_panics_stops_the_threads() {
    let crew = Crew::new(Worker::Check, 1);
    let ended = guarded(Worker::Command, || {
        let _stop = StopAtEnd(&crew);
        panic!("told");
    });
    assert!(ended.is_err() && !crew.goes_on());
}

#[test]
fn workers_are_told_when_nobody_waits_any_more() {
    let (told, heard) = channel();
    let interruption = Interruption::default();
    let until = Until::interrupted(&interruption);
    let work = move |until: &mut Until, _: usize| {
        // Somebody interrupts while a piece is worked on, as during a call that takes long.
        interruption.raise();
        while until.goes_on() {
            std::thread::yield_now();
        }
        let _ = told.send(());
        Ok(())
    };
    let ended = run((Worker::Mutants, 2, 2), Until::clone, work, &until, &mut |()| {});
    let Ok(Ended::Interrupted(done)) = ended else { panic!("it was interrupted") };
    assert_eq!(done, [None, None]);
    heard.recv().expect("the first ended");
}
