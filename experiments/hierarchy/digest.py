"""Reads what the commands printed and keeps the figures that the tables need.

  digest.py inputs RECORD.json                the inputs of the classes, a line of JSON each, for --from
  digest.py study RECORD.json ALL FEW SECONDS SOURCE...
        one subject as JSON: the record of `dodona hierarchy`, ALL the kill matrix of `dodona mutate` on the same inputs and FEW that on the
        inputs of the classes alone, both in the compact form; the seconds that the record took; the sources, for their lines
  digest.py sound NAME RECORD.json            one line of comma-separated values: what the code says, and what contradicts it
"""

import collections
import json
import random
import struct
import sys

from sets import SETS

# Suites that are drawn for each set of operators: enough for averages, and 40 s for tcas.
SUITES = 20


def matrix(path):
    """The kill matrix: for each mutant's number the tests that kill it, as the bits of one integer, and the number of tests."""
    with open(path, "rb") as file:
        data = file.read()
    magic, version, sections, mutants = struct.unpack_from("<8sIIQ", data)
    if magic != b"DODONAKM" or version not in (1, 2):
        sys.exit(f"{path} is no kill matrix of version 1 or 2")
    # From version 2 on 16 bytes say what the matrix was made of.
    at, tests = (24 if version == 1 else 40), 0
    for _ in range(sections):
        _, length = struct.unpack_from("<BI", data, at)
        (count,) = struct.unpack_from("<Q", data, at + 5 + length)
        tests += count
        at += 13 + length
    width = (tests + 7) // 8
    ids = struct.unpack_from(f"<{mutants}I", data, at)
    at += 4 * mutants
    if len(data) != at + width * mutants:
        sys.exit(f"{path} has {len(data)} bytes where its header says {at + width * mutants}")
    rows = (data[at + width * row : at + width * (row + 1)] for row in range(mutants))
    return {f"M{number}": int.from_bytes(row, "little") for number, row in zip(ids, rows)}, tests


def record_of(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def class_inputs(path):
    """Values are printed as JSON writes them."""
    record = record_of(path)
    if len(record["functions"]) != 1:
        sys.exit(f"{record['subject']} has several functions, and a file of inputs is of one")
    for group in record["classes"]:
        print(json.dumps({binding["name"]: json.loads(binding["value"]) for binding in group["input"]}))


def related(statics):
    """All pairs (stronger, weaker) that follow from what the code says: same pairs are stronger both ways, and strength is transitive."""
    weaker = {}
    for stronger, other in statics["stronger"]:
        weaker.setdefault(stronger, set()).add(other)
    for one, other in statics["same"]:
        weaker.setdefault(one, set()).add(other)
        weaker.setdefault(other, set()).add(one)
    pairs = []
    for start in weaker:
        seen, open_ = {start}, [start]
        while open_:
            new = weaker.get(open_.pop(), set()) - seen
            seen |= new
            open_ += new
        pairs += [(start, other) for other in seen - {start}]
    return pairs


def groups_of(killed):
    """Mutants that the same tests kill, and of these groups the ones that no other subsumes."""
    groups = {}
    for mutant, row in killed.items():
        if row:
            groups.setdefault(row, []).append(mutant)
    rows = sorted(groups, key=lambda row: bin(row).count("1"))
    dominators = []
    for row in rows:
        # A group that is not minimal is subsumed by a minimal one, which has fewer tests and came before.
        if not any(other & row == other for other in dominators):
            dominators.append(row)
    return groups, dominators


def apart(rows):
    """How many of these groups have no test in common, of those with the fewest tests first: so many tests are needed at least."""
    taken, count = 0, 0
    for row in rows:
        if not row & taken:
            taken |= row
            count += 1
    return count


def operators(mutants, of):
    return sorted({of[mutant] for mutant in mutants})


def suite(rows, wanted, tests, draw):
    """Tests that together kill all wanted rows: each time one drawn among those that kill a row drawn among those left."""
    chosen, left = [], list(wanted)
    draw.shuffle(left)
    while left:
        test = draw.choice(tests(left[-1]))
        chosen.append(test)
        left = [row for row in left if not rows[row][test >> 3] >> (test & 7) & 1]
    return chosen


def by_chance(groups, dominators, wanted_of):
    """For each set of mutants, what suites for them kill of all: the averages of the shares of the mutants and of the dominators, and of the
    numbers of tests. `wanted_of` has a test of whether a mutant is in the set. Suites are drawn with a seed that does not change."""
    width = max(row.bit_length() for row in groups) // 8 + 1
    rows = {row: row.to_bytes(width, "little") for row in groups}
    positions = {}

    def tests(row):
        if row not in positions:
            positions[row] = [place for place, bit in enumerate(reversed(bin(row)[2:])) if bit == "1"]
        return positions[row]

    shares = {}
    for title, is_wanted in wanted_of.items():
        wanted = [row for row, mutants in groups.items() if any(map(is_wanted, mutants))]
        draw = random.Random(0)
        sums = [0.0, 0.0, 0.0]
        for _ in range(SUITES):
            chosen = suite(rows, wanted, tests, draw)
            killed = {row for row in groups if any(rows[row][test >> 3] >> (test & 7) & 1 for test in chosen)}
            sums[0] += sum(len(groups[row]) for row in killed) / sum(map(len, groups.values()))
            sums[1] += sum(row in killed for row in dominators) / len(dominators)
            sums[2] += len(chosen)
        shares[title] = [round(value / SUITES, 4) for value in sums]
    return shares


def strongest(statics, distinct):
    """Of mutants that differ in their code those that have to be run after what the code says: none that is equivalent, the first of those that
    do the same, and none that is weaker than another. A suite that kills these kills every other one, except for those whose stronger mutants
    are all killed by nothing."""
    dropped = set(statics["equivalent"]) | {other for _, other in statics["same"]}
    weaker = {}
    for one, other in related(statics):
        weaker.setdefault(one, set()).add(other)
    # Mutants that do the same are weaker than each other; of these the first one stays.
    for mutant in distinct:
        if mutant not in dropped:
            dropped |= {other for other in weaker.get(mutant, ()) if mutant not in weaker.get(other, ())}
    return [mutant for mutant in distinct if mutant not in dropped]


def fewer(record, distinct, same_code, groups, dominators, of, copies):
    """What is left where not all mutants are made: those of the operators in `strong`, the strongest by the code, and both. For each the mutants
    that are made and run, the share of dominators that have one, and what suites for them bring down."""
    chosen = set(SETS["strong"])
    run = [mutant for mutant in distinct if mutant not in same_code]
    by_code = set(strongest(record["statics"], run))
    origin = {copy: first for first, all_of in copies.items() for copy in all_of}
    is_chosen = lambda mutant: any(of[copy] in chosen for copy in copies.get(origin.get(mutant, mutant), [mutant]))
    is_strongest = lambda mutant: origin.get(mutant, mutant) in by_code
    wanted_of = {
        "all": lambda mutant: True,
        "operators": is_chosen,
        "code": is_strongest,
        "both": lambda mutant: is_chosen(mutant) and is_strongest(mutant),
    }
    shares = by_chance(groups, dominators, wanted_of)
    found = {}
    for title, is_wanted in wanted_of.items():
        made = sum(1 for mutant in of if title in ("all", "code") or of[mutant] in chosen)
        kept = sum(1 for row in dominators if any(map(is_wanted, groups[row])))
        found[title] = [made, sum(map(is_wanted, run)), kept, *shares[title]]
    return found


def counted(sets):
    """How often each set of operators is there, by their names with spaces between."""
    return dict(sorted(collections.Counter(map(" ".join, sets)).items()))


def operator_sets(of):
    """For each set of operators whether a mutant is of it."""
    return {title: (lambda mutant, names=names: of[mutant] in names) for title, names in SETS.items()}


def alternatives(statics):
    """How many pairs of mutants change blocks of which a run executes one at most."""
    blocks = statics["alternatives"]["blocks"]
    return sum(len(blocks[one]) * len(blocks[other]) for one, other in statics["alternatives"]["pairs"])


def killed_both(statics, rows):
    """Pairs of blocks of which a run executes one at most, with a test that kills a mutant of each: their first mutants."""
    blocks = statics["alternatives"]["blocks"]
    killing = [0] * len(blocks)
    for place, mutants in enumerate(blocks):
        for mutant in mutants:
            killing[place] |= rows[mutant]
    return [(blocks[one][0], blocks[other][0]) for one, other in statics["alternatives"]["pairs"] if killing[one] & killing[other]]


def apart_by_code(statics, rows):
    """How many mutants that some test kills, chosen one after the other, are pairwise disjoint by what the code says: so many tests are needed
    whatever inputs there are."""
    apart = {}
    for one, other in statics["disjoint"]:
        apart.setdefault(one, set()).add(other)
        apart.setdefault(other, set()).add(one)
    block_of, excluded = {}, {}
    for place, mutants in enumerate(statics["alternatives"]["blocks"]):
        block_of.update((mutant, place) for mutant in mutants)
    for one, other in statics["alternatives"]["pairs"]:
        excluded.setdefault(one, set()).add(other)
        excluded.setdefault(other, set()).add(one)
    are_apart = lambda a, b: b in apart.get(a, ()) or block_of.get(b) in excluded.get(block_of.get(a), ())
    sizes = [len(mutants) for mutants in statics["alternatives"]["blocks"]]
    partners = lambda m: len(apart.get(m, ())) + sum(sizes[block] for block in excluded.get(block_of.get(m), ()))
    taken = []
    # Those that are disjoint from the most others first.
    for mutant in sorted((m for m in rows if rows[m]), key=lambda m: (-partners(m), int(m[1:]))):
        if all(are_apart(mutant, other) for other in taken):
            taken.append(mutant)
    return len(taken)


def study(path, everything, few, seconds, sources):
    record = record_of(path)
    killed, tests = matrix(everything)
    by_classes, _ = matrix(few)
    of = {mutant["id"]: mutant["operator"] for mutant in record["mutants"]}
    status = {mutant["id"]: mutant["judgement"]["status"] for mutant in record["mutants"]}
    origin = {m["id"]: m["judgement"].get("of", m["id"]) for m in record["mutants"]}
    copies = {}
    for mutant, first in origin.items():
        copies.setdefault(first, []).append(mutant)
    with_copies = lambda mutants: [copy for mutant in mutants for copy in copies.get(mutant, [mutant])]
    same_code = {m["id"] for m in record["mutants"] if m["judgement"].get("proof") == "same-code"}
    by_state = set(with_copies(record["statics"]["equivalent"])) - same_code
    # A duplicate has its original's row, whether the matrix repeats it or not.
    rows = {mutant: killed.get(origin[mutant], 0) for mutant in of}
    few_rows = {mutant: by_classes.get(origin[mutant], 0) for mutant in of}
    alive_all = [mutant for mutant in of if rows[mutant]]
    groups, dominators = groups_of(rows)
    pairs = related(record["statics"])
    contradicted = [pair for pair in pairs if rows[pair[0]] & ~rows[pair[1]]]
    contradicted += [(mutant, mutant) for mutant in by_state if rows[mutant]]
    contradicted += [pair for pair in record["statics"]["disjoint"] if rows[pair[0]] & rows[pair[1]]]
    contradicted += killed_both(record["statics"], rows)
    strong = [group["strong"] for group in record["classes"]]
    lines = 0
    for source in sources:
        with open(source, encoding="utf-8") as file:
            lines += sum(1 for line in file if line.strip())
    distinct = [mutant for mutant in of if origin[mutant] == mutant]
    return {
        "subject": record["subject"],
        "inputs": record["inputs"],
        "tests": tests,
        "lines": lines,
        "mutants": len(of),
        "equivalent_code": len(same_code),
        "equivalent_state": len(by_state),
        "duplicates": sum(1 for mutant in of if status[mutant] == "duplicate"),
        "killed": len(alive_all),
        "killed_distinct": sum(1 for mutant in distinct if rows[mutant]),
        "killed_by_classes": sum(1 for mutant in of if few_rows[mutant]),
        "classes": len(record["classes"]),
        "strong": [len(mutants) for mutants in strong],
        "strong_operators": [operators(with_copies(mutants), of) for mutants in strong],
        "lost": [mutant for mutant in alive_all if not few_rows[mutant]],
        "gained": [mutant for mutant in of if few_rows[mutant] and not rows[mutant]],
        "dominators": len(dominators),
        "dominators_of_record": len(record["dominators"]),
        "groups": len(groups),
        "fewest_inputs": record["enough_inputs"],
        "least_inputs": apart(dominators),
        "misled": record["misled"],
        "statics": {key: len(value) if isinstance(value, list) else value for key, value in record["statics"].items() if key != "alternatives"},
        "stop": record["stop"]["reason"],
        "warnings": record["warnings"],
        "related": len(pairs),
        "contradicted": contradicted + record["contradictions"],
        "seconds": seconds,
        "by_chance": by_chance(groups, dominators, operator_sets(of)),
        # Mutants made, mutants run, dominators that have one of them, shares of mutants and dominators that suites kill, and their tests.
        "fewer": fewer(record, distinct, same_code, groups, dominators, of, copies),
        "alternatives": alternatives(record["statics"]),
        "killed_apart": apart_by_code(record["statics"], rows),
        # For the choice of operators: whose mutants each dominator has, and whose mutants compile to each code that has to be run.
        "dominator_operators": counted(operators(groups[row], of) for row in dominators),
        "code_operators": counted(operators(copies[m], of) for m in distinct if m not in same_code),
    }


def sound(name, path):
    record = record_of(path)
    statics = record["statics"]
    values = [
        name, len(record["mutants"]), record["inputs"], len(statics["equivalent"]), len(statics["same"]),
        len(statics["stronger"]), len(related(statics)), len(statics["disjoint"]), statics["disjoint_unknown"], alternatives(statics),
        statics["questions"], statics["unknown"], statics["unsupported"], record["stop"]["reason"], len(record["contradictions"]),
    ]
    print(",".join(map(str, values)))


def main(arguments):
    if arguments[:1] == ["inputs"] and len(arguments) == 2:
        class_inputs(arguments[1])
    elif arguments[:1] == ["study"] and len(arguments) >= 6:
        _, path, everything, few, seconds, *sources = arguments
        found = study(path, everything, few, float(seconds), sources)
        # A line a figure, so that differences can be read.
        print("{" + ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in found.items()) + "}")
    elif arguments[:1] == ["sound"] and len(arguments) == 3:
        sound(*arguments[1:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
