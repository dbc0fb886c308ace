"""Hostile documents: no command crashes, hangs or takes memory out of proportion."""

import json
import select
import subprocess

from document_tool import APICTL, LIMIT

# A document of ten megabytes and what is made from it; the address space has the libraries as well.
MAX_MEGABYTES = 900
COMMANDS = [
    ["list", "t"], ["describe", "t.x"], ["describe", "t.x", "--json"], ["call", "t.x", "--dry-run"], ["curl", "t.x"], ["check", "t", "--init"],
    ["check", "--document", "hostile", "t"], ["list", "--lint", "t"],
    ["openapi", "t.*"], ["docs", "t.*"], ["mcp", "t"],
    ["mock", "t", "--port", "0"],
]


def document(operation, **members):
    """A document with one operation, `x`."""
    operation = {"operationId": "x", "responses": {}, **operation}
    return {"openapi": "3.1.0", "info": {"title": "T"}, "servers": [{"url": "https://t.example"}], "paths": {"/x": {"post": operation}}, **members}


def body(schema, media="application/json", **members):
    content = {"required": True, "content": {media: {"schema": schema}}}
    answer = {"200": {"content": {"application/json": {"schema": schema}}}}
    return document({"requestBody": content, "responses": answer}, **members)


def schema(name):
    return {"$ref": f"#/components/schemas/{name}"}


def documents():
    """Names and texts."""
    tree = {"properties": {"left": schema("T"), "right": schema("T"), "all": {"type": "array", "items": schema("T")}}, "required": ["left"]}
    yield "recursion", body(schema("T"), components={"schemas": {"T": tree}})
    doubled = {f"S{level}": {"properties": {"a": schema(f"S{level + 1}"), "b": schema(f"S{level + 1}")}, "required": ["a", "b"]} for level in range(40)}
    yield "doubled", body(schema("S0"), components={"schemas": {**doubled, "S40": {"type": "string"}}})
    either = {f"S{level}": {"anyOf": [schema(f"S{level + 1}"), {"allOf": [schema(f"S{level + 1}"), schema(f"S{level + 1}")]}]} for level in range(40)}
    yield "alternatives", body(schema("S0"), components={"schemas": {**either, "S40": {"type": "string"}}})
    yield "properties", body({"properties": {f"p{number}": {"type": "string"} for number in range(100_000)}})
    fields = [f"p{number}" for number in range(10_000)]
    yield "required", body({"properties": {name: {"type": "string", "description": "d"} for name in fields}, "required": fields})
    yield "parameters", document({"parameters": [{"name": name, "in": "query", "schema": {"type": "string"}} for name in fields]})
    yield "operations", document({}) | {"paths": {"/x": {"post": {"operationId": "x"}}} | {
        f"/x{number}/{{id}}": {"get": {"operationId": f"x{number}", "responses": {"200": {"content": {"application/json": {"schema": tree}}}}}}
        for number in range(2_000)}} | {"components": {"schemas": {"T": tree}}}
    yield "segments", document({}) | {"paths": {"/" + "a/" * (1 << 19): {"post": {"operationId": "x"}}}}
    yield "lines", "openapi: 3.1.0\npaths:\n  /x: {post: {operationId: x}}\nx-a:\n" + "".join(f"  k{line}: v\n" for line in range(1_000_000))
    yield "fields", body({"properties": {f"p{number}": {"type": "string", "format": "binary"} for number in range(20_000)}}, "multipart/form-data")
    yield "tags", document({}, tags=[{"name": f"t{number}"} for number in range(2_000)]) | {
        "paths": {"/x": {"post": {"operationId": "x"}}} | {f"/x{number}": {"post": {"operationId": "y", "tags": [f"t{number}"]}} for number in range(2_000)}}
    schemes = {f"s{number}": {"type": "apiKey", "in": "header", "name": f"H{number}"} for number in range(1_600)}
    yield "security", document({"security": [{name: []} for name in schemes]}, components={"securitySchemes": schemes})
    variables = {f"v{number}": {"default": "{v%d}{v%d}" % (number + 1, number + 1)} for number in range(40)}
    yield "servers", document({}) | {"servers": [{"url": "https://{v0}.example", "variables": {**variables, "v40": {"default": "x"}}}]}
    yield "path", document({}) | {"paths": {"/" + "{" * (1 << 20): {"post": {"operationId": "x"}}, "/x" + "{a}" * 1_000: {"get": {}}}}
    yield "references", document({"parameters": [{"$ref": "#/components/parameters/p0"}]}, components={
        "parameters": {f"p{number}": {"$ref": f"#/components/parameters/p{number + 1}"} for number in range(100_000)}})
    yield "deep JSON", '{"openapi": "3.1.0", "paths": {"/x": {"post": {"operationId": "x", "a": ' + "[" * 100_000 + "]" * 100_000 + "}}}}"
    yield "deep schema", '{"openapi": "3.1.0", "paths": {"/x": {"post": {"operationId": "x", "requestBody": {"content": {"application/json": {"schema": ' \
        + '{"items": ' * 400 + "{}" + "}" * 400 + "}}}}}}}"
    yield "deep YAML", "openapi: 3.1.0\npaths: {}\na: " + "[" * 100_000
    yield "nested YAML", "openapi: 3.1.0\npaths: {}\na:\n" + "".join(" " * level + "- \n" for level in range(1, 3_000))
    yield "aliases", "openapi: 3.1.0\npaths: {}\na0: &a0 [x, x]\n" + "".join(f"a{line}: &a{line} [*a{line - 1}, *a{line - 1}]\n" for line in range(1, 1_000_000))


def finished(command, directory):
    """Runs a command to its end, but stops a mock once it has printed its address. A command that takes too long has the exit code -9."""
    process = subprocess.Popen(
        command, env={"PATH": "/usr/bin:/bin"}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", cwd=directory)
    if "mock" in command:
        if select.select([process.stdout], [], [], LIMIT)[0] and process.stdout.readline():
            process.terminate()
            process.communicate()
            return subprocess.CompletedProcess(command, 0, "", "")
    try:
        out, err = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def problems(work, prefix=("prlimit", f"--as={MAX_MEGABYTES << 20}"), report=lambda *_: None):
    """Returns what crashed, hung, or gave neither a result nor one message."""
    found = []
    for name, value in documents():
        path = work / "hostile"
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        for words in COMMANDS:
            done = finished([*prefix, APICTL, words[0], "--api", f"t={path}", *words[1:]], work)
            # What --lint finds is on stdout, and makes it exit 1.
            is_told = done.stderr.startswith("apictl: ") or "--lint" in words and done.stdout
            if done.returncode not in (0, 1, 2) or done.returncode and not is_told:
                found.append(f"hostile: {name}: {' '.join(words)}: exit {done.returncode}: {done.stderr[:200]!r} … {done.stderr[-200:]!r}")
            report(name, words, done)
        path.unlink()
    return found
