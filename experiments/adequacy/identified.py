"""One line of Table VI of the study from the record of `dodona identify --format json`, read from standard input.

identified.py NAME < RECORD
"""

import json
import sys

record = json.load(sys.stdin)
frames = record["frames"]
count = lambda key: [len(frames[key]), sum(len(category["choices"]) for category in frames[key])]
io_frames = sum(len(frame["scenarios"]) for frame in frames["frames"])
print("subject,I-cat,I-cho,O-cat,O-cho,frames,IO-CTF,pairs,MR,refuted,joined")
cells = [sys.argv[1], *count("inputs"), *count("outputs"), len(frames["frames"]), io_frames]
cells += [record["pairs"], record["pair_relations"], record["pairs_refuted"], len(record["relations"])]
print(",".join(map(str, cells)))
