import EndpointKit
import JSONText

extension API {
    /// Makes the call that arguments describe: they are written as JSON, from which the call is decoded.
    ///
    ///     --id 550    →    {"movie": {"id": 550}}    →    .movie(id: 550)
    ///
    /// - Parameters:
    ///   - signature: The case of the API's enum, with its parameters.
    ///   - arguments: The values for the parameters.
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

    /// Decodes a call from the JSON of its arguments, and checks that nothing of the arguments gets lost.
    ///
    /// - Parameters:
    ///   - document: The JSON.
    ///   - writer: The writer of the JSON, which knows the argument that each value comes from.
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
    /// Returns the error about an argument because of which the JSON of the call is too long, or nested too deeply.
    ///
    /// The likeliest cause is the argument with the most brackets.
    func argumentError(_ error: JSONSyntaxError) -> ArgumentError {
        let part = parts.max { $0.argument.bracketCount < $1.argument.bracketCount }
        let argument = part?.argument
        return .invalidJSON(
            argument?.path ?? [], source: argument?.source ?? "", problem: error.problem, position: argument?.position)
    }

    /// Returns the error about the argument because of which the call could not be decoded.
    ///
    /// - Parameters:
    ///   - error: The error of decoding the call from the JSON of its arguments.
    ///   - mismatch: The same error with the path to the value in the JSON.
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
            // The type itself may have bounds that the parameter's shape does not have, such as those of Int8.
            if let bounds = mismatch.expected, bounds.hasPrefix("integer from ") { expected = "an " + bounds }
            return .invalid(argument.path, text: text, expected: expected, position: argument.position)
        }
    }

    /// Returns the name of a step in JSON as the path of an argument has it: a field's name or a position, such as `0`.
    ///
    /// The JSON of a call has marked keys, which the coding does not convert. The name is without the mark.
    static func argumentName(of step: JSONPathComponent) -> String {
        switch step {
        case .key(let key): Coding.unmarked(key)
        case .index(let index): "\(index)"
        }
    }

    /// Returns the error about a value in an argument that is JSON.
    ///
    /// - Parameters:
    ///   - error: The error of decoding the value.
    ///   - mismatch: The same error with the words for a message.
    ///   - argument: The argument.
    ///   - source: Where the JSON comes from, for the message.
    ///   - path: The path from the argument's value to the value that does not fit.
    private func jsonError(
        _ error: DecodingError, _ mismatch: JSONMismatch, _ argument: Argument, _ source: String,
        at path: [JSONPathComponent]
    ) -> ArgumentError {
        let problem = argument.problem(problem(of: error, mismatch), at: path)
        if case .missingKey = DecodingFailure(error).kind {
            return .missingKeyInJSON(argument.path, source: source, problem: problem, position: argument.position)
        }
        return .invalidJSON(argument.path, source: source, problem: problem, position: argument.position)
    }

    /// Returns the problem with a value in an argument that is JSON: `expected integer, found null`. The name of a
    /// missing key is the one that the API writes.
    private func problem(of error: DecodingError, _ mismatch: JSONMismatch) -> String {
        guard case .keyNotFound(let key, let context) = error else { return mismatch.problem }
        return "missing key \"\(coding.name(of: key, path: context.codingPath))\""
    }

    /// Returns the error about a structure that is given by its fields, such as `--box.width 3 --box.height 4`.
    ///
    /// Either a field is missing, or the structure's type refuses the combination of fields.
    ///
    /// - Parameters:
    ///   - error: The error of decoding the structure.
    ///   - path: The names and positions that lead to the structure: `["box"]`.
    private func structureError(_ error: DecodingError, _ path: [String]) -> ArgumentError {
        if case .keyNotFound(let key, _) = error { return .missing([path + [key.stringValue]]) }
        let type = signature.type(at: path) ?? .any
        return invalidFields(of: path, expected: type.phrase)
    }

    /// Returns the error that the fields of a structure do not fit together: `width and height`.
    ///
    /// - Parameters:
    ///   - path: The names and positions that lead to the structure.
    ///   - expected: The expected value in words, such as `a JSON object`.
    func invalidFields(of path: [String], expected: String) -> ArgumentError {
        let argumentsOfStructure = arguments.filter { $0.path.starts(with: path) }
        let fieldNames = Set(argumentsOfStructure.compactMap { $0.path.dropFirst(path.count).first })
        return .invalid(
            path, text: fieldNames.sorted().joined(separator: " and "), expected: expected,
            position: argumentsOfStructure.firstPosition)
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
