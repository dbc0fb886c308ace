"""Imports the documents of Kinto, PowerDNS and Jupyter Server into one package, and uses its program on the servers.

Nothing of the Swift is edited. APICTL is the program; KINTO_URL, PDNS_URL and JUPYTER_URL say where the servers are.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import generated

APICTL = os.environ["APICTL"]
KINTO, PDNS, JUPYTER = (os.environ[name] for name in ("KINTO_URL", "PDNS_URL", "JUPYTER_URL"))
PDNS_KEY, TOKEN = os.environ["PDNS_KEY"], os.environ["JUPYTER_TOKEN"]
WORK = pathlib.Path(os.environ["WORK"]) / "live_imports"
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": str(WORK), "PDNS_API_KEY_HEADER": PDNS_KEY}
BASIC = "Authorization: Basic YWRhOmxvdmVsYWNl"  # ada:lovelace
# An API, its namespace, its document, and the options for the server and for credentials that the document lacks.
APIS = [
    ("kinto", "Kinto", KINTO + "/__api__", ["--base-url", KINTO, "-H", BASIC]),
    ("pdns", "Pdns", str(WORK / "pdns.yaml"), ["--base-url", PDNS + "/api/v1"]),
    ("jupyter", "Jupyter", os.environ["JUPYTER_DOCUMENT"], ["--base-url", JUPYTER, "-H", "Authorization: token " + TOKEN]),
]
# The cases that are added to those of `check --init`: writes in their order, and what they made.
CASES = {
    "kinto": [
        {"endpoint": "kinto.buckets.update", "arguments": {"id": "b"}, "body": {}, "expect": {"data.id": {"equals": "b"}}},
        {"endpoint": "kinto.collections.update", "arguments": {"bucketID": "b", "id": "c"}, "body": {}},
        {"endpoint": "kinto.records.update", "arguments": {"bucketID": "b", "collectionID": "c", "id": "r"},
         "body": {"data": {"name": "ü"}}, "capture": {"modified": "data.last_modified"}},
        {"endpoint": "kinto.records.get-record", "arguments": {"bucketID": "b", "collectionID": "c", "id": "r"},
         "expect": {"data.last_modified": {"equals": "{{modified}}"}, "data.name": {"equals": "ü"}}},
    ],
    "pdns": [
        # The document says that each of the rrsets has a changetype, but no response does.
        {"endpoint": "pdns.zones.create", "arguments": {"serverID": "localhost", "rrsets": False}, "status": 201,
         "body": {"name": "shop.example.", "kind": "Native", "nameservers": ["ns.shop.example."]}},
        {"endpoint": "pdns.zones.list-zone", "arguments": {"serverID": "localhost", "zoneID": "shop.example.", "rrsets": False},
         "expect": {"kind": {"equals": "Native"}}},
        {"endpoint": "pdns.zones.delete", "arguments": {"serverID": "localhost", "zoneID": "shop.example."}, "status": 204},
    ],
    "jupyter": [
        {"endpoint": "jupyter.config.update", "arguments": {"sectionName": "cases"}, "body": {"a": {"b": 1}},
         "expect": {"a.b": {"equals": 1}}},
        {"endpoint": "jupyter.config.get", "arguments": {"sectionName": "cases"}, "expect": {"a": {"type": "object"}}},
    ],
}
# Calls for the recording mock, with a text that their responses have.
RECORDED = {
    "kinto": ["kinto.records.get-record", "--bucket-id", "b", "--collection-id", "c", "--id", "r"],
    "pdns": ["pdns.servers.list-server", "--server-id", "localhost"],
    "jupyter": ["jupyter.config.get", "--section-name", "cases"],
}
# The list to which an import adds its APIs. It also tells that the files are of one target, in which no two may have one name.
CATALOGUE = """import EndpointKit

enum Catalogue {
    static let apis: [any API.Type] =
        [
        ]
}
"""
failures = []


def expect(what, problem):
    print(("not ok: " if problem else "ok: ") + what)
    if problem:
        failures.append(f"{what}: {problem}")


def run(*words):
    return subprocess.run(list(map(str, words)), env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, cwd=WORK)


def failed(done, code=0):
    """Returns what is wrong with the end of a process."""
    return done.returncode != code and f"exit {done.returncode}: {done.stderr[:1500]}{done.stdout[:1500]}"


def imported():
    """The program with the three imports."""
    sources = generated.sources(WORK, "livectl")
    (sources / "Catalogue.swift").write_text(CATALOGUE)
    key = "X-API-Key: " + PDNS_KEY
    document = subprocess.run(["curl", "-sS", "-H", key, "-H", "Accept: application/json", PDNS + "/api/docs"], capture_output=True, check=True)
    (WORK / "pdns.yaml").write_bytes(document.stdout)
    for api, namespace, document, options in APIS:
        headers = options[2:] if document.startswith("http") else []
        done = run(APICTL, "import", "--name", api, *headers, "--into", sources / namespace, "openapi", document)
        expect(f"import {api}", failed(done) or "still to add" in done.stderr and done.stderr)
        generated.lint(sources / namespace, failures)
        expect(f"import {api} without secrets", any(secret in done.stderr for secret in (PDNS_KEY, TOKEN, "YWRhOm")) and "a secret is shown")
    return generated.compiled(WORK, "livectl", [], failures, lists=["Catalogue.apis"])


def cases(program, api, options):
    """Writes a file of cases with `check --init`, adds what the examples lack, and checks them in order."""
    done = run(program, "check", "--init", api)
    expect(f"check --init {api}", failed(done))
    file = json.loads(done.stdout)
    # There is a case for every endpoint. Those whose placeholders are not replaced can't be sent. Writes are skipped.
    skipped = [case for case in file["cases"] if "skip" in case]
    expect(f"check --init {api} marks its writes", skipped != file["cases"][len(file["cases"]) - len(skipped):] and "they are not last")
    file["cases"] = [case for case in file["cases"] if "skip" in case or "{{" not in json.dumps(case)] + CASES[api]
    path = WORK / f"{api}.cases.json"
    path.write_text(json.dumps(file))
    report = WORK / "report.json"
    done = run(program, "check", "--cases", path, "--unsafe", "--report-json", report, *options)
    checks = json.loads(report.read_text())["checks"] if report.exists() else []
    bad = [(check["name"], check["problems"]) for check in checks[-len(CASES[api]):] if check["verdict"] not in ("passed", "drifted")]
    expect(f"cases of {api}", bad or len(checks) != len(file["cases"]) and failed(done))
    sent = [check["case"] for check in checks[:-len(CASES[api])] if check["method"] not in ("GET", "HEAD") and check["verdict"] != "skipped"]
    expect(f"no write of check --init {api} is sent", sent)
    writes = sum("body" in case or ".delete" in case["endpoint"] for case in CASES[api])
    server = re.match("https?://[^/]*", options[1])[0]
    line = done.stderr.splitlines()[0] if done.stderr else ""
    expect(f"announced writes to {api}", (f"{writes} writes to " not in line and f"{writes} write to " not in line or server not in line) and line)
    report.unlink(missing_ok=True)


def recorded(program, api, options):
    """A mock records a response of the server, and another one serves it."""
    samples, name = WORK / f"{api}.samples", RECORDED[api]
    texts = []
    for words in (["--record", samples], ["--samples", samples]):
        command = [str(program), "mock", api, "--port", "0", "--no-auth", *map(str, words)]
        environment = {**ENVIRONMENT, f"LIVECTL_{api.upper()}_URL": options[1]}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=WORK) as mock:
            address = mock.stdout.readline().split()
            done = run(program, "call", *name, "--base-url", address[-1] if address else "http://127.0.0.1:1", *options[2:], "--raw")
            mock.terminate()
            expect(f"mock {api} {words[0]}", failed(done))
            texts.append(done.stdout)
    expect(f"the mock serves what was recorded of {api}", json.loads(texts[0] or "0") != json.loads(texts[1] or "1") and "differs")


def main():
    start = time.monotonic()
    program = imported()
    done = run(program, "call", "kinto.accounts.update", "--id", "ada", "--body", json.dumps({"data": {"password": "lovelace"}}), "--base-url", KINTO)
    expect("an account of Kinto", failed(done))
    for api, _, document, options in APIS:
        expect(f"list --lint {api}", failed(run(program, "list", api, "--lint")))
        expect(f"check --document of {api}", failed(run(program, "check", "--document", document, api)))
        cases(program, api, options)
        recorded(program, api, options)
    for failure in failures:
        print("live_imports: " + failure, file=sys.stderr)
    print(f"live_imports: {len(failures)} failed, {time.monotonic() - start:.0f} s")
    sys.exit(bool(failures))


main()
