import JSONText

/// Writes arguments as the JSON of a call, by the types of the parameters.
///
///     --id 550 --box.width 3 --tags a --tags b      {"add":{"id":550,"box":{"width":3},"tags":["a","b"]}}
struct ArgumentWriter {
    /// A value in the text that is one argument.
    struct Part {
        let argument: Argument
        let type: ParameterType
        /// Its bytes in the text.
        let range: Range<Int>
        /// How many keys and positions lead there.
        let depth: Int
        /// Its position in a list of which each element is an argument.
        let index: Int?
    }

    private(set) var text: [UInt8] = []
    private(set) var parts: [Part] = []
    private let coding: Coding
    /// Whether names are told from keys that the API converts.
    private let marksNames: Bool
    private var depth = 1
    /// The required parameters and fields that are not given.
    private var missing: [[String]] = []
    /// The first value that does not fit.
    private var failure: ArgumentError?

    /// Throws ``ArgumentError``: all missing parameters at once, or the first value that can't be of its type.
    init(_ signature: Signature, _ arguments: [Argument], _ coding: Coding) throws(ArgumentError) {
        self.coding = coding
        if case .useDefaultKeys = coding.keys { marksNames = false } else { marksNames = true }
        text.append(UInt8(ascii: "{"))
        appendName(signature.caseName)
        appendFields(signature.parameters, [], arguments)
        text.append(UInt8(ascii: "}"))
        if !missing.isEmpty { throw .missing(missing) }
        if let failure { throw failure }
    }

    /// Appends the value at `path`, to which all of `given` belong.
    private mutating func append(
        _ type: ParameterType, _ path: [String], _ given: [Argument], index: Int? = nil
    ) throws(ArgumentError) {
        let own = given.filter { $0.path.count == path.count }
        let inner = given.filter { $0.path.count > path.count }
        if type.isScalar, !inner.isEmpty {
            throw .invalid(path, text: "fields", expected: type.phrase, position: inner.firstPosition)
        }
        if let argument = own.first, !inner.isEmpty {
            throw .bothWholeAndFields(path, position: argument.position)
        }
        if case .array(let element) = type, index == nil, own.count != 1 || !own[0].startsArray {
            return try appendElements(element, path, own, inner)
        }
        if own.count > 1 { throw .repeated(path, position: own[1].position) }
        guard let argument = own.first else { return try appendParts(of: type, path, inner) }
        let start = text.count
        text += try bytes(argument, type)
        parts.append(Part(argument: argument, type: type, range: start..<text.count, depth: depth, index: index))
    }

    /// The JSON of an argument.
    private func bytes(_ argument: Argument, _ type: ParameterType) throws(ArgumentError) -> ArraySlice<UInt8> {
        switch argument.value {
        case .text(let text):
            if let token = type.token(text, coding) { return Array(token.utf8)[...] }
            throw .invalid(argument.path, text: text, expected: type.phrase, position: argument.position)
        case .json(let bytes, let source):
            if type.isScalar {
                var text = "JSON"
                if case .choice = type { text = source }
                throw .invalid(argument.path, text: text, expected: type.phrase, position: argument.position)
            }
            let problem: String
            do {
                let document = try JSONDocument(bytes)
                let value = JSONValue(document)
                // A parameter that is null would be left out.
                if !value.isNull || type == .json { return value.written }
                let kind = type.isArray ? "array" : "object"
                problem = argument.problem("expected \(kind), found null", at: [], offset: 0)
            } catch let error as JSONSyntaxError {
                problem = error.description
            } catch let error as JSONDocumentError {
                problem = JSONMismatch(error, in: bytes).description
            } catch {
                problem = "\(error)"
            }
            throw .invalidJSON(argument.path, source: source, problem: problem, position: argument.position)
        }
    }

    /// Appends the elements of a list: one for each argument, or one for each position if their fields are given.
    private mutating func appendElements(
        _ type: ParameterType, _ path: [String], _ own: [Argument], _ inner: [Argument]
    ) throws(ArgumentError) {
        text.append(UInt8(ascii: "["))
        depth += 1
        for (index, argument) in own.enumerated() {
            appendComma()
            try append(type, path, [argument], index: index)
        }
        var groups = Dictionary(grouping: inner) { $0.path[path.count] }
        for index in 0..<groups.count {
            guard let group = groups.removeValue(forKey: "\(index)") else {
                throw .invalid(
                    path, text: groups.keys.min() ?? "", expected: "\(index) as the next position",
                    position: inner.firstPosition)
            }
            appendComma()
            try append(type, path + ["\(index)"], group)
        }
        depth -= 1
        text.append(UInt8(ascii: "]"))
    }

    /// Appends what is given by its fields.
    private mutating func appendParts(
        of type: ParameterType, _ path: [String], _ inner: [Argument]
    ) throws(ArgumentError) {
        switch type {
        case .dictionary(let value):
            text.append(UInt8(ascii: "{"))
            for group in inner.groups(path.count) {
                appendComma()
                text += (JSONQuoting.quoted(group.name) + ":").utf8
                appendMember(value, path + [group.name], group.arguments)
            }
            text.append(UInt8(ascii: "}"))
        case .variants(let cases):
            let names = inner.groups(path.count).map(\.name).sorted()
            guard names.count == 1 else {
                throw .invalid(
                    path, text: names.joined(separator: " and "), expected: "one of them", position: inner.firstPosition
                )
            }
            appendFields(cases, path, inner)
        default: appendFields(type.fields, path, inner)
        }
    }

    private mutating func appendFields(_ fields: [Parameter], _ path: [String], _ given: [Argument]) {
        var groups = given.groups(path.count)
        text.append(UInt8(ascii: "{"))
        for field in fields {
            if let index = groups.firstIndex(where: { $0.name == field.name }) {
                appendComma()
                appendName(field.name)
                appendMember(field.type, path + [field.name], groups.remove(at: index).arguments)
            } else if !field.isOptional {
                missing += field.missing(under: path)
            }
        }
        if let other = groups.first, failure == nil {
            failure = .invalid(path, text: other.name, expected: "a field", position: other.arguments.firstPosition)
        }
        text.append(UInt8(ascii: "}"))
    }

    private mutating func appendName(_ name: String) {
        text += (JSONQuoting.quoted((marksNames ? String(Coding.nameMark) : "") + name) + ":").utf8
    }

    private mutating func appendMember(_ type: ParameterType, _ path: [String], _ given: [Argument]) {
        depth += 1
        defer { depth -= 1 }
        do {
            try append(type, path, given)
        } catch {
            failure = failure ?? error
        }
    }

    private mutating func appendComma() {
        if let last = text.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") { text.append(UInt8(ascii: ",")) }
    }
}

extension Parameter {
    /// What of this parameter is missing: of a structure without a label, which has no flag, the fields.
    fileprivate func missing(under parents: [String]) -> [[String]] {
        let path = parents + [name]
        guard position != nil, case .object(let fields) = type else { return [path] }
        let missing = fields.filter { !$0.isOptional }.flatMap { $0.missing(under: path) }
        return missing.isEmpty ? [path] : missing
    }
}

extension ParameterType {
    /// Whether a value is one text.
    fileprivate var isScalar: Bool {
        switch self {
        case .array, .dictionary, .object, .variants, .json: false
        default: true
        }
    }
}

extension Argument {
    fileprivate var startsArray: Bool {
        guard case .json(let text, _) = value else { return false }
        return text.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "[")
    }

    /// What is wrong with a value in JSON that is given, `offset` bytes after its start.
    func problem(_ problem: String, at path: [JSONPathComponent], offset: Int) -> String {
        guard case .json(let text, _) = value, let document = try? JSONDocument(text) else { return problem }
        let place = document.position(of: document.range(of: JSONDocument.root).lowerBound + offset)
        return ModelMismatch(model: "", path: path.pathText, problem: problem, line: place.line, column: place.column)
            .description
    }
}

extension [Argument] {
    var firstPosition: Int? { compactMap(\.position).min() }

    /// The arguments by their name at `depth` of their paths, in the order in which the names come first.
    fileprivate func groups(_ depth: Int) -> [(name: String, arguments: [Argument])] {
        var groups: [(name: String, arguments: [Argument])] = []
        var places: [String: Int] = [:]
        for argument in self {
            let name = argument.path[depth]
            if let place = places[name] {
                groups[place].arguments.append(argument)
            } else {
                places[name] = groups.count
                groups.append((name, [argument]))
            }
        }
        return groups
    }
}
