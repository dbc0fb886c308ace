"""The request that an operation of an OpenAPI document makes, from the document and its table of styles alone (OpenAPI 3.1, section 4.8.12.4)."""
import re


class Builder:
    def __init__(self, document):
        self.document = document

    def resolved(self, value):
        while isinstance(value, dict) and "$ref" in value:
            target = self.document
            for step in value["$ref"].split("/")[1:]:
                target = target[step.replace("~1", "/").replace("~0", "~").replace("%7B", "{").replace("%7D", "}")]
            value = target
        return value

    def operations(self):
        for path, item in self.document["paths"].items():
            for method, operation in self.resolved(item).items():
                if method in ("get", "put", "post", "delete", "patch", "head", "options"):
                    declared = {}
                    for parameter in self.resolved(item).get("parameters", []) + operation.get("parameters", []):
                        parameter = self.resolved(parameter)
                        declared[parameter["in"], parameter["name"]] = parameter
                    for name in re.findall("{([^{}]*)}", path):
                        declared.setdefault(("path", name), {"in": "path", "name": name, "schema": {"type": "string"}})
                    yield method.upper(), path, operation, list(declared.values())

    def value(self, schema, depth=0):
        """A value that fits; None if there is none to speak of."""
        schema = self.resolved(schema)
        if "example" in schema and not isinstance(schema["example"], (dict, list)) and "enum" not in schema and depth:
            pass
        if "allOf" in schema and "properties" not in schema:
            parts = [self.value(part, depth + 1) for part in schema["allOf"]]
            objects = [part for part in parts if isinstance(part, dict)]
            return {key: part[key] for part in objects for key in part} if objects else parts[0]
        for key in ("oneOf", "anyOf"):
            if key in schema and "properties" not in schema:
                found = (self.value(part, depth + 1) for part in schema[key])
                return next((one for one in found if one not in (None, {}, "")), None)
        if "enum" in schema:
            return next((one for one in schema["enum"] if one not in (None, "")), None)
        kind = schema.get("type", "object" if "properties" in schema else "array" if "items" in schema else None)
        if isinstance(kind, list):
            kind = next(one for one in kind if one != "null")
        if kind == "string":
            return {"date-time": "2026-01-02T03:04:05Z", "binary": None}.get(schema.get("format"), "a b&c=/é+%")
        if kind in ("integer", "number"):
            return {"integer": 7, "number": 1.5}[kind]
        if kind == "boolean":
            return True
        if kind == "array":
            element = self.value(schema.get("items", {}), depth + 1) if depth < 4 else None
            return [] if element is None else [element, element]
        if kind == "object" and schema.get("properties"):
            required = schema.get("required", [])
            chosen = [key for key in schema["properties"] if key in required]
            chosen += [key for key in schema["properties"] if key not in required][: 4 if depth < 2 else 0]
            pairs = {key: self.value(schema["properties"][key], depth + 1) for key in schema["properties"] if key in chosen}
            return {key: value for key, value in pairs.items() if value is not None and (key in required or value not in ([], {}))}
        if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
            value = self.value(schema["additionalProperties"], depth + 1)
            return {} if value is None else {"k 1": value}
        return None

    def text(self, value):
        return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)

    def items(self, name, value, style="form", explode=True):
        """The items of a query or form."""
        if style == "deepObject" or isinstance(value, dict) and style != "form" or isinstance(value, list) and any(
                isinstance(one, (dict, list)) for one in value):
            pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
            if pairs is None:
                return [(name, self.text(value))]
            return [item for key, one in pairs for item in self.items("%s[%s]" % (name, key), one, "deepObject")]
        if isinstance(value, dict):
            return [(key, self.text(one)) for key, one in value.items()]
        if not isinstance(value, list):
            return [(name, self.text(value))]
        separator = {"form": ",", "csv": ",", "spaceDelimited": " ", "ssv": " ", "pipeDelimited": "|", "pipes": "|"}.get(style, ",")
        texts = [self.text(one) for one in value]
        return [(name, text) for text in texts] if explode else [(name, separator.join(texts))]

    def style(self, parameter):
        collection = parameter.get("collectionFormat", "csv" if "schema" not in parameter and parameter.get("type") == "array" else None)
        style = parameter.get("style") or ("form" if collection in (None, "multi") else collection)
        return style, parameter.get("explode", style == "form" if collection is None else collection == "multi")

    def form(self, media, body):
        encoding = media.get("encoding", {})
        found = []
        for key, value in body.items():
            chosen = encoding.get(key, {})
            found += self.items(key, value, chosen.get("style", "form"), chosen.get("explode", True))
        return found
