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


class CommandReader:
    """Reads a printed curl command word by word."""

    def __init__(self, command):
        self.command, self.words = command, shlex.split(command)
        self.method = self.url = self.data = self.file = None
        self.headers, self.parts = [], []
        if self.next() != "curl":
            raise ValueError(f"no curl command: {command}")
        while self.words:
            self.read(self.next())

    def next(self):
        return self.words.pop(0)

    def read(self, word):
        if word in PLAIN:
            pass
        elif not word.startswith("-"):
            if self.url is not None:
                raise ValueError(f"two URLs: {self.command}")
            self.url = word
        elif word == "--head":
            self.method = "HEAD"
        elif word == "--request":
            self.method = self.next()
        elif word == "--header":
            name, _, value = self.next().partition(":")
            self.headers.append((name.rstrip(";").lower(), value[1:] if value[:1] == " " else value))
        elif word == "--user":
            self.headers.append(("user", self.next()))
        elif word == "--data-raw":
            self.data = self.next()
        elif word in ("--data-binary", "--data", "--json"):
            self.read_data(self.next())
            if word == "--json":
                self.headers.append(("content-type", "application/json"))
        elif word in ("--data-urlencode", "--url-query"):
            # An item of the query that has a secret, whose value is not encoded yet.
            self.url += ("&" if "?" in self.url else "?") + self.next()
        elif word == "--form-string":
            name, _, value = self.next().partition("=")
            self.parts.append(Part(name, value))
        elif word == "--form":
            self.read_form_part(*self.next().split("=", 1))
        else:
            raise ValueError(f"unknown option {word}: {self.command}")

    def read_data(self, text):
        if text.startswith("@"):
            self.file = text[1:]
        else:
            self.data = text

    def read_form_part(self, name, text):
        is_file = text.startswith("@")
        value, media = unquoted(text[is_file:])
        self.parts.append(Part(name, None, media or None, value) if is_file else Part(name, value, media or None))

    def body(self):
        """Returns the kind of the body and its value; None if there is no body."""
        media = dict(self.headers).get("content-type", "")
        if self.parts:
            return "multipart", self.parts
        if self.file is not None:
            return "file", self.file
        if self.data is None:
            return None
        if is_json(media):
            return "json", json.loads(self.data)
        if not self.data and media in ("", "application/octet-stream"):
            # The method needs no body, but a length.
            return None
        if media.startswith("application/x-www-form-urlencoded"):
            return "form", self.data
        return "text", self.data


def sent(command):
    """Returns the request that a printed curl command sends, without the header Accept."""
    reader = CommandReader(command)
    body = reader.body()
    # curl itself sends the media type of a form, and none without a body.
    ignored = {"accept"} if body and body[0] != "form" else {"accept", "content-type"}
    headers = [header for header in reader.headers if header[0] not in ignored]
    has_data = bool(reader.parts) or reader.file is not None or reader.data is not None
    return Request(reader.method or ("POST" if has_data else "GET"), reader.url, headers, body)


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
