import EndpointKit
import JSONText

/// Calls of an endpoint that differ from one call in a single parameter. They show where each parameter goes.
///
/// An endpoint is Swift code that makes a request out of its parameters. It does not declare where a parameter goes, so
/// that is found out by experiment. The requests are only built, never sent. For an endpoint `movie(id:language:)`,
/// these could be the calls and their requests:
///
///     movie(id: 550, language: "en")      /movie/550?language=en      the original call
///     movie(id: 71, language: "en")       /movie/71?language=en       the trial of id
///     movie(id: 2, language: "en")        /movie/2?language=en
///     movie(id: 550, language: "enx")     /movie/550?language=enx     the trial of language
///     movie(id: 550, language: "enyz")    /movie/550?language=enyz
///
/// So `id` goes into the path, and `language` into the query. Several values are tried for a parameter, because one of
/// them may be what the endpoint sends anyway.
package struct ParameterProbe: Sendable {
    /// The number of other values that are tried for a parameter. Each of them costs building a request.
    private static let maxChanges = 4

    /// The number of parameters of all requests that are built, apart from a small factor. Without a limit, 10,000
    /// parameters would take minutes, because each is tried with requests that have all others. Up to 1,000 parameters
    /// are all tried.
    private static let maxRequestParameters = 1_000_000

    /// A call, with its request and with the value that one parameter has in it.
    package struct Change: Sendable {
        package let call: EndpointCall
        /// The value's texts: several for an array, none if the parameter is left out.
        package let texts: [String]
        /// The value as the API writes it; nil if the parameter is left out.
        package let json: JSONValue?
        package let request: ParameterTexts

        /// Describes a call by the value of one parameter.
        ///
        /// - Parameters:
        ///   - request: The request of `call`.
        ///   - parameter: The parameter whose value is described.
        ///   - value: The parameter's value in `call`; nil if the parameter is left out.
        fileprivate init(_ call: EndpointCall, request: ParameterTexts, of parameter: Parameter, value: CallValue?) {
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
        /// The items in which the requests of ``informativeCalls`` and the original request differ, of both requests:
        /// the path's `550` and `71` if 71 is tried in place of 550.
        package let difference: [ParameterTexts.Item]

        /// Collects the calls that differ from the original call in one parameter, and compares their requests.
        ///
        /// - Parameters:
        ///   - parameter: The parameter that differs.
        ///   - unchanged: The original call.
        ///   - changes: Calls with other values for the parameter.
        ///   - omission: The call without the parameter. It only counts in the comparison if `changes` is empty.
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
            var difference: [ParameterTexts.Item] = []
            for call in informativeCalls { difference += unchanged.request.difference(call.request) }
            self.difference = difference
        }
    }

    package let declaration: EndpointDeclaration
    /// The call whose parameters are changed: the first example with a body, or else a made-up call with one, so that
    /// optional bodies are seen.
    package let original: EndpointCall
    /// The request of ``original``.
    package let request: ParameterTexts
    /// A trial for each parameter. If there are very many parameters, the trials of the last ones have no other calls.
    package let trials: [Trial]

    /// Builds the requests that show where the parameters of an endpoint go, by changing one parameter of a call at a
    /// time.
    ///
    /// The call is the endpoint's first one. If that has no body but another call has one, the other call is used,
    /// because only a request with a body shows what goes into the body. For example, the endpoint of
    /// `rename(id: Int, name: String?)` may have a body only if there is a name.
    package init(_ declaration: EndpointDeclaration) {
        self.init(declaration, changing: declaration.firstCall, declaration.firstValues)
        let hasBody = original.endpoint.body != nil
        if hasBody || declaration.endpoint.method.isRetrieval { return }

        let trialsOfOptionals = trials.filter(\.parameter.isOptional)
        let callsWithOptionals = trialsOfOptionals.flatMap(\.changes).map(\.call)
        let otherCalls = declaration.examples + callsWithOptionals
        guard let callWithBody = otherCalls.first(where: { $0.endpoint.body != nil }) else { return }
        let parameterValues = try? callWithBody.values()
        self.init(declaration, changing: callWithBody, parameterValues)
    }

    /// Changes each parameter of a call in turn, and builds the requests.
    ///
    /// - Parameters:
    ///   - declaration: The endpoint.
    ///   - original: The call whose parameters are changed.
    ///   - parameterValues: The values of the parameters in `original`. They are nil if they can't be encoded. Each
    ///     call then has only the parameter that is tried.
    private init(_ declaration: EndpointDeclaration, changing original: EndpointCall, _ parameterValues: CallValue?) {
        let editor = CallEditor(declaration, parameterValues)
        let request = editor.request(of: original)
        var signature = declaration.signature
        // The parameters get their values from the original call, not from the examples.
        if let parameterValues { signature = signature.filled(with: parameterValues) }
        // Building a request runs the app's code, which may rely on the endpoint's rules. For example,
        // `months[number - 1]` traps unless a rule keeps `number` within 1...12. So only values within the bounds of
        // the rules are tried.
        let boundedRoot = declaration.bounded(declaration.signature.root, in: declaration.signature.shape)

        let maxTrials = Self.maxRequestParameters / max(boundedRoot.fields.count, 1)
        var trials: [Trial] = []
        // The root is an object whose fields are the parameters, in the same order.
        for (parameter, field) in zip(signature.parameters, boundedRoot.fields) {
            let isTried = trials.count < maxTrials
            let originalValue = parameterValues?[parameter.name]
            let trial = Trial(
                parameter,
                unchanged: Change(original, request: request, of: parameter, value: originalValue),
                changes: isTried ? Self.changes(of: parameter, to: field.shape, editor, originalRequest: request) : [],
                omission: isTried ? Self.omission(of: parameter, editor) : nil)
            trials.append(trial)
        }
        self.declaration = declaration
        self.original = original
        self.request = request
        self.trials = trials
    }

    /// Returns calls that differ from the original call in the value of one parameter, each with its request.
    ///
    /// If the parameter is 550 in the original call, the other calls may have 71 and 2. There are at most
    /// ``maxChanges`` calls.
    ///
    /// For a single value, such as a number or a text, two calls are enough as soon as the request has changed. The
    /// second one shows what the first may hide, such as a place that has 71 anyway. A value with parts, such as an
    /// object, gets all calls, because each may change another part.
    ///
    /// The first value for an object changes all of its fields. If the parameter's type refuses that value, there is a
    /// call for each field, because otherwise a field that never changes would look like a constant.
    ///
    /// - Parameters:
    ///   - parameter: The parameter that gets other values.
    ///   - shape: The shape of the other values, within the bounds of the endpoint's rules.
    ///   - editor: Makes the calls.
    ///   - originalRequest: The request of the original call.
    private static func changes(
        of parameter: Parameter, to shape: Shape, _ editor: CallEditor, originalRequest: ParameterTexts
    ) -> [Change] {
        let isSingleValue = !parameter.type.hasParts
        var changes: [Change] = []
        var limit = maxChanges
        for (index, newValue) in shape.otherValues(than: editor.value(of: parameter.name)).enumerated() {
            if changes.count >= limit { break }
            guard let call = editor.call(setting: parameter.name, to: newValue) else {
                if index == 0, !shape.fields.isEmpty { limit = Shape.maxCopies }
                continue
            }
            // Read the value back from the call: its type may have changed the value while it decoded it.
            let decodedValue = (try? call.values())?[parameter.name]
            let change = Change(call, request: editor.request(of: call), of: parameter, value: decodedValue)
            changes.append(change)
            if isSingleValue, change.request != originalRequest { limit = 2 }
        }
        return changes
    }

    /// Returns the call without an optional parameter; nil if the parameter is required.
    private static func omission(of parameter: Parameter, _ editor: CallEditor) -> Change? {
        guard parameter.isOptional, let call = editor.call(setting: parameter.name, to: nil) else { return nil }
        return Change(call, request: editor.request(of: call), of: parameter, value: nil)
    }
}

/// Makes calls that differ from one call in a single parameter.
///
/// The values of a call are edited as JSON: `{"id": 550}` becomes `{"id": 71}`.
private struct CallEditor {
    private let declaration: EndpointDeclaration
    /// The parameters of the call by their Swift names, with values as the models write them.
    private let parameters: [(String, JSONValue)]

    /// Prepares to edit a call.
    ///
    /// - Parameters:
    ///   - declaration: The endpoint of the call.
    ///   - parameterValues: The call's parameters. If they are nil, each edited call has one parameter only.
    init(_ declaration: EndpointDeclaration, _ parameterValues: CallValue?) {
        self.declaration = declaration
        let members = parameterValues?.plain.members ?? []
        parameters = members.map { ($0.key, $0.value) }
    }

    /// Returns the parameter's value in the call; nil if it has none.
    func value(of name: String) -> JSONValue? { parameters.first { $0.0 == name }?.1 }

    /// Returns the call with another value for a parameter; nil if the parameter's type refuses the value.
    ///
    /// - Parameters:
    ///   - name: The parameter's Swift name.
    ///   - value: The value as the model writes it; nil leaves the parameter out.
    func call(setting name: String, to value: JSONValue?) -> EndpointCall? {
        var newParameters = parameters.filter { $0.0 != name }
        if let value { newParameters.append((name, value)) }
        return try? declaration.source.call(values: JSONValue(newParameters))
    }

    /// Returns the parts of a call's request.
    func request(of call: EndpointCall) -> ParameterTexts { ParameterTexts(call.endpoint, of: declaration.api) }
}

// MARK: - Values to try

extension Shape {
    /// The number of levels of lists and objects that made-up values may have. It ends the recursion for shapes that
    /// are nested very deeply. Values that are sent rarely have as many levels.
    private static let maxValueDepth = 8

    /// The number of copies of an object that are made with one other value. Callers try a few of them, and each takes
    /// time in proportion to the object, which may have thousands of fields.
    fileprivate static let maxCopies = 50

    /// Returns JSON values of this shape to try in place of a parameter's value, the most informative first.
    ///
    /// A call with each of these values shows what the parameter changes in the request:
    ///
    ///     integer, original 71        2, 1001, 93, 3
    ///     string, original "a"        "ax", "ayz", "q"
    ///     [string], original ["a"]    ["ax", "ayz"], ["ayz", "q"], ["ax"]
    ///
    /// Callers try only the first few values. The values have the keys and dates of the Swift models, not those that
    /// the API writes.
    ///
    /// - Parameters:
    ///   - original: The value in the original call; nil if it has none. Strings, lists and objects are made from it,
    ///     because most of its parts are as the endpoint needs them.
    ///   - depth: The number of values around this one.
    /// - Returns: The values, all different from `original`; empty if no value of this shape is known.
    fileprivate func otherValues(than original: JSONValue?, depth: Int = 0) -> [JSONValue] {
        guard depth < Self.maxValueDepth else { return [] }
        var candidates: [JSONValue]
        switch self {
        case .scalar(let scalar):
            candidates = scalar.candidates(inPlaceOf: original)
        case .values(let allowedValues):
            candidates = allowedValues
        case .array(let element):
            let elements = element.otherValues(than: original?.elements?.first, depth: depth + 1)
            candidates = Self.lists(of: elements)
        case .dictionary(let value):
            // A single made-up key will do, because keys are data and say nothing about the endpoint.
            let values = value.otherValues(than: nil, depth: depth + 1)
            candidates = values.map { ["a": $0] }
            candidates.append([:])
        case .object(let fields), .open(let fields, _):
            candidates = Self.objects(fields, inPlaceOf: original, depth: depth + 1)
        case .nullable(let shape):
            candidates = shape.otherValues(than: original, depth: depth + 1)
            candidates.append(.null)
        case .variants(let cases):
            candidates = Self.variants(cases, inPlaceOf: original, depth: depth + 1)
        case .model, .alternatives, .null, .any:
            candidates = Self.copiesWithOneChange(of: original, depth: depth)
            candidates += [0, "x", ["a": 1]]
        }
        return candidates.filter { $0 != original }
    }

    /// Returns up to two values for each case of an enum with associated values: `{"circle": {"radius": 71}}`.
    ///
    /// - Parameters:
    ///   - cases: The enum's cases. Each has its associated values as fields.
    ///   - original: The enum's value in the original call; nil if it has none.
    ///   - depth: The number of values around the enum's value.
    private static func variants(_ cases: [Field], inPlaceOf original: JSONValue?, depth: Int) -> [JSONValue] {
        var variants: [JSONValue] = []
        for enumCase in cases {
            let originalObject = original?[enumCase.key]
            let objects = objects(enumCase.shape.fields, inPlaceOf: originalObject, depth: depth)
            for object in objects.prefix(2) { variants.append(JSONValue([(enumCase.key, object)])) }
        }
        return variants
    }

    /// Returns a list of each two neighbours among `elements`, and last a list of the first one alone.
    ///
    /// For example, `[a, b, c]` becomes `[[a, b], [b, c], [a]]`. The pairs come first, because only lists of several
    /// elements show how a request joins them.
    private static func lists(of elements: [JSONValue]) -> [JSONValue] {
        let pairs = zip(elements, elements.dropFirst()).map { JSONValue([$0, $1]) }
        let single = elements.prefix(1).map { JSONValue([$0]) }
        return pairs + single
    }

    /// Returns objects to try in place of an object in a call.
    ///
    /// They are copies of the original object with other values for some fields. If there is no original object, they
    /// are new ones that have only the fields that they need.
    ///
    /// - Parameters:
    ///   - fields: The fields that the objects may have.
    ///   - original: The value in the original call. It is nil, or no object, if there is nothing to copy.
    ///   - depth: The number of values around the objects.
    private static func objects(_ fields: [Field], inPlaceOf original: JSONValue?, depth: Int) -> [JSONValue] {
        if let original, original.members != nil {
            return copies(of: original, changing: fields, depth: depth)
        }
        let requiredFields = fields.filter { !$0.isOptional }
        if requiredFields.isEmpty, !fields.isEmpty {
            // All fields are optional. An object without any might change nothing in the request, so add fields to it.
            return copies(of: [:], changing: fields, depth: depth)
        }
        return newObjects(requiredFields, depth: depth)
    }

    /// Returns two objects that have only the required fields; none if no value is known for one of the fields.
    ///
    /// The first object takes the first value of each field, the second object the second value. A field that has a
    /// single value has it in both.
    ///
    ///     {"id": 71, "name": "x"}
    ///     {"id": 2, "name": "yz"}
    ///
    private static func newObjects(_ requiredFields: [Field], depth: Int) -> [JSONValue] {
        let valuesOfFields = requiredFields.map { $0.shape.otherValues(than: nil, depth: depth) }
        if valuesOfFields.contains(where: \.isEmpty) { return [] }
        var objects: [JSONValue] = []
        for objectIndex in 0..<2 {
            var members: [(String, JSONValue)] = []
            for (field, values) in zip(requiredFields, valuesOfFields) {
                members.append((field.key, values[objectIndex % values.count]))
            }
            objects.append(JSONValue(members))
        }
        return objects
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
    /// - Parameters:
    ///   - object: The object to copy.
    ///   - fields: The fields to change. If there are none, whatever the object has is changed.
    ///   - depth: The number of values around the object.
    private static func copies(of object: JSONValue, changing fields: [Field], depth: Int) -> [JSONValue] {
        if fields.isEmpty { return copiesWithOneChange(of: object, depth: depth) }
        var firstMembers: [(String, JSONValue)] = []
        var copiesWithOneMember: [JSONValue] = []
        for field in fields {
            let newValues = field.shape.otherValues(than: object[field.key], depth: depth).prefix(2)
            if let firstValue = newValues.first { firstMembers.append((field.key, firstValue)) }
            guard copiesWithOneMember.count < maxCopies else { continue }
            for newValue in newValues { copiesWithOneMember.append(object.copy(setting: [(field.key, newValue)])) }
        }
        // The copy with all changes comes first, because callers try only the first few values.
        var copies: [JSONValue] = []
        if firstMembers.count > 1 { copies.append(object.copy(setting: firstMembers)) }
        return copies + copiesWithOneMember
    }

    /// Returns copies of JSON of an unknown shape, in each of which one boolean, number or string is another one.
    ///
    /// For example, `{"name": "Rex", "isTame": true}` becomes:
    ///
    ///     {"name": "Rexx", "isTame": true}
    ///     {"name": "Rex", "isTame": false}
    ///
    /// - Parameters:
    ///   - json: The value to copy; nil if there is none.
    ///   - depth: The number of values around this one.
    private static func copiesWithOneChange(of json: JSONValue?, depth: Int) -> [JSONValue] {
        guard let json, depth < maxValueDepth else { return [] }
        switch json.content {
        case .null: return []
        case .bool(let isTrue): return [JSONValue(!isTrue)]
        case .number: return [1, 2].filter { $0 != json }
        case .string(let text): return [JSONValue(text + "x")]
        case .array(let elements):
            // Only the first element is changed: the others are of the same type.
            guard let first = elements.first else { return [] }
            let changedElements = copiesWithOneChange(of: first, depth: depth + 1)
            return changedElements.map { JSONValue([$0] + elements.dropFirst()) }
        case .object(let members):
            var copies: [JSONValue] = []
            for member in members.prefix(maxCopies) {
                for changedValue in copiesWithOneChange(of: member.value, depth: depth + 1) {
                    copies.append(json.copy(replacing: member.key, with: changedValue))
                }
            }
            return copies
        }
    }
}

extension Shape.Scalar {
    /// Returns values of this type to try in place of a parameter's value.
    ///
    /// They are unlikely to be in a request by chance, as 71 is, and within the bounds of the type.
    ///
    /// - Parameter original: The value in the original call, which may be among the candidates; nil if there is none.
    ///   Texts start with it, because an endpoint may read only the first characters of a text.
    fileprivate func candidates(inPlaceOf original: JSONValue?) -> [JSONValue] {
        switch self {
        case .boolean:
            return [true, false]
        case .integer(let bounds):
            let range = bounds.map { Double($0.lowerBound)...Double($0.upperBound) }
            return Self.numbers([71, 2, 1001, 93, 3], within: range)
        case .number(let range):
            return Self.numbers([71.5, 2.25, 1001.5, 93], within: range)
        case .string, .data:
            let originalText = original?.string ?? ""
            return [JSONValue(originalText + "x"), JSONValue(originalText + "yz"), "q"]
        case .url:
            return ["https://example.com/x", "https://example.com/y"]
        case .uuid:
            return ["00000000-0000-0000-0000-0000000000AB", "00000000-0000-0000-0000-0000000000CD"]
        case .date:
            return ["2001-02-03T04:05:06Z", "2002-03-04T05:06:07Z"]
        }
    }

    /// Returns the numbers of `candidates` that are within a range, then the numbers at the ends of the range.
    ///
    /// For example, `[71, 2, 3]` within `1...12` becomes `2, 3, 1, 11, 12`. The ends are there for ranges that have
    /// none of the candidates, such as `50...60`.
    ///
    /// - Parameters:
    ///   - candidates: The numbers to prefer.
    ///   - range: The numbers that the parameter may have; nil if it may have all.
    private static func numbers(_ candidates: [Double], within range: ClosedRange<Double>?) -> [JSONValue] {
        let range = range ?? -Double.infinity...Double.infinity
        let ends = [range.lowerBound, range.lowerBound + 1, range.upperBound - 1, range.upperBound]
        // Ends that far out are those of a type such as Int32, not of a rule.
        let nearEnds = ends.filter { $0.magnitude < 1e9 }
        var numbers: [Double] = []
        for number in candidates + nearEnds where range.contains(number) {
            if !numbers.contains(number) { numbers.append(number) }
        }
        return numbers.map { number in
            if let integer = Int(exactly: number) { JSONValue(integer) } else { JSONValue(number) }
        }
    }
}

extension JSONValue {
    /// Returns a copy of an object with other values for some members, which come last.
    ///
    /// - Parameter changes: The keys and values of the members.
    fileprivate func copy(setting changes: [(String, JSONValue)]) -> JSONValue {
        let changedKeys = Set(changes.map(\.0))
        let keptMembers = (members ?? []).filter { !changedKeys.contains($0.key) }
        return JSONValue(keptMembers.map { ($0.key, $0.value) } + changes)
    }

    /// Returns a copy of an object with another value for the member `key`, which stays where it is.
    fileprivate func copy(replacing key: String, with value: JSONValue) -> JSONValue {
        let newMembers = (members ?? []).map { ($0.key, $0.key == key ? value : $0.value) }
        return JSONValue(newMembers)
    }
}
