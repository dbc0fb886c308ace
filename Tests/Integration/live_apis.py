"""Calls Kinto, PowerDNS and Jupyter Server by the OpenAPI documents that they bring, and compares with what curl gets.

APICTL is the program. KINTO_URL, PDNS_URL and JUPYTER_URL say where the servers are; JUPYTER_DOCUMENT is a file.
"""
import json
import os
import subprocess
import sys
import time

APICTL = os.environ["APICTL"]
KINTO, PDNS, JUPYTER = (os.environ[name] for name in ("KINTO_URL", "PDNS_URL", "JUPYTER_URL"))
PDNS_KEY, TOKEN = os.environ["PDNS_KEY"], os.environ["JUPYTER_TOKEN"]
WORK = os.environ["WORK"]
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "PDNS_API_KEY_HEADER": PDNS_KEY, "HOME": WORK}
AUTHORIZATION = "Authorization: token " + TOKEN
BASIC = "Authorization: Basic YWRhOmxvdmVsYWNl"  # ada:lovelace
PDNS_DOCUMENT = os.path.join(WORK, "pdns.yaml")
passed, failures = 0, []

# An API, its options, and its calls with the path that curl requests after a call; nil without a comparison.
KINTO_API = ["--api", f"kinto={KINTO}/__api__", "-H", BASIC]
PDNS_API = ["--api", "pdns=" + PDNS_DOCUMENT, "--base-url", PDNS + "/api/v1"]
JUPYTER_API = ["--api", "jupyter=" + os.environ["JUPYTER_DOCUMENT"], "--base-url", JUPYTER, "-H", AUTHORIZATION]
ZONE = {"name": "shop.example.", "kind": "Native", "nameservers": ["ns.shop.example."]}
CALLS = [
    (KINTO_API, "kinto", [
        ("utilities.server-info", [], "/"),
        ("accounts.update-account", ["--id", "ada", "--data.password", "lovelace"], None),
        ("buckets.update-bucket", ["--id", "b", "--body", "{}"], None),
        ("buckets.get-bucket", ["--id", "b"], "/buckets/b"),
        ("collections.update-collection", ["--bucket-id", "b", "--id", "c", "--body", "{}"], None),
        ("records.update-record", ["--bucket-id", "b", "--collection-id", "c", "--id", "r",
                                   "--body", '{"data": {"name": "ü", "n": 1.0}}'], None),
        ("records.get-record", ["--bucket-id", "b", "--collection-id", "c", "--id", "r"],
         "/buckets/b/collections/c/records/r"),
        ("records.get-records", ["--bucket-id", "b", "--collection-id", "c", "--limit", "1"],
         "/buckets/b/collections/c/records?_limit=1"),
        ("buckets.delete-bucket", ["--id", "b"], None),
    ], [BASIC], KINTO),
    (PDNS_API, "pdns", [
        ("servers.list-servers", [], "/servers"),
        ("servers.list-server", ["--server-id", "localhost"], "/servers/localhost"),
        ("zones.create-zone", ["--server-id", "localhost", "--body", json.dumps(ZONE)], None),
        ("zones.list-zones", ["--server-id", "localhost"], "/servers/localhost/zones"),
        ("zones.list-zone", ["--server-id", "localhost", "--zone-id", "shop.example."],
         "/servers/localhost/zones/shop.example."),
        ("zones.delete-zone", ["--server-id", "localhost", "--zone-id", "shop.example."], None),
    ], ["X-API-Key: " + PDNS_KEY], PDNS + "/api/v1"),
    (JUPYTER_API, "jupyter", [
        ("get-api", [], "/api/"),
        ("contents.put-api-contents", ["--path", "a.txt", "--body",
                                       '{"type": "file", "format": "text", "content": "ü"}'], None),
        ("contents.get-api-contents", ["--path", "a.txt"], "/api/contents/a.txt"),
        ("kernelspecs.get-api-kernelspecs", [], "/api/kernelspecs"),
        ("contents.delete-api-contents", ["--path", "a.txt"], None),
    ], [AUTHORIZATION], JUPYTER),
]
FAILURES = [
    (["call", "pdns.zones.list-zone", "--server-id", "localhost", "--zone-id", "none.example."] + PDNS_API, ENVIRONMENT, 4),
    (["call", "pdns.servers.list-servers"] + PDNS_API, {"PATH": "/usr/bin:/bin"}, 9),
]


def expect(what, problem):
    global passed
    if problem:
        failures.append(f"{what}: {problem}")
    else:
        passed += 1


def run(words, environment=ENVIRONMENT):
    done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=30)
    text = done.stdout + done.stderr
    expect("secret of " + " ".join(words[1:4]), words[0] == APICTL and any(
        secret.encode() in text for secret in (PDNS_KEY, TOKEN, "YWRhOmxvdmVsYWNl")) and "is shown")
    return done


def curl(url, headers):
    fields = [word for header in headers for word in ("-H", header)]
    return run(["curl", "-sSL", "-H", "Accept: application/json", *fields, url]).stdout


def main():
    start = time.monotonic()
    with open(PDNS_DOCUMENT, "wb") as file:
        file.write(curl(PDNS + "/api/docs", ["X-API-Key: " + PDNS_KEY]))
    for options, api, calls, headers, base in CALLS:
        for name, words, path in calls:
            done = run([APICTL, "call", f"{api}.{name}", *words, *options])
            expect(name, done.returncode != 0 and f"exit {done.returncode}: {done.stderr.decode()}")
            if path is None or done.returncode:
                continue
            expect(name + " compared", json.loads(done.stdout) != json.loads(curl(base + path, headers)) and "differs")
        print(f"live_apis: {api}: {len(calls)} operations", file=sys.stderr)
    for words, environment, code in FAILURES:
        done = run([APICTL, *words], environment)
        expect(" ".join(words[:2]), done.returncode != code and f"exit {done.returncode}: {done.stderr.decode()}")
    for failure in failures:
        print("live_apis: " + failure, file=sys.stderr)
    print(f"live_apis: {passed} passed, {len(failures)} failed, {time.monotonic() - start:.0f} s")
    sys.exit(bool(failures))


main()
