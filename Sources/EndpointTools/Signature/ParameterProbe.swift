import EndpointKit
import JSONText

/// Calls of an endpoint that differ from one call in a single parameter.
///
/// They show where a parameter goes: what changes in the request is the parameter's. Several values are tried, because
/// one of them may be what the endpoint sends anyway.
package struct ParameterProbe: Sendable {
    /// The number of other values that are tried for a parameter. Each of them costs building a request.
    private static let maxChanges = 4

    /// A call, with the value that one parameter has in it.
    package struct Change: Sendable {
        package let call: any API
        /// The value's texts: several for an array, none if the parameter is left out.
        package let texts: [String]
        /// The value as the API writes it; nil if the parameter is left out.
        package let json: JSONValue?
        package let request: ParameterTexts

        /// Describes a call by the value that `parameter` has in it; nil if the parameter is left out.
        fileprivate init(_ call: any API, _ request: ParameterTexts, _ parameter: Parameter, _ value: CallValue?) {
            self.call = call
            self.request = request
            texts = value?.texts(parameter.type) ?? []
            json = value?.shown
        }
    }

    /// The calls that differ from ``original`` in one parameter.
    package struct Trial: Sendable {
        /// The parameter with its value in ``original``.
        package let parameter: Parameter
        /// The original call.
        package let unchanged: Change
        /// Calls with other values; empty if the parameter's type accepts none of those that are tried.
        package let changes: [Change]
        /// The call without the parameter; nil if it is required.
        package let omission: Change?
        /// The calls that show where the parameter goes: those with other values, or else the one without it.
        package let informativeCalls: [Change]
        /// The items in which the requests of ``informativeCalls`` and the original request differ.
        package let difference: [ParameterTexts.Item]

        fileprivate init(
            _ parameter: Parameter, unchanged: Change, changes: [Change], omission: Change?
        ) {
            self.parameter = parameter
            self.unchanged = unchanged
            self.changes = changes
            self.omission = omission
            if changes.isEmpty, let omission {
                informativeCalls = [omission]
            } else {
                informativeCalls = changes
            }
            difference = informativeCalls.flatMap { unchanged.request.difference($0.request) }
        }
    }

    package let declaration: EndpointDeclaration
    /// The call whose parameters are changed: the first example with a body, or else a made-up call with one, so that
    /// optional bodies are seen.
    package let original: any API
    /// The request of ``original``.
    package let request: ParameterTexts
    /// A trial for each parameter.
    package let trials: [Trial]

    /// Makes the calls by changing the parameters of the endpoint's first call, or of another one if only that has a
    /// body.
    package init(_ declaration: EndpointDeclaration) {
        self.init(declaration, declaration.firstCall, declaration.firstValue)
        // The body of a POST may depend on an optional parameter that the first call does not have.
        guard !declaration.endpoint.method.isRetrieval, original.endpoint.body == nil else { return }
        let optionalTrials = trials.filter(\.parameter.isOptional)
        let candidates = declaration.examples + optionalTrials.flatMap(\.changes).map(\.call)
        guard let callWithBody = candidates.first(where: { $0.endpoint.body != nil }) else { return }
        let value = try? CallValue(callWithBody, declaration.signature.caseName)
        // Starts over, because the trials of a call without a body do not show what goes into the body.
        self.init(declaration, callWithBody, value)
    }

    /// Makes a trial for each parameter by changing it in `original` and building the request again.
    ///
    /// - Parameters:
    ///   - declaration: The endpoint.
    ///   - original: The call whose parameters are changed, one at a time.
    ///   - value: The values of the parameters in `original`; nil if they can't be encoded. The trials then start from
    ///     a call without parameters.
    private init(_ declaration: EndpointDeclaration, _ original: any API, _ value: CallValue?) {
        let editor = CallEditor(declaration, value)
        let request = editor.request(of: original)
        // The parameters as they are in the original call, not in the examples.
        let signature = value.map(declaration.signature.filled) ?? declaration.signature
        // Building a request runs the app's code, which may rely on the endpoint's rules. For example,
        // `months[number - 1]` traps unless a rule keeps `number` within 1...12. So the values to try come from shapes
        // within the bounds of the rules.
        let fields = declaration.bounded(declaration.signature.root, in: declaration.signature.shape).fields
        self.declaration = declaration
        self.original = original
        self.request = request
        // Both are made from the fields of the signature's root, in the same order.
        trials = zip(signature.parameters, fields).map { parameter, field in
            let unchanged = Change(original, request, parameter, value?[parameter.name])
            let changes = Self.changes(of: parameter, field.shape, editor, from: request)
            let omission = parameter.isOptional ? editor.call(setting: parameter.name, to: nil) : nil
            return Trial(
                parameter, unchanged: unchanged, changes: changes,
                omission: omission.map { Change($0, editor.request(of: $0), parameter, nil) })
        }
    }

    /// Returns calls with other values for a parameter.
    ///
    /// Two calls are enough for a single value once a request differs from the original one: the second shows what the
    /// first may hide. A value with parts gets up to ``maxChanges`` calls, because each may change another part.
    ///
    /// - Parameters:
    ///   - shape: The values that the parameter may have, within the bounds of the endpoint's rules.
    ///   - request: The original request.
    private static func changes(
        of parameter: Parameter, _ shape: Shape, _ editor: CallEditor, from request: ParameterTexts
    ) -> [Change] {
        var changes: [Change] = []
        var limit = maxChanges
        for json in shape.otherValues(than: editor.value(of: parameter.name)) {
            if changes.count >= limit { break }
            guard let call = editor.call(setting: parameter.name, to: json) else { continue }
            // A model may change the value while it decodes it.
            let value = (try? CallValue(call, editor.caseName))?[parameter.name]
            let change = Change(call, editor.request(of: call), parameter, value)
            changes.append(change)
            if !parameter.type.hasParts, change.request != request { limit = 2 }
        }
        return changes
    }
}

/// Makes calls that differ from one call in a single parameter.
private struct CallEditor {
    let api: any API.Type
    let caseName: String
    /// The parameters of the call by their Swift names, with values as the models write them.
    private let members: [(String, JSONValue)]

    /// Prepares to edit the call with that value. Without a value, each call has one parameter only.
    init(_ declaration: EndpointDeclaration, _ value: CallValue?) {
        api = declaration.api
        caseName = declaration.signature.caseName
        members = (value?.plain.members ?? []).map { ($0.key, $0.value) }
    }

    /// Returns the parameter's value in the call; nil if it has none.
    func value(of name: String) -> JSONValue? { members.first { $0.0 == name }?.1 }

    /// Returns the call with another value for a parameter; nil if the parameter's type refuses the value.
    ///
    /// - Parameter value: The value as the model writes it; nil leaves the parameter out.
    func call(setting name: String, to value: JSONValue?) -> (any API)? {
        var parameters = members.filter { $0.0 != name }
        if let value { parameters.append((name, value)) }
        let call = JSONValue([(caseName, JSONValue(parameters))])
        return try? api.plainCoding.decode(api, from: Array(call.written)) as any API
    }

    /// Returns the parts of a call's request.
    func request(of call: any API) -> ParameterTexts { ParameterTexts(call.placedEndpoint, of: api) }
}

extension Shape {
    /// Returns JSON values of this shape that differ from `own`, the most informative first.
    ///
    /// A probe puts these values into a call in place of `own` to see what changes in the request. The values have the
    /// keys and dates of the Swift models, not those of the API's coding strategies, because calls are decoded that
    /// way.
    ///
    ///     integer, own 71        2, 1001, 93, 3
    ///     string, own "a"        "ax", "ayz", "q"
    ///     [string], own ["a"]    ["ax", "ayz"], ["ayz", "q"], ["ax"]
    ///
    /// Callers try only the first few values. So lists of two elements come before the list of one: only they show how
    /// the elements of a list are joined.
    ///
    /// - Parameters:
    ///   - own: The value in the original call; nil if it has none. Strings, lists and objects are made from it,
    ///     because most of its parts are as the endpoint needs them.
    ///   - depth: The number of values around this one. Values deeper than 8 are not made, so that the recursion ends
    ///     whatever the shape is.
    /// - Returns: The values; empty if none of this shape is known.
    fileprivate func otherValues(than own: JSONValue?, depth: Int = 0) -> [JSONValue] {
        guard depth < 8 else { return [] }
        let all: [JSONValue] =
            switch self {
            case .scalar(let scalar): scalar.otherValues(than: own)
            case .values(let values): values
            case .array(let element):
                Self.lists(element.otherValues(than: own?.elements?.first, depth: depth + 1))
            // The keys are data that says nothing about the endpoint, so `own` is not needed: one made-up key will do.
            case .dictionary(let value): value.otherValues(than: nil, depth: depth + 1).map { ["a": $0] } + [[:]]
            case .object(let fields): Self.objects(fields, than: own, depth: depth + 1)
            case .nullable(let shape): shape.otherValues(than: own, depth: depth + 1) + [.null]
            case .variants(let cases): Self.variants(cases, than: own, depth: depth + 1)
            case .model, .alternatives, .null, .any: Self.scalars(than: own, depth: depth) + [0, "x", ["a": 1]]
            }
        return all.filter { $0 != own }
    }

    /// Returns up to two values for each case of an enum with associated values.
    private static func variants(_ cases: [Field], than own: JSONValue?, depth: Int) -> [JSONValue] {
        cases.flatMap { field in
            let values = objects(field.shape.fields, than: own?[field.key], depth: depth)
            return values.prefix(2).map { JSONValue([(field.key, $0)]) }
        }
    }

    /// Returns a list of each two neighbours among `elements`, and last a list of the first one alone.
    ///
    /// For example, `[a, b, c]` becomes `[[a, b], [b, c], [a]]`.
    private static func lists(_ elements: [JSONValue]) -> [JSONValue] {
        let pairs = zip(elements, elements.dropFirst()).map { JSONValue([$0, $1]) }
        let single = elements.prefix(1).map { JSONValue([$0]) }
        return pairs + single
    }

    /// Returns objects with these fields that differ from `own`: copies of it with other fields, or new ones if it is
    /// no object.
    private static func objects(_ fields: [Field], than own: JSONValue?, depth: Int) -> [JSONValue] {
        if let own, own.members != nil { return copies(of: own, changing: fields, depth: depth) }
        let required = fields.filter { !$0.isOptional }
        if required.isEmpty, !fields.isEmpty {
            // An object without any field might change nothing in the request, so these get one each.
            return copies(of: [:], changing: fields, depth: depth)
        }
        return newObjects(required, depth: depth)
    }

    /// Returns two objects that have only the required fields; none if no value is known for one of the fields.
    ///
    /// The first object takes the first value of each field, the second object the second value. A field that has a
    /// single value has it in both.
    private static func newObjects(_ required: [Field], depth: Int) -> [JSONValue] {
        let valuesOfFields = required.map { $0.shape.otherValues(than: nil, depth: depth) }
        if valuesOfFields.contains(where: \.isEmpty) { return [] }
        return (0..<2).map { number in
            let members = zip(required, valuesOfFields).map { field, values in
                (field.key, values[number % values.count])
            }
            return JSONValue(members)
        }
    }

    /// Returns copies of an object: one with other values for all fields, then up to two for each field in which only
    /// that field differs.
    ///
    /// For example, with the fields `a` (integer) and `b` (boolean), `{"a": 1, "b": true}` becomes:
    ///
    ///     {"a": 71, "b": false}
    ///     {"b": true, "a": 71}
    ///     {"b": true, "a": 2}
    ///     {"a": 1, "b": false}
    ///
    private static func copies(of object: JSONValue, changing fields: [Field], depth: Int) -> [JSONValue] {
        // Without known fields, whatever the object has is changed.
        if fields.isEmpty { return scalars(than: object, depth: depth) }
        var firstChanges: [(String, JSONValue)] = []
        var singleChanges: [(String, JSONValue)] = []
        for field in fields {
            let values = field.shape.otherValues(than: object[field.key], depth: depth).prefix(2)
            let changes = values.map { (field.key, $0) }
            firstChanges += changes.prefix(1)
            singleChanges += changes
        }
        var copies: [JSONValue] = []
        // All fields change in one copy too, because callers try only the first few values.
        if firstChanges.count > 1 { copies.append(object.copy(setting: firstChanges)) }
        copies += singleChanges.map { object.copy(setting: [$0]) }
        return copies
    }

    /// Returns copies of `value`, in each of which one boolean, number or string is another one.
    private static func scalars(than value: JSONValue?, depth: Int) -> [JSONValue] {
        guard let value, depth < 8 else { return [] }
        switch value.content {
        case .null: return []
        case .bool(let isTrue): return [JSONValue(!isTrue)]
        case .number: return [1, 2].filter { $0 != value }
        case .string(let text): return [JSONValue(text + "x")]
        case .array(let elements):
            // Only the first element is changed: the others are of the same type.
            guard let first = elements.first else { return [] }
            let others = scalars(than: first, depth: depth + 1)
            return others.map { JSONValue([$0] + elements.dropFirst()) }
        case .object(let members):
            return members.flatMap { member in
                let others = scalars(than: member.value, depth: depth + 1)
                return others.map { value.copy(replacing: member.key, with: $0) }
            }
        }
    }
}

extension Shape.Scalar {
    /// Returns values of this type. They are unlikely to be in a request by chance, and within the type's bounds.
    ///
    /// - Parameter own: The value to differ from. Texts start with it, because an endpoint may read its first
    ///   characters.
    fileprivate func otherValues(than own: JSONValue?) -> [JSONValue] {
        switch self {
        case .boolean: return [true, false]
        case .integer(let bounds):
            let range = bounds.map { Double($0.lowerBound)...Double($0.upperBound) }
            return Self.numbers([71, 2, 1001, 93, 3], within: range)
        case .number(let range): return Self.numbers([71.5, 2.25, 1001.5, 93], within: range)
        case .string, .data:
            let text = own?.string ?? ""
            return [JSONValue(text + "x"), JSONValue(text + "yz"), "q"]
        case .url: return ["https://example.com/x", "https://example.com/y"]
        case .uuid: return ["00000000-0000-0000-0000-0000000000AB", "00000000-0000-0000-0000-0000000000CD"]
        case .date: return ["2001-02-03T04:05:06Z", "2002-03-04T05:06:07Z"]
        }
    }

    /// Returns those of `candidates` that are within a range, and the numbers at the range's ends.
    private static func numbers(_ candidates: [Double], within range: ClosedRange<Double>?) -> [JSONValue] {
        let range = range ?? -Double.infinity...Double.infinity
        let ends = [range.lowerBound, range.lowerBound + 1, range.upperBound - 1, range.upperBound]
        // Ends that far out are those of a type such as Int32, not of a rule.
        let nearEnds = ends.filter { $0.magnitude < 1e9 }
        let numbers = (candidates + nearEnds).filter(range.contains)
        return numbers.grouped(by: \.self).map { group in
            if let integer = Int(exactly: group.key) { JSONValue(integer) } else { JSONValue(group.key) }
        }
    }
}

extension JSONValue {
    /// Returns a copy of an object with other values for some members, which come last.
    fileprivate func copy(setting changes: [(String, JSONValue)]) -> JSONValue {
        let keptMembers = (members ?? []).filter { member in !changes.contains { $0.0 == member.key } }
        return JSONValue(keptMembers.map { ($0.key, $0.value) } + changes)
    }

    /// Returns a copy of an object with another value for the member `key`, which stays where it is.
    fileprivate func copy(replacing key: String, with value: JSONValue) -> JSONValue {
        let newMembers = (members ?? []).map { ($0.key, $0.key == key ? value : $0.value) }
        return JSONValue(newMembers)
    }
}
