import EndpointKit
import EndpointTools
import OpenAPI
import Testing

@testable import ApictlCLI

/// The JSON Schemas of request bodies, which are found by comparing calls with their bodies.
struct BodySchemaTests {
    enum Garage: API {
        case add(car: Car)
        case park(_ cars: [Car])
        case change(carID: Int, note: Nullable<String>?, doors: UInt8?)
        case log(level: Level, at: Level)
        case send(text: String)
        case tow(Car?)
        case paint(car: Car, place: Int, colour: String)
        case sell(car: String, to: Maker?)

        enum Level: String, Codable, CaseIterable { case low, high }

        struct Car: Codable, Sendable {
            var maxSpeed: Int
            var maker: Maker?
        }

        struct Maker: Codable, Sendable { var fullName: String }

        static let api = APIInfo(name: "garage", servers: [], coding: Coding(keys: .convertFromSnakeCase))
        static let examples: [Garage] = [
            .add(car: Car(maxSpeed: 90)), .park([]), .change(carID: 1, note: .null, doors: nil),
            .log(level: .low, at: .low), .send(text: "a"), .tow(nil),
            .paint(car: Car(maxSpeed: 90), place: 1, colour: "red"), .sell(car: "a", to: Maker(fullName: "b")),
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
            case .paint(let car, let place, let colour):
                .post(
                    "/paint",
                    body: .object([
                        "max_speed": car.maxSpeed + 1, "in": ["number": place] as JSONObject, "colour": colour + "ish",
                    ]), returns: model, summary: "")
            case .sell(let car, let maker):
                .post("/sell", body: .object(["car": car, "full_name": maker?.fullName]), returns: model, summary: "")
            case .send(let text): .post("/", body: .text(text), returns: model, summary: "")
            }
        }
    }

    private static let car = #"""
        "$defs":{"Car":{"type":"object","properties":{"max_speed":{"type":"integer","format":"int64"},\#
        "maker":{"$ref":"#/$defs/Maker"}},\#
        "required":["max_speed"],"additionalProperties":false},"Maker":{"type":"object",\#
        "properties":{"full_name":{"type":"string"}},\#
        "required":["full_name"],"additionalProperties":false}}
        """#

    /// The names of endpoints, and the schemas of their bodies; nil for a body that is not JSON.
    static let schemas: [(name: String, schema: String?)] = [
        // A parameter is the whole body. It may be optional, even if no example has it, or a list.
        ("add", ##""$ref":"#/$defs/Car",\##(car)"##),
        ("tow", ##""$ref":"#/$defs/Car",\##(car)"##),
        ("park", ##""type":"array","items":{"$ref":"#/$defs/Car"},\##(car)"##),
        // Parameters are members of the body. A member may be optional or constant.
        (
            "change",
            #"""
            "type":"object","properties":{"note":{"type":["string","null"]},"version":{"const":2},\#
            "door_count":{"type":["integer","null"],"minimum":0,"maximum":255}},"required":["version"]
            """#
        ),
        // A member made of two parameters has any type.
        ("log", #""type":"object","properties":{"sum":{}},"required":["sum"]"#),
        // The members are made of a field of a parameter, of an object with a parameter, and of a changed parameter.
        (
            "paint",
            #"""
            "type":"object","properties":{"max_speed":{"type":"integer","format":"int64"},"in":{},\#
            "colour":{"type":"string"}},\#
            "required":["max_speed","in","colour"]
            """#
        ),
        // A member is a field of a parameter that may be left out.
        (
            "sell",
            #"""
            "type":"object","properties":{"car":{"type":"string"},"full_name":{"type":["string","null"]}},\#
            "required":["car"]
            """#
        ),
        // The body is text.
        ("send", nil),
    ]

    @Test("The schema of a body has the types of the parameters that it is made of", arguments: schemas)
    func schema(_ row: (name: String, schema: String?)) throws {
        let all = try CatalogueAPI(Garage.self).declarations()
        let declaration = try #require(all.first { $0.endpointName == row.name })
        let bindings = CallBindings(of: ParameterProbe(declaration))
        let schema = try bindings.bodyShape(declaration.parameterShape())?.jsonSchema(.request)
        let start = #"{"$schema":"https://json-schema.org/draft/2020-12/schema","#
        #expect(schema?.description == row.schema.map { start + $0 + "}" })
    }
}
