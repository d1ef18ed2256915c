"""Prints the tables of the README from results/ and the study's figures in paper/.

  tables.py [RESULTS]
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from choice import count, smallest  # noqa: E402
from common import rows as rows_of, table  # noqa: E402, found beside the experiments
from sets import SETS  # noqa: E402

NINE = ["compare_str", "find", "gcd", "iroot", "min", "prime", "selection", "triangle", "tcas"]

# Our operators in the names of the study's Table 3. LOR and SOR have no counterpart there, nor has COD: its operators come from FORTRAN, which has
# no bitwise operators, and the deletion of a negation is none of them.
STUDY = {
    "ASRS": "AOR", "AOD": "AOR", "CDL": "AOR", "VDL": "AOR", "AOIU": "UOI", "AOIS": "UOI", "LOI": "UOI", "COI": "UOI", "VCR": "SDL",
    "LOR": None, "SOR": None, "COD": None,
}

# The share of dominators that a set for everyday use has to keep.
ENOUGH = 0.95


def percent(part, whole):
    return f"{100 * part / whole:.1f}" if whole else "-"


def union(sets):
    return sorted({name for names in sets for name in names})


def mapped(names):
    return sorted({STUDY.get(name, name) for name in names} - {None})


def savings(classes, mutants):
    return 100 * (1 - classes / mutants)


def table5(ours, study):
    print("## The programs (Table 5)\n")
    head = ["", "lines: study", "here", "mutants: study", "here", "equivalent: study", "here, the same machine code", "here, by state",
            "duplicates", "killed by an input", "neither"]
    rows = []
    for name in NINE:
        one, theirs = ours[name], study[name]
        neither = one["mutants"] - one["equivalent_code"] - one["equivalent_state"] - one["killed"]
        rows.append([name, theirs["lines"], one["lines"], theirs["mutants"], one["mutants"], theirs["equivalent"], one["equivalent_code"],
                     one["equivalent_state"], one["duplicates"], f"{one['killed']:,}", neither])
    table(head, rows)


def table6(ours, study):
    print("## Classes and savings (Table 6)\n")
    head = ["", "inputs", "classes: study", "here", "savings, %: study, printed", "study, by its formula", "here", "here, without duplicates",
            "operators of strong mutants: study", "here, in the study's names", "here"]
    rows, worse = [], []
    for name in NINE:
        one, theirs = ours[name], study[name]
        saved = savings(one["classes"], one["killed"])
        by_formula = savings(int(theirs["classes"]), int(theirs["mutants"]) - int(theirs["equivalent"]))
        strong = union(one["strong_operators"])
        rows.append([name, f"{one['inputs']:,}", theirs["classes"], one["classes"], theirs["savings"], f"{by_formula:.1f}", f"{saved:.1f}",
                     f"{savings(one['classes'], one['killed_distinct']):.1f}", theirs["operators"], " ".join(mapped(strong)), " ".join(strong)])
        if round(saved) < int(theirs["savings"]):
            worse.append(f"{name} saves {saved:.1f} % here and {theirs['savings']} % there")
        if one["classes"] > int(theirs["classes"]):
            worse.append(f"{name} has {one['classes']} classes here and {theirs['classes']} there")
    table(head, rows)
    least = sum(round(savings(ours[name]["classes"], ours[name]["killed"])) >= int(study[name]["savings"]) for name in NINE)
    print(f"Savings are at least the study's, in whole per cent, on {least} of {len(NINE)} programs. Worse than the study:\n")
    print("\n".join(f"* {line}" for line in worse) + "\n" if worse else "* nothing\n")


def distance(ours):
    print("## How far from the least possible\n")
    head = ["", "inputs that the code says are needed", "mutants killed", "groups that the same inputs kill", "dominators", "classes", "greedy inputs", "inputs needed at least",
            "classes without a strong mutant", "state changed, not killed"]
    rows = [[name, one["killed_apart"], f"{one['killed']:,}", one["groups"], one["dominators"], one["classes"], one["fewest_inputs"], one["least_inputs"],
             one["strong"].count(0), f"{one['misled']:,}"] for name, one in ours.items()]
    table(head, rows)
    for name, one in ours.items():
        if one["dominators"] != one["dominators_of_record"]:
            print(f"**{name}: {one['dominators']} dominators in the matrix, {one['dominators_of_record']} in the record**\n")


def nothing_lost(ours):
    print("## Nothing lost\n")
    head = ["", "inputs", "mutants that they kill", "inputs of the classes", "mutants that these kill", "lost"]
    rows = [[name, f"{one['tests']:,}", f"{one['killed']:,}", one["classes"], f"{one['killed_by_classes']:,}",
             " ".join(one["lost"]) or "none"] for name, one in ours.items()]
    table(head, rows)
    whole = [name for name, one in ours.items() if not one["lost"]]
    print(f"Nothing is lost on {len(whole)} of {len(ours)} programs.\n")


def faults(results):
    print("## Known faults\n")
    rows = rows_of(results / "faults.csv")
    told = [row for row in rows if not row["what"].endswith(" order")]
    head = ["", "version", "what is wrong", "inputs of the classes", "that reveal it", "random inputs", "that reveal it"]
    table(head, [[row["program"], row["version"], row["what"] + (f" (left out: {row['left_out']})" if row["left_out"] else ""),
                  row["class_inputs"], row["by_classes"], row["random_inputs"], row["by_random"]] for row in told])
    run = [row for row in told if not row["left_out"]]
    found = [row for row in run if int(row["by_classes"])]
    tcas = [row for row in run if row["program"] == "tcas"]
    different = [row for row in tcas if ": the same as v" not in row["what"]]
    is_found = lambda row: int(row["by_classes"]) > 0
    print(f"{len(found)} of {len(run)} are revealed by an input of the classes; of tcas {sum(map(is_found, tcas))} of {len(tcas)}, "
          f"of its versions that repeat no other {sum(map(is_found, different))} of {len(different)}.\n")
    for row in run:
        if not int(row["by_classes"]):
            print(f"* not {row['program']} {row['version']}: {row['by_random']} of {row['random_inputs']} random inputs reveal it")
    print()
    for order in ("first order", "second order"):
        tried = [row for row in rows if row["what"] == order]
        wrong = [row for row in tried if int(row["wrong_by_random"]) or int(row["wrong_by_classes"])]
        other = [row for row in tried if int(row["by_random"]) or int(row["by_classes"])]
        print(f"find, {order}: {len(tried)} versions, of which {len(other)} give another output on some input; the inputs of the classes reveal "
              f"{sum(int(row['by_classes']) > 0 for row in other)} of these. {len(wrong)} give a wrong output; inputs of the classes reveal "
              f"{sum(int(row['by_classes']) > 0 for row in wrong)}, and give a wrong output themselves for "
              f"{sum(int(row['wrong_by_classes']) > 0 for row in wrong)}.\n")


def fewer(ours, results):
    print("## Fewer mutants from the start\n")
    total = sum(one["dominators"] for one in ours.values())
    kept = sum(one["fewer"]["operators"][2] for one in ours.values())
    print(f"Of all {total} groups of dominators the strong operators keep {kept}, {percent(kept, total)} %.\n")
    seconds = {row["program"]: row for row in rows_of(results / "fewer.csv")}
    head = ["", "made: all", "strong operators", "run: all", "strong operators", "strongest by the code", "both"]
    shares = ["dominators kept, %", "dominators brought down, %", "mutants killed, %"]
    for title in ("operators", "code", "both"):
        head += [f"{title}: {share}" for share in shares]
    rows = []
    for name, one in ours.items():
        found, row = one["fewer"], [name]
        row += [found["all"][0], found["operators"][0], *(found[title][1] for title in ("all", "operators", "code", "both"))]
        for title in ("operators", "code", "both"):
            _, _, kept, killed, down, _ = found[title]
            row += [percent(kept, one["dominators"]), f"{100 * down:.1f}", f"{100 * killed:.2f}"]
        rows.append(row)
    table(head, rows)
    head = ["", "inputs", "`mutate`, all, s", "strong operators, s", "all on one input, s", "with what the code says, s"]
    keys = ["program", "inputs", "all", "operators", "one_input", "code_and_one_input"]
    table(head, [[seconds[name][key] for key in keys] for name in ours if name in seconds])


def statics(ours):
    print("## What the code says\n")
    head = ["", "blocks", "executed at most once", "same", "stronger", "equivalent", "not compared", "questions", "open", "disjoint", "open", "of alternative blocks", "seconds"]
    keys = ["blocks", "once", "same", "stronger", "equivalent", "unsupported", "questions", "unknown", "disjoint", "disjoint_unknown"]
    table(head, [[name, *(one["statics"][key] for key in keys), f"{one['alternatives']:,}", one["seconds"]] for name, one in ours.items()])
    for name, one in ours.items():
        for line in one["warnings"]:
            print(f"* {name}: {line}")
        if one["stop"] != "mutants-judged":
            print(f"* {name} ended early: {one['stop']}")


def has(sets, operator):
    return sum(count for names, count in sets.items() if operator in names.split())


def by_operator(ours):
    print("## Operators of strong mutants\n")
    names = sorted({name for one in ours.values() for codes in one["code_operators"] for name in codes.split()})
    classes = sum(one["classes"] for one in ours.values())
    dominators = sum(one["dominators"] for one in ours.values())
    rows = []
    for name in names:
        strong = [sum(name in operators for operators in one["strong_operators"]) for one in ours.values()]
        groups = [has(one["dominator_operators"], name) for one in ours.values()]
        alone = sum(one["dominator_operators"].get(name, 0) for one in ours.values())
        run = sum(has(one["code_operators"], name) for one in ours.values())
        rows.append([-sum(groups), name, STUDY.get(name, name) or "-", f"{run:,}", percent(sum(strong), classes), sum(map(bool, strong)),
                     percent(sum(groups), dominators), percent(alone, dominators), sum(map(bool, groups))])
    print(f"Of {classes} classes and {dominators} groups of dominators on all nine programs together.\n")
    head = ["", "in the study", "mutants to run", "classes with a strong mutant of it, %", "on programs", "dominators that have a mutant of it, %",
            "that have no other, %", "on programs"]
    table(head, [row[1:] for row in sorted(rows)])
    three = [one["dominator_operators"].get(name, 0) for one in ours.values() for name in ("CSR", "SCR", "SVR")]
    print(f"CSR, SCR and SVR: {sum(three)} groups have one of them and no other operator, {percent(sum(three), dominators)} %.\n")


def sets(ours, results):
    print("## Sets of operators\n")
    programs = list(ours.values())
    all_names = sorted({name for one in programs for names in one["code_operators"] for name in names.split()})
    every, best = smallest(programs, 1.0), smallest(programs, ENOUGH)
    compared = {**SETS, "all": all_names, "every dominator": every}
    print("What is run and kept of all programs together, then on average of the programs, the least of a program, and each:\n")
    head = ["", "mutants to run", "% of all", "dominators kept, %", "average of the programs, %", "least, %", *NINE]
    rows = []
    for title, names in compared.items():
        kept = [count(one["dominator_operators"], names) for one in programs]
        run = sum(count(one["code_operators"], names) for one in programs)
        shares = [100 * part / one["dominators"] for part, one in zip(kept, programs)]
        rows.append([title, f"{run:,}", percent(run, sum(sum(one["code_operators"].values()) for one in programs)),
                     percent(sum(kept), sum(one["dominators"] for one in programs)), f"{sum(shares) / len(shares):.1f}",
                     f"{min(shares):.1f}", *(f"{share:.0f}" for share in shares)])
    table(head, rows)
    print(f"Every dominator: `{' '.join(every)}`.\n\n{ENOUGH:.0%} on average: `{' '.join(best)}`.\n")
    left_out(ours)
    chance(programs)
    strong(results, programs)


def chance(programs):
    print("Suites that kill every mutant of a set, drawn at random, and what else they kill, on average of the programs:\n")
    rows = []
    for title in SETS:
        mean = [sum(one["by_chance"][title][place] for one in programs) / len(programs) for place in range(3)]
        least = [min(one["by_chance"][title][place] for one in programs) for place in range(2)]
        rows.append([title, f"{100 * mean[0]:.1f}", f"{100 * least[0]:.1f}", f"{100 * mean[1]:.1f}", f"{100 * least[1]:.1f}", f"{mean[2]:.1f}"])
    head = ["", "mutants killed, % of those that an input kills", "least of a program, %", "dominators brought down, %", "least of a program, %", "tests"]
    table(head, rows)
    print("The dominators that these bring down, by program, %:\n")
    table(["", *NINE], [[title, *(f"{100 * one['by_chance'][title][1]:.1f}" for one in programs)] for title in SETS])


def strong(results, programs):
    found = json.loads((results / "strong.json").read_text())
    print("The operators whose suites bring down 95 % of the dominators on average of the programs, and the same chosen on eight programs and judged on "
          "the ninth:\n")
    mean = lambda values: f"{100 * sum(values) / len(values):.1f}"
    rows = [[name, f"`{one['operators']}`", f"{100 * one['run']:.1f}", mean(one["dominators"]), f"{100 * min(one['dominators']):.1f}",
             mean(one["mutants"])] for name, one in found.items()]
    table(["judged on", "operators", "mutants to run, % of all, on average", "dominators brought down, %", "least, %", "mutants killed, %"], rows)
    run = sum(count(one["code_operators"], found["all"]["operators"].split()) for one in programs)
    total = sum(sum(one["code_operators"].values()) for one in programs)
    print(f"The first set has {percent(run, total)} % of the mutants of all programs together.\n")
    ninth = [one for name, one in found.items() if name != "all"]
    print(f"On average of the ninth: {mean([one['dominators'][0] for one in ninth])} % of the dominators, "
          f"{mean([one['mutants'][0] for one in ninth])} % of the mutants.\n")


def left_out(ours):
    print("Chosen on eight programs and judged on the ninth:\n")
    rows, shares = [], []
    for name, one in ours.items():
        names = smallest([other for other in ours.values() if other is not one], ENOUGH)
        kept, run = count(one["dominator_operators"], names), count(one["code_operators"], names)
        shares.append(100 * kept / one["dominators"])
        rows.append([name, f"`{' '.join(names)}`", f"{shares[-1]:.1f}", percent(run, sum(one["code_operators"].values()))])
    table(["judged on", "chosen on the others", "dominators kept, %", "mutants to run, % of all"], rows)
    print(f"On average {sum(shares) / len(shares):.1f} % of the dominators of the ninth.\n")


def sound(results, ours):
    print("## Soundness\n")
    head = ["", "mutants", "inputs", "equivalent", "same", "stronger", "pairs that follow", "open", "disjoint", "open", "of alternative blocks", "not compared", "contradictions"]
    keys = ["mutants", "inputs", "equivalent", "same", "stronger", "checked", "unknown", "disjoint", "disjoint_unknown", "alternatives", "unsupported", "contradictions"]
    rows = rows_of(results / "sound.csv")
    table(head, [[row["subject"], *(row[key] for key in keys)] for row in rows])
    pairs = sum(int(row["same"]) + int(row["stronger"]) for row in rows)
    all_pairs = sum(int(row["checked"]) for row in rows)
    wrong = sum(int(row["contradictions"]) for row in rows)
    print(f"{len(rows)} subjects: {pairs:,} pairs found, {all_pairs:,} that follow from them, {wrong} contradictions.")
    # Rows that were measured before there were disjoint pairs have none of these figures.
    new = [row for row in rows if row["disjoint"]]
    apart = sum(int(row["disjoint"]) for row in new)
    alternatives = sum(int(row["alternatives"]) for row in new)
    print(f"On {len(new)} of them disjoint pairs were sought: {apart:,} of one block and {alternatives:,} of alternative blocks.")
    wrong = sum(len(one["contradicted"]) for one in ours.values())
    pairs = sum(one["related"] for one in ours.values())
    print(f"On the nine, all {pairs:,} pairs that follow were held against a matrix without pruning: {wrong} contradictions.\n")


def speed(results):
    print("## Speed\n")
    rows = rows_of(results / "speed.csv")
    head = ["", "mutants", "`mutate`, s", "`mutate --hierarchy`, s", "ratio"]
    table(head, [[row[key] for key in ("subject", "mutants", "mutate", "hierarchy", "ratio")] for row in rows])
    slower = [row["subject"] for row in rows if float(row["ratio"]) <= 1]
    print(f"Not faster: {', '.join(slower) or 'none'}.\n")


def main(results=HERE / "results"):
    results = Path(results)
    study = {row["subject"]: row for row in rows_of(HERE / "paper" / "tables.csv")}
    ours = {name: json.loads((results / f"{name}.json").read_text()) for name in NINE}
    table5(ours, study)
    table6(ours, study)
    distance(ours)
    nothing_lost(ours)
    faults(results)
    statics(ours)
    by_operator(ours)
    sets(ours, results)
    fewer(ours, results)
    sound(results, ours)
    speed(results)


main(*sys.argv[1:])
