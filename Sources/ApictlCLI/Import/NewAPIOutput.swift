import APIImport
import EndpointKit
import JSONText

/// The API that is made of requests: as text on stdout, as a new file, or as files of a directory.
extension ImportOutput {
    /// Adds the API of requests. If `--into` names an existing file, its API gets the endpoints.
    ///
    /// - Parameters:
    ///   - requests: The requests with their responses.
    ///   - isOneEndpoint: Whether the requests call one endpoint with different parameters, as for `import json`.
    mutating func add(_ requests: [ImportedRequest], isOneEndpoint: Bool) throws {
        var choices = try options.choices(context.environment)
        choices.isOneEndpoint = isOneEndpoint
        // New types must have other names than the types of the target.
        choices.taken = target?.names ?? []
        if let directory { return try add(requests, choices, inDirectory: directory) }
        guard let file = options.into else {
            text += try scaffold(requests, choices).text(withModels: true)
            return
        }
        if let source = try content(file) { return try insert(requests, &choices, file, String(exactBytes: source)) }
        let scaffold = try scaffold(requests, choices)
        try check(scaffold, replaced: [])
        try write(file, scaffold.text(withModels: true).exactBytes)
        try register(.api(scaffold.type))
    }

    /// Adds the API of requests as files of a directory.
    private mutating func add(
        _ requests: [ImportedRequest], _ choices: ImportChoices, inDirectory directory: String
    ) throws {
        var choices = choices
        let existing = DirectoryTypes(in: directory, files)
        let samples = target?.samplesDirectory ?? directory + "/Samples/"
        choices.keepsSamples = true
        choices.taken.formUnion(existing.used(byOtherAPIsThan: Scaffold.name(of: requests, choices)))
        // All samples of a target share one directory.
        choices.sampleFiles = Set(files.names(in: samples))
        let scaffold = try scaffold(requests, choices)
        let sources = [scaffold.file] + scaffold.modelFiles
        try check(scaffold, replaced: existing.apiNames)
        try existing.checkNew(sources.map { (path: "\(directory)/\($0.path)", text: $0.text) })
        try write(sources, in: directory + "/")
        try write(samples: scaffold, in: samples, isFirst: choices.sampleFiles.isEmpty)
        try register(.api(scaffold.type))
    }

    /// Makes the API of requests, and describes it in the summary.
    ///
    /// - Throws: ``UsageError`` if `--only` and `--skip` leave no request, and the errors of making models.
    mutating func scaffold(_ requests: [ImportedRequest], _ choices: ImportChoices) throws -> Scaffold {
        let scaffold = try Scaffold(requests, choices)
        guard let first = scaffold.endpoints.first(where: \.isSafe) ?? scaffold.endpoints.first else {
            throw UsageError("no request matches --only and --skip")
        }
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
        summary.next = "swift run \(context.tool) call \(Self.shellText(first.callWords))"
        count(scaffold.endpoints, loose: scaffold.looseEndpoints, scaffold.models)
        return scaffold
    }

    /// Returns words of a command line, quoted for a shell. A secret is a variable, which must not be in single quotes:
    /// `--key "$SHOP_KEY"`.
    private static func shellText(_ words: [String]) -> String {
        let quoted = words.map { word in
            let pieces = ImportedRequest.pieces(word)
            if pieces.count == 1 { return ShellWord.quoted(word) }
            let quotedPieces = pieces.map { text, isVariable in
                if isVariable { return "\"$\(text)\"" }
                return text.isEmpty ? "" : ShellWord.quoted(text)
            }
            return quotedPieces.joined()
        }
        return quoted.joined(separator: " ")
    }

    /// Checks that no other API has the name of this one. With `--force`, nothing is checked.
    ///
    /// - Parameters:
    ///   - scaffold: The new API.
    ///   - replaced: The names of the APIs that are where the new one is written. They may be replaced.
    /// - Throws: ``UsageError`` if another API has the name.
    private func check(_ scaffold: Scaffold, replaced: Set<String>) throws {
        let hint = "--into FILE.swift adds to it, "
        try check(names: [scaffold.name], replaced: replaced, hint: hint)
        // The enum may be in the list of `Catalogue.swift`, although no file with it was found.
        let isListed = target?.lists(.api(scaffold.type)) ?? false
        if isListed, !replaced.contains(scaffold.name), !options.force {
            throw UsageError("there is an API \(scaffold.name) already: \(hint)--name gives another name")
        }
    }

    /// Adds the files of samples.
    ///
    /// - Parameters:
    ///   - scaffold: The API with its samples.
    ///   - directory: The directory of samples, with a slash at its end.
    ///   - isFirst: Whether the directory has no samples yet. Then a note says how to make it a resource of the target.
    mutating func write(samples scaffold: Scaffold, in directory: String, isFirst: Bool) throws {
        let samples = scaffold.sampleFiles
        if samples.isEmpty { return }
        summary.hasSamples = true
        for (file, text) in samples { try write(directory + file, text) }
        if !isFirst { return }
        let resource = SamplesResource(directory, of: target?.path)
        summary.unregistered.append(", in Package.swift, \(resource.text)")
    }
}

/// The directory of samples as a resource of its target, relative to the target's directory.
struct SamplesResource {
    /// `to the target in Sources/App: resources: [.embedInCode("Shop/Samples")]`
    let text: String

    /// Finds the path of the directory relative to its target.
    ///
    /// | Path | Target | Resource |
    /// |---|---|---|
    /// | `Endpoints/Samples/`, with a `Catalogue.swift` in `Endpoints` | `Endpoints` | `Samples` |
    /// | `Sources/App/Shop/Samples/` | `Sources/App`, as SwiftPM looks for targets | `Shop/Samples` |
    /// | `out/Shop/Samples/` | `out`, the first directory | `Shop/Samples` |
    ///
    /// - Parameters:
    ///   - directory: The directory of samples, with a slash at its end.
    ///   - target: The directory of the target, with a slash at its end; nil if it is not known.
    init(_ directory: String, of target: String?) {
        let target = target ?? Self.target(of: directory)
        let resource = directory.dropFirst(target.utf8.count).dropLast()
        let place = target.isEmpty ? "." : String(target.dropLast())
        text = "to the target in \(place): resources: [.embedInCode(\"\(resource)\")]"
    }

    /// Returns the directory of the target by its place, with a slash at its end.
    private static func target(of directory: String) -> String {
        let parts = directory.split(separator: "/", omittingEmptySubsequences: false)
        // The last two parts are `Samples` and the empty text after the last slash.
        let parents = parts.dropLast(2)
        var count = parents.first.map { ["", ".", ".."].contains($0) } == true ? parents.count : 1
        if let sources = parents.lastIndex(where: { $0 == "Sources" || $0 == "Tests" }), sources + 1 < parents.count {
            count = sources + 2
        }
        return parents.prefix(count).map { $0 + "/" }.joined()
    }
}
