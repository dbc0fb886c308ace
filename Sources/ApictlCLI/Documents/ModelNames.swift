import EndpointKit

/// The models of APIs, each with a name that no other has, whatever the case.
struct ModelNames {
    struct Entry {
        let api: any API.Type
        let use: SchemaWriter.Use
        let model: ModelShape.Model
        /// A shape with the model and those that it needs; if they vary, just these, always in the same order.
        let shape: ModelShape
        /// The name in Swift, after the API's name if another API has such a type.
        var title = ""
        /// The title with generic arguments written out, for identifiers.
        var name = ""
    }

    /// By which the models in shapes are found.
    private struct Key: Hashable {
        let name: String
        let api: String
        let use: SchemaWriter.Use

        init(_ name: String, _ api: any API.Type, _ use: SchemaWriter.Use) {
            (self.name, self.api, self.use) = (name, api.name, use)
        }
    }

    typealias Owned = (api: any API.Type, shape: ModelShape)

    private(set) var entries: [Entry] = []
    /// The places in `entries`: several if the shape of the type may depend on a sample.
    private var places: [Key: [Int]] = [:]

    /// Names the models of responses and errors, and those that are sent: `Input` follows the name of one that is received too.
    init(_ endpoints: [EndpointDescription], sent: [Owned] = []) {
        func shapes(_ shape: (EndpointDescription) -> ModelShape?) -> [Owned] {
            endpoints.compactMap { endpoint in shape(endpoint).map { (endpoint.api, $0) } }
        }
        let received = shapes(\.responseShape) + shapes(\.errorShape)
        var owners: [String: Set<String>] = [:]
        for (api, shape) in received { for model in shape.models { owners[model.name, default: []].insert(api.name) } }
        for endpoint in endpoints {
            for name in endpoint.declaration.signature.modelNames {
                owners[name, default: []].insert(endpoint.api.name)
            }
        }
        for (shapes, use) in [(received, SchemaWriter.Use.response), (sent, .request)] {
            let start = entries.count
            let varied = Self.varied(shapes, use)
            for (api, shape) in shapes { add(shape, of: api, use, varied) }
            for place in entries.indices[start...] {
                let (api, name) = (entries[place].api, entries[place].model.name)
                let words = api.name.split { "-_. ".contains($0) }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
                let own = (owners[name]?.count ?? 0) > 1 ? words.joined() + name : name
                let isReceived = use == .request ? places[Key(name, api, .response)]?.first : nil
                entries[place].title = isReceived.map { entries[$0].title + "Input" } ?? own
            }
        }
        let names = entries.map { ModelShape.writtenName($0.title) }.numbered("", ignoringCase: true)
        for (place, name) in names.enumerated() { entries[place].name = name }
    }

    private mutating func add(
        _ shape: ModelShape, of api: any API.Type, _ use: SchemaWriter.Use, _ varied: Set<Key>
    ) {
        for model in shape.models {
            let key = Key(model.name, api, use)
            let isVaried = varied.contains(key)
            let own = isVaried ? shape.alone(model.name) : shape
            if places[key]?.contains(where: { !isVaried || entries[$0].shape == own }) == true { continue }
            places[key, default: []].append(entries.count)
            entries.append(Entry(api: api, use: use, model: model, shape: own))
        }
    }

    /// The keys of models that are not the same in all shapes, or need such: few, for to compare all that a model needs takes long.
    private static func varied(_ shapes: [Owned], _ use: SchemaWriter.Use) -> Set<Key> {
        var known: [Key: Shape] = [:]
        var users: [Key: [Key]] = [:]
        var open: [Key] = []
        for (api, shape) in shapes {
            for model in shape.models {
                let key = Key(model.name, api, use)
                if known[key] == model.shape { continue }
                if known.updateValue(known[key] ?? model.shape, forKey: key) != nil { open.append(key) }
                for name in model.shape.modelNames { users[Key(name, api, use), default: []].append(key) }
            }
        }
        var varied: Set<Key> = []
        while let next = open.popLast() {
            if varied.insert(next).inserted { open += users[next] ?? [] }
        }
        return varied
    }

    /// The model that is called `name` in a shape; nil if the shape is of none of the APIs.
    func entry(_ name: String, in shape: ModelShape, of api: any API.Type, _ use: SchemaWriter.Use) -> Entry? {
        let found = places[Key(name, api, use)] ?? []
        let place = found.count < 2 ? found.first : found.first { entries[$0].shape == shape.alone(name) }
        return place.map { entries[$0] }
    }
}

extension ModelShape {
    /// A model of this shape with those that it needs, always in the same order.
    fileprivate func alone(_ name: String) -> ModelShape {
        let part = part(.model(name))
        return ModelShape(root: part.root, models: part.models.sorted { $0.name < $1.name })
    }
}
