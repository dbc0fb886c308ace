"""Runs `apictl check` against real servers and a hostile one, and has every report read by a program that others wrote.

APICTL is the binary; APICTL_HTTPBIN_URL and APICTL_PROMETHEUS_URL say where the servers are; WORK is a directory to write to. SERVERCTL is the
example package's program with an API of etcd, SERVERCTL_ETCD_URL the server.
"""

import html.parser
import json
import os
import pathlib
import re
import subprocess
import sys

import hostile
from checks import SERVERS

APICTL, SERVERCTL = os.environ["APICTL"], os.environ["SERVERCTL"]
ETCD = {"PATH": "/usr/bin:/bin", "SERVERCTL_ETCD_URL": os.environ["SERVERCTL_ETCD_URL"]}
WORK = pathlib.Path(os.environ["WORK"]) / "check"
SCHEMA = pathlib.Path(__file__).with_name("junit.xsd")
SECRET = "s3cret-value-that-nobody-should-see"
# A text with which a server may break a report, a terminal or a log.
HOSTILE = "</td></testcase>]]><script>alert(1)</script>&amp;\"'`|\r\n::error::x\n##[error]\nok 1 # SKIP\n\x1b[31m\x00\x9b\u202e\ufffe " + SECRET

failures = []
read = 0


def expect(condition, message):
    if not condition:
        failures.append(message)


class Page(html.parser.HTMLParser):
    """Collects the text of the cells of each row, and the names of the elements."""

    def __init__(self):
        super().__init__()
        self.rows, self.elements, self.open, self.problems = [], set(), [], []

    def handle_starttag(self, tag, attributes):
        self.elements.add(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append("</%s> closes something else" % tag)

    def handle_data(self, data):
        if "td" in self.open:
            self.rows[-1][-1] += data


def run(words, environment=SERVERS, tool=APICTL):
    """Runs `check` of `tool` with all reports; returns its exit code and stdout."""
    WORK.mkdir(exist_ok=True)
    for old in WORK.iterdir():
        old.unlink()
    reports = [word for kind in ("json", "junit", "md", "html") for word in ("--report-" + kind, str(WORK / kind))]
    done = subprocess.run(
        [tool, "check"] + words + reports, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    # With --unsafe, the writes are announced before the first one.
    notes = rb"(to send: \d+ writes? to http://127\.0\.0\.1:\d+\n)*" if "--unsafe" in words else b""
    expect(re.fullmatch(notes, done.stderr), "stderr of check %s: %s" % (words, done.stderr[:300]))
    return done.returncode, done.stdout.decode()


def read_all(name, count):
    """Reads the reports of the last run, compares them with each other, and returns the one in JSON."""
    global read
    read += 1
    report = json.loads((WORK / "json").read_text("utf-8"))
    checks = report["checks"]
    summary = {verdict: sum(one["verdict"] == verdict for one in checks) for verdict in ("passed", "failed", "drifted", "skipped")}
    expect(len(checks) == count, "%s: %d checks, expected %d" % (name, len(checks), count))
    expect(all(report["summary"][key] == value for key, value in summary.items()), name + ": the summary does not add up")

    lint = subprocess.run(["xmllint", "--noout", "--schema", SCHEMA, WORK / "junit"], capture_output=True, text=True)
    expect(lint.returncode == 0, name + ": xmllint: " + lint.stderr)
    cases = subprocess.run(["xmllint", "--xpath", "count(//testcase)", WORK / "junit"], capture_output=True, text=True)
    failed = subprocess.run(["xmllint", "--xpath", "count(//failure)", WORK / "junit"], capture_output=True, text=True)
    skipped = subprocess.run(["xmllint", "--xpath", "count(//skipped)", WORK / "junit"], capture_output=True, text=True)
    counts = [int(one.stdout) for one in (cases, failed, skipped)]
    expect(counts == [count, summary["failed"], summary["skipped"]], "%s: JUnit counts %s" % (name, counts))

    page = Page()
    page.feed((WORK / "html").read_text("utf-8"))
    page.close()
    expect(not page.problems and not page.open, "%s: HTML: %s %s" % (name, page.problems[:3], page.open))
    expect(not page.elements & {"script", "img", "iframe", "link", "a", "form"}, "%s: HTML has %s" % (name, page.elements))
    verdicts = [row[0].split()[1] for row in page.rows[1:]]
    expect(verdicts == [one["verdict"] for one in checks], name + ": HTML has other verdicts")

    markdown = (WORK / "md").read_text("utf-8")
    expect("| %(passed)d | %(drifted)d | %(failed)d | %(skipped)d |" % summary in markdown, name + ": Markdown counts")
    return report


def real_servers():
    code, out = run(["httpbin", "prometheus", "--unsafe", "--jobs", "8"])
    count = len(re.findall(r"^[✓✗~–] ", out, re.MULTILINE))
    report = read_all("real servers", count)
    bad = [one for one in report["checks"] if one["verdict"] in ("failed", "drifted")]
    for one in bad:
        print("  %s %s: %s" % (one["verdict"], one["name"], one["problems"]))
    expect(not bad, "failed on real servers: %s" % sorted({one["name"] for one in bad}))
    expect(code == 0, "exit %d on real servers" % code)
    print("check: %d checks of httpbin and Prometheus" % count)

    code, out = run(["prometheus", "httpbin.post"])
    report = read_all("without --unsafe", 6)
    expect([one["verdict"] for one in report["checks"]].count("skipped") == 1, "httpbin.post was not skipped")
    expect(code == 0, "exit %d of prometheus" % code)


def etcd():
    """The examples, of which one ends a lease that is not there; and cases that hand on a lease and a member's ID."""
    code, _ = run(["etcd", "--unsafe", "--jobs", "1"], ETCD, SERVERCTL)
    report = read_all("examples of etcd", 12)
    bad = {one["name"]: one["status"] for one in report["checks"] if one["verdict"] != "passed"}
    expect(bad == {"etcd.revoke": 404} and code == 1, "etcd: exit %d, failed: %s" % (code, bad))

    value = "R3LDvMOfZQ=="  # Grüße
    file = WORK.parent / "etcd-cases.json"
    file.write_text(json.dumps({"version": 1, "cases": [
        {"endpoint": "etcd.grant", "arguments": {"seconds": 60}, "capture": {"lease": "ID"}, "expect": {"TTL": {"equals": "60"}}},
        {"endpoint": "etcd.put", "arguments": {"key": "check", "value": "Grüße", "lease": "{{lease}}"}},
        {"endpoint": "etcd.range", "arguments": {"key": "check"}, "expect": {"kvs.value": {"equals": value}}},
        {"endpoint": "etcd.revoke", "arguments": {"lease": "{{lease}}"}},
        {"endpoint": "etcd.range", "arguments": {"key": "check"}, "expect": {"kvs": {"exists": False}}},
        {"endpoint": "etcd.health", "expect": {"health": {"matches": "true"}}, "maxLatency": "10s"},
        {"endpoint": "etcd.put", "arguments": {"key": "", "value": "x"}, "status": 400},
    ]}))
    code, out = run(["--cases", str(file), "--unsafe", "--jobs", "1"], ETCD, SERVERCTL)
    report = read_all("cases of etcd", 7)
    drift = [(one["example"], problem["path"]) for one in report["checks"] for problem in one["problems"]
             if problem["kind"] != "absent-key"]
    # The model has no lease of a pair.
    expect(drift == [(3, "$.kvs[*].lease")] and code == 0, "cases of etcd: exit %d, %s\n%s" % (code, drift, out))
    shown = []
    for number in (1, 2, 3):
        run(["--cases", str(file), "--unsafe", "--jobs", "1", "--shard", "%d/3" % number], ETCD, SERVERCTL)
        checks = json.loads((WORK / "json").read_text())["checks"]
        shown.append([one["example"] for one in checks])
        # Cases that share a captured value, the lease, are in one shard.
        leases = [one["verdict"] for one in checks if one["example"] in (1, 2, 4)]
        expect(leases == (["passed"] * 3 if number == 1 else []), "cases with the lease in shard %d: %s" % (number, leases))
    expect(sorted(sum(shown, [])) == list(range(1, 8)), "shards do not have every case once: %s" % shown)


def hostile_server():
    body = json.dumps({"page": HOSTILE, HOSTILE: HOSTILE, "results": [], "message": HOSTILE}).encode()

    def respond(connection):
        hostile.read_headers(connection)
        connection.sendall(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)

    def refuse(connection):
        hostile.read_headers(connection)
        connection.sendall(b"HTTP/1.1 401 <b>`\"' # SKIP\r\nContent-Length: %d\r\n\r\n" % len(body) + body)

    for name, handler in (("hostile body", respond), ("hostile refusal", refuse)):
        environment = SERVERS | {
            "TMDB_API_KEY": SECRET, "APICTL_MOVIES_URL": "http://127.0.0.1:%d" % hostile.serve(handler),
            "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(WORK.parent / "summary"),
        }
        (WORK.parent / "summary").write_text("")
        code, out = run(["movies"], environment)
        expect(code == 1, "%s: exit %d" % (name, code))
        read_all(name, 6)
        texts = {path.name: path.read_bytes() for path in WORK.iterdir()} | {
            "stdout": out.encode(), "summary": (WORK.parent / "summary").read_bytes()}
        for place, text in texts.items():
            expect(SECRET.encode() not in text, "%s: the secret in %s" % (name, place))
            expect(not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2\x9b|\xe2\x80\xae", text), "%s: control characters in %s" % (name, place))
        commands = [line for line in out.splitlines() if line.lstrip().startswith("::") or "##[" in line]
        expect(len(commands) == 4 and all(line.startswith("::error file=Endpoints/") or line.startswith("::error file=/")
                                          for line in commands), "%s: commands %s" % (name, commands))


def nothing():
    environment = {"PATH": "/usr/bin:/bin"}
    code, _ = run(["movies"], environment)
    expect(code == 1, "exit %d if nothing was sent" % code)
    read_all("nothing sent", 6)


def shards():
    names = []
    for number in (1, 2, 3):
        run(["--sample", "--shard", "%d/3" % number])
        names += [(one["name"], one["example"]) for one in json.loads((WORK / "json").read_text())["checks"]]
    run(["--sample"])
    every = [(one["name"], one["example"]) for one in json.loads((WORK / "json").read_text())["checks"]]
    expect(sorted(names) == sorted(every) and len(set(every)) == len(every), "shards do not have every check once")


real_servers()
etcd()
hostile_server()
nothing()
shards()
print("check: %s" % ("%d problems" % len(failures) if failures else "reports of %d runs read by xmllint, json and html.parser" % read))
for failure in failures:
    print("  " + failure)
sys.exit(bool(failures))
