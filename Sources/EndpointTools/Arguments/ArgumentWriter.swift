import EndpointKit
import JSONText

/// Writes arguments as the JSON of a call, by the types of the parameters.
///
///     --id 550 --box.width 3 --tags a --tags b      {"add":{"id":550,"box":{"width":3},"tags":["a","b"]}}
struct ArgumentWriter {
    /// A value in the text that is one argument.
    struct Part {
        let argument: Argument
        let type: Shape
        /// The names and positions that lead there from the parameters.
        let place: [String]
    }

    private(set) var text: [UInt8] = []
    private(set) var parts: [Part] = []
    let coding: Coding
    /// The required parameters and fields that are not given.
    private var missing: [[String]] = []
    /// The first value that does not fit.
    private var failure: ArgumentError?

    /// Throws ``ArgumentError``: all missing parameters at once, or the first value that can't be of its type.
    init(_ signature: Signature, _ arguments: [Argument], _ coding: Coding) throws(ArgumentError) {
        self.coding = coding
        let parameters = fields(signature.root.fields, [], arguments)
        text = Array(JSONValue([(signature.caseName, parameters)]).written)
        if !missing.isEmpty { throw .missing(missing) }
        if let failure { throw failure }
    }

    /// The value at `place`, to which all of `given` belong.
    private mutating func value(
        _ type: Shape, _ place: [String], _ given: [Argument]
    ) throws(ArgumentError) -> JSONValue {
        let own = given.filter { $0.path.count <= place.count }
        let inner = given.filter { $0.path.count > place.count }
        if type.isScalar, !inner.isEmpty {
            throw .invalid(place, text: "fields", expected: type.phrase, position: inner.firstPosition)
        }
        if let argument = own.first, !inner.isEmpty {
            throw .bothWholeAndFields(place, position: argument.position)
        }
        if case .array(let element) = type, own.count != 1 || !own[0].startsArray {
            return try list(element, place, own, inner)
        }
        if own.count > 1 { throw .repeated(place, position: own[1].position) }
        guard var argument = own.first else { return try fields(of: type, place, inner) }
        if type.nonNull != nil, case .json(let text, _) = argument.value {
            argument.value = .text(String(exactBytes: text))
        }
        parts.append(Part(argument: argument, type: type, place: place))
        return try json(argument, type)
    }

    /// The JSON of an argument.
    private func json(_ argument: Argument, _ type: Shape) throws(ArgumentError) -> JSONValue {
        switch argument.value {
        case .text(let text):
            if let value = type.value(text, coding) { return value }
            throw .invalid(argument.path, text: text, expected: type.phrase, position: argument.position)
        case .json(let bytes, let source):
            if type.isScalar {
                let text = bytes.elementsEqual("[]".utf8) ? "[]" : type.choices == nil ? "JSON" : source
                throw .invalid(argument.path, text: text, expected: type.phrase, position: argument.position)
            }
            let problem: String
            do {
                let value = JSONValue(try JSONDocument(bytes))
                // A parameter that is null would be left out.
                if !value.isNull || type == .any { return value }
                problem = argument.problem("expected \(type.isArray ? "array" : "object"), found null", at: [])
            } catch {
                problem = "\(error)"
            }
            throw .invalidJSON(argument.path, source: source, problem: problem, position: argument.position)
        }
    }

    /// A list: an element for each argument, or one for each position if their fields are given.
    private mutating func list(
        _ type: Shape, _ place: [String], _ own: [Argument], _ inner: [Argument]
    ) throws(ArgumentError) -> JSONValue {
        var elements: [JSONValue] = []
        for argument in own { elements.append(try value(type, place + ["\(elements.count)"], [argument])) }
        var groups = Dictionary(grouping: inner) { $0.path[place.count] }
        while !groups.isEmpty {
            let position = "\(elements.count)"
            guard let group = groups.removeValue(forKey: position) else {
                throw .invalid(
                    place, text: groups.keys.min() ?? "", expected: "\(position) as the next position",
                    position: inner.firstPosition)
            }
            elements.append(try value(type, place + [position], group))
        }
        return JSONValue(elements)
    }

    /// A value that is given by its fields.
    private mutating func fields(
        of type: Shape, _ place: [String], _ given: [Argument]
    ) throws(ArgumentError) -> JSONValue {
        let groups = given.grouped { $0.path[place.count] }
        if case .dictionary(let value) = type {
            return JSONValue(groups.map { ($0.key, member(value, place + [$0.key], $0.elements)) })
        }
        if type.cases != nil, groups.count != 1 {
            let names = groups.map(\.key).sorted().joined(separator: " and ")
            throw .invalid(place, text: names, expected: "one of them", position: given.firstPosition)
        }
        return fields(type.fields, place, given)
    }

    private mutating func fields(_ fields: [Shape.Field], _ place: [String], _ given: [Argument]) -> JSONValue {
        var groups = given.grouped { $0.path[place.count] }
        var members: [(String, JSONValue)] = []
        for field in fields {
            if let index = groups.firstIndex(where: { $0.key == field.key }) {
                let arguments = groups.remove(at: index).elements
                members.append((coding.marked(field.key), member(field.shape, place + [field.key], arguments)))
            } else if !field.isOptional {
                missing += field.missing(under: place)
                members.append((coding.marked(field.key), [:]))
            }
        }
        if let other = groups.first {
            let position = other.elements.firstPosition
            failure = failure ?? .invalid(place, text: other.key, expected: "a field", position: position)
        }
        return JSONValue(members)
    }

    /// A value of those that are checked one after the other.
    private mutating func member(_ type: Shape, _ place: [String], _ given: [Argument]) -> JSONValue {
        do {
            return try value(type, place, given)
        } catch {
            failure = failure ?? error
            return .null
        }
    }
}

extension Shape.Field {
    /// Whether it need not be given.
    var mayBeLeftOut: Bool { isOptional || missing(under: []).isEmpty }

    /// What of this parameter is missing: of a structure without a label, which has no flag, the fields that there must be.
    fileprivate func missing(under parents: [String]) -> [[String]] {
        let path = parents + [key]
        guard position != nil, case .object(let fields) = shape, !fields.isEmpty else { return [path] }
        return fields.filter { !$0.isOptional }.flatMap { $0.missing(under: path) }
    }
}

extension Shape {
    /// Whether a value is one text.
    fileprivate var isScalar: Bool { nonNull != nil || !hasParts && !isArray }
}

extension Argument {
    fileprivate var startsArray: Bool {
        guard case .json(let text, _) = value else { return false }
        return text.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "[")
    }

    /// What is wrong at a path of a value in JSON that is given.
    func problem(_ problem: String, at path: [JSONPathComponent]) -> String {
        guard case .json(let text, _) = value, let document = try? JSONDocument(text) else { return problem }
        var slot = JSONDocument.root
        for step in path { slot = document.child(step, of: slot) ?? slot }
        let place = document.position(of: document.range(of: slot).lowerBound)
        return "\(path.pathText): \(problem) (line \(place.line), column \(place.column))"
    }
}

extension [Argument] {
    var firstPosition: Int? { compactMap(\.position).min() }
}
