import JSONText

/// A server (OpenAPI 3.1, section 4.8.5).
package struct ServerObject: Sendable, Equatable {
    /// The URL with its variables in braces, such as `https://{region}.example.com`. It may be relative to the
    /// document.
    package let url: String
    /// The description of the server.
    package let summary: String?
    package let variables: [Variable]

    /// A variable of the URL (OpenAPI 3.1, section 4.8.6).
    package struct Variable: Sendable, Equatable {
        package let name: String
        /// The value that is used if the user sets no other value; nil if the document has no default.
        package let defaultValue: String?
        /// The values of `enum`; empty if all values are allowed.
        package let allowedValues: [String]
        package let summary: String?
    }

    /// Creates a server from its parts.
    init(url: String, summary: String? = nil, variables: [Variable] = []) {
        self.url = url
        self.summary = summary
        self.variables = variables
    }

    /// Reads a Server Object of OpenAPI 3.
    ///
    /// - Throws: ``PartFailure`` if the value is not an object, or has no URL.
    init(_ value: JSONValue, references: ReferenceResolver) throws(PartFailure) {
        let server = try references.resolveObject(value)
        guard let url = server["url"]?.string else {
            throw PartFailure(at: value, expected: "a server with a 'url'", found: "none")
        }
        var variables: [Variable] = []
        for (name, variable) in try references.resolveMembers(of: server["variables"]) {
            variables.append(
                Variable(
                    name: name, defaultValue: Self.text(variable["default"]),
                    allowedValues: variable["enum"]?.elements?.compactMap(Self.text) ?? [],
                    summary: variable["description"]?.string))
        }
        self.init(url: url, summary: server["description"]?.string, variables: variables)
    }

    /// Returns a scalar as text: `8443` for the number 8443, which documents in YAML write without quotes.
    ///
    /// - Returns: The text; nil for null, an array, and an object.
    private static func text(_ value: JSONValue?) -> String? {
        guard let value else { return nil }
        switch value.kind {
        case .string: return value.string
        case .number, .boolean: return value.description
        case .null, .array, .object: return nil
        }
    }

    /// Returns the URL with values in place of its variables.
    ///
    ///     https://{region}.example.com with the region eu    →  https://eu.example.com
    ///
    /// Braces in values are not replaced again. A brace without its counterpart stays as it is.
    ///
    /// - Parameter values: Values by the names of variables. A variable without a value has its default.
    /// - Returns: The URL; nil if a variable has neither a value nor a default.
    package func url(with values: [String: String]) -> String? {
        var defaults: [String: String] = [:]
        for variable in variables where defaults[variable.name] == nil {
            defaults[variable.name] = variable.defaultValue
        }
        var result = ""
        var unread = url[...]
        while let start = unread.firstIndex(of: "{"), let end = unread[start...].firstIndex(of: "}") {
            let name = String(unread[start..<end].dropFirst())
            guard let value = values[name] ?? defaults[name] else { return nil }
            result += unread[..<start]
            result += value
            unread = unread[end...].dropFirst()
        }
        return result + unread
    }
}
