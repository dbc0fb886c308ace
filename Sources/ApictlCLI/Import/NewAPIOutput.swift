import APIImport
import EndpointKit
import JSONText

/// The API that is made of requests: as text on stdout, as a new file, or as files of a directory.
///
/// A *scaffold* is the Swift source of such an API: an enum with its endpoints, and the models of the responses.
extension ImportOutput {
    /// Makes an API of requests, and adds it to the output.
    ///
    /// | `--into` | Result |
    /// |---|---|
    /// | a directory | files in the directory |
    /// | a Swift file that exists | further endpoints of the API in the file |
    /// | a Swift file that does not exist | the file |
    /// | none | text on stdout |
    ///
    /// - Parameters:
    ///   - requests: The requests with their responses.
    ///   - isOneEndpoint: Whether the requests call one endpoint with different parameters, as for `import json`.
    mutating func addAPI(of requests: [ImportedRequest], isOneEndpoint: Bool) throws {
        var choices = try options.makeChoices(context.environment)
        choices.isOneEndpoint = isOneEndpoint
        // New types must have other names than the types of the target.
        choices.taken = findTarget()?.takenTypeNames ?? []
        if let directory {
            try addDirectory(directory, with: requests, choices: choices)
        } else if let file = options.into {
            if let source = try content(of: file) {
                let existingFile = ExistingFile(path: file, source: String(exactBytes: source))
                try insertEndpoints(of: requests, into: existingFile, newAPIChoices: choices)
            } else {
                try addNewFile(at: file, with: requests, choices: choices)
            }
        } else {
            text += try makeScaffold(of: requests, choices: choices).text(withModels: true)
        }
    }

    /// Adds a file with the API of requests and its models, and registers the API in `Catalogue.swift`.
    private mutating func addNewFile(
        at file: String, with requests: [ImportedRequest], choices: ImportChoices
    ) throws {
        let scaffold = try makeScaffold(of: requests, choices: choices)
        try refuseExistingAPI(scaffold, except: [])
        try addFile(at: file, content: scaffold.text(withModels: true).exactBytes)
        try register(.api(scaffold.type))
    }

    /// Adds the API of requests as files of a directory, with its samples, and registers it in `Catalogue.swift`.
    ///
    /// The directory may hold an earlier import of the same API, whose files are replaced.
    ///
    /// - Throws: ``UsageError`` if the new files can't be in the directory together with those of other APIs.
    private mutating func addDirectory(
        _ directory: String, with requests: [ImportedRequest], choices originalChoices: ImportChoices
    ) throws {
        let existingTypes = DirectoryTypes(in: directory, files)
        let target = findTarget()
        let samplesDirectory = target?.samplesDirectory ?? directory + "/Samples/"
        var choices = originalChoices
        choices.keepsSamples = true
        let apiName = Scaffold.name(of: requests, choices)
        choices.taken.formUnion(existingTypes.typesNeeded(byAPIsOtherThan: apiName))
        // All samples of a target share one directory.
        choices.sampleFiles = Set(files.names(in: samplesDirectory))
        let scaffold = try makeScaffold(of: requests, choices: choices)
        let newFiles = [scaffold.file] + scaffold.modelFiles
        try refuseExistingAPI(scaffold, except: existingTypes.apiNames)
        try existingTypes.refuseConflicts(with: newFiles.map { (path: "\(directory)/\($0.path)", text: $0.text) })
        try addFiles(newFiles, in: directory + "/")
        try addSamples(of: scaffold, in: samplesDirectory)
        let areFirstSamples = choices.sampleFiles.isEmpty && !scaffold.sampleFiles.isEmpty
        if areFirstSamples {
            let resource = SamplesResource(samplesDirectory, of: target?.path)
            summary.manualSteps.append("still to add, in Package.swift, \(resource.text)")
        }
        try register(.api(scaffold.type))
    }

    /// Makes the source of an API from requests, and describes the API in the summary.
    ///
    /// - Throws: ``UsageError`` if `--only` and `--skip` leave no request, and the errors of making models.
    mutating func makeScaffold(of requests: [ImportedRequest], choices: ImportChoices) throws -> Scaffold {
        let scaffold = try Scaffold(requests, choices)
        // The command to try next should change no data, if there is such an endpoint.
        let safeEndpoint = scaffold.endpoints.first(where: \.isSafe)
        guard let endpointToTry = safeEndpoint ?? scaffold.endpoints.first else {
            throw UsageError("no request matches --only and --skip")
        }
        summarize(scaffold)
        summary.next = "swift run \(context.tool) call \(Self.shellText(of: endpointToTry.callWords))"
        return scaffold
    }

    /// Describes an API that was made of requests in the summary.
    private mutating func summarize(_ scaffold: Scaffold) {
        summary.api = scaffold.name
        summary.variables = scaffold.variables
        if !scaffold.omittedHeaders.isEmpty {
            summary.notes.append("headers left out: " + scaffold.omittedHeaders.sorted().joined(separator: ", "))
        }
        summary.notes += scaffold.notes
        summary.endpoints = scaffold.endpoints.map { endpoint in
            JSONValue([
                ("name", JSONValue("\(scaffold.name).\(KebabCase.text(endpoint.name))")),
                ("method", JSONValue(endpoint.method)), ("path", JSONValue(endpoint.template)),
            ])
        }
        summarize(endpoints: scaffold.endpoints, looseEndpoints: scaffold.looseEndpoints, models: scaffold.models)
    }

    /// Returns words of a command line, quoted for a shell: `--key "$SHOP_KEY" --name 'two words'`.
    ///
    /// A secret in a word is a variable of the shell. It stands in double quotes, because the shell does not replace
    /// variables in single quotes.
    private static func shellText(of words: [String]) -> String {
        let quotedWords = words.map { word in
            let pieces = ImportedRequest.pieces(word)
            let hasVariables = pieces.contains(where: \.isVariable)
            if !hasVariables { return ShellWord.quoted(word) }
            let quotedPieces = pieces.map { text, isVariable in
                if isVariable { return "\"$\(text)\"" }
                return text.isEmpty ? "" : ShellWord.quoted(text)
            }
            return quotedPieces.joined()
        }
        return quotedWords.joined(separator: " ")
    }

    /// Checks that no other API has the name of a new one. With `--force`, nothing is checked.
    ///
    /// - Parameters:
    ///   - scaffold: The new API.
    ///   - replaceable: The names of the APIs that are where the new one is written. They may be replaced.
    /// - Throws: ``UsageError`` if another API has the name.
    private func refuseExistingAPI(_ scaffold: Scaffold, except replaceable: Set<String>) throws(UsageError) {
        let hint = "--into FILE.swift adds to it, "
        try refuseExistingNames([scaffold.name], except: replaceable, hint: hint)
        // The enum may be in the list of `Catalogue.swift`, although no file with it was found.
        let isListed = findTarget()?.lists(.api(scaffold.type)) ?? false
        if isListed, !replaceable.contains(scaffold.name), !options.force {
            throw existingNameError(scaffold.name, hint: hint)
        }
    }

    /// Adds the samples of an API as files of a directory, which ends with a slash.
    mutating func addSamples(of scaffold: Scaffold, in directory: String) throws {
        let samples = scaffold.sampleFiles
        if samples.isEmpty { return }
        summary.hasSamples = true
        for (file, text) in samples { try addFile(at: directory + file, content: text) }
    }
}
