import EndpointKit
import EndpointTools
import JSONText

/// Reads the files of `check --cases` and finds the endpoints of their cases.
struct CaseReader {
    private let preparation: CheckPreparation
    /// The number of files of the run.
    private let fileCount: Int
    private let captures = CaseCaptures()
    private var endpoints: CaseEndpoints
    /// The number of files that have been read, which is the number of the next one.
    private var readFileCount = 0

    /// Makes a reader of files.
    ///
    /// - Parameters:
    ///   - preparation: Resolves the calls of the cases.
    ///   - fileCount: The number of files that will be read. If there are several, names of cases start with the file.
    init(_ preparation: CheckPreparation, fileCount: Int) {
        self.preparation = preparation
        self.fileCount = fileCount
        endpoints = CaseEndpoints(registry: preparation.context.registry)
    }

    /// Reads the next file.
    ///
    /// - Parameter path: The path of the file; `-` is stdin.
    /// - Returns: The cases in the order of the file.
    /// - Throws: ``FileError``, and ``UsageError`` with the place of what is wrong.
    mutating func steps(ofFile path: String) throws -> [CaseStep] {
        let (bytes, name) = try preparation.context.environment.file(path)
        let document = try StrictDocument(CaseFile.self, bytes, path: name)
        if document.content.cases.isEmpty {
            throw document.error("the file has no cases", at: [.key("cases")])
        }
        let prefix = fileCount > 1 ? document.path + " " : ""
        let file = DecodedCaseFile(document: document, number: readFileCount, namePrefix: prefix)
        readFileCount += 1
        // For each captured name, the last case so far that captures it. A later case gets its value from there.
        var owners: [String: CaseCaptures.Name] = [:]
        return try file.entries.map { entry in
            let step = try step(entry, owners)
            for name in entry.captures { owners[name.text] = name }
            return step
        }
    }

    /// Checks a case without sending anything, and finds its endpoint and the captured values that it needs.
    ///
    /// - Parameters:
    ///   - entry: The case.
    ///   - owners: For each name, the earlier case that captures its value.
    /// - Throws: ``UsageError`` with the place of what is wrong.
    private mutating func step(_ entry: CaseEntry, _ owners: [String: CaseCaptures.Name]) throws -> CaseStep {
        let declaration = try declaration(of: entry)
        try entry.checkExpectations()
        if !entry.modelPaths.isEmpty, let model = endpoints.model(of: declaration) {
            try entry.checkPaths(in: model)
        }
        var needed: [String: CaseCaptures.Name] = [:]
        for placeholder in entry.json.placeholders() {
            guard let owner = owners[placeholder.name] else {
                throw entry.error("no earlier case captures '\(placeholder.name)'", at: placeholder.path)
            }
            needed[placeholder.name] = owner
            // A value that is sent as a credential is secret, wherever a server repeats it.
            if endpoints.isCredential(placeholder.keys, of: declaration) { captures.setSecret(owner) }
        }
        return CaseStep(
            entry: entry, declaration: declaration, needed: needed, captures: captures, preparation: preparation)
    }

    /// Returns the endpoint of a case.
    ///
    /// - Throws: ``UsageError`` with the place of a name that no endpoint has.
    private mutating func declaration(of entry: CaseEntry) throws -> EndpointDeclaration {
        let source = entry.source(.key("endpoint"))
        do {
            return try endpoints.declaration(named: SourcedText(entry.content.endpoint, source))
        } catch let error as UsageError {
            throw entry.error(error.problem, at: [.key("endpoint")])
        }
    }
}

/// The endpoints that cases call. Each one is examined once, because many cases may call it.
private struct CaseEndpoints {
    let registry: APIRegistry
    /// The endpoints by the names that cases use.
    private var declarations: [String: EndpointDeclaration] = [:]
    /// The names of the parameters that are credentials, by the names of endpoints.
    private var credentialParameters: [String: Set<String>] = [:]
    /// The response models by the names of endpoints; nil for an endpoint whose model is not known.
    private var models: [String: SelectableModel?] = [:]

    init(registry: APIRegistry) { self.registry = registry }

    /// Returns the endpoint of that name.
    ///
    /// - Throws: ``UsageError`` if there is none.
    mutating func declaration(named name: SourcedText) throws -> EndpointDeclaration {
        if let known = declarations[name.text] { return known }
        let declaration = try registry.endpoint(name)
        declarations[name.text] = declaration
        return declaration
    }

    /// Whether the value at a place in a case is sent as a credential.
    ///
    /// - Parameters:
    ///   - keys: The keys that lead to the value, such as `arguments` and `token`.
    ///   - declaration: The endpoint of the case.
    mutating func isCredential(_ keys: [String], of declaration: EndpointDeclaration) -> Bool {
        guard keys.count > 1, let name = keys.last else { return false }
        if SecretName.isCredential(name) { return true }
        let credentials = declaration.api.requestBuilder.allCredentials(of: declaration.endpoint)
        let schemes = credentials.flatMap(\.alternatives)
        // The first key says what the member of the case is. Each kind has its own way to be a credential.
        switch keys[0] {
        case "arguments":
            // A name that is not that of a parameter is reported elsewhere.
            guard let parameter = try? declaration.parameter(named: keys[1]) else { return false }
            return credentialParameters(of: declaration).contains(parameter.name)
        case "headers": return schemes.contains { $0.sets(header: name) }
        case "query": return schemes.contains { $0.sets(query: name) }
        default: return false
        }
    }

    /// Returns the names of the parameters that are credentials. They are kept, because finding them takes long:
    /// requests with different values must be built.
    private mutating func credentialParameters(of declaration: EndpointDeclaration) -> Set<String> {
        if let known = credentialParameters[declaration.name] { return known }
        let credentials = ParameterPlaces(of: declaration).credentials
        credentialParameters[declaration.name] = credentials
        return credentials
    }

    /// Returns the response model of an endpoint; nil if it is not known. It is learned by decoding, which takes long.
    mutating func model(of declaration: EndpointDeclaration) -> SelectableModel? {
        if let known = models[declaration.name] { return known }
        let model = SelectableModel(declaration, declaration.endpoint)
        models[declaration.name] = .some(model)
        return model
    }
}
