"""Runs the program with a document."""

import os
import pathlib
import subprocess
import time

APICTL = str(pathlib.Path(os.environ["APICTL"]).resolve())
WORK = pathlib.Path(os.environ["WORK"]).resolve()
# No command may take longer.
LIMIT = 30


def run(*words, environment=None, text="", limit=LIMIT, directory=WORK):
    """Runs a command in a directory with `text` as its stdin."""
    variables = {"PATH": "/usr/bin:/bin", "HOME": str(WORK / "home"), **(environment or {})}
    try:
        return subprocess.run(
            [APICTL, *map(str, words)], env=variables, input=text, capture_output=True, text=True, timeout=limit, cwd=directory, errors="replace")
    except subprocess.TimeoutExpired as error:
        return subprocess.CompletedProcess(words, 124, "", f"still running after {limit} s: {error}")


class Mock:
    """A running `apictl mock`, whose address is `url`."""

    def __init__(self, *words, limit=LIMIT):
        self.process = subprocess.Popen(
            [APICTL, "mock", "--port", "0", "--quiet", *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={"PATH": "/usr/bin:/bin"}, cwd=WORK)
        self.url = self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate(timeout=LIMIT)
