import EndpointKit
import Testing

struct BodySchemaTests {
    enum Garage: API {
        case add(car: Car)
        case park(_ cars: [Car])
        case change(carID: Int, note: Nullable<String>?, doors: UInt8?)
        case log(level: Level, at: Level)
        case send(text: String)
        case tow(Car?)

        enum Level: String, Codable, CaseIterable { case low, high }

        struct Car: Codable, Sendable {
            var maxSpeed: Int
            var maker: Maker?
        }

        struct Maker: Codable, Sendable { var fullName: String }

        static let name = "garage"
        static let servers: [Server] = []
        static let coding = Coding(keys: .convertFromSnakeCase)
        static let examples: [Garage] = [
            .add(car: Car(maxSpeed: 90)), .park([]), .change(carID: 1, note: .null, doors: nil),
            .log(level: .low, at: .low), .send(text: "a"), .tow(nil),
        ]

        var endpoint: Endpoint {
            let model = EmptyResponse.self
            return switch self {
            case .add(let car): .post("/", body: .json(car), returns: model, summary: "")
            case .tow(let car): .post("/tow", body: car.map { .json($0) }, returns: model, summary: "")
            case .park(let cars): .put("/", body: .json(cars), returns: model, summary: "")
            case .change(let id, let note, let doors):
                .patch(
                    "/\(id)", body: .object(["note": note, "door_count": doors, "version": 2]), returns: model,
                    summary: "")
            case .log(let level, let place):
                .post("/", body: .object(["sum": level.rawValue + place.rawValue]), returns: model, summary: "")
            case .send(let text): .post("/", body: .text(text), returns: model, summary: "")
            }
        }
    }

    private static let car = #"""
        "$defs":{"Car":{"type":"object","properties":{"max_speed":{"type":"integer","format":"int64"},"maker":{"$ref":"#/$defs/Maker"}},\#
        "required":["max_speed"],"additionalProperties":false},"Maker":{"type":"object","properties":{"full_name":{"type":"string"}},\#
        "required":["full_name"],"additionalProperties":false}}
        """#

    static let schemas: [Row<String, String?>] = [
        Row("a parameter is the body", "add", ##""$ref":"#/$defs/Car",\##(car)"##),
        Row("an optional one is, although no example has it", "tow", ##""$ref":"#/$defs/Car",\##(car)"##),
        Row("a list is", "park", ##""type":"array","items":{"$ref":"#/$defs/Car"},\##(car)"##),
        Row(
            "parameters are members, optional and constant ones too", "change",
            #"""
            "type":"object","properties":{"note":{"type":["string","null"]},"version":{"const":2},\#
            "door_count":{"type":["integer","null"],"minimum":0,"maximum":255}},"required":["version"]
            """#),
        Row(
            "a member of two parameters", "log",
            #""type":"object","properties":{"sum":{}},"required":["sum"]"#),
        Row("no JSON", "send", nil),
    ]

    @Test(arguments: schemas)
    func describes(_ row: Row<String, String?>) throws {
        let all = try EndpointDeclaration.all(of: Garage.self)
        let declaration = try #require(all.first { $0.endpointName == row.input })
        let schema = try declaration.bodyShape(ParameterPlaces(of: declaration))?.jsonSchema(.request)
        let start = #"{"$schema":"https://json-schema.org/draft/2020-12/schema","#
        #expect(schema?.description == row.expected.map { start + $0 + "}" })
    }
}
