import EndpointKit
import EndpointTools
import JSONText

/// Reads the files of `check --cases`, and finds the endpoints and the captured values that their cases need.
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

    /// The most files of a run, where a file that is included twice counts twice. Without a limit, a few files that
    /// include each other several times could become any number of cases.
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

    /// The chain of cases that is being read from a file of the command line and the files that it includes.
    private struct UnfinishedChain {
        var chain = CaseChain()
        /// For each captured name, the last case so far that captures it. A later case gets its value from there.
        var lastCaptures: [String: CaseCaptures.Name] = [:]
        /// The files whose cleanup has not been read yet. The last one is cleaned up first.
        var filesToCleanUp: [DecodedCaseFile] = []
        var unknownPlaceholders: [UnknownPlaceholder] = []
    }

    /// Reads a file of `check --cases` and the files that it includes. All of them make one chain of cases.
    ///
    /// A chain has the cases in the order in which they run: all setup, then the cases themselves, then all cleanup.
    ///
    /// - Parameter path: The path of the file; `-` is stdin.
    /// - Throws: ``FileError``, and ``UsageError`` with the place of what is wrong. Placeholders such as `{{id}}` that
    ///   have no value are reported last, all in one error.
    mutating func readChain(fromFile path: String) throws -> CaseChain {
        // With several files on the command line, the name of a case also says which file it is from.
        let namesStartWithPath = fileCount > 1
        let mainFile = try decodeFile(at: path, prefixesNames: namesStartWithPath, includedBy: [])
        var unfinishedChain = UnfinishedChain()
        try appendCases(of: mainFile, allTo: nil, in: &unfinishedChain)
        // The file that was added last cleans up first, because it may need what earlier files have set up. A cleanup
        // may itself include files, which are then cleaned up next.
        while let file = unfinishedChain.filesToCleanUp.popLast() {
            try appendEntries(file.entries(of: .cleanup), to: .cleanup, in: &unfinishedChain)
        }
        if let error = UnknownPlaceholder.error(about: unfinishedChain.unknownPlaceholders) { throw error }
        return unfinishedChain.chain
    }

    /// Reads and decodes a file, and gives it the next number in the run.
    ///
    /// - Parameters:
    ///   - path: The path of the file; `-` is stdin.
    ///   - prefixesNames: Whether the names of its cases start with the path.
    ///   - includingPaths: The paths of the files that include it, without symbolic links.
    /// - Throws: ``FileError``, and ``UsageError`` with the place of what is wrong in the file.
    private mutating func decodeFile(
        at path: String, prefixesNames: Bool, includedBy includingPaths: [String]
    ) throws -> DecodedCaseFile {
        let (bytes, shownPath) = try preparation.context.environment.readFile(path)
        let document = try StrictDocument(CaseFile.self, bytes, path: shownPath)
        if document.content.cases.isEmpty {
            throw document.error("the file has no cases", at: [.key("cases")])
        }
        let realPath = preparation.context.environment.files.realPath(path)
        let namePrefix = prefixesNames ? shownPath + " " : ""
        let fileNumber = readFileCount
        readFileCount += 1
        return DecodedCaseFile(
            document: document, number: fileNumber, namePrefix: namePrefix, includePaths: includingPaths + [realPath])
    }

    /// Adds the cases of a file to a chain: those of its sections setup and cases. Its cleanup is noted in the
    /// unfinished chain for later.
    ///
    /// A file may name another one in `include` at its top. The cases of that file come first, as a part of the setup.
    ///
    /// - Parameters:
    ///   - file: The file, decoded.
    ///   - commonSection: The section of the chain for all cases of a file that another one includes. Nil adds each
    ///     case to the section that it has in the file.
    ///   - unfinishedChain: The chain, which is extended.
    private mutating func appendCases(
        of file: DecodedCaseFile, allTo commonSection: DecodedCaseFile.Section?,
        in unfinishedChain: inout UnfinishedChain
    ) throws {
        if let path = file.document.content.include {
            let includePlace = file.document.place(at: [.key("include")])
            let includedFile = try decodeFile(included: path, by: file, at: includePlace)
            try appendCases(of: includedFile, allTo: commonSection ?? .setup, in: &unfinishedChain)
        }
        try appendEntries(file.entries(of: .setup), to: commonSection ?? .setup, in: &unfinishedChain)
        try appendEntries(file.entries(of: .cases), to: commonSection ?? .cases, in: &unfinishedChain)
        // The cleanup of a file comes before the cleanup of the files that it includes, because it may need what they
        // have set up.
        unfinishedChain.filesToCleanUp.append(file)
    }

    /// Adds cases to a section of a chain: setup, cases or cleanup. Notes in the unfinished chain which values they
    /// capture, for the cases that follow.
    ///
    /// In place of a case with `include`, the cases of the included file are added.
    private mutating func appendEntries(
        _ entries: [CaseEntry], to section: DecodedCaseFile.Section, in unfinishedChain: inout UnfinishedChain
    ) throws {
        for entry in entries {
            try entry.checkMembers()
            if let path = entry.content.include {
                let includePlace = entry.place(at: [.key("include")])
                let includedFile = try decodeFile(included: path, by: entry.file, at: includePlace)
                try appendCases(of: includedFile, allTo: section, in: &unfinishedChain)
            } else {
                unfinishedChain.chain.append(try link(entry, in: &unfinishedChain), to: section)
                for name in entry.captures { unfinishedChain.lastCaptures[name.text] = name }
            }
        }
    }

    /// Reads and decodes a file that another one includes, and gives it the next number.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the file that includes it.
    ///   - includingFile: The file that includes it.
    ///   - place: The place of the path in that file.
    /// - Throws: ``UsageError`` with the place if the file can't be read, or includes itself.
    private mutating func decodeFile(
        included path: String, by includingFile: DecodedCaseFile, at place: JSONPlace
    ) throws -> DecodedCaseFile {
        if path.isEmpty || path == "-" { throw place.error("expected the path of a file") }
        let directory = FilePlace.directory(of: includingFile.document.path)
        let fullPath = path.hasPrefix("/") ? path : directory + path
        let realPath = preparation.context.environment.files.realPath(fullPath)
        if includingFile.includePaths.contains(realPath) { throw place.error("\(fullPath) includes itself") }
        if readFileCount >= Self.maxFiles { throw place.error("more than \(Self.maxFiles) files are included") }
        do {
            return try decodeFile(at: fullPath, prefixesNames: true, includedBy: includingFile.includePaths)
        } catch let error as FileError {
            throw place.error(Failure(error).message)
        }
    }

    // MARK: Cases

    /// Checks a case without sending anything, and finds its endpoint and the captured values that it needs.
    ///
    /// - Parameters:
    ///   - entry: The case.
    ///   - unfinishedChain: The chain of the cases before this one. Placeholders without a value are noted in it.
    /// - Throws: ``UsageError`` with the place of what is wrong, except for placeholders without a value.
    private mutating func link(_ entry: CaseEntry, in unfinishedChain: inout UnfinishedChain) throws -> LinkedCase {
        let declaration = try findDeclaration(of: entry)
        try entry.checkExpectations()
        // A URL has no model. The model of an endpoint takes long to learn, so it is learned only for paths to check.
        let hasModelPaths = entry.content.endpoint != nil && !entry.modelPaths.isEmpty
        if hasModelPaths, let model = endpoints.model(of: declaration) { try entry.checkModelPaths(in: model) }
        // A case that is skipped needs no values. It may have placeholders that are still to be replaced.
        let isSkipped = entry.content.skip != nil
        let placeholders = isSkipped ? [] : entry.json.placeholders()
        let neededCaptures = try linkCaptures(
            of: placeholders, in: entry, of: declaration, unfinishedChain: &unfinishedChain)
        return LinkedCase(
            entry: entry, declaration: declaration, neededCaptures: neededCaptures,
            hasPlaceholders: !placeholders.isEmpty, captures: captures, preparation: preparation)
    }

    /// Finds the earlier cases that capture the values for the placeholders of a case, such as `{{id}}`.
    ///
    /// A placeholder such as `{{$uuid}}` is a generated value, which no case captures. If one of them is random, the
    /// run needs its seed. A placeholder whose value no earlier case captures is noted in the unfinished chain. A
    /// captured value that the case sends as a credential is marked as secret.
    ///
    /// - Returns: The captures, by the names of the placeholders.
    /// - Throws: ``UsageError`` with the place of a name, such as `$uid`, that no generated value has.
    private mutating func linkCaptures(
        of placeholders: [Placeholder], in entry: CaseEntry, of declaration: EndpointDeclaration,
        unfinishedChain: inout UnfinishedChain
    ) throws -> [String: CaseCaptures.Name] {
        var neededCaptures: [String: CaseCaptures.Name] = [:]
        for placeholder in placeholders {
            if GeneratedValue.isGenerated(placeholder.name) {
                let generatedValue = try generatedValue(of: placeholder, in: entry)
                if generatedValue.isRandom { hasRandomValues = true }
            } else if let capture = unfinishedChain.lastCaptures[placeholder.name] {
                neededCaptures[placeholder.name] = capture
                // A value that is sent as a credential is secret, wherever a server repeats it.
                if isCredential(placeholder, in: entry, of: declaration) { captures.markAsSecret(capture) }
            } else {
                let earlierNames = unfinishedChain.lastCaptures.keys.sorted()
                unfinishedChain.unknownPlaceholders.append(
                    UnknownPlaceholder(placeholder: placeholder, entry: entry, earlierNames: earlierNames))
            }
        }
        return neededCaptures
    }

    /// Returns the generated value that a placeholder stands for.
    ///
    /// - Throws: ``UsageError`` with the place of a name that no generated value has.
    private func generatedValue(
        of placeholder: Placeholder, in entry: CaseEntry
    ) throws(UsageError) -> GeneratedValue {
        if let value = GeneratedValue(placeholder.name) { return value }
        throw entry.error("\(placeholder.text): \(GeneratedValue.expectation)", at: placeholder.path)
    }

    /// Whether the value of a placeholder is sent as a credential, as a member of the case or in its URL.
    private mutating func isCredential(
        _ placeholder: Placeholder, in entry: CaseEntry, of declaration: EndpointDeclaration
    ) -> Bool {
        if endpoints.isCredential(at: placeholder.keys, of: declaration) { return true }
        guard let url = entry.content.url else { return false }
        return Self.isCredential(placeholder, inQueryOf: url)
    }

    /// Whether a placeholder is the value of a query item, or a part of it, and the item has the name of a credential.
    ///
    ///     https://example.com/items?token={{t}}   →   true for {{t}}
    private static func isCredential(_ placeholder: Placeholder, inQueryOf url: String) -> Bool {
        let urlParts = url.split(separator: "?", maxSplits: 1)
        guard urlParts.count == 2 else { return false }
        return urlParts[1].split(separator: "&").map(FormText.item).contains { item in
            SecretName.isCredential(item.name) && item.value?.contains(placeholder.text) == true
        }
    }

    /// Finds the endpoint of a case; for a URL, the one that stands for all URLs.
    ///
    /// - Throws: ``UsageError`` with the place of a name that no endpoint has.
    private mutating func findDeclaration(of entry: CaseEntry) throws -> EndpointDeclaration {
        guard let name = entry.content.endpoint else { return try endpoints.declarationOfURLs() }
        do {
            return try endpoints.declaration(named: SourcedText(name, entry.source(.key("endpoint"))))
        } catch let error as UsageError {
            throw entry.error(error.problem, at: [.key("endpoint")])
        }
    }
}

/// A placeholder that stands for no value, because no earlier case captures one.
private struct UnknownPlaceholder {
    let placeholder: Placeholder
    /// The case with the placeholder.
    let entry: CaseEntry
    /// The names that earlier cases capture, one of which may be meant.
    let earlierNames: [String]

    /// The most placeholders that one message names beside the first one.
    private static let maxNamedPlaceholders = 10

    /// Returns the error that placeholders have no value; nil if there are no such placeholders.
    ///
    ///     {{id}} has no value: replace it, or capture it in an earlier case (also {{name}} at cases.json:9)
    ///
    /// One error is about all of them, because a file that `--init` has printed may have many to be replaced. The error
    /// has the place of the first one, and names only some of the others.
    static func error(about unknownPlaceholders: [UnknownPlaceholder]) -> UsageError? {
        guard let first = unknownPlaceholders.first else { return nil }
        var problem = "\(first.placeholder.text) has no value: replace it, or capture it in an earlier case"
        problem += NearestWord.question(first.placeholder.name, in: first.earlierNames)
        let others = unknownPlaceholders.dropFirst()
        var otherTexts = others.prefix(maxNamedPlaceholders).map { other in
            "\(other.placeholder.text) at \(other.entry.line(of: other.placeholder.path))"
        }
        let omittedCount = others.count - otherTexts.count
        if omittedCount > 0 { otherTexts.append("\(omittedCount) more") }
        if !otherTexts.isEmpty { problem += " (also \(otherTexts.joined(separator: ", ")))" }
        return first.entry.error(problem, at: first.placeholder.path)
    }
}
