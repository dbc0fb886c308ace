import EndpointKit
import JSONText

/// Infers Swift models from JSON samples of an API's responses, and from values in its requests.
package struct InferredModels {
    /// Samples of one endpoint's responses, with the subject after which their model is named: `movies`, `rate_limit`.
    package typealias Response = (subject: String, samples: [JSONDocument])

    /// The declaration of a model.
    package struct Declaration: Sendable {
        package var name: String
        let lines: [SwiftLine]
        /// The modules whose types the declaration uses: `EndpointKit`, `Foundation`.
        package var imports: Set<String>
        /// Whether a part of the model is `JSONValue`.
        package var isLoose: Bool

        /// The Swift text of the declaration, with a line break at the end.
        package var text: String { lines.printed() }
    }

    /// The expression for `returns:` of each response, such as `[Movie].self`.
    package private(set) var roots: [String] = []
    package private(set) var declarations: [Declaration] = []
    /// The modules that the types of ``roots`` belong to.
    package private(set) var rootImports: Set<String> = []
    /// The API's `coding` as an expression, if it must be declared for these models.
    package private(set) var coding: String?
    /// Remarks about types for people to look at, safe for a terminal: `$.results[*].price: Double, because 40.0 came`.
    package private(set) var notes: [String] = []

    /// The types of values in requests, in their order; nil for values that only JSON of any kind can hold.
    private(set) var sentTypes: [InferredType?] = []

    /// Infers the models of the responses of one API. Objects with the same fields become one model.
    ///
    /// - Parameters:
    ///   - responses: The samples of each endpoint.
    ///   - options: The names and choices of people.
    /// - Throws: ``ImportError``, and `JSONPathLimit` for a query that is too much work.
    package init(_ responses: [Response], options: ImportChoices = ImportChoices()) throws {
        try self.init(responses, sentValues: [], options: options)
    }

    /// Infers the models of the responses of one API, and of values in its requests.
    ///
    /// 1. Types are inferred for the samples and for the values in requests.
    /// 2. A coding is chosen with which the keys of all models can be read and written.
    /// 3. Models get their names and become Swift text.
    ///
    /// - Parameters:
    ///   - responses: The samples of each endpoint.
    ///   - sentValues: The values under each key of the requests' bodies that may become a structure.
    ///   - options: The names and choices of people.
    /// - Throws: ``ImportError``, and `JSONPathLimit` for a query that is too much work.
    init(_ responses: [Response], sentValues: [SentValues], options: ImportChoices) throws {
        // `$` is the whole sample, as in JSONPath. With several endpoints, notes name the endpoint too: `movies $`.
        let samplePaths = responses.map { responses.count > 1 ? "\(TerminalText.escaped($0.subject)) $" : "$" }
        var inference = try Self.makeInference(for: responses.flatMap(\.samples), options)
        let responseTypes = Self.inferTypes(of: responses, samplePaths: samplePaths, with: &inference)
        // Dates of requests stay texts, because a server may want exactly this form.
        var sentInference = Inference(Coding(dates: .secondsSince1970), maps: [], structures: [], readsNames: false)
        sentTypes = sentValues.map { $0.inferType(with: &sentInference) }

        let modelCoding = chooseCoding(for: inference.models, existingCoding: options.coding)
        removeTypes(notCodableWith: modelCoding)
        let sentModels = InferredModel.all(in: sentTypes.compactMap(\.self))
        for model in sentModels { model.isSent = true }
        if options.coding == nil { declareCoding(modelCoding, for: inference.models + sentModels) }

        var modelNames = InferredModelNames(options)
        modelNames.nameModels(ofResponses: responses, types: responseTypes)
        modelNames.nameModels(ofSentValues: sentValues, types: sentTypes)
        let namedModels = modelNames.orderedModels
        let modelText = ModelText(
            inference.models + sentInference.models, fieldNames: options.fieldNames, coding: modelCoding)
        declarations = namedModels.map(modelText.declaration)
        roots = responseTypes.map { $0.text() + ".self" }
        rootImports = Set(responseTypes.compactMap(\.module))
        notes = inference.notes
        let typesOfRoots = zip(samplePaths, responseTypes).map { (path: $0, type: $1) }
        let typesOfFields = namedModels.flatMap(\.fields).map { (path: $0.path, type: $0.type) }
        addNotes(onJSON: typesOfRoots + typesOfFields)
        addNote(onOptionalKeys: inference.optionalKeys)
    }

    /// Returns an inference that knows which objects in the samples people chose as dictionaries and structures.
    ///
    /// - Throws: ``ImportError`` if a query for objects can't be read, or selects no object.
    private static func makeInference(for documents: [JSONDocument], _ options: ImportChoices) throws -> Inference {
        let maps = try objects(selectedBy: options.maps, option: "--map", in: documents)
        let structures = try objects(selectedBy: options.structs, option: "--struct", in: documents)
        return Inference(options.coding ?? Coding(), maps: maps, structures: structures)
    }

    /// Sets the ``coding`` that a new API has to declare: the one of its models, if it changes any of their keys.
    private mutating func declareCoding(_ modelCoding: Coding, for models: [InferredModel]) {
        let fields = models.lazy.flatMap(\.fields)
        let convertsKeys = fields.contains { modelCoding.modelKey($0.key) != $0.key }
        if convertsKeys { coding = "Coding(keys: .convertFromSnakeCase)" }
    }

    /// Returns the type of each endpoint's response. All samples of the endpoint fit the type.
    ///
    /// Objects with the same keys share a structure, even if different endpoints return them. If their values have
    /// different types, the fields of the structure are widened in place, so that the samples of all endpoints fit.
    ///
    /// - Parameters:
    ///   - responses: The samples of each endpoint.
    ///   - samplePaths: The start of the paths in notes about each endpoint, such as `movies $`.
    ///   - inference: Makes the types, and collects their models and notes.
    private static func inferTypes(
        of responses: [Response], samplePaths: [String], with inference: inout Inference
    ) -> [InferredType] {
        let types = zip(responses, samplePaths).map { response, path in
            let values = response.samples.map { JSONValue($0) }
            return inference.inferType(of: values, at: Inference.SampleLocation(path: path))
        }
        if inference.hasMergedTypes {
            for (response, type) in zip(responses, types) { SampleWidening.widen(type, for: response.samples) }
        }
        return types
    }

    /// Replaces the types of values in requests by nil if a coding would not write their keys as they are.
    private mutating func removeTypes(notCodableWith coding: Coding) {
        sentTypes = sentTypes.map { type in
            guard let type, SentValues.writesKeys(of: type, coding) else { return nil }
            return type
        }
    }

    /// Returns the coding with which the keys of all models are read and written.
    ///
    /// An API that exists keeps its coding. If the coding makes two keys of a model equal, such as `user_id` and
    /// `userId`, the model loses the second field. A new API converts keys from snake case, unless two keys would
    /// become equal, or a key of a request would be written in another way.
    ///
    /// - Parameters:
    ///   - models: The models, which may lose fields.
    ///   - existingCoding: The coding of an API that exists; nil for a new API.
    private func chooseCoding(for models: [InferredModel], existingCoding: Coding?) -> Coding {
        if let existingCoding {
            for model in models {
                let remainingFields = Self.readableFields(of: model, existingCoding)
                if remainingFields.count < model.fields.count { model.fields = remainingFields }
            }
            return existingCoding
        }
        let snakeCase = Coding(keys: .convertFromSnakeCase)
        let writesSentKeys = sentTypes.compactMap(\.self).allSatisfy { SentValues.writesKeys(of: $0, snakeCase) }
        let readsAllFields = models.allSatisfy { model in
            Self.readableFields(of: model, snakeCase).count == model.fields.count
        }
        return writesSentKeys && readsAllFields ? snakeCase : Coding()
    }

    /// Returns the fields of a model, without a field whose key in Swift an earlier field has already.
    ///
    /// With `convertFromSnakeCase`, the keys `user_id` and `userId` both become `userId`.
    private static func readableFields(of model: InferredModel, _ coding: Coding) -> [InferredModel.Property] {
        var propertyKeys: Set<String> = []
        return model.fields.filter { propertyKeys.insert(coding.modelKey($0.key)).inserted }
    }

    /// Adds a note about each type that is `JSONValue`, with its path in the samples and the reason.
    private mutating func addNotes(onJSON types: [(path: String, type: InferredType)]) {
        for (path, type) in types {
            if let reason = type.reasonForJSON { notes.append("\(path): JSONValue, \(reason)") }
        }
    }

    /// Adds a note about properties that are optional only because of their names, unless there are none.
    private mutating func addNote(onOptionalKeys optionalKeys: Set<String>) {
        if optionalKeys.isEmpty { return }
        let keys = optionalKeys.sorted().joined(separator: ", ")
        notes.append("optional by their names, although every sample has them: \(keys)")
    }

    /// Returns one sample for each body.
    ///
    /// A body with several documents, as in NDJSON, becomes a list of them. All other bodies then become lists too, so
    /// that all samples have one type.
    ///
    /// - Parameter bodies: The documents of each body, at least one.
    package static func samples(_ bodies: [[JSONDocument]]) -> [JSONDocument] {
        let areLists = bodies.contains { $0.count > 1 }
        return bodies.map { documents in
            let isOneList = documents.count == 1 && documents[0].kind(of: JSONDocument.root) == .array
            if !areLists || isOneList { return documents[0] }
            return JSONValue(documents.map { JSONValue($0) }).document
        }
    }

    /// Returns the objects in the samples that the queries of an option select.
    ///
    /// - Parameters:
    ///   - queries: The values of the option, in JSONPath: `$.rates`.
    ///   - option: The name of the option, for errors.
    ///   - documents: The samples.
    /// - Throws: ``ImportError`` if a query can't be read, or selects no object.
    private static func objects(
        selectedBy queries: [String], option: String, in documents: [JSONDocument]
    ) throws -> Set<Inference.Slot> {
        var objects: Set<Inference.Slot> = []
        for text in queries {
            let optionWithValue = "\(option) '\(TerminalText.escaped(text))'"
            guard let query = try? JSONPath(text) else { throw ImportError("\(optionWithValue) is not a query") }
            var selectedObjects: Set<Inference.Slot> = []
            for document in documents {
                try query.select(in: document) { slot in
                    if document.kind(of: slot) == .object {
                        selectedObjects.insert(.init(document: ObjectIdentifier(document), slot: slot))
                    }
                    // True continues the selection.
                    return true
                }
            }
            if selectedObjects.isEmpty { throw ImportError("\(optionWithValue) selects no object of the samples") }
            objects.formUnion(selectedObjects)
        }
        return objects
    }

    /// Returns the files of declarations, one for each: `Movie.swift`.
    package static func files(_ declarations: [Declaration]) -> [(path: String, text: [UInt8])] {
        declarations.map { (SwiftNames.fileName(ofType: $0.name), (imports($0.imports) + $0.text).exactBytes) }
    }

    /// Returns the `import` lines of a file, with an empty line after them; empty if it imports nothing.
    ///
    /// - Parameters:
    ///   - modules: The modules that the file needs.
    ///   - declarations: The declarations in the file, whose modules are imported too.
    package static func imports(_ modules: Set<String> = [], of declarations: [Declaration] = []) -> String {
        var allModules = modules
        for declaration in declarations { allModules.formUnion(declaration.imports) }
        var text = allModules.subtracting(["Foundation"]).sorted().map { "import \($0)\n" }.joined()
        if !text.isEmpty { text += "\n" }
        if allModules.contains("Foundation") {
            // Where it exists, the smaller FoundationEssentials has what models need: `Date` and `Decimal`.
            text += """
                #if canImport(FoundationEssentials)
                import FoundationEssentials
                #else
                import Foundation
                #endif


                """
        }
        return text
    }
}
