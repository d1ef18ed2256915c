#!/usr/bin/env python3
"""Chooses the inputs of a fuzz target that are worth keeping.

    scripts/smallest-corpus.py CONTROL MOST

CONTROL is the file that libFuzzer writes with `-merge=1 -set_cover_merge=1 -merge_control_file=CONTROL`: it names each input and the
features of the program (edges with how often they were taken) that the input reaches. At most MOST inputs are chosen greedily: next
comes the input with the most features that no chosen input has, and of two that are equal the smaller one. Their paths are printed,
one a line; how much of all features they reach is told on stderr.
"""

import os
import sys


def read(path):
    """The paths of the inputs, and the set of features of each."""
    with open(path, encoding="utf-8") as lines:
        count = int(next(lines))
        next(lines)  # how many of the inputs were there before: libFuzzer's own concern
        paths = [next(lines).rstrip("\n") for _ in range(count)]
        features = {}
        for line in lines:
            words = line.split()
            if words and words[0] == "FT":
                features[int(words[1])] = {int(word) for word in words[2:]}
    return paths, features


def choose(paths, features, most):
    """The places of the chosen inputs, in the order of the choice."""
    order = sorted(features, key=lambda place: (os.path.getsize(paths[place]), paths[place]))
    chosen, reached = [], set()
    while len(chosen) < most:
        best = max(order, key=lambda place: len(features[place] - reached), default=None)
        if best is None or features[best] <= reached:
            break
        chosen.append(best)
        reached |= features[best]
        order.remove(best)
    return chosen, reached


def main():
    control, most = sys.argv[1], int(sys.argv[2])
    paths, features = read(control)
    chosen, reached = choose(paths, features, most)
    everything = set().union(*features.values()) if features else set()
    share = 100 * len(reached) / max(len(everything), 1)
    print(f"{len(chosen)} of {len(paths)} inputs reach {share:.1f} % of {len(everything)} features", file=sys.stderr)
    for place in chosen:
        print(paths[place])


if __name__ == "__main__":
    main()
