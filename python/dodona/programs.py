"""Where the program is that this package brings."""

import os
import shutil
import sys


def program():
    """The path of the program `dodona`: the one that was installed with this package, or else the one along PATH.

    Raises FileNotFoundError where there is none.
    """
    beside = os.path.join(os.path.dirname(sys.executable), "dodona")
    found = beside if os.access(beside, os.X_OK) else shutil.which("dodona")
    if found is None:
        raise FileNotFoundError("the program dodona is neither beside " + sys.executable + " nor along PATH")
    return found
