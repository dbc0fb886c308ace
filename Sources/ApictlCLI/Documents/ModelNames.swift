import APIImport
import EndpointKit

/// The models of APIs, each with a name that no other has, whatever the case.
struct ModelNames {
    struct Entry {
        let api: any API.Type
        let use: SchemaWriter.Use
        let model: ModelShape.Model
        /// The name in Swift, after the API's name if another API has such a type.
        let title: String
        /// The title with generic arguments written out, for identifiers.
        let name: String
        /// The identifier of its section in documentation.
        var id: String { "model-" + name }
    }

    /// The models by what shapes call them.
    private var known: [String: [Entry]] = [:]
    /// The models in the order in which they are named first.
    private(set) var entries: [Entry] = []

    /// Names the models of responses, and if any are sent, those of errors and then those that are sent: `Input` follows the name of one that
    /// is received too.
    init(_ endpoints: [EndpointDescription], sent: [(api: any API.Type, shape: ModelShape)] = []) {
        let received =
            endpoints.map { ($0.api, $0.responseShape) }
            + (sent.isEmpty ? [] : endpoints.map { ($0.api, $0.errorShape) })
        let owned =
            received.flatMap { api, shape in (shape?.models ?? []).map { ($0.name, api.name) } }
            + endpoints.flatMap { one in one.declaration.signature.modelNames.map { ($0, one.api.name) } }
        let owners = Dictionary(grouping: owned, by: \.0).mapValues { Set($0.map(\.1)).count }
        var names = NameTable()
        func add(_ shape: ModelShape?, of api: any API.Type, _ use: SchemaWriter.Use) {
            for model in shape?.models ?? [] where entry(model.name, of: api, use) == nil {
                let words = api.name.split { "-_. ".contains($0) }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
                let start = owners[model.name, default: 1] > 1 ? words.joined() : ""
                let isBoth = use == .request && entry(model.name, of: api, .response) != nil
                let title = start + model.name + (isBoth ? "Input" : "")
                let name = names.unique(ModelShape.writtenName(title))
                let entry = Entry(api: api, use: use, model: model, title: title, name: name)
                known[model.name, default: []].append(entry)
                entries.append(entry)
            }
        }
        for (api, shape) in received { add(shape, of: api, .response) }
        for (api, shape) in sent { add(shape, of: api, .request) }
    }

    /// The model that is called `name` in shapes of an API; nil if there is none.
    func entry(_ name: String, of api: any API.Type, _ use: SchemaWriter.Use) -> Entry? {
        known[name]?.first { $0.api == api && $0.use == use }
    }
}
