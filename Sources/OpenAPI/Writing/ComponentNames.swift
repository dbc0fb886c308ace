import EndpointKit
import EndpointTools

/// The models of APIs, each with a name that no other model of the document has, whatever the case.
package struct ComponentNames: Sendable {
    /// A shape whose models get names.
    package struct Source {
        let api: CatalogueAPI
        /// The shape; nil if there is no JSON.
        let shape: ModelShape?
        /// Whether the values of the shape are received or sent.
        let use: SchemaWriter.Use

        /// Makes a shape whose models get names.
        ///
        /// - Parameters:
        ///   - api: The API of the shape.
        ///   - shape: The shape; nil if there is no JSON.
        ///   - use: Whether the values of the shape are received or sent.
        package init(_ api: CatalogueAPI, _ shape: ModelShape?, _ use: SchemaWriter.Use) {
            self.api = api
            self.shape = shape
            self.use = use
        }
    }

    /// A model with its name.
    package struct Entry: Sendable {
        package let api: CatalogueAPI
        package let use: SchemaWriter.Use
        package let model: ModelShape.Model
        /// The name in Swift, after the API's name if another API has a model of that name.
        package let title: String
        /// The title with generic arguments written out, for identifiers.
        package let name: String
    }

    /// The models by the name that shapes have for them.
    private var entriesByModel: [String: [Entry]] = [:]
    /// The models in the order in which they are first named.
    package let entries: [Entry]

    /// Names the models of shapes.
    ///
    /// The name of a model that is both sent and received ends in `Input` where it is sent.
    ///
    /// - Parameters:
    ///   - sources: The shapes, those that are received first.
    ///   - declarations: The endpoints of the shapes.
    package init(_ sources: [Source], of declarations: [EndpointDeclaration]) {
        let models = Self.distinctModels(sources)
        let shared = Self.sharedNames(sources, declarations)
        let received = Set(models.filter { $0.use == .response }.map { ModelKey($0.api, $0.model.name, .response) })
        let titles = models.map { api, model, use in
            let isAlsoReceived = use == .request && received.contains(ModelKey(api, model.name, .response))
            let prefix = shared.contains(model.name) ? Self.typeName(api.name) : ""
            return prefix + model.name + (isAlsoReceived ? "Input" : "")
        }
        let names = titles.map(ModelShape.writtenName).numbered("", ignoringCase: true)
        entries = models.indices.map { index in
            Entry(
                api: models[index].api, use: models[index].use, model: models[index].model, title: titles[index],
                name: names[index])
        }
        for entry in entries { entriesByModel[entry.model.name, default: []].append(entry) }
    }

    /// A model of one API, as it is sent or as it is received.
    private struct ModelKey: Hashable {
        let api: String
        let name: String
        let isSent: Bool

        /// Makes the key of a model by its name in the shapes of an API.
        init(_ api: CatalogueAPI, _ name: String, _ use: SchemaWriter.Use) {
            self.api = api.name
            self.name = name
            isSent = use == .request
        }
    }

    /// A model before it has a name in the document.
    private typealias Unnamed = (api: CatalogueAPI, model: ModelShape.Model, use: SchemaWriter.Use)

    /// Returns the models of shapes, each once. A model that is both sent and received comes once for each use.
    private static func distinctModels(_ sources: [Source]) -> [Unnamed] {
        var known: Set<ModelKey> = []
        var models: [Unnamed] = []
        for source in sources {
            for model in source.shape?.models ?? [] {
                let key = ModelKey(source.api, model.name, source.use)
                if known.insert(key).inserted { models.append((source.api, model, source.use)) }
            }
        }
        return models
    }

    /// Returns the names that models of several APIs have, so that the name of the API goes in front of them.
    ///
    /// Models in the signatures of endpoints count too, even if no shape has them.
    private static func sharedNames(_ sources: [Source], _ declarations: [EndpointDeclaration]) -> Set<String> {
        var owners: [String: Set<String>] = [:]
        for source in sources {
            for model in source.shape?.models ?? [] { owners[model.name, default: []].insert(source.api.name) }
        }
        for declaration in declarations {
            for name in declaration.signature.modelNames { owners[name, default: []].insert(declaration.api.name) }
        }
        return Set(owners.filter { $0.value.count > 1 }.keys)
    }

    /// Returns the name of an API as the start of a type's name: `PetShop` for `pet-shop`.
    private static func typeName(_ api: String) -> String {
        EndpointNames.words(api).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// Returns a model by its name in the shapes of an API; nil if there is none.
    package func entry(_ name: String, of api: CatalogueAPI, _ use: SchemaWriter.Use) -> Entry? {
        entriesByModel[name]?.first { $0.api.name == api.name && $0.use == use }
    }

    /// Returns the writer of schemas for an API, which refers to models by their names in the document.
    ///
    /// A model that has no name here is referred to by the name that its shape has for it.
    func writer(of api: CatalogueAPI, _ use: SchemaWriter.Use) -> SchemaWriter {
        SchemaWriter(use) { "#/components/schemas/" + (entry($0, of: api, use)?.name ?? $0) }
    }

    /// The schemas of all models by name, in the order of the names.
    var schemas: SchemaWriter.Members {
        entries.sorted { $0.name < $1.name }.map { ($0.name, writer(of: $0.api, $0.use).schema($0.model.shape)) }
    }
}
