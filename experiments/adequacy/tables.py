"""Prints the tables of the experiment from results/, and draws its figures into figures/.

tables.py [--collect RAW] > tables.md

RAW/NAME-KIND.csv is what run.sh makes. With --collect the rows of these subjects take the place of theirs in results/KIND.csv; of the suites, a line
each in RAW, those of one criterion and step become a line for each figure: mean, quartiles, and what a box plot shows.
"""

import sys
from pathlib import Path
from statistics import mean, median, quantiles

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402, found beside the experiments
import draw  # noqa: E402

RESULTS = HERE / "results"
FIGURES = HERE / "figures"
CRITERIA = ["statement", "branch", "i-choice", "i-choice-pair", "io-ctf"]
KS = ["1", "2", "3", "4", "all"]
LEVELS = [str(level) for level in range(1, 11)]
SUITES = {"k": ["fde", "dominators", "groups", "degree"], "level": ["fde", "dominators", "groups"]}


def summarised(lines, kind):
    """The suites of each criterion and step as a line for each figure."""
    parts = {}
    for line in lines:
        parts.setdefault((line["subject"], line["criterion"], line[kind]), []).append(line)
    # What tables round is kept as it is: a half rounds by the last digit.
    exact = lambda value: str(value).removesuffix(".0")
    short = lambda value: f"{value:.6f}".rstrip("0").rstrip(".")
    for (subject, criterion, step), of in parts.items():
        for figure in SUITES[kind]:
            values = [float(suite[figure]) for suite in of]
            quarters = quantiles(values, n=4) if len(values) > 1 else None
            box = draw.summary(values)
            yield {
                "subject": subject, "criterion": criterion, kind: step, "figure": figure, "suites": len(values), "mean": exact(mean(values)),
                "median": exact(median(values)), "apart": exact(quarters[2] - quarters[0]) if quarters else "",
                **{key: short(box[key]) for key in ("lower", "upper", "least", "most")}, "beyond": " ".join(map(short, box["beyond"])),
            }


def collect(raw):
    for kind in ["subject", "identified", "k", "level", "rate", "selection", "order", "sources"]:
        lines = [line for path in sorted(raw.glob(f"*-{kind}.csv")) for line in common.rows(path)]
        common.replace(RESULTS / f"{kind}.csv", list(summarised(lines, kind)) if kind in SUITES else lines, "subject")


def rows(kind):
    """The rows of a kind of all subjects, by subject."""
    found = {}
    for line in common.rows(RESULTS / f"{kind}.csv"):
        found.setdefault(line["subject"], []).append(line)
    return found


def suites(kind):
    """The figures of suites by subject, then by criterion, step and name."""
    numbers = lambda line: {key: float(line[key]) for key in ("mean", "median", "lower", "upper", "least", "most")} | {
        "apart": float(line["apart"]) if line["apart"] else None, "beyond": list(map(float, line["beyond"].split()))
    }
    return {
        subject: {(line["criterion"], line[kind], line["figure"]): numbers(line) for line in lines} for subject, lines in rows(kind).items()
    }


def table(title, head, body):
    print(f"## {title}\n")
    common.table(head, body)


def by_step(kind, steps, heads, figure, of, title, form):
    """A figure of each subject and criterion by step; `-` where no suite is of it."""
    body = []
    for subject, found in suites(kind).items():
        for criterion in CRITERIA:
            values = [found.get((criterion, step, figure), {}).get(of) for step in steps]
            body.append([subject, criterion] + ["-" if value is None else form.format(value) for value in values])
    table(title, ["", "criterion"] + heads, body)


def by_k(figure, title, form="{:.3f}"):
    by_step("k", KS, [f"k = {k}" if k != "all" else "all relations" for k in KS], figure, "median", title, form)


def by_level(figure, title, form="{:.3f}", of="median"):
    by_step("level", LEVELS, [f"≤ {int(level) / 10:.1f}" for level in LEVELS], figure, of, title, form)


def rises(figure, criteria, words):
    """How often the mean and the median rise from one k, or from one level, to the next, and by how much."""
    body = []
    for kind, steps in [("k", KS), ("level", LEVELS)]:
        found = suites(kind).values()
        for a, b in zip(steps, steps[1:]):
            pairs = [[one.get((criterion, step, figure)) for step in (a, b)] for one in found for criterion in criteria]
            # Steps that no suite is of are left out.
            pairs = [pair for pair in pairs if all(pair)]
            line = [f"{kind} {a} to {b}", len(pairs)]
            for of in ("mean", "median"):
                gains = [round(after[of] - before[of], 6) for before, after in pairs]
                up, same = sum(g > 0 for g in gains), sum(g == 0 for g in gains)
                line += [up, same, len(gains) - up - same, f"{mean(gains):+.3f}", f"{min(gains):+.3f}"]
            body.append(line)
    head = ["", "subjects and criteria", "mean rises", "the same", "falls", "on average", "least",
            "median rises", "the same", "falls", "on average", "least"]
    table(f"Does the share of revealed {words} rise?", head, body)


def over_subjects(kind, steps, figure, title, form="{:.3f}"):
    """Means of the suites, averaged over the subjects; a step that some subject has no suite of is not averaged."""
    found, body = suites(kind), []
    for criterion in CRITERIA:
        line = [criterion]
        for step in steps:
            of = [one.get((criterion, step, figure)) for one in found.values()]
            line.append(form.format(mean(one["mean"] for one in of)) if all(of) else f"- ({sum(map(bool, of))} of {len(of)} subjects)")
        body.append(line)
    table(title, ["criterion"] + [f"{kind} {step}" for step in steps], body)


def ceilings():
    """What all groups together reveal, what suites for IO-CTFs reveal of it, and how far k = 4 is from all relations."""
    body = []
    about, k = rows("subject"), suites("k")
    for subject, (line,) in about.items():
        at = lambda criterion, step: k[subject][criterion, step, "fde"]["mean"]
        near = [at(criterion, "4") / at(criterion, "all") for criterion in CRITERIA]
        faults, groups = int(line["faults"]), int(line["by groups"])
        body.append([subject, line["relations"], line["forms"], faults, groups, f"{groups / faults:.3f}", f"{at('io-ctf', 'all'):.3f}"]
                    + [f"{share:.2f}" for share in near])
    head = ["", "relations", "forms", "faults", "revealed by a group", "share", "by the mean suite for io-ctf with all relations"]
    table("What can be revealed at all, and the share of k = 4 in all relations", head + [f"k = 4 / all: {c}" for c in CRITERIA], body)


def returns():
    """Where the gain of the mean gets smaller with each step from k = 1 to 4, and where not."""
    rising, whole = [], 0
    for subject, found in suites("k").items():
        for criterion in CRITERIA:
            means = [found[criterion, k, "fde"]["mean"] for k in KS[:4]]
            gains = [after - before for before, after in zip(means, means[1:])]
            whole += 1
            if not gains[0] > gains[1] > gains[2]:
                rising.append(f"{subject} {criterion}")
    print(f"The gain gets smaller with each step up to k = 4 for {whole - len(rising)} of {whole}; not for {', '.join(rising) or 'none'}.\n")


def highest_rates():
    """How reliably the suites for io-ctf of the highest level that has any reveal a fault."""
    body = []
    for subject, lines in rows("rate").items():
        line = [line for line in lines if line["criterion"] == "io-ctf" and line["suites"] != "0"][-1]
        body.append([subject] + [line[key] for key in ("level", "suites", "mean", "never", "always")])
    table("FDR of io-ctf at the highest level", ["", "level", "suites", "mean", "never", "always"], body)


def every_row(title, kind, wanted=lambda line: True):
    """The rows of a kind as they are."""
    found = [line for lines in rows(kind).values() for line in lines if wanted(line)]
    if found:
        table(title, list(found[0]), [line.values() for line in found])


def effect(line, figure, one, other):
    """The means of a figure in two samples, how likely the first is the greater one, and how far apart they are in standard deviations."""
    d = line[f"{figure} d"]
    size = "-" if d == "" else d if d in ("inf", "-inf") else f"{float(d):.1f}"
    return [f"{float(line[f'{figure} {one}']):.3f}", f"{float(line[f'{figure} {other}']):.3f}", f"{float(line[f'{figure} A12']):.2f}", size]


def clear(lines, figure):
    """Of how many lines the first sample is clearly the greater one, or the smaller one (Mann and Whitney's test, p below 0.05)."""
    sure = [float(line[f"{figure} A12"]) for line in lines if float(line[f"{figure} p"]) < 0.05]
    return [sum(a > 0.5 for a in sure), sum(a < 0.5 for a in sure)]


def at(lines, column):
    return mean(float(line[column]) for line in lines)


def by_criterion(kind, *keys):
    """The lines of all subjects, by criterion and further columns."""
    found = {}
    for lines in rows(kind).values():
        for line in lines:
            found.setdefault((line["criterion"], *(line[key] for key in keys)), []).append(line)
    return sorted(found.items(), key=lambda one: (one[0][1:], CRITERIA.index(one[0][0])))


def selections():
    """What selected groups reveal, beside all groups and as many random ones."""
    body = []
    for (criterion, wanted), lines in by_criterion("selection", "wanted"):
        body.append([wanted, criterion, f"{at(lines, 'groups'):.0f}", f"{mean(float(line['groups']) / float(line['all groups']) for line in lines):.2%}"]
                    + [f"{at(lines, column):.3f}" for column in ("degree", "all fde", "fde selected", "fde random")] + [f"{at(lines, 'fde A12'):.2f}"]
                    + clear(lines, "fde") + [f"{at(lines, 'grown groups'):.0f}", f"{at(lines, 'grown fde grown'):.3f}"]
                    + [f"{at(lines, column):.3f}" for column in ("all dominators", "dominators selected", "dominators random")]
                    + clear(lines, "dominators"))
    head = ["degree asked for", "criterion", "groups", "of all", "degree", "FDE of all", "selected", "random", "A12", "subjects: better", "worse",
            "random of the degree: groups", "FDE", "dominators: all", "selected", "random", "subjects: better", "worse"]
    table("Selected groups, averaged over the subjects", head, body)
    body = []
    for subject, lines in rows("selection").items():
        for line in lines:
            body.append([subject, line["criterion"], line["wanted"], f"{float(line['degree']):.3f}", f"{float(line['groups']):.0f}", line["least"],
                         line["all groups"], f"{float(line['all fde']):.3f}"] + effect(line, "fde", "selected", "random")
                        + [f"{float(line['grown groups']):.0f}"] + effect(line, "grown fde", "selected", "grown")[1:]
                        + effect(line, "dominators", "selected", "random"))
    head = ["", "criterion", "asked for", "degree", "groups", "at least", "all groups", "FDE of all", "selected", "random", "A12", "d",
            "random of the degree: groups", "FDE", "A12", "d", "dominators: selected", "random", "A12", "d"]
    table("Selected groups of each subject", head, body)


def orders():
    """How soon ordered groups reveal faults, beside a random order."""
    body = []
    for (criterion,), lines in by_criterion("order"):
        body.append([criterion] + [f"{at(lines, column):.4f}" for column in ("apfd ordered", "apfd random")] + [f"{at(lines, 'apfd A12'):.2f}"]
                    + clear(lines, "apfd"))
    table("APFD in the order of k-MR coverage, averaged over the subjects", ["criterion", "APFD", "random", "A12", "subjects: better", "worse"], body)
    body = []
    for subject, lines in rows("order").items():
        for line in lines:
            body.append([subject, line["criterion"], line["k"], line["groups"]] + effect(line, "apfd", "ordered", "random")
                        + [line[f"{share} {order}"] or "-" for share in ("0.5", "0.9") for order in ("ordered", "random")])
    head = ["", "criterion", "k", "groups", "APFD", "random", "A12", "d", "groups until half of the faults", "random", "until nine tenths", "random"]
    table("APFD of each subject", head, body)


def figures():
    FIGURES.mkdir(exist_ok=True)
    for subject, found in suites("k").items():
        for figure, what in (("fde", "mutants"), ("dominators", "dominators")):
            series = {f"k = {k}": [found.get((c, k, figure)) for c in CRITERIA] for k in KS}
            path = FIGURES / f"{subject}-k-{figure}.svg"
            draw.boxes(path, f"{subject}: share of the {what} that suites reveal, by k", CRITERIA, series, 1.0, 0.2)
    for subject, found in suites("level").items():
        for figure, words in (("fde", "share of the mutants that suites reveal"), ("groups", "groups of a suite")):
            series = {level: [found.get((c, level, figure)) for c in CRITERIA] for level in LEVELS}
            highest = max(value for each in series.values() for one in each if one for value in (one["most"], *one["beyond"]))
            round_step = next(step for power in range(7) for step in (10**power, 2 * 10**power, 5 * 10**power) if 5 * step >= highest)
            top, step = (1.0, 0.2) if figure == "fde" else (5 * round_step, round_step)
            form = "{:.1f}" if figure == "fde" else "{:.0f}"
            title = f"{subject}: {words}, by degree of adequacy from 0.1 to 1"
            draw.boxes(FIGURES / f"{subject}-level-{figure}.svg", title, CRITERIA, series, top, step, form)


def main():
    if sys.argv[1:2] == ["--collect"]:
        collect(Path(sys.argv[2]))
    every_row("Subjects", "subject")
    every_row("Frames and relations (Table VI)", "identified")
    rises("fde", CRITERIA, "faults")
    returns()
    rises("fde", ["io-ctf"], "faults, io-ctf alone,")
    rises("fde", CRITERIA[:4], "faults, without io-ctf,")
    rises("dominators", CRITERIA, "dominators")
    over_subjects("k", KS, "fde", "Mean share of the faults by k, averaged over the subjects")
    over_subjects("k", KS, "dominators", "The same of the dominators")
    over_subjects("k", KS, "groups", "The same of the number of groups", "{:.0f}")
    over_subjects("k", KS, "degree", "Degree that these suites reach", "{:.2f}")
    over_subjects("level", LEVELS, "fde", "Mean share of the faults by level, averaged over the subjects")
    over_subjects("level", LEVELS, "groups", "The same of the number of groups", "{:.0f}")
    ceilings()
    by_k("fde", "Share of the faults that suites for each k reveal, medians (RQ1)")
    by_k("dominators", "The same of the dominators")
    by_k("groups", "Groups of these suites, medians", "{:.0f}")
    by_k("degree", "Degree of these suites, medians")
    by_level("fde", "Interquartile range of the share of the faults", of="apart")
    by_level("fde", "Share of the faults by degree of adequacy, medians (RQ2)")
    by_level("dominators", "The same of the dominators")
    by_level("groups", "Groups of these suites, medians (RQ3)", "{:.0f}")
    every_row("How reliably suites of a level reveal a fault (FDR)", "rate", lambda line: line["level"] in ("2", "5", "8", "10"))
    highest_rates()
    selections()
    orders()
    every_row("Mutants killed by relations of each origin", "sources")
    figures()


main()
