import APIImport
import EndpointKit
import EndpointTools

/// The models of APIs, each with a name that no other has, whatever the case.
struct SchemaNames {
    struct Entry {
        let api: CatalogueAPI
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

    /// Names the models of responses, and then those of other shapes: `Input` follows the name of one that is sent and received.
    init(_ endpoints: [EndpointDescription], others: [(CatalogueAPI, ModelShape?, SchemaWriter.Use)] = []) {
        let shapes = endpoints.map { ($0.api, $0.responseShape, SchemaWriter.Use.response) } + others
        let all = shapes.flatMap { api, shape, use in (shape?.models ?? []).map { (api: api, model: $0, use: use) } }
        let owned =
            all.map { ($0.model.name, $0.api.name) }
            + endpoints.flatMap { one in one.declaration.signature.modelNames.map { ($0, one.api.name) } }
        let owners = Dictionary(grouping: owned, by: \.0).mapValues { Set($0.map(\.1)).count }
        var names = NameTable()
        for (api, model, use) in all where entry(model.name, of: api, use) == nil {
            let start = owners[model.name, default: 1] > 1 ? SwiftNames.typeName(SwiftNames.words(api.name)) : ""
            let isBoth = use == .request && entry(model.name, of: api, .response) != nil
            let title = start + model.name + (isBoth ? "Input" : "")
            let name = names.unique(ModelShape.writtenName(title))
            let entry = Entry(api: api, use: use, model: model, title: title, name: name)
            known[model.name, default: []].append(entry)
            entries.append(entry)
        }
    }

    /// The model that is called `name` in shapes of an API; nil if there is none.
    func entry(_ name: String, of api: CatalogueAPI, _ use: SchemaWriter.Use) -> Entry? {
        known[name]?.first { $0.api.name == api.name && $0.use == use }
    }

    /// Writes the schemas of shapes, with references to those of models.
    func writer(of api: CatalogueAPI, _ use: SchemaWriter.Use) -> SchemaWriter {
        SchemaWriter(use) { "#/components/schemas/" + (entry($0, of: api, use)?.name ?? $0) }
    }
}
