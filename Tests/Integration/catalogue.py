"""Runs every example of the httpbin and prometheus catalogues against real servers, and a table of calls with their expected outcome.

APICTL is the binary; APICTL_HTTPBIN_URL and APICTL_PROMETHEUS_URL say where the servers are.
"""

import json
import os
import shlex
import subprocess
import sys

from checks import SERVERS

APICTL = os.environ["APICTL"]

# A command line, its exit code, a text that stdout must contain, and a text that stderr must contain.
CALLS = [
    ("apictl call httpbin.get --search 'a b+c&d=e#f' --raw --compact", 0, '"a b+c&d=e#f"', ""),
    ("apictl call httpbin.status --code 304", 3, "", "304"),
    ("apictl call httpbin.status --code 404", 4, "", "404 NOT FOUND"),
    ("apictl call httpbin.status --code 503", 5, "", "503"),
    ("apictl call httpbin.status --code 418 --any-status", 0, "teapot", ""),
    ("apictl call httpbin.status --code 418", 4, "", "teapot"),
    ("apictl call httpbin.redirect --count 3", 0, "/get", ""),
    ("apictl call httpbin.redirect --count 3 --max-redirects 2", 6, "", "more than 2 redirects"),
    ("apictl call httpbin.redirect --count 1 --max-redirects 0", 3, "", "302"),
    ("apictl call httpbin.delay --seconds 5 --max-time 500ms", 7, "", "within 500 ms"),
    ("apictl call httpbin.basic-auth --user eve --password lovelace", 4, "", "401"),
    ("apictl call httpbin.basic-auth --user ada --password lovelace -v", 0, "authenticated", "Basic (redacted)"),
    ("apictl call httpbin.bearer -v", 0, "authenticated", "Bearer (redacted)"),
    ("apictl call httpbin.gzip -i", 0, "gzipped", ""),
    ("apictl call httpbin.brotli", 0, "brotli", ""),
    ("apictl call httpbin.deflate", 0, "deflated", ""),
    ("apictl call httpbin.html", 0, "<h1>Herman Melville - Moby-Dick</h1>", ""),
    ("apictl call httpbin.unicode", 0, "⡌⠁⠧⠑", ""),
    ("apictl call httpbin.head -i", 0, "200 OK", ""),
    ("apictl call httpbin.headers -H 'X-Test: a b' -H 'Accept:'", 0, '"X-Test": "a b"', ""),
    ("apictl call httpbin.get --base-url http://127.0.0.1:1", 6, "", "could not connect to 127.0.0.1 port 1"),
    ("apictl call httpbin.json --base-url http://nosuch.invalid", 6, "", "could not resolve the host name nosuch.invalid"),
    ("apictl call prometheus.query --query up", 0, '"resultType": "vector"', ""),
    ("apictl call prometheus.query --query 'up{'", 4, "", "parse error"),
    ("apictl call prometheus.query --query 'scalar(vector(0)) / 0'", 0, '"NaN"', ""),
    ("apictl call prometheus.labels", 0, '"job"', ""),
    ("apictl call prometheus.series --match up --match 'process_start_time_seconds'", 0, "process_start_time", ""),
]


def run(command):
    """The exit code, stdout and stderr of a command line that starts with apictl."""
    words = shlex.split(command)
    assert words[0] == "apictl", command
    done = subprocess.run(
        [APICTL] + words[1:], env=SERVERS, stdin=subprocess.DEVNULL, capture_output=True, timeout=60
    )
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def describe(*words):
    code, out, err = run(shlex.join(["apictl", *words, "--json"]))
    assert code == 0, err
    return json.loads(out)


def examples():
    for api in ("httpbin", "prometheus"):
        for endpoint in describe("list", api + ".*")["endpoints"]:
            for example in describe("describe", endpoint["name"])["examples"]:
                yield example


def main():
    passed, failures = 0, []

    def check(command, code, out_text="", err_text=""):
        nonlocal passed
        got, out, err = run(command)
        secrets = [SERVERS[name] for name in ("HTTPBIN_PASSWORD", "HTTPBIN_TOKEN")]
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

    for command in examples():
        check(command, 0)
        check(command + " --raw", 0)
    for call in CALLS:
        check(*call)

    for failure in failures:
        print("FAILED " + failure)
    print(f"{passed} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


main()
