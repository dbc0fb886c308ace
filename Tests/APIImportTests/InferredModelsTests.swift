import APIImport
import EndpointKit
import JSONText
import Testing

/// JSON, and the members of the models that are inferred from it.
@Suite struct InferredModelsTests {
    private static func models(
        _ texts: String..., subject: String = "items", options: ImportChoices = ImportChoices()
    ) throws -> InferredModels {
        let samples = try texts.map { try JSONDocument(Array($0.utf8)) }
        return try InferredModels([(subject, samples)], options: options)
    }

    /// The lines of all declarations that tell a type, each without `public` and indentation.
    private static func outline(_ models: InferredModels) -> [String] {
        models.declarations.flatMap { $0.text.split(separator: "\n") }.map { $0.drop { $0 == " " } }
            .filter { $0.hasPrefix("public let ") || $0.hasSuffix(")") && $0.hasPrefix("case ") || $0.hasPrefix("///") }
            .map { String($0.replacing("public let ", with: "")) }
    }

    // MARK: Types of members

    @Test(arguments: [
        // Integers by their digits.
        (#"{"a": 1}"#, "a: Int"), (#"{"a": -0}"#, "a: Int"), (#"{"a": 9223372036854775807}"#, "a: Int"),
        (#"{"a": 40.0}"#, "a: Double"), (#"{"a": 1e2}"#, "a: Double"), (#"[{"a": 1}, {"a": 1.5}]"#, "a: Double"),
        (#"{"a": 9223372036854775808}"#, "a: Decimal"),
        (#"{"a": 1234567890123456789012345678901234567890}"#, "a: Double"),
        (#"[{"a": 9223372036854775808}, {"a": 0.5}]"#, "a: Double"),
        // By name.
        (#"{"vote_average": 7}"#, "voteAverage: Double"), (#"{"price": 3}"#, "price: Double"),
        (#"{"lat": 1, "longitude": 2}"#, "lat: Double, longitude: Double"), (#"{"rateLimit": 3}"#, "rateLimit: Int"),
        // Optionals.
        (#"[{"a": 1}, {}]"#, "a: Int?"), (#"[{"a": 1}, {"a": null}]"#, "a: Int?"), (#"{"a": [1, null]}"#, "a: [Int?]"),
        (#"{"description": "x"}"#, "description: String?"), (#"[{"a": []}, {"a": [1]}]"#, "a: [Int]"),
        // Names in other letters: ASCII where there is a Latin form, numbers elsewhere.
        (
            #"{"größe": 1, "naïve": 2, "名前": "x", "価格": 3, "имя": "y"}"#,
            "grosse: Int, naive: Int, value: String, value2: Int, value3: String"
        ),
        // Nothing seen.
        (#"{"a": null}"#, "/// Only null was seen., a: JSONValue?"),
        (#"{"a": []}"#, "/// Only [] was seen., a: JSONValue"),
        (#"{"a": {}}"#, "/// Only {} was seen., a: JSONValue"),
        (#"{"a": [[]]}"#, "/// Only [] was seen., a: [JSONValue]"),
        // Texts.
        (#"{"a": "2026-11-21T09:30:00Z"}"#, "a: Date"), (#"{"a": "2026-11-21 09:30:00.5+0100"}"#, "a: Date"),
        (#"{"a": "2026-11-21"}"#, "a: String"), (#"{"a": "2026-11-21T09:30:00"}"#, "a: String"),
        (#"{"a": ""}"#, "a: String"),
        (#"[{"a": "2026-11-21T09:30:00Z"}, {"a": ""}]"#, "a: String"), (#"{"a": "https://example.com"}"#, "a: String"),
        // Dictionaries.
        (#"{"a": {"1": true, "22": false}}"#, "a: [String: Bool]"), (#"{"a": {"2026-11-21": 1}}"#, "a: [String: Int]"),
        (#"{"a": {"123e4567-e89b-12d3-a456-426614174000": 1}}"#, "a: [String: Int]"),
        (#"{"a": {"1": {"b": 1}, "2": {"b": null}}}"#, "a: [String: A], b: Int?"),
        // Equal fields: one model.
        (#"{"from": {"x": 1, "y": 2}, "to": {"y": 2, "x": 1.5}}"#, "from: From, to: From, x: Double, y: Int"),
        (#"{"from": {"x": 1}, "to": {"x": "a"}}"#, "from: From, to: To, x: Int, x: String"),
        (#"{"id": 1, "replies": [{"id": 2, "replies": []}]}"#, "id: Int, replies: [Item]"),
        // Objects like those around them, in a list: one model with the keys of all.
        (
            #"""
            {"name": "r", "items": [
              {"name": "a", "items": [{"name": "b", "items": []}]}, {"name": "c", "items": [], "up": {"x": 1}}
            ]}
            """#,
            "name: String, items: [Item], up: Up?, x: Int"
        ),
        (#"{"total": 1, "items": [{"id": 1, "items": [2]}]}"#, "total: Int, items: [Item], id: Int, items: [Int]"),
        (
            #"{"a": 1, "data": {"a": 2, "data": []}}"#,
            "a: Int, data: Item, a: Int, /// Only [] was seen., data: JSONValue"
        ),
        // An empty list has no depth.
        (#"[{"type": "a", "x": []}, {"type": "b", "x": [1]}]"#, "type: String, x: [Int]"),
        // One number with a fraction makes all of them `Double`, whatever the depth of the lists.
        (#"[{"a": [1.5, 2]}, {"a": [[[0, 1]]]}]"#, "a: [A], case number(Double), case array([[Double]])"),
        (#"[{"a": 1}, {"a": [0.5]}]"#, "a: A, case number(Double), case array([Double])"),
        (#"[{"a": [[1]]}, {"a": [[0.5]]}]"#, "a: [[Double]]"),
        // A structure can't hold itself.
        (
            #"{"id": 1, "up": {"id": 2, "up": null}}"#,
            "id: Int, up: Up, id: Int, /// Only null was seen., up: JSONValue?"
        ),
        // A model holds all values of its samples.
        (#"{"p": {"a": []}, "q": {"a": 1}}"#, "p: P, q: P, /// Its values differ., a: JSONValue"),
        (#"{"p": {"a": {}}, "q": {"a": {"b": 1}}}"#, "p: P, q: P, a: A, b: Int?"),
        (#"{"p": {"a": []}, "q": {"a": [1]}}"#, "p: P, q: P, a: [Int]"),
        // A key that occurs twice has the wider type.
        (#"{"a": 1.5, "a": 1}"#, "a: Double"), (#"{"a": 1, "a": 1.5}"#, "a: Double"),
    ])
    func members(json: String, expected: String) throws {
        #expect(Self.outline(try Self.models(json)).joined(separator: ", ") == expected)
    }

    @Test(arguments: [
        ("1", "Int.self"), (#""x""#, "String.self"), ("null", "JSONValue?.self"), ("[]", "JSONValue.self"),
        ("[1, 2.5]", "[Double].self"), (#"[{"a": 1}]"#, "[Item].self"), (#"{"a": 1}"#, "Item.self"),
        (#"{"1": 1}"#, "[String: Int].self"), (#"[[1], ["a"]]"#, "[[Item]].self"),
        (String(repeating: "[", count: 9) + String(repeating: "]", count: 9), "[[[[[[JSONValue]]]]]].self"),
    ])
    func roots(json: String, root: String) throws { #expect(try Self.models(json).roots == [root]) }

    /// Values that are nested too deeply for a type of their own are `JSONValue`.
    @Test(arguments: [(17, "", ""), (40, #"{"p": "#, #", "q": {"a": {"a": 1}}}"#)])
    func deepValuesAreAnyJSON(count: Int, start: String, end: String) throws {
        let deep = String(repeating: #"{"a":["#, count: count) + "1" + String(repeating: "]}", count: count)
        #expect(Self.outline(try Self.models(start + deep + end)).contains("a: JSONValue"))
    }

    @Test func twentyOfOneShapeAreADictionary() throws {
        func text(_ count: Int, _ value: (Int) -> String) -> String {
            #"{"a": {"#
                + (0..<count).map { "\"k\(UnicodeScalar(UInt8(97 + $0)))\": \(value($0))" }.joined(separator: ",")
                + "}}"
        }
        let objects = try Self.models(text(20) { #"{"x": \#($0)}"# })
        #expect(Self.outline(objects) == ["a: [String: A]", "x: Int"])
        #expect(objects.notes == ["$.a: a dictionary, because it has 20 keys whose values look alike"])
        #expect(try Self.outline(Self.models(text(20) { "\($0)" })) == ["a: [String: Int]"])
        #expect(try Self.outline(Self.models(text(19) { "\($0)" })).count == 20)
        #expect(try Self.outline(Self.models(text(20) { $0 == 3 ? "[]" : "\($0)" })).count > 20)
    }

    @Test func chosenDictionariesAndStructuresAreUsed() throws {
        var options = ImportChoices()
        options.maps = ["$.*.rates"]
        options.structs = ["b"]
        let text = #"{"a": {"rates": {"EUR": 1.5, "USD": 1}}, "b": {"1": 2}}"#
        let models = try Self.models(text, options: options)
        #expect(Self.outline(models) == ["a: A", "b: B", "rates: [String: Double]", "value1: Int"])
        options.maps = ["c"]
        #expect(throws: ImportError.self) { try Self.models(text, options: options) }
        options.maps = ["$["]
        #expect(throws: ImportError.self) { try Self.models(text, options: options) }
    }

    // MARK: Enums

    @Test func valuesOfSeveralKindsAreAnEnum() throws {
        #expect(
            try Self.models(#"{"code": [200, "x", {"a": 1}]}"#, subject: "error").declarations.map(\.text)[1] == """
                public enum Code: Decodable, Sendable {
                    case integer(Int)
                    case string(String)
                    case object(CodeObject)

                    public init(from decoder: any Decoder) throws {
                        let container = try decoder.singleValueContainer()
                        if let value = try? container.decode(Int.self) {
                            self = .integer(value)
                        } else if let value = try? container.decode(String.self) {
                            self = .string(value)
                        } else {
                            self = .object(try container.decode(CodeObject.self))
                        }
                    }
                }

                """)
        let four = try Self.models(#"{"a": [1, "x", true, [1]]}"#)
        #expect(Self.outline(four) == ["/// Values of more than three kinds were seen.", "a: [JSONValue]"])
        #expect(four.declarations[0].isLoose)
        #expect(four.notes == ["$.a: JSONValue, values of more than three kinds were seen"])
        #expect(
            try Self.outline(Self.models(#"[{"a": []}, {"a": {}}]"#)) == [
                "a: A", "case array([JSONValue])", "case object([String: JSONValue])",
            ])
    }

    @Test func objectsAreToldApartByATag() throws {
        let models = try Self.models(
            #"[{"event-type": "made", "id": 1}, {"event-type": "user gone", "why": "x"}, {"event-type": "ping"}]"#,
            subject: "events")
        #expect(models.roots == ["[Event].self"])
        #expect(models.notes == [#"$[*]: an enum by its "event-type""#])
        #expect(!models.declarations.contains { $0.isLoose })
        #expect(models.declarations.map(\.name) == ["Event", "MadeEvent", "UserGoneEvent", "PingEvent"])
        #expect(
            models.declarations[0].text == """
                public enum Event: Decodable, Sendable {
                    case made(MadeEvent)
                    case userGone(UserGoneEvent)
                    case ping(PingEvent)
                    case unknown(JSONValue)

                    private enum CodingKeys: String, CodingKey {
                        case eventType = "event-type"
                    }

                    public init(from decoder: any Decoder) throws {
                        let container = try decoder.container(keyedBy: CodingKeys.self)
                        switch try? container.decode(String.self, forKey: .eventType) {
                        case "made":
                            self = .made(try MadeEvent(from: decoder))
                        case "user gone":
                            self = .userGone(try UserGoneEvent(from: decoder))
                        case "ping":
                            self = .ping(try PingEvent(from: decoder))
                        default: self = .unknown(try JSONValue(from: decoder))
                        }
                    }
                }

                """)
        // Objects have equal keys, with lists of different depths.
        let geometries = try Self.models(
            #"[{"type": "Point", "at": [1.5, 2]}, {"type": "Line", "at": [[0, 1], [1, 2]]}]"#, subject: "places")
        #expect(geometries.declarations.map(\.name) == ["Place", "PointPlace", "LinePlace"])
        #expect(
            Self.outline(geometries) == [
                "case point(PointPlace)", "case line(LinePlace)", "case unknown(JSONValue)",
                "type: String", "at: [Double]", "type: String", "at: [[Double]]",
            ])
        // Objects have equal fields, or one kind of object has no field of its own.
        for text in [#"[{"type": "a", "x": 1}, {"type": "b", "x": 2}]"#, #"[{"type": "a", "x": 1}, {"type": "b"}]"#] {
            #expect(try Self.models(text).declarations.count == 1)
        }
    }

    // MARK: Keys and names

    @Test(arguments: [
        // The names and their keys by the key strategy, if that isn't the name.
        (#"{"poster_path": 1}"#, true, ["posterPath"]),
        (#"{"html_url": 1, "userId": 2}"#, true, ["htmlURL = \"htmlUrl\"", "userID = \"userId\""]),
        (#"{"userId": 1}"#, false, ["userID = \"userId\""]),
        (#"{"_id": 1, "id": 2}"#, false, ["id = \"_id\"", "id2 = \"id\""]),
        (#"{"user_id": 1, "userId": 2}"#, false, ["userID = \"user_id\"", "userID2 = \"userId\""]),
        (#"{"default": 1, "self": 2}"#, false, ["`default`", "`self`"]),
        (#"{"+1": 1, "-1": 2}"#, false, ["plus1 = \"+1\"", "minus1 = \"-1\""]),
        (#"{"": 1, "…": 2}"#, false, ["value = \"\"", "value2 = \"…\""]),
        (#"{"2fa": 1}"#, false, ["value2fa = \"2fa\""]),
        (#"{"iso_639_1": 1}"#, true, ["iso6391"]),
        (
            #"[{"event_type": "a", "x": 1}, {"event_type": "b", "y": 2}]"#, true,
            ["a(AItem)", "b(BItem)", "unknown(JSONValue)", "eventType", #""a":"#, #""b":"#]
        ),
    ])
    func keys(json: String, isSnake: Bool, expected: [String]) throws {
        let models = try Self.models(json)
        #expect(models.coding == (isSnake ? "Coding(keys: .convertFromSnakeCase)" : nil))
        let lines = models.declarations[0].text.split(separator: "\n").map { $0.drop { $0 == " " } }
        let keys = lines.filter { $0.hasPrefix("case ") }.map { String($0.dropFirst(5)) }
        let names = lines.filter { $0.hasPrefix("public let ") }.map { String($0.dropFirst(11).prefix { $0 != ":" }) }
        #expect((keys.isEmpty ? names : keys).map { $0 } == expected)
    }

    @Test func anAPIsOwnCodingIsFollowed() throws {
        var options = ImportChoices()
        options.coding = Coding(dates: .secondsSince1970)
        let models = try Self.models(#"{"seen_at": "2026-11-21T09:30:00Z"}"#, options: options)
        #expect(models.coding == nil)
        #expect(models.declarations[0].text.contains(#"case seenAt = "seen_at""#))
        #expect(Self.outline(models).first == "seenAt: String")
    }

    @Test(arguments: [
        ("movies", #"{"page": 1, "results": [{"a": 1}]}"#, ["MoviePage", "Movie"]),
        ("movies", #"{"id": 1, "results": [{"a": 1}]}"#, ["MovieList", "Movie"]),
        ("user", #"{"user": {"a": 1}}"#, ["UserResponse", "User"]),
        ("collects", #"{"collects": [{"a": 1}]}"#, ["CollectList", "Collect"]),
        (
            "characters", #"{"data": {"total": 1, "results": [{"a": 1, "image": {"b": 1}}]}}"#,
            ["CharacterResponse", "CharacterPage", "MarvelCharacter", "MarvelCharacterImage"]
        ),
        (
            "repos", #"{"edges": [{"node": {"a": 1}}], "pageInfo": {"b": 1}}"#,
            ["RepoPage", "RepoEdge", "Repo", "PageInfo"]
        ),
        ("marvel", #"{"owner": {"a": 1}, "x": {"owner": {"b": 1}}}"#, ["MarvelModel", "Owner", "X", "XOwner"]),
        ("status", #"{"categories": [{"a": 1}], "people": [{"b": 1}]}"#, ["Status", "Category", "Person"]),
        ("", #"{"": {"a": 1}}"#, ["Value", "MarvelValue"]),
        ("a", #"{"package_resources": {"a": 1}}"#, ["A", "APackageResources"]),
    ])
    func namesOfModels(subject: String, json: String, names: [String]) throws {
        var options = ImportChoices()
        options.type = "Marvel"
        #expect(try Self.models(json, subject: subject, options: options).declarations.map(\.name) == names)
    }

    @Test func chosenNamesAreUsed() throws {
        var options = ImportChoices()
        options.typeNames = ["Item": "Thing"]
        options.fieldNames = ["a": "first", "Thing.b": "second"]
        options.taken = ["C"]
        let models = try Self.models(#"{"a": 1, "b": 2, "c": {"b": 1}}"#, options: options)
        #expect(models.declarations.map(\.name) == ["Thing", "ThingC"])
        #expect(Self.outline(models) == ["first: Int", "second: Int", "c: ThingC", "b: Int"])
    }

    @Test func modelsOfSeveralResponsesAreShared() throws {
        let one = try JSONDocument(Array(#"[{"id": 1, "at": "2026-11-21T09:30:00Z", "x": null}]"#.utf8))
        let other = try JSONDocument(Array(#"{"id": 1, "at": null, "x": {"a": 1}}"#.utf8))
        let models = try InferredModels([("movies", [one]), ("movie", [other])])
        #expect(models.roots == ["[Movie].self", "Movie.self"])
        #expect(models.declarations.map(\.name) == ["Movie", "X"])
        #expect(Self.outline(models) == ["id: Int", "at: Date?", "x: X?", "a: Int"])
        #expect(models.declarations[0].imports == ["Foundation"])
    }

    // MARK: Notes

    @Test(arguments: [
        (#"{"a": 40.0}"#, ["$.a: Double, because 40.0 came"]), (#"{"a": 1.5}"#, []),
        (#"{"price": 1}"#, ["$.price: Double by its name, although only integers were seen"]),
        (#"{"a": 9223372036854775808}"#, ["$.a: Decimal, because 9223372036854775808 does not fit an Int"]),
        (#"{"a": [{"b": null}]}"#, ["$.a[*].b: JSONValue, only null was seen"]),
        (#"{"bio": "x"}"#, ["optional by their names, although every sample has them: bio"]),
        (#"{"a\u001b\u202e": null}"#, [#"$['a\u001b\u202e']: JSONValue, only null was seen"#]),
        (#"{"a": 1e999}"#, ["$.a: JSONValue, a number was seen that no type can hold"]),
    ])
    func notes(json: String, notes: [String]) throws { #expect(try Self.models(json).notes == notes) }

    // MARK: Much of it

    @Test func costIsInProportion() throws {
        let clock = ContinuousClock()
        let time = try clock.measure {
            let deep = try Self.models(
                String(repeating: #"{"a":"#, count: 500) + "1" + String(repeating: "}", count: 500))
            #expect(deep.declarations.count <= 33)
            let replies =
                String(repeating: #"{"id": 1, "replies": ["#, count: 250) + String(repeating: "]}", count: 250)
            #expect(try Self.models(replies).declarations.map(\.name) == ["Item"])
            let keys = (0..<10_000).map { "\"k\($0)\": \($0 % 2 == 0 ? "1" : "{\"a\($0)\": 1}")" }
            let wide = try Self.models("{" + keys.joined(separator: ",") + "}")
            #expect(wide.roots == ["[String: JSONValue].self"])
            #expect(wide.notes == ["$: a dictionary, because it has 10000 keys", "$: JSONValue, its values differ"])
            let differing = (0..<5000).map {
                "{\"type\": \"\($0)\", \"event_type\": \"a\", \"k\($0)\": {\"x\($0)\": 1}}"
            }
            _ = try Self.models("[" + differing.joined(separator: ",") + "]")
            let long = String(repeating: "k", count: 1 << 20)
            _ = try Self.models(
                "{\"\(long)\": [" + (0..<300).map { "{\"x\($0)\": null}" }.joined(separator: ",") + "]}")
        }
        #expect(time < .seconds(60))
    }
}
