"""Compares the JSON Schema of every endpoint, as `describe --json` prints it, with its sample and with changed samples.

The judges are PyPI's jsonschema and apictl itself: a changed sample is served, and the schema should refuse it if the model does.
"""

import copy
import json
import os
import pathlib
import shlex
import subprocess
import sys

import jsonschema

import hostile

APICTL = os.environ["APICTL"]
ENDPOINTS = pathlib.Path(__file__).parents[2] / "Endpoints"
ENVIRONMENT = {"PATH": "/usr/bin:/bin"}
for variable in ["TMDB_API_KEY", "GOOGLE_PLACES_API_KEY", "MARVEL_API_KEY", "SHOPIFY_ACCESS_TOKEN", "HTTPBIN_USER",
                 "HTTPBIN_PASSWORD", "HTTPBIN_TOKEN"]:
    ENVIRONMENT[variable] = "x"

# A schema does not say what depends on a value: `results` is required unless the status tells a failure, and what `resultType` may be.
UNDECIDED = {
    "places.nearby": {"$.results"},
    "prometheus.query": {"$.data.resultType"},
    "prometheus.query-range": {"$.data.resultType"},
}

body = b""


def answer(connection):
    hostile.read_headers(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)


PORT = hostile.serve(answer)


def apictl(*words):
    return subprocess.run(
        [APICTL, *words], env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)


def endpoints(value):
    """The names of all endpoints in the output of `list --json`."""
    if isinstance(value, list):
        return [name for item in value for name in endpoints(item)]
    if not isinstance(value, dict):
        return []
    own = [value["name"]] if "method" in value else []
    return own + [name for item in value.values() for name in endpoints(item)]


def changes(document):
    """Single changes of a document, each with its folded path: null and another type for the first value at each path, and its key dropped."""
    seen = set()

    def walk(value, path, steps):
        if path in seen:
            return
        seen.add(path)
        yield path, "null", replaced(steps, None)
        yield path, "type", replaced(steps, "text" if isinstance(value, list) else [[]])
        if steps and isinstance(steps[-1], str):
            yield path, "drop", dropped(steps)
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from walk(inner, path + "." + key, steps + [key])
        elif isinstance(value, list):
            for index, inner in enumerate(value):
                yield from walk(inner, path + "[*]", steps + [index])

    def holder(steps):
        whole = copy.deepcopy(document)
        inner = whole
        for step in steps[:-1]:
            inner = inner[step]
        return whole, inner

    def replaced(steps, value):
        if not steps:
            return value
        whole, inner = holder(steps)
        inner[steps[-1]] = value
        return whole

    def dropped(steps):
        whole, inner = holder(steps)
        del inner[steps[-1]]
        return whole

    return walk(document, "$", [])


def fits(words, document):
    """Whether the model takes the document."""
    global body
    body = json.dumps(document).encode()
    done = apictl(*words, "--base-url", f"http://127.0.0.1:{PORT}", "-q")
    if done.returncode not in (0, 8):
        raise SystemExit(f"{words}: exit {done.returncode}: {done.stderr}")
    return done.returncode == 0


def recorded(name):
    """The sample of an endpoint, such as movies.new-movies, which the file calls newMovies."""
    api, endpoint = name.split(".")
    samples = json.loads((ENDPOINTS / f"Samples/{api}.json").read_text())
    [sample] = [sample for case, sample in samples.items() if case.lower() == endpoint.replace("-", "")]
    return sample


def main():
    problems, judged, refused = [], 0, 0
    names = endpoints(json.loads(apictl("list", "--json").stdout))
    schemas = 0
    compared = set()
    for name in names:
        description = json.loads(apictl("describe", name, "--json").stdout)
        schema = description.get("schema")
        if schema is None:
            continue
        schemas += 1
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
        sample = recorded(name)
        for error in validator.iter_errors(sample):
            problems.append(f"{name}: refuses the sample: {error.json_path}: {error.message[:200]}")
        # One of the endpoints with the same model is enough.
        if json.dumps(schema) in compared:
            continue
        compared.add(json.dumps(schema))
        # An endpoint without examples is one that only a login calls.
        if not description["examples"]:
            continue
        words = shlex.split(description["examples"][0])[1:]
        for path, change, document in changes(sample):
            by_schema = validator.is_valid(document)
            by_model = fits(words, document)
            judged += 1
            refused += not by_schema
            if by_schema != by_model and path not in UNDECIDED.get(name, ()):
                verdicts = "accepts" if by_schema else "refuses"
                problems.append(f"{name}: the schema {verdicts} {path} with {change}, the model does not")
    print(f"schemas: {schemas} samples, {judged} changed samples, {refused} of them refused, {len(problems)} problems")
    for problem in problems:
        print("  " + problem)
    return 1 if problems or not refused else 0


if __name__ == "__main__":
    sys.exit(main())
