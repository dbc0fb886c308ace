import JSONText

extension EndpointDeclaration {
    /// The call that `arguments` describe.
    ///
    /// Throws ``ArgumentError``: all missing parameters at once, or the first value that does not fit.
    package func call(_ arguments: [Argument]) throws -> any API {
        let missing = signature.parameters.flatMap { $0.missing(in: arguments.map(\.path), under: []) }
        guard missing.isEmpty else { throw ArgumentError.missing(missing) }
        return try api.call(signature, arguments)
    }
}

extension Parameter {
    /// The required parameters missing from `given`: this one, or, if some of its fields are given, its other required fields.
    fileprivate func missing(in given: [[String]], under parents: [String]) -> [[String]] {
        let path = parents + [name]
        let own = given.filter { $0.starts(with: path) }
        guard !own.isEmpty else {
            if isOptional { return [] }
            // A structure without a label has no flag: its fields are missing.
            let fields = position == nil ? [] : type.objectFields.flatMap { $0.missing(in: own, under: path) }
            return fields.isEmpty ? [path] : fields
        }
        guard !own.contains(path) else { return [] }
        return type.objectFields.flatMap { $0.missing(in: own, under: path) }
            + type.variantFields.filter { variant in own.contains { $0.starts(with: path + [variant.name]) } }
            .flatMap { $0.missing(in: own, under: path) }
    }
}

extension ParameterType {
    fileprivate var objectFields: [Parameter] { if case .object(let fields) = self { fields } else { [] } }
    fileprivate var variantFields: [Parameter] { if case .variants(let cases) = self { cases } else { [] } }
}

extension API {
    fileprivate static func call(_ signature: Signature, _ arguments: [Argument]) throws -> Self {
        let writer = try ArgumentWriter(signature, arguments, coding)
        let reading = coding.readingNames
        let document: JSONDocument
        do {
            document = try JSONDocument(writer.text)
        } catch JSONDocumentError.tooDeep(let offset) {
            // Each argument alone is nested less deeply.
            let part = writer.parts.first { $0.range.contains(offset) }
            let problem = JSONMismatch(.tooDeep(offset: offset), in: writer.text).problem
            throw ArgumentError.invalidJSON(
                part?.argument.path ?? [], source: part?.argument.shownText ?? "", problem: problem,
                position: part?.argument.position)
        }
        do {
            let call = try JSONTextDecoder(coding: reading).decode(Self.self, from: document)
            try writer.checkLoss(in: call, signature.caseName)
            return call
        } catch let error as DecodingError {
            throw writer.argumentError(
                error, JSONMismatch(error, in: document, coding: reading), in: document, signature, arguments)
        }
    }
}

extension ArgumentWriter {
    /// The error about the argument that does not fit.
    fileprivate func argumentError(
        _ error: DecodingError, _ mismatch: JSONMismatch, in document: JSONDocument, _ signature: Signature,
        _ arguments: [Argument]
    ) -> ArgumentError {
        var slot = JSONDocument.root
        for step in mismatch.path {
            guard let next = document.child(step, of: slot) else { break }
            slot = next
        }
        let offset = document.range(of: slot).lowerBound
        guard let part = parts.first(where: { $0.range.contains(offset) }) else {
            return Self.argumentError(error, at: mismatch.path, signature, arguments)
        }
        let argument = part.argument
        switch argument.value {
        case .json(_, let source):
            let problem = argument.problem(
                mismatch.problem, at: Array(mismatch.path.dropFirst(part.depth)), offset: offset - part.range.lowerBound
            )
            return .invalidJSON(argument.path, source: source, problem: problem, position: argument.position)
        case .text(let text):
            let bounds = mismatch.expected.flatMap { $0.hasPrefix("integer from ") ? "an " + $0 : nil }
            return .invalid(
                argument.path, text: text, expected: bounds ?? part.type.phrase, position: argument.position)
        }
    }

    /// The error about what is made of several arguments: a key that is missing, or a type that rejects its fields.
    private static func argumentError(
        _ error: DecodingError, at path: [JSONPathComponent], _ signature: Signature, _ arguments: [Argument]
    ) -> ArgumentError {
        let names = path.dropFirst().map { step in
            switch step {
            case .key(let key): Coding.unmarked(key)
            case .index(let index): "\(index)"
            }
        }
        if case .keyNotFound(let key, _) = error { return .missing([names + [key.stringValue]]) }
        let given = arguments.filter { $0.path.starts(with: names) }
        let fields = Set(given.compactMap { $0.path.dropFirst(names.count).first }).sorted()
        return .invalid(
            names, text: fields.joined(separator: " and "), expected: (signature.type(at: names) ?? .json).phrase,
            position: given.firstPosition)
    }
}

extension Argument {
    /// The value as messages show it.
    fileprivate var shownText: String {
        switch value {
        case .text(let text): text
        case .json(_, let source): source
        }
    }
}

extension Coding {
    /// Starts a key that is the name of a case, a parameter or a field as Swift has it: a scalar for private use.
    static let nameMark: Unicode.Scalar = "\u{10FFFD}"

    /// This coding, which reads keys with that mark as names that the strategy does not apply to.
    fileprivate var readingNames: Coding {
        if case .useDefaultKeys = keys { return self }
        var copy = self
        copy.keys = .custom(
            decode: { path in
                guard let key = path.last else { return PositionKey.super }
                let name = Self.unmarked(key.stringValue)
                if name != key.stringValue { return PositionKey(stringValue: name) }
                if case .custom(let decode, _) = keys { return decode(path) }
                return PositionKey(stringValue: modelKey(key.stringValue))
            }, encode: { $0.last ?? PositionKey.super })
        return copy
    }

    fileprivate static func unmarked(_ key: String) -> String {
        key.unicodeScalars.first == nameMark ? String(key.unicodeScalars.dropFirst()) : key
    }
}
