"""Chooses operators: the sets whose mutants keep enough dominators with the fewest mutants to run."""


def bits_of(names, bit):
    return sum(bit[name] for name in names.split() if name in bit)


def count(counts, operators):
    """Of sets of operators, each with its number, how many have one of these."""
    chosen = set(operators)
    return sum(number for names, number in counts.items() if not chosen.isdisjoint(names.split()))


def smallest(programs, share):
    """The operators that keep at least this share of dominators, on average of the programs, with the fewest mutants to run; by their names.

    A group of dominators is kept by a set that has an operator of one of its mutants, for a test for that mutant brings down what the group subsumes.
    Code has to be run if an operator of the set makes it. Programs count alike, whatever their size. All sets that keep enough are looked at:
    with an operator that is left out goes what only operators left out have, which can only grow, so that few sets remain.
    """
    useful = sorted({name for one in programs for names in one["dominator_operators"] for name in names.split()})
    bit = {name: 1 << place for place, name in enumerate(useful)}
    missed, spared = {}, {}
    for one in programs:
        for key, weights in (("dominator_operators", missed), ("code_operators", spared)):
            total = sum(one[key].values()) * len(programs)
            for names, number in one[key].items():
                # Operators without a dominator are left out in any case.
                bits = bits_of(names, bit)
                weights[bits] = weights.get(bits, 0) + number / total
    best = (-1.0, 0)
    open_ = [(0, 0)]
    while open_:
        left_out, first = open_.pop()
        gain = sum(weight for bits, weight in spared.items() if not bits & ~left_out)
        best = max(best, (gain, left_out))
        for place in range(first, len(useful)):
            more = left_out | 1 << place
            if sum(weight for bits, weight in missed.items() if not bits & ~more) <= 1 - share + 1e-9:
                open_.append((more, place + 1))
    return [name for name in useful if not best[1] & bit[name]]
