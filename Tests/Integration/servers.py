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

# An endpoint, its arguments, and what the result of the call must contain. {lease} and {other} are leases that were granted before.
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

# What fails, with its exit code and text that stderr must contain.
FAILURES = [
    (["etcd.put", "--key", "", "--value", "x"], 4, "etcd.put: 400 Bad Request: etcdserver: key is not provided"),
    (["etcd.revoke", "--lease", "1"], 4, "etcdserver: requested lease not found"),
    (["etcd.grant", "--seconds", "0"], 2, "--seconds (argument 3): expected at least 1, got '0'"),
    (["transmission.add", "--metainfo", "eA=="], 8, "transmission.add: invalid or corrupt torrent file"),
]

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


def run(words, shell=False):
    done = subprocess.run(words, shell=shell, env=VARIABLES, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def main():
    passed, failures = 0, []

    def expect(what, problem):
        nonlocal passed
        if problem:
            failures.append(f"{what}: {problem}")
        else:
            passed += 1

    def lease():
        code, out, err = run([SERVERCTL, "call", "etcd.grant", "--seconds", "60", "--select", "ID", "--raw-strings"])
        assert code == 0, err
        return out.strip()

    # The first request to Transmission gets the session that the next ones need, and without a password 401 in HTML.
    code, out, err = run([SERVERCTL, "call", "transmission.stats", "-i"])
    session = re.search(r"X-Transmission-Session-Id: (\w+)", err)
    expect("409", not (code == 4 and out == "" and session) and f"exit {code}: {err}")
    VARIABLES["TRANSMISSION_PASSWORD"] = "wrong"
    code, out, err = run([SERVERCTL, "call", "transmission.stats"])
    used = "The request was sent with TRANSMISSION_USER and TRANSMISSION_PASSWORD."
    expect("401", not (code == 4 and "401: Unauthorized" in err and used in err) and f"exit {code}: {err}")
    VARIABLES["TRANSMISSION_PASSWORD"] = PASSWORD
    VARIABLES["TRANSMISSION_SESSION"] = session[1]

    leases = lease(), lease()
    called = set()
    for name, words, text in CALLS:
        called.add(name)
        mine, others = [[word.format(lease=one) for word in words] for one in leases]
        text = text.format(lease=leases[0])
        what = " ".join([name] + words)
        code, out, err = run([SERVERCTL, "call", name] + mine)
        expect(what, (code != 0 and f"exit {code}: {err}") or (text not in out and f"stdout lacks {text!r}: {out}"))
        code, command, err = run([SERVERCTL, "curl", name] + others)
        expect("curl " + what, (code != 0 or err) and f"exit {code}: {err}")
        code, again, err = run(command.replace("curl ", "curl --silent --show-error ", 1), shell=True)
        problem = code != 0 and f"exit {code}: {err}"
        if not problem and out.startswith("{"):
            lost = set(json.loads(again)) - set(json.loads(out)) if name != "etcd.delete-range" else set()
            problem = lost and f"the call lacks {lost}"
        expect("the command of " + what, problem)
    code, out, err = run([SERVERCTL, "list", "--json"])
    # Those of AWS are called by part logins.
    others = {name for name in (endpoint["name"] for endpoint in json.loads(out)["endpoints"]) if not name.startswith(("storage.", "tables."))}
    missing = others - called
    expect("every endpoint", missing and f"not called: {missing}")

    for words, expected, text in FAILURES:
        code, out, err = run([SERVERCTL, "call"] + words)
        expect(" ".join(words), (code != expected or text not in err or out) and f"exit {code}: {out}{err}")

    code, out, err = run([SERVERCTL, "list", "--lint"])
    expect("lint", (code != 0 or out) and out)

    urls = [VARIABLES["SERVERCTL_ETCD_URL"], VARIABLES["SERVERCTL_TRANSMISSION_URL"]]
    code, out, err = run([SERVERCLIENT] + urls + [USER, PASSWORD])
    expect("the typed client", (code != 0 or out != CLIENT) and f"exit {code}: {out}{err}")

    for failure in failures:
        print("servers: " + failure, file=sys.stderr)
    print(f"servers: {passed} passed, {len(failures)} failed")
    sys.exit(bool(failures))


main()
