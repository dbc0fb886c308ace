import EndpointKit
import JSONText
import OpenAPI

/// The content of an OpenAPI document in the form in which it is declared in Swift.
///
/// It has enums with operations, models, servers and credentials, all with their final names.
struct DocumentDescription {
    /// The name on the command line, before those of the enums.
    let name: String
    /// The name of the namespace.
    let type: String
    /// The title of the document; empty if it has none.
    let title: String
    /// The version of the API; empty if the document does not say it.
    let version: String
    let servers: DeclaredServers
    /// The URL of the document, against which relative URLs of servers are resolved; nil if it is a file.
    let documentURL: String?
    /// The credentials that the enums share.
    let credentials: [Credential]
    /// The operations in groups, with the names of enums and cases.
    let groups: [OperationGroup]
    /// The descriptions of tags by the words of the tags.
    let tagSummaries: [[String]: String]
    /// The models that requests and responses are made of.
    let models: DocumentModels
    let secrets: ImportSecrets
    /// The parts that became `JSONValue`, with their reasons and places in the document.
    let loose: [(pointer: String, reason: String)]
    /// Remarks about parts that are left out.
    private(set) var notes: [String] = []

    /// The most operations that a note names.
    private static let maxNamedOperations = 5
    /// The most notes about parts that can't be read.
    private static let maxProblems = 20

    /// Reads the operations of a document, and names everything that is generated for them.
    ///
    /// There are three steps, because a name may depend on what was read before:
    ///
    /// 1. Operations are grouped, and enums and cases get their names.
    /// 2. Parameters, bodies and responses are read. Models without a name in the document are named after the cases.
    /// 3. Models get their final names, when it is known which of them are used.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - source: The path of the document, or its URL.
    ///   - choices: The names that people chose, and the operations that are imported.
    /// - Throws: ``ImportError`` if the document has no operation that can be read.
    init(_ document: OpenAPIDocument, source: String, _ choices: ImportChoices) throws {
        let info = document.info
        let documentName = DocumentName(chosen: choices.api, title: info.title)
        var typeNames = NameTable(SwiftNames.typesInUse.union(choices.taken))
        name = documentName.name
        type = typeNames.unique(documentName.type)
        title = DocumentText.title(info.title, maxLength: 60)
        version = DocumentText.title(info.version, maxLength: 40)
        documentURL = source.contains("://") ? source : nil
        servers = DeclaredServers(document.servers.parts, documentURL: documentURL)
        tagSummaries = Self.summarizeTags(of: document)
        secrets = ImportSecrets(api: name)

        let summaries = document.operations()
        var operations = try Self.makeOperations(summaries, of: document, source: source)
        let unknownSchemes = Self.readCredentials(of: &operations, document, api: name)
        var options = choices
        options.type = type
        // The types are nested in the namespace `type`, so they may have the names of types outside of it.
        options.taken = []
        var groups = OperationGroup.groups(operations)
        Self.nameGroups(&groups, besideSchemasOf: document, namespace: type, &options)
        Self.keepChosen(&groups, api: name, options)

        var reader = OperationReader(document, secrets: secrets)
        reader.read(&groups)
        models = DocumentModels(of: &groups, pool: &reader.types.pool, options)
        self.groups = groups
        credentials = Self.sharedCredentials(groups.flatMap(\.operations), document, api: name)
        loose = reader.types.loose
        let errors = summaries.errors + document.servers.errors + document.securitySchemes.errors
        addNotes(onErrors: errors, reader: reader, unknownSchemes: unknownSchemes)
    }

    /// Returns the operations of a document. Only their methods, paths, tags and servers have been read.
    ///
    /// - Parameters:
    ///   - summaries: The operations, with the errors of those that can't be read.
    ///   - document: The document that describes the operations.
    ///   - source: The path of the document, or its URL, for the error.
    /// - Throws: ``ImportError`` if no operation can be read.
    private static func makeOperations(
        _ summaries: ReadParts<OperationSummary>, of document: OpenAPIDocument, source: String
    ) throws -> [ImportedOperation] {
        guard !summaries.parts.isEmpty else {
            // If there are operations that can't be read, the first error says why.
            throw ImportError(summaries.errors.first?.description ?? "\(source): there is no operation in 'paths'")
        }
        let servers = document.servers.parts
        return summaries.parts.map { ImportedOperation(document.operation($0), documentServers: servers) }
    }

    // MARK: Notes

    /// Adds the notes about everything in the document that is left out.
    ///
    /// - Parameters:
    ///   - errors: The errors of parts that belong to no operation.
    ///   - reader: The reader of the operations, with the problems that it has found.
    ///   - unknownSchemes: The names of security schemes that the document does not describe.
    private mutating func addNotes(
        onErrors errors: [OpenAPIError], reader: OperationReader, unknownSchemes: [String]
    ) {
        notes += [servers.note].compactMap(\.self)
        noteProblems(errors.map(\.description) + reader.problems + reader.types.problems)
        if !unknownSchemes.isEmpty {
            notes.append("credentials that are unknown, and not sent: \(unknownSchemes.joined(separator: ", "))")
        }
        noteExamples(reader.contradictedOperations)
    }

    /// Adds a note about each part that can't be read. Equal problems have one note.
    private mutating func noteProblems(_ problems: [String]) {
        let distinctProblems = problems.withoutRepetitions
        notes += distinctProblems.prefix(Self.maxProblems).map { "not read: \($0)" }
        let remainingCount = distinctProblems.count - Self.maxProblems
        if remainingCount > 0 { notes.append("not read: \(remainingCount) further parts") }
    }

    /// Adds a note about the examples that are left out because they contradict their schemas.
    ///
    /// - Parameter operations: The operations with these examples, such as `GET /pets`.
    private mutating func noteExamples(_ operations: [String]) {
        let distinctOperations = operations.withoutRepetitions
        let count = distinctOperations.count
        if count == 0 { return }
        let firstOperations = distinctOperations.prefix(Self.maxNamedOperations).joined(separator: ", ")
        let ellipsis = count > Self.maxNamedOperations ? ", …" : ""
        notes.append(
            "examples that contradict their schemas, and are left out: \(count) (\(firstOperations)\(ellipsis))")
    }

    // MARK: Credentials

    /// Sets the credentials that each operation needs: those of its security requirements, and those that the document
    /// declares as parameters.
    ///
    /// - Parameters:
    ///   - operations: The operations, which get their credentials and lose the parameters for them.
    ///   - document: The document with the security schemes.
    ///   - api: The name of the API, with which the names of variables begin.
    /// - Returns: The names of security schemes that the document does not describe.
    private static func readCredentials(
        of operations: inout [ImportedOperation], _ document: OpenAPIDocument, api: String
    ) -> [String] {
        let schemes = DocumentCredentials(document, api: api)
        var unknownSchemes: [String] = []
        // Most operations have the same requirements, whose credentials are remembered.
        var credentialsByRequirements: [[SecurityRequirement]: OperationCredentials] = [:]
        for index in operations.indices {
            let requirements = operations[index].object.security.parts
            let result = credentialsByRequirements[requirements] ?? schemes.credentials(of: requirements)
            credentialsByRequirements[requirements] = result
            operations[index].credentials = result.credentials
            unknownSchemes += result.unknownSchemes
        }
        let credentialParameters = CredentialParameters(of: operations, document, api: api)
        for index in operations.indices { credentialParameters.replaceParameters(of: &operations[index]) }
        let distinctSchemes = unknownSchemes.withoutRepetitions
        // The names are for a note, which must not have a secret.
        return distinctSchemes.map { SecretRules.redacted($0) }
    }

    /// Returns the credentials that the namespace declares once for all enums.
    ///
    /// If all operations need the same credentials, those are shared. Otherwise the shared ones are those that the
    /// document declares for operations without security requirements of their own.
    private static func sharedCredentials(
        _ operations: [ImportedOperation], _ document: OpenAPIDocument, api: String
    ) -> [Credential] {
        if let first = operations.first, operations.allSatisfy({ $0.credentials == first.credentials }) {
            return first.credentials
        }
        return DocumentCredentials(document, api: api).credentials(of: document.security.parts).credentials
    }

    // MARK: Names

    /// Gives names to the enums of groups and to their cases.
    ///
    /// An enum does not get the name of a schema: the enum for the tag `pet` is `Pets` beside the schema `Pet`.
    ///
    /// - Parameters:
    ///   - groups: The groups, which get the names.
    ///   - document: The document with the schemas.
    ///   - namespace: The name of the type around the enums.
    ///   - options: The names that people chose. The names of the enums are added to those that are taken.
    private static func nameGroups(
        _ groups: inout [OperationGroup], besideSchemasOf document: OpenAPIDocument, namespace: String,
        _ options: inout ImportChoices
    ) {
        var typeNames = NameTable(SwiftNames.typesInUse.union([namespace]))
        for schemaName in document.schemaNames { typeNames.take(SwiftNames.typeName(SwiftNames.words(schemaName))) }
        for index in groups.indices {
            let name = SwiftNames.typeName(groups[index].words)
            let alternativeName = name.hasSuffix("s") ? name + "API" : name + "s"
            let freeName = [name, alternativeName].first { !typeNames.contains($0) }
            // If both names are taken, the enum is called `PetAPI`, and `PetAPI2` if that is taken too.
            groups[index].type = typeNames.unique(freeName ?? name + "API")
            groups[index].nameCases(options)
        }
        options.taken.formUnion(groups.map(\.type))
    }

    /// Removes the operations that people did not choose, and the groups without any operation left.
    ///
    /// An operation can be chosen by `GET /pets`, its path, its name on the command line, its identifier or its tag.
    ///
    /// - Parameters:
    ///   - groups: The groups with all operations of the document.
    ///   - api: The name of the API on the command line.
    ///   - choices: The operations that people chose.
    private static func keepChosen(_ groups: inout [OperationGroup], api: String, _ choices: ImportChoices) {
        guard let isKept = choices.isKept else { return }
        for index in groups.indices {
            let enumName = "\(api).\(groups[index].name)"
            groups[index].operations.removeAll { operation in
                var names = [operation.key, operation.path, "\(enumName).\(KebabCase.text(operation.name))"]
                if let id = operation.id { names.append(id) }
                names += operation.object.summary.tags.map { "tag:" + $0 }
                return !isKept(names)
            }
        }
        groups.removeAll(where: \.operations.isEmpty)
    }

    /// Returns the descriptions of the document's tags on one line, by the words of the tags.
    private static func summarizeTags(of document: OpenAPIDocument) -> [[String]: String] {
        let wordsWithSummaries = document.tags.map { tag in
            (SwiftNames.words(tag.name), DocumentText.summary(tag.summary, maxLength: 80))
        }
        return Dictionary(wordsWithSummaries) { first, _ in first }
    }
}
