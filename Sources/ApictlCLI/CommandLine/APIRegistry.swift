import EndpointKit
import EndpointTools

/// The tool's APIs, and the lookup of endpoints by name.
struct APIRegistry: Sendable {
    var apis: [CatalogueAPI]
    /// The name of the tool, for commands in messages.
    var tool = "apictl"
    /// The options `--api` that the user gave, in the spelling of a shell: `--api shop.yaml`.
    var apiOptions: [String] = []

    /// The start of commands that the tool proposes. It repeats the options `--api`, without which the names of the
    /// documents' endpoints would be unknown.
    var invocation: String { ([tool] + apiOptions).joined(separator: " ") }

    /// Checks that all APIs have different names.
    ///
    /// - Throws: ``Failure`` if two have the same name, so that one could not be called.
    func checkNames() throws(Failure) {
        var names: Set<String> = []
        for api in apis where !names.insert(api.name).inserted {
            throw Failure("two APIs have the name \(api.name)", .failure)
        }
    }

    /// The endpoints of all APIs. Throws `NotAnEnumCase` for an API with a handwritten `Codable`.
    func endpoints() throws -> [EndpointDeclaration] {
        try apis.flatMap { try $0.declarations() }
    }

    /// The endpoint that `word` names: `movies.new-movies`, or in Swift's spelling `movies.newMovies`.
    ///
    /// Throws ``UsageError`` with the nearest existing name.
    func endpoint(_ word: SourcedText) throws -> EndpointDeclaration {
        let position = word.source.suffix
        guard let (api, name) = parts(of: word.text) else {
            throw unknownAPI(word, String(word.text.prefix { $0 != "." }))
        }
        let endpoints = try api.entries()
        if let endpoint = entry(named: name, in: endpoints) {
            if let declaration = try endpoint.declaration() { return declaration }
            throw UsageError(
                "\(endpoint.name)\(position) can't be called: no example shows its parameters; "
                    + "add one to the API's examples", see: api.name)
        }
        if name.isEmpty {
            let example = endpoints.first.map { ", such as \($0.name)" } ?? ""
            throw UsageError("\(word.shown) is an API; name one of its endpoints\(example)", see: api.name)
        }
        let nearest = NearestWord.matches(name, in: endpoints.map(\.endpointName)).map { "\(api.name).\($0)" }
        throw UsageError(
            "\(api.name) has no endpoint '\(name)'\(position)" + NearestWord.question(nearest), see: api.name)
    }

    /// Returns the endpoint of that name, or else the one of that name in Swift's spelling; nil if there is none.
    private func entry(named name: String, in endpoints: [EndpointEntry]) -> EndpointEntry? {
        endpoints.first { $0.endpointName == name } ?? endpoints.first { matches($0.endpointName, name) }
    }

    /// The API that a name starts with, which may have dots itself, and the rest; nil if there is none.
    func parts(of text: String) -> (api: CatalogueAPI, name: String)? {
        if let api = api(text) { return (api, "") }
        for dot in text.indices.reversed() where text[dot] == "." {
            if let api = api(String(text[..<dot])) { return (api, String(text[dot...].dropFirst())) }
        }
        return nil
    }

    /// The API that `name` names; nil if there is none.
    func api(_ name: String) -> CatalogueAPI? { apis.first { matches($0.name, name) } }

    /// Returns the name that words give: `kinto.buckets.list`, `kinto buckets.list` and `kinto buckets list` are the same.
    ///
    /// A further word belongs to the name as long as those before it name an API or group.
    ///
    /// - Returns: The name with the position of its last word; nil without words.
    /// - Throws: ``UsageError`` for a word after the name.
    func name(_ words: [SourcedText]) throws(UsageError) -> SourcedText? {
        guard var name = words.first else { return nil }
        for word in words.dropFirst() {
            guard apiOrGroup(name.text) != nil else { throw .unexpectedArgument(word) }
            name = word.with(name.text + "." + word.text)
        }
        return name
    }

    /// Returns the API or group that several words name; nil if they name none.
    func apiOrGroup(_ words: [SourcedText]) -> Subject? {
        guard let name = try? name(words) else { return nil }
        return apiOrGroup(name.text)
    }

    /// The error that `command` needs an endpoint, or `other`.
    func endpointExpected(by command: String, or other: String) -> UsageError {
        UsageError(
            "\(command) needs an endpoint or \(other)" + (exampleName.map { ", such as \($0)" } ?? ""), see: "list")
    }

    /// The name of an endpoint, as an example in messages.
    var exampleName: String? {
        apis.lazy.compactMap { try? $0.entries().first?.name }.first
    }

    /// The words of a call of the endpoint of that name that no server is needed for: `movies.popular --sample`, or `--dry-run`.
    func trial(_ name: String) -> String {
        let declaration = try? endpoint(SourcedText(name, .preset))
        return name + (declaration?.endpoint.sample == nil ? " --dry-run" : " --sample")
    }

    /// The error that `word` is the name of no `kind`, with what was probably meant: an endpoint by its own name, with another separator
    /// (`movies/popular`) or by its URL, otherwise the nearest of `names`. `part` is what of it is unknown.
    func unknown(_ kind: String, _ word: SourcedText, _ part: String? = nil, among names: [String]) -> UsageError {
        if let error = urlError(word) { return error }
        if ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].contains(word.text.uppercased()) {
            let text = "unknown \(kind) \(word.shown): endpoints are called by name, URLs by \(tool) call URL"
            return UsageError(text + " -X \(word.text.uppercased())", see: "list")
        }
        let dotted = String(word.text.map { "/:".contains($0) ? "." : $0 })
        let endpoints = apis.flatMap { (try? $0.entries()) ?? [] }
            .filter { matches($0.endpointName, word.text) || matches($0.name, dotted) }.map(\.name)
        let word = word.with(part.flatMap { $0.isEmpty ? nil : $0 } ?? word.text)
        let nearest = endpoints.isEmpty ? NearestWord.matches(word.text, in: names) : Array(endpoints.prefix(5))
        let see = kind == "command" && endpoints.isEmpty ? nil : "list"
        return UsageError("unknown \(kind) \(word.shown)" + NearestWord.question(nearest), see: see)
    }

    /// The error that a URL or an address is no name, with the endpoint that is there, or how to call it; nil for another word.
    func urlError(_ word: SourcedText) -> UsageError? {
        let start = word.text.firstRange(of: "://")
        let address = word.text[(start?.upperBound ?? word.text.startIndex)...].prefix { !"?#".contains($0) }
        let host = address.prefix { $0 != "/" }
        let hasPort = host.lastIndex(of: ":").flatMap { UInt16(host[$0...].dropFirst()) } != nil
        // The URL is not shown, because it may hold a secret.
        let text = "expected an endpoint, got a URL\(word.source.suffix)"
        if let name = endpoint(at: address) { return UsageError(text + NearestWord.question([name]), see: "list") }
        let isURL = start != nil || hasPort || word.text.contains("@") || host.contains(".") && host != address
        guard isURL else { return nil }
        return UsageError("\(text); to call one: \(tool) call http://HOST/PATH", see: "help call")
    }

    /// The name of the endpoint at that address without a scheme, or at that path, with the most fixed segments; nil if there is none.
    func endpoint(at address: Substring) -> String? {
        for api in apis {
            let bases = api.servers.compactMap { try? $0.base() }
            let starts =
                address.first == "/"
                ? bases.map(\.path) + [""] : bases.map { String($0.text.dropFirst($0.scheme.count + 3)) }
            guard let start = starts.first(where: { address.hasPrefix($0) }) else { continue }
            let path = address.dropFirst(start.count).split(separator: "/")
            let found = ((try? api.summaries()) ?? []).filter { endpoint in
                let template = endpoint.path.split(separator: "/")
                return template.count == path.count
                    && zip(template, path).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
            }
            func values(_ endpoint: EndpointSummary) -> Int { endpoint.path.count { $0 == "{" } }
            if let best = found.min(by: { values($0) < values($1) }) { return best.name }
        }
        return nil
    }

    /// Whether `word` is `name`, or is it in Swift's spelling.
    func matches(_ name: String, _ word: String) -> Bool {
        // To convert a very long word would take long.
        name == word || word.utf8.count <= 2 * name.utf8.count && name == KebabCase.text(word)
    }
}
