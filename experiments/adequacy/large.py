"""A function of four parameters with seven choices each, 2,401 frames: how long identification takes and how much memory.

  large.py DODONA     prints what `dodona identify` counted, seconds, and the most memory that it held
"""

import json
import os
import subprocess
import sys
import tempfile

CODE = """#include <stdint.h>
/* What a shipment costs: by weight, distance, value and days that are left, each in seven steps. */
static int64_t step(int32_t x) {
    return x < 10 ? 0 : x < 20 ? 2 : x < 30 ? 5 : x < 40 ? 9 : x < 50 ? 14 : x < 60 ? 20 : 27;
}
int64_t cost(int32_t weight, int32_t way, int32_t value, int32_t days) {
    int64_t price = 3 * step(weight) + 2 * step(way) * (1 + step(weight) / 9) + step(value) - step(days);
    return price < 0 ? 0 : price;
}
"""
NAMES = ["weight", "way", "value", "days"]


def main(dodona):
    with tempfile.TemporaryDirectory() as folder:
        def write(name, text):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)

        parameters = ", ".join(f"{name}: i32" for name in NAMES)
        domains = "".join(f"domain.{name} = {{ range = [0, 99] }}\n" for name in NAMES)
        write("cost.c", CODE)
        write("dodona.toml", f'name = "cost"\n[build]\nc = ["cost.c"]\n[[function]]\nsignature = "cost({parameters}) -> i64"\n{domains}')
        ends = [10, 20, 30, 40, 50, 60]
        frames = ""
        for name in NAMES:
            frames += f'[input.{name}]\nc0 = "{name} < 10"\n'
            frames += "".join(f'c{i} = "{name} >= {low} and {name} < {high}"\n' for i, (low, high) in enumerate(zip(ends, ends[1:]), 1))
            frames += f'c6 = "{name} >= 60"\n'
        frames += '[output.price]\nfree = "result == 0"\npaid = "result > 0"\n[order]\nprice = ["free", "paid"]\n'
        write("frames.toml", frames)
        pairs = os.path.join(folder, "pairs.mr")
        command = [dodona, "identify", folder, "--write-pairs", pairs, "--time", "600", "--format", "json"]
        with tempfile.TemporaryFile() as out:
            child = subprocess.Popen(command, stdout=out)
            _, status, usage = os.wait4(child.pid, 0)
            if os.waitstatus_to_exitcode(status) != 0:
                sys.exit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
            out.seek(0)
            record = json.load(out)
        seconds = usage.ru_utime + usage.ru_stime
        frames = record["frames"]["frames"]
        both = sum(len(frame["scenarios"]) for frame in frames)
        print(f"frames {len(frames)}, input-and-output frames {both}, pairs {record['pairs']}, relations of pairs {record['pair_relations']}, "
              f"{seconds:.0f} processor seconds, {usage.ru_maxrss / 1024:.0f} MB, pair file {os.path.getsize(pairs) / 1e6:.1f} MB")


if len(sys.argv) != 2:
    sys.exit(__doc__)
main(sys.argv[1])
