"""Prints the tables of results/ in Markdown. `tables.py --test` tests the statistics by enumeration instead.

Each mutant is a stratum: calls are compared with calls for the same mutant alone, since some mutants are violated at once and others hardly ever."""

import itertools
import math
import statistics
import sys
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import common

BASE, OTHERS = "round-robin", ["feedback", "bandit"]
# Up to so many calls in all, p is exact for one stratum; the polynomials take milliseconds there.
MOST_EXACT = 200


def a12(xs, ys):
    """Vargha and Delaney: the chance that one of xs is greater than one of ys, with ties as halves."""
    return sum((x > y) + (x == y) / 2 for x in xs for y in ys) / (len(xs) * len(ys))


def doubled_ranks(values):
    """The midranks of values, doubled so that they are whole."""
    ordered, ranks, below = Counter(values), {}, 0
    for value in sorted(ordered):
        ranks[value] = 2 * below + ordered[value] + 1
        below += ordered[value]
    return [ranks[value] for value in values]


def exact_p(xs, ys):
    """The two-sided p of Mann and Whitney given the ties: of all choices of as many values as xs, the share that lies as far from the middle."""
    ranks = doubled_ranks(xs + ys)
    # ways[k] has in its bits, 256 for each sum, how many choices of k ranks have that sum: fewer than 2^200 for 200 values.
    ways = [1] + [0] * len(xs)
    for rank in ranks:
        for k in range(len(xs), 0, -1):
            ways[k] += ways[k - 1] << (256 * rank)
    counts, packed, total = [], ways[len(xs)].to_bytes(32 * (sum(ranks) + 2), "little"), 0
    for at in range(0, len(packed), 32):
        counts.append(int.from_bytes(packed[at : at + 32], "little"))
        total += counts[-1]
    seen, middle = sum(ranks[: len(xs)]), len(xs) * (len(ranks) + 1)
    return sum(n for rank_sum, n in enumerate(counts) if abs(rank_sum - middle) >= abs(seen - middle)) / total


def moments(xs, ys):
    """How far the rank sum of xs is from its mean, and its variance given the ties."""
    ranks = doubled_ranks(xs + ys)
    n, m = len(xs), len(ys)
    deviation = sum(ranks[:n]) / 2 - n * (n + m + 1) / 2
    ties = sum(t**3 - t for t in Counter(xs + ys).values())
    return deviation, n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1)))


def stratified_p(strata):
    """The two-sided p over strata of (xs, ys): exact for one, by the normal distribution of the sum of rank sums for several."""
    if len(strata) == 1 and len(strata[0][0]) + len(strata[0][1]) <= MOST_EXACT:
        return exact_p(*strata[0])
    deviations, variances = zip(*(moments(xs, ys) for xs, ys in strata))
    if sum(variances) == 0:
        return 1.0
    return math.erfc(abs(sum(deviations)) / math.sqrt(2 * sum(variances)))


def holm(ps):
    """The p values of several tests, made larger by the method of Holm."""
    adjusted, least = [0.0] * len(ps), 0.0
    for place, at in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        least = max(least, min(1.0, ps[at] * (len(ps) - place)))
        adjusted[at] = least
    return adjusted


def read(folder):
    """For each subject, mutant and schedule the calls; what was not found counts as one more than the budget, so that such are equal."""
    found = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for file in sorted(folder.glob("*.csv")):
        for row in common.rows(file):
            calls = int(row["calls"]) if row["calls"] else int(row["budget"]) + 1
            found[row["subject"], int(row["budget"])][row["mutant"]][row["schedule"]].append(calls)
    return found


def shown(calls, budget):
    return f"> {budget}" if calls > budget else f"{calls:g}"


def main():
    found, body, ps = read(Path(__file__).parent / "results"), [], []
    for (subject, budget), mutants in found.items():
        for schedule in [BASE, *OTHERS]:
            every = [calls for mutant in mutants.values() for calls in mutant[schedule]]
            row = [subject, len(mutants), schedule, shown(statistics.median(every), budget),
                   f"{sum(calls > budget for calls in every)} of {len(every)}"]
            if schedule != BASE:
                strata = [(mutant[schedule], mutant[BASE]) for mutant in mutants.values()]
                row.append(f"{statistics.mean(a12(xs, ys) for xs, ys in strata):.3f}")
                ps.append(stratified_p(strata))
            body.append(row)
    adjusted = iter(zip(ps, holm(ps)))
    for row in body:
        row.extend(["", "", ""] if row[2] == BASE else [f"{p:.2g}" for p in next(adjusted)])
    common.table(["subject", "mutants", "schedule", "median of calls", "not found", "A12", "p", "p by Holm"], body)


def test():
    for xs, ys in [([1, 2], [3, 4]), ([1, 1, 2], [1, 3, 3, 5]), ([2, 2], [2, 2]), ([7], [1, 2, 3]), ([5, 1, 9], [9, 9])]:
        both = doubled_ranks(xs + ys)
        middle = len(xs) * (len(both) + 1)
        sums = [sum(chosen) for chosen in itertools.combinations(both, len(xs))]
        far = [s for s in sums if abs(s - middle) >= abs(sum(both[: len(xs)]) - middle)]
        assert math.isclose(exact_p(xs, ys), len(far) / len(sums)), (xs, ys)
        mean, variance = statistics.mean(sums) / 2, statistics.pvariance(sums) / 4
        assert math.isclose(moments(xs, ys)[0], sum(both[: len(xs)]) / 2 - mean, abs_tol=1e-9)
        assert math.isclose(moments(xs, ys)[1], variance, abs_tol=1e-9)
        assert math.isclose(a12(xs, ys) + a12(ys, xs), 1)
    assert a12([1, 2], [3, 4]) == 0 and exact_p([1, 2], [3, 4]) == 1 / 3
    apart = list(range(30)), list(range(30, 60))
    assert math.isclose(exact_p(*apart), 2 / math.comb(60, 30))
    assert stratified_p([apart, apart]) < 1e-15 and stratified_p([([1], [1]), ([2], [2])]) == 1
    assert holm([0.01, 0.04, 0.03]) == [0.03, 0.06, 0.06]
    print("the statistics agree with enumeration")


if __name__ == "__main__":
    test() if sys.argv[1:] == ["--test"] else main()
