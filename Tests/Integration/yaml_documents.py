"""Turns OpenAPI documents into YAML in several styles and compares what `import openapi` makes of them with what it makes of the JSON; also hostile YAML.

APICTL is the program, WORK a directory to write to. The documents are those of Tests/Integration/documents and what `openapi` prints of the catalogue.
"""
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time

import yaml

from yaml_text import Dumper, SharingDumper

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = pathlib.Path(os.environ["WORK"]) / "yaml"
APICTL = str(pathlib.Path(os.environ["APICTL"]).resolve())
failures = []


def shared(value, known):
    """The value, in which equal parts are the same object, so that they become anchors and aliases."""
    if isinstance(value, dict):
        value = {key: shared(child, known) for key, child in value.items()}
    elif isinstance(value, list):
        value = [shared(child, known) for child in value]
    else:
        return value
    return known.setdefault(json.dumps(value), value)


def spellings(document):
    """The document in each style, as bytes."""
    options = {"sort_keys": False, "allow_unicode": True}
    yield "block", b"# A comment.\n" + yaml.dump(document, Dumper=Dumper, **options).encode()
    yield "narrow", b"---\n" + yaml.dump(document, Dumper=Dumper, width=20, indent=1, **options).encode()
    yield "flow", b"---\n" + yaml.dump(document, Dumper=Dumper, default_flow_style=True, **options).encode()
    yield "quoted", yaml.dump(document, Dumper=Dumper, default_style='"', sort_keys=False).encode()
    yield "aliases", yaml.dump(shared(document, {}), Dumper=SharingDumper, **options).encode()
    yield "utf16", b"\xff\xfe" + yaml.dump(document, Dumper=Dumper, **options).encode("utf-16-le")
    yield "json", b"# JSON is YAML, too.\n" + json.dumps(document, indent=1, ensure_ascii=False).encode()


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)


def imported(path):
    """The files, the report and the messages of an import, without the name of the document."""
    into = path.parent / "API"
    report = path.parent / "report.json"
    shutil.rmtree(into, ignore_errors=True)
    done = run(APICTL, "import", "--into", into, "--report", report, "openapi", path)
    files = {str(file.relative_to(into)): file.read_text() for file in sorted(into.rglob("*.swift"))}
    return done.returncode, files, report.read_text() if report.exists() else "", done.stderr.replace(path.name, "")


def check_document(name, document):
    directory = WORK / name
    directory.mkdir(parents=True)
    json_path = directory / "document.json"
    # Samples keep the escapes of a JSON text, which YAML does not pass on.
    json_path.write_text(json.dumps(document, indent=1, ensure_ascii=False))
    expected = imported(json_path)
    if expected[0]:
        failures.append("%s: %s" % (name, expected[3][:500]))
    for style, text in spellings(document):
        path = directory / "document.yaml"
        path.write_bytes(text)
        found = imported(path)
        if found != expected:
            failures.append("%s: %s: not what its JSON gives: exit %d %s" % (name, style, found[0], found[3][:500]))
        checks = [run(APICTL, "check", "--document", source) for source in (json_path, path)]
        results = [(check.returncode, re.sub(r" \(line \d+\)", "", check.stdout)) for check in checks]
        if results[0] != results[1]:
            failures.append("%s: %s: check --document gives %r" % (name, style, results[1]))


def hostile():
    """Texts whose meaning is far larger than they are, or whose reading might take far longer."""
    lines = 1_000_000
    yield "aliases of aliases", "a0: &a0 [x, x]\n" + "".join("a%d: &a%d [*a%d, *a%d]\n" % (i, i, i - 1, i - 1) for i in range(1, lines))
    yield "a million aliases", "a: &a {x: [1]}\nb:\n" + "- *a\n" * lines
    yield "merged aliases", "a: &a {x: 1}\n" + "".join("k%d:\n  <<: *a\n" % i for i in range(lines // 2))
    yield "merges of merges", "a0: &a0 {x: 1}\n" + "".join("a%d: &a%d {<<: [*a%d, *a%d], k%d: 1}\n" % (i, i, i - 1, i - 1, i) for i in range(1, lines // 2))
    yield "a million keys", "".join("k%d: 1\n" % i for i in range(lines))
    yield "long text", "a: |\n" + "  text\n" * lines
    yield "brackets", "a: " + "[" * lines
    yield "braces", "a: " + "{a: " * lines
    yield "dashes", "- " * lines
    yield "question marks", "? " * lines
    yield "directives", "".join("%%TAG !a%d! x\n" % i for i in range(lines)) + "---\na: 1\n"
    yield "anchors", "".join("- &a%d x\n" % i for i in range(lines))
    yield "open quote", "a: 'x\n" + "  y\n" * lines


def check_hostile(name, text):
    path = WORK / "hostile.yaml"
    path.write_text(text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    start = time.monotonic()
    done = run("/usr/bin/time", "-f", "memory %M", APICTL, "import", "openapi", path, timeout=60)
    elapsed = time.monotonic() - start
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    memory = int(done.stderr.split()[-1]) / 1024
    print("%-20s exit %d  %.2f s  %.0f MB" % (name, done.returncode, elapsed, memory), flush=True)
    # Reading in proportion to the text takes some 2 s of processor time; more than that would take minutes.
    if done.returncode != 2 or not done.stderr.startswith("apictl: ") or seconds > 20 or memory > 300:
        failures.append("hostile: %s: exit %d, %.2f s, %.0f MB: %s" % (name, done.returncode, seconds, memory, done.stderr[:300]))


shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)
for path in sorted((ROOT / "Tests" / "Integration" / "documents").glob("*.json")):
    check_document(path.stem, json.loads(path.read_text()))
for path in sorted(pathlib.Path(word) for word in sys.argv[1:]):
    check_document(path.stem, json.loads(path.read_text()))
check_document("catalogue", json.loads(run(APICTL, "openapi").stdout))
for name, text in hostile():
    check_hostile(name, text)
shutil.rmtree(WORK)
for failure in failures:
    print("not ok:", failure)
print("%d failed" % len(failures))
sys.exit(bool(failures))
