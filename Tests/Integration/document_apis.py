"""Uses OpenAPI documents as APIs of the command line, and compares what they do with what the documents say.

usage: document_apis.py [DIRECTORY | FILE]…   without one: Tests/Integration/documents, broken documents and hostile ones

APICTL is the program, WORK a directory to write to. FILE is JSON or YAML, or packed with gzip.
"""

import base64
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

import openapi_spec_validator

import document_faults
import document_limits
import yaml_text
from document_commands import body_words, choose, differences, flags, sent, words
from document_reading import Document, read
from document_requests import Builder, is_json, is_text
from document_tool import Mock, run
from document_values import HEADER_TEXT, Values
from recording_server import RecordingServer

HERE = pathlib.Path(__file__).resolve().parent
WORK = pathlib.Path(os.environ["WORK"]).resolve() / "apis"
BASE = "https://base.example/root"
# If a document has more operations, only some of them are called or compared in several spellings.
MANY = 60
failures = []
counts = collections.Counter()


def expect(condition, message):
    if not condition:
        failures.append(message)
    return condition


def some(items):
    """All of a few items, or some of many."""
    items = list(items)
    return items if len(items) <= MANY else items[:: len(items) // MANY]


class Subject:
    """A document under test. `words` makes it an API called `t`."""

    def __init__(self, path):
        self.document, self.name = Document(path), path.name
        self.operations = list(self.document.operations())
        self.path = WORK / (path.name.split(".")[0] + ".json")
        # Examples keep the white space of a JSON text, which YAML does not pass on.
        self.path.write_text(json.dumps(self.document.root, ensure_ascii=False, separators=(",", ":")))
        for name in {file.split("/")[0] for file in self.document.files if file}:
            if (path.parent / name).is_dir():
                shutil.copytree(path.parent / name, WORK / name, dirs_exist_ok=True)
        self.names = {}
        self.file = WORK / "file.bin"
        self.values = Values(self.document, file=str(self.file))
        self.header_values = Values(self.document, text=HEADER_TEXT)
        # A semicolon would start another cookie.
        self.cookie_values = Values(self.document, text="a b=c/+%")
        self.builder = Builder(self.document, self.values)

    def run(self, *words, path=None, code=0, environment=None, **options):
        """Runs a command with the document, and notes another exit code than the one given."""
        done = run(words[0], "--api", f"t={path or self.path}", *words[1:], environment=environment, **options)
        expect(code is None or done.returncode == code, f"{self.name}: {' '.join(map(str, words))}: exit {done.returncode}: {done.stderr[:600]}")
        expect(0 <= done.returncode < 128, f"{self.name}: {words}: crashed: {done.stderr[-1000:]}")
        return done


# 1. Lists and descriptions


def lists(subject):
    """Every operation is listed, with a name of its own."""
    listed = json.loads(subject.run("list", "t", "--json").stdout)["endpoints"]
    found = sorted((one["method"], one["path"]) for one in listed)
    expect(found == sorted((one.method, one.path) for one in subject.operations), f"{subject.name}: list has other operations")
    subject.names = {f"{one['method']} {one['path']}": one["name"] for one in listed}
    expect(len(set(subject.names.values())) == len(listed), f"{subject.name}: names occur twice")
    counts["operations"] += len(listed)


def describes(subject, operation):
    """Returns what `describe --json` says."""
    name = subject.names[operation.key]
    text = subject.run("describe", name).stdout
    expect(f"\n{operation.method} /" in text, f"{subject.name}: describe {name}: {text[:300]}")
    return json.loads(subject.run("describe", name, "--json").stdout)


# 2. Requests


def variables(scheme, kind):
    """The variables of a security scheme (`help documents`)."""
    capitals = re.sub(r"[^A-Za-z0-9]+", "_", re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", scheme)).strip("_").upper()
    return [f"T_{capitals}{suffix}" for suffix in (["_USER", "_PASSWORD"] if kind == "basic" else [""])]


def credentials(subject, operation, number):
    """Returns the variables of one of the alternatives, chosen by a number, and what the request has of each scheme, as a shell has it."""
    schemes = subject.document.schemes
    alternatives = [one for one in operation.security if all(name in schemes for name in one)]
    chosen = alternatives[number % len(alternatives)] if alternatives else {}
    environment, texts = {}, {}
    for name in chosen:
        scheme = subject.document.resolved(schemes[name])
        kind = "basic" if "basic" in (scheme["type"], scheme.get("scheme", "").lower()) else scheme["type"]
        if kind == "mutualTLS":
            continue
        needed = variables(name, kind)
        environment.update({variable: "s3cret" for variable in needed})
        texts[name] = ":".join("$" + variable for variable in needed)
    return environment, texts


def arguments(subject, operation, only_required):
    """Returns values for the parameters by place and name, the media type of the body, and the body."""
    found = {}
    for parameter in operation.parameters:
        if parameter.required or not only_required:
            values = subject.cookie_values if parameter.style == "cookie" else subject.header_values if parameter.place in ("header", "cookie") else subject.values
            value = values.value(parameter.schema, 1)
            if value is not None and value not in ([], {}):
                found[parameter.place, parameter.name] = value
    body = operation.body
    media = choose(body) if body else None
    if media is None or only_required and not body.required:
        return found, None, None
    if not body.required and is_empty(subject.values.merged(body.media[media][0] or {})):
        return found, None, None
    if is_bytes(subject, operation, media):
        return found, media, str(subject.file)
    schema = body.media[media][0]
    value = subject.values.value(schema, 0) if schema is not None and (is_json(media) or not is_text(media)) else None
    if is_text(media):
        value = subject.values.text
    elif schema is None:
        value = {"any": 1}
    return found, media, value


def is_empty(schema):
    """Whether a schema is that of an object that never has members, for which there is no flag."""
    return schema.get("type") == "object" and not schema.get("properties") and schema.get("additionalProperties") is False


def is_bytes(subject, operation, media):
    """Whether a body is no value. A range that includes JSON is one, unless its schema is that of a string."""
    essence = media.split(";")[0].strip().lower()
    if is_json(media) or is_text(media) or essence in ("application/x-www-form-urlencoded", "multipart/form-data"):
        return False
    return essence not in ("*/*", "application/*") or subject.values.merged(operation.body.media[media][0] or {}).get("type") == "string"


def command_line(subject, operation, described, found, media, body, is_by_field):
    """Returns the words before and after the name of the endpoint; None if the flags are not those of the parameters."""
    parameter_flags, body_flags = flags(described)
    if not expect(len(parameter_flags) == len(operation.parameters),
                  f"{subject.name}: {operation.key}: the flags are {[one['flag'] for one in parameter_flags]}"):
        return None
    before, after = [], []
    for flag, parameter in zip(parameter_flags, operation.parameters):
        place = "query" if parameter.place == "querystring" else parameter.place
        expect(place in (flag["places"] or [place]) or parameter.place == "cookie", f"{subject.name}: {operation.key}: {flag['flag']} is in {flag['places']}")
        expect(flag["required"] == parameter.required, f"{subject.name}: {operation.key}: {flag['flag']} is {'' if flag['required'] else 'not '}required")
        if (parameter.place, parameter.name) in found:
            after += words(flag, found[parameter.place, parameter.name])
    if body is not None and is_bytes(subject, operation, media):
        before = ["--body", "@" + body]
    elif body is not None and expect(body_flags, f"{subject.name}: {operation.key}: no flag for the body"):
        after += body_words(body_flags, body, is_by_field)
    return before, after


def requests(subject, server, numbered):
    """Compares the requests of an operation: the printed command, with some or all parameters, and the request that is sent."""
    number, operation = numbered
    if operation.key not in subject.names:
        return
    described = describes(subject, operation)
    name = subject.names[operation.key]
    # A path, or a variable without a value, is no server that could be called.
    is_absolute = re.match("https?://[^{}]*$", operation.servers[0]) is not None
    base = [] if is_absolute else ["--base-url", BASE]
    is_called = operation in some(subject.operations)
    kinds = [(False, False)] + ([(True, False), (False, True)] if is_called else [])
    for only_required, is_by_field in kinds if operation.body else kinds[:2]:
        found, media, body = arguments(subject, operation, only_required)
        line = command_line(subject, operation, described, found, media, body, is_by_field)
        is_plain = not only_required and not is_by_field
        count = max(len(operation.security), 1) if is_called and is_plain else 1
        for alternative in range(number, number + count) if line else []:
            environment, texts = credentials(subject, operation, alternative)
            expected = subject.builder.request(operation, found, operation.servers[0] if is_absolute else BASE, media, body, texts)
            done = subject.run("curl", *line[0], name, *line[1], *base, environment=environment)
            if done.returncode == 0:
                counts["requests"] += 1
                compare(subject, operation, expected, sent(done.stdout), line[1])
        if line and is_called and is_plain:
            called(subject, operation, server, number, name, line, (found, media, body), environment, texts)


def called(subject, operation, server, number, name, line, values, environment, texts):
    """Compares the request that `call` sends."""
    found, media, body = values
    text = {key: re.sub(r"\$\w+", "s3cret", value) for key, value in texts.items()}
    expected = subject.builder.request(operation, found, server.url, media, body, text)
    expected.headers = [("authorization", "Basic " + base64.b64encode(value.encode()).decode()) if key == "user" else (key, value) for key, value in expected.headers]
    content = subject.file.read_text()
    if expected.body and expected.body[0] == "file":
        expected.body = "text", content
    if expected.body and expected.body[0] == "multipart":
        for part in expected.body[1]:
            name_, text_, media_, file_ = part.key
            part.key = (name_, content, media_, pathlib.Path(file_).name) if file_ else part.key
    subject.run("call", *line[0], "-H", f"X-Number: {subject.name}{number}", name, *line[1], "--base-url", server.url, environment=environment, code=None)
    request = server.request(f"{subject.name}{number}", expected)
    if expect(request, f"{subject.name}: {operation.key}: call sent nothing: {line[1]}"):
        counts["calls"] += 1
        compare(subject, operation, expected, request, line[1])


def compare(subject, operation, expected, found, line):
    for difference in differences(expected, found):
        failures.append(f"{subject.name}: {operation.key}: {difference}\n    {line}")


# 3. YAML is JSON


def spellings(subject):
    """The document in YAML says the same as in JSON."""
    path = WORK / (subject.path.stem + ".yaml")
    path.write_text(yaml_text.dump(subject.document.root))
    commands = [["list", "t", "--json"], ["openapi", "t.*"], ["docs", "t.*", "--format", "markdown"]]
    commands += [["describe", name, "--json"] for name in some(subject.names.values())[:20]]
    for command in commands:
        # Commands that are proposed name the file.
        expected, found = (subject.run(*command, path=one).stdout.replace(str(one), "FILE") for one in (subject.path, path))
        expect(expected == found, f"{subject.name}: {' '.join(command)} of YAML differs from that of JSON")
    counts["spellings"] += len(commands)


# 4. The mock serves what check expects


def mocks(subject):
    environment = {variable: "s3cret" for operation in subject.operations for number in range(max(len(operation.security), 1))
                   for variable in credentials(subject, operation, number)[0]}
    cases = WORK / "cases.json"
    template = json.loads(subject.run("check", "t", "--init").stdout)
    expect(len({case["endpoint"] for case in template["cases"]}) == len(subject.operations), f"{subject.name}: check --init has other endpoints")
    # A case with a placeholder can't be sent before someone has replaced it.
    template["cases"] = [case for case in template["cases"] if "{{" not in json.dumps(case)]
    cases.write_text(json.dumps(template))
    report = WORK / "report.json"
    has_cases = bool(template["cases"])
    for options in [["t", "--unsafe"], ["--cases", cases]] if has_cases else []:
        with Mock("--api", f"t={subject.path}", "t") as mock:
            words = ["check", *options, "--base-url", mock.url, "--report-json", report]
            done = subject.run(*words, environment=environment, code=None, limit=300)
        if not expect(report.exists(), f"{subject.name}: check: exit {done.returncode}: {done.stderr[:800]}"):
            return
        checks = json.loads(report.read_text())
        report.unlink()
        counts["checks"] += checks["summary"]["passed"]
        for check in checks["checks"]:
            expect(check["verdict"] in ("passed", "skipped"), f"{subject.name}: check of {check['name']}: {check['verdict']}: {json.dumps(check.get('problems'))[:500]}")


# 5. Other tools, and the order of the document


def writes(subject):
    """`openapi` of the API is a valid document, and `mcp` has a tool for each operation."""
    text = subject.run("openapi", "t.*").stdout
    try:
        openapi_spec_validator.validate(json.loads(text))
    except Exception as error:
        failures.append(f"{subject.name}: openapi: {str(error)[:600]}")
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    done = subject.run("mcp", "t", "--unsafe", "--tools", "endpoints", text="".join(json.dumps(one) + "\n" for one in messages))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    tools = [tool["name"] for answer in answers if answer.get("id") == 2 for tool in answer["result"]["tools"]]
    expect(len(set(tools)) == len(subject.operations), f"{subject.name}: mcp has {len(tools)} tools for {len(subject.operations)} operations")


def described(subject, name, path):
    """Returns the description of an endpoint by `describe --json`, without the names of parts that can't be read and of the document."""
    # Commands that are proposed name the file.
    description = json.loads(subject.run("describe", name, "--json", path=path).stdout.replace(str(path), "FILE"))
    return {key: value for key, value in description.items() if key != "leftOut"}


def differing(value, other, place=""):
    """The first place at which two JSON values differ."""
    if isinstance(value, dict) and isinstance(other, dict):
        for key in [*value, *(key for key in other if key not in value)]:
            if value.get(key) != other.get(key):
                return differing(value.get(key), other.get(key), f"{place}.{key}")
    if isinstance(value, list) and isinstance(other, list) and len(value) == len(other):
        for index, (one, another) in enumerate(zip(value, other)):
            if one != another:
                return differing(one, another, f"{place}[{index}]")
    return f"{place}: {json.dumps(value)[:200]} became {json.dumps(other)[:200]}"


# Endpoints with a list whose separator OpenAPI 3 does not have at its place: a tab, and a bar in a path. It is written as a text.
NOT_KEPT = {"collections.yaml": ["t.query", "t.path"]}


def round_trips(subject):
    """The document that `openapi` writes is the same API."""
    path = WORK / (subject.path.stem + ".written.json")
    # Examples keep their white space. The source has none either.
    written = json.loads(subject.run("openapi", "t").stdout)
    path.write_text(json.dumps(written, ensure_ascii=False, separators=(",", ":")))
    listed, again = (subject.run("list", "t", "--json", path=one).stdout for one in (subject.path, path))
    if not expect(listed == again, f"{subject.name}: written as OpenAPI: list differs: {differing(json.loads(listed), json.loads(again))}"):
        return
    for name in some(subject.names.values()):
        description, other = (described(subject, name, one) for one in (subject.path, path))
        if description != other and name not in NOT_KEPT.get(subject.name, []):
            failures.append(f"{subject.name}: written as OpenAPI: describe {name} differs at {differing(description, other)}")
        counts["descriptions"] += 1


def shuffles(subject):
    """Names do not depend on the order of the document."""
    shuffled = dict(subject.document.root)
    path = WORK / "shuffled.json"
    for seed in (1, 2):
        generator = random.Random(seed)
        paths = list(subject.document.root["paths"].items())
        generator.shuffle(paths)
        shuffled["paths"] = {}
        for key, item in paths:
            members = list(item.items())
            generator.shuffle(members)
            shuffled["paths"][key] = dict(members)
        path.write_text(json.dumps(shuffled))
        listed = json.loads(subject.run("list", "t", "--json", path=path).stdout)["endpoints"]
        names = {f"{one['method']} {one['path']}": one["name"] for one in listed}
        expect(names == subject.names, f"{subject.name}: names depend on the order: {[key for key in names if names[key] != subject.names.get(key)][:5]}")


def documents(words):
    for source in [pathlib.Path(word) for word in words] or [HERE / "documents", HERE / "documents" / "apis"]:
        found = [one for one in sorted(source.iterdir()) if re.search(r"\.(json|ya?ml)(\.gz)?$", one.name)] if source.is_dir() else [source]
        yield from found


def check(path, server):
    start, before = time.monotonic(), collections.Counter(counts)
    root = read(path)
    if not isinstance(root, dict) or not isinstance(root.get("paths"), dict):
        done = run("list", "--api", f"t={path}", "t")
        expect(done.returncode == 2 and not done.stdout and "expected" in done.stderr, f"{path.name}: no paths: {done.stderr}")
        print(f"{path.name}: refused")
        return
    subject = Subject(path)
    lists(subject)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for _ in pool.map(lambda numbered: requests(subject, server, numbered), enumerate(subject.operations)):
            pass
    spellings(subject)
    mocks(subject)
    writes(subject)
    round_trips(subject)
    shuffles(subject)
    made = ", ".join(f"{counts[key] - before[key]} {key}" for key in counts)
    print(f"{path.name}: {made}, {time.monotonic() - start:.1f} s", flush=True)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    (WORK / "file.bin").write_text("a file\n")
    server = RecordingServer()
    for path in documents(sys.argv[1:]):
        check(path, server)
    if not sys.argv[1:]:
        failures.extend(document_faults.problems(WORK))
        failures.extend(document_limits.problems(WORK))
    for failure in failures:
        print("not ok:", failure)
    print(f"{counts['operations']} operations, {counts['requests']} requests printed and {counts['calls']} sent, {counts['checks']} checks, {len(failures)} failed")
    return bool(failures)


sys.exit(main())
