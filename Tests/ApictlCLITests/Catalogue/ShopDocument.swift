/// An OpenAPI document for tests.
enum ShopDocument {
    static let json = #"""
        {"openapi": "3.1.0", "info": {"title": "Pet Shop", "version": "1"},
         "servers": [{"url": "https://{region}.shop.example/v1",
            "variables": {"region": {"default": "eu", "enum": ["eu", "us"]}}}],
         "security": [{"api_key": []}],
         "paths": {
          "/pets": {
           "get": {"operationId": "findPets", "summary": "All pets with a status",
            "parameters": [
             {"name": "status", "in": "query", "schema": {"enum": ["sold", "free"]}, "example": "sold"},
             {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 100}},
             {"name": "X-Request-ID", "in": "header", "schema": {"type": "string"}},
             {"name": "filter", "in": "query", "style": "deepObject",
              "schema": {"type": "object", "properties": {"colour": {"type": "string"}}}}],
            "responses": {"200": {"description": "ok", "content": {"application/json": {
             "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}}}}}},
           "post": {"operationId": "addPet", "summary": "A new pet", "callbacks": {"done": {}},
            "requestBody": {"required": true, "content": {
             "application/json": {"schema": {"$ref": "#/components/schemas/Pet"}},
             "application/x-www-form-urlencoded": {"schema": {"$ref": "#/components/schemas/Pet"}}}},
            "responses": {"201": {"description": "made", "content": {"application/json": {
             "schema": {"$ref": "#/components/schemas/Pet"}}}}}}},
          "/pets/{id}": {
           "get": {"operationId": "getPet", "security": [],
            "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}, "example": 7}],
            "responses": {"200": {"description": "ok", "content": {"application/json": {
             "schema": {"$ref": "#/components/schemas/Pet"}, "example": {"id": 7, "name": "Rex"}}}},
             "404": {"description": "none", "content": {"application/json": {
              "schema": {"type": "object", "required": ["message"], "properties": {"message": {"type": \#
        "string"}}}}}}}}}},
         "components": {
          "securitySchemes": {"api_key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
          "schemas": {"Pet": {"type": "object", "required": ["name"], "properties": {
           "id": {"type": "integer", "readOnly": true},
           "name": {"type": "string", "description": "What it answers to.", "minLength": 1},
           "tags": {"type": "array", "items": {"type": "string"}},
           "owner": {"type": "object", "properties": {"email": {"type": "string"}}}}}}}}
        """#
}
