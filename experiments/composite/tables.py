#!/usr/bin/env python3
"""Prints our figures beside those of the study, writes them to RESULTS/tables.md, and draws Figures 4 and 5: tables.py [RESULTS]

RESULTS/*.csv is what `rows.py` writes. What has not been run is left out.
"""

import sys
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import draw  # noqa: E402, found beside the experiments
from common import aligned, mean, rows  # noqa: E402

FUNCTIONS = ["sin", "cos"]
SUBJECTS = ["gsl", "wasi-libc", "libm"]
# Those whose relations of five and six layers Figure 5 shows.
DRAWN = ["gsl", "wasi-libc"]


def paper(table):
    return rows(HERE / "paper" / f"table{table}.csv")


def table(out, title, header, body):
    if body:
        out.extend(aligned(title, header, body))


def score(row, killed="killed", relations=1):
    return int(row[killed]) / int(row["mutants"]) / int(relations)


def shown(value, form="{:.4f}"):
    return form.format(value)


def of(all_rows, **fields):
    return [row for row in all_rows if all(row[key] == str(value) for key, value in fields.items())]


def of_all_mutants(results, found):
    """The rows with the mutants of the exhaustive search. Where a few relations were run, some mutants that none of them reaches were not counted."""
    counted = {(row["subject"], row["function"]): row["mutants"] for row in rows(results / "exhaustive-scores.csv")}
    return [row | {"mutants": counted.get((row["subject"], row["function"]), row["mutants"])} for row in found]


def scores_of(found, **fields):
    """How many relations there are of some layers, what they kill on average, and what the best one kills; nothing where it has not been run."""
    return next(([row["relations"], score(row, "killed", row["relations"]), score(row, "most")] for row in of(found, **fields)), None)


def basics(out, results):
    """Table 1."""
    found, scores = rows(results / "exhaustive-basics.csv"), rows(results / "exhaustive-scores.csv")
    body = []
    for study in paper(1) if found else []:
        row = [study["relation"]]
        for function in FUNCTIONS:
            for subject in SUBJECTS:
                if study["relation"] == "average":
                    own = scores_of(scores, subject=subject, function=function, layers=1)
                    row.append(shown(own[1]) if own else "")
                else:
                    own = of(found, subject=subject, function=function, relation=f"{function}_{study['relation']}")
                    row.append(shown(score(own[0])) if own else "")
            row.append(study[function])
        body.append(row)
    header = ["relation", *(f"{f}, {who}" for f in FUNCTIONS for who in [*SUBJECTS, "study"])]
    table(out, "Mutation scores of the basic relations (Table 1)", header, body)


def spread(values, form):
    if not values:
        return ""
    return form.format(mean(values)) + " (" + form.format(max(values)) + ", " + form.format(min(values)) + ")"


def searched(found, function, layers, search, measure):
    return [float(row[measure]) for row in of(found, function=function, layers=layers, search=search)]


def numbers(out, results):
    """Table 2: how many composite relations 100 repeats find."""
    found, body = rows(results / "search.csv"), []
    for study in paper(2):
        cells = [study["function"], study["layers"]]
        own = lambda search, measure: searched(found, study["function"], study["layers"], search, measure)
        if not own("ga", "accepted"):
            continue
        cells.append(f"{study['average']} ({study['most']}, {study['least']})")
        for search in ["ga", "annealing"]:
            cells += [spread(own(search, measure), "{:.0f}") for measure in ["returned", "accepted", "distinct"]]
        cells += [spread(own("exhaustive", measure), "{:.0f}") for measure in ["accepted", "distinct"]]
        body.append(cells)
    header = ["function", "layers", "study", "GA returned", "GA accepted", "GA distinct", "SA returned", "SA accepted"]
    header += ["SA distinct", "all accepted", "all distinct"]
    table(out, "Composite relations found in 100 repeats: average (most, least) (Table 2)", header, body)


def shares(out, results):
    """What share of all accepted sequences a search finds."""
    found, body = rows(results / "search.csv"), []
    for study in paper(2):
        own = lambda search, measure: searched(found, study["function"], study["layers"], search, measure)
        if not own("ga", "accepted") or not own("exhaustive", "accepted"):
            continue
        cells = [study["function"], study["layers"]]
        for search in ["ga", "annealing"]:
            for measure in ["accepted", "distinct"]:
                parts = [a / b for a, b in zip(own(search, measure), own("exhaustive", measure))]
                cells.append(spread(parts, "{:.3f}"))
        body.append(cells)
    header = ["function", "layers", "GA, sequences", "GA, relations", "SA, sequences", "SA, relations"]
    table(out, "Shares of what the exhaustive search finds: average (most, least)", header, body)


def annealed(out, results):
    """What annealing tries and finds with other temperatures."""
    groups, body = defaultdict(list), []
    for row in rows(results / "annealing.csv"):
        groups[tuple(row[key] for key in ("subject", "search", "hottest", "coldest", "cooling", "inputs"))].append(row)
    for (subject, search, *parameters), found in groups.items():
        average = lambda key: mean([int(row[key]) for row in found])
        body.append([subject, search, *(parameters if search == "annealing" else ["", "", "", parameters[-1]]), len(found), f"{average('tried'):.0f}",
                     f"{average('accepted'):.0f}", f"{average('accepted') / average('tried'):.3f}", f"{average('returned'):.1f}", f"{average('distinct'):.0f}"])
    header = ["subject", "search", "hottest", "coldest", "cooling", "inputs", "seeds", "tried", "accepted", "share", "returned", "different"]
    table(out, "Three repeats of three layers with other temperatures: averages", header, body)


def times(out, results):
    """Table 3."""
    found, body = rows(results / "search.csv"), []
    for study in paper(3):
        own = lambda search: searched(found, study["function"], study["layers"], search, "seconds")
        if not own("ga"):
            continue
        cells = [study["function"], study["layers"], f"{study['average']} ({study['most']}, {study['least']})"]
        cells += [spread(own(search), "{:.3f}") for search in ["ga", "annealing", "exhaustive"]]
        body.append([*cells, f"{float(study['average']) / mean(own('ga')):,.0f}"])
    header = ["function", "layers", "study", "GA", "annealing", "exhaustive", "study / GA"]
    table(out, "Seconds for 100 repeats, or all sequences: average (most, least) (Table 3)", header, body)


def typical(out, results):
    """Table 4."""
    relations, body = of_all_mutants(results, rows(results / "table4-typical.csv")), []
    subjects = [subject for subject in SUBJECTS if of(relations, subject=subject)]
    for study in paper(4):
        found = of(relations, function=study["function"], row=study["name"])
        # What is found, and as which sequence, is the same of each subject: relations are grouped by what they say.
        for row in of(found, subject=subjects[0]) if subjects else []:
            wanted = row["wanted"]
            name = f"cmr{study['name']}" + ("" if wanted == study["name"] else f", as its equation is printed: {wanted}")
            cells = [study["function"], name, "no" if not row["numbers"] else "yes" if row["numbers"] == wanted else f"as {row['numbers']}"]
            # Without the conditions that keep inputs in the domain.
            cells.append(f"`{row['text'].rsplit(': ', 1)[1]}`" if row["numbers"] else "")
            for subject in subjects:
                own = of(found, subject=subject, wanted=wanted)
                cells.append(shown(score(own[0]), "{:.3f}") if own and own[0]["numbers"] else "")
            body.append([*cells, study["score"]])
    header = ["function", "study's name", "found", "as written here", *subjects, "study"]
    table(out, "Typical composite relations and their scores (Table 4)", header, body)


def layer_scores(out, results):
    """Table 7."""
    exhaustive, body = rows(results / "exhaustive-scores.csv"), []
    for study in paper(7) if exhaustive else []:
        cells = [study["function"], study["layers"], f"{float(study['score']):.4f}"]
        for subject in SUBJECTS:
            own = scores_of(exhaustive, subject=subject, function=study["function"], layers=study["layers"])
            cells += [own[0], *map(shown, own[1:])] if own else ["", "", ""]
        body.append(cells)
    header = ["function", "layers", "study"]
    header += [f"{subject}, {what}" for subject in SUBJECTS for what in ["relations", "average", "best"]]
    table(out, "Average mutation scores of composite relations by layers (Table 7)", header, body)


def figure5_scores(out, results):
    """Figure 5: up to four layers of the exhaustive search, beyond of the genetic algorithm."""
    exhaustive = rows(results / "exhaustive-scores.csv")
    deeper = of_all_mutants(results, [row for row in rows(results / "layers-scores.csv") if int(row["layers"]) > 4])
    body, lines = [], {}
    for function in FUNCTIONS:
        for subject in DRAWN:
            points = []
            for layers in range(1, 7):
                own = scores_of(exhaustive + deeper, subject=subject, function=function, layers=layers)
                if own:
                    points.append((layers, own[1]))
                    body.append([subject, function, layers, own[0], *map(shown, own[1:])])
            # Five and six layers are other sets of relations: the points are not connected to those before.
            pieces = [[point for point in points if point[0] <= 4], [point for point in points if point[0] > 4]]
            if points:
                lines[f"{function}, {subject}"] = [piece for piece in pieces if piece]
        study = [(1, float(paper(1)[-1][function]))]
        study += [(int(row["layers"]), float(row["score"])) for row in paper(7) if row["function"] == function]
        lines[f"{function}, study"] = [study]
    table(out, "Average mutation scores up to six layers (Figure 5)", ["subject", "function", "layers", "relations", "average", "best"], body)
    if body:
        draw.lines(results / "figure5.svg", "Average mutation score by layers (5 and 6: with what fewer layers say)", "layers", lines, (0.2, 0.8), 0.1)


def figure4(results):
    found = rows(results / "search.csv")
    if not found:
        return
    groups, bars = [], defaultdict(list)
    for study in paper(2):
        own = lambda search: searched(found, study["function"], study["layers"], search, "returned")
        if not own("ga") or not own("annealing"):
            continue
        groups.append(f"{study['function']}, {study['layers']} layers")
        bars["genetic algorithm"].append(mean(own("ga")))
        bars["simulated annealing"].append(mean(own("annealing")))
        bars["study, genetic algorithm"].append(float(study["average"]))
    if groups:
        draw.bars(results / "figure4.svg", "Composite relations that 100 repeats return, on average", groups, bars)


def sequences(out, results):
    body = []
    for run in ["exhaustive", "others"]:
        for row in rows(results / f"{run}-layers.csv"):
            keys = ["sequences", "refused", "rarely_eligible", "rejected", "accepted", "trivial", "said_before", "instances", "distinct", "refuted"]
            body.append([row["subject"], row["function"], row["layers"], *(row[key] for key in keys)])
    header = ["subject", "function", "layers", "sequences", "cannot be composed", "rarely eligible", "rejected", "accepted"]
    header += ["trivial", "said before", "instances", "different", "refuted later"]
    table(out, "What became of the sequences", header, body)


def chosen(out, results):
    body = []
    for run in ["exhaustive", "others"]:
        for row in rows(results / f"{run}-summary.csv"):
            part = lambda killed: f"{int(row[killed]) / int(row['mutants']):.4f}"
            body.append([row["subject"], row["function"], row["mutants"], f"{row['basics']} ({row['basic_runs']})",
                         part("killed_by_basics"), row["composites"], part("killed_by_composites"),
                         part("killed_by_all"), f"{row['given']} ({row['given_runs']})", part("killed_by_given"),
                         f"{row['chosen']} ({row['chosen_runs']})", part("killed_by_chosen"), row["chosen_names"].replace(" ", ", ")])
    header = ["subject", "function", "mutants", "basics (runs)", "score", "composites", "score", "basic and composite"]
    header += ["given (runs)", "score", "chosen (runs)", "score", "the chosen ones"]
    table(out, "All basic relations, all composite relations, and the chosen ones", header, body)


def fronts(out, results):
    body = defaultdict(list)
    for run in ["exhaustive", "others"]:
        for row in rows(results / f"{run}-front.csv"):
            body[row["subject"], row["function"]].append(f"{row['runs']}: {row['killed']}")
    lines = [[*key, ", ".join(points)] for key, points in body.items()]
    table(out, "The most mutants killed in so many runs a group", ["subject", "function", "runs: mutants killed"], lines)


def main():
    results = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "results"
    out = []
    for show in [basics, numbers, shares, annealed, times, typical, layer_scores, figure5_scores, sequences, chosen, fronts]:
        show(out, results)
    figure4(results)
    text = "\n".join(out).lstrip("\n") + "\n"
    (results / "tables.md").write_text(text)
    print(text, end="")


if __name__ == "__main__":
    main()
