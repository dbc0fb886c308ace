import EndpointKit

// `--body` takes the place of the body that the endpoint would send.

extension Word {
    /// Whether the value comes from stdin.
    var isStdin: Bool { text == "-" || text == "@-" }

    /// The name behind `@`, which may be empty; nil where the value is none of a file.
    var file: String? {
        // Scalars, not characters: a name may start with a mark that combines with what is before it.
        text.unicodeScalars.first == "@" ? String(text.unicodeScalars.dropFirst()) : nil
    }
}

extension EndpointInvocation {
    /// Values for the parameters that would only go into the body that `--body` replaces: the example's, which nobody sees.
    ///
    /// Throws ``UsageError`` where such a parameter is given: it would have no effect.
    func argumentsOfReplacedBody(_ declaration: EndpointDeclaration) throws(UsageError) -> [Argument] {
        let places = ParameterPlaces(of: declaration).places
        let hasBody = declaration.endpoint.body != nil
        let replaced = declaration.signature.parameters.filter { parameter in
            // Where the place of a JSON value is not known, it can be none but the body.
            places[parameter.name].map { $0 == [.body] } ?? (hasBody && parameter.type.isJSON)
        }
        let names = Set(replaced.map(\.name))
        if let word = parameters.first(where: { names.contains($0.path.first ?? "") }) {
            throw .conflict("--body", declaration.shown(word.path))
        }
        return replaced.flatMap(\.exampleArguments)
    }
}

extension RequestPreparation {
    /// Puts what `--body` names in the place of the endpoint's body.
    ///
    /// The content type stays the endpoint's, but not that of a multipart body, whose boundary is not in this one; an endpoint without
    /// a body has none. What is given with `-H` or declared among the header fields holds as always. Throws ``UsageError`` and
    /// ``FileError``.
    func replaceBody(of request: inout Request, _ call: any API, _ additions: RequestOptions) throws {
        guard let word = invocation.options.body else { return }
        let endpoint = call.endpoint
        let declared = type(of: call).fields(of: endpoint) + additions.headers
        if case .multipart? = endpoint.body, !declared.contains(where: { $0.isNamed("Content-Type") }) {
            request.headers.removeAll { $0.isNamed("Content-Type") }
        }
        request.body = try body(word)
    }

    private func body(_ word: Word) throws -> RequestBody {
        if word.isStdin {
            if !readsInput { return RequestBody([]) }
            return RequestBody(
                bytes: try environment.stdin.readAll(
                    name: "stdin", advice: "; put it into a file and use --body @FILE"))
        }
        guard let file = word.file else { return RequestBody(bytes: word.text.exactBytes) }
        guard !file.isEmpty else { throw UsageError.fileNameExpected(parameter: "--body", position: word.position) }
        return RequestBody([.file(path: file)])
    }
}
