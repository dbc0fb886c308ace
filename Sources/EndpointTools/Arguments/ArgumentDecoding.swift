import EndpointKit
import JSONText

extension EndpointDeclaration {
    /// The call that `arguments` describe.
    ///
    /// Throws ``ArgumentError``: all missing parameters at once, or the first value that does not fit.
    package func call(_ arguments: [Argument]) throws -> any API { try api.call(signature, arguments) }
}

extension API {
    fileprivate static func call(_ signature: Signature, _ arguments: [Argument]) throws -> Self {
        let writer = try ArgumentWriter(signature, arguments, coding)
        let reading = coding.keepingNames
        do {
            let document = try JSONDocument(writer.text)
            do {
                let call = try JSONTextDecoder(coding: reading).decode(Self.self, from: document)
                try writer.checkLoss(in: call, signature.caseName)
                return call
            } catch let error as DecodingError {
                throw writer.argumentError(
                    error, JSONMismatch(error, in: document, coding: reading), signature, arguments)
            }
        } catch let error as JSONSyntaxError {
            throw writer.argumentError(error)
        }
    }
}

extension ArgumentWriter {
    /// The error about an argument that is nested too deeply, or too long, in the text or for the thread: the one with the most brackets.
    fileprivate func argumentError(_ error: JSONSyntaxError) -> ArgumentError {
        let argument = parts.max { $0.argument.bracketCount < $1.argument.bracketCount }?.argument
        var source = ""
        if case .json(_, let name)? = argument?.value { source = name }
        return .invalidJSON(
            argument?.path ?? [], source: source, problem: error.problem, position: argument?.position)
    }

    /// The error about the argument that does not fit.
    fileprivate func argumentError(
        _ error: DecodingError, _ mismatch: JSONMismatch, _ signature: Signature, _ arguments: [Argument]
    ) -> ArgumentError {
        let names = mismatch.path.dropFirst().map { step in
            switch step {
            case .key(let key): Coding.unmarked(key)
            case .index(let index): "\(index)"
            }
        }
        guard let part = parts.first(where: { names.starts(with: $0.place) }) else {
            // What is made of several arguments: a key is missing, or a type rejects its fields.
            if case .keyNotFound(let key, _) = error { return .missing([names + [key.stringValue]]) }
            let given = arguments.filter { $0.path.starts(with: names) }
            let fields = Set(given.compactMap { $0.path.dropFirst(names.count).first }).sorted()
            return .invalid(
                names, text: fields.joined(separator: " and "), expected: (signature.type(at: names) ?? .any).phrase,
                position: given.firstPosition)
        }
        let argument = part.argument
        switch argument.value {
        case .json(_, let source):
            var words = mismatch.problem
            if case .keyNotFound(let key, let context) = error {
                words = "missing key \"\(coding.name(of: key, path: context.codingPath))\""
            }
            let problem = argument.problem(words, at: Array(mismatch.path.dropFirst(1 + part.place.count)))
            return .invalidJSON(argument.path, source: source, problem: problem, position: argument.position)
        case .text(let text):
            let bounds = mismatch.expected.flatMap { $0.hasPrefix("integer from ") ? "an " + $0 : nil }
            return .invalid(
                argument.path, text: text, expected: bounds ?? part.type.phrase, position: argument.position)
        }
    }
}

extension ArgumentWriter {
    /// Throws ``ArgumentError`` if something of an argument would silently be dropped or changed by sending `call`: of JSON a key or a null; the
    /// digits of a number.
    fileprivate func checkLoss(in call: some API, _ caseName: String) throws {
        var whole: CallValue?
        for part in parts {
            let given: JSONValue
            switch part.argument.value {
            case .json(let text, _): given = try JSONValue(text: text)
            case .text(let text):
                // No type that holds numbers loses fewer digits.
                guard case .scalar(.number) = part.type, text.utf8.count > 6, let number = part.type.value(text, coding)
                else { continue }
                given = number
            }
            var problem: String?
            do {
                whole = try whole ?? CallValue(call, caseName)
                let sent = part.place.reduce(whole) { $0?[$1] }
                problem = sent.flatMap { Self.loss(of: given, in: $0.shown) }
            } catch EncodingError.invalidValue(_, let context) {
                problem = context.debugDescription
            }
            guard let problem else { continue }
            let source = if case .json(_, let source) = part.argument.value { source } else { "" }
            throw ArgumentError.invalidJSON(
                part.argument.path, source: source, problem: problem, position: part.argument.position)
        }
    }

    private static func loss(of given: JSONValue, in sent: JSONValue) -> String? {
        // Without recursion, because the text may be nested deeply; the last pair is the next one.
        var open: [(given: JSONValue, sent: JSONValue?, path: [JSONPathComponent])] = [(given, sent, [])]
        while let (given, sent, path) = open.popLast() {
            let place = path.pathText
            guard let sent else {
                return place + (given.isNull ? ": null would not be sent; leave the key out" : ": unknown key")
            }
            switch (given.content, sent.content) {
            case (.object(let members), .object(let others)):
                var keys: Set<String> = []
                if let twice = members.first(where: { !keys.insert($0.key).inserted }),
                    others.count(where: { $0.key == twice.key }) < 2
                {
                    return (path + [.key(twice.key)]).pathText + ": given twice"
                }
                open += members.map { ($1, sent[$0], path + [.key($0)]) }.reversed()
            case (.array(let elements), .array(let others)):
                open += zip(elements, others).enumerated().map { ($1.0, $1.1, path + [.index($0)]) }.reversed()
            case (.number(let number), .number(let other)):
                // A number that is another one on purpose, such as in another unit, is not a loss of digits.
                if Double(number) == Double(other), !areSame(number, other) {
                    return (path.isEmpty ? "" : place + ": ") + "\(number) would be sent as \(other)"
                }
            default: break
            }
        }
        return nil
    }

    /// Whether two texts are the same number, whatever their spelling: `1.0`, `1` and `10e-1` are the same. A decimal holds 38 digits.
    private static func areSame(_ one: String, _ other: String) -> Bool {
        one == other || max(one.utf8.count, other.utf8.count) <= 38 && Decimal(string: one) == Decimal(string: other)
    }
}

extension Argument {
    /// How many lists and objects a value in JSON has, at most.
    fileprivate var bracketCount: Int {
        if case .json(let text, _) = value {
            text.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
        } else {
            0
        }
    }
}
