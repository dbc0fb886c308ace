"""The request that an operation of an OpenAPI document makes, from the document and its tables alone.

Styles are those of RFC 6570 (OpenAPI 3.1, section 4.8.12.3), forms those of sections 4.8.14.4 and 4.8.15. Where they leave
something open: arrays and objects inside of others are JSON text, except that `deepObject` goes on with brackets, and a form's field
whose content type is JSON is one text, also if it is an array.
"""

import json
import re
import urllib.parse

# Section 3.2.3 of RFC 6570 sends reserved characters as they are, and these have a meaning in the part.
MEANING = {"path": "/?#[]", "query": "#[]&+"}
# How an operator of RFC 6570 starts, separates, and names values (its appendix A).
OPERATORS = {"": ("", ",", False), ".": (".", ".", False), ";": (";", ";", True), "?": ("", "&", True)}
DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t"}


def scalar(value):
    """Returns the text of a value: JSON without white space for what is no scalar."""
    return json_text(value) if isinstance(value, (dict, list, bool)) else str(value)


def json_text(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def media_text(value, media):
    """Returns the text of a value in a media type."""
    return json_text(value) if is_json(media) else scalar(value)


def quote(text, safe=""):
    """Returns the text percent-encoded. Where reserved characters are sent as they are, so are triplets."""
    quoted = urllib.parse.quote(text, safe=safe)
    return re.sub("%25([0-9A-Fa-f]{2})", r"%\1", quoted) if safe else quoted


def is_json(media):
    essence = media.split(";")[0].strip().lower()
    return essence in ("application/json", "text/json") or essence.endswith("+json")


def reserved(part):
    return "".join(character for character in ":/?#[]@!$&'()*+,;=" if character not in MEANING[part])


def expand(operator, name, value, explode, safe=""):
    """Expands a variable as RFC 6570, section 3.2.1, says."""
    first, separator, is_named = OPERATORS[operator]

    def text(one):
        return quote(scalar(one), safe)

    def named(key, one):
        encoded = text(one)
        return quote(key) if not encoded and operator == ";" else f"{quote(key)}={encoded}"

    if not isinstance(value, (list, dict)):
        return first + (named(name, value) if is_named else text(value))
    if explode and isinstance(value, list):
        return first + separator.join(named(name, one) if is_named else text(one) for one in value)
    if explode:
        return first + separator.join(f"{quote(key, safe)}={text(one)}" for key, one in value.items())
    flat = value if isinstance(value, list) else [word for pair in value.items() for word in pair]
    joined = ",".join(map(text, flat))
    return first + (f"{quote(name)}={joined}" if is_named else joined)


def deep_items(name, value):
    """The items of the style deepObject, which OpenAPI defines for scalars; lists of scalars repeat their name."""
    if isinstance(value, dict):
        return [item for key, one in value.items() for item in deep_items(f"{name}[{key}]", one)]
    if isinstance(value, list):
        has_positions = any(isinstance(one, (dict, list)) for one in value)
        return [item for number, one in enumerate(value) for item in deep_items(f"{name}[{number}]" if has_positions else name, one)]
    return [f"{quote(name)}={quote(scalar(value))}"]


def query_items(name, value, style, explode, allows_reserved):
    """The items of a query or form as they are sent."""
    if value in ([], {}):
        return []
    if style == "deepObject" and isinstance(value, dict):
        return deep_items(name, value)
    safe = reserved("query") if allows_reserved else ""
    if style in DELIMITERS and isinstance(value, (list, dict)) and not explode:
        flat = value if isinstance(value, list) else [word for pair in value.items() for word in pair]
        return [quote(name) + "=" + quote(DELIMITERS[style]).join(quote(scalar(one), safe) for one in flat)]
    return expand("?", name, value, explode, safe).split("&")


def form_items(value, encodings):
    """The items of a form (section 4.8.14.4): an object is JSON text unless its encoding says otherwise."""
    items = []
    for name, member in value.items():
        encoding = encodings.get(name) or {}
        has_style = bool({"style", "explode", "allowReserved"} & encoding.keys())
        media = encoding.get("contentType")
        if not has_style and (media and is_json(media) or not media and isinstance(member, dict)):
            items.append(f"{quote(name)}={quote(json_text(member))}")
        else:
            style = encoding.get("style", "form")
            items += query_items(name, member, style, encoding.get("explode", style == "form"), encoding.get("allowReserved", False))
    return items


class Part:
    """A part of a multipart body. `file` is a path in place of the text."""

    def __init__(self, name, text, media=None, file=None):
        self.key = (name, text, media, file)

    def __eq__(self, other):
        return self.key == other.key

    def __repr__(self):
        return repr(self.key)


class Request:
    """A request. The body is None, or ("json", value), ("form", text), ("multipart", [Part]), ("text", text) or ("file", path)."""

    def __init__(self, method, url, headers, body):
        self.method, self.url, self.headers, self.body = method, url, headers, body


class Builder:
    def __init__(self, document, values):
        self.document, self.values = document, values

    def request(self, operation, arguments, server, media=None, body=None, credentials=None):
        """Returns the request.

        `arguments` has the values of parameters by place and name, `media` the media type of `body`, `credentials` the texts of the schemes
        that are used by their names; those of basic authentication are `user:password`.
        """
        path, query, headers, cookies = operation.path, [], [], []
        texts = {}
        for parameter in operation.parameters:
            value = arguments.get((parameter.place, parameter.name))
            if value is None:
                continue
            if parameter.place == "path":
                texts[parameter.name] = self.path_text(parameter, value)
            elif parameter.place in ("query", "querystring"):
                query += self.query(parameter, value)
            elif parameter.place == "header":
                headers.append((parameter.name.lower(), self.header(parameter, value)))
            else:
                cookies += self.cookies(parameter, value)
        for name, text in texts.items():
            path = path.replace("{%s}" % name, "\0%s\0" % text)
        path, _, fixed = path.replace("\0", "").partition("?")
        query = [item for item in fixed.partition("#")[0].split("&") if item] + query
        self.add(credentials or {}, query, headers, cookies)
        if cookies:
            headers.append(("cookie", "; ".join(cookies)))
        content = self.content(operation, media, body)
        if content and content[0] in ("json", "text", "file"):
            # A range such as image/* is no type that could be sent.
            headers.append(("content-type", "application/octet-stream" if "*" in media else media))
        url = server.rstrip("/") + quote(path, "-._~!$&'()*+,;=:@/%") + ("?" + "&".join(query) if query else "")
        return Request(operation.method, url, headers, content)

    # Parameters

    def path_text(self, parameter, value):
        if parameter.media:
            return quote(media_text(value, parameter.media))
        if parameter.style in DELIMITERS:
            return quote(DELIMITERS[parameter.style]).join(quote(scalar(one)) for one in value)
        operator = {"label": ".", "matrix": ";"}.get(parameter.style, "")
        return expand(operator, parameter.name, value, parameter.explode, reserved("path") if parameter.reserved else "")

    def query(self, parameter, value):
        if parameter.place == "querystring":
            if parameter.media == "application/x-www-form-urlencoded":
                return form_items(value, parameter.encoding)
            return [quote(media_text(value, parameter.media or ""))]
        if parameter.media:
            return [f"{quote(parameter.name)}={quote(media_text(value, parameter.media))}"]
        return query_items(parameter.name, value, parameter.style, parameter.explode, parameter.reserved)

    def header(self, parameter, value):
        if parameter.media:
            return media_text(value, parameter.media)
        if not isinstance(value, (list, dict)):
            return scalar(value)
        if isinstance(value, dict) and parameter.explode:
            return ",".join(f"{key}={scalar(one)}" for key, one in value.items())
        flat = value if isinstance(value, list) else [word for pair in value.items() for word in pair]
        return DELIMITERS.get(parameter.style, ",").join(map(scalar, flat))

    def cookies(self, parameter, value):
        """Cookies of the style form are percent-encoded, and those of the style cookie are not; exploded, they are several."""
        if parameter.media:
            return [f"{parameter.name}={quote(media_text(value, parameter.media))}"]
        text = scalar if parameter.style == "cookie" else lambda one: quote(scalar(one))
        if isinstance(value, list) and parameter.explode:
            return [f"{parameter.name}={text(one)}" for one in value]
        if isinstance(value, dict) and parameter.explode:
            return [f"{key}={text(one)}" for key, one in value.items()]
        flat = value if isinstance(value, list) else [word for pair in value.items() for word in pair] if isinstance(value, dict) else [value]
        return [parameter.name + "=" + ",".join(map(text, flat))]

    def add(self, credentials, query, headers, cookies):
        for name, text in credentials.items():
            scheme = self.document.resolved(self.document.schemes[name])
            kind, place = scheme["type"], scheme.get("in")
            if kind == "apiKey" and place == "query":
                query.append(f"{quote(scheme['name'])}={text}")
            elif kind == "apiKey" and place == "cookie":
                cookies.append(f"{scheme['name']}={text}")
            elif kind == "apiKey":
                headers.append((scheme["name"].lower(), text))
            elif kind == "basic" or scheme.get("scheme", "").lower() == "basic":
                headers.append(("user", text))
            elif kind in ("oauth2", "openIdConnect") or scheme.get("scheme", "").lower() == "bearer":
                headers.append(("authorization", "Bearer " + text))
            elif kind == "http":
                headers.append(("authorization", text))

    # Bodies

    def content(self, operation, media, value):
        """Returns the body of a request."""
        if value is None or media is None:
            return None
        essence = media.split(";")[0].strip().lower()
        encodings = operation.body.media[media][1]
        if is_json(media):
            return "json", value
        if essence == "application/x-www-form-urlencoded":
            return "form", "&".join(form_items(value, encodings))
        if essence == "multipart/form-data":
            return "multipart", self.parts(operation.body.media[media][0] or {}, encodings, value)
        return ("text", value) if is_text(media) else ("file", value)

    def parts(self, schema, encodings, value):
        """The parts of a form (section 4.8.14.5): one for each element of an array, JSON for an object."""
        properties = self.values.merged(schema).get("properties") or {}
        parts = []
        for name, member in value.items():
            encoding = encodings.get(name) or {}
            property = self.values.merged(properties.get(name) or {})
            items = self.values.merged(property.get("items") or {})
            is_file = "binary" in (property.get("format"), items.get("format"))
            media = encoding.get("contentType")
            media = None if media and ("," in media or "*" in media) else media
            if "style" in encoding and not is_file:
                pairs = (item.split("=", 1) for item in query_items(name, member, encoding["style"], encoding.get("explode", encoding["style"] == "form"), False))
                parts += [Part(urllib.parse.unquote(key), urllib.parse.unquote(text)) for key, text in pairs]
                continue
            is_whole = media and is_json(media) or not isinstance(member, list)
            for one in [member] if is_whole else member:
                if is_file:
                    parts.append(Part(name, None, media or "application/octet-stream", one))
                else:
                    media_type = media or ("application/json" if isinstance(one, (dict, list)) else None)
                    parts.append(Part(name, media_text(one, media_type or ""), media_type))
        return parts


def is_text(media):
    essence = media.split(";")[0].strip().lower()
    return essence.startswith("text/") or essence.endswith(("/xml", "/yaml", "+xml", "+yaml"))
