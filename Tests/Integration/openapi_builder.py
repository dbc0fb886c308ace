"""Builds the requests of an OpenAPI document's operations from the document and its table of styles alone (OpenAPI 3.1, section 4.8.12.4)."""

import re
from dataclasses import dataclass

METHODS = ("get", "put", "post", "delete", "patch", "head", "options")
# The separators of a joined list, by the style of OpenAPI 3 or the collection format of Swagger 2.
SEPARATORS = {"form": ",", "csv": ",", "spaceDelimited": " ", "ssv": " ", "pipeDelimited": "|", "pipes": "|"}
# A string with characters that paths, queries and forms encode.
STRING = "a b&c=/é+%"
# Objects at the top have this many optional properties, and those deeper than OPTIONAL_DEPTH have none.
OPTIONAL_COUNT = 4
OPTIONAL_DEPTH = 2
# A schema that contains itself ends at a list in this depth.
LIST_DEPTH = 4


@dataclass
class Operation:
    method: str
    path: str
    declaration: dict
    parameters: list


class Builder:
    def __init__(self, document):
        self.document = document

    def resolved(self, value):
        """Follows references until there is none."""
        while isinstance(value, dict) and "$ref" in value:
            target = self.document
            for key in value["$ref"].split("/")[1:]:
                target = target[key.replace("~1", "/").replace("~0", "~").replace("%7B", "{").replace("%7D", "}")]
            value = target
        return value

    def operations(self):
        for path, reference in self.document["paths"].items():
            item = self.resolved(reference)
            for method, declaration in item.items():
                if method in METHODS:
                    parameters = self.parameters(path, item.get("parameters", []) + declaration.get("parameters", []))
                    yield Operation(method.upper(), path, declaration, parameters)

    def parameters(self, path, declarations):
        """Returns the declared parameters, and a string for each part of the path that none declares.

        The last declaration of a name counts, because an operation's parameters replace those of its path.
        """
        parameters = {}
        for declaration in declarations:
            parameter = self.resolved(declaration)
            parameters[parameter["in"], parameter["name"]] = parameter
        for name in re.findall("{([^{}]*)}", path):
            parameters.setdefault(("path", name), {"in": "path", "name": name, "schema": {"type": "string"}})
        return list(parameters.values())

    # Values

    def value(self, schema, depth=0):
        """Returns a value that fits the schema, or None if there is no useful one."""
        schema = self.resolved(schema)
        if "allOf" in schema and "properties" not in schema:
            return self.merged_value(schema["allOf"], depth)
        for keyword in ("oneOf", "anyOf"):
            if keyword in schema and "properties" not in schema:
                values = (self.value(alternative, depth + 1) for alternative in schema[keyword])
                return next((value for value in values if value not in (None, {}, "")), None)
        if "enum" in schema:
            return next((value for value in schema["enum"] if value not in (None, "")), None)
        return self.typed_value(schema, depth)

    def merged_value(self, schemas, depth):
        """Returns one object with the members of all objects, or the first value if none is an object."""
        values = [self.value(schema, depth + 1) for schema in schemas]
        objects = [value for value in values if isinstance(value, dict)]
        if not objects:
            return values[0]
        return {key: value for members in objects for key, value in members.items()}

    def typed_value(self, schema, depth):
        implied_type = "object" if "properties" in schema else "array" if "items" in schema else None
        kind = schema.get("type", implied_type)
        if isinstance(kind, list):
            kind = next(one for one in kind if one != "null")
        if kind == "string":
            return {"date-time": "2026-01-02T03:04:05Z", "binary": None}.get(schema.get("format"), STRING)
        if kind == "array":
            element = self.value(schema.get("items", {}), depth + 1) if depth < LIST_DEPTH else None
            return [] if element is None else [element, element]
        if kind == "object" and schema.get("properties"):
            return self.object_value(schema, depth)
        if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
            value = self.value(schema["additionalProperties"], depth + 1)
            return {} if value is None else {"k 1": value}
        return {"integer": 7, "number": 1.5, "boolean": True}.get(kind)

    def object_value(self, schema, depth):
        """Returns an object with the required properties and a few others, in the order of the schema."""
        properties, required = schema["properties"], schema.get("required", [])
        optional = [key for key in properties if key not in required]
        chosen = set(required) | set(optional[:OPTIONAL_COUNT] if depth < OPTIONAL_DEPTH else [])
        values = {key: self.value(properties[key], depth + 1) for key in properties if key in chosen}
        return {
            key: value for key, value in values.items()
            if value is not None and (key in required or value not in ([], {}))
        }

    # Texts

    def text(self, value):
        return str(value).lower() if isinstance(value, bool) else str(value)

    def joined(self, value):
        """Returns the text of a value in a path or a header, where the elements of a list have commas between them."""
        return ",".join(map(self.text, value)) if isinstance(value, list) else self.text(value)

    def style(self, parameter):
        """Returns the style of a parameter, and whether each element of a list has an item of its own."""
        is_list_of_swagger_2 = "schema" not in parameter and parameter.get("type") == "array"
        collection = parameter.get("collectionFormat", "csv" if is_list_of_swagger_2 else None)
        if collection is None:
            style = parameter.get("style") or "form"
            return style, parameter.get("explode", style == "form")
        style = parameter.get("style") or ("form" if collection == "multi" else collection)
        return style, parameter.get("explode", collection == "multi")

    def items(self, name, value, style="form", explode=True):
        """Returns the items of a query or form, as pairs of name and text."""
        has_nested_values = isinstance(value, list) and any(isinstance(element, (dict, list)) for element in value)
        is_object_in_brackets = isinstance(value, dict) and style != "form"
        if style == "deepObject" or is_object_in_brackets or has_nested_values:
            return self.items_in_brackets(name, value)
        if isinstance(value, dict):
            return [(key, self.text(member)) for key, member in value.items()]
        if not isinstance(value, list):
            return [(name, self.text(value))]
        texts = [self.text(element) for element in value]
        return [(name, text) for text in texts] if explode else [(name, SEPARATORS.get(style, ",").join(texts))]

    def items_in_brackets(self, name, value):
        """Returns items such as `filter[name]=a` and `filter[tags][0]=b`."""
        if isinstance(value, (dict, list)):
            members = value.items() if isinstance(value, dict) else enumerate(value)
            return [item for key, member in members for item in self.items_in_brackets(f"{name}[{key}]", member)]
        return [(name, self.text(value))]

    def form(self, media_type, body):
        """Returns the items of a body that is a form, each with the encoding that its media type declares."""
        items = []
        for key, value in body.items():
            encoding = media_type.get("encoding", {}).get(key, {})
            items += self.items(key, value, encoding.get("style", "form"), encoding.get("explode", True))
        return items
