import EndpointKit
import JSONText

extension Signature {
    /// Returns the values that arguments give to the parameters of an endpoint that a document describes.
    ///
    ///     --id 550 --name.first Rex      {"id": 550, "name": {"first": "Rex"}}
    ///
    /// - Parameters:
    ///   - arguments: The values as people give them, each with the name of its parameter.
    ///   - shape: An object with the parameters as its fields. The values must have this shape, but they may have keys
    ///     that it does not name, which are sent.
    /// - Throws: An ``ArgumentError`` with all missing parameters, or else with the first value that does not fit.
    package func values(of arguments: [Argument], in shape: ModelShape) throws -> JSONValue {
        // A document names parameters as the API does, so no strategy converts their names.
        let writer = try ArgumentWriter(self, arguments, coding: Coding())
        // The writer has written an object, so the parameters are there even if no argument is given.
        let parameterValues = writer.parameterValues ?? [:]
        let document: JSONDocument
        do {
            document = try JSONDocument(Array(parameterValues.written))
        } catch let error as JSONSyntaxError {
            throw writer.argumentError(error)
        }
        if let mismatch = ShapeMismatch.first(in: document, as: shape) { throw writer.argumentError(mismatch) }
        return JSONValue(document)
    }
}

extension ArgumentWriter {
    /// The object with the parameters in ``jsonBytes``; nil if there is none.
    fileprivate var parameterValues: JSONValue? { (try? JSONValue(text: jsonBytes))?[signature.caseName] }

    /// Returns the error about an argument whose value does not have the shape of its parameter.
    ///
    /// A value is either written from a single argument, as text or JSON, or put together from several, such as
    /// `--box.width 3 --box.height 4`. If it is put together, the error is about the whole structure.
    ///
    /// - Parameter mismatch: The path to the value and what is wrong with it, such as the text `x` in place of an
    ///   integer at `["box", "width"]`.
    fileprivate func argumentError(_ mismatch: ShapeMismatch) -> ArgumentError {
        let path = mismatch.path.map(Self.argumentName)
        guard let writtenValue = writtenValues.first(where: { path.starts(with: $0.path) }) else {
            // One of several arguments is missing, or does not belong to the structure.
            if case .missingKey(let key) = mismatch.problem { return .missing([path + [key]]) }
            return invalidFieldsError(of: path, expected: mismatch.expected)
        }
        let argument = writtenValue.argument
        switch argument.value {
        case .text(let text):
            return .invalid(argument.path, text: text, expected: mismatch.expected, position: argument.position)
        case .json:
            let pathInArgument = Array(mismatch.path.dropFirst(writtenValue.path.count))
            if case .missingKey = mismatch.problem {
                return argument.missingKeyError(mismatch.sentence, at: pathInArgument)
            }
            return argument.invalidJSONError(mismatch.sentence, at: pathInArgument)
        }
    }
}
