"""Values that fit the schemas of an OpenAPI document."""

# Everything that a query, a path, a form and a shell write in a way of their own.
TEXT = "a b&c=/é+%,;'\"?#"
# A header has neither a character beyond ASCII nor white space at its ends.
HEADER_TEXT = "a b&c=/+%,;'\"?#"
FORMATS = {
    "date-time": "2026-01-02T03:04:05Z", "date": "2026-01-02", "uuid": "0b6a9d30-6f0c-4f3a-9a51-5a3b3b7a8f11", "email": "ada@example.com",
    "uri": "https://example.com/a?b=c", "url": "https://example.com/a?b=c", "byte": "YQ==", "binary": None,
}
MAX_DEPTH = 4


class Values:
    """Makes values.

    `text` is a string without a format; `file` is the path that stands for a file in a form.
    """

    def __init__(self, document, text=TEXT, file=None):
        self.document, self.text, self.file = document, text, file

    def merged(self, schema, depth=0):
        """Returns a schema with what all of its `allOf` say."""
        schema = self.document.resolved(schema)
        if not isinstance(schema, dict):
            return {}
        if "allOf" not in schema or depth > 8:
            return schema
        result = {key: value for key, value in schema.items() if key != "allOf"}
        result["properties"] = dict(schema.get("properties") or {})
        result["required"] = list(schema.get("required") or [])
        for part in schema["allOf"]:
            part = self.merged(part, depth + 1)
            result["properties"].update({key: value for key, value in (part.get("properties") or {}).items() if key not in result["properties"]})
            result["required"] += part.get("required") or []
            for key, value in part.items():
                if key == "enum" and "enum" in result:
                    result["enum"] = [one for one in value if one in result["enum"]]
                result.setdefault(key, value)
        if not result["properties"]:
            del result["properties"]
        return result

    def kind(self, schema):
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = next((one for one in kind if one != "null"), "null")
        if kind is None:
            kind = "object" if "properties" in schema or "additionalProperties" in schema else "array" if "items" in schema else None
        return kind

    def value(self, schema, depth=0):
        """Returns a value; None if there is none that can be given."""
        schema = self.merged(schema)
        if "const" in schema:
            return schema["const"]
        if schema.get("enum"):
            return next((one for one in schema["enum"] if one not in (None, "")), None)
        for key in ("oneOf", "anyOf"):
            if key in schema and "properties" not in schema:
                return self.alternative(schema, schema[key], depth)
        kind = self.kind(schema)
        if kind == "string":
            return self.string(schema)
        if kind in ("integer", "number"):
            return self.number(schema, kind)
        if kind == "boolean":
            return True
        if kind == "array":
            return self.array(schema, depth)
        if kind == "object":
            return self.object(schema, depth)
        return None if kind == "null" else {"any": [1, "x"]}

    def alternative(self, schema, parts, depth):
        """The first alternative that has a value, with the value of the discriminator."""
        discriminator = schema.get("discriminator") or {}
        empty = None
        for part in parts:
            value = self.value(part, depth + 1)
            if value in (None, {}, "", []):
                empty = value if empty is None else empty
                continue
            reference = part.get("$ref", "")
            if isinstance(value, dict) and discriminator.get("propertyName") and reference:
                mapping = {target: key for key, target in (discriminator.get("mapping") or {}).items()}
                name = reference.split("/")[-1]
                value[discriminator["propertyName"]] = mapping.get(reference, mapping.get(name, name))
            return value
        return empty

    def string(self, schema):
        known = schema.get("format")
        if known == "binary":
            return self.file
        if known in FORMATS:
            return FORMATS[known]
        text = self.text[: schema.get("maxLength", len(self.text))]
        return text + "x" * (schema.get("minLength", 0) - len(text))

    def number(self, schema, kind):
        value = 9007199254740993 if schema.get("format") == "int64" and "maximum" not in schema else 7 if kind == "integer" else 1.5
        low, high = schema.get("minimum", schema.get("exclusiveMinimum")), schema.get("maximum", schema.get("exclusiveMaximum"))
        if not isinstance(low, bool) and low is not None and value <= low:
            value = low + 1 if high is None or low + 1 < high else low
        if not isinstance(high, bool) and high is not None and value >= high:
            value = high - 1 if low is None or isinstance(low, bool) or high - 1 > low else high
        step = schema.get("multipleOf")
        return value - value % step + step if step and value % step else value

    def array(self, schema, depth):
        count = max(schema.get("minItems", 0), min(2, schema.get("maxItems", 2)))
        if depth >= MAX_DEPTH:
            count = schema.get("minItems", 0)
        items = self.merged(schema.get("items") or {})
        if items.get("enum"):
            found = [one for one in items["enum"] if one not in (None, "")]
            return found[:count] if len(found) >= count else found * count
        elements = [self.value(items, depth + 1) for _ in range(count)]
        return [element for element in elements if element is not None]

    def object(self, schema, depth):
        """Required properties, and some of the others where that does not nest too deeply."""
        required = schema.get("required") or []
        properties = schema.get("properties") or {}
        optional = [key for key in properties if key not in required][: (12, 4, 2)[depth] if depth < 3 else 0]
        result = {}
        for key, property in properties.items():
            if key not in required and key not in optional or self.merged(property).get("readOnly"):
                continue
            value = self.value(property, depth + 1) if depth < 30 else None
            if value is not None and (key in required or value not in ([], {})):
                result[key] = value
        extra = schema.get("additionalProperties")
        if isinstance(extra, dict) and not properties:
            value = self.value(extra, depth + 1)
            if value is not None:
                result["k 1"] = value
        return result
