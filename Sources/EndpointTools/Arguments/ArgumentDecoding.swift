import EndpointKit
import JSONText

extension API {
    /// Makes the call that arguments describe. The arguments are written as JSON, and the call is decoded from that
    /// JSON.
    ///
    ///     --id 550    →    {"movie": {"id": 550}}    →    .movie(id: 550)
    ///
    /// - Parameters:
    ///   - signature: The case of the API's enum, with its parameters.
    ///   - arguments: The values for the parameters.
    /// - Throws: An ``ArgumentError``, or an error of the call's own types that is not about decoding.
    static func makeCall(_ signature: Signature, arguments: [Argument]) throws -> Self {
        let writer = try ArgumentWriter(signature, arguments, coding: api.coding)
        do {
            let document = try JSONDocument(writer.jsonBytes)
            return try decodeCall(from: document, writtenBy: writer)
        } catch let error as JSONSyntaxError {
            throw writer.argumentError(error)
        }
    }

    /// Decodes a call from the JSON of its arguments, and checks that nothing of the arguments gets lost.
    ///
    /// - Parameters:
    ///   - document: The JSON that the writer has written.
    ///   - writer: The writer of the JSON, which knows the argument that each value comes from.
    /// - Throws: An ``ArgumentError``, a `JSONSyntaxError` if an argument is nested too deeply, or an error of the
    ///   call's own types that is not about decoding.
    private static func decodeCall(from document: JSONDocument, writtenBy writer: ArgumentWriter) throws -> Self {
        // The JSON has Swift's names of the case and its parameters, which must not be converted like the API's keys.
        let coding = api.coding.keepingNames
        do {
            let call = try JSONTextDecoder(coding: coding).decode(Self.self, from: document)
            try writer.checkLoss(in: call)
            return call
        } catch let error as DecodingError {
            let mismatch = JSONMismatch(error, in: document, coding: coding)
            throw writer.argumentError(error, mismatch: mismatch)
        }
    }
}

// MARK: - Errors

extension ArgumentWriter {
    /// Returns the error that the JSON of the call is too long, or nested too deeply.
    ///
    /// The error is about the argument with the most brackets, which is the likeliest cause.
    func argumentError(_ error: JSONSyntaxError) -> ArgumentError {
        let likeliest = writtenValues.max { $0.argument.bracketCount < $1.argument.bracketCount }
        let argument = likeliest?.argument
        return .invalidJSON(
            argument?.path ?? [], source: argument?.source ?? "", problem: error.problem, position: argument?.position)
    }

    /// Returns the error about the argument that kept the call from being decoded.
    ///
    /// A value is either written from a single argument, as text or JSON, or put together from several, such as
    /// `--box.width 3 --box.height 4`. If it is put together, the error is about the whole structure.
    ///
    /// - Parameters:
    ///   - error: The error of decoding the call from the JSON of its arguments.
    ///   - mismatch: The same error with the path to the value in the JSON.
    fileprivate func argumentError(_ error: DecodingError, mismatch: JSONMismatch) -> ArgumentError {
        // The first step is the name of the case.
        let jsonPath = Array(mismatch.path.dropFirst())
        let path = jsonPath.map(Self.argumentName)
        guard let writtenValue = writtenValues.first(where: { path.starts(with: $0.path) }) else {
            return structureError(error, at: path)
        }
        let argument = writtenValue.argument
        switch argument.value {
        case .json:
            let pathInArgument = Array(jsonPath.dropFirst(writtenValue.path.count))
            return jsonError(error, mismatch: mismatch, in: argument, at: pathInArgument)
        case .text(let text):
            let expected = Self.expectation(of: writtenValue.type, mismatch: mismatch)
            return .invalid(argument.path, text: text, expected: expected, position: argument.position)
        }
    }

    /// Returns the value in words that a text was expected to be: `an integer`, or `an integer from -128 to 127`.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - mismatch: The error of decoding the value. It has the bounds of a Swift type such as Int8, which `type` may
    ///     lack.
    private static func expectation(of type: Shape, mismatch: JSONMismatch) -> String {
        if let expected = mismatch.expected, expected.hasPrefix("integer from ") { return "an " + expected }
        return type.phrase
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
    ///   - mismatch: The same error in the words of a message.
    ///   - argument: The argument, whose value is JSON.
    ///   - path: The path from the argument's value to the value that does not fit.
    private func jsonError(
        _ error: DecodingError, mismatch: JSONMismatch, in argument: Argument, at path: [JSONPathComponent]
    ) -> ArgumentError {
        if case .keyNotFound(let key, let context) = error {
            // The name is the one that the API writes, not that of the model.
            let keyName = coding.name(of: key, path: context.codingPath)
            return argument.missingKeyError("missing key \"\(keyName)\"", at: path)
        }
        return argument.invalidJSONError(mismatch.problem, at: path)
    }

    /// Returns the error about a structure that is given by its fields, such as `--box.width 3 --box.height 4`.
    ///
    /// Either a field is missing, or the structure's type refuses the combination of fields.
    ///
    /// - Parameters:
    ///   - error: The error of decoding the structure.
    ///   - path: The names and positions that lead to the structure: `["box"]`.
    private func structureError(_ error: DecodingError, at path: [String]) -> ArgumentError {
        if case .keyNotFound(let key, _) = error { return .missing([path + [key.stringValue]]) }
        let type = signature.type(at: path) ?? .any
        return invalidFieldsError(of: path, expected: type.phrase)
    }

    /// Returns the error that the fields of a structure do not fit together. Its text names all fields that are given,
    /// such as `width and height`.
    ///
    /// - Parameters:
    ///   - path: The names and positions that lead to the structure.
    ///   - expected: The expected value in words, such as `a JSON object`.
    func invalidFieldsError(of path: [String], expected: String) -> ArgumentError {
        let argumentsOfStructure = arguments.filter { $0.path.starts(with: path) }
        let fieldNames = Set(argumentsOfStructure.compactMap { $0.path.dropFirst(path.count).first })
        let shownNames = fieldNames.sorted().joined(separator: " and ")
        return .invalid(
            path, text: shownNames, expected: expected, position: argumentsOfStructure.firstPosition)
    }
}

extension Argument {
    /// Returns the error that an object in the argument's JSON lacks a key.
    ///
    /// - Parameters:
    ///   - problem: The problem in words: `missing key "width"`.
    ///   - path: The path from the argument's value to the object.
    func missingKeyError(_ problem: String, at path: [JSONPathComponent]) -> ArgumentError {
        .missingKeyInJSON(self.path, source: source, problem: locatedProblem(problem, at: path), position: position)
    }

    /// Returns the error that a value in the argument's JSON does not fit.
    ///
    /// - Parameters:
    ///   - problem: The problem in words: `expected integer, found null`.
    ///   - path: The path from the argument's value to the value that does not fit.
    func invalidJSONError(_ problem: String, at path: [JSONPathComponent]) -> ArgumentError {
        .invalidJSON(self.path, source: source, problem: locatedProblem(problem, at: path), position: position)
    }

    /// The number of opening brackets in JSON, which is at least its number of lists and objects. Brackets in strings
    /// count too.
    fileprivate var bracketCount: Int {
        guard case .json(let text, _) = value else { return 0 }
        return text.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    }
}
