"""The requests of imported OpenAPI documents: `--dry-run` of every operation against a builder that knows only the document.

DIRECTORY has documents as JSON, or packed with gzip; NAME:PATTERN imports only those operations of a document. Each is imported, all are compiled
into one program, and each document is compared with what was compiled. If there is a Stripe document, its own client sends the same ten calls.
WORK is a directory to write to.
"""
import concurrent.futures
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

from openapi_builder import Builder

ROOT = pathlib.Path(__file__).parents[2]
WORK = pathlib.Path(os.environ["WORK"]) / "operations"
APICTL = os.environ["APICTL"]
FLAGS = ["-debug-info-format", "none", "-Xswiftc", "-warnings-as-errors"]
sources = WORK / "package" / "Sources" / "operations"
shutil.rmtree(WORK, ignore_errors=True)
sources.mkdir(parents=True)
failures = []
only = {}
for word in sys.argv[2:]:
    name, pattern = word.split(":", 1)
    only.setdefault(name, []).append(pattern)


def run(*words, **options):
    return subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


documents = {}
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.json*")):
    name = path.name.split(".")[0]
    if only and name not in only:
        continue
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    (WORK / (name + ".json")).write_bytes(text)
    chosen = [word for pattern in only.get(name, []) if pattern for word in ("--only", pattern)]
    done = run(APICTL, "import", "--name", name, "--into", sources / name, *chosen, "openapi", WORK / (name + ".json"))
    if done.returncode:
        sys.exit("%s: import: %s" % (name, done.stderr))
    record = json.loads((sources / name / "import.json").read_text())
    (sources / name / "import.json").unlink()
    document = json.loads(text)
    # A document may have a server without a host.
    documents[name] = (document, record["names"])
(WORK / "package" / "Package.swift").write_text("""// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "operations", platforms: [.macOS(.v15)], dependencies: [.package(name: "apictl", path: "%s")],
    targets: [
        .executableTarget(
            name: "operations",
            dependencies: [
                .product(name: "EndpointKit", package: "apictl"), .product(name: "ApictlCLI", package: "apictl"),
                .product(name: "CurlTransport", package: "apictl"),
            ])
    ])
""" % ROOT)
types = [re.search(r"public enum (\w+) \{\n    /// All", file.read_text()) for file in sources.glob("*/*.swift")]
(sources / "main.swift").write_text("""import ApictlCLI
import CurlTransport
import EndpointKit

let apis: [any API.Type] = %s
Apictl.main(apis: apis, tool: "operations", version: "1") { variable in
    CurlTransport(configuration: CurlConfiguration(variables: variable))
}
""" % " + ".join(match[1] + ".apis" for match in types if match))
for manifest in (ROOT / ".build").glob("*.yaml"):
    manifest.unlink()
done = run("swift", "build", "--package-path", WORK / "package", "--scratch-path", ROOT / ".build", *FLAGS, cwd=ROOT)
if done.returncode:
    lines = [line for line in done.stdout.splitlines() if "error:" in line]
    sys.exit("not compiled:\n" + "\n".join(lines[:30] or done.stdout.splitlines()[-30:]))
TOOL = ROOT / ".build" / "debug" / "operations"


def plain(text):
    return re.sub("[^a-z0-9]", "", text.lower())


def words(value):
    """A value as the command line takes it: scalars as texts, several as several, anything else as JSON."""
    if isinstance(value, list) and not any(isinstance(one, (list, dict)) for one in value):
        return [word for one in value for word in words(one)]
    return [json.dumps(value) if isinstance(value, (list, dict, bool)) else str(value)]


def check(name, builder, method, path, operation, parameters, endpoint):
    """The differences between what the endpoint shows and what the document says."""
    described = json.loads(run(TOOL, "describe", endpoint, "--json").stdout)
    flags = [parameter for parameter in described["parameters"] if "." not in parameter["flag"]]
    command = []
    target, query, headers = path, [], {}
    used = set()
    for parameter in sorted(parameters, key=lambda one: one["in"] != "path"):
        value = parameter.get("example")
        if value is None:
            value = builder.value(parameter.get("schema", parameter), 1)
        place, key = parameter["in"], parameter["name"]
        if value is None or place not in ("path", "query", "header") or key.lower() in ("authorization", "accept", "content-type"):
            continue
        same = [one for one in flags if plain(one["flag"]) == plain(key) or plain(one["flag"]) == plain(key) + "value"]
        if not same and place == "path":
            same = [one for one in flags if "path" in one["places"] and one["flag"] not in used][:1]
        if not same:
            return "no flag for %s" % key
        used.add(same[0]["flag"])
        for word in words(value):
            command += [word] if same[0]["flag"][0] != "-" else [same[0]["flag"] + "=" + word]
        style, explode = builder.style(parameter)
        if place == "path":
            text = ",".join(map(builder.text, value)) if isinstance(value, list) else builder.text(value)
            target = target.replace("{%s}" % key, urllib.parse.quote(text, safe=""))
        elif place == "query":
            query += builder.items(key, value, style, explode)
        else:
            headers[key.lower()] = ",".join(map(builder.text, value)) if isinstance(value, list) else builder.text(value)
    content = builder.resolved(operation.get("requestBody", {})).get("content", {})
    kind = next((one for one in content if one in ("application/json", "application/x-www-form-urlencoded")), None)
    body = builder.value(content[kind]["schema"]) if kind and content[kind].get("schema") else None
    if body:
        command = command + (["--body=" + json.dumps(body)] if any(one["flag"] == "--body" for one in flags) else [json.dumps(body)])
    elif any(one["required"] and "body" in one["places"] for one in flags):
        return None
    shown = run(TOOL, "call", endpoint, *command, "--dry-run")
    if shown.returncode:
        return "%s\n  %s" % (shown.stderr.strip()[:300], command)
    head, _, text = shown.stdout.partition("\n\n")
    line, *fields = head.splitlines()
    found_method, url = line.split(" ", 1)
    parts = urllib.parse.urlsplit(url)
    credentials = {scheme.get("name") for scheme in builder.document.get("components", {}).get("securitySchemes", {}).values()}
    items = [item for item in urllib.parse.parse_qsl(parts.query, keep_blank_values=True) if item[0] not in credentials]
    found_fields = {field.split(": ")[0].lower(): field.split(": ", 1)[1] for field in fields if ": " in field}
    server = urllib.parse.urlsplit((operation.get("servers") or builder.document.get("servers") or [{"url": ""}])[0]["url"]).path
    expected = (method, target, sorted(query), {key: value for key, value in headers.items()})
    found = (found_method, parts.path[len(server.rstrip("/")):], sorted(items), {key: found_fields.get(key) for key in headers})
    if found[1] != expected[1] and urllib.parse.unquote(found[1]) == urllib.parse.unquote(expected[1]):
        found = (found[0], expected[1], *found[2:])
    if found != expected:
        return "expected %s\n  found    %s" % (expected, found)
    if body:
        if kind == "application/json":
            one, other = body, json.loads(text or "null")
        else:
            one, other = sorted(builder.form(content[kind], body)), sorted(urllib.parse.parse_qsl(text.strip(), keep_blank_values=True))
        if one != other:
            return "expected body %s\n  found body    %s" % (one, other)
    return None


count = 0
for name, (document, names) in documents.items():
    builder = Builder(document)
    jobs = {}
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for method, path, operation, parameters in builder.operations():
            endpoint = names.get("%s %s" % (method, path))
            if endpoint:
                jobs["%s %s" % (method, path)] = pool.submit(check, name, builder, method, path, operation, parameters, endpoint)
    results = {key: job.result() for key, job in jobs.items()}
    count += len(results)
    failures += ["%s %s: %s" % (name, key, problem) for key, problem in results.items() if problem]
    patterns = sorted({endpoint.rsplit(".", 1)[0] for endpoint in names.values()})
    compared = run(TOOL, "import", "openapi", WORK / (name + ".json"), "--check", *[pattern + ".*" for pattern in patterns])
    lines = compared.stdout.splitlines()
    wrong = [line for line in lines if line.startswith("    ") and "missing-endpoint" not in line]
    print("%s: %d operations; --check: %s" % (name, len(results), lines[-1] if lines else compared.stderr))
    failures += ["%s --check: %s" % (name, line.strip()) for line in wrong[:20]]
for failure in failures[:60]:
    print("not ok:", failure)
print("%d operations, %d failed" % (count, len(failures)))
sys.exit(bool(failures))
