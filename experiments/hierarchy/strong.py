"""Chooses the operators whose suites bring down enough dominators with the fewest mutants, on the programs and with each left out.

  strong.py FOLDER NAME...      FOLDER has NAME.json, the record of `dodona hierarchy`, and NAME.kills, the kill matrix; prints JSON

A suite for some operators is drawn (digest.py); what it brings down of the dominators it often brings down by chance, unlike in choice.py,
where a set has to have a mutant of each. Operators are added by what they gain for what they cost, then those are dropped that are not needed:
a greedy choice, for trying all sets would take weeks.
"""

import json
import random
import sys

import digest
from choice import count

# The share of dominators that suites have to bring down.
ENOUGH = 0.95
# Suites drawn a program: few while sets are compared, many for what is told of the one that is chosen.
DRAWN, TOLD = 4, 20


class Program:
    def __init__(self, record, kills):
        record = digest.record_of(record)
        killed, _ = digest.matrix(kills)
        of = {mutant["id"]: mutant["operator"] for mutant in record["mutants"]}
        origin = {mutant["id"]: mutant["judgement"].get("of", mutant["id"]) for mutant in record["mutants"]}
        groups, dominators = digest.groups_of({mutant: killed.get(origin[mutant], 0) for mutant in of})
        width = max(row.bit_length() for row in groups) // 8 + 1
        self.rows = [row.to_bytes(width, "little") for row in groups]
        self.tests = [[place for place, bit in enumerate(reversed(bin(row)[2:])) if bit == "1"] for row in groups]
        self.sizes = [len(mutants) for mutants in groups.values()]
        self.operators = [{of[mutant] for mutant in mutants} for mutants in groups.values()]
        places = {row: place for place, row in enumerate(groups)}
        self.dominators = [places[row] for row in dominators]
        codes = {}
        for mutant, first in origin.items():
            codes.setdefault(first, []).append(mutant)
        same = {m["id"] for m in record["mutants"] if m["judgement"].get("proof") == "same-code"}
        sets = (digest.operators(mutants, of) for first, mutants in codes.items() if first not in same)
        self.codes = digest.counted(sets)

    def cost(self, names):
        """The share of the mutants that are run."""
        return count(self.codes, names) / sum(self.codes.values())

    def gain(self, names, suites):
        """The shares of the dominators and of the mutants that suites for these operators bring down, on average."""
        draw = random.Random(0)
        wanted = [place for place, operators in enumerate(self.operators) if not operators.isdisjoint(names)]
        dominators = mutants = 0
        for _ in range(suites):
            chosen = digest.suite(self.rows, wanted, self.tests.__getitem__, draw)
            killed = [any(row[test >> 3] >> (test & 7) & 1 for test in chosen) for row in self.rows]
            dominators += sum(killed[place] for place in self.dominators) / len(self.dominators)
            mutants += sum(size for size, one in zip(self.sizes, killed) if one) / sum(self.sizes)
        return dominators / suites, mutants / suites


def average(values):
    values = list(values)
    return sum(values) / len(values)


def choose(programs):
    gain = lambda names: average(one.gain(names, DRAWN)[0] for one in programs)
    cost = lambda names: average(one.cost(names) for one in programs)
    every = sorted({name for one in programs for names in one.operators for name in names})
    chosen, reached = [], 0.0
    while reached < ENOUGH and len(chosen) < len(every):
        more = [(name, gain([*chosen, name])) for name in every if name not in chosen]
        paid = cost(chosen)
        name, reached = max(more, key=lambda one: ((one[1] - reached) / (cost([*chosen, one[0]]) - paid + 1e-6), one[0]))
        chosen.append(name)
    for name in list(chosen):
        fewer = [other for other in chosen if other != name]
        if gain(fewer) >= ENOUGH:
            chosen = fewer
    return sorted(chosen)


def told(names, programs):
    shares = [one.gain(names, TOLD) for one in programs]
    return {
        "operators": " ".join(names),
        "run": round(average(one.cost(names) for one in programs), 4),
        "dominators": [round(share[0], 4) for share in shares],
        "mutants": [round(share[1], 4) for share in shares],
    }


def main(folder, *names):
    programs = [Program(f"{folder}/{name}.json", f"{folder}/{name}.kills") for name in names]
    found = {"all": told(choose(programs), programs)}
    for name, one in zip(names, programs):
        found[name] = told(choose([other for other in programs if other is not one]), [one])
    print("{" + ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in found.items()) + "}")


if len(sys.argv) < 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
