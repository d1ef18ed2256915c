"""What several experiments read and print alike: rows of comma-separated values, and tables in Markdown."""

import csv


def rows(path):
    """The rows of a file, each by its header; none where it is not there."""
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(path, found):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, found[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)


def replace(path, new, key):
    """Puts new rows in the place of those that have the same value of `key`, in the order of these values."""
    if new:
        fresh = {row[key] for row in new}
        write(path, sorted(new + [row for row in rows(path) if row[key] not in fresh], key=lambda row: row[key]))


def mean(xs):
    return sum(xs) / len(xs)


def table(head, body):
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    for row in body:
        print("| " + " | ".join(map(str, row)) + " |")
    print()


def aligned(title, head, body):
    """A title and a table whose columns are as wide as their widest cell, as lines."""
    body = [list(map(str, row)) for row in body]
    widths = [max(len(row[i]) for row in [head, *body]) for i in range(len(head))]
    line = lambda row: "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"
    return [f"\n## {title}\n", line(head), "| " + " | ".join("-" * width for width in widths) + " |", *map(line, body)]
