//! The exact choice, by branch and bound.

use fixedbitset::FixedBitSet;

use super::{Choosable, Chosen, greedy, union};

/// The result of an exact choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    /// The best choice that was found.
    pub chosen: Chosen,
    /// Whether no better one exists. `false` if the bound on the work was met first.
    pub is_proved: bool,
}

/// The smallest set of relations that kills all mutants that can be killed; among the smallest sets one of the fewest
/// runs, and of these one of the fewest layers. It visits at most `most_nodes` nodes of the search tree: ten thousand take milliseconds.
pub fn exact(all: &[Choosable], most_nodes: usize) -> Exact {
    let everyone: Vec<usize> = (0..all.len()).collect();
    let mut search = Search { all, best: greedy(all), left: most_nodes };
    let is_proved = search.branch(&mut Vec::new(), &union(all, &everyone));
    Exact { chosen: search.best, is_proved }
}

struct Search<'a> {
    all: &'a [Choosable],
    best: Chosen,
    left: usize,
}

impl Search<'_> {
    /// Tries all ways to kill the remaining mutants. `false` if the bound on the work was met.
    fn branch(&mut self, chosen: &mut Vec<usize>, remaining: &FixedBitSet) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let Some(mutant) = self.hardest(remaining) else {
            let found = Chosen::of(self.all, chosen.clone());
            if self.cost(&found) < self.cost(&self.best) {
                self.best = found;
            }
            return true;
        };
        if self.bound(chosen, remaining) >= self.cost(&self.best) {
            return true;
        }
        let mut killers: Vec<usize> =
            (0..self.all.len()).filter(|&i| self.all[i].kills.contains(mutant)).collect();
        killers.sort_by_key(|&i| (std::cmp::Reverse(self.gain(i, remaining)), self.all[i].runs, i));
        let mut is_complete = true;
        for killer in killers {
            chosen.push(killer);
            let mut rest = remaining.clone();
            rest.difference_with(&self.all[killer].kills);
            is_complete &= self.branch(chosen, &rest);
            chosen.pop();
        }
        is_complete
    }

    /// The remaining mutant that the fewest relations kill: one of these has to be chosen.
    fn hardest(&self, remaining: &FixedBitSet) -> Option<usize> {
        let killers = |&mutant: &usize| self.all.iter().filter(|c| c.kills.contains(mutant)).count();
        remaining.ones().min_by_key(killers)
    }

    /// A lower bound on the cost of any completion of the choice: no relation kills more further mutants than the best one, and
    /// each takes at least the fewest runs of all and has at least one layer.
    fn bound(&self, chosen: &[usize], remaining: &FixedBitSet) -> [usize; 3] {
        let most = (0..self.all.len()).map(|i| self.gain(i, remaining)).max().unwrap_or(0).max(1);
        let further = remaining.count_ones(..).div_ceil(most);
        let useful = (0..self.all.len()).filter(|&i| self.gain(i, remaining) > 0);
        let fewest = useful.map(|i| self.all[i].runs).min().unwrap_or(0);
        let runs: usize = chosen.iter().map(|&i| self.all[i].runs).sum();
        let layers: usize = chosen.iter().map(|&i| self.all[i].layers).sum();
        [chosen.len() + further, runs + further * fewest, layers + further]
    }

    fn gain(&self, relation: usize, remaining: &FixedBitSet) -> usize {
        self.all[relation].kills.intersection_count(remaining)
    }

    fn cost(&self, chosen: &Chosen) -> [usize; 3] {
        let layers = chosen.relations.iter().map(|&i| self.all[i].layers).sum();
        [chosen.relations.len(), chosen.runs, layers]
    }
}
