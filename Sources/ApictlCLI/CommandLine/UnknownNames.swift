import EndpointKit
import EndpointTools

/// Errors about words that are not names of APIs, groups or endpoints, with the names that were probably meant.
extension APIRegistry {
    /// Returns the error that a command needs the name of an endpoint: `call needs an endpoint or a URL, such as
    /// movies.popular`.
    ///
    /// - Parameters:
    ///   - command: The name of the command.
    ///   - alternative: What may be given instead, with its article, such as `a URL`.
    func missingEndpointError(command: String, alternative: String) -> UsageError {
        let hint = exampleName.map { ", such as \($0)" } ?? ""
        return UsageError("\(command) needs an endpoint or \(alternative)\(hint)", see: "list")
    }

    /// Returns the error that an API has no endpoint of a name: `movies has no endpoint 'popullar'; did you mean
    /// 'movies.popular'?`
    ///
    /// - Parameters:
    ///   - name: The unknown name, without the name of the API.
    ///   - api: The API.
    ///   - endpointNames: The names of the API's endpoints, without the name of the API.
    ///   - source: The place of the name.
    func unknownEndpointError(
        _ name: String, of api: CatalogueAPI, candidates endpointNames: [String], source: ValueSource
    ) -> UsageError {
        let similarNames = NearestWord.matches(name, in: endpointNames).map { "\(api.name).\($0)" }
        let question = NearestWord.question(similarNames)
        return UsageError("\(api.name) has no endpoint '\(name)'\(source.suffix)\(question)", see: api.name)
    }

    /// Returns the error that a word does not start with the name of an API.
    ///
    /// The message depends on what the word is instead: the name of a group of APIs such as `kinto`, a URL, a name that
    /// starts with a group, or none of these.
    ///
    /// - Parameters:
    ///   - word: The word, which should be the name of an endpoint.
    ///   - apiName: The part of the word that should be the name of an API. Only the last of these messages shows it.
    func unknownAPIError(_ word: SourcedText, apiName: String) -> UsageError {
        if let group = groups.first(where: { isSpelling(word.text, of: $0.name) }) {
            let hint = group.exampleEndpointName.map { ", such as \($0)" } ?? ""
            return UsageError("\(word.shown) is a group of APIs; name an endpoint\(hint)", see: group.name)
        }
        if let error = urlError(word) { return error }
        let enclosingGroups = groups.filter { word.text.hasPrefix($0.name + ".") }
        if let innermostGroup = enclosingGroups.max(by: { $0.name.utf8.count < $1.name.utf8.count }) {
            return unknownMemberError(word, of: innermostGroup)
        }
        return unknownNameError(word, kind: .api, unknownPart: apiName, candidates: names)
    }

    /// Returns the error that a group has no API of the name after the group's name: `kinto has no API 'bucket'`.
    ///
    /// The error suggests the group's endpoints of that name, or else the group's APIs with similar names.
    ///
    /// - Parameters:
    ///   - word: A name that starts with the name of the group and a dot.
    ///   - group: The innermost group with which the word starts.
    private func unknownMemberError(_ word: SourcedText, of group: APIGroup) -> UsageError {
        let nameInGroup = String(word.text.dropFirst(group.name.count + 1))
        let apiName = String(nameInGroup.prefix { $0 != "." })
        let endpointNames = fullNames(ofEndpointsNamed: nameInGroup, in: group)
        let suggestions = endpointNames.nonEmpty ?? fullNames(ofMembersSimilarTo: apiName, in: group)
        let question = NearestWord.question(suggestions)
        return UsageError("\(group.name) has no API '\(apiName)'\(word.source.suffix)\(question)", see: group.name)
    }

    /// Returns the full names of the endpoints in a group whose own name is `name`: `kinto.buckets.list` for `list`.
    private func fullNames(ofEndpointsNamed name: String, in group: APIGroup) -> [String] {
        // An API whose endpoints can't be listed has no endpoint to suggest.
        let entries = group.apis.flatMap { (try? $0.entries()) ?? [] }
        let entriesOfName = entries.filter { isSpelling(name, of: $0.endpointName) }
        return entriesOfName.prefix(Self.maxSuggestions).map(\.name)
    }

    /// Returns the full names of the APIs and groups in a group whose own names resemble `name`: `kinto.buckets` for
    /// `bucket`.
    private func fullNames(ofMembersSimilarTo name: String, in group: APIGroup) -> [String] {
        let groupPrefix = group.name + "."
        let fullNames = (group.apis.map(\.name) + groups.map(\.name)).withoutRepetitions
        let memberNames = fullNames.filter { $0.hasPrefix(groupPrefix) }
        let namesInGroup = memberNames.map { String($0.dropFirst(groupPrefix.count)) }
        return NearestWord.matches(name, in: namesInGroup).map { groupPrefix + $0 }
    }

    /// The kinds of names that a word may be, as messages call them.
    enum NameKind: String {
        case command
        case api = "API"
    }

    /// Returns the error that a word is no name: `unknown command 'moives'; did you mean 'movies'?`
    ///
    /// The error suggests the endpoint that has the word as its own name (`popular`) or with other separators
    /// (`movies/popular`), or else the candidates that resemble the word. If there are none, a word such as
    /// `example.com` may be a URL without its scheme.
    ///
    /// - Parameters:
    ///   - word: The word that is no name.
    ///   - kind: The kind of name that was expected.
    ///   - unknownPart: The part of the word that is unknown, which the message shows; empty for the whole word.
    ///   - candidates: The names that this part may be a misspelling of.
    func unknownNameError(
        _ word: SourcedText, kind: NameKind, unknownPart: String, candidates: [String]
    ) -> UsageError {
        if let error = urlError(word) ?? methodError(word, kind: kind) { return error }
        let endpointNames = fullNames(ofEndpointsNamed: word.text)
        let unknownWord = unknownPart.isEmpty ? word : word.with(unknownPart)
        let suggestions = endpointNames.nonEmpty ?? NearestWord.matches(unknownWord.text, in: candidates)
        // Nil is the overview, which shows the commands. The command `list` shows the endpoints.
        let expectsCommand = kind == .command && endpointNames.isEmpty
        let see = expectsCommand ? nil : "list"

        let isTyped = word.source.position != nil
        let mayBeHost = isTyped && suggestions.isEmpty && Self.looksLikeHost(word.text)
        // A host is unknown as a whole.
        let shownWord = mayBeHost ? word.shown : unknownWord.shown
        let question = NearestWord.question(mayBeHost ? ["https://" + word.text] : suggestions)
        return UsageError("unknown \(kind.rawValue) \(shownWord)\(question)", see: see)
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

    /// Returns the full names of the endpoints that a name may mean. The name may lack its API, or have `/` or `:` in
    /// place of dots.
    ///
    ///     popular, movies/popular, movies:popular   →   movies.popular
    private func fullNames(ofEndpointsNamed name: String) -> [String] {
        let dottedName = String(name.map { "/:".contains($0) ? "." : $0 })
        // An API whose endpoints can't be listed has no endpoint to suggest.
        let entries = apis.flatMap { (try? $0.entries()) ?? [] }
        let entriesOfName = entries.filter { entry in
            isSpelling(name, of: entry.endpointName) || isSpelling(dottedName, of: entry.name)
        }
        return entriesOfName.prefix(Self.maxSuggestions).map(\.name)
    }

    /// The most names that a message suggests, so that it stays short.
    private static let maxSuggestions = 5

    /// Returns the error that a word is an HTTP method, such as `GET`. In other tools, the method comes before the URL.
    ///
    /// - Parameters:
    ///   - word: The word, in upper or lower case.
    ///   - kind: The kind of name that was expected.
    /// - Returns: The error; nil for a word that is no method.
    private func methodError(_ word: SourcedText, kind: NameKind) -> UsageError? {
        let method = word.text.uppercased()
        let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        guard methods.contains(method) else { return nil }
        return UsageError(
            """
            unknown \(kind.rawValue) \(word.shown): endpoints are called by name, URLs by \
            \(tool) call URL -X \(method)
            """, see: "list")
    }

    // MARK: URLs

    /// Returns the error that a word is a URL or an address in place of a name.
    ///
    /// The error names the endpoint at the URL, or else says how URLs are called. The URL is not shown, because it may
    /// hold a secret.
    ///
    /// - Returns: The error; nil for a word that is no URL.
    private func urlError(_ word: SourcedText) -> UsageError? {
        let text = word.text
        let schemeEnd = text.firstRange(of: "://")?.upperBound
        // The address is what follows the scheme, up to the query or fragment.
        let address = text[(schemeEnd ?? text.startIndex)...].prefix { !"?#".contains($0) }
        let problem = "expected an endpoint, got a URL\(word.source.suffix)"
        if let endpointName = endpointName(at: address) {
            return UsageError(problem + NearestWord.question([endpointName]), see: "list")
        }

        // A user and a password stand before an `@`.
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

    /// Returns the name of the endpoint at an address: `movies.popular` for `api.example.com/v1/movie/popular`.
    ///
    /// If several paths match, the one with the fewest parameters counts: `/users/me` and not `/users/{id}`.
    ///
    /// - Parameter address: A URL without its scheme, or the path of one.
    /// - Returns: The name; nil if no API has an endpoint there.
    private func endpointName(at address: Substring) -> String? {
        let isPath = address.first == "/"
        for api in apis {
            let prefixes = api.addressPrefixes(isPath: isPath)
            guard let prefix = prefixes.first(where: { address.hasPrefix($0) }) else { continue }
            let segments = address.dropFirst(prefix.count).split(separator: "/")
            // An API whose endpoints can't be listed has no endpoint to suggest.
            let summaries = (try? api.summaries()) ?? []
            let summariesAtPath = summaries.filter { $0.matchesPath(segments) }
            let mostSpecific = summariesAtPath.min { $0.parameterCount < $1.parameterCount }
            if let mostSpecific { return mostSpecific.name }
        }
        return nil
    }
}

extension APIGroup {
    /// The name of an endpoint in the group, as an example in messages; nil if there is none.
    fileprivate var exampleEndpointName: String? {
        for api in apis {
            // An API whose endpoints can't be listed gives no example.
            if let entry = try? api.entries().first { return entry.name }
        }
        return nil
    }
}

extension CatalogueAPI {
    /// Returns the texts with which addresses of the API's endpoints may start. For the server
    /// `https://api.example.com/v1`:
    ///
    ///     isPath false   api.example.com/v1
    ///     isPath true    /v1, and an empty text for a path that is written without it
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
        let templateSegments = path.split(separator: "/")
        guard templateSegments.count == segments.count else { return false }
        return zip(templateSegments, segments).allSatisfy { templateSegment, segment in
            let isParameter = templateSegment.hasPrefix("{")
            return isParameter || templateSegment == segment
        }
    }

    /// The number of parameters in the path.
    fileprivate var parameterCount: Int { path.count { $0 == "{" } }
}
