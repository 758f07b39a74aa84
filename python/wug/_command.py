"""The command `wug`."""

from __future__ import annotations

import signal
import sys

from ._lib import command


def main() -> int:
    """Runs the command with the process's arguments."""
    # The command looks after Ctrl-C itself, as if there were no Python around it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["wug", *sys.argv[1:]])
