"""Runs every example of the httpbin and prometheus catalogues against real servers, and a table of calls with what must come of them.

APICTL is the binary; APICTL_HTTPBIN_URL and APICTL_PROMETHEUS_URL say where the servers are.
"""

import json
import os
import shlex
import subprocess
import sys

APICTL = os.environ["APICTL"]
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "APICTL_HTTPBIN_URL": os.environ["APICTL_HTTPBIN_URL"],
    "APICTL_PROMETHEUS_URL": os.environ["APICTL_PROMETHEUS_URL"],
    "HTTPBIN_USER": "ada",
    "HTTPBIN_PASSWORD": "l0ve&lace +",
    "HTTPBIN_TOKEN": "t0ken",
}

# Examples that are meant to end otherwise than with 0, by endpoint.
EXPECTED_CODES = {}

# What is run, its exit code, a text that stdout must hold, a text that stderr must hold.
CALLS = []


def run(command):
    """The exit code, stdout and stderr of a command line that starts with apictl."""
    words = shlex.split(command)
    assert words[0] == "apictl", command
    done = subprocess.run(
        [APICTL] + words[1:], env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, timeout=60
    )
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def describe(*words):
    code, out, err = run(shlex.join(["apictl", *words, "--json"]))
    assert code == 0, err
    return json.loads(out)


def examples():
    for api in ("httpbin", "prometheus"):
        for endpoint in describe("list", api + ".*"):
            for example in describe("describe", endpoint["name"])["examples"]:
                yield example, EXPECTED_CODES.get(endpoint["name"], 0)


def main():
    passed, failures = 0, []

    def check(command, code, out_text="", err_text=""):
        nonlocal passed
        got, out, err = run(command)
        secrets = [ENVIRONMENT[name] for name in ("HTTPBIN_PASSWORD", "HTTPBIN_TOKEN")]
        problems = [
            got != code and f"exit {got}, expected {code}",
            out_text not in out and f"stdout lacks {out_text!r}",
            err_text not in err and f"stderr lacks {err_text!r}",
            code == 0 and not out_text and err and "unexpected stderr",
            any(secret in err for secret in secrets) and "a secret on stderr",
        ]
        problems = [problem for problem in problems if problem]
        if problems:
            failures.append(f"{command}\n  {'; '.join(problems)}\n  stdout: {out[:500]}\n  stderr: {err[:500]}")
        else:
            passed += 1

    for command, code in examples():
        check(command, code)
        check(command + " --raw", code)
    for call in CALLS:
        check(*call)

    for failure in failures:
        print("FAILED " + failure)
    print(f"{passed} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


main()
