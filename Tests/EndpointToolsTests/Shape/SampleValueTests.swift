import EndpointKit
import JSONText
import TestSupport
import Testing

@testable import EndpointTools

@Suite struct SampleValueTests {
    typealias SendableModel = Decodable & Sendable

    private static func required(_ key: String, _ shape: Shape) -> Shape.Field {
        Shape.Field(key: key, shape: shape, isOptional: false)
    }

    private static func optional(_ key: String, _ shape: Shape) -> Shape.Field {
        Shape.Field(key: key, shape: shape, isOptional: true)
    }

    private static func model(_ name: String, _ fields: [Shape.Field]) -> ModelShape.Model {
        ModelShape.Model(name: name, shape: .object(fields))
    }

    private static func problems(_ shape: ModelShape) throws -> [CheckProblem] {
        try ResponseComparison.compare(shape.sampleValue().document, as: shape).problems
    }

    @Test(
        "The sample value of each kind of shape fits the shape",
        arguments: [
            Row("boolean", Shape.scalar(.boolean), "true"),
            Row("integer", .scalar(.integer(nil)), "0"),
            Row("integer of at least 3", .scalar(.integer(3...(.max))), "3"),
            Row("negative integer", .scalar(.integer(.min ... -2)), "-2"),
            Row("integer around zero", .scalar(.integer(-5...5)), "0"),
            Row("number", .scalar(.number(nil)), "0"),
            Row("number of at least 0.5", .scalar(.number(0.5...(.infinity))), "0.5"),
            Row("negative number", .scalar(.number(-.infinity ... -2)), "-2"),
            Row("text", .scalar(.string), #""string""#),
            Row("URL", .scalar(.url), #""https://example.com""#),
            Row("UUID", .scalar(.uuid), #""3fa85f64-5717-4562-b3fc-2c963f66afa6""#),
            Row("date", .scalar(.date), #""2026-01-01T00:00:00Z""#),
            Row("bytes", .scalar(.data), #""c2FtcGxl""#),
            Row("enum", .values(["b", "a"]), #""b""#),
            Row("list", .array(.scalar(.boolean)), "[true]"),
            Row("dictionary", .dictionary(.scalar(.boolean)), #"{"key":true}"#),
            Row("open object", .open([required("a", .scalar(.boolean))], others: .scalar(.string)), #"{"a":true}"#),
            Row("nullable", .nullable(.scalar(.boolean)), "true"),
            Row("null", .null, "null"),
            Row("anything", .any, "null"),
            Row("alternatives", .alternatives([.scalar(.string), .scalar(.boolean)]), #""string""#),
            Row("an alternative without a value", .alternatives([.values([]), .scalar(.boolean)]), "true"),
            Row("variants", .variants([optional("a", .values([])), optional("b", .null)]), #"{"b":null}"#),
            Row(
                "object",
                .object([optional("b", .array(.object([required("c", .null)]))), required("a", .scalar(.boolean))]),
                #"{"b":[{"c":null}],"a":true}"#),
            Row("an optional member without a value", .object([optional("a", .values([]))]), "{}"),
            Row("a list without elements", .array(.values([])), "[]"),
            Row("a model that is not there", .model("None"), "null"),
        ])
    func samples(_ row: Row<Shape, String>) throws {
        let shape = ModelShape(root: row.input, models: [])
        #expect(shape.sampleValue().description == row.expected)
        #expect(try Self.problems(shape) == [])
    }

    /// The inner value is absent, empty, null, or another alternative.
    @Test(
        "The sample of a model that contains itself ends",
        arguments: [
            Row("optional", [optional("next", .model("M"))], "{}"),
            Row("list", [required("all", .array(.model("M")))], #"{"all":[]}"#),
            Row("optional list", [optional("all", .array(.model("M")))], #"{"all":[]}"#),
            Row("dictionary", [required("all", .dictionary(.model("M")))], #"{"all":{}}"#),
            Row("nullable", [required("next", .nullable(.model("M")))], #"{"next":null}"#),
            Row("alternative", [required("next", .alternatives([.model("M"), .scalar(.boolean)]))], #"{"next":true}"#),
            Row(
                "variants", [required("next", .variants([optional("a", .model("M")), optional("b", .null)]))],
                #"{"next":{"b":null}}"#),
            Row("through another", [required("other", .model("N"))], #"{"other":{}}"#),
        ])
    func modelsInThemselves(_ row: Row<[Shape.Field], String>) throws {
        let models = [Self.model("M", row.input), Self.model("N", [Self.optional("m", .model("M"))])]
        let shape = ModelShape(root: .model("M"), models: models)
        #expect(shape.sampleValue().description == row.expected)
        #expect(try Self.problems(shape) == [])
    }

    // MARK: Any shape

    /// Random shapes of models that name each other. Each has a value: a model requires only models after it.
    private struct RandomShape {
        private static let modelNames = ["A", "B", "C", "D"]
        var random: SeededRandom

        mutating func shape() -> ModelShape {
            var models: [ModelShape.Model] = []
            for (index, name) in Self.modelNames.enumerated() {
                // The tag tells models apart where they are alternatives.
                let tag = required("tag", .values([JSONValue(name)]))
                let laterNames = Array(Self.modelNames[(index + 1)...])
                models.append(model(name, [tag] + fields(depth: 3, laterNames)))
            }
            return ModelShape(root: part(depth: 3, Self.modelNames), models: models)
        }

        private mutating func fields(depth: Int, _ names: [String]) -> [Shape.Field] {
            var fields: [Shape.Field] = []
            for number in 0..<random.number(below: 5) {
                let isOptional = random.number(below: 2) == 0
                let shape = part(depth: depth - 1, isOptional ? Self.modelNames : names)
                fields.append(Shape.Field(key: "f\(number)", shape: shape, isOptional: isOptional))
            }
            return fields
        }

        /// - Parameter names: The models that the part may require.
        private mutating func part(depth: Int, _ names: [String]) -> Shape {
            guard depth > 0 else { return token() }
            switch random.number(below: 10) {
            case 0: return .array(part(depth: depth - 1, Self.modelNames))
            case 1: return .dictionary(part(depth: depth - 1, Self.modelNames))
            case 2: return .object(fields(depth: depth, names))
            case 3: return .nullable(random.pick([.model(random.pick(Self.modelNames)), .scalar(.date)]))
            case 4: return names.isEmpty ? token() : .model(random.pick(names))
            case 5: return .alternatives([.model("A"), .array(.model("B")), .model(random.pick(["C", "D"])), token()])
            case 7: return .open([optional("z", .any)] + fields(depth: depth, names), others: token())
            case 6: return .variants([optional("x", part(depth: depth - 1, names)), optional("y", .scalar(.boolean))])
            default: return token()
            }
        }

        private mutating func token() -> Shape {
            random.pick([
                .scalar(.boolean), .scalar(.integer(-9 ... -3)), .scalar(.number(1...2)), .scalar(.string),
                .scalar(.url), .scalar(.uuid), .scalar(.date), .scalar(.data), .values(["a", "b"]), .values([3, 4]),
                .any, .null,
            ])
        }
    }

    @Test("The sample values of random shapes fit")
    func samplesFitTheirShapes() throws {
        var shapes = RandomShape(random: SeededRandom(seed: 7))
        var texts: Set<String> = []
        for _ in 0..<2_000 {
            let shape = shapes.shape()
            #expect(try Self.problems(shape) == [], "\(shape)")
            texts.insert(shape.sampleValue().description)
        }
        #expect(texts.count > 500)
    }

    @Test(
        "The sample value of a model fits the model's shape",
        arguments: [
            ModelShapeTests.Everything.self, ModelShapeTests.Event?.self, [ModelShapeTests.Text].self,
            ModelShapeTests.Range.self, ModelShapeTests.Tagged.self,
        ] as [any SendableModel.Type])
    func samplesOfModelsFitTheirShapes(_ model: any SendableModel.Type) throws {
        #expect(try Self.problems(ModelShape.of(model)) == [])
    }

    @Test(
        "The model can decode its sample value, which has every key",
        arguments: [
            ResponseComparisonTests.Page.self, [ResponseComparisonTests.Node].self,
            [ResponseComparisonTests.Ticket].self,
            [String: Shop.Product].self, Everything.Product.self,
        ] as [any SendableModel.Type])
    func samplesCanBeDecoded(_ model: any SendableModel.Type) throws {
        let document = ModelShape.of(model).sampleValue().document
        let comparison = try ResponseComparison.compare(document, as: model)
        #expect(comparison.problems == [])
        #expect(comparison.places.notes.filter { $0.kind == .absentKey } == [])
    }

    // MARK: Limits

    /// Returns the number of values in `value`, itself included.
    private static func count(_ value: JSONValue) -> Int {
        switch value.content {
        case .array(let elements): elements.reduce(1) { $0 + count($1) }
        case .object(let members): members.reduce(1) { $0 + count($1.value) }
        case .null, .bool, .number, .string: 1
        }
    }

    /// Each of 20 models has two optional members of the next one: 2²⁰ values.
    @Test("A sample has about 1,000 values if more are optional")
    func optionalValuesAreBounded() throws {
        let models = (0..<20).map { level in
            let next = Shape.model("M\(level + 1)")
            return Self.model("M\(level)", [Self.optional("a", next), Self.optional("b", next)])
        }
        let shape = ModelShape(root: .model("M0"), models: models)
        #expect((100...1_100).contains(Self.count(shape.sampleValue())))
        #expect(try Self.problems(shape) == [])
    }

    @Test("A large member leaves enough of the limit for the members after it")
    func membersShareTheLimit() throws {
        let many = (0..<2_000).map { Self.optional("f\($0)", .scalar(.boolean)) }
        let shape = ModelShape(
            root: .object([
                Self.optional("large", .object(many)), Self.optional("list", .array(.object(many))),
                Self.optional("name", .scalar(.string)),
            ]), models: [])
        let sample = shape.sampleValue()
        #expect(sample.members?.map(\.key) == ["large", "list", "name"])
        #expect(sample["large"]?.members?.count ?? 0 > 400)
        #expect(sample["list"]?.elements?.first?.members?.count ?? 0 > 400)
        #expect(Self.count(sample) < 1_100)
    }

    @Test("Required values are in the sample even beyond the limit for optional ones")
    func requiredValuesBeyondTheLimitAreThere() throws {
        let many = (0..<2_000).map { Self.required("f\($0)", .scalar(.boolean)) }
        let shape = ModelShape(root: .object(many + [Self.optional("more", .scalar(.boolean))]), models: [])
        #expect(shape.sampleValue().members?.count == 2_000)
        #expect(try Self.problems(shape) == [])
    }

    /// Each of 60 models requires the next one twice: 2⁶⁰ values.
    @Test("A sample has at most some 10,000 values even if more are required", .timeLimit(.minutes(1)))
    func requiredValuesAreBounded() {
        let models = (0..<60).map { level in
            let next = Shape.model("M\(level + 1)")
            return Self.model("M\(level)", [Self.required("a", next), Self.required("b", next)])
        }
        let sample = ModelShape(root: .model("M0"), models: models + [Self.model("M60", [])]).sampleValue()
        #expect((9_000...50_000).contains(Self.count(sample)))
    }

    /// The first model requires itself. The second one begins a chain of models that would overflow the stack.
    @Test("A sample is not nested deeply even if the models require it", .timeLimit(.minutes(1)))
    func requiredDepthIsBounded() {
        let endless = ModelShape(
            root: .model("M"), models: [Self.model("M", [Self.required("m", .model("M"))])])
        #expect(Self.count(endless.sampleValue()) < 100)
        let chain = (0..<20_000).map { Self.model("M\($0)", [Self.required("m", .model("M\($0 + 1)"))]) }
        #expect(Self.count(ModelShape(root: .model("M0"), models: chain).sampleValue()) < 100)
    }
}
