"""Compares the request that a program makes for an operation with the request that its OpenAPI document describes."""

import json
import re
import urllib.parse
from dataclasses import dataclass, field

# Headers that the program sets by itself.
OWN_HEADERS = ("authorization", "accept", "content-type")
BODY_TYPES = ("application/json", "application/x-www-form-urlencoded")


class Difference(Exception):
    """Says how a call differs from its document."""


@dataclass
class Call:
    """The words that set the parameters of an operation, and the parts of the request that they make."""

    path: str
    words: list = field(default_factory=list)
    query: list = field(default_factory=list)
    headers: dict = field(default_factory=dict)
    body_type: str = None
    body: object = None
    # The names of parameters that are credentials, which come from variables and not from words.
    credentials: set = field(default_factory=set)


def check_operation(run, builder, operation, endpoint):
    """Calls the endpoint with a value for each parameter, without sending anything.

    `run` runs the program with words.

    Raises Difference if the request is not the one of the document. A call whose body can't be built is not compared.
    """
    description = json.loads(run("describe", endpoint, "--json").stdout)
    call = Call(operation.path)
    flags = sorted(description["parameters"], key=lambda flag: "." in flag["flag"])
    add_parameters(call, builder, operation, flags, described_secrets(builder, description, operation.parameters))
    add_body(call, builder, operation, flags)
    if call.body is None and any(flag["required"] and "body" in flag["places"] for flag in flags):
        return
    dry_run = run("call", endpoint, *call.words, "--dry-run")
    if dry_run.returncode:
        raise Difference(f"{dry_run.stderr.strip()[:300]}\n  {call.words}")
    compare(call, builder, operation, dry_run.stdout)


# The command line


def described_secrets(builder, description, parameters):
    """Returns the names of the parameters that the endpoint describes as credentials."""
    sentences = [
        alternative["sentence"]
        for credential in description["credentials"] for alternative in credential["alternatives"]
    ]
    described_words = {word for sentence in sentences for word in re.split("[ :]", sentence)}
    return {parameter["name"] for parameter in parameters} & described_words


def add_parameters(call, builder, operation, flags, secrets):
    schemes = builder.document.get("components", {}).get("securitySchemes", {})
    call.credentials = {scheme.get("name") for scheme in schemes.values()}
    used_flags = set()
    # Words without a flag are the values of the path, in the order of the path.
    for parameter in sorted(operation.parameters, key=lambda parameter: parameter["in"] != "path"):
        name, place = parameter["name"], parameter["in"]
        value = parameter.get("example")
        if value is None:
            value = builder.value(parameter.get("schema", parameter), 1)
        is_own_header = place == "header" and name.lower() in OWN_HEADERS
        if value is None or place not in ("path", "query", "header") or is_own_header:
            continue
        flag = matching_flag(parameter, flags, used_flags)
        if flag is None and name in secrets:
            call.credentials.add(name)
            continue
        if flag is None:
            raise Difference(f"no flag for {name}")
        used_flags.add(flag["flag"])
        call.words += flag_words(flag, value)
        add_to_request(call, builder, parameter, value)


def matching_flag(parameter, flags, used_flags):
    """Returns the flag of a parameter: the one with its name, or else the next unused one of the path. None if there is none."""
    name = plain(parameter["name"])
    for flag in flags:
        if plain(flag["flag"]) in (name, name + "value"):
            return flag
    if parameter["in"] == "path":
        return next((flag for flag in flags if "path" in flag["places"] and flag["flag"] not in used_flags), None)
    return None


def plain(name):
    return re.sub("[^a-z0-9]", "", name.lower())


def flag_words(flag, value):
    """Returns the words that set a flag. A list is one word in JSON, unless the flag is repeated for each element."""
    values = value_words(value) if flag["repeats"] or not isinstance(value, list) else [json.dumps(value)]
    if not flag["flag"].startswith("-"):
        return values
    return [f"{flag['flag']}={word}" for word in values]


def value_words(value):
    """Returns a value as the command line takes it: scalars as texts, each element of a list, anything else as JSON."""
    if isinstance(value, list) and not any(isinstance(element, (list, dict)) for element in value):
        return [word for element in value for word in value_words(element)]
    return [json.dumps(value) if isinstance(value, (list, dict, bool)) else str(value)]


def add_to_request(call, builder, parameter, value):
    name = parameter["name"]
    if parameter["in"] == "path":
        call.path = call.path.replace("{%s}" % name, urllib.parse.quote(builder.joined(value), safe=""))
    elif parameter["in"] == "query":
        call.query += builder.items(name, value, *builder.style(parameter))
    else:
        call.headers[name.lower()] = builder.joined(value)


def add_body(call, builder, operation, flags):
    content = builder.resolved(operation.declaration.get("requestBody", {})).get("content", {})
    call.body_type = next((media_type for media_type in content if media_type in BODY_TYPES), None)
    schema = content[call.body_type].get("schema") if call.body_type else None
    call.body = (builder.value(schema) if schema else None) or None
    if call.body is None:
        return
    word = call.body if isinstance(call.body, str) else json.dumps(call.body)
    is_operand = any(not flag["flag"].startswith("-") and "body" in flag["places"] for flag in flags)
    call.words.append(word if is_operand else f"--body={word}")


# The request


def compare(call, builder, operation, dry_run):
    """Raises Difference if the request that `--dry-run` shows is not the one of the call."""
    head, _, body = dry_run.partition("\n\n")
    request_line, *header_lines = head.splitlines()
    method, url = request_line.split(" ", 1)
    url_parts = urllib.parse.urlsplit(url)
    path = url_parts.path[len(server_path(builder.document)):]
    # Whether a path encodes a character that it needn't makes no difference.
    if urllib.parse.unquote(path) == urllib.parse.unquote(call.path):
        path = call.path
    query = [item for item in parsed_items(url_parts.query) if item[0] not in call.credentials]
    headers = dict(line.split(": ", 1) for line in header_lines if ": " in line)
    values = {name.lower(): value for name, value in headers.items()}
    found = (method, path, sorted(query), {name: values.get(name) for name in call.headers})
    expected = (operation.method, call.path, sorted(call.query), call.headers)
    if found != expected:
        raise Difference(f"expected {expected}\n  found    {found}")
    if call.body is not None:
        compare_body(call, builder, operation, body)


def compare_body(call, builder, operation, text):
    if call.body_type == "application/json":
        expected, found = call.body, json.loads(text or "null")
    else:
        content = builder.resolved(operation.declaration["requestBody"])["content"]
        expected = sorted(builder.form(content[call.body_type], call.body))
        found = sorted(parsed_items(text.strip()))
    if found != expected:
        raise Difference(f"expected body {expected}\n  found body    {found}")


def server_path(document):
    """Returns the path of the first server, without a slash at its end."""
    server = (document.get("servers") or [{"url": document.get("basePath", "")}])[0]
    url = server["url"]
    for name, variable in server.get("variables", {}).items():
        url = url.replace("{%s}" % name, variable["default"])
    return urllib.parse.urlsplit(url).path.rstrip("/")


def parsed_items(query):
    return urllib.parse.parse_qsl(query, keep_blank_values=True)
