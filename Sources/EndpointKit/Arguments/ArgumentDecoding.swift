import JSONText

extension EndpointDeclaration {
    /// The call that `arguments` describe.
    ///
    /// Throws ``ArgumentError``: all missing parameters at once, or the first value that does not fit.
    package func call(_ arguments: [Argument]) throws -> any API {
        try api.call(signature, arguments)
    }
}

extension API {
    fileprivate static func call(_ signature: Signature, _ arguments: [Argument]) throws -> Self {
        let writer = try ArgumentWriter(signature, arguments, coding)
        let reading = coding.readingNames
        do {
            let document = try JSONDocument(writer.text)
            do {
                let call = try JSONTextDecoder(coding: reading).decode(Self.self, from: document)
                try writer.checkLoss(in: call, signature.caseName)
                return call
            } catch let error as DecodingError {
                throw writer.argumentError(
                    error, JSONMismatch(error, in: document, coding: reading), in: document, signature, arguments)
            }
        } catch let error as JSONDocumentError {
            throw writer.argumentError(error)
        }
    }
}

extension ArgumentWriter {
    /// The error about an argument that is nested too deeply, or too long, in the text or for the thread.
    fileprivate func argumentError(_ error: JSONDocumentError) -> ArgumentError {
        var place = 0
        if case .tooDeep(let offset) = error { place = offset }
        if case .tooDeepForStack(let offset) = error { place = offset }
        let argument = (parts.first { $0.range.contains(place) } ?? parts.first)?.argument
        return .invalidJSON(
            argument?.path ?? [], source: argument?.shownText ?? "", problem: JSONMismatch(error, in: text).problem,
            position: argument?.position)
    }

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
