"""Runs a command until it ends, or until standard input does: attached.py COMMAND… A test that is killed leaves no server behind."""

import os
import subprocess
import sys
import threading

child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)


def end():
    sys.stdin.read()
    os.killpg(child.pid, 9)


threading.Thread(target=end, daemon=True).start()
sys.exit(child.wait())
