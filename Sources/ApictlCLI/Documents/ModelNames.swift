import EndpointKit

/// The models of APIs, each with a name that no other has, whatever the case.
struct ModelNames {
    struct Entry {
        let api: any API.Type
        let use: SchemaWriter.Use
        let model: ModelShape.Model
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
    /// The places in `entries`.
    private var places: [Key: Int] = [:]

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
            for (api, shape) in shapes {
                for model in shape.models where places[Key(model.name, api, use)] == nil {
                    places[Key(model.name, api, use)] = entries.count
                    entries.append(Entry(api: api, use: use, model: model))
                }
            }
            for place in entries.indices[start...] {
                let (api, name) = (entries[place].api, entries[place].model.name)
                let words = api.name.split { "-_. ".contains($0) }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
                let own = (owners[name]?.count ?? 0) > 1 ? words.joined() + name : name
                let isReceived = use == .request ? places[Key(name, api, .response)] : nil
                entries[place].title = isReceived.map { entries[$0].title + "Input" } ?? own
            }
        }
        let names = entries.map { ModelShape.writtenName($0.title) }.numbered("", ignoringCase: true)
        for (place, name) in names.enumerated() { entries[place].name = name }
    }

    /// The model that is called `name` in shapes of an API; nil if there is none.
    func entry(_ name: String, of api: any API.Type, _ use: SchemaWriter.Use) -> Entry? {
        places[Key(name, api, use)].map { entries[$0] }
    }
}
