import EndpointKit
import JSONText

extension API {
    /// Writes arguments as the JSON of a call and decodes it.
    ///
    /// - Throws: An ``ArgumentError``.
    static func call(_ signature: Signature, _ arguments: [Argument]) throws -> Self {
        let writer = try ArgumentWriter(signature, arguments, api.coding)
        do {
            let document = try JSONDocument(writer.text)
            return try call(from: document, writer)
        } catch let error as JSONSyntaxError {
            throw writer.argumentError(error)
        }
    }

    /// Decodes a call from what `writer` has written, and checks that nothing of the arguments gets lost.
    ///
    /// - Throws: An ``ArgumentError``, or a `JSONSyntaxError` if an argument is nested too deeply.
    private static func call(from document: JSONDocument, _ writer: ArgumentWriter) throws -> Self {
        let coding = api.coding.keepingNames
        do {
            let call = try JSONTextDecoder(coding: coding).decode(Self.self, from: document)
            try writer.checkLoss(in: call)
            return call
        } catch let error as DecodingError {
            throw writer.argumentError(error, JSONMismatch(error, in: document, coding: coding))
        }
    }
}

// MARK: - Errors

extension ArgumentWriter {
    /// Describes JSON that is too long, or nested too deeply, as an error about the argument that is the likeliest
    /// cause: the one with the most brackets.
    func argumentError(_ error: JSONSyntaxError) -> ArgumentError {
        let part = parts.max { $0.argument.bracketCount < $1.argument.bracketCount }
        let argument = part?.argument
        return .invalidJSON(
            argument?.path ?? [], source: argument?.source ?? "", problem: error.problem, position: argument?.position)
    }

    /// Describes an error of decoding as an error about the argument that does not fit.
    fileprivate func argumentError(_ error: DecodingError, _ mismatch: JSONMismatch) -> ArgumentError {
        // The first step is the name of the case.
        let path = Array(mismatch.path.dropFirst())
        let names = path.map(Self.argumentName)
        guard let part = parts.first(where: { names.starts(with: $0.path) }) else {
            return structureError(error, names)
        }
        let argument = part.argument
        switch argument.value {
        case .json(_, let source):
            let pathInArgument = Array(path.dropFirst(part.path.count))
            return jsonError(error, mismatch, argument, source, at: pathInArgument)
        case .text(let text):
            var expected = part.type.phrase
            // The type itself may have bounds that the parameter's shape does not tell: those of Int8.
            if let bounds = mismatch.expected, bounds.hasPrefix("integer from ") { expected = "an " + bounds }
            return .invalid(argument.path, text: text, expected: expected, position: argument.position)
        }
    }

    /// Returns the name of a step as the path of an argument has it: a field without the mark of its key, or a
    /// position.
    static func argumentName(of step: JSONPathComponent) -> String {
        switch step {
        case .key(let key): Coding.unmarked(key)
        case .index(let index): "\(index)"
        }
    }

    /// Describes an error of decoding at a place in an argument that is JSON.
    ///
    /// - Parameters:
    ///   - source: Where the JSON comes from, for the message.
    ///   - path: The way from the argument's value to the place.
    private func jsonError(
        _ error: DecodingError, _ mismatch: JSONMismatch, _ argument: Argument, _ source: String,
        at path: [JSONPathComponent]
    ) -> ArgumentError {
        let problem = argument.problem(words(for: error, mismatch), at: path)
        if case .missingKey = DecodingFailure(error).kind {
            return .missingKeyInJSON(argument.path, source: source, problem: problem, position: argument.position)
        }
        return .invalidJSON(argument.path, source: source, problem: problem, position: argument.position)
    }

    /// Returns what is wrong in an argument that is JSON, with a missing key as the API writes it.
    private func words(for error: DecodingError, _ mismatch: JSONMismatch) -> String {
        guard case .keyNotFound(let key, let context) = error else { return mismatch.problem }
        return "missing key \"\(coding.name(of: key, path: context.codingPath))\""
    }

    /// Describes an error in a structure that is given by its fields: a key is missing, or the type refuses the
    /// combination of fields.
    ///
    /// - Parameter path: The names and positions that lead to the structure.
    private func structureError(_ error: DecodingError, _ path: [String]) -> ArgumentError {
        if case .keyNotFound(let key, _) = error { return .missing([path + [key.stringValue]]) }
        let given = arguments.filter { $0.path.starts(with: path) }
        let fields = Set(given.compactMap { $0.path.dropFirst(path.count).first })
        let type = signature.type(at: path) ?? .any
        return .invalid(
            path, text: fields.sorted().joined(separator: " and "), expected: type.phrase,
            position: given.firstPosition)
    }
}

extension Argument {
    /// The number of opening brackets in JSON, which is at least its number of lists and objects. Brackets in strings
    /// count too.
    fileprivate var bracketCount: Int {
        guard case .json(let text, _) = value else { return 0 }
        return text.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    }
}
