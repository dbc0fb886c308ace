"""Flows of cases against Kinto, PowerDNS and Jupyter Server: create, poll, page, change, delete, and clean up after a failure."""

import json
import os
import pathlib
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request

APICTL = os.environ["APICTL"]
FLOWS = pathlib.Path(__file__).parent / "flows"
WORK = pathlib.Path(os.environ["WORK"]) / "live_flows"
BASIC = "Authorization: Basic YWRhOmxvdmVsYWNl"  # ada:lovelace
# The server, the header with its credential, and the URL that lists what a flow makes.
SERVERS = {
    "kinto": (os.environ["KINTO_URL"], BASIC, "/buckets"),
    "pdns": (os.environ["PDNS_URL"] + "/api/v1", "X-API-Key: " + os.environ["PDNS_KEY"], "/servers/localhost/zones"),
    "jupyter": (os.environ["JUPYTER_URL"], "Authorization: token " + os.environ["JUPYTER_TOKEN"], "/api/contents"),
}
failures = []


def expect(what, problem):
    print(("not ok: " if problem else "ok: ") + what)
    if problem:
        failures.append(f"{what}: {problem}")


def words(server, path, *options):
    base, header, _ = SERVERS[server]
    return [APICTL, "check", "--cases", str(path), "--base-url", base, "-H", header, "--unsafe", *map(str, options)]


def check(server, path, *options):
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(WORK)}
    return subprocess.run(words(server, path, *options), env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


def send(server, path, method="GET", body=None):
    base, header, _ = SERVERS[server]
    name, value = header.split(": ", 1)
    request = urllib.request.Request(base + path, method=method, data=body and json.dumps(body).encode())
    request.add_header(name, value)
    request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.loads(response.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code


def made(server):
    """Returns the names of the items on the server. They are the same before and after a flow that cleans up."""
    listed = send(server, SERVERS[server][2])
    items = listed["data"] if server == "kinto" else listed["content"] if server == "jupyter" else listed
    return sorted(item.get("id") or item["name"] for item in items)


def passes(server):
    before, report = made(server), WORK / "report.json"
    done = check(server, FLOWS / f"{server}.json", "--report-json", report, "--seed", 1)
    checks = json.loads(report.read_text())["checks"] if report.exists() else []
    bad = [(one["case"], one["verdict"], one["problems"]) for one in checks if one["verdict"] != "passed"]
    expect(f"{server}: the flow passes", done.returncode and (bad or done.stderr) or len(checks) < 8 and f"{len(checks)} checks")
    expect(f"{server}: nothing remains", made(server) != before and made(server))
    secret = SERVERS[server][1].split()[-1]
    expect(f"{server}: no secret is shown", secret in done.stdout + done.stderr + report.read_text() and "a secret is shown")
    report.unlink()


def broken(server):
    """The flow with a second case that fails: the rest is not run, and the cleanup is."""
    flow = json.loads((FLOWS / f"{server}.json").read_text())
    flow["cases"].insert(1, {"name": "broken", "url": "/no/such/path", "status": 200})
    path = WORK / f"{server}.broken.json"
    path.write_text(json.dumps(flow))
    (WORK / "account.json").write_text((FLOWS / "account.json").read_text())
    before = made(server)
    done = check(server, path, "--bail")
    lines = done.stdout.splitlines()
    expect(f"{server}: a failure ends the flow", (done.returncode != 1 or not any("not run: an earlier check failed" in line for line in lines)) and done.stdout)
    expect(f"{server}: the cleanup runs after a failure", made(server) != before and (made(server), done.stdout))


def interrupted():
    """A flow that waits for something is interrupted: the cleanup runs all the same."""
    flow = json.loads((FLOWS / "kinto.json").read_text())
    flow["cases"] = [{"name": "wait", "url": "/buckets/{{bucket}}", "until": "60s", "status": 404}]
    path = WORK / "interrupted.json"
    path.write_text(json.dumps(flow))
    before = made("kinto")
    # A job in the background of a shell ignores the signal, and so would what it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(words("kinto", path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 30
    while made("kinto") == before and time.monotonic() < end:
        time.sleep(0.05)
    expect("kinto: the bucket is made", made("kinto") == before and "there is none")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    expect("kinto: the interrupted flow ends by the signal", process.returncode != -signal.SIGINT and f"exit {process.returncode}: {out}")
    expect("kinto: the cleanup runs after an interruption", made("kinto") != before and (made("kinto"), out))


def polled():
    """A case waits for a record that someone else makes meanwhile."""
    send("kinto", "/buckets/polled", "PUT")
    send("kinto", "/buckets/polled/collections/jobs", "PUT")
    record = "/buckets/polled/collections/jobs/records/a"
    path, report = WORK / "polled.json", WORK / "polled.report.json"
    case = {"url": record, "until": "60s", "expect": {"data.state": {"equals": "done"}}}
    path.write_text(json.dumps({"version": 1, "cases": [case]}))
    states = iter(["queued", "running", "done"])

    def work():
        for state in states:
            time.sleep(0.4)
            send("kinto", record, "PUT", {"data": {"state": state}})

    worker = threading.Thread(target=work)
    worker.start()
    done = check("kinto", path, "--report-json", report)
    worker.join()
    attempts = json.loads(report.read_text())["checks"][0]["attempts"]
    expect("kinto: polled until the job is done", done.returncode and done.stdout or attempts < 2 and f"{attempts} attempts")
    send("kinto", "/buckets/polled", "DELETE")


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    send("kinto", "/accounts/ada", "PUT", {"data": {"password": "lovelace"}})
    for server in SERVERS:
        passes(server)
        broken(server)
    polled()
    interrupted()
    for failure in failures:
        print(failure)
    raise SystemExit(1 if failures else 0)


main()
