"""Broken documents: what the program says, and where."""

import gzip
import json

from document_tool import run

HEAD = 'openapi: 3.1.0\ninfo: {title: T, version: "1"}\n'
SERVER = 'servers: [{url: "https://t.example"}]\n'
OK = "  /ok: {get: {operationId: ok, responses: {}}}\n"


def document(paths, *, servers=SERVER, more=""):
    """A document with the operation `ok` and other paths."""
    return f"{HEAD}{servers}paths:\n{OK}{paths}{more}"


def operation(members, more=""):
    """A document with a good operation, `ok`, and a bad one, `bad`, which starts at line 6."""
    return document(f"  /bad: {{get: {{operationId: bad, {members}}}}}\n", more=more)


# A whole document that can't be read: its name and text, and the one message on stderr after the name.
WHOLE = [
    ("truncated.json", '{"openapi": "3.1.0",\n "paths": {"/a":', ":2:17: expected a value, found end of input"),
    ("comma.json", '{"openapi": "3.1.0",,}', ":1:21: expected a key in quotes, found ','"),
    ("zero.json", '{"openapi": "3.1.0"\0}', ":1:20: expected ',' or '}', found byte 0x00"),
    ("bytes.json", b'{"paths": {"/\xff": {}}}', ":1:14: expected valid UTF-8, found byte 0xFF"),
    ("utf16.json", '{"openapi": "3.1.0", "paths": {}}'.encode("utf-16-le"), ":1:2: expected a key in quotes or '}', found byte 0x00"),
    ("empty.yaml", "", ":1:1: expected a value, found end of input"),
    ("blank.yaml", " \n\n", ":3:1: expected a value, found end of input"),
    ("comment.yaml", "# nothing\n", ":1:1: the document is empty"),
    ("tab.yaml", HEAD + "paths:\n\t/a: {}\n", ":4:1: expected spaces, found a tab"),
    ("alias.yaml", HEAD + "paths:\n  /a: *nope\n", ":4:7: no anchor '&nope' stands before the alias '*nope'"),
    ("inside.yaml", HEAD + "paths: &p {/a: *p}\n", ":3:16: the alias '*p' stands inside the node that it repeats"),
    ("key.yaml", HEAD + "paths: {}\npaths: {}\n", ':4:1: the key "paths" is at line 3, column 1 already'),
    ("two.yaml", HEAD + "paths: {}\n---\na: 1\n", ":4:1: expected one document, found a second one; the first is at line 1, column 1"),
    ("binary.yaml", bytes(range(1, 256)), ":1:1: expected text, found a control character"),
    ("picture.yaml", b"\x89PNG\r\n\x1a\n", ":1:1: expected text in UTF-8 or UTF-16, found other bytes"),
    ("packed.json", gzip.compress(b"{}"), ": packed with gzip; unpack it first: gunzip -c FILE > openapi.json"),
    ("page.html", "<!DOCTYPE html>\n<html><head><title>404</title></head></html>", ": expected JSON or YAML, found HTML or XML"),
    ("list.yaml", "- a\n- b\n", ":1:1: #: expected an OpenAPI document, which is an object, found array"),
    ("text.yaml", "hello\n", ':1:1: #: expected an OpenAPI document, which is an object, found string "hello"'),
    ("version.yaml", "openapi: 4.0.0\npaths: {}\n",
     ":1:10: #/openapi: expected version 3.0, 3.1 or 3.2 in 'openapi', or 2.0 in 'swagger', found string \"4.0.0\""),
    ("none.yaml", "info: {title: T}\npaths: {}\n", ":1:1: #: expected version 3.0, 3.1 or 3.2 in 'openapi', or 2.0 in 'swagger', found neither"),
    ("paths.yaml", HEAD, ":1:1: #: expected a document with 'paths', found none"),
    ("pathlist.yaml", HEAD + "paths: [a]\n", ":3:8: #/paths: expected an object of paths, found array"),
]

# A document of which one operation has a bad part: what `describe` of that operation says is left out.
PARTS = [
    ("name.yaml", operation("parameters: [{in: query}]"), "name.yaml:6:47: #/paths/~1bad/get/parameters/0: expected a parameter with a 'name', found none"),
    ("body.yaml", operation("parameters: [{name: b, in: body}]"),
     "body.yaml:6:61: #/paths/~1bad/get/parameters/0/in: expected 'in': path, query, header or cookie, found string \"body\""),
    ("dangling.yaml", operation('parameters: [{$ref: "#/components/x"}]'),
     "dangling.yaml:6:47: #/paths/~1bad/get/parameters/0: expected a value at '#/components/x', found nothing there"),
    ("schema.yaml", operation('requestBody: {content: {application/json: {schema: {$ref: "#/components/x"}}}}'),
     "expected a value at '#/components/x', found nothing there (#/paths/~1bad/get/requestBody/content/application~1json/schema)"),
    ("circle.yaml", operation('parameters: [{$ref: "#/a"}]', 'a: {$ref: "#/b"}\nb: {$ref: "#/a"}\n'),
     "circle.yaml:6:47: #/paths/~1bad/get/parameters/0: expected a reference to a value, found references that lead in a circle"),
    ("missing.yaml", operation('parameters: [{$ref: "nope.yaml#/X"}]'),
     "missing.yaml:6:47: #/paths/~1bad/get/parameters/0: expected a file 'nope.yaml' beside the document, found an error: can't read nope.yaml: no such file or directory"),
    ("outside.yaml", operation('parameters: [{$ref: "../../etc/passwd#/X"}]'),
     "outside.yaml:6:47: #/paths/~1bad/get/parameters/0: expected a file in the directory of the document, found '../../etc/passwd' outside of it"),
    ("absolute.yaml", operation('parameters: [{$ref: "/etc/passwd#/X"}]'),
     "absolute.yaml:6:47: #/paths/~1bad/get/parameters/0: expected a file in the directory of the document, found '/etc/passwd' outside of it"),
    ("url.yaml", operation('parameters: [{$ref: "https://x.example/a.yaml#/X"}]'),
     "url.yaml:6:47: #/paths/~1bad/get/parameters/0: expected a file beside the document, found the URL 'https://x.example/a.yaml', which is not loaded"),
    ("style.yaml", operation("parameters: [{name: a, in: query, style: wavy}]"),
     "style.yaml:6:75: #/paths/~1bad/get/parameters/0/style: expected a style: form, simple, deepObject, …, found string \"wavy\""),
    ("parameters.yaml", operation("parameters: {a: {in: query}}"), "parameters.yaml:6:46: #/paths/~1bad/get/parameters: expected an array, found object"),
    ("response.yaml", operation('responses: {"200": nope}'), 'response.yaml:6:53: #/paths/~1bad/get/responses/200: expected an object, found string "nope"'),
    ("responses.yaml", operation("responses: nope"), 'responses.yaml:6:45: #/paths/~1bad/get/responses: expected an object, found string "nope"'),
    ("status.yaml", operation('responses: {"2000": {}}'),
     "status.yaml:6:54: #/paths/~1bad/get/responses/2000: expected a status such as 200, 2XX or default, found '2000'"),
    ("content.yaml", operation("requestBody: {content: [a]}"), "content.yaml:6:57: #/paths/~1bad/get/requestBody/content: expected an object, found array"),
    ("unknown.yaml", operation("security: [{nope: []}]"), "there is no security scheme 'nope' that can be read"),
    ("scheme.yaml", operation("security: [{k: []}]", "components: {securitySchemes: {k: {type: magic}}}\n"), "there is no security scheme 'k' that can be read"),
    ("security.yaml", operation("security: {k: []}"), "security.yaml:6:44: #/paths/~1bad/get/security: expected an array, found object"),
    ("variable.yaml", operation('servers: [{url: "https://{r}.x", variables: {r: {enum: [a]}}}]'),
     "the server 'https://{r}.x' needs a value: give --server-variable r=VALUE, or --base-url URL"),
    ("servers.yaml", operation("servers: [{description: x}]"), "servers.yaml:6:44: #/paths/~1bad/get/servers/0: expected a server with a 'url', found none"),
]

# A document of which one path has no operation that could be listed: what `list --lint` says of the API.
PATHS = [
    ("item.yaml", document("  /bad: [x]\n"), "t: item.yaml:6:9: #/paths/~1bad: expected an object, found array"),
    ("operation.yaml", document("  /bad: {get: x}\n"), 't: operation.yaml:6:15: #/paths/~1bad/get: expected an operation, which is an object, found string "x"'),
    ("reference.yaml", document('  /bad: {$ref: "#/nope"}\n'), "t: reference.yaml:6:9: #/paths/~1bad: expected a value at '#/nope', found nothing there"),
    ("slash.yaml", document("  bad: {get: {}}\n"), "t: slash.yaml:6:8: #/paths/bad: expected a path that starts with '/', found 'bad'"),
]

# A document that people might take for a broken one, and has the operation `ok`.
GOOD = [
    ("anchors.yaml", HEAD + SERVER + f"x-a: &a 1\nx-b: &a 2\nx-c: *a\npaths:\n{OK}"),
    ("utf16.yaml", (HEAD + SERVER + f"paths:\n{OK}").encode("utf-16")),
    ("mark.json", b"\xef\xbb\xbf" + b'{"openapi": "3.1.0", "paths": {"/ok": {"get": {"operationId": "ok"}}}}'),
]


def names(done):
    return [endpoint["name"] for endpoint in json.loads(done.stdout)["endpoints"]]


def problems(work):
    """Returns what is not as the tables say."""
    directory = work / "faults"
    directory.mkdir()
    found = []

    def expect(condition, name, done):
        if not condition:
            found.append(f"{name}: exit {done.returncode}, stdout {done.stdout[:200]!r}, stderr {done.stderr[:600]!r}")

    def command(name, *words):
        return run(words[0], "--api", f"t={name}", *words[1:], directory=directory)

    for name, text, *_ in WHOLE + PARTS + PATHS + GOOD:
        (directory / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    for name, _, message in WHOLE:
        for words in (["list", "t"], ["describe", "t"], ["call", "t.bad"], ["mock", "t"], ["mcp", "t"]):
            done = command(name, *words)
            expected = f"apictl: {name}{message}\nSee 'apictl help documents'.\n"
            expect((done.returncode, done.stdout, done.stderr) == (2, "", expected), f"{name}: {words[0]}", done)
    for name, _, message in PARTS:
        done = command(name, "list", "t", "--json")
        expect(done.returncode == 0 and names(done) == ["t.ok", "t.bad"], f"{name}: list", done)
        done = command(name, "describe", "t.bad")
        shown = " ".join(done.stdout.partition("\nLeft out\n")[2].partition("\n\n")[0].split())
        expect(done.returncode == 0 and shown == message, f"{name}: describe", done)
        done = command(name, "curl", "t.ok")
        expect(done.returncode == 0 and "https://t.example/ok" in done.stdout, f"{name}: curl of the good operation", done)
    for name, _, message in PATHS:
        done = command(name, "list", "t", "--json")
        expect(done.returncode == 0 and names(done) == ["t.ok"], f"{name}: list", done)
        done = command(name, "list", "--lint", "t")
        expect(done.returncode == 1 and message in (done.stdout + done.stderr).splitlines(), f"{name}: lint", done)
    for name, _ in GOOD:
        done = command(name, "list", "t", "--json")
        expect(done.returncode == 0 and names(done) == ["t.ok"], name, done)
    return found
