import EndpointKit
import EndpointTools
import Foundation
import TestSupport
import Testing

struct ArgumentTests {
    /// The name of a case and the arguments of a call of it.
    struct Line: Sendable {
        let caseName: String
        let arguments: [Argument]

        init(_ caseName: String, _ arguments: [Argument]) {
            self.caseName = caseName
            self.arguments = arguments
        }

        /// Creates a line with a text for each parameter. Dots separate the names of a path, as in `product.title`.
        init(_ caseName: String, _ texts: KeyValuePairs<String, String>) {
            self.caseName = caseName
            arguments = texts.map { Argument($0.split(separator: ".").map(String.init), $1) }
        }

        /// Returns the call that the arguments describe.
        func call() throws -> Everything? {
            let all = try CatalogueAPI(Everything.self).declarations()
            return try #require(all.first { $0.signature.caseName == caseName }).call(arguments).apiCase as? Everything
        }
    }

    static func json(_ path: [String], _ text: String, source: String = "@file.json", position: Int? = nil) -> Argument
    {
        Argument(path, .json(text.bytes, source: source), position: position)
    }

    static let valid: [Row<Line, Everything>] = [
        Row("nothing", Line("nothing", []), .nothing),
        Row("true", Line("bool", ["flag": "true"]), .bool(flag: true)),
        Row("1", Line("bool", ["flag": "1"]), .bool(flag: true)),
        Row("0", Line("bool", ["flag": "0"]), .bool(flag: false)),
        Row(
            "smallest integers",
            Line(
                "integers",
                [
                    "a": "-9223372036854775808", "b": "-128", "c": "-32768", "d": "-2147483648",
                    "e": "-9223372036854775808",
                ]),
            .integers(a: .min, b: .min, c: .min, d: .min, e: .min)),
        Row(
            "largest integers",
            Line(
                "unsigned",
                [
                    "a": "18446744073709551615", "b": "255", "c": "65535", "d": "4294967295",
                    "e": "18446744073709551615",
                ]), .unsigned(a: .max, b: .max, c: .max, d: .max, e: .max)),
        Row(
            "leading zeros and a plus", Line("integers", ["a": "007", "b": "+1", "c": "-0", "d": "00", "e": "0"]),
            .integers(a: 7, b: 1, c: 0, d: 0, e: 0)),
        Row(
            "numbers", Line("numbers", ["float": "-0.5", "double": "1e3", "decimal": "12345678901234567890.12"]),
            .numbers(
                float: -0.5, double: 1000, decimal: Decimal(1_234_567_890_123_456_789) * 10 + Decimal(12) / 100)),
        Row(
            "texts",
            Line(
                "texts",
                [
                    "string": "a b", "url": "https://h.test/a?b=1", "uuid": "e621e1f8-c36c-495a-93fc-0c247a3e6e5f",
                    "date": "2026-11-21T10:30:00+01:00",
                ]),
            .texts(string: "a b", url: Everything.url, uuid: Everything.uuid, date: Everything.day)),
        Row("text that looks like JSON", Line("unlabelled", ["_0": "{\"a\":1}"]), .unlabelled("{\"a\":1}")),
        Row(
            "raw bytes", Line("unlabelled", ["_0": String(exactBytes: [0xFF])]),
            .unlabelled(String(exactBytes: [0xFF]))),
        Row("mixed, optional left out", Line("mixed", ["_0": "1", "name": "n"]), .mixed(1, name: "n", nil)),
        Row(
            "choices", Line("choices", ["genre": "science-fiction", "size": "10", "unit": "foot"]),
            .choices(genre: .scienceFiction, size: .large, unit: .foot)),
        Row(
            "lists by repetition",
            Line(
                "lists",
                [
                    "integers": "3", "texts": "", "integers": "1", "dates": "2026-11-21T09:30:00Z", "genres": "drama",
                    "integers": "3", "genres": "science-fiction",
                ]),
            .lists(integers: [3, 1, 3], texts: [""], dates: [Everything.day], genres: [.drama, .scienceFiction])),
        Row(
            "lists from one JSON text",
            Line(
                "lists",
                [
                    json(["integers"], "[1,2]"), json(["texts"], " \n[]"),
                    json(["dates"], "[\"2026-11-21T09:30:00Z\"]"),
                    json(["genres"], "[\"drama\"]"),
                ]), .lists(integers: [1, 2], texts: [], dates: [Everything.day], genres: [.drama])),
        Row(
            "structure by fields",
            Line("product", ["product.title": "tea", "product.box.width": "3"]), .product(product: Everything.small)),
        Row(
            "structure by fields, all of them",
            Line(
                "product",
                [
                    "product.tags": "a", "product.box.inner.since": "2026-11-21T09:30:00Z", "product.genre": "drama",
                    "product.box.width": "3", "product.title": "tea", "product.tags": "b",
                ]), .product(product: Everything.full)),
        Row(
            "inner structure as JSON, the rest by fields",
            Line(
                "product",
                [
                    Argument(["product", "title"], "tea"), json(["product", "box"], #"{"width":3}"#),
                ]), .product(product: Everything.small)),
        Row(
            "structures, one an argument",
            Line(
                "products",
                [json(["list"], SignatureTests.smallJSON), json(["list"], SignatureTests.fullJSON)]),
            .products(list: [Everything.small, Everything.full])),
        Row(
            "structures in one JSON list",
            Line(
                "products", [json(["list"], "[\(SignatureTests.smallJSON),\(SignatureTests.fullJSON)]")]),
            .products(list: [Everything.small, Everything.full])),
        Row("no structures in a JSON list", Line("products", [json(["list"], "[]")]), .products(list: [])),
        Row("any names", Line("labels", ["labels.x": "1", "labels.y": "2"]), .labels(labels: ["x": 1, "y": 2])),
    ]

    @Test("The arguments of a call become the values of its case", arguments: valid)
    func decodes(_ row: Row<Line, Everything>) throws {
        #expect(try row.input.call() == row.expected)
    }

    static let date = "an ISO 8601 date such as 2026-11-21 or 2026-11-21T09:30:00Z"

    /// A row with one invalid text, which is the fifth word of the command line.
    static func invalid(
        _ text: String, for name: String, in caseName: String, expected: String
    ) -> Row<Line, ArgumentError> {
        Row(
            "\(caseName) \(name) \(text.debugDescription)",
            Line(caseName, [Argument([name], text, position: 5)]),
            .invalid([name], text: text, expected: expected, position: 5))
    }

    static let invalidTexts: [Row<Line, ArgumentError>] =
        ["", "TRUE", "True", "on", "y", "2", " true", "truee"].map {
            invalid($0, for: "flag", in: "bool", expected: "true or false")
        }
        + ["", "x", "1.0", "1e3", " 1", "1 ", "1\n", "--1", "+", "-", "0x10", "١", "1_000"].map {
            invalid($0, for: "integer", in: "optionalScalars", expected: "an integer")
        }
        + ["9223372036854775808", "-9223372036854775809", "+99999999999999999999999"].map {
            invalid(
                $0, for: "integer", in: "optionalScalars",
                expected: "an integer from -9223372036854775808 to 9223372036854775807")
        }
        + ["", "x", "nan", "inf", "-infinity", "1e999", "1,5", " 1", "1x", "."].map {
            invalid($0, for: "number", in: "optionalScalars", expected: "a number")
        }
        + ["", "x", "nan", "inf", "1e999", "1,5", " 1", "1x", "0x10", "1 000", ".", "1e200", "-1e128"].map {
            invalid($0, for: "decimal", in: "optionalScalars", expected: "a number")
        }
        + ["", "https://h.test/a b", "https://h.test/\n", "https://[::1"].map {
            invalid($0, for: "url", in: "optionalScalars", expected: "a URL")
        }
        + ["", "x", "E621E1F8C36C495A93FC0C247A3E6E5F", "E621E1F8-C36C-495A-93FC-0C247A3E6E5FF"].map {
            invalid($0, for: "uuid", in: "optionalScalars", expected: "a UUID")
        }
        + ["", "x", "2026-02-30", "2026-11-21T09:30:00", "yesterday"].map {
            invalid($0, for: "date", in: "optionalScalars", expected: date)
        }
        + ["", "Drama", "scienceFiction", "drama "].map {
            invalid($0, for: "genre", in: "optionalScalars", expected: "one of drama, science-fiction")
        }
        + ["", "2", "01", "small", "1.0"].map {
            invalid($0, for: "size", in: "optionalScalars", expected: "one of 1, 10")
        }

    @Test("A text that is no value of the parameter's type is refused with what was expected", arguments: invalidTexts)
    func refusesText(_ row: Row<Line, ArgumentError>) {
        #expect(throws: row.expected) { try row.input.call() }
    }

    /// A row with an integer beyond the bounds of its type. The other parameters of the case have the value 1.
    static func outOfBounds(
        _ text: String, for name: String, in caseName: String, bounds: String
    ) -> Row<Line, ArgumentError> {
        let arguments = ["a", "b", "c", "d", "e"].map { parameter in
            parameter == name ? Argument([name], text, position: 2) : Argument([parameter], "1")
        }
        return Row(
            "\(caseName) \(name) \(text)", Line(caseName, arguments),
            .invalid([name], text: text, expected: "an integer from \(bounds)", position: 2))
    }

    static let bounds: [Row<Line, ArgumentError>] = [
        outOfBounds("128", for: "b", in: "integers", bounds: "-128 to 127"),
        outOfBounds("-129", for: "b", in: "integers", bounds: "-128 to 127"),
        outOfBounds("32768", for: "c", in: "integers", bounds: "-32768 to 32767"),
        outOfBounds("2147483648", for: "d", in: "integers", bounds: "-2147483648 to 2147483647"),
        outOfBounds(
            "9223372036854775808", for: "e", in: "integers", bounds: "-9223372036854775808 to 9223372036854775807"),
        outOfBounds("-1", for: "a", in: "unsigned", bounds: "0 to 18446744073709551615"),
        outOfBounds("256", for: "b", in: "unsigned", bounds: "0 to 255"),
        outOfBounds("65536", for: "c", in: "unsigned", bounds: "0 to 65535"),
        outOfBounds("4294967296", for: "d", in: "unsigned", bounds: "0 to 4294967295"),
        outOfBounds("18446744073709551616", for: "e", in: "unsigned", bounds: "0 to 18446744073709551615"),
    ]

    @Test("An integer beyond the bounds of its type is refused with the bounds", arguments: bounds)
    func tellsTheBounds(_ row: Row<Line, ArgumentError>) {
        #expect(throws: row.expected) { try row.input.call() }
    }

    static let failures: [Row<Line, ArgumentError>] = [
        Row(
            "a text that a number can't hold", Line("optionalScalars", [Argument(["number"], "9007199254740993")]),
            .invalidJSON(
                ["number"], source: "", problem: "9007199254740993 would be sent as 9007199254740992", position: nil)),
        Row("missing", Line("bool", []), .missing([["flag"]])),
        Row("missing structure", Line("product", []), .missing([["product"]])),
        Row(
            "repeated",
            Line("bool", [Argument(["flag"], "true", position: 3), Argument(["flag"], "true", position: 5)]),
            .repeated(["flag"], position: 5)),
        Row(
            "repeated structure",
            Line(
                "product",
                [json(["product"], "{}", position: 3), json(["product"], "{}", position: 5)]),
            .repeated(["product"], position: 5)),
        Row(
            "missing field of an inner structure",
            Line("product", ["product.title": "a", "product.box.inner.since": "2026-11-21"]),
            .missing([["product", "box", "width"]])),
        Row(
            "wrong field",
            Line(
                "product",
                [Argument(["product", "title"], "a"), Argument(["product", "box", "width"], "wide", position: 7)]),
            .invalid(["product", "box", "width"], text: "wide", expected: "an integer", position: 7)),
        Row(
            "wrong element",
            Line(
                "optionalLists", [Argument(["integers"], "1", position: 3), Argument(["integers"], "x", position: 5)]),
            .invalid(["integers"], text: "x", expected: "an integer", position: 5)),
        Row(
            "whole and fields",
            Line(
                "product",
                [json(["product"], "{}", position: 3), Argument(["product", "title"], "a", position: 5)]),
            .bothWholeAndFields(["product"], position: 3)),
        Row(
            "syntax error",
            Line("product", [json(["product"], "{\"title\":\n tea}", position: 3)]),
            .invalidJSON(
                ["product"], source: "@file.json", problem: "line 2, column 3: expected 'true', found 'e'", position: 3)
        ),
        Row(
            "no JSON at all", Line("product", [json(["product"], " ", source: "-", position: 3)]),
            .invalidJSON(
                ["product"], source: "-", problem: "line 1, column 2: expected a value, found end of input", position: 3
            )),
        Row(
            "wrong type",
            Line("product", [json(["product"], #"{"title":"a","box":{"width":"3"}}"#, position: 3)]),
            .invalidJSON(
                ["product"], source: "@file.json",
                problem: "$.box.width: expected integer, found string \"3\" (line 1, column 29)", position: 3)),
        Row(
            "missing key",
            Line("product", [json(["product"], "{\"title\":\"a\",\n  \"box\":{}}", position: 3)]),
            .missingKeyInJSON(
                ["product"], source: "@file.json", problem: "$.box: missing key \"width\" (line 2, column 9)",
                position: 3)),
        Row(
            "wrong element of a JSON list",
            Line("products", [json(["list"], "[{\"title\":\"a\",\"box\":{\"width\":1}}, 2]")]),
            .invalidJSON(
                ["list"], source: "@file.json", problem: "$[1]: expected object, found number 2 (line 1, column 35)",
                position: nil)),
        Row(
            "wrong element among several",
            Line(
                "products",
                [json(["list"], SignatureTests.smallJSON, position: 3), json(["list"], "{}", position: 5)]),
            .missingKeyInJSON(
                ["list"], source: "@file.json", problem: "$: missing key \"title\" (line 1, column 1)", position: 5)),
        Row(
            "JSON for a scalar", Line("optionalScalars", [json(["integer"], "1", position: 3)]),
            .invalid(["integer"], text: "JSON", expected: "an integer", position: 3)),
        Row(
            "JSON for a choice", Line("optionalScalars", [json(["genre"], "\"drama\"", position: 3)]),
            .invalid(["genre"], text: "@file.json", expected: "one of drama, science-fiction", position: 3)),
        Row(
            "fields for a list without a position",
            Line("optionalLists", [Argument(["list", "title"], "a", position: 3)]),
            .invalid(["list"], text: "title", expected: "0 as the next position", position: 3)),
        Row(
            "a list without its first positions, of which the lowest is named",
            Line(
                "optionalLists",
                [
                    Argument(["list", "10", "title"], "a", position: 3),
                    Argument(["list", "2", "title"], "b", position: 5),
                ]),
            .invalid(["list"], text: "2", expected: "0 as the next position", position: 5)),
    ]

    @Test("An error says which parameter is missing, repeated or invalid, and where", arguments: failures)
    func fails(_ row: Row<Line, ArgumentError>) {
        #expect(throws: row.expected) { try row.input.call() }
    }

    /// Arguments that no parameter reads must not be dropped silently, and every failure is an ``ArgumentError``.
    static let unread: [Row<Line, ArgumentError>] = [
        Row(
            "a text for a structure",
            Line("product", [Argument(["product"], "tea", position: 3)]),
            .invalid(["product"], text: "tea", expected: "a JSON object", position: 3)),
        Row(
            "a value outside an enum that does not list its cases",
            Line("optionalScalars", [Argument(["unit"], "mile", position: 3)]),
            .invalid(["unit"], text: "mile", expected: "text", position: 3)),
        Row(
            "a field of a scalar",
            Line("bool", [Argument(["flag"], "true"), Argument(["flag", "x"], "1", position: 3)]),
            .invalid(["flag"], text: "fields", expected: "true or false", position: 3)),
    ]

    @Test("An argument that its parameter can't hold is an error", arguments: unread)
    func leavesNothingUnread(_ row: Row<Line, ArgumentError>) {
        #expect(throws: row.expected) { try row.input.call() }
    }

    @Test("Every missing field of a structure is named")
    func namesEveryMissingField() throws {
        let all = try CatalogueAPI(Everything.self).declarations()
        let declaration = try #require(all.first { $0.signature.caseName == "product" })
        #expect(throws: ArgumentError.missing([["product", "title"], ["product", "box"]])) {
            try declaration.call([Argument(["product", "tags"], "a")])
        }
    }

    @Test("JSON that is nested too deeply is an error")
    func deepJSONIsNoCrash() {
        for depth in [510, 100_000] {
            let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect(throws: ArgumentError.self) { try Line("product", [Self.json(["product"], deep)]).call() }
        }
    }

    enum Forest: API {
        case plant(tree: Tree)

        struct Tree: Codable, Sendable { var children: [Tree] }

        static let api = APIInfo(name: "forest", servers: [])
        static let examples: [Forest] = []
        var endpoint: Endpoint { .get("/", returns: EmptyResponse.self, summary: "") }
    }

    /// The thread has a stack of 512 KiB, as secondary threads have on Apple's systems.
    @Test("Nested JSON does not overflow a small stack", arguments: [1, 60, 120, 250, 255, 256, 10_000])
    func deepArgumentsDoNotOverflowASmallStack(_ depth: Int) async throws {
        let plant = try #require(try CatalogueAPI(Forest.self).declarations().first)
        let text = String(repeating: #"{"children":["#, count: depth) + String(repeating: "]}", count: depth)
        let error = await withCheckedContinuation { (continuation: CheckedContinuation<(any Error)?, Never>) in
            let thread = Thread {
                do {
                    _ = try plant.call([Self.json(["tree"], text)])
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error)
                }
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
        #expect(error == nil || depth > 1 && error is ArgumentError)
    }
}
