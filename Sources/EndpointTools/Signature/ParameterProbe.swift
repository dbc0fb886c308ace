import EndpointKit
import JSONText

/// Calls of an endpoint that differ in one parameter.
///
/// An endpoint does not say where a parameter is in its request: `"/movie/\(id)/videos"` only holds the value's text. So its value is changed,
/// and what changes in the request is the parameter's. Several values are tried, because one may be what the endpoint sends anyway.
package struct ParameterProbe: Sendable {
    /// Other values that are tried, at most.
    private static let maxChanges = 4

    /// A call, and the value of the parameter in it.
    package struct Change: Sendable {
        package let call: any API
        /// The value's texts: several for an array, none if the parameter is left out.
        package let texts: [String]
        /// The value as the API writes it; nil if the parameter is left out.
        package let json: JSONValue?
        package let request: RequestParts

        fileprivate init(_ call: any API, _ request: RequestParts, _ parameter: Parameter, _ value: CallValue?) {
            (self.call, self.request) = (call, request)
            (texts, json) = (value?.texts(parameter.type) ?? [], value?.shown)
        }
    }

    /// A parameter with its value in ``original``, and the calls in which it alone differs.
    package struct Trial: Sendable {
        package let parameter: Parameter
        package let unchanged: Change
        /// The call with other values; none if its type accepts none that is known here.
        package let changes: [Change]
        /// The call without it; nil if it is needed.
        package let omission: Change?

        /// The calls that show where it is: with other values, or if none is known, without it.
        package let revealingCalls: [Change]
        /// What is not the same in their requests.
        package let difference: [RequestParts.Item]

        fileprivate init(_ parameter: Parameter, _ unchanged: Change, _ changes: [Change], _ omission: Change?) {
            (self.parameter, self.unchanged, self.changes, self.omission) = (parameter, unchanged, changes, omission)
            revealingCalls = changes.isEmpty ? [omission].compactMap(\.self) : changes
            difference = revealingCalls.flatMap { unchanged.request.difference($0.request) }
        }
    }

    package let declaration: EndpointDeclaration
    /// The call whose parameters are changed: the first example with a body, so that an optional one is seen. If none has one, that is made up.
    package let original: any API
    package let request: RequestParts
    package let trials: [Trial]

    package init(_ declaration: EndpointDeclaration) {
        self.init(declaration, declaration.firstCall, declaration.firstValue)
        guard !declaration.endpoint.method.isRetrieval, original.endpoint.body == nil else { return }
        let made = trials.filter(\.parameter.isOptional).flatMap { $0.changes.map(\.call) }
        guard let other = (declaration.examples + made).first(where: { $0.endpoint.body != nil }) else { return }
        self.init(declaration, other, try? CallValue(other, declaration.signature.caseName))
    }

    private init(_ declaration: EndpointDeclaration, _ original: any API, _ value: CallValue?) {
        (self.declaration, self.original) = (declaration, original)
        let caseName = declaration.signature.caseName
        func parts(_ call: any API) -> RequestParts { RequestParts(call.placedEndpoint, of: declaration.api) }
        let request = parts(original)
        self.request = request
        // By the models' own names.
        let members = value?.plain.members.map { $0.map { ($0.key, $0.value) } } ?? []
        let parameters = (value.map(declaration.signature.filled) ?? declaration.signature).parameters

        func call(_ parameter: Parameter, _ value: JSONValue?) -> (any API)? {
            let changed = members.filter { $0.0 != parameter.name } + (value.map { [(parameter.name, $0)] } ?? [])
            let text = JSONValue([(caseName, JSONValue(changed))]).written
            // A type may not accept a value that was made up.
            return try? declaration.api.plainCoding.decode(declaration.api, from: Array(text)) as any API
        }
        let bounded = declaration.bounded(declaration.signature.root, in: declaration.signature.shape)
        trials = zip(parameters, bounded.fields).map { parameter, field in
            var changes: [Change] = []
            // A second value shows what the first one may hide; more are needed if nothing has changed yet, or the value has parts.
            var count = Self.maxChanges
            let own = members.first { $0.0 == parameter.name }?.1
            for other in field.shape.others(than: own) where changes.count < count {
                guard let call = call(parameter, other) else { continue }
                let value = (try? CallValue(call, caseName))?[parameter.name]
                changes.append(Change(call, parts(call), parameter, value))
                if !parameter.type.hasParts, changes[changes.count - 1].request != request { count = 2 }
            }
            let omission = parameter.isOptional ? call(parameter, nil) : nil
            return Trial(
                parameter, Change(original, request, parameter, value?[parameter.name]), changes,
                omission.map { Change($0, parts($0), parameter, nil) })
        }
    }
}

extension Shape {
    /// Values of this type that differ from `own`, as JSON with the models' own names; for an array two elements at once.
    fileprivate func others(than own: JSONValue?, depth: Int = 0) -> [JSONValue] {
        guard depth < 8 else { return [] }
        let all: [JSONValue] =
            switch self {
            case .scalar(.boolean): [true, false]
            case .scalar(.integer(let bounds)):
                Self.numbers([71, 2, 1001, 93, 3], bounds.map { Double($0.lowerBound)...Double($0.upperBound) })
            case .scalar(.number(let bounds)): Self.numbers([71.5, 2.25, 1001.5, 93], bounds)
            case .scalar(.string), .scalar(.data): ["x", "yz"].map { JSONValue((own?.string ?? "") + $0) } + ["q"]
            case .scalar(.url): ["https://example.com/x", "https://example.com/y"]
            case .scalar(.uuid): ["00000000-0000-0000-0000-0000000000AB", "00000000-0000-0000-0000-0000000000CD"]
            case .scalar(.date): ["2001-02-03T04:05:06Z", "2002-03-04T05:06:07Z"]
            case .values(let values): values
            case .array(let element):
                Self.lists(element.others(than: own?.elements?.first { _ in true }, depth: depth + 1))
            case .dictionary(let value): value.others(than: nil, depth: depth + 1).map { ["a": $0] } + [[:]]
            case .object(let fields): Self.objects(fields, than: own, depth: depth + 1)
            case .nullable(let shape): shape.others(than: own, depth: depth + 1) + [.null]
            case .variants(let variants):
                variants.flatMap { variant in
                    Self.objects(variant.shape.fields, than: own?[variant.key], depth: depth + 1).prefix(2)
                        .map { JSONValue([(variant.key, $0)]) }
                }
            case .model, .alternatives, .null, .any: Self.scalars(than: own, depth: depth) + [0, "x", ["a": 1]]
            }
        return all.filter { $0 != own }
    }

    /// Numbers within bounds, at whose ends there are some too.
    private static func numbers(_ others: [Double], _ bounds: ClosedRange<Double>?) -> [JSONValue] {
        let bounds = bounds ?? -.infinity...(.infinity)
        let ends = [bounds.lowerBound, bounds.lowerBound + 1, bounds.upperBound - 1, bounds.upperBound]
        return (others + ends.filter { $0.magnitude < 1e9 }).filter(bounds.contains).grouped(by: \.self)
            .map { number, _ in Int(exactly: number).map { JSONValue($0) } ?? JSONValue(number) }
    }

    private static func lists(_ others: [JSONValue]) -> [JSONValue] {
        zip(others, others.dropFirst()).map { JSONValue([$0, $1]) } + others.prefix(1).map { JSONValue([$0]) }
    }

    /// The object `own` with all other fields, and with one other field; or one with every field that there must be.
    private static func objects(_ fields: [Field], than own: JSONValue?, depth: Int) -> [JSONValue] {
        let required = fields.filter { !$0.isOptional }
        // Without a field, an object may change nothing.
        let isEmpty = own?.members == nil && required.isEmpty && !fields.isEmpty
        guard let members = isEmpty ? [] : own?.members else {
            let values = required.map { field in (field.key, field.shape.others(than: nil, depth: depth)) }
            guard values.allSatisfy({ !$0.1.isEmpty }) else { return [] }
            return (0..<2).map { number in JSONValue(values.map { ($0.0, $0.1[number % $0.1.count]) }) }
        }
        let others = fields.map { ($0.key, $0.shape.others(than: own?[$0.key], depth: depth).prefix(2)) }
        func object(_ changed: [(String, JSONValue)]) -> JSONValue {
            let kept = members.filter { member in !changed.contains { $0.0 == member.key } }
            return JSONValue(kept.map { ($0.key, $0.value) } + changed)
        }
        // All at once too, because not every field may get its turn.
        let all = others.compactMap { name, values in values.first.map { (name, $0) } }
        return (all.count > 1 ? [object(all)] : [])
            + others.flatMap { name, values in values.map { object([(name, $0)]) } }
            + (fields.isEmpty ? scalars(than: own, depth: depth) : [])
    }

    /// Copies of `value` in which one scalar is another one.
    private static func scalars(than value: JSONValue?, depth: Int) -> [JSONValue] {
        guard let value, depth < 8 else { return [] }
        switch value.content {
        case .null: return []
        case .bool(let value): return [JSONValue(!value)]
        case .number: return [1, 2].filter { $0 != value }
        case .string(let text): return [JSONValue(text + "x")]
        case .array(let elements):
            // The others are of the same type.
            guard let first = elements.first(where: { _ in true }) else { return [] }
            return scalars(than: first, depth: depth + 1).map { JSONValue([$0] + elements.dropFirst()) }
        case .object(let members):
            return members.flatMap { changed in
                scalars(than: changed.value, depth: depth + 1).map { other in
                    JSONValue(members.map { ($0.key, $0.key == changed.key ? other : $0.value) })
                }
            }
        }
    }
}
