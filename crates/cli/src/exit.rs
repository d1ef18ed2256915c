//! Exit codes.

/// How the command ends, for scripts. The numbers are part of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything holds.
    Success = 0,
    /// A relation is violated, or a threshold is missed.
    Violated = 1,
    /// Bad usage or input: an argument, a manifest, a relation, a file of inputs; also where nothing was tested: a relation
    /// that no source input was ever eligible for, a score, share or rate of nothing.
    Usage = 2,
    /// A budget was spent before there was an answer.
    Budget = 3,
    /// The subject could not be built or run.
    Subject = 4,
    /// Dodona contradicts itself or failed inside: a mistake of ours. Nothing that such a command says can be relied on.
    Mistake = 5,
    /// Interrupted by ctrl-C; what was found until then is printed. 128 + SIGINT, as shells have it.
    Interrupted = 130,
}

impl Exit {
    /// The worse of two. What was found out comes before what could not be found out: a violation stays one whatever else
    /// failed. Only a mistake of ours and an interruption, after which nothing or not everything can be relied on, outweigh it.
    pub(crate) fn or_worse(self, other: Exit) -> Exit {
        if other.badness() > self.badness() { other } else { self }
    }

    fn badness(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Budget => 1,
            Exit::Usage => 2,
            Exit::Subject => 3,
            Exit::Violated => 4,
            Exit::Interrupted => 5,
            Exit::Mistake => 6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_is_the_same_in_any_order() {
        let ascending = [
            Exit::Success,
            Exit::Budget,
            Exit::Usage,
            Exit::Subject,
            Exit::Violated,
            Exit::Interrupted,
            Exit::Mistake,
        ];
        for (worse, &a) in ascending.iter().enumerate() {
            for &b in &ascending[..=worse] {
                assert_eq!([a.or_worse(b), b.or_worse(a)], [a, a]);
            }
        }
    }
}
