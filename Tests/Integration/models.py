"""Compiles the models that are inferred from the catalogue's samples, and from hostile JSON, in one package, and has them read their samples.

WORK is a directory to write to. The tests of the debug build write the models.
"""
import json
import os
import pathlib
import random
import string
import subprocess
import sys

import generated

ROOT = generated.ROOT
WORK = pathlib.Path(os.environ["WORK"]) / "models"
failures = []

HOSTILE = generated.HOSTILE + [
    "__", "Protocol", "await", "some", "any", "repeat", "stringValue", "intValue", "description", "encode", "decoder", "container", "value",
    "allCases", "User Id", "_id", "id", "ID", "1e9", "``", "\u00e9", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "@type", "A" * 90,
]


def fuzz():
    """Documents whose keys and texts are hostile, as texts."""
    chance = random.Random(25)

    def name():
        if chance.random() < 0.6:
            return chance.choice(HOSTILE)
        return "".join(chance.choice(string.printable + "éß\u202e\u0301名") for _ in range(chance.randrange(12)))

    def value(level):
        kind = chance.randrange(10 if level < 4 else 7)
        if kind < 7:
            return [None, True, chance.randrange(-9, 10 ** 6), 1.5, name(), "2026-11-21T04:42:31Z", 2 ** 70][kind]
        if kind == 7:
            return [value(level + 1) for _ in range(chance.randrange(4))]
        return {name(): value(level + 1) for _ in range(chance.randrange(5))}

    yield json.dumps({key: index for index, key in enumerate(HOSTILE)})
    yield json.dumps([{"type": key, "own " + key: 1} for key in HOSTILE if key])
    yield json.dumps({key: {"a%d" % index: 1} for index, key in enumerate(HOSTILE)})
    for number in range(60):
        yield json.dumps([value(0) for _ in range(chance.randrange(1, 4))], ensure_ascii=number % 2 == 0)
    # Objects of some kinds, deep ones and long ones.
    yield json.dumps([{"kind": kind, kind: [{"event": tag, tag: 1} for tag in "xyz"]} for kind in ("a b", "a-b", "unknown")])
    yield json.dumps([1, "a", [2.5], {}, [], {"a": []}, None])
    yield json.dumps({"a": [[], [[1], ["x"]]], "b": [None, 1], "c": {"1": None, "2": 2}, "d": [{}, {"x": 1}], "e": [1, {}]})
    yield '{"a":' * 500 + "1" + "}" * 500
    yield "[" * 500 + "]" * 500
    yield '{"text":"", "replies":[' * 200 + "]}" * 200
    yield json.dumps({"key%d" % number: [number, str(number), None][number % 3] for number in range(10000)})
    yield json.dumps({"k%d" % number: {"a": number} for number in range(300)})
    yield '{"a": 1e400, "b": 123456789012345678901234567890, "c": -0, "d": 1E2, "e": 9223372036854775808, "f": [1, 2.0]}'
    yield '{"a": 1, "a": "x", "b_c": 1, "bC": "x", "b__c": null}'
    yield from ("1", '"x"', "null", "[]", "{}", "true", "[null]", '[{"a": 1}, null]', "[1.5, 2]")


def inputs():
    """Name, subject, text and the text to be read by the model; whether nothing may be left over."""
    samples = [
        (path.stem, *sample)
        for path in sorted(ROOT.glob("Endpoints/Samples/*.json"))
        for sample in json.loads(path.read_text("utf-8")).items()
    ]
    for api, endpoint, document in samples:
        name = api + "_" + endpoint
        text = json.dumps(document, indent=2, ensure_ascii=False)
        yield name, endpoint, text, text, True
        for key, items in ([("", document)] if isinstance(document, list) else document.items()):
            if isinstance(items, list) and len(items) > 1:
                half = (len(items) + 1) // 2
                for kind, parts in (("first", (items[:half], items[half:])), ("every_other", (items[::2], items[1::2]))):
                    parts = [json.dumps({**document, key: part} if key else part) for part in parts]
                    yield "%s_%s_of_%s" % (name, kind, key or "all"), endpoint, *parts, False
    for number, text in enumerate(fuzz()):
        yield "fuzz_%d" % number, "item", text, text, True


def write_apis(sources, table, output):
    """An API for each group of models with one coding; returns their types."""
    groups = {}
    for row in table:
        one = output[row[0]]
        kind = ("strict" if row[4] else "halves") + ("Snake" if one.get("coding") else "")
        groups.setdefault(kind, []).append(row)
    apis = []
    for kind, rows in groups.items():
        for start in range(0, len(rows), 40):
            name = kind + str(start // 40)
            apis.append(name.capitalize())
            part = rows[start:start + 40]
            coding = {output[row[0]].get("coding") for row in part}.pop()
            arms = "".join('        case .%s: return .get("/%s", returns: %s, summary: "x")\n' % (row[0], row[0], output[row[0]]["root"]) for row in part)
            (sources / (name + "API.swift")).write_text("""import EndpointKit
import Foundation

enum %s: API {
%s
    static let api = APIInfo(
        name: "%s", servers: [Server("none", url: "http://127.0.0.1:9")]%s,
        samples: Samples([UInt8](FileManager.default.contents(atPath: "%s") ?? Data())))
    static let examples: [%s] = [%s]

    var endpoint: Endpoint {
        switch self {
%s        }
    }
}
""" % (name.capitalize(), "".join("    case %s\n" % row[0] for row in part), name.lower(),
                ", coding: %s" % coding if coding else "", WORK / (name + ".samples"), name.capitalize(),
                ", ".join("." + row[0] for row in part), arms), "utf-8")
            body = ",".join("%s:%s" % (json.dumps(row[0]), row[3]) for row in part)
            (WORK / (name + ".samples")).write_text("{" + body + "}", "utf-8")
    for row in table:
        (WORK / (row[0] + ".swift")).rename(sources / (row[0] + ".swift"))
    return apis


sources = generated.sources(WORK, "models")
table = list(inputs())
(WORK / "in.json").write_text(json.dumps([{"name": row[0], "subject": row[1], "text": row[2]} for row in table]))
done = generated.swift("test", "--quiet", "--disable-xctest", "--skip-build", "--filter", "ModelFilesTests", env={**os.environ, "APICTL_MODELS": str(WORK)})
if done.returncode or not (WORK / "out.json").exists():
    sys.exit("models were not written:\n" + done.stdout)
output = json.loads((WORK / "out.json").read_text("utf-8"))
generated.lint(WORK, failures)
apis = write_apis(sources, table, output)
program = generated.compiled(WORK, "models", apis, failures)
for api in map(str.lower, apis):
    strict = ["--strict"] if api.startswith("strict") else []
    done = subprocess.run(
        [program, "check", api, "--sample", *strict], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        failures.append("check %s:\n%s" % (api, done.stdout[:4000]))
for failure in failures:
    print("not ok:", failure)
print("%d models of samples, %d failed" % (len(table), len(failures)))
sys.exit(bool(failures))
