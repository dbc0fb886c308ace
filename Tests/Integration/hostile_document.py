"""An OpenAPI document whose names and texts are hostile everywhere: Swift's keywords, code, quotes, comments, and characters that no name may have."""

TEXTS = [
    # Empty, and words that have a meaning in Swift or in generated code.
    "", " ", "_", "self", "Self", "init", "Type", "Protocol", "default", "case", "class", "nil", "true", "Any", "let", "var",
    "inout", "String", "Int", "Error", "OpenEnum", "JSONValue", "Endpoint", "name", "endpoint", "examples", "servers",
    "placeholders", "api", "sampleText", "body", "query", "fields", "encoder", "decoder", "rawValue", "hashValue", "CodingKeys",
    "FieldKey",
    # Different names that become one name in Swift.
    "user_id", "userID", "userId", "user-id", "+1", "-1", "1", "2fa",
    # Texts that end a string, a comment or a line, or begin an interpolation.
    '"', '"""', '""" + exit(1) + """', '"""#', "\\", "\\(exit(1))", "\\#(exit(1))", "\\u{41}", '#"', "*/", "/*", "//", "\n",
    "\r\n", "\t", "\0", "a\nb", "`", "#if",
    # Invisible characters, one that changes the direction of text, and one letter in two spellings.
    "\u202e", "\u2066x", "\u2028", "\ufeff", "\u0301", "e\u0301", "\u00e9", "\U0001f468\u200d\U0001f469", "\U0010fffd",
    "名前", "größe",
    # Characters of paths, references and markup.
    "$", "$0", "$ref", "a.b", "a[0]", "<p>", "{", "}", "{x}", "a/b", "a~b",
    # Long texts.
    "x" * 500, "word " * 100, '"' * 200, "\\" * 301, "é" * 300,
]
# A longer name of a scheme would be a longer name of a variable, which no line of Swift could hold.
SCHEME_NAME_LENGTH = 60
MEDIA_TYPES = ["application/json", "multipart/form-data", "application/x-www-form-urlencoded"]


def schema(text):
    tagged = [
        {"properties": {text: {"const": text}, "x": {"type": "integer"}}},
        {"properties": {text: {"const": text + "2"}}},
    ]
    kinds = [
        {"type": "string", "enum": [text, "b"]},
        {"type": "object", "properties": {text: {"type": "integer"}}},
    ]
    return {
        "description": text,
        "title": text,
        "required": [text],
        "properties": {
            text: {"type": "string", "description": text, "enum": [text, "other " + text, "x"]},
            "list": {"type": "array", "items": {"enum": TEXTS}},
            "tagged": {"oneOf": tagged},
            "kinds": {"anyOf": kinds},
        },
    }


def parameter(text, place, is_required):
    return {
        "name": text, "in": place, "description": text, "required": is_required, "example": text,
        "schema": {"type": "string", "enum": [text, "y"]},
    }


def operations(number, text):
    reference = {"$ref": "#/components/schemas/" + text.replace("~", "~0").replace("/", "~1").replace("%", "%25")}
    example = {text: text, "list": [text], "kinds": text, "tagged": {text: text}}
    places = ("query", "header", "path", "cookie")
    return {
        "get": {
            "tags": [text], "operationId": text, "summary": text, "description": text,
            "parameters": [parameter(text, place, number % 2 == 0) for place in places],
            "responses": {
                "200": {"description": text, "content": {"application/json": {"schema": reference, "example": example}}},
            },
        },
        "post": {
            "tags": [text],
            "requestBody": {"required": True, "content": {MEDIA_TYPES[number % 3]: {"schema": reference}}},
            "responses": {"200": {"description": ""}},
        },
        "put": {
            "operationId": text,
            "requestBody": {"content": {"text/" + text[:40]: {}}},
            "security": [{text[:SCHEME_NAME_LENGTH]: []}],
            "responses": {"200": {"description": ""}},
        },
    }


def scheme(number, name):
    schemes = [
        {"type": "apiKey", "in": "header", "name": name},
        {"type": "http", "scheme": name},
        {"type": "apiKey", "in": "query", "name": name},
        {"type": "apiKey", "in": "cookie", "name": name},
    ]
    return schemes[number % len(schemes)]


def document():
    paths, schemes = {}, {}
    for number, text in enumerate(TEXTS):
        placeholder = text.replace("}", "").replace("{", "") or "id"
        paths[f"/p{number}/{text}/{{{placeholder}}}"] = operations(number, text)
        scheme_name = text[:SCHEME_NAME_LENGTH]
        schemes[scheme_name] = scheme(number, scheme_name)
    return {
        "openapi": "3.0.0",
        "info": {"title": "Hostile", "version": '"""\n*/\\('},
        "servers": [{"url": "https://example.com", "description": '"\\('}],
        "tags": [{"name": text, "description": text} for text in TEXTS],
        "paths": paths,
        "components": {"schemas": {text: schema(text) for text in TEXTS}, "securitySchemes": schemes},
    }
