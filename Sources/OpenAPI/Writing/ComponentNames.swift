import EndpointKit
import EndpointTools

/// Names the models of APIs in a document. No two names are equal, even if case is ignored.
package struct ComponentNames: Sendable {
    /// A shape whose models need names.
    package struct Source {
        let api: CatalogueAPI
        /// The shape; nil if the value is not JSON.
        let shape: ModelShape?
        /// Whether the values of the shape are received or sent.
        let use: SchemaWriter.Use

        /// Creates a shape whose models need names.
        ///
        /// - Parameters:
        ///   - shape: The shape; nil if the value is not JSON.
        ///   - api: The API of the shape.
        ///   - use: Whether the values of the shape are received or sent.
        package init(_ shape: ModelShape?, of api: CatalogueAPI, use: SchemaWriter.Use) {
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
        /// The Swift name of the model, such as `Page<Movie>`. If another API has a model with the same name, the
        /// API's name comes first.
        package let title: String
        /// The name of the component, such as `PageOfMovie`.
        package let name: String
    }

    /// The models by their names in shapes.
    private var entriesByModel: [String: [Entry]] = [:]
    /// The models in the order in which shapes refer to them.
    package let entries: [Entry]

    /// Gives each model of some shapes a name.
    ///
    ///     Movie, received               →  Movie
    ///     Movie, received and sent      →  Movie and MovieInput
    ///     Movie of two APIs             →  ShopMovie and CinemaMovie
    ///
    /// - Parameters:
    ///   - sources: The shapes. Received shapes come first.
    ///   - declarations: The endpoints of the shapes.
    package init(_ sources: [Source], of declarations: [EndpointDeclaration]) {
        let models = Self.distinctModels(sources)
        let namesOfSeveralAPIs = Self.namesOfSeveralAPIs(sources, declarations: declarations)
        let receivedModels = Set(
            models.filter { $0.use == .response }.map { ModelKey($0.api, name: $0.model.name, use: .response) })
        let titles = models.map { unnamedModel in
            let name = unnamedModel.model.name
            var title = name
            if namesOfSeveralAPIs.contains(name) { title = Self.typeName(unnamedModel.api.name) + title }
            // A model that is both received and sent has two schemas, because optional members differ.
            let receivedModel = ModelKey(unnamedModel.api, name: name, use: .response)
            if unnamedModel.use == .request, receivedModels.contains(receivedModel) { title += "Input" }
            return title
        }
        let componentNames = titles.map(ModelShape.writtenName).numbered(separator: "", ignoringCase: true)
        entries = models.indices.map { index in
            Entry(
                api: models[index].api, use: models[index].use, model: models[index].model, title: titles[index],
                name: componentNames[index])
        }
        for entry in entries { entriesByModel[entry.model.name, default: []].append(entry) }
    }

    /// The identity of a model: its API, its name in shapes, and whether it is sent or received.
    private struct ModelKey: Hashable {
        let api: String
        let name: String
        let isSent: Bool

        /// Creates the key of a model.
        init(_ api: CatalogueAPI, name: String, use: SchemaWriter.Use) {
            self.api = api.name
            self.name = name
            isSent = use == .request
        }
    }

    /// A model that has no component name yet.
    private struct UnnamedModel {
        let api: CatalogueAPI
        let model: ModelShape.Model
        /// Whether the model is received or sent.
        let use: SchemaWriter.Use
    }

    /// Returns the models of shapes, without repetitions. A model that is both sent and received is returned twice.
    private static func distinctModels(_ sources: [Source]) -> [UnnamedModel] {
        let models = sources.flatMap { source in
            (source.shape?.models ?? []).map { UnnamedModel(api: source.api, model: $0, use: source.use) }
        }
        return models.withoutRepetitions { ModelKey($0.api, name: $0.model.name, use: $0.use) }
    }

    /// Returns the names that models of more than one API have.
    ///
    /// The models are those of shapes and of the signatures of endpoints.
    private static func namesOfSeveralAPIs(
        _ sources: [Source], declarations: [EndpointDeclaration]
    ) -> Set<String> {
        var apisByModel: [String: Set<String>] = [:]
        for source in sources {
            for model in source.shape?.models ?? [] { apisByModel[model.name, default: []].insert(source.api.name) }
        }
        for declaration in declarations {
            for model in declaration.signature.modelNames {
                apisByModel[model, default: []].insert(declaration.api.name)
            }
        }
        return Set(apisByModel.filter { $0.value.count > 1 }.keys)
    }

    /// Returns the name of an API in the spelling of a Swift type: `PetShop` for `pet-shop`.
    private static func typeName(_ api: String) -> String {
        EndpointNames.words(api).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// Returns the model with a name in the shapes of an API; nil if there is no such model.
    package func entry(_ name: String, of api: CatalogueAPI, use: SchemaWriter.Use) -> Entry? {
        entriesByModel[name]?.first { $0.api.name == api.name && $0.use == use }
    }

    /// Returns a writer of schemas for an API. The schemas refer to models by their component names.
    func writer(of api: CatalogueAPI, use: SchemaWriter.Use) -> SchemaWriter {
        SchemaWriter(use, reference: { "#/components/schemas/" + (entry($0, of: api, use: use)?.name ?? $0) })
    }

    /// The schemas of all models by their component names, in the order of the names.
    var schemas: SchemaWriter.Members {
        entries.sorted { $0.name < $1.name }.map { ($0.name, writer(of: $0.api, use: $0.use).schema($0.model.shape)) }
    }
}
