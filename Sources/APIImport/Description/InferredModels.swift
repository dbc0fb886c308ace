import EndpointKit
import JSONText

/// Swift models of JSON samples.
package struct InferredModels {
    /// Samples of the responses of one endpoint, and the subject after which their model is named, such as `movies` or
    /// `rate_limit`.
    package typealias Response = (subject: String, samples: [JSONDocument])

    /// A type at the top level of a file.
    package struct Declaration: Sendable {
        package var name: String
        let lines: [SwiftLine]
        /// The modules whose types it uses: `EndpointKit`, `Foundation`.
        package var imports: Set<String>
        /// Whether some of it became `JSONValue`.
        package var isLoose: Bool

        /// Formatted, with a line break at the end.
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

    /// Infers the models of the responses of one API; those with the same fields are one.
    ///
    /// - Throws: ``ImportError``, and `JSONPathLimit` for a query that is too much work.
    package init(_ responses: [Response], options: ImportChoices = ImportChoices()) throws {
        try self.init(responses, sent: [], options: options)
    }

    /// Infers the models of the responses of one API, and of values in its requests.
    ///
    /// - Throws: ``ImportError``, and `JSONPathLimit` for a query that is too much work.
    init(_ responses: [Response], sent: [SentValues], options: ImportChoices) throws {
        let documents = responses.flatMap(\.samples)
        let maps = try Self.objects(options.maps, "--map", in: documents)
        let structures = try Self.objects(options.structs, "--struct", in: documents)
        let paths = responses.map { responses.count > 1 ? "\(TerminalText.escaped($0.subject)) $" : "$" }
        var inference = Inference(options.coding ?? Coding(), maps: maps, structures: structures)
        let types = zip(responses, paths).map { response, path in
            inference.type(of: response.samples.map { JSONValue($0) }, at: Inference.SampleLocation(path: path))
        }
        if inference.hasMergedTypes {
            for (response, type) in zip(responses, types) { SampleWidening.widen(type, for: response.samples) }
        }
        // Dates of requests stay texts, because a server may want exactly this form.
        var sentInference = Inference(Coding(dates: .secondsSince1970), maps: [], structures: [], readsNames: false)
        sentTypes = sent.map { $0.type(&sentInference) }

        let coded = chooseCoding(inference.models, options)
        sentTypes = sentTypes.map { $0.flatMap { SentValues.writesKeys(of: $0, coded) ? $0 : nil } }
        let sentModels = InferredModel.all(in: sentTypes.compactMap(\.self))
        for model in sentModels { model.isSent = true }
        let fields = (inference.models + sentModels).lazy.flatMap(\.fields)
        if options.coding == nil, fields.contains(where: { coded.modelKey($0.key) != $0.key }) {
            coding = "Coding(keys: .convertFromSnakeCase)"
        }

        var names = InferredModelNames(options)
        for (response, type) in zip(responses, types) { names.name(type, subject: SwiftNames.words(response.subject)) }
        for (values, type) in zip(sent, sentTypes) {
            if let type { names.name(type, subject: values.words, parent: values.parent) }
        }
        let text = ModelText(
            inference.models + sentInference.models, fieldNames: options.fieldNames, coding: coded)
        roots = types.map { $0.text() + ".self" }
        rootImports = Set(types.compactMap(\.module))
        declarations = names.order.map(text.declaration)
        notes = inference.notes
        let rootPlaces = zip(paths, types).map { (path: $0, type: $1) }
        let fieldPlaces = names.order.flatMap(\.fields).map { (path: $0.path, type: $0.type) }
        addNotes(rootPlaces + fieldPlaces, inference.optionalKeys)
    }

    /// Returns the coding with which the keys of all models are read and written.
    ///
    /// It is that of the options. A new API converts keys from snake case, unless keys would become equal, or would be
    /// written in another way. Of keys that become equal with the coding of the options, only the first one can be read.
    private func chooseCoding(_ models: [InferredModel], _ options: ImportChoices) -> Coding {
        var coding = options.coding ?? Coding(keys: .convertFromSnakeCase)
        let areWritten = sentTypes.compactMap(\.self).allSatisfy { SentValues.writesKeys(of: $0, coding) }
        if options.coding == nil, !areWritten { coding = Coding() }
        for model in models {
            var keys: Set<String> = []
            let read = model.fields.filter { keys.insert(coding.modelKey($0.key)).inserted }
            if read.count == model.fields.count { continue }
            if options.coding == nil { coding = Coding() } else { model.fields = read }
        }
        return coding
    }

    /// Notes what became JSON of any kind, and what is optional only because of its name.
    private mutating func addNotes(_ places: [(path: String, type: InferredType)], _ optionalKeys: Set<String>) {
        for (path, type) in places {
            if let reason = type.reasonForJSON { notes.append("\(path): JSONValue, \(reason)") }
        }
        if optionalKeys.isEmpty { return }
        let keys = optionalKeys.sorted().joined(separator: ", ")
        notes.append("optional by their names, although every sample has them: \(keys)")
    }

    /// Returns a sample for each text of several; all are lists if one text has several documents, as in NDJSON.
    package static func samples(_ texts: [[JSONDocument]]) -> [JSONDocument] {
        let areLists = texts.contains { $0.count > 1 }
        return texts.map { all in
            let isList = !areLists || all.count == 1 && all[0].kind(of: JSONDocument.root) == .array
            return isList ? all[0] : JSONValue(all.map { JSONValue($0) }).document
        }
    }

    /// Returns the objects that queries select, of which each must select one.
    private static func objects(
        _ queries: [String], _ option: String, in documents: [JSONDocument]
    ) throws -> Set<Inference.Slot> {
        try queries.reduce(into: []) { result, text in
            let shown = "\(option) '\(TerminalText.escaped(text))'"
            guard let query = try? JSONPath(text) else { throw ImportError("\(shown) is not a query") }
            var found: Set<Inference.Slot> = []
            for document in documents {
                try query.select(in: document) { slot in
                    if document.kind(of: slot) == .object {
                        found.insert(.init(document: ObjectIdentifier(document), slot: slot))
                    }
                    return true
                }
            }
            if found.isEmpty { throw ImportError("\(shown) selects no object of the samples") }
            result.formUnion(found)
        }
    }

    /// The files of declarations.
    package static func files(_ declarations: [Declaration]) -> [(path: String, text: [UInt8])] {
        declarations.map { (SwiftNames.fileName(ofType: $0.name), (imports($0.imports) + $0.text).exactBytes) }
    }

    /// Returns `import` lines for modules and for those of declarations, with an empty line after them.
    ///
    /// - Returns: The lines; empty if there are no modules.
    package static func imports(_ modules: Set<String> = [], of declarations: [Declaration] = []) -> String {
        let modules = declarations.reduce(into: modules) { $0.formUnion($1.imports) }
        var text = modules.subtracting(["Foundation"]).sorted().map { "import \($0)\n" }.joined()
        if !text.isEmpty { text += "\n" }
        if modules.contains("Foundation") {
            text +=
                "#if canImport(FoundationEssentials)\nimport FoundationEssentials\n#else\nimport Foundation\n#endif\n\n"
        }
        return text
    }
}
