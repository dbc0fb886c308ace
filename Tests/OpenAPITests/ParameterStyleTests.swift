import EndpointKit
import JSONText
import OpenAPI
import Testing

/// Values of parameters in paths, queries, headers and cookies.
@Suite struct ParameterStyleTests {
    private static let array = #"["blue", "black", "brown"]"#
    private static let object = #"{"R": 100, "G": 200, "B": 150}"#

    /// The rows of OpenAPI 3.1, section 4.8.12.4, for paths. The values between the delimiters of a label are those of
    /// RFC 6570, which later editions of the table have too.
    @Test(arguments: [
        (#""style": "matrix""#, #""""#, ";color"),
        (#""style": "matrix""#, #""blue""#, ";color=blue"),
        (#""style": "matrix""#, array, ";color=blue,black,brown"),
        (#""style": "matrix""#, object, ";color=R,100,G,200,B,150"),
        (#""style": "matrix", "explode": true"#, #""""#, ";color"),
        (#""style": "matrix", "explode": true"#, #""blue""#, ";color=blue"),
        (#""style": "matrix", "explode": true"#, array, ";color=blue;color=black;color=brown"),
        (#""style": "matrix", "explode": true"#, object, ";R=100;G=200;B=150"),
        (#""style": "label""#, #""blue""#, ".blue"),
        (#""style": "label""#, array, ".blue,black,brown"),
        (#""style": "label""#, object, ".R,100,G,200,B,150"),
        (#""style": "label", "explode": true"#, #""blue""#, ".blue"),
        (#""style": "label", "explode": true"#, array, ".blue.black.brown"),
        (#""style": "label", "explode": true"#, object, ".R=100.G=200.B=150"),
        (#""style": "simple""#, #""blue""#, "blue"),
        (#""style": "simple""#, array, "blue,black,brown"),
        (#""style": "simple""#, object, "R,100,G,200,B,150"),
        (#""style": "simple", "explode": true"#, #""blue""#, "blue"),
        (#""style": "simple", "explode": true"#, array, "blue,black,brown"),
        (#""style": "simple", "explode": true"#, object, "R=100,G=200,B=150"),
    ])
    func `Paths have the styles matrix, label and simple`(style: String, value: String, text: String) throws {
        #expect(try Calls.url(#""in": "path", \#(style)"#, value, path: "/x/a{color}") == "/x/a" + text)
    }

    @Test func `An empty label is a dot`() throws {
        #expect(try Calls.url(#""in": "path", "style": "label""#, #""""#, path: "/x/a{color}") == "/x/a.")
        #expect(throws: RequestError.dotSegment(".")) {
            try Calls.url(#""in": "path", "style": "label""#, #""""#, path: "/x/{color}")
        }
    }

    /// The rows of OpenAPI 3.1, section 4.8.12.4, for queries. Brackets, spaces and `|` are percent-encoded.
    @Test(arguments: [
        (#""style": "form", "explode": false"#, #""""#, "color="),
        (#""style": "form", "explode": false"#, #""blue""#, "color=blue"),
        (#""style": "form", "explode": false"#, array, "color=blue,black,brown"),
        (#""style": "form", "explode": false"#, object, "color=R,100,G,200,B,150"),
        (#""style": "form""#, #""""#, "color="),
        (#""style": "form""#, #""blue""#, "color=blue"),
        (#""style": "form""#, array, "color=blue&color=black&color=brown"),
        (#""style": "form""#, object, "R=100&G=200&B=150"),
        (#""style": "spaceDelimited""#, array, "color=blue%20black%20brown"),
        (#""style": "spaceDelimited""#, object, "color=R%20100%20G%20200%20B%20150"),
        (#""style": "spaceDelimited", "explode": true"#, array, "color=blue&color=black&color=brown"),
        (#""style": "pipeDelimited""#, array, "color=blue%7Cblack%7Cbrown"),
        (#""style": "pipeDelimited""#, object, "color=R%7C100%7CG%7C200%7CB%7C150"),
        (#""style": "pipeDelimited", "explode": true"#, array, "color=blue&color=black&color=brown"),
        (#""style": "deepObject", "explode": true"#, object, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
        (#""style": "deepObject""#, #"{"a": {"b": [1, 2]}}"#, "color%5Ba%5D%5Bb%5D=1&color%5Ba%5D%5Bb%5D=2"),
        (#""style": "deepObject""#, #"["a", "b"]"#, "color=a&color=b"),
        // A style of paths separates by commas.
        (#""style": "simple""#, array, "color=blue,black,brown"),
    ])
    func `Queries have the styles form, spaceDelimited, pipeDelimited and deepObject`(
        style: String, value: String, text: String
    ) throws {
        #expect(try Calls.url(#""in": "query", \#(style)"#, value) == "/x?" + text)
    }

    @Test(arguments: ["null", "[]", "{}", "[null]", #"{"a": null}"#])
    func `Null and empty arrays and objects are left out`(value: String) throws {
        #expect(try Calls.url(#""in": "query""#, value) == "/x")
        #expect(try Calls.header("color", #""in": "header""#, value) == nil)
        #expect(try Calls.header("Cookie", #""in": "cookie""#, value) == nil)
    }

    @Test(arguments: [
        ("true", "color=true"), ("1.50", "color=1.50"), ("[1, null, 2]", "color=1&color=2"),
        (#"[{"a": [1, 2]}, "b"]"#, "color=%7B%22a%22%3A%5B1%2C2%5D%7D&color=b"),
        (#""a b&c=d+é#/""#, "color=a%20b%26c%3Dd%2B%C3%A9%23%2F"),
    ])
    func `Values are percent-encoded, and inner ones are JSON`(value: String, text: String) throws {
        #expect(try Calls.url(#""in": "query""#, value) == "/x?" + text)
    }

    @Test func `Delimiters in values are percent-encoded`() throws {
        let value = #"["a,b", "c;d"]"#
        #expect(try Calls.url(#""in": "query", "explode": false"#, value) == "/x?color=a%2Cb,c%3Bd")
        #expect(try Calls.url(#""in": "path", "style": "matrix""#, value, path: "/{color}") == "/;color=a%2Cb,c%3Bd")
    }

    @Test(arguments: [
        ("csv", "color=a,b"), ("ssv", "color=a%20b"), ("tsv", "color=a%09b"), ("pipes", "color=a%7Cb"),
        ("multi", "color=a&color=b"),
    ])
    func `Queries have the collection formats of Swagger 2`(format: String, text: String) throws {
        let parameter = #""in": "query", "type": "array", "collectionFormat": "\#(format)""#
        #expect(try Calls.url(parameter, #"["a", "b"]"#, version: #""swagger": "2.0""#) == "/x?" + text)
    }

    @Test(arguments: [
        ("tsv", "/x/a%09b"), ("pipes", "/x/a%7Cb"), ("csv", "/x/a,b"),
    ])
    func `Paths have the collection formats of Swagger 2`(format: String, text: String) throws {
        let parameter = #""in": "path", "required": true, "type": "array", "collectionFormat": "\#(format)""#
        let version = #""swagger": "2.0""#
        #expect(try Calls.url(parameter, #"["a", "b"]"#, path: "/x/{color}", version: version) == text)
    }

    @Test(arguments: [
        ("query", #""a/b?c:@!$'()*,;=""#, "/x/p?color=a/b?c:@!$'()*,;="),
        // An ampersand would start another item, a plus is a space, and a hash ends the query.
        ("query", ##""a&b+c#d[e]%2F%""##, "/x/p?color=a%26b%2Bc%23d%5Be%5D%2F%25"),
        ("query", #"["a/b", "c"]"#, "/x/p?color=a/b&color=c"),
        ("path", ##""a:b,c/d?e#f%2fg%""##, "/x/a:b,c%2Fd%3Fe%23f%2fg%25"),
    ])
    func `With allowReserved, reserved characters are sent as they are`(
        location: String, value: String, text: String
    ) throws {
        let path = location == "path" ? "/x/{color}" : "/x/p"
        #expect(try Calls.url(#""in": "\#(location)", "allowReserved": true"#, value, path: path) == text)
    }

    @Test(arguments: [
        (#""in": "header""#, #""a b, é""#, "a b, é"),
        (#""in": "header""#, array, "blue,black,brown"),
        (#""in": "header""#, object, "R,100,G,200,B,150"),
        (#""in": "header", "explode": true"#, object, "R=100,G=200,B=150"),
        (#""in": "header", "content": {"application/json": {}}"#, #"{"a": [1, "b"]}"#, #"{"a":[1,"b"]}"#),
    ])
    func `Headers are not percent-encoded`(parameter: String, value: String, text: String) throws {
        #expect(try Calls.header("color", parameter, value) == text)
    }

    @Test(arguments: [
        (#""in": "cookie""#, #""a b;c""#, "color=a%20b%3Bc"),
        (#""in": "cookie""#, array, "color=blue; color=black; color=brown"),
        (#""in": "cookie", "explode": false"#, array, "color=blue,black,brown"),
        (#""in": "cookie", "explode": false"#, object, "color=R,100,G,200,B,150"),
        (#""in": "cookie""#, object, "R=100; G=200; B=150"),
        (#""in": "cookie", "style": "cookie""#, #""a=b|c""#, "color=a=b|c"),
        (#""in": "cookie", "content": {"application/json": {}}"#, #"{"a": 1}"#, "color=%7B%22a%22%3A1%7D"),
    ])
    func `Cookies are in one header`(parameter: String, value: String, text: String) throws {
        #expect(try Calls.header("Cookie", parameter, value) == text)
    }

    @Test func `A parameter can be JSON text`() throws {
        let content = #""content": {"application/json": {"schema": {"type": "object"}}}"#
        let value = #"{"a": [1]}"#
        #expect(try Calls.url(#""in": "query", \#(content)"#, value) == "/x?color=%7B%22a%22%3A%5B1%5D%7D")
        let path = try Calls.url(#""in": "path", \#(content)"#, value, path: "/x/{color}")
        #expect(path == "/x/%7B%22a%22%3A%5B1%5D%7D")
    }

    @Test(arguments: [
        ("application/x-www-form-urlencoded", #"{"a": "b c", "d": [1, 2]}"#, "/x?a=b%20c&d=1&d=2"),
        ("application/json", #"{"a": 1}"#, "/x?%7B%22a%22%3A1%7D"),
        ("text/plain", #""a b""#, "/x?a%20b"),
    ])
    func `A parameter can be the whole query`(contentType: String, value: String, url: String) throws {
        #expect(try Calls.url(#""in": "querystring", "content": {"\#(contentType)": {}}"#, value) == url)
    }
}
