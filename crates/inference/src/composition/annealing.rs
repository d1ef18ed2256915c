//! How simulated annealing cools, and which steps downwards it takes. The paper says its temperatures, and that it is basic simulated annealing
//! (section 4.2); so steps are taken by the usual rule (Kirkpatrick, Gelatt and Vecchi, "Optimization by Simulated Annealing", 1983).

use super::Settings;

/// The temperature of each step: from the hottest one, each a share of the one before, as long as they are above the coldest.
pub(super) fn temperatures(settings: &Settings) -> impl Iterator<Item = f64> {
    let (coldest, cooling) = (settings.coldest, settings.cooling);
    std::iter::successors(Some(settings.hottest), move |temperature| Some(temperature * cooling))
        .take_while(move |temperature| *temperature > coldest)
}

/// The probability of a step from one sequence to another, whose relations hold on these shares of their eligible inputs. A fitness counts the
/// inputs on which a relation holds (section 3.3.3), so that temperatures count inputs too: a step that loses as many of M inputs as the
/// temperature says is taken with a probability of 1/e. A step that loses nothing is always taken.
///
/// Of relations that are eligible on some of the inputs only, the share is taken of those, and counted as if it were of all M: the paper, whose
/// relations have no conditions, does not say.
pub(super) fn acceptance(from: f64, to: f64, inputs: u32, temperature: f64) -> f64 {
    let gain = (to - from) * f64::from(inputs);
    if gain >= 0.0 { 1.0 } else { (gain / temperature).exp() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether two numbers agree in the digits that were computed by hand.
    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 5e-5, "{found} is not {expected}");
    }

    #[test]
    fn a_step_down_is_as_likely_as_its_lost_inputs_say() {
        // From all of 100 inputs to half of them at the temperatures of the study: e^(-50/200) at the first step, e^(-50/50) later.
        assert_close(acceptance(1.0, 0.5, 100, 200.0), 0.7788);
        assert_close(acceptance(1.0, 0.5, 100, 50.0), 0.3679);
        // 7 inputs of 100 at 10 degrees: e^(-0.7).
        assert_close(acceptance(0.9, 0.83, 100, 10.0), 0.4966);
        // At the last step even a single input is too much: e^(-1/0.00515) is about 10^-84.
        assert!(acceptance(1.0, 0.99, 100, 0.00515) < 1e-80);
    }

    #[test]
    fn temperatures_are_numbers_of_inputs_however_many_there_are() {
        // The same share of ten times as many inputs is ten times the loss: e^(-500/200) and e^(-5/200).
        assert_close(acceptance(1.0, 0.5, 1000, 200.0), 0.0821);
        assert_close(acceptance(1.0, 0.5, 10, 200.0), 0.9753);
    }

    #[test]
    fn steps_up_and_along_are_always_taken() {
        assert_eq!(acceptance(0.2, 0.9, 100, 0.005), 1.0);
        assert_eq!(acceptance(0.4, 0.4, 100, 0.005), 1.0);
    }

    #[test]
    fn the_temperatures_of_the_study_make_207_steps() {
        // 200 * 0.95^206 = 0.005154, and 200 * 0.95^207 = 0.004897 is below 0.005.
        let all: Vec<f64> = temperatures(&Settings::default()).collect();
        assert_eq!(all.len(), 207);
        assert_eq!(all[..2], [200.0, 190.0]);
        assert!((0.00515..0.00516).contains(&all[206]));
        let few = Settings { hottest: 8.0, coldest: 1.0, cooling: 0.5, ..Settings::default() };
        assert_eq!(temperatures(&few).collect::<Vec<f64>>(), [8.0, 4.0, 2.0]);
    }
}
