import EndpointKit
import JSONText

/// Writes the arguments of a command line as the JSON of a call, by the types of the parameters.
///
///     --id 550 --box.width 3 --tags a --tags b      {"add":{"id":550,"box":{"width":3},"tags":["a","b"]}}
struct ArgumentWriter {
    /// A value in the JSON that comes from a single argument.
    struct WrittenValue {
        let argument: Argument
        let type: Shape
        /// The names and positions that lead to the value from the parameters: `["records", "0", "name"]`.
        let path: [String]
    }

    let signature: Signature
    let arguments: [Argument]
    let coding: Coding
    /// The JSON of the call.
    private(set) var jsonBytes: [UInt8] = []
    /// The values in the JSON that come from a single argument each.
    private(set) var writtenValues: [WrittenValue] = []
    /// The paths of the required parameters and fields that are not given.
    private var missingPaths: [[String]] = []
    /// The error about the first value that does not fit; nil if all values fit.
    private var firstError: ArgumentError?

    /// Writes the JSON of the call that arguments describe, and notes which argument each value in it comes from.
    ///
    /// Writing does not stop at the first problem, so that one error can name all missing parameters. It collects
    /// ``missingPaths`` and ``firstError``, and only afterwards one of them is thrown.
    ///
    /// - Parameters:
    ///   - signature: The case of the API's enum, with its parameters.
    ///   - arguments: The values for the parameters.
    ///   - coding: How the API writes keys and dates.
    /// - Throws: An ``ArgumentError`` with all missing parameters, or else with the first value that can't be of its
    ///   type.
    init(_ signature: Signature, _ arguments: [Argument], coding: Coding) throws(ArgumentError) {
        self.signature = signature
        self.arguments = arguments
        self.coding = coding
        // Besides the values that it returns, this fills `writtenValues`, `missingPaths` and `firstError`.
        let parameterValues = writeObject(with: signature.root.fields, at: [], from: arguments)
        let call = JSONValue([(signature.caseName, parameterValues)])
        jsonBytes = Array(call.written)
        if !missingPaths.isEmpty { throw .missing(missingPaths) }
        if let firstError { throw firstError }
    }

    /// Returns the value that arguments give to a parameter, or to a part of one.
    ///
    /// Each argument that gives a whole value is noted in ``writtenValues``, and the path of each required field that
    /// is not given in ``missingPaths``. The first error about a field of a structure is kept as ``firstError``.
    ///
    ///     --id 550                     550
    ///     --box '{"width": 3}'         {"width": 3}      the whole value in JSON
    ///     --box.width 3                {"width": 3}      by its fields
    ///     --tags a --tags b            ["a", "b"]
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - path: The names and positions that lead to the value, such as `["box"]`.
    ///   - arguments: The arguments for the value and for the fields in it.
    /// - Throws: An ``ArgumentError`` if the value is given twice or in two ways, or does not fit its type.
    private mutating func writeValue(
        of type: Shape, at path: [String], from arguments: [Argument]
    ) throws(ArgumentError) -> JSONValue {
        // A longer path than that of the value leads to a field in it.
        let wholeValues = arguments.filter { $0.path.count <= path.count }
        let fields = arguments.filter { $0.path.count > path.count }
        if !fields.isEmpty { try Self.validateFields(fields, of: type, at: path, wholeValues: wholeValues) }
        if case .array(let elementType) = type {
            let isListInJSON = wholeValues.count == 1 && wholeValues[0].isJSONArray
            // Otherwise each argument gives one element or a field of one.
            if !isListInJSON {
                return try writeList(of: elementType, at: path, wholeElements: wholeValues, elementFields: fields)
            }
        }
        if wholeValues.count > 1 { throw .repeated(path, position: wholeValues[1].position) }
        if let wholeValue = wholeValues.first { return try writeWholeValue(of: type, at: path, from: wholeValue) }
        return try writeStructure(of: type, at: path, from: fields)
    }

    /// Checks that a value may be given by its fields: its type has fields, and no argument gives the whole value.
    ///
    /// - Parameters:
    ///   - fields: The arguments for the fields, of which there is at least one.
    ///   - type: The type of the value.
    ///   - path: The names and positions that lead to the value.
    ///   - wholeValues: The arguments that give the value as a whole.
    /// - Throws: An ``ArgumentError`` if the value is a scalar, or if there are arguments for the whole value too.
    private static func validateFields(
        _ fields: [Argument], of type: Shape, at path: [String], wholeValues: [Argument]
    ) throws(ArgumentError) {
        if type.isScalar {
            throw .invalid(path, text: "fields", expected: type.phrase, position: fields.firstPosition)
        }
        if let wholeValue = wholeValues.first { throw .bothWholeAndFields(path, position: wholeValue.position) }
    }

    /// Returns the value that a single argument gives as a whole, and adds it to ``writtenValues``.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - path: The names and positions that lead to the value.
    ///   - argument: The argument, whose value is text or JSON.
    /// - Throws: An ``ArgumentError`` if the value does not fit its type.
    private mutating func writeWholeValue(
        of type: Shape, at path: [String], from argument: Argument
    ) throws(ArgumentError) -> JSONValue {
        var argumentAsRead = argument
        // Only the text tells `null` from `"null"`: the first means null, the second is a string. So if the type may be
        // null, JSON is read as a text, which is parsed together with the type.
        let isNullable = type.nonNull != nil
        if isNullable, case .json(let bytes, _) = argument.value {
            argumentAsRead.value = .text(String(exactBytes: bytes))
        }
        writtenValues.append(WrittenValue(argument: argumentAsRead, type: type, path: path))
        switch argumentAsRead.value {
        case .text(let text):
            if let value = type.typedValue(ofText: text, coding: coding) { return value }
            throw .invalid(argument.path, text: text, expected: type.phrase, position: argument.position)
        case .json(let bytes, let source):
            return try parseJSON(bytes, from: source, of: argumentAsRead, as: type)
        }
    }

    /// Parses the value of an argument that is JSON: `--box '{"width": 3}'`, or `--box @box.json`.
    ///
    /// - Parameters:
    ///   - bytes: The text of the JSON, which may be malformed.
    ///   - source: Where the JSON comes from, for messages: the text itself, or the name of a file.
    ///   - argument: The argument that has the JSON, for errors.
    ///   - type: The type of the value. Only structures and lists are written as JSON: a scalar is written as its text,
    ///     so JSON is refused for it.
    /// - Throws: An ``ArgumentError`` if the text is not JSON, or is JSON that the type does not take.
    private func parseJSON(
        _ bytes: [UInt8], from source: String, of argument: Argument, as type: Shape
    ) throws(ArgumentError) -> JSONValue {
        if type.isScalar {
            let text = Self.shownText(of: bytes, from: source, type: type)
            throw .invalid(argument.path, text: text, expected: type.phrase, position: argument.position)
        }
        let value: JSONValue
        do {
            value = JSONValue(try JSONDocument(bytes))
        } catch {
            throw .invalidJSON(argument.path, source: source, problem: "\(error)", position: argument.position)
        }
        // A null would decode as a parameter that is left out. Only a parameter that takes any JSON can send it.
        if value.isNull, type != .any {
            let expected = type.isArray ? "array" : "object"
            throw argument.invalidJSONError("expected \(expected), found null", at: [])
        }
        return value
    }

    /// Returns the text that stands for JSON in the error that a scalar was expected: the JSON's source if an enum was
    /// expected, or else the word JSON.
    private static func shownText(of json: [UInt8], from source: String, type: Shape) -> String {
        // People type `[]` for an empty list, and recognise it in the message.
        if json.elementsEqual("[]".utf8) { return "[]" }
        let isEnum = type.choices != nil
        return isEnum ? source : "JSON"
    }

    /// Returns a list whose elements are given in one of two ways: each by one argument, or by its fields.
    ///
    ///     --tags a --tags b                             ["a","b"]
    ///     --records.0.name a --records.1.name b         [{"name":"a"},{"name":"b"}]
    ///
    /// Precondition: `wholeElements` or `elementFields` is empty.
    ///
    /// - Parameters:
    ///   - elementType: The type of the elements.
    ///   - path: The names and positions that lead to the list.
    ///   - wholeElements: The arguments, each of which gives one element, in the order of the elements.
    ///   - elementFields: The arguments that give fields of elements. Their paths have the element's position after
    ///     `path`.
    /// - Throws: An ``ArgumentError`` if a value does not fit, or if a position is missing, such as 1 between 0 and 2.
    private mutating func writeList(
        of elementType: Shape, at path: [String], wholeElements: [Argument], elementFields: [Argument]
    ) throws(ArgumentError) -> JSONValue {
        var elements: [JSONValue] = []
        for argument in wholeElements {
            elements.append(try writeValue(of: elementType, at: path + ["\(elements.count)"], from: [argument]))
        }
        var fieldsByPosition = Dictionary(grouping: elementFields) { $0.path[path.count] }
        while !fieldsByPosition.isEmpty {
            let nextPosition = "\(elements.count)"
            guard let fieldsOfElement = fieldsByPosition.removeValue(forKey: nextPosition) else {
                throw Self.positionError(at: path, expected: nextPosition, fieldsByPosition: fieldsByPosition)
            }
            elements.append(try writeValue(of: elementType, at: path + [nextPosition], from: fieldsOfElement))
        }
        return JSONValue(elements)
    }

    /// Returns the error that no field is given for the next element of a list. It is about the lowest position after
    /// the gap.
    ///
    /// For example, with fields for the elements 0, 2 and 10, the next element is 1, and the error is about 2.
    ///
    /// - Parameters:
    ///   - path: The names and positions that lead to the list.
    ///   - nextPosition: The position that is missing.
    ///   - fieldsByPosition: The arguments for the elements after it, by position. There is at least one.
    private static func positionError(
        at path: [String], expected nextPosition: String, fieldsByPosition: [String: [Argument]]
    ) -> ArgumentError {
        // A name that is no position comes after all positions, and several such names in the order of the alphabet.
        let lowest = fieldsByPosition.min { left, right in
            let leftPosition = Int(left.key) ?? .max
            let rightPosition = Int(right.key) ?? .max
            return (leftPosition, left.key) < (rightPosition, right.key)
        }
        return .invalid(
            path, text: lowest?.key ?? "", expected: "\(nextPosition) as the next position",
            position: lowest?.value.firstPosition)
    }

    /// Returns an object, a dictionary or an enum with associated values that is given by its fields.
    ///
    ///     --box.width 3 --box.height 4      {"width": 3, "height": 4}      an object
    ///     --prices.tea 2 --prices.pie 5     {"tea": 2, "pie": 5}           a dictionary
    ///     --shape.circle.radius 2           {"circle": {"radius": 2}}      an enum, whose fields are its cases
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - path: The names and positions that lead to the value: `["box"]`.
    ///   - arguments: The arguments for its fields. Their paths have the name of the field after `path`.
    /// - Throws: An ``ArgumentError`` if several cases of an enum are given.
    private mutating func writeStructure(
        of type: Shape, at path: [String], from arguments: [Argument]
    ) throws(ArgumentError) -> JSONValue {
        let argumentsByFieldName = arguments.grouped { $0.path[path.count] }
        if case .dictionary(let valueType) = type {
            let members = argumentsByFieldName.map { key, arguments in
                (key, writeField(of: valueType, at: path + [key], from: arguments))
            }
            return JSONValue(members)
        }
        let isEnum = type.cases != nil
        if isEnum, argumentsByFieldName.count != 1 {
            let caseNames = argumentsByFieldName.map(\.key).sorted().joined(separator: " and ")
            throw .invalid(path, text: caseNames, expected: "one of them", position: arguments.firstPosition)
        }
        // The fields of an enum are its cases, all of them optional, so the one with arguments is written.
        return writeObject(with: type.fields, at: path, from: arguments)
    }

    /// Writes an object with the fields for which there are arguments.
    ///
    /// Problems are noted instead of thrown, because the other fields are still to be looked at. The paths of required
    /// fields without arguments are added to ``missingPaths``. The error about an argument for a field that the object
    /// does not have is kept as ``firstError``.
    ///
    /// - Parameters:
    ///   - fields: The fields that the object may have.
    ///   - path: The names and positions that lead to the object.
    ///   - arguments: The arguments for its fields. Their paths have the name of the field after `path`.
    private mutating func writeObject(
        with fields: [Shape.Field], at path: [String], from arguments: [Argument]
    ) -> JSONValue {
        // Fields are removed from these as they are written, so that the unknown ones are left.
        var remainingFields = arguments.grouped { $0.path[path.count] }
        var members: [(String, JSONValue)] = []
        for field in fields {
            // The mark keeps the API's strategy for keys from changing a name that is already a Swift name.
            let markedKey = coding.marked(field.key)
            if let index = remainingFields.firstIndex(where: { $0.key == field.key }) {
                let fieldArguments = remainingFields.remove(at: index).elements
                let value = writeField(of: field.shape, at: path + [field.key], from: fieldArguments)
                members.append((markedKey, value))
            } else if !field.isOptional {
                missingPaths += field.requiredPaths(under: path)
                // A structure without a label, all of whose fields are optional, has no required paths and is sent as
                // an empty object. In any other case a path is missing, and the call is not sent.
                members.append((markedKey, [:]))
            }
        }
        if let unknownField = remainingFields.first {
            let position = unknownField.elements.firstPosition
            keepIfFirst(.invalid(path, text: unknownField.key, expected: "a field", position: position))
        }
        return JSONValue(members)
    }

    /// Returns the value of a field, or null if its arguments do not fit.
    ///
    /// The error is kept as ``firstError`` and not thrown, because other fields may be missing, which is reported
    /// first.
    ///
    /// - Parameters:
    ///   - type: The type of the field.
    ///   - path: The names and positions that lead to the field.
    ///   - arguments: The arguments for the field and for the fields in it.
    private mutating func writeField(of type: Shape, at path: [String], from arguments: [Argument]) -> JSONValue {
        do {
            return try writeValue(of: type, at: path, from: arguments)
        } catch {
            keepIfFirst(error)
            // This value is never sent, because an error is thrown after all fields have been looked at.
            return .null
        }
    }

    /// Keeps an error as ``firstError`` if there is none yet.
    private mutating func keepIfFirst(_ error: ArgumentError) {
        if firstError == nil { firstError = error }
    }
}

extension Shape.Field {
    /// Whether the field need not be given. A parameter is a field of its call.
    var mayBeLeftOut: Bool { isOptional || requiredPaths(under: []).isEmpty }

    /// Returns the paths that an error names if this required field is not given. A parameter is a field of its call.
    ///
    /// Mostly that is the path of the field itself. A structure without a label, such as the one in `add(Box)`, has no
    /// option of its own on the command line, but one for each of its fields. So the paths are those of its required
    /// fields, and there are none if all of its fields are optional.
    ///
    /// - Parameter parentPath: The path of the value that has this field; empty for a parameter.
    fileprivate func requiredPaths(under parentPath: [String]) -> [[String]] {
        let ownPath = parentPath + [key]
        // A structure without fields can only be named itself.
        guard isUnlabelled, case .object(let innerFields) = shape, !innerFields.isEmpty else { return [ownPath] }
        let requiredFields = innerFields.filter { !$0.isOptional }
        return requiredFields.flatMap { $0.requiredPaths(under: ownPath) }
    }
}

extension Shape {
    /// Whether a value is one text on the command line. A value that may be null always is, because the text may be
    /// `null`.
    fileprivate var isScalar: Bool {
        let isNullable = nonNull != nil
        return isNullable || (!hasParts && !isArray)
    }
}

extension Argument {
    /// Whether the value is JSON that starts a list.
    fileprivate var isJSONArray: Bool {
        guard case .json(let text, _) = value else { return false }
        return text.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "[")
    }

    /// Returns a message about a value in JSON: `$.box.width: expected integer, found null (line 2, column 7)`.
    ///
    /// - Parameters:
    ///   - problem: The problem with the value: `expected integer, found null`.
    ///   - path: The path from the argument's value to the value with the problem. If it leads to no value, the line
    ///     and column are those of the last value on the path.
    func locatedProblem(_ problem: String, at path: [JSONPathComponent]) -> String {
        // Only a JSON document has paths and lines to name.
        guard case .json(let text, _) = value, let document = try? JSONDocument(text) else { return problem }
        var lastValue: DocumentIndex = JSONDocument.root
        for step in path {
            if let innerValue = document.child(step, of: lastValue) { lastValue = innerValue }
        }
        let position = document.position(of: document.range(of: lastValue).lowerBound)
        return "\(path.pathText): \(problem) (line \(position.line), column \(position.column))"
    }
}
