"""Seven faults of a shop, each behind a proxy: which relations find, and which Schemathesis does.

run.py DODONA SCHEMATHESIS PYTHON: the two programs, or - for none, and a Python with FastAPI and uvicorn. Prints a table of Markdown; what the tools printed goes to results/."""

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).parent.resolve()
ROOT = HERE.parent.parent
FAULTS = ["none", "dropped filter", "wrong page size", "unstable order", "duplicated record", "off-by-one total", "case-sensitive search", "stale cache"]


class Server:
    """A command that listens at the port that stands for PORT."""

    def __init__(self, command, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        words = [word.replace("PORT", str(self.port)) for word in command]
        self.child = subprocess.Popen([sys.executable, ROOT / "tests/services/attached.py", *words], cwd=folder, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.address = f"http://127.0.0.1:{self.port}"
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.1)
        sys.exit(f"{words} does not listen")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.stdin.close()
        self.child.wait()


def run(words, folder, log):
    began = time.monotonic()
    done = subprocess.run(list(map(str, words)), cwd=folder, capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1", "DODONA_PROGRESS": "0"})
    log.write_text(done.stdout + done.stderr, encoding="utf-8")
    return done, time.monotonic() - began


def requests(proxy):
    with urllib.request.urlopen(proxy.address + "/-/requests") as answer:
        return int(answer.read())


def failures(text):
    """The kinds of failure that Schemathesis reports, by the operation that they are of."""
    found, operation = set(), ""
    for line in text.splitlines():
        if heading := re.match(r"_+ ([A-Z]+ \S+) _+$", line):
            operation = heading[1]
        elif kind := re.match(r"- ([A-Z][\w ,'-]+)$", line.strip()):
            found.add((operation, kind[1]))
    return found


def main():
    dodona, schemathesis, python = sys.argv[1:]
    results = HERE / "results"
    results.mkdir(exist_ok=True)
    print("| fault | Dodona: violated | requests | s | Schemathesis: failures that the right service does not have | requests | s |\n| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder, Server([python, "-m", "uvicorn", "shop:app", "--port", "PORT"], ROOT / "crates/openapi/testdata") as shop:
        folder = Path(folder)
        drafted, _ = run([dodona, "init", "--openapi", shop.address + "/openapi.json"], folder, results / "init.txt")
        if drafted.returncode:
            sys.exit(drafted.stderr)
        manifest = (folder / "dodona.toml").read_text(encoding="utf-8")
        right = set()
        for fault in FAULTS:
            name = fault.replace(" ", "-")
            proxied = [sys.executable, str(ROOT / "tests/services/faulty.py"), "PORT", shop.address, fault]
            with Server(proxied, folder) as proxy:
                (folder / "faulty.toml").write_text(manifest.replace(shop.address, proxy.address), encoding="utf-8")
                checked, seconds = run([dodona, "check", "faulty.toml", "--keep", "nothing"], folder, results / f"dodona-{name}.txt")
                violated = len(re.findall(r"^  VIOLATED ", checked.stdout, re.MULTILINE)) or ("equal requests differ" if "the same call once more gives" in checked.stdout else checked.stderr.strip().split("\n")[0])
                made = requests(proxy)
            if schemathesis == "-":
                print(f"| {fault} | {violated} | {made} | {seconds:.1f} | | | |", flush=True)
                continue
            with Server(proxied, folder) as proxy:
                told, took = run([schemathesis, "run", shop.address + "/openapi.json", "--url", proxy.address, "--seed", "1", "--no-color", "--max-examples", "100"], folder, results / f"schemathesis-{name}.txt")
                found = failures(told.stdout)
                asked = requests(proxy)
            if fault == "none":
                right = found
                other = f"({len(found)} of the right service)"
            else:
                other = ", ".join(sorted(f"{kind} of {operation}" for operation, kind in found - right)) or "none"
            print(f"| {fault} | {violated} | {made} | {seconds:.1f} | {other} | {asked} | {took:.1f} |", flush=True)


main()
