"""Prints the tables of the experiment from results/, and draws its figures there.

tables.py > tables.md
"""

import csv
import sys
from pathlib import Path
from statistics import mean, median, quantiles

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import draw  # noqa: E402, found beside the experiments

HERE = Path(__file__).parent
RESULTS = HERE / "results"
CRITERIA = ["statement", "branch", "i-choice", "i-choice-pair", "io-ctf"]
KS = ["1", "2", "3", "4", "all"]
LEVELS = [str(level) for level in range(1, 11)]


def rows(kind):
    """The rows of a kind of all subjects, by subject."""
    found = {}
    for path in sorted(RESULTS.glob(f"*-{kind}.csv")):
        with open(path, newline="") as file:
            lines = list(csv.DictReader(file))
        if lines:
            found[lines[0]["subject"]] = lines
    return found


def table(title, head, body):
    print(f"## {title}\n")
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    for line in body:
        print("| " + " | ".join(str(cell) for cell in line) + " |")
    print()


def values(lines, column, **wanted):
    return [float(line[column]) for line in lines if all(line[key] == value for key, value in wanted.items())]


def middle(lines, column, form="{:.3f}", **wanted):
    found = values(lines, column, **wanted)
    return form.format(median(found)) if found else "-"


def by_k(column, title, form="{:.3f}"):
    body = []
    for subject, lines in rows("k").items():
        for criterion in CRITERIA:
            body.append([subject, criterion] + [middle(lines, column, form, criterion=criterion, k=k) for k in KS])
    table(title, ["", "criterion"] + [f"k = {k}" if k != "all" else "all relations" for k in KS], body)


def by_level(column, title, form="{:.3f}"):
    body = []
    for subject, lines in rows("level").items():
        for criterion in CRITERIA:
            body.append([subject, criterion] + [middle(lines, column, form, criterion=criterion, level=level) for level in LEVELS])
    table(title, ["", "criterion"] + [f"≤ {int(level) / 10:.1f}" for level in LEVELS], body)


def steps_of(lines, column, criterion, key, steps):
    """The values at each step from one k, or one level, to the next; steps that no suite is of are left out."""
    for before, after in zip(steps, steps[1:]):
        pair = [values(lines, column, criterion=criterion, **{key: step}) for step in (before, after)]
        if all(pair):
            yield f"{key} {before} to {after}", pair


def rises(column, criteria, words):
    """How often the mean and the median rise from one k, or from one level, to the next, and by how much."""
    gains = {}
    for kind, key, steps in [("k", "k", KS), ("level", "level", LEVELS)]:
        for lines in rows(kind).values():
            for criterion in criteria:
                for step, (before, after) in steps_of(lines, column, criterion, key, steps):
                    gains.setdefault((key, step), []).append((mean(after) - mean(before), median(after) - median(before)))
    order = [(key, f"{key} {a} to {b}") for key, steps in [("k", KS), ("level", LEVELS)] for a, b in zip(steps, steps[1:])]
    body = []
    for which in order:
        line = [which[1], len(gains[which])]
        for place in (0, 1):
            of = [round(gain[place], 6) for gain in gains[which]]
            up, same = sum(g > 0 for g in of), sum(g == 0 for g in of)
            line += [up, same, len(of) - up - same, f"{mean(of):+.3f}", f"{min(of):+.3f}"]
        body.append(line)
    head = ["", "subjects and criteria", "mean rises", "the same", "falls", "on average", "least",
            "median rises", "the same", "falls", "on average", "least"]
    table(f"Does the share of revealed {words} rise?", head, body)


def over_subjects(kind, key, steps, column, title, form="{:.3f}"):
    """Means of the suites, averaged over the subjects; a step that some subject has no suite of is not averaged."""
    found, body = rows(kind), []
    for criterion in CRITERIA:
        line = [criterion]
        for step in steps:
            of = [values(lines, column, criterion=criterion, **{key: step}) for lines in found.values()]
            line.append(form.format(mean(map(mean, of))) if all(of) else f"- ({sum(map(bool, of))} of {len(of)} subjects)")
        body.append(line)
    table(title, ["criterion"] + [f"{key} {step}" for step in steps], body)


def ceilings():
    """What all groups together reveal, what suites for IO-CTFs reveal of it, and how far k = 4 is from all relations."""
    body = []
    about, k = rows("subject"), rows("k")
    for subject, (line,) in about.items():
        at = lambda criterion, step: mean(values(k[subject], "fde", criterion=criterion, k=step))
        near = [at(criterion, "4") / at(criterion, "all") for criterion in CRITERIA]
        faults, groups = int(line["faults"]), int(line["by groups"])
        body.append([subject, line["relations"], line["forms"], faults, groups, f"{groups / faults:.3f}", f"{at('io-ctf', 'all'):.3f}"]
                    + [f"{share:.2f}" for share in near])
    head = ["", "relations", "forms", "faults", "revealed by a group", "share", "by the mean suite for io-ctf with all relations"]
    table("What can be revealed at all, and the share of k = 4 in all relations", head + [f"k = 4 / all: {c}" for c in CRITERIA], body)


def returns():
    """Where the gain of the mean gets smaller with each step from k = 1 to 4, and where not."""
    rising, whole = [], 0
    for subject, lines in rows("k").items():
        for criterion in CRITERIA:
            means = [mean(values(lines, "fde", criterion=criterion, k=k)) for k in KS[:4]]
            gains = [after - before for before, after in zip(means, means[1:])]
            whole += 1
            if not gains[0] > gains[1] > gains[2]:
                rising.append(f"{subject} {criterion}")
    print(f"The gain gets smaller with each step up to k = 4 for {whole - len(rising)} of {whole}; not for {', '.join(rising) or 'none'}.\n")


def spread():
    """The distance of the quartiles by level: whether suites become alike."""
    body = []
    for subject, lines in rows("level").items():
        for criterion in CRITERIA:
            line = [subject, criterion]
            for level in LEVELS:
                of = values(lines, "fde", criterion=criterion, level=level)
                line.append("-" if len(of) < 2 else "{:.3f}".format(quantiles(of, n=4)[2] - quantiles(of, n=4)[0]))
            body.append(line)
    table("Interquartile range of the share of the faults", ["", "criterion"] + [f"≤ {int(level) / 10:.1f}" for level in LEVELS], body)


def highest_rates():
    """How reliably the suites for io-ctf of the highest level that has any reveal a fault."""
    body = []
    for subject, lines in rows("rate").items():
        line = [line for line in lines if line["criterion"] == "io-ctf" and line["suites"] != "0"][-1]
        body.append([subject] + [line[key] for key in ("level", "suites", "mean", "never", "always")])
    table("FDR of io-ctf at the highest level", ["", "level", "suites", "mean", "never", "always"], body)


def figures():
    for subject, lines in rows("k").items():
        for column in ("fde", "dominators"):
            series = {f"k = {k}": [values(lines, column, criterion=c, k=k) for c in CRITERIA] for k in KS}
            what = "mutants" if column == "fde" else "dominators"
            path = RESULTS / f"{subject}-k-{column}.svg"
            draw.boxes(path, f"{subject}: share of the {what} that suites reveal, by k", CRITERIA, series, 1.0, 0.2)
    for subject, lines in rows("level").items():
        for column, words in (("fde", "share of the mutants that suites reveal"), ("groups", "groups of a suite")):
            series = {level: [values(lines, column, criterion=c, level=level) for c in CRITERIA] for level in LEVELS}
            highest = max(value for each in series.values() for of in each for value in of)
            round_step = next(step for power in range(7) for step in (10**power, 2 * 10**power, 5 * 10**power) if 5 * step >= highest)
            top, step = (1.0, 0.2) if column == "fde" else (5 * round_step, round_step)
            form = "{:.1f}" if column == "fde" else "{:.0f}"
            title = f"{subject}: {words}, by degree of adequacy from 0.1 to 1"
            draw.boxes(RESULTS / f"{subject}-level-{column}.svg", title, CRITERIA, series, top, step, form)


def main():
    about = [line for lines in rows("subject").values() for line in lines]
    if about:
        table("Subjects", list(about[0]), [line.values() for line in about])
    identified = [line for lines in rows("identified").values() for line in lines]
    if identified:
        table("Frames and relations (Table VI)", list(identified[0]), [line.values() for line in identified])
    rises("fde", CRITERIA, "faults")
    returns()
    rises("fde", ["io-ctf"], "faults, io-ctf alone,")
    rises("fde", CRITERIA[:4], "faults, without io-ctf,")
    rises("dominators", CRITERIA, "dominators")
    over_subjects("k", "k", KS, "fde", "Mean share of the faults by k, averaged over the subjects")
    over_subjects("k", "k", KS, "dominators", "The same of the dominators")
    over_subjects("k", "k", KS, "groups", "The same of the number of groups", "{:.0f}")
    over_subjects("k", "k", KS, "degree", "Degree that these suites reach", "{:.2f}")
    over_subjects("level", "level", LEVELS, "fde", "Mean share of the faults by level, averaged over the subjects")
    over_subjects("level", "level", LEVELS, "groups", "The same of the number of groups", "{:.0f}")
    ceilings()
    by_k("fde", "Share of the faults that adequate suites reveal, medians (RQ1)")
    by_k("dominators", "The same of the dominators")
    by_k("groups", "Groups of these suites, medians", "{:.0f}")
    by_k("degree", "Degree of these suites, medians")
    spread()
    by_level("fde", "Share of the faults by degree of adequacy, medians (RQ2)")
    by_level("dominators", "The same of the dominators")
    by_level("groups", "Groups of these suites, medians (RQ3)", "{:.0f}")
    rates = [line for lines in rows("rate").values() for line in lines if line["level"] in ("2", "5", "8", "10")]
    if rates:
        table("How reliably suites of a level reveal a fault (FDR)", list(rates[0]), [line.values() for line in rates])
    highest_rates()
    origins = [line for lines in rows("sources").values() for line in lines]
    if origins:
        table("Mutants killed by relations of each origin", list(origins[0]), [line.values() for line in origins])
    figures()


main()
