"""Calls Kinto, PowerDNS and Jupyter Server by the OpenAPI documents that they bring, and compares with what curl gets.

APICTL is the program. KINTO_URL, PDNS_URL and JUPYTER_URL say where the servers are; JUPYTER_DOCUMENT is a file.
"""
import http.server
import json
import os
import subprocess
import sys
import threading
import time
import urllib.request

APICTL = os.environ["APICTL"]
KINTO, PDNS, JUPYTER = (os.environ[name] for name in ("KINTO_URL", "PDNS_URL", "JUPYTER_URL"))
PDNS_KEY, TOKEN = os.environ["PDNS_KEY"], os.environ["JUPYTER_TOKEN"]
WORK = os.environ["WORK"]
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "PDNS_API_KEY_HEADER": PDNS_KEY, "HOME": WORK}
AUTHORIZATION = "Authorization: token " + TOKEN
BASIC = "Authorization: Basic YWRhOmxvdmVsYWNl"  # ada:lovelace
PDNS_DOCUMENT = os.path.join(WORK, "pdns.yaml")
JUPYTER_DOCUMENT = os.environ["JUPYTER_DOCUMENT"]
passed, failures = 0, []

# An API, its options, the headers of curl, and its calls with the path that curl requests after a call; nil without a comparison.
KINTO_API = ["--api", f"kinto={KINTO}/__api__"]
PDNS_API = ["--api", "pdns=" + PDNS_DOCUMENT, "--base-url", PDNS + "/api/v1"]
JUPYTER_API = ["--api", "jupyter=" + JUPYTER_DOCUMENT, "--base-url", JUPYTER]
ZONE = {"name": "shop.example.", "kind": "Native", "nameservers": ["ns.shop.example."]}
SERVER, SHOP = ["--server-id", "localhost"], ["--server-id", "localhost", "--zone-id", "shop.example."]
RECORD = ["--bucket-id", "b", "--collection-id", "c", "--id", "r"]
CALLS = [
    ("kinto", KINTO_API, BASIC, KINTO, [
        ("utilities.server-info", [], "/"),
        ("accounts.update-account", ["--id", "ada", "--data.password", "lovelace"], None),
        ("buckets.update-bucket", ["--id", "b", "--body", "{}"], None),
        ("buckets.get-bucket", ["--id", "b"], "/buckets/b"),
        ("collections.update-collection", ["--bucket-id", "b", "--id", "c", "--body", "{}"], None),
        ("records.update-record", [*RECORD, "--body", '{"data": {"name": "ü", "n": 1.0}}'], None),
        ("records.get-record", RECORD, "/buckets/b/collections/c/records/r"),
        ("records.get-records", ["--bucket-id", "b", "--collection-id", "c", "--limit", "1"],
         "/buckets/b/collections/c/records?_limit=1"),
        ("buckets.delete-bucket", ["--id", "b"], None),
    ]),
    ("pdns", PDNS_API, "X-API-Key: " + PDNS_KEY, PDNS + "/api/v1", [
        ("servers.list-servers", [], "/servers"),
        ("servers.list-server", SERVER, "/servers/localhost"),
        ("zones.create-zone", [*SERVER, "--body", json.dumps(ZONE)], None),
        ("zones.list-zones", SERVER, "/servers/localhost/zones"),
        ("zones.patch-zone", [
            *SHOP, "--rrsets.0.name", "www.shop.example.", "--rrsets.0.type", "A", "--rrsets.0.ttl", "60",
            "--rrsets.0.changetype", "REPLACE", "--rrsets.0.records", '{"content": "192.0.2.1", "disabled": false}'], None),
        ("zones.put-zone", [*SHOP, "--kind", "Master"], None),
        ("zones.list-zone", SHOP, "/servers/localhost/zones/shop.example."),
        ("zonemetadata.create-metadata", [*SHOP, "--kind", "ALLOW-AXFR-FROM", "--metadata", "AUTO-NS"], None),
        ("zonemetadata.list-metadata", SHOP, "/servers/localhost/zones/shop.example./metadata"),
        ("zonemetadata.delete-metadata", [*SHOP, "--metadata-kind", "ALLOW-AXFR-FROM"], None),
        ("search.search-data", [*SERVER, "--q", "www*", "--max", "5"], "/servers/localhost/search-data?q=www*&max=5"),
        ("config.get-config", SERVER, "/servers/localhost/config"),
        ("zones.delete-zone", SHOP, None),
    ]),
    ("jupyter", JUPYTER_API, AUTHORIZATION, JUPYTER, [
        ("get-api", [], "/api/"),
        ("contents.put-api-contents", ["--path", "a.txt", "--body.type", "file", "--body.format", "text", "--body.content", "ü"], None),
        ("contents.get-api-contents", ["--path", "a.txt"], "/api/contents/a.txt"),
        ("contents.post-api-contents-by-path-checkpoints", ["--path", "a.txt"], None),
        ("contents.get-api-contents-checkpoints", ["--path", "a.txt"], "/api/contents/a.txt/checkpoints"),
        ("contents.put-api-contents", ["--path", "d", "--body", '{"type": "directory"}'], None),
        ("contents.post-api-contents", ["--path", "d", "--body", '{"type": "notebook"}'], None),
        ("contents.patch-api-contents", ["--path", "a.txt", "--body", '{"path": "b.txt"}'], None),
        ("kernelspecs.get-api-kernelspecs", [], "/api/kernelspecs"),
        ("config.patch-api-config", ["--section-name", "shop", "--body", '{"a": 1}'], None),
        ("config.get-api-config", ["--section-name", "shop"], "/api/config/shop"),
        ("contents.delete-api-contents", ["--path", "b.txt"], None),
    ]),
]
# Failed calls with the exit code and a part of what stderr says.
FAILURES = [
    (["call", "pdns.zones.list-zone", *SERVER, "--zone-id", "none.example.", *PDNS_API], ENVIRONMENT, 4, "404 Not Found: Not Found"),
    (["call", "pdns.servers.list-servers", *PDNS_API], {"PATH": "/usr/bin:/bin"}, 9, "set PDNS_API_KEY_HEADER"),
    (["call", "pdns.servers.list-servers", *PDNS_API], {**ENVIRONMENT, "PDNS_API_KEY_HEADER": "none"}, 4, "401 Unauthorized: Unauthorized\n"),
    (["call", "kinto.buckets.get-buckets", *KINTO_API], ENVIRONMENT, 4, "401 Unauthorized: Please authenticate yourself to use this endpoint."),
    (["call", "jupyter.kernels.get-api-kernels", *JUPYTER_API], ENVIRONMENT, 4, "403 Forbidden: Forbidden\n"),
]
# A case file for each API: its writes come in order, and what they made is used by later cases.
CASES = {
    "kinto": [
        {"endpoint": "kinto.buckets.update-bucket", "arguments": {"id": "cases"}, "body": {}, "expect": {"data.id": {"equals": "cases"}}},
        {"endpoint": "kinto.collections.update-collection", "arguments": {"bucketID": "cases", "id": "c"}, "body": {},
         "capture": {"modified": "data.last_modified"}},
        {"endpoint": "kinto.collections.get-collection", "arguments": {"bucketID": "cases", "id": "c"},
         "expect": {"data.last_modified": {"equals": "{{modified}}"}}},
        {"endpoint": "kinto.buckets.delete-bucket", "arguments": {"id": "cases"}},
        {"endpoint": "kinto.buckets.get-bucket", "arguments": {"id": "cases"}, "status": 403},
    ],
    "pdns": [
        {"endpoint": "pdns.tsigkey.create-tsig-key", "arguments": {"serverId": "localhost"},
         "body": {"name": "cases", "algorithm": "hmac-sha256"}, "status": 201, "capture": {"key": "id"}},
        {"endpoint": "pdns.tsigkey.get-tsig-key", "arguments": {"serverId": "localhost", "tsigkeyId": "{{key}}"},
         "expect": {"algorithm": {"equals": "hmac-sha256"}}},
        {"endpoint": "pdns.tsigkey.delete-tsig-key", "arguments": {"serverId": "localhost", "tsigkeyId": "{{key}}"}, "status": 204},
        {"endpoint": "pdns.tsigkey.get-tsig-key", "arguments": {"serverId": "localhost", "tsigkeyId": "{{key}}"}, "status": 404},
    ],
    "jupyter": [
        {"endpoint": "jupyter.config.patch-api-config", "arguments": {"section_name": "cases"}, "body": {"a": {"b": 1}},
         "expect": {"a.b": {"equals": 1}}},
        {"endpoint": "jupyter.config.get-api-config", "arguments": {"section_name": "cases"}, "expect": {"a": {"type": "object"}}},
        {"endpoint": "jupyter.contents.delete-api-contents", "arguments": {"path": "d/none.txt"}, "status": 404},
    ],
}


def expect(what, problem):
    global passed
    if problem:
        failures.append(f"{what}: {problem}")
    else:
        passed += 1


def failed(done, code=0):
    """Returns what is wrong with the end of a process."""
    return done.returncode != code and f"exit {done.returncode}: {done.stderr.decode()[:2000]}"


def run(words, environment=ENVIRONMENT):
    done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, cwd=WORK)
    text = done.stdout + done.stderr
    expect("secret of " + " ".join(words[1:4]), words[0] == APICTL and any(
        secret.encode() in text for secret in (PDNS_KEY, TOKEN, "YWRhOmxvdmVsYWNl")) and "is shown")
    return done


def apictl(*words, environment=ENVIRONMENT):
    return run([APICTL, *words], environment)


def curl(url, header, *options, accept="application/json"):
    return run(["curl", "-sSL", "-H", "Accept: " + accept, "-H", header, *options, url]).stdout


def authorized(api, header):
    """The options for credentials that the document does not describe."""
    return [] if api == "pdns" else ["-H", header]


def describes(api, options):
    """Every operation can be described."""
    listed = json.loads(apictl("list", api, "--json", *options[:2]).stdout)["endpoints"]
    for endpoint in listed:
        done = apictl("describe", endpoint["name"], *options[:2])
        title = f"\n{endpoint['method']} "
        expect("describe " + endpoint["name"], failed(done) or title not in done.stdout.decode() and "has no method")
    return len(listed)


def compares(api, options, header, base, name, words, path):
    """A call, its bytes in a file, and the printed command of curl all give what curl gets."""
    expected = curl(base + path, header)
    own = [*words, *options, *authorized(api, header)]
    file = os.path.join(WORK, "body")
    expect(name + " -o", failed(apictl("call", name, *own, "-o", file)) or open(file, "rb").read() != expected and "differs from curl's bytes")
    raw = apictl("call", name, *own, "--raw", "--compact")
    expect(name + " --raw", failed(raw) or json.loads(raw.stdout) != json.loads(expected) and "differs")
    printed = apictl("curl", name, *words, *options)
    command = printed.stdout.decode().strip() + ("" if api == "pdns" else f" -H '{header}'")
    expect(name + " curl", failed(printed) or run(["sh", "-c", command + " -sS"]).stdout != expected and "differs")
    return json.loads(expected)


def calls(api, options, header, base, rows):
    for name, words, path in rows:
        name = f"{api}.{name}"
        done = apictl("call", name, *words, *options, *authorized(api, header))
        expect(name, failed(done))
        if path is not None and not done.returncode:
            expected = compares(api, options, header, base, name, words, path)
            expect(name + " compared", json.loads(done.stdout) != expected and "differs")


def checks(api, options, header):
    """A file of cases with writes passes."""
    path = os.path.join(WORK, api + "-cases.json")
    with open(path, "w") as file:
        json.dump({"version": 1, "cases": CASES[api]}, file)
    report = os.path.join(WORK, "report.json")
    done = apictl("check", "--cases", path, "--unsafe", "--report-json", report, *options, *authorized(api, header))
    if not os.path.exists(report):
        return expect(api + " cases", failed(done))
    verdicts = [(check["name"], check["verdict"], check["problems"]) for check in json.load(open(report))["checks"]]
    bad = [verdict for verdict in verdicts if verdict[1] not in ("passed", "drifted")]
    expect(api + " cases", (done.returncode and not bad and failed(done)) or (bad or len(verdicts) != len(CASES[api])) and f"{bad}")
    os.remove(report)


def raw_texts():
    """A body that is not JSON passes unchanged."""
    apictl("call", "pdns.zones.create-zone", *SERVER, "--body", json.dumps(ZONE), *PDNS_API)
    done = apictl("call", "jupyter.api-spec.get-api-spec-yaml", "--raw", *JUPYTER_API, "-H", AUTHORIZATION)
    expect("raw YAML", failed(done) or done.stdout != curl(JUPYTER + "/api/spec.yaml", AUTHORIZATION) and "differs")
    done = apictl("call", "pdns.zones.axfr-export-zone", *SHOP, "--raw", "-H", "Accept: text/plain", *PDNS_API)
    url = PDNS + "/api/v1/servers/localhost/zones/shop.example./export"
    expect("raw text", failed(done) or done.stdout != curl(url, "X-API-Key: " + PDNS_KEY, accept="text/plain") and "differs")
    apictl("call", "pdns.zones.delete-zone", *SHOP, *PDNS_API)


def kinto(name, *words, api=KINTO_API):
    return apictl("call", "kinto." + name, *words, *api, "-H", BASIC)


def validators():
    """A response that has not changed has the status 304, and none that has changed is overwritten."""
    kinto("buckets.update-bucket", "--id", "etag", "--body", "{}")
    head = curl(KINTO + "/buckets/etag", BASIC, "-D", "-", "-o", os.devnull).decode()
    tag = next(line.split(":", 1)[1].strip() for line in head.splitlines() if line.lower().startswith("etag:"))
    for words in (["--header", "If-None-Match: " + tag], ["--if-none-match", tag]):
        done = kinto("buckets.get-bucket", "--id", "etag", *words)
        expect("ETag " + words[0], failed(done, 3) or b"304 Not Modified" not in done.stderr and f"{done.stderr}")
    done = kinto("buckets.get-bucket", "--id", "etag", "--header", 'If-None-Match: "1"')
    expect("another ETag", failed(done))
    done = kinto("buckets.update-bucket", "--id", "etag", "--body", "{}", "--if-match", '"1"')
    expect("If-Match", failed(done, 4) or b"412 " not in done.stderr and f"{done.stderr}")
    kinto("buckets.delete-bucket", "--id", "etag")


class LinkProxy(http.server.BaseHTTPRequestHandler):
    """Kinto's lists, with the header Next-Page as a Link of RFC 8288."""

    def do_GET(self):
        headers = {name: self.headers[name] for name in ("Authorization", "Accept") if self.headers[name]}
        with urllib.request.urlopen(urllib.request.Request(KINTO + self.path, headers=headers)) as response:
            # Pages that a link names are lists.
            body = json.dumps(json.loads(response.read())["data"]).encode()
            self.send_response(response.status)
            self.send_header("Content-Type", response.headers["Content-Type"])
            self.send_header("Content-Length", str(len(body)))
            page = response.headers["Next-Page"]
            if page:
                # The proxy's own address, as a relative reference.
                self.send_header("Link", f'<{page.removeprefix(KINTO)}>; rel="next"')
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_):
        pass


LINKED = {"openapi": "3.1.0", "paths": {"/buckets": {"get": {"operationId": "buckets", "responses": {"200": {"content": {
    "application/json": {"schema": {"type": "array", "items": {"properties": {"id": {"type": "string"}}}}}}}}}}}}


def pages():
    """All pages of a list are followed by their links."""
    document = os.path.join(WORK, "linked.json")
    with open(document, "w") as file:
        json.dump(LINKED, file)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), LinkProxy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    linked = ["--api", "linked=" + document, "--base-url", f"http://127.0.0.1:{server.server_port}", "-H", BASIC]
    for number in range(12):
        kinto("buckets.update-bucket", "--id", f"page{number:02}", "--body", "{}")
    done = apictl("call", "linked.buckets", "--all-pages", "--select", "id", "-r", *linked)
    names = sorted(done.stdout.decode().split())
    expect("pages", failed(done) or names != [f"page{number:02}" for number in range(12)] and f"{names}")
    done = apictl("call", "linked.buckets", "--max-items", "7", "--select", "id", "-r", *linked)
    expect("some pages", failed(done) or len(done.stdout.split()) != 7 and f"{done.stdout}")
    for number in range(12):
        kinto("buckets.delete-bucket", "--id", f"page{number:02}")
    server.shutdown()


def configurations():
    """Documents of the configuration are APIs, with their settings beside them."""
    documents = {
        "kinto": {"file": f"{KINTO}/__api__", "headers": {"X-Team": "shop"}},
        "pdns": {"file": "pdns.yaml", "url": PDNS + "/api/v1", "parameters": {"serverId": "localhost"}},
        "jupyter": {"file": JUPYTER_DOCUMENT, "url": JUPYTER},
    }
    path = os.path.join(WORK, "config.json")
    with open(path, "w") as file:
        json.dump({"version": 1, "documents": documents}, file)
    environment = {**ENVIRONMENT, "APICTL_CONFIG": path}
    done = apictl("list", "kinto", "pdns", "jupyter", "--json", environment=environment)
    expect("configured APIs", failed(done) or {
        one["name"].split(".")[0] for one in json.loads(done.stdout)["endpoints"]} != set(documents) and "others are listed")
    for words in (["kinto.utilities.server-info"], ["pdns.servers.list-server"], ["jupyter.get-api"]):
        done = apictl("call", *words, environment=environment)
        expect("configured " + words[0], failed(done) or not json.loads(done.stdout) and "empty")


def main():
    start = time.monotonic()
    with open(PDNS_DOCUMENT, "wb") as file:
        file.write(curl(PDNS + "/api/docs", "X-API-Key: " + PDNS_KEY))
    for api, options, header, base, rows in CALLS:
        calls(api, options, header, base, rows)
        checks(api, options, header)
        print(f"live_apis: {api}: {len(rows)} operations, {describes(api, options)} described", file=sys.stderr)
    raw_texts()
    validators()
    pages()
    configurations()
    for words, environment, code, message in FAILURES:
        done = apictl(*words, environment=environment)
        expect(" ".join(words[:2]), failed(done, code) or message not in done.stderr.decode() and f"{done.stderr}")
    for failure in failures:
        print("live_apis: " + failure, file=sys.stderr)
    print(f"live_apis: {passed} passed, {len(failures)} failed, {time.monotonic() - start:.0f} s")
    sys.exit(bool(failures))


main()
