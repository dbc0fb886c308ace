"""Imports OpenAPI documents, lints and compiles what is printed, and compares it with the document: samples, requests, and `check --document`; prints a table.

usage: openapi.py [--release] [DIRECTORY | FILE]…   without one, Tests/Integration/documents, and a document of hostile names

APICTL is the program, WORK a directory to write to. FILE is JSON, or packed with gzip. Each document is a program of its own. The requests of its
operations are compared with those of a builder that knows only the document; those of a document called "stripe" with PyPI's client, if it is installed.
"""
import concurrent.futures
import gzip
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import urllib.parse

from openapi_builder import Builder

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = pathlib.Path(os.environ["WORK"]) / "openapi"
APICTL = str(pathlib.Path(os.environ["APICTL"]).resolve())
KIND = "release" if "--release" in sys.argv else "debug"
sources = [pathlib.Path(word).resolve() for word in sys.argv[1:] if not word.startswith("--")]
failures = []

HOSTILE = [
    "", " ", "_", "self", "Self", "init", "Type", "Protocol", "default", "case", "class", "nil", "true", "Any", "name", "endpoint", "examples", "servers",
    "placeholders", "api", "sampleText", "body", "query", "fields", "encoder", "decoder", "rawValue", "hashValue", "CodingKeys", "FieldKey", "user_id", "userID", "userId", "user-id",
    "let", "var", "inout", "String", "Int", "Error", "OpenEnum", "JSONValue", "Endpoint", "+1", "-1", "1", "2fa", '"', '"""', '""" + exit(1) + """', '"""#', "\\",
    "\\(exit(1))", "\\#(exit(1))", "\\u{41}", '#"', "*/", "/*", "//", "\n", "\r\n", "\t", "\0", "a\nb", "`", "\u202e", "\u2066x", "\u2028", "\ufeff",
    "\u0301", "e\u0301", "\u00e9", "\U0001f468\u200d\U0001f469", "名前", "größe", "$", "$0", "$ref", "#if", "a.b", "a[0]", "x" * 500, "word " * 100, '"' * 200,
    "\\" * 301, "é" * 300, "\U0010fffd", "<p>", "{", "}", "{x}", "a/b", "a~b",
]


def hostile():
    """A document whose names and texts are hostile everywhere."""
    kinds = ["application/json", "multipart/form-data", "application/x-www-form-urlencoded"]
    def schema(text):
        return {
            "description": text, "title": text, "required": [text], "properties": {
                text: {"type": "string", "description": text, "enum": [text, "other " + text, "x"]}, "list": {"type": "array", "items": {"enum": HOSTILE}},
                "tagged": {"oneOf": [{"properties": {text: {"const": text}, "x": {"type": "integer"}}}, {"properties": {text: {"const": text + "2"}}}]},
                "kinds": {"anyOf": [{"type": "string", "enum": [text, "b"]}, {"type": "object", "properties": {text: {"type": "integer"}}}]}}}

    paths, schemas = {}, {}
    for number, text in enumerate(HOSTILE):
        schemas[text] = schema(text)
        reference = {"$ref": "#/components/schemas/" + text.replace("~", "~0").replace("/", "~1").replace("%", "%25")}
        content = {"application/json": {"schema": reference, "example": {text: text, "list": [text], "kinds": text, "tagged": {text: text}}}}
        paths["/p%d/%s/{%s}" % (number, text, text.replace("}", "").replace("{", "") or "id")] = {
            "get": {"tags": [text], "operationId": text, "summary": text, "description": text, "parameters": [
                {"name": text, "in": place, "description": text, "required": number % 2 == 0, "example": text, "schema": {"type": "string", "enum": [text, "y"]}}
                for place in ("query", "header", "path", "cookie")], "responses": {"200": {"description": text, "content": content}}},
            "post": {"tags": [text], "requestBody": {"required": True, "content": {kinds[number % 3]: {"schema": reference}}}, "responses": {"200": {"description": ""}}},
            "put": {"operationId": text, "requestBody": {"content": {"text/" + text[:40]: {}}}, "security": [{text[:60]: []}], "responses": {"200": {"description": ""}}},
        }
    # A longer name of a scheme would be a longer name of a variable, which no line of Swift could hold.
    schemes = {text: [{"type": "apiKey", "in": "header", "name": text}, {"type": "http", "scheme": text}, {"type": "apiKey", "in": "query", "name": text},
                      {"type": "apiKey", "in": "cookie", "name": text}][number % 4] for number, text in enumerate(text[:60] for text in HOSTILE)}
    return {
        "openapi": "3.0.0", "info": {"title": "Hostile", "version": '"""\n*/\\('}, "servers": [{"url": "https://example.com", "description": '"\\('}],
        "tags": [{"name": text, "description": text} for text in HOSTILE], "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": schemes}}


def run(*words, **options):
    start = time.monotonic()
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    done.seconds, done.told = time.monotonic() - start, done.stdout + done.stderr
    return done


def measured(*words):
    """Also the memory of the process that needed most of it, in megabytes."""
    done = run("/usr/bin/time", "-f", "memory %M", *words)
    done.memory = int(done.stderr.split()[-1]) / 1024
    return done


def documents():
    for source in sources or [ROOT / "Tests" / "Integration" / "documents"]:
        for path in sorted(source.rglob("*.json*")) if source.is_dir() else [source]:
            yield re.sub(r"[^a-z0-9]+", "_", path.name.lower().split(".json")[0]), gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    if not sources:
        yield "hostile", json.dumps(hostile()).encode()


def program(name, package, namespace):
    """Compiles the files in the package, which is a program then."""
    (package / "Sources" / "main.swift").write_text(
        "import ApictlCLI\nimport CurlTransport\n\nApictl.main(apis: %s.apis, tool: \"tool\", version: \"1\") { variable in\n"
        "    CurlTransport(configuration: CurlConfiguration(variables: variable))\n}\n" % namespace)
    products = ", ".join('.product(name: "%s", package: "apictl")' % product for product in ("EndpointKit", "ApictlCLI", "CurlTransport"))
    (package / "Package.swift").write_text(
        "// swift-tools-version: 6.0\nimport PackageDescription\n\nlet package = Package(\n    name: \"%s\", platforms: [.macOS(.v15)],\n"
        "    dependencies: [.package(name: \"apictl\", path: \"%s\")],\n    targets: [.executableTarget(name: \"%s\", dependencies: [%s], path: \"Sources\")])\n" % (name, ROOT, name, products))
    for manifest in (ROOT / ".build").glob("*.yaml"):
        manifest.unlink()
    done = measured("swift", "build", "-c", KIND, "--package-path", package, "--scratch-path", ROOT / ".build", "-debug-info-format", "none", "-Xswiftc", "-warnings-as-errors")
    if done.returncode or "warning:" in done.told:
        failures.append("%s: not compiled: %s" % (name, "\n".join(line for line in done.told.splitlines() if "error:" in line or "warning:" in line)[:3000]))
    return done


def plain(text):
    return re.sub("[^a-z0-9]", "", text.lower())


def words(value):
    """A value as the command line takes it: scalars as texts, several as several, anything else as JSON."""
    if isinstance(value, list) and not any(isinstance(one, (list, dict)) for one in value):
        return [word for one in value for word in words(one)]
    return [json.dumps(value) if isinstance(value, (list, dict, bool)) else str(value)]


def difference(tool, builder, method, path, operation, parameters, endpoint):
    """The differences between what the endpoint shows and what the document says."""
    described = json.loads(run(tool, "describe", endpoint, "--json").stdout)
    flags = sorted(described["parameters"], key=lambda one: "." in one["flag"])
    command = []
    target, query, headers = path, [], {}
    used = set()
    # A parameter with the name of a secret may be a credential, which comes from a variable.
    credentials = {scheme.get("name") for scheme in builder.document.get("components", {}).get("securitySchemes", {}).values()}
    sentences = [alternative["sentence"] for credential in described["credentials"] for alternative in credential["alternatives"]]
    secrets = {parameter["name"] for parameter in parameters if any(parameter["name"] in re.split("[ :]", sentence) for sentence in sentences)}
    for parameter in sorted(parameters, key=lambda one: one["in"] != "path"):
        value = parameter.get("example")
        if value is None:
            value = builder.value(parameter.get("schema", parameter), 1)
        place, key = parameter["in"], parameter["name"]
        if value is None or place not in ("path", "query", "header"):
            continue
        if place == "header" and key.lower() in ("authorization", "accept", "content-type"):
            continue
        same = [one for one in flags if plain(one["flag"]) == plain(key) or plain(one["flag"]) == plain(key) + "value"]
        if not same and place == "path":
            same = [one for one in flags if "path" in one["places"] and one["flag"] not in used][:1]
        if not same and key in secrets:
            credentials.add(key)
            continue
        if not same:
            return "no flag for %s" % key
        used.add(same[0]["flag"])
        for word in words(value) if same[0]["repeats"] or not isinstance(value, list) else [json.dumps(value)]:
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
        is_whole = any(one["flag"][0] != "-" and "body" in one["places"] for one in flags)
        command.append(("" if is_whole else "--body=") + (body if isinstance(body, str) else json.dumps(body)))
    elif any(one["required"] and "body" in one["places"] for one in flags):
        return None
    shown = run(tool, "call", endpoint, *command, "--dry-run")
    if shown.returncode:
        return "%s\n  %s" % (shown.stderr.strip()[:300], command)
    head, _, text = shown.stdout.partition("\n\n")
    line, *fields = head.splitlines()
    found_method, url = line.split(" ", 1)
    parts = urllib.parse.urlsplit(url)
    items = [item for item in urllib.parse.parse_qsl(parts.query, keep_blank_values=True) if item[0] not in credentials]
    found_fields = {field.split(": ")[0].lower(): field.split(": ", 1)[1] for field in fields if ": " in field}
    servers = builder.document.get("servers") or [{"url": builder.document.get("basePath", "")}]
    url = servers[0]["url"]
    for variable, declared in servers[0].get("variables", {}).items():
        url = url.replace("{%s}" % variable, declared["default"])
    server = urllib.parse.urlsplit(url).path
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


def compared(name, tool, document, names):
    """Notes where the program differs from the document."""
    builder = Builder(document)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        jobs = {}
        for method, path, operation, parameters in builder.operations():
            endpoint = names.get("%s %s" % (method, path))
            if endpoint and name != "hostile":
                jobs["%s %s" % (method, path)] = pool.submit(difference, tool, builder, method, path, operation, parameters, endpoint)
    for key, job in jobs.items():
        if job.result():
            failures.append("%s %s: %s" % (name, key, job.result()))
    check = run(tool, "check", "--document", WORK / name / "document.json")
    if check.returncode in (0, 1) and name != "hostile":
        found = [line.strip() for line in check.stdout.splitlines()[:20] if line.startswith("    ")]
        if found:
            failures.append("%s check --document: %s" % (name, "; ".join(found)))
    if check.returncode not in (0, 1):
        failures.append("%s check --document: %s" % (name, check.told[:500]))
    if name == "stripe" and importlib.util.find_spec("stripe"):
        calls = run(sys.executable, ROOT / "Tests" / "Integration" / "stripe_calls.py", env={**os.environ, "TOOL": str(tool)})
        if calls.returncode:
            failures.append(calls.told[:2000])
    return check.seconds


shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)
shutil.copy(ROOT / ".swift-format", WORK)
columns = "document operations parameters models properties typed undescribed JSON bytes comments import import_MB build build_MB samples check".split()
print("\t".join(columns), flush=True)
for name, text in documents():
    package = WORK / name
    (package / "Sources").mkdir(parents=True)
    (package / "document.json").write_bytes(text)
    if not json.loads(text).get("paths"):
        continue
    done = measured(APICTL, "import", "--into", package / "Sources" / "API", "--report", package / "report.json", "openapi", package / "document.json")
    if done.returncode:
        failures.append("%s: %s" % (name, done.told[:1000]))
        continue
    again = run(APICTL, "import", "--into", package / "Again", "openapi", package / "document.json")
    different = run("diff", "-r", package / "Sources" / "API", package / "Again")
    if again.returncode or different.stdout:
        failures.append("%s: the second run differs: %s" % (name, (again.told + different.told)[:500]))
    report = json.loads((package / "report.json").read_text())
    lint = run("swift", "format", "lint", "--strict", "--recursive", package / "Sources", cwd=WORK)
    if lint.returncode:
        failures.append("%s: lint: %s" % (name, lint.told[:1000]))
    files = (package / "Sources" / "API").glob("*.swift")
    namespace = next(path.stem for path in files if "static let apis: [any API.Type]" in path.read_text())
    built = program(name, package, namespace)
    checked = run(ROOT / ".build" / KIND / name, "check", "--sample", "--report-json", "-") if not built.returncode else None
    samples = seconds = "-"
    if checked:
        summary = json.loads(checked.stdout)
        failed = [check for check in summary["checks"] if check["verdict"] == "failed"]
        samples = sum(check["verdict"] in ("passed", "drifted") for check in summary["checks"])
        if failed:
            failures.append("%s: %d samples do not fit, such as %s" % (name, len(failed), json.dumps(failed[0])[:600]))
        lines = run(ROOT / ".build" / KIND / name, "list", "--lint")
        problems = [line for line in lines.stdout.splitlines() if "no example shows it" not in line]
        if lines.returncode and problems:
            failures.append("%s: %d findings: %s" % (name, len(problems), "\n".join(problems[:5])))
        names = {"%s %s" % (one["method"], one["path"]): one["name"] for one in report["endpoints"]}
        seconds = "%.1f" % compared(name, ROOT / ".build" / KIND / name, json.loads(text), names)
    properties = report["properties"]
    loose = properties["all"] - properties["typed"] - properties["undescribed"]
    row = [name, len(report["endpoints"]), report["parameters"], len(report["models"]), properties["all"], properties["typed"], properties["undescribed"], loose,
           report["bytes"], sum(bool(one["comments"]) for one in report["endpoints"]), "%.2f" % done.seconds, "%d" % done.memory, "%.1f" % built.seconds,
           "%d" % built.memory, samples, seconds]
    print("\t".join(str(cell) for cell in row), flush=True)
for failure in failures:
    print("not ok:", failure)
print("%d failed" % len(failures))
sys.exit(bool(failures))
