import JSONText

/// A server (OpenAPI 3.1, section 4.8.5).
package struct ServerObject: Sendable, Equatable {
    /// The URL with its variables between braces. It may be relative to the document's URL.
    package let url: String
    package let summary: String?
    package let variables: [Variable]

    /// A variable of the URL (OpenAPI 3.1, section 4.8.6).
    package struct Variable: Sendable, Equatable {
        package let name: String
        /// The value that counts if no other is given; nil if the document lacks it.
        package let defaultValue: String?
        /// The values that are allowed; empty if all are.
        package let allowedValues: [String]
        package let summary: String?
    }

    init(url: String, summary: String? = nil, variables: [Variable] = []) {
        self.url = url
        self.summary = summary
        self.variables = variables
    }

    /// Reads a Server Object of OpenAPI 3.
    ///
    /// - Throws: ``PartFailure`` if it is no object, or has no URL.
    init(_ value: JSONValue, _ references: ReferenceResolver) throws(PartFailure) {
        let server = try references.object(value)
        guard let url = server["url"]?.string else {
            throw PartFailure(at: value, expected: "a server with a 'url'", found: "none")
        }
        var variables: [Variable] = []
        for (name, variable) in try references.members(server["variables"]) {
            variables.append(
                Variable(
                    name: name, defaultValue: Self.text(variable["default"]),
                    allowedValues: variable["enum"]?.elements?.compactMap(Self.text) ?? [],
                    summary: variable["description"]?.string))
        }
        self.init(url: url, summary: server["description"]?.string, variables: variables)
    }

    /// Returns a string, or the text of a number or boolean, such as a port without quotes.
    private static func text(_ value: JSONValue?) -> String? {
        guard let value else { return nil }
        switch value.kind {
        case .string: return value.string
        case .number, .boolean: return value.description
        case .null, .array, .object: return nil
        }
    }

    /// Returns the URL with the values of its variables.
    ///
    /// The URL is read once from the start to the end, so that a value that looks like a variable is not replaced.
    ///
    /// - Parameter values: Values by the names of variables. The default counts for a variable without one.
    /// - Returns: The URL; nil if a variable between braces has neither a value nor a default.
    package func url(with values: [String: String]) -> String? {
        var defaults: [String: String] = [:]
        for variable in variables.reversed() { defaults[variable.name] = variable.defaultValue }
        var result = ""
        var rest = url[...]
        while let brace = rest.firstIndex(of: "{") {
            result += rest[..<brace]
            guard let end = rest[brace...].firstIndex(of: "}") else { return result + rest[brace...] }
            let name = String(rest[rest.index(after: brace)..<end])
            guard let value = values[name] ?? defaults[name] else { return nil }
            result += value
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}
