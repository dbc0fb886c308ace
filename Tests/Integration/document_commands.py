"""Command lines for the operations of a document, and what the printed curl commands send."""

import json
import re
import shlex

from document_requests import Part, Request, is_json, is_text

# Options of curl that change nothing about what is sent first.
PLAIN = {"--location", "--fail-with-body", "--compressed", "--globoff", "--path-as-is", "--get"}


def flags(described):
    """The flags of a described endpoint that stand for parameters of the document, and that of the body."""
    parameters = described["parameters"]
    names = tuple(one["flag"] + "." for one in parameters)
    tops = [one for one in parameters if not one["flag"].startswith(names)]
    body = [one for one in tops if one["places"] == ["body"]]
    return [one for one in tops if one["places"] != ["body"]], body


def words(flag, value):
    """The words of a value: lists repeat their flag, and anything but a text is JSON."""
    def text(one):
        return json.dumps(one, ensure_ascii=False) if not isinstance(one, str) or flag["type"] == "JSON" else one
    name = flag["flag"]
    values = value if flag["repeats"] and isinstance(value, list) else [value]
    return [f"{name}={text(one)}" if name[0] == "-" else text(one) for one in values]


def body_words(flags, value, is_by_field=False):
    """The words of a body: the whole of it, or its fields."""
    whole = flags[0]
    fields = {letters(one["flag"]): one for one in flags[1:]}
    if not is_by_field or not isinstance(value, dict) or whole["flag"][0] == "-" or not fields.keys() >= set(map(letters, value)):
        return words(whole, value)
    return [word for name, member in value.items() for word in words(fields[letters(name)], member)]


def letters(name):
    """The letters and digits of a name, which its flag has too."""
    return re.sub("[^a-z0-9]", "", name.lower())


def choose(body):
    """The media type of a body that is sent if none is asked for: JSON, then a form, then text, then bytes."""
    ranks = [(rank(media), number, media) for number, media in enumerate(body.media)]
    return min(ranks)[2] if ranks else None


def rank(media):
    essence = media.split(";")[0].strip().lower()
    if is_json(essence):
        return 0
    if essence in ("application/x-www-form-urlencoded", "multipart/form-data"):
        return 1
    if is_text(essence):
        return 2
    return 3 if essence in ("*/*", "application/*") else 4


def unquoted(text):
    """Returns the value of a form part that curl reads with quotes."""
    if text[:1] != '"':
        return text.partition(";type=")[0], text.partition(";type=")[2]
    value, end = [], 1
    while text[end] != '"':
        end += text[end] == "\\"
        value.append(text[end])
        end += 1
    return "".join(value), text[end + 1:].partition(";type=")[2]


def sent(command):
    """Returns the request that a printed curl command sends, without the header Accept."""
    tokens = shlex.split(command)
    assert tokens.pop(0) == "curl", command
    method, url, headers, body = None, None, [], None
    while tokens:
        token = tokens.pop(0)
        if token in PLAIN:
            continue
        if not token.startswith("-"):
            assert url is None, command
            url = token
        elif token == "--head":
            method = "HEAD"
        elif token == "--request":
            method = tokens.pop(0)
        elif token == "--header":
            name, _, value = tokens.pop(0).partition(":")
            headers.append((name.rstrip(";").lower(), value[1:] if value[:1] == " " else value))
        elif token == "--user":
            headers.append(("user", tokens.pop(0)))
        elif token in ("--data-raw", "--data-binary", "--data", "--json"):
            text = tokens.pop(0)
            body = ("file", text[1:]) if token != "--data-raw" and text[:1] == "@" else ("data", text)
            if token == "--json":
                headers.append(("content-type", "application/json"))
        elif token in ("--data-urlencode", "--url-query"):
            # An item of the query that has a secret, whose value is not encoded yet.
            url += ("&" if "?" in url else "?") + tokens.pop(0)
        elif token == "--form-string":
            name, _, text = tokens.pop(0).partition("=")
            body = ("multipart", (body[1] if body else []) + [Part(name, text)])
        elif token == "--form":
            name, _, text = tokens.pop(0).partition("=")
            is_file = text[:1] == "@"
            value, media = unquoted(text[is_file:])
            part = Part(name, None, media or None, value) if is_file else Part(name, value, media or None)
            body = ("multipart", (body[1] if body else []) + [part])
        else:
            raise ValueError(f"unknown option {token}: {command}")
    media = dict(headers).get("content-type", "")
    has_data = body is not None
    if body and body[0] == "data":
        if is_json(media):
            body = ("json", json.loads(body[1]))
        elif not body[1] and media in ("", "application/octet-stream"):
            # The method needs no body, but a length.
            body = None
        elif media.startswith("application/x-www-form-urlencoded"):
            body = ("form", body[1])
        else:
            body = ("text", body[1])
    headers = [(name, value) for name, value in headers if name != "accept" and (name != "content-type" or body)]
    if body and body[0] == "form":
        headers = [header for header in headers if header[0] != "content-type"]
    return Request(method or ("POST" if has_data else "GET"), url, headers, body)


def differences(expected, found):
    """Returns how two requests differ, in words."""
    result = []
    for name in ("method", "url", "body"):
        left, right = getattr(expected, name), getattr(found, name)
        if left != right:
            result.append(f"{name}: expected {left!r}, found {right!r}")
    if sorted(expected.headers) != sorted(found.headers):
        result.append(f"headers: expected {sorted(expected.headers)}, found {sorted(found.headers)}")
    return result
