"""Has the OpenAPI documents of `openapi` read by others: a validator, jsonschema, Schemathesis against `apictl mock`, and FastMCP.

APICTL is the binary, PETCTL, SERVERCTL those of the example packages; WORK is a directory to write to.
"""

import asyncio
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import fastmcp
import httpx2
import jsonschema
import openapi_spec_validator

import schemas

APICTL = os.environ["APICTL"]
TOOLS = [APICTL, os.environ["PETCTL"], os.environ["SERVERCTL"]]
SECRET = "s3cret-value-that-nobody-should-see"
# Schemathesis finds what no document can say; each has its reason.
#   ignored_auth                 the mock accepts any credential, as its help says
#   positive_data_acceptance     numbers beyond those of Decimal, numbers in a text beyond their bounds, and a Range header of its own
#   negative_data_rejection      one value for a list in a form is a list of one; Foundation's URL takes any text
EXCEPTIONS = {
    "positive_data_acceptance": ["places.nearby", "httpbin.post", "httpbin.put", "httpbin.patch", "httpbin.anything", "httpbin.range"],
    "negative_data_rejection": ["httpbin.post", "httpbin.put", "httpbin.anything", "httpbin.redirect-to"],
}
problems = []


def expect(condition, message):
    if not condition:
        problems.append(message)


def run(*words, **variables):
    environment = {"PATH": "/usr/bin:/bin", **variables}
    done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    expect(done.returncode == 0 and not done.stderr, f"{words}: exit {done.returncode}: {done.stderr[:300]}")
    return done.stdout


def document(tool, *words, **variables):
    return json.loads(run(tool, "openapi", *words, **variables))


def operations(whole):
    return [operation for item in whole["paths"].values() for operation in item.values()]


class Mock:
    def __init__(self, api):
        self.process = subprocess.Popen(
            [APICTL, "mock", api, "--port", "0", "--quiet"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def validates():
    """Every document is valid, the same each time, and has no value of a variable. Returns the APIs of apictl with their documents."""
    apis = {}
    for tool in TOOLS:
        names = sorted({endpoint["name"].split(".")[0] for endpoint in json.loads(run(tool, "list", "--json"))["endpoints"]})
        variables = set(re.findall(r'"name": "([A-Z_]+)"', "".join(run(tool, "describe", name, "--json") for name in names)))
        for words in [[]] + [[name + ".*"] for name in names]:
            text = run(tool, "openapi", *words)
            set_variables = {variable: SECRET for variable in variables} | {"LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8"}
            expect(run(tool, "openapi", *words, **set_variables) == text, f"{tool} {words}: depends on variables")
            expect(SECRET not in text, f"{tool} {words}: has a secret")
            try:
                openapi_spec_validator.validate(json.loads(text))
            except Exception as error:
                problems.append(f"{tool} {words}: {str(error)[:500]}")
            if tool == APICTL and words:
                apis[words[0][:-2]] = json.loads(text)
    return apis


def compares(whole):
    """The schema of a response accepts the sample. It accepts a changed sample exactly if the schema of `describe` does."""
    judged = refused = 0
    for operation in operations(whole):
        for content in operation["responses"].get("200", {}).get("content", {}).values():
            validator = jsonschema.Draft202012Validator({**content.get("schema", {}), "components": whole["components"]})
            for name, example in content.get("examples", {}).items():
                described = json.loads(run(APICTL, "describe", name, "--json")).get("schema")
                for error in validator.iter_errors(example["value"]):
                    problems.append(f"{name}: refuses the sample: {error.json_path}: {error.message[:200]}")
                if len(operation["x-apictl-endpoints"]) > 1 or described is None:
                    continue
                other = jsonschema.Draft202012Validator(described)
                for path, change, value in schemas.changes(example["value"]):
                    judged += 1
                    isRefused = not validator.is_valid(value)
                    refused += isRefused
                    expect(isRefused != other.is_valid(value), f"{name}: {path} with {change} is {'' if isRefused else 'not '}refused")
    return judged, refused


def fuzz(api, whole, directory):
    """Schemathesis sends valid and invalid requests to the mock."""
    path = pathlib.Path(directory) / f"{api}.json"
    path.write_text(json.dumps(whole))
    known = {operation["operationId"] for operation in operations(whole)}
    settings = ""
    for check, names in EXCEPTIONS.items():
        for name in known.intersection(names):
            settings += f'[[operations]]\ninclude-operation-id = "{name}"\nchecks.{check}.enabled = false\n'
    both = known.intersection(*EXCEPTIONS.values())
    for name in both:
        # The first entry that matches counts.
        settings = f'[[operations]]\ninclude-operation-id = "{name}"\n' + "".join(
            f"checks.{check}.enabled = false\n" for check in EXCEPTIONS) + settings
    (pathlib.Path(directory) / "schemathesis.toml").write_text(settings)
    with Mock(api) as mock:
        done = subprocess.run(
            ["schemathesis", "run", path, "--url", mock.address, "--seed", "1", "--max-examples", "10", "--generation-deterministic",
             "--exclude-checks", "ignored_auth", "--continue-on-failure", "--no-color"],
            cwd=directory, capture_output=True, text=True, timeout=600)
    expect(done.returncode == 0, f"schemathesis {api}:\n" + done.stdout[-6000:] + done.stderr[-1000:])
    found = re.search(r"([\d,]+) generated", done.stdout)
    return int(found[1].replace(",", "")) if found else 0


async def tools(whole):
    """FastMCP makes a tool of every operation, and a call of one reaches the mock."""
    with Mock("movies") as mock:
        async with httpx2.AsyncClient(base_url=mock.address, params={"api_key": "k"}) as client:
            server = fastmcp.FastMCP.from_openapi(openapi_spec=whole, client=client)
            async with fastmcp.Client(server) as agent:
                listed = await agent.list_tools()
                expect(len(listed) == len(operations(whole)) == 6, f"FastMCP: {[tool.name for tool in listed]}")
                [video] = [tool for tool in listed if "video" in tool.name]
                result = await agent.call_tool(video.name, {"id": 550})
                expect("results" in json.dumps(result.structured_content), f"FastMCP: {result}")


def main():
    apis = validates()
    judged, refused = (sum(counts) for counts in zip(*(compares(whole) for whole in apis.values())))
    expect(refused > 100, f"{refused} changed samples refused")
    requests = 0
    with tempfile.TemporaryDirectory() as directory:
        for api, whole in apis.items():
            requests += fuzz(api, whole, directory)
    asyncio.run(tools(apis["movies"]))
    start = time.monotonic()
    run(APICTL, "openapi")
    elapsed = time.monotonic() - start
    expect(elapsed < 0.5, f"openapi takes {elapsed:.3f} s")
    print(f"documents: {len(apis)} APIs, {judged} changed samples, {refused} of them refused, {requests} requests to the mock, "
          f"{len(problems)} problems")
    for problem in problems:
        print("  " + problem)
    return 1 if problems else 0


sys.exit(main())
