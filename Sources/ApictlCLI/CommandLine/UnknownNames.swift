import EndpointKit
import EndpointTools

/// Errors about words that are not names of APIs, groups or endpoints, with the names that were probably meant.
extension APIRegistry {
    /// Returns the error that a command needs the name of an endpoint.
    ///
    /// - Parameters:
    ///   - command: The name of the command.
    ///   - alternative: What may be given instead, such as `a URL`.
    func endpointExpected(by command: String, or alternative: String) -> UsageError {
        let hint = exampleName.map { ", such as \($0)" } ?? ""
        return UsageError("\(command) needs an endpoint or \(alternative)\(hint)", see: "list")
    }

    /// Returns the error that an API has no endpoint of a name.
    func unknownEndpoint(
        _ name: String, of api: CatalogueAPI, among endpointNames: [String], _ source: ValueSource
    ) -> UsageError {
        let similarNames = NearestWord.matches(name, in: endpointNames).map { "\(api.name).\($0)" }
        let question = NearestWord.question(similarNames)
        return UsageError("\(api.name) has no endpoint '\(name)'\(source.suffix)\(question)", see: api.name)
    }

    /// Returns the error that a word does not start with the name of an API.
    ///
    /// - Parameters:
    ///   - word: The word.
    ///   - apiName: The part of the word that was taken for the name of an API. It is shown if the word does not start
    ///     with a group either.
    func unknownAPI(_ word: SourcedText, _ apiName: String) -> UsageError {
        if let group = groups.first(where: { matches($0.name, word.text) }) {
            let hint = group.exampleName.map { ", such as \($0)" } ?? ""
            return UsageError("\(word.shown) is a group of APIs; name an endpoint\(hint)", see: group.name)
        }
        if let error = urlError(word) { return error }
        let enclosingGroups = groups.filter { word.text.hasPrefix($0.name + ".") }
        if let innermost = enclosingGroups.max(by: { $0.name.utf8.count < $1.name.utf8.count }) {
            return unknownMember(of: innermost, word)
        }
        return unknown("API", word, apiName, among: names)
    }

    /// Returns the error that a group has no API of the name after the group's name: `kinto has no API 'bucket'`.
    private func unknownMember(of group: APIGroup, _ word: SourcedText) -> UsageError {
        let nameInGroup = String(word.text.dropFirst(group.name.count + 1))
        let apiName = String(nameInGroup.prefix { $0 != "." })
        let question = NearestWord.question(
            endpoints(called: nameInGroup, in: group) ?? members(similarTo: apiName, in: group))
        return UsageError("\(group.name) has no API '\(apiName)'\(word.source.suffix)\(question)", see: group.name)
    }

    /// Returns the full names of the endpoints in a group whose own name is `name`; nil if there are none.
    private func endpoints(called name: String, in group: APIGroup) -> [String]? {
        // An API whose endpoints can't be listed has no endpoint to suggest.
        let entries = group.apis.flatMap { (try? $0.entries()) ?? [] }
        let matching = entries.filter { matches($0.endpointName, name) }
        return matching.prefix(Self.maxSuggestions).map(\.name).nonEmpty
    }

    /// Returns the full names of the APIs and groups in a group whose names resemble `name`.
    private func members(similarTo name: String, in group: APIGroup) -> [String] {
        let start = group.name + "."
        let fullNames = (group.apis.map(\.name) + groups.map(\.name)).withoutRepetitions
        let names = fullNames.filter { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
        return NearestWord.matches(name, in: names).map { start + $0 }
    }

    /// Returns the error that a word names nothing.
    ///
    /// It suggests the endpoint that has the word as its own name (`popular`) or with other separators
    /// (`movies/popular`), or else the names that resemble it.
    ///
    /// - Parameters:
    ///   - kind: The kind of name that was expected, such as `command`.
    ///   - word: The word.
    ///   - unknownPart: The part of the word that is unknown, if it is not the whole.
    ///   - names: The names that it may be a misspelling of.
    func unknown(
        _ kind: String, _ word: SourcedText, _ unknownPart: String = "", among names: [String]
    ) -> UsageError {
        if let error = urlError(word) { return error }
        if let error = methodError(kind, word) { return error }
        let part = unknownPart.isEmpty ? word : word.with(unknownPart)
        let endpoints = endpoints(called: word.text)
        let suggestions = endpoints.isEmpty ? NearestWord.matches(part.text, in: names) : endpoints
        // The overview, which is the default, shows the commands; `list` shows the endpoints.
        let isAboutCommands = kind == "command" && endpoints.isEmpty
        if suggestions.isEmpty, word.source.position != nil, Self.looksLikeHost(word.text) {
            let question = NearestWord.question(["https://" + word.text])
            return UsageError("unknown \(kind) \(word.shown)\(question)", see: isAboutCommands ? nil : "list")
        }
        let question = NearestWord.question(suggestions)
        return UsageError("unknown \(kind) \(part.shown)\(question)", see: isAboutCommands ? nil : "list")
    }

    /// Whether a word has the characters of a host name (RFC 1123, section 2.1), and a dot inside. It could also be the
    /// name of an endpoint, so that this is only asked about a word that resembles no name.
    private static func looksLikeHost(_ word: String) -> Bool {
        let labels = word.split(separator: ".", omittingEmptySubsequences: false)
        let areLabels = labels.allSatisfy { label in
            !label.isEmpty && label.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
        }
        return labels.count > 1 && areLabels
    }

    /// Returns the full names of endpoints for a name without that of the API, or with `/` or `:` in place of dots.
    private func endpoints(called name: String) -> [String] {
        let dottedName = String(name.map { "/:".contains($0) ? "." : $0 })
        // An API whose endpoints can't be listed has no endpoint to suggest.
        let entries = apis.flatMap { (try? $0.entries()) ?? [] }
        let matching = entries.filter { matches($0.endpointName, name) || matches($0.name, dottedName) }
        return matching.prefix(Self.maxSuggestions).map(\.name)
    }

    /// The most names that a message suggests.
    private static let maxSuggestions = 5

    /// Returns the error that a word is an HTTP method. Other tools have the method before the URL.
    ///
    /// - Returns: The error; nil for a word that is no method.
    private func methodError(_ kind: String, _ word: SourcedText) -> UsageError? {
        let method = word.text.uppercased()
        let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        guard methods.contains(method) else { return nil }
        return UsageError(
            "unknown \(kind) \(word.shown): endpoints are called by name, URLs by \(tool) call URL -X \(method)",
            see: "list")
    }

    // MARK: URLs

    /// Returns the error that a word is a URL or an address in place of a name.
    ///
    /// It names the endpoint at the URL, or else says how URLs are called. The URL is not shown, because it may hold a
    /// secret.
    ///
    /// - Returns: The error; nil for a word that is no URL.
    func urlError(_ word: SourcedText) -> UsageError? {
        let text = word.text
        let schemeEnd = text.firstRange(of: "://")?.upperBound
        let address = text[(schemeEnd ?? text.startIndex)...].prefix { !"?#".contains($0) }
        let problem = "expected an endpoint, got a URL\(word.source.suffix)"
        if let name = endpoint(at: address) { return UsageError(problem + NearestWord.question([name]), see: "list") }

        let isURL = schemeEnd != nil || text.contains("@") || Self.startsWithHost(address)
        guard isURL else { return nil }
        return UsageError("\(problem); to call one: \(tool) call http://HOST/PATH", see: "help call")
    }

    /// Whether an address starts with a host and a port, or with a host and a path: `localhost:8080`,
    /// `api.example.com/users`. A host alone could be a name with dots.
    private static func startsWithHost(_ address: Substring) -> Bool {
        let host = address.prefix { $0 != "/" }
        if let colon = host.lastIndex(of: ":"), UInt16(host[colon...].dropFirst()) != nil { return true }
        let hasPath = host != address
        return hasPath && host.contains(".")
    }

    /// Returns the name of the endpoint at an address.
    ///
    /// If several paths match, the one with the fewest parameters counts: `/users/me` before `/users/{id}`.
    ///
    /// - Parameter address: A URL without its scheme, or the path of one.
    /// - Returns: The name; nil if no API has an endpoint there.
    func endpoint(at address: Substring) -> String? {
        for api in apis {
            let prefixes = api.addressPrefixes(isPath: address.first == "/")
            guard let base = prefixes.first(where: { address.hasPrefix($0) }) else { continue }
            let segments = address.dropFirst(base.count).split(separator: "/")
            // An API whose endpoints can't be listed has no endpoint to suggest.
            let matching = ((try? api.summaries()) ?? []).filter { $0.matchesPath(segments) }
            let mostSpecific = matching.min { $0.parameterCount < $1.parameterCount }
            if let mostSpecific { return mostSpecific.name }
        }
        return nil
    }
}

extension APIGroup {
    /// The name of an endpoint in the group, as an example in messages.
    fileprivate var exampleName: String? {
        for api in apis {
            if let entry = try? api.entries().first { return entry.name }
        }
        return nil
    }
}

extension CatalogueAPI {
    /// Returns the texts with which addresses of the API's endpoints start.
    ///
    ///     isPath false   api.example.com/v1
    ///     isPath true    /v1, and an empty text for paths without it
    ///
    /// - Parameter isPath: Whether the addresses are paths. Otherwise they are URLs without their scheme.
    fileprivate func addressPrefixes(isPath: Bool) -> [String] {
        let baseURLs = servers.compactMap { try? $0.base() }
        if isPath { return baseURLs.map(\.path) + [""] }
        return baseURLs.map { String($0.text.dropFirst($0.scheme.count + "://".count)) }
    }
}

extension EndpointSummary {
    /// Whether the endpoint's path, such as `/movie/{id}`, has these segments, with any value for each parameter.
    fileprivate func matchesPath(_ segments: [Substring]) -> Bool {
        let template = path.split(separator: "/")
        guard template.count == segments.count else { return false }
        return zip(template, segments).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
    }

    /// The number of parameters in the path.
    fileprivate var parameterCount: Int { path.count { $0 == "{" } }
}
