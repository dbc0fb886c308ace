"""Runs command lines with the binary that APICTL names as from a shell, and reports what is wrong."""

import os
import re
import shlex
import signal
import subprocess

# A shell starts background jobs with this signal ignored, which programs inherit: those tested here must receive it.
signal.signal(signal.SIGINT, signal.default_int_handler)

APICTL = os.environ["APICTL"]
# The real servers, and the credentials that they accept.
SERVERS = {
    "PATH": "/usr/bin:/bin",
    "APICTL_HTTPBIN_URL": os.environ["APICTL_HTTPBIN_URL"],
    "APICTL_PROMETHEUS_URL": os.environ["APICTL_PROMETHEUS_URL"],
    "HTTPBIN_USER": "ada",
    "HTTPBIN_PASSWORD": "lovelace",
    "HTTPBIN_TOKEN": "t0ken",
}
# No command here may take longer.
LIMIT = 20


class Outcome:
    """The outcome of a command line; `code` is negative for a signal."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


def run(words, environment, limit=LIMIT, directory=None, interrupt_after=None, wrapper=()):
    """Runs apictl, by way of `wrapper`; None if it had to be stopped. `interrupt_after`: SIGINT after so many seconds."""
    process = subprocess.Popen(
        [*wrapper, APICTL] + words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=directory, start_new_session=True,
    )
    try:
        if interrupt_after is not None:
            try:
                process.wait(interrupt_after)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None
    return Outcome(process.returncode, out, err)


def split(command, names):
    """The words of a command line that starts with apictl, with `{name}` replaced."""
    words = shlex.split(fill(command, names))
    assert words[0] == "apictl", command
    return words[1:]


def fill(text, names):
    return re.sub(r"\{(\w+)\}", lambda match: str(names[match[1]]), text)


def matches(expected, got, names):
    """Whether a text is as expected: `{name}` is the value in `names`, `…` anything on a line, `⋮` any lines."""
    pattern = re.escape(fill(expected, names)).replace("…", ".*").replace("⋮", "(?s:.*)")
    return re.fullmatch(pattern, got.decode(errors="surrogateescape")) is not None


def problems(outcome, code, out, err, names, secrets):
    """The differences, in words."""
    if outcome is None:
        return [f"still running after {LIMIT} s"]
    found = []
    if outcome.code < 0 and -outcome.code not in (signal.SIGINT, signal.SIGTERM) or outcome.code >= 128 and outcome.code != 141:
        found.append(f"crashed ({outcome.code})")
    elif outcome.code not in (code if isinstance(code, tuple) else (code,)):
        found.append(f"exit {outcome.code}, expected {code}")
    for name, expected, got in (("stdout", out, outcome.out), ("stderr", err, outcome.err)):
        if expected is not None and not matches(expected, got, names):
            found.append(f"{name} is\n    {shown(got)}\n  and not\n    {shown(fill(expected, names).encode())}")
        found += [f"the secret {secret} on {name}" for secret in secrets if secret.encode() in got]
    return found


def shown(text, limit=1500):
    return text[:limit].decode(errors="replace").rstrip("\n").replace("\n", "\n    ") or "(empty)"
