import EndpointKit
import JSONText

extension ArgumentWriter {
    /// Checks that a call sends everything that its arguments give.
    ///
    /// A parameter's type may ignore keys that it does not know, drop null, and round numbers. People would not notice
    /// that something else was sent than what they gave. So the call is encoded again and compared with the arguments.
    ///
    /// - Throws: An ``ArgumentError`` about the first argument of which a part would be dropped or changed, or if a
    ///   value of the call can't be encoded. Any other error of encoding the call.
    func checkLoss(in call: some API) throws {
        // Most calls have no argument that may lose something, and need not be encoded.
        let comparedValues = writtenValues.filter(\.mayLoseSomething)
        guard let firstValue = comparedValues.first else { return }
        let encodedCall: CallValue
        do {
            encodedCall = try CallValue(call, signature.caseName)
        } catch EncodingError.invalidValue(_, let context) {
            // Which argument can't be encoded is not looked up: the error is about the first of them.
            throw firstValue.argument.lossError(context.debugDescription)
        }
        for writtenValue in comparedValues {
            guard let givenValue = try json(givenBy: writtenValue) else { continue }
            // A type that encodes the value in another place of the call can't be checked.
            guard let sentValue = encodedCall.value(at: writtenValue.path) else { continue }
            let loss = GivenAndSentValue.firstLoss(of: givenValue, in: sentValue.shown)
            if let loss { throw writtenValue.argument.lossError(loss) }
        }
    }

    /// Returns the JSON that an argument gives; nil for a text that is no value of its type.
    ///
    /// - Throws: A `JSONSyntaxError` in theory. In practice the JSON has been parsed before.
    private func json(givenBy writtenValue: WrittenValue) throws -> JSONValue? {
        switch writtenValue.argument.value {
        case .json(let bytes, _): try JSONValue(text: bytes)
        case .text(let text): writtenValue.type.typedValue(ofText: text, coding: coding)
        }
    }
}

extension ArgumentWriter.WrittenValue {
    /// Whether the type of the value may drop or change a part of it: the value is JSON or a long number.
    fileprivate var mayLoseSomething: Bool {
        switch argument.value {
        case .json:
            return true
        case .text(let text):
            // Shorter numbers lose nothing: a Float keeps 6 digits, and other types keep more.
            guard case .scalar(.number) = type else { return false }
            return text.utf8.count > 6
        }
    }
}

extension Argument {
    /// Returns the error that a part of the argument would not be sent, or would be changed.
    fileprivate func lossError(_ problem: String) -> ArgumentError {
        .invalidJSON(path, source: source, problem: problem, position: position)
    }
}

extension CallValue {
    /// Returns the value at a path of keys and positions; nil if there is none.
    fileprivate func value(at path: [String]) -> CallValue? {
        var reachedValue: CallValue? = self
        for name in path { reachedValue = reachedValue?[name] }
        return reachedValue
    }
}

/// A value in an argument, and the value that is sent for it.
private struct GivenAndSentValue {
    /// The value in the argument.
    let given: JSONValue
    /// The value that is sent; nil if there is none.
    let sent: JSONValue?
    /// The keys and positions that lead from the argument's whole value to this one.
    let path: [JSONPathComponent]

    /// Returns the first difference between a value that was given and the value that is sent, in the words of a
    /// message: `$.colour: unknown key`. Nil if there is none.
    static func firstLoss(of given: JSONValue, in sent: JSONValue) -> String? {
        // A depth-first search with a stack instead of recursion, because the JSON may be nested deeply. The last
        // pending value is the next to be compared.
        var pending = [GivenAndSentValue(given: given, sent: sent, path: [])]
        while let next = pending.popLast() {
            if let loss = next.ownLoss { return loss }
            pending += next.innerValues.reversed()
        }
        return nil
    }

    /// The loss in this value itself, in the words of a message; nil if there is none.
    ///
    ///     {"a": 1, "a": 2}      $.a: given twice, if the model keeps one of them
    ///     1.00000000000000001   1.00000000000000001 would be sent as 1
    ///
    /// Losses in its members and elements are found in ``innerValues``.
    private var ownLoss: String? {
        guard let sent else {
            let reason = given.isNull ? "null would not be sent; leave the key out" : "unknown key"
            return "\(path.pathText): \(reason)"
        }
        switch (given.content, sent.content) {
        case (.object(let members), .object(let sentMembers)):
            guard let repeatedKey = Self.firstRepeatedKey(members.map(\.key)) else { return nil }
            // A model may keep both values, as JSONValue does.
            let keepsBoth = sentMembers.count { $0.key == repeatedKey } >= 2
            if keepsBoth { return nil }
            return (path + [.key(repeatedKey)]).pathText + ": given twice"
        case (.number(let number), .number(let sentNumber)):
            // A type may send quite another number, such as one in another unit. That is no loss of digits.
            let isOtherNumber = Double(number) != Double(sentNumber)
            if isOtherNumber || Self.areEqual(number, sentNumber) { return nil }
            let prefix = path.isEmpty ? "" : path.pathText + ": "
            return "\(prefix)\(number) would be sent as \(sentNumber)"
        default: return nil
        }
    }

    /// The members or elements of the argument's value, each with what is sent for it. Elements that are not sent are
    /// left out.
    private var innerValues: [GivenAndSentValue] {
        guard let sent else { return [] }
        switch (given.content, sent.content) {
        case (.object(let members), .object):
            return members.map { key, value in
                GivenAndSentValue(given: value, sent: sent[key], path: path + [.key(key)])
            }
        case (.array(let elements), .array(let sentElements)):
            return zip(elements, sentElements).enumerated().map { index, elementPair in
                let (element, sentElement) = elementPair
                return GivenAndSentValue(given: element, sent: sentElement, path: path + [.index(index)])
            }
        default:
            // A type may send a value of another kind, whose parts can't be compared.
            return []
        }
    }

    /// Returns the first key that an object has had before; nil if all differ.
    private static func firstRepeatedKey(_ keys: [String]) -> String? {
        var earlierKeys: Set<String> = []
        for key in keys {
            let isNew = earlierKeys.insert(key).inserted
            if !isNew { return key }
        }
        return nil
    }

    /// Whether two texts are the same number, whatever their spelling: `1.0`, `1` and `10e-1` are.
    ///
    /// A Decimal holds 38 digits, so that longer texts are only the same number if they are spelled the same.
    private static func areEqual(_ number: String, _ other: String) -> Bool {
        if number == other { return true }
        guard number.utf8.count <= 38, other.utf8.count <= 38 else { return false }
        return Decimal(string: number) == Decimal(string: other)
    }
}
