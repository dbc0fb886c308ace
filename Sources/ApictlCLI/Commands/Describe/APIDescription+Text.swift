import EndpointKit
import EndpointTools

extension APIDescription {
    /// Describes an API with all its endpoints, and says which credential variables have a value.
    ///
    /// - Throws: `NotAnEnumCase`, and the errors of ``Settings``.
    init(_ api: CatalogueAPI, _ context: CommandContext) throws {
        let settings = try Settings(context)
        self.init(api: api, endpoints: try api.summaries(), isSet: { settings.hasValue($0, of: api) })
    }

    /// Returns the description of an API as text: its title, then sections. Empty sections are left out.
    ///
    /// The section "Left out" lists the parts of an OpenAPI document that can't be read. "Try" lists commands to try.
    func text(_ context: CommandContext) -> String {
        let table = context.table
        return [
            api.title + "\n",
            table.section("Servers", api.servers.map { [$0.name, $0.url] }),
            table.section("Credentials", credentialRows.nonEmpty ?? [[noteWithoutCredentials]]),
            table.section("Endpoints", endpoints.map(\.row)),
            table.section("Left out", api.omissions().map { [$0] }),
            table.section("Try", Self.commandsToTry(with: endpoints.first, context)),
        ].joined()
    }

    /// The text in place of credentials if the API itself declares none. It names the variables of credentials that
    /// single endpoints declare.
    private var noteWithoutCredentials: String {
        let variables = CredentialVariable.all(of: [api]).map(\.name)
        if variables.isEmpty { return "none declared; -n takes one from ~/.netrc, -H sends one in a header" }
        return "declared by endpoints, which 'describe API.ENDPOINT' shows: " + variables.joined(separator: ", ")
    }

    /// The rows of all credentials of the API, as ``ConfigurableCredential/rows(isSet:)`` makes them.
    var credentialRows: [[String]] { api.declaredCredentials().flatMap { $0.rows(isSet: isSet) } }

    /// Returns command lines to try with an endpoint, each as a table row of one cell. They send nothing.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint; nil if there is none, so that there are no rows.
    ///   - context: The context.
    static func commandsToTry(with endpoint: EndpointSummary?, _ context: CommandContext) -> [[String]] {
        guard let endpoint else { return [] }
        return [
            ["\(context.invocation) describe \(endpoint.name)"],
            ["\(context.invocation) call \(context.registry.offlineArguments(endpoint.name))"],
        ]
    }
}

extension EndpointSummary {
    /// The row of a listing: name, method, path and summary. Searches look at the same texts.
    var row: [String] { [name, method, path, summary] }
}

extension ConfigurableCredential {
    /// Returns a table row for each alternative of the credential: how it is sent, and where its value comes from.
    ///
    ///     query parameter api_key             TMDB_API_KEY is set
    ///     or header Authorization: Bearer     TMDB_ACCESS_TOKEN is not set
    ///
    /// - Parameter isSet: Returns whether a variable has a value; nil if the row should not say so.
    func rows(isSet: (String) -> Bool? = { _ in nil }) -> [[String]] {
        credential.alternatives.enumerated().map { index, scheme in
            let suffix = credential.isOptional ? " (optional)" : ""
            let sentence = prefix(ofAlternative: index) + scheme.sentence + suffix
            let variableStates = scheme.variables.compactMap { variable -> String? in
                guard let hasValue = isSet(variable) else { return nil }
                return hasValue ? "\(variable) is set" : "\(variable) is not set"
            }
            // The source is the page where a person gets the credential.
            let notes = [variableStates.joined(separator: ", "), scheme.source ?? ""]
            return [sentence, notes.filter { !$0.isEmpty }.joined(separator: "; ")]
        }
    }

    /// Returns the beginning of the row of an alternative.
    ///
    /// The first row begins with the server, such as `on staging: `, if the credential is for one server only. Every
    /// later row begins with `or `.
    private func prefix(ofAlternative index: Int) -> String {
        if index > 0 { return "or " }
        return server.map { "on \($0): " } ?? ""
    }
}

extension Table {
    /// Returns rows under a title, after an empty line. Without rows, the section is empty.
    func section(_ title: String, _ rows: [[String]]) -> String {
        rows.isEmpty ? "" : "\n\(title)\n" + text(rows)
    }
}
