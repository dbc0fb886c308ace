"""Calls every endpoint of etcd and Transmission, which the example package declares, on real servers: by the command line, by the curl command
that it prints, and by a typed client.

SERVERCTL and SERVERCLIENT are the example package's programs; SERVERCTL_ETCD_URL and SERVERCTL_TRANSMISSION_URL say where the servers are.
"""

import json
import os
import re
import subprocess
import sys

SERVERCTL, SERVERCLIENT = os.environ["SERVERCTL"], os.environ["SERVERCLIENT"]
USER, PASSWORD = "ada", "lovelace"
VARIABLES = dict(os.environ, TRANSMISSION_USER=USER, TRANSMISSION_PASSWORD=PASSWORD)

TORRENT = (
    "ZDQ6aW5mb2Q2Omxlbmd0aGk1ZTQ6bmFtZTU6aGVsbG8xMjpwaWVjZSBsZW5ndGhpMTYzODRlNjpwaWVjZXMyMDoBAgMEBQYHCAkKCwwNDg8QERITFGVl"
)

# An endpoint, its arguments, and a text that the result of the call must contain. {lease} is a lease that was granted before.
CALLS = [
    ("etcd.version", [], '"etcdserver"'),
    ("etcd.health", [], '"health": "true"'),
    ("etcd.metrics", [], "etcd_cluster_version"),
    ("etcd.status", [], '"dbSizeInUse"'),
    ("etcd.members", [], '"peerURLs"'),
    ("etcd.grant", ["--seconds", "60"], '"TTL": "60"'),
    ("etcd.leases", [], '"{lease}"'),
    ("etcd.put", ["--key", "a/ü", "--value", "1\n2", "--lease", "{lease}"], '"revision"'),
    ("etcd.put", ["--key", "a/ü", "--value", "3", "--prev-kv"], '"prev_kv"'),
    ("etcd.range", ["--key", "a/", "--range-end", "a0", "--limit", "10"], '"value": "Mw=="'),
    ("etcd.put-if-absent", ["--key", "b", "--value", "x"], '"succeeded": true'),
    ("etcd.delete-range", ["--key", "a/", "--range-end", "c"], '"deleted": "2"'),
    ("etcd.revoke", ["--lease", "{lease}"], '"revision"'),
    ("transmission.session", ["--fields", "version", "--fields", "rpc-version"], '"rpc-version"'),
    ("transmission.stats", [], '"cumulative-stats"'),
    ("transmission.limit-downloads", ["--enabled", "--kilobytes-per-second", "50"], '"success"'),
    ("transmission.free-space", ["--path", "/tmp"], '"size-bytes"'),
    ("transmission.add", ["--metainfo", TORRENT, "--paused"], '"hello"'),
    ("transmission.stop", ["--ids", "1"], '"success"'),
    ("transmission.torrents", ["--ids", "1", "--fields", "name", "--fields", "addedDate"], '"hello"'),
    ("transmission.remove", ["--ids", "1"], '"success"'),
]

# Calls that fail, each with its exit code and a text that stderr must contain.
FAILURES = [
    (["etcd.put", "--key", "", "--value", "x"], 4, "etcd.put: 400 Bad Request: etcdserver: key is not provided"),
    (["etcd.revoke", "--lease", "1"], 4, "etcdserver: requested lease not found"),
    (["etcd.grant", "--seconds", "0"], 2, "--seconds (argument 3): expected at least 1, got '0'"),
    (["transmission.add", "--metainfo", "eA=="], 8, "transmission.add: invalid or corrupt torrent file"),
]

# The output of the typed client.
CLIENT = """version true
health true
metrics true
status true
members ["one"]
put true
range ["ü", "1\\n2"]
put-if-absent false
delete-range 1
grant 60
leases true
revoke true
failure 404 5 etcdserver: requested lease not found
conflict 409
stats 0
session 16
free-space /tmp
add hello
torrents hello true
failure invalid or corrupt torrent file
"""


passed, failures = 0, []


def expect(subject, problem):
    """Counts a check: it fails if there is a problem, a text that says what is wrong."""
    global passed
    if problem:
        failures.append(f"{subject}: {problem}")
    else:
        passed += 1


def run(words, shell=False):
    """Returns the exit code of a program, its stdout and its stderr."""
    done = subprocess.run(words, shell=shell, env=VARIABLES, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def wrong_password():
    """Transmission responds to a wrong password with 401 in HTML."""
    VARIABLES["TRANSMISSION_PASSWORD"] = "wrong"
    code, out, err = run([SERVERCTL, "call", "transmission.stats"])
    VARIABLES["TRANSMISSION_PASSWORD"] = PASSWORD
    used = "The request was sent with TRANSMISSION_USER and TRANSMISSION_PASSWORD."
    is_unauthorized = code == 4 and "401: Unauthorized" in err and used in err
    expect("a wrong password", None if is_unauthorized else f"exit {code}: {err}")


def start_session():
    """The first request to Transmission fails, and its response has the session that the next ones need."""
    code, out, err = run([SERVERCTL, "call", "transmission.stats", "-i"])
    session = re.search(r"X-Transmission-Session-Id: (\w+)", err)
    is_conflict = code == 4 and out == "" and session
    expect("a call without a session", None if is_conflict else f"exit {code}: {err}")
    VARIABLES["TRANSMISSION_SESSION"] = session[1]


def granted_lease():
    code, out, err = run([SERVERCTL, "call", "etcd.grant", "--seconds", "60", "--select", "ID", "--raw-strings"])
    assert code == 0, err
    return out.strip()


def call_endpoints():
    """Calls each endpoint twice: by the program with one lease, and by the curl command that it prints with another."""
    own_lease, curl_lease = granted_lease(), granted_lease()
    for name, words, text in CALLS:
        subject = " ".join([name] + words)
        code, response, err = run([SERVERCTL, "call", name] + [word.format(lease=own_lease) for word in words])
        text = text.format(lease=own_lease)
        if code != 0:
            expect(subject, f"exit {code}: {err}")
        else:
            expect(subject, None if text in response else f"stdout lacks {text!r}: {response}")
        run_printed_command(subject, [name] + [word.format(lease=curl_lease) for word in words], response)


def run_printed_command(subject, words, response):
    """Prints the curl command of a call, and runs it. The response of the call must have all keys that curl's response has."""
    code, command, err = run([SERVERCTL, "curl"] + words)
    expect("curl " + subject, f"exit {code}: {err}" if code != 0 or err else None)
    code, curl_response, err = run(command.replace("curl ", "curl --silent --show-error ", 1), shell=True)
    problem = None
    if code != 0:
        problem = f"exit {code}: {err}"
    elif response.startswith("{") and words[0] != "etcd.delete-range":  # The second deletion finds nothing.
        lost = set(json.loads(curl_response)) - set(json.loads(response))
        problem = f"the call lacks {lost}" if lost else None
    expect("the command of " + subject, problem)


def every_endpoint_is_called():
    code, out, err = run([SERVERCTL, "list", "--json"])
    names = {endpoint["name"] for endpoint in json.loads(out)["endpoints"]}
    # The part "logins" calls the endpoints of AWS.
    names = {name for name in names if not name.startswith(("storage.", "tables."))}
    missing = names - {name for name, _, _ in CALLS}
    expect("every endpoint", f"not called: {missing}" if missing else None)


def failing_calls():
    for words, expected_code, text in FAILURES:
        code, out, err = run([SERVERCTL, "call"] + words)
        is_expected = code == expected_code and text in err and not out
        expect(" ".join(words), None if is_expected else f"exit {code}: {out}{err}")


def lint():
    code, out, err = run([SERVERCTL, "list", "--lint"])
    expect("lint", f"exit {code}: {out}" if code != 0 or out else None)


def typed_client():
    urls = [VARIABLES["SERVERCTL_ETCD_URL"], VARIABLES["SERVERCTL_TRANSMISSION_URL"]]
    code, out, err = run([SERVERCLIENT] + urls + [USER, PASSWORD])
    expect("the typed client", f"exit {code}: {out}{err}" if code != 0 or out != CLIENT else None)


def main():
    wrong_password()
    start_session()
    call_endpoints()
    every_endpoint_is_called()
    failing_calls()
    lint()
    typed_client()
    for failure in failures:
        print("servers: " + failure, file=sys.stderr)
    print(f"servers: {passed} passed, {len(failures)} failed")
    sys.exit(bool(failures))


main()
