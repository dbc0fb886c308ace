"""An OpenAPI document as its specification describes it: references, operations, parameters, bodies, servers and credentials.

Knows nothing of apictl. Swagger 2.0 becomes what OpenAPI 3 has for it.
"""

import gzip
import json
import pathlib
import re
import urllib.parse

import yaml_text

METHODS = {"get", "put", "post", "delete", "options", "head", "patch", "trace"}
# The styles of Swagger 2.0, whose names are those of OpenAPI 3 where it has them.
COLLECTION_FORMATS = {"ssv": "spaceDelimited", "tsv": "tabDelimited", "pipes": "pipeDelimited"}


def read(path):
    """Returns the value of a file in JSON or YAML, which may be packed with gzip."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    text = data.decode("utf-8-sig")
    return json.loads(text) if text.lstrip()[:1] == "{" else yaml_text.load(text)


class Parameter:
    """A parameter with the way in which its value is written. `media` is a media type in place of a style."""

    def __init__(self, name, place, schema, *, style, explode, reserved=False, required=False, media=None):
        self.name, self.place, self.schema, self.style, self.explode = name, place, schema, style, explode
        self.reserved, self.required, self.media = reserved, required, media
        self.encoding = {}


class Body:
    """A body in its media types: name, schema, and the encodings of a form's fields."""

    def __init__(self, required, media):
        self.required, self.media = required, media


class Operation:
    def __init__(self, method, path, parameters, body, servers, security):
        self.method, self.path, self.parameters, self.body = method, path, parameters, body
        self.servers, self.security = servers, security

    @property
    def key(self):
        return f"{self.method} {self.path}"


class Document:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.root = read(self.path)
        self.files = {"": self.root}
        self.is_swagger = "swagger" in self.root
        components = self.root if self.is_swagger else self.root.get("components") or {}
        self.schemes = components.get("securityDefinitions" if self.is_swagger else "securitySchemes") or {}

    # References. A value of another file is wrapped, because its own references start there.

    def resolved(self, value):
        """Returns the value that a reference leads to."""
        for _ in range(100):
            if not isinstance(value, dict) or not isinstance(value.get("$ref"), str):
                return value
            value = self.target(value["$ref"])
        raise ValueError("a circle of references")

    def target(self, reference):
        file, _, fragment = reference.partition("#")
        if file not in self.files:
            self.files[file] = self.absolute(read(self.path.parent / file), file)
        value = self.files[file]
        for token in fragment.split("/")[1:]:
            token = urllib.parse.unquote(token).replace("~1", "/").replace("~0", "~")
            value = value[int(token) if isinstance(value, list) else token]
        return value

    def absolute(self, value, file):
        """Returns a value of another file with references that start at the document's directory."""
        if isinstance(value, list):
            return [self.absolute(element, file) for element in value]
        if not isinstance(value, dict):
            return value
        value = {key: self.absolute(member, file) for key, member in value.items()}
        if isinstance(value.get("$ref"), str):
            other, _, fragment = value["$ref"].partition("#")
            joined = urllib.parse.urljoin(file, other) if other else file
            value["$ref"] = f"{joined}#{fragment}"
        return value

    # Operations

    def operations(self):
        for path, item in self.root["paths"].items():
            if path.startswith("/"):
                item = self.resolved(item)
                methods = {key.upper(): item[key] for key in item if key in METHODS or key == "query" and self.is_at_least("3.2")}
                if self.is_at_least("3.2"):
                    methods.update(item.get("additionalOperations") or {})
                for method, operation in methods.items():
                    yield self.operation(method, path, item, operation)

    def is_at_least(self, version):
        return not self.is_swagger and self.root["openapi"] >= version

    def operation(self, method, path, item, operation):
        declared = {}
        for parameter in (item.get("parameters") or []) + (operation.get("parameters") or []):
            parameter = self.resolved(parameter)
            declared[parameter["in"], parameter["name"]] = parameter
        variables = re.findall("{([^{}]*)}", path)
        parameters = []
        for name in dict.fromkeys(variables):
            found = declared.get(("path", name), {"in": "path", "name": name, "schema": {"type": "string"}, "type": "string"})
            parameters.append(self.parameter(found))
        for place in ("query", "querystring", "header", "cookie"):
            parameters += [self.parameter(value) for (found, _), value in declared.items() if found == place]
        # Described elsewhere (OpenAPI 3.1, section 4.8.12.1).
        parameters = [one for one in parameters if one.place != "header" or one.name.lower() not in ("accept", "content-type", "authorization")]
        body = self.form_or_body(list(declared.values()), operation) if self.is_swagger else self.body(operation)
        security = operation.get("security", self.root.get("security")) or []
        return Operation(method, path, parameters, body, self.servers(item, operation), security)

    def parameter(self, value):
        place = value["in"]
        default = "form" if place in ("query", "cookie", "querystring") else "simple"
        required = value.get("required", False) or place == "path"
        if self.is_swagger:
            collection = value.get("collectionFormat", "csv")
            return Parameter(value["name"], place, value, style=COLLECTION_FORMATS.get(collection, default), explode=collection == "multi", required=required)
        style = value.get("style", default)
        parameter = Parameter(
            value["name"], place, value.get("schema", {"type": "string"}), style=style, explode=value.get("explode", style in ("form", "cookie")),
            reserved=value.get("allowReserved", False), required=required)
        for media, content in list((value.get("content") or {}).items())[:1]:
            content = self.resolved(content)
            parameter.media, parameter.schema = media, content.get("schema", {"type": "string"})
            parameter.encoding = content.get("encoding") or {}
        return parameter

    # Bodies

    def body(self, operation):
        body = self.resolved(operation.get("requestBody"))
        if not body or not body.get("content"):
            return None
        media = {}
        for name, content in body["content"].items():
            content = self.resolved(content)
            schema = content.get("schema")
            if schema is None and "itemSchema" in content:
                schema = {"type": "array", "items": content["itemSchema"]}
            media[name] = (schema, content.get("encoding") or {})
        return Body(body.get("required", False), media)

    def form_or_body(self, parameters, operation):
        """The body of Swagger 2.0: a parameter, or parameters that are the fields of a form."""
        types = operation.get("consumes", self.root.get("consumes")) or []
        for value in parameters:
            if value["in"] == "body":
                return Body(value.get("required", False), {name: (value.get("schema"), {}) for name in types or ["application/json"]})
        fields = [value for value in parameters if value["in"] == "formData"]
        if not fields:
            return None
        has_file = any(value["type"] == "file" for value in fields)
        forms = [name for name in types if name.startswith("multipart/") or not has_file and name.endswith("urlencoded")]
        schema = {"type": "object", "properties": {}, "required": [value["name"] for value in fields if value.get("required")]}
        encoding = {}
        for value in fields:
            schema["properties"][value["name"]] = {"type": "string", "format": "binary"} if value["type"] == "file" else value
            if value["type"] == "array":
                collection = value.get("collectionFormat", "csv")
                encoding[value["name"]] = {"style": COLLECTION_FORMATS.get(collection, "form"), "explode": collection == "multi"}
        default = "multipart/form-data" if has_file else "application/x-www-form-urlencoded"
        return Body(bool(schema["required"]), {name: (schema, encoding) for name in forms or [default]})

    # Servers and credentials

    def servers(self, item, operation):
        """The URLs of the servers with the defaults of their variables; of Swagger 2.0, https first."""
        if self.is_swagger:
            schemes = operation.get("schemes") or self.root.get("schemes") or ["https"]
            host, path = self.root.get("host"), self.root.get("basePath", "")
            if not host:
                return [path or "/"]
            return [f"{scheme}://{host}{path}" for scheme in sorted(schemes, key=lambda scheme: scheme != "https")]
        urls = []
        for server in operation.get("servers") or item.get("servers") or self.root.get("servers") or [{"url": "/"}]:
            url = server["url"]
            for name, variable in (server.get("variables") or {}).items():
                url = url.replace("{%s}" % name, str(variable["default"]))
            urls.append("https:" + url if url.startswith("//") else url)
        return urls
