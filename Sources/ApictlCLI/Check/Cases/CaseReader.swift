import EndpointKit
import EndpointTools
import JSONText

/// The cases of a file and of the files that it includes, in the order in which they run.
struct CaseChain {
    /// The cases that must pass before those of ``cases`` run.
    var setup: [CaseStep] = []
    var cases: [CaseStep] = []
    /// The cases that run last, whatever has failed.
    var cleanup: [CaseStep] = []

    /// All cases in the order in which they run.
    var steps: [CaseStep] { setup + cases + cleanup }

    /// Adds a case at the end of a section.
    mutating func append(_ step: CaseStep, to section: DecodedCaseFile.Section) {
        switch section {
        case .setup: setup.append(step)
        case .cases: cases.append(step)
        case .cleanup: cleanup.append(step)
        }
    }
}

/// Reads the files of `check --cases` and finds the endpoints of their cases.
struct CaseReader {
    private let preparation: CheckPreparation
    /// The number of files on the command line.
    private let fileCount: Int
    private let captures = CaseCaptures()
    private var endpoints: CaseEndpoints
    /// The number of files that have been read, which is the number of the next one.
    private var readFileCount = 0
    /// Whether a case has a generated value that the seed decides.
    private(set) var hasRandomValues = false

    /// The most files of a run, those that are included again counted again: files that include several others, which
    /// do the same, could otherwise become any number of cases.
    private static let maxFiles = 1000

    /// Makes a reader of files.
    ///
    /// - Parameters:
    ///   - preparation: Resolves the calls of the cases.
    ///   - fileCount: The number of files on the command line. If there are several, names of cases start with the
    ///     file.
    init(_ preparation: CheckPreparation, fileCount: Int) {
        self.preparation = preparation
        self.fileCount = fileCount
        endpoints = CaseEndpoints(registry: preparation.context.registry)
    }

    // MARK: Files

    /// The state of reading a file with the files that it includes.
    private struct ChainReading {
        var chain = CaseChain()
        /// For each captured name, the last case so far that captures it. A later case gets its value from there.
        var owners: [String: CaseCaptures.Name] = [:]
        /// The files whose cleanup has not been read yet. The last one is cleaned up first.
        var filesToCleanUp: [DecodedCaseFile] = []
        var unknownPlaceholders: [UnknownPlaceholder] = []
    }

    /// A placeholder that stands for no value.
    private struct UnknownPlaceholder {
        let placeholder: Placeholder
        let entry: CaseEntry
        /// The names that earlier cases capture.
        let knownNames: [String]
    }

    /// Reads the next file, and those that it includes.
    ///
    /// - Parameter path: The path of the file; `-` is stdin.
    /// - Returns: The cases in the order in which they run.
    /// - Throws: ``FileError``, and ``UsageError`` with the place of what is wrong.
    mutating func chain(ofFile path: String) throws -> CaseChain {
        let file = try file(path, namePrefix: fileCount > 1, openPaths: [])
        var reading = ChainReading()
        try read(file, as: nil, &reading)
        while let file = reading.filesToCleanUp.popLast() {
            try read(file.entries(of: .cleanup), as: .cleanup, &reading)
        }
        if let error = Self.error(about: reading.unknownPlaceholders) { throw error }
        return reading.chain
    }

    /// Decodes a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file; `-` is stdin.
    ///   - namePrefix: Whether the names of its cases start with the path.
    ///   - openPaths: The paths of the files that include it, without links.
    private mutating func file(_ path: String, namePrefix: Bool, openPaths: [String]) throws -> DecodedCaseFile {
        let (bytes, name) = try preparation.context.environment.file(path)
        let document = try StrictDocument(CaseFile.self, bytes, path: name)
        if document.content.cases.isEmpty {
            throw document.error("the file has no cases", at: [.key("cases")])
        }
        let realPath = preparation.context.environment.files.realPath(path)
        let file = DecodedCaseFile(
            document: document, number: readFileCount, namePrefix: namePrefix ? name + " " : "",
            openPaths: openPaths + [realPath])
        readFileCount += 1
        return file
    }

    /// Adds the cases of a file to the chain, except for its cleanup.
    ///
    /// - Parameter section: The section for all cases of the file; nil adds each one to the section that it is in.
    private mutating func read(
        _ file: DecodedCaseFile, as section: DecodedCaseFile.Section?, _ reading: inout ChainReading
    ) throws {
        if let path = file.document.content.include {
            let place = file.document.place(at: [.key("include")])
            try read(try includedFile(path, by: file, at: place), as: section ?? .setup, &reading)
        }
        try read(file.entries(of: .setup), as: section ?? .setup, &reading)
        try read(file.entries(of: .cases), as: section ?? .cases, &reading)
        // The cleanup of a file comes before that of the files that it includes, because those ended before it.
        reading.filesToCleanUp.append(file)
    }

    /// Adds cases to a section of the chain, and in place of an `include` the cases of that file.
    private mutating func read(
        _ entries: [CaseEntry], as section: DecodedCaseFile.Section, _ reading: inout ChainReading
    ) throws {
        for entry in entries {
            try entry.checkMembers()
            if let path = entry.content.include {
                let place = entry.file.document.place(at: [.key("include")], in: entry.json)
                try read(try includedFile(path, by: entry.file, at: place), as: section, &reading)
                continue
            }
            reading.chain.append(try step(entry, &reading), to: section)
            for name in entry.captures { reading.owners[name.text] = name }
        }
    }

    /// Reads a file that another one includes.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the file that includes it.
    ///   - includingFile: The file that includes it.
    ///   - place: The place of the path in that file.
    /// - Throws: ``UsageError`` with the place if the file can't be read, or includes itself.
    private mutating func includedFile(
        _ path: String, by includingFile: DecodedCaseFile, at place: JSONPlace
    ) throws -> DecodedCaseFile {
        if path.isEmpty || path == "-" { throw place.error("expected the path of a file") }
        let directory = FilePlace.directory(of: includingFile.document.path)
        let fullPath = path.hasPrefix("/") ? path : directory + path
        let realPath = preparation.context.environment.files.realPath(fullPath)
        if includingFile.openPaths.contains(realPath) { throw place.error("\(fullPath) includes itself") }
        if readFileCount >= Self.maxFiles { throw place.error("more than \(Self.maxFiles) files are included") }
        do {
            return try file(fullPath, namePrefix: true, openPaths: includingFile.openPaths)
        } catch let error as FileError {
            throw place.error(Failure(error).message)
        }
    }

    // MARK: Cases

    /// Checks a case without sending anything, and finds its endpoint and the captured values that it needs.
    ///
    /// - Throws: ``UsageError`` with the place of what is wrong, except for placeholders without a value. They are
    ///   noted in `reading`.
    private mutating func step(_ entry: CaseEntry, _ reading: inout ChainReading) throws -> CaseStep {
        let declaration = try declaration(of: entry)
        try entry.checkExpectations()
        if entry.content.endpoint != nil, !entry.modelPaths.isEmpty, let model = endpoints.model(of: declaration) {
            try entry.checkPaths(in: model)
        }
        // A case that is skipped needs no values. It may have placeholders that are still to be replaced.
        let placeholders = entry.content.skip == nil ? entry.json.placeholders() : []
        var needed: [String: CaseCaptures.Name] = [:]
        for placeholder in placeholders {
            if GeneratedValue.isGenerated(placeholder.name) {
                try noteGeneratedValue(placeholder, entry)
            } else if let owner = reading.owners[placeholder.name] {
                needed[placeholder.name] = owner
                // A value that is sent as a credential is secret, wherever a server repeats it.
                let isCredential = endpoints.isCredential(placeholder.keys, of: declaration)
                if isCredential || Self.isCredential(placeholder, in: entry.content.url) { captures.setSecret(owner) }
            } else {
                let knownNames = reading.owners.keys.sorted()
                reading.unknownPlaceholders.append(
                    UnknownPlaceholder(placeholder: placeholder, entry: entry, knownNames: knownNames))
            }
        }
        return CaseStep(
            entry: entry, declaration: declaration, needed: needed, hasPlaceholders: !placeholders.isEmpty,
            captures: captures, preparation: preparation)
    }

    /// Notes whether a generated value depends on the seed.
    ///
    /// - Throws: ``UsageError`` with the place of a name that no generated value has.
    private mutating func noteGeneratedValue(_ placeholder: Placeholder, _ entry: CaseEntry) throws(UsageError) {
        guard let generated = GeneratedValue(placeholder.name) else {
            throw entry.error("\(placeholder.text): \(GeneratedValue.expectation)", at: placeholder.path)
        }
        if generated.isRandom { hasRandomValues = true }
    }

    /// Whether a placeholder is in the value of a query item of a URL, and the item's name is that of a credential:
    /// `https://example.com/items?token={{t}}`.
    private static func isCredential(_ placeholder: Placeholder, in url: String?) -> Bool {
        guard let query = url?.split(separator: "?", maxSplits: 1).dropFirst().first else { return false }
        return query.split(separator: "&").map(FormText.item).contains { item in
            SecretName.isCredential(item.name) && item.value?.contains(placeholder.text) == true
        }
    }

    /// The most placeholders that one message names.
    private static let maxNamedPlaceholders = 10

    /// Returns the error that placeholders have no value, at the place of the first one; nil without any.
    ///
    ///     {{id}} has no value: replace it, or capture it in an earlier case (also {{name}} at cases.json:9)
    private static func error(about unknown: [UnknownPlaceholder]) -> UsageError? {
        guard let first = unknown.first else { return nil }
        let placeholder = first.placeholder
        var problem = "\(placeholder.text) has no value: replace it, or capture it in an earlier case"
        problem += NearestWord.question(placeholder.name, in: first.knownNames)
        let others = unknown.dropFirst().prefix(maxNamedPlaceholders).map { other in
            "\(other.placeholder.text) at \(other.entry.line(of: other.placeholder.path))"
        }
        let omittedCount = unknown.count - 1 - others.count
        let omitted = omittedCount > 0 ? ["\(omittedCount) more"] : []
        if !others.isEmpty { problem += " (also \((others + omitted).joined(separator: ", ")))" }
        return first.entry.error(problem, at: placeholder.path)
    }

    /// Returns the endpoint of a case; for a URL, the one that stands for all URLs.
    ///
    /// - Throws: ``UsageError`` with the place of a name that no endpoint has.
    private mutating func declaration(of entry: CaseEntry) throws -> EndpointDeclaration {
        guard let name = entry.content.endpoint else { return try endpoints.declarationOfURLs() }
        do {
            return try endpoints.declaration(named: SourcedText(name, entry.source(.key("endpoint"))))
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
    /// The endpoint that stands for all URLs; nil until a case has a URL.
    private var urlDeclaration: EndpointDeclaration?
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

    /// Returns the endpoint that stands for all URLs.
    ///
    /// - Throws: The errors of `CatalogueAPI.declarations()`.
    mutating func declarationOfURLs() throws -> EndpointDeclaration {
        if let urlDeclaration { return urlDeclaration }
        let declaration = try CatalogueAPI(CalledURLAPI.self).declarations()[0]
        urlDeclaration = declaration
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
