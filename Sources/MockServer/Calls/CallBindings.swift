import EndpointKit
import JSONText

/// Where the parameters of an endpoint are in its requests.
///
/// A ``ParameterProbe`` shows them. A parameter whose text is not found, because it is computed with or chooses between requests, has none.
package struct CallBindings: Sendable {
    package private(set) var bindings: [CallBinding] = []
    /// The request whose parameters were changed; nil if it can't be made.
    package let original: RequestParts?
    /// Query items, fields and headers of the endpoint that no parameter changes; they tell endpoints of one route apart.
    package private(set) var constants: [RequestParts.Item] = []
    /// Headers of the API: a request may lack them, but not have another value.
    package private(set) var headers: [RequestParts.Item] = []
    /// Whether the body is a JSON object that is made of parameters.
    package private(set) var isObject = false
    /// The members of a JSON body that no parameter changes.
    package private(set) var members: [(key: String, value: JSONValue)] = []
    /// The places that change with each parameter; nil if no other value is known.
    let reached: [(parameter: Parameter, places: [RequestParts.Place]?)]

    /// How the body is written.
    package var form: RequestParts.Form { original?.form ?? .none }

    package init(of probe: ParameterProbe) {
        let api = probe.declaration.api
        original = probe.request.hasPath ? probe.request : nil
        reached = probe.trials.map { ($0.parameter, $0.others.isEmpty ? nil : $0.difference.map(\.place)) }
        guard let original else { return }
        let own = probe.declaration.endpoint.headers.fields
        constants = original.items.filter { item in
            switch item.place {
            case .header(let name): own.contains { $0.isNamed(name) }
            case .field(let name): !SecretName.isCredential(name)
            default: item.place.part == .query
            }
        }
        headers = original.items.filter { item in
            // Those that clients set themselves are not compared.
            guard case .header(let name) = item.place, !["accept", "user-agent"].contains(name) else { return false }
            return api.headers.fields.contains { $0.isNamed(name) } && !constants.contains(item)
        }
        isObject = original.json?.members != nil
        members = (original.json?.members ?? []).filter { !SecretName.isCredential($0.key) }
        for trial in probe.trials {
            let found = CallProbe.all(trial, original)
            // Whether an item is this parameter's is not known.
            if found.isEmpty {
                constants.removeAll { $0.place.part == .query || $0.place.part == .body }
                members = []
            }
            let binding = found.lazy.compactMap(\.binding).first {
                $0.nested != nil || Self.fits($0, trial.unchanged)
            }
            bindings += binding.map { [$0] } ?? []
            let changed = trial.difference + (trial.omission.map { original.difference($0.request) } ?? [])
            constants.removeAll { binding?.covers($0.place) == true || changed.contains($0) }
            members.removeAll { key, _ in changed.contains { $0.place == .json([key]) } }
        }
        let places = bindings.map(\.place)
        if places.contains(.json([])) { (isObject, members) = (false, []) }
        members.removeAll { places.contains(.json([$0.key])) }
        let all = bindings
        bindings = all.compactMap { one in
            one.apart(all.filter { $0.place == one.place && $0.nested == nil }, in: original)
        }
    }

    /// Whether the binding finds the value of a call in its request.
    private static func fits(_ binding: CallBinding, _ call: ParameterProbe.Change) -> Bool {
        switch binding.value(in: call.request) {
        case .texts(let texts): binding.areAlike(texts, call.texts)
        case .json(let value): call.json == value
        case .present: true
        case nil: call.texts.isEmpty
        case .invalid: false
        }
    }
}

/// A parameter's value in a call replaced by another one, and what that changes in the request.
private struct CallProbe {
    let parameter: Parameter
    let change: ParameterProbe.Change
    /// The request without the parameter, or if it is required, with the first value.
    let without: RequestParts

    /// Probes with different values; none if no other value is accepted.
    static func all(_ trial: ParameterProbe.Trial, _ original: RequestParts) -> [CallProbe] {
        let parameter = trial.parameter
        let without = trial.omission.flatMap { $0.request.hasPath ? $0.request : nil } ?? original
        // A value may be read as the same one.
        let changes = trial.changes.filter { $0.texts != parameter.example }
        return ((parameter.type.hasParts ? [trial.unchanged] : []) + changes).filter(\.request.hasPath).map {
            CallProbe(parameter: parameter, change: $0, without: without)
        }
    }

    var with: RequestParts { change.request }

    var binding: CallBinding? {
        if parameter.type.hasParts {
            guard let json = change.json else { return nil }
            let inBody = with.json?.first { keys, value in
                value == json ? CallBinding(parameter: parameter, place: .json(keys)) : nil
            }
            return inBody ?? nestedBinding(json)
        }
        return ownBinding ?? (parameter.type.isArray ? change.json.flatMap(nestedBinding) : nil)
    }

    /// The binding of a value that is one or several texts.
    private var ownBinding: CallBinding? {
        let places = with.items.map(\.place)
        for place in places where with.texts(at: place) != without.texts(at: place) {
            if let found = place.isFile ? CallBinding(parameter: parameter, place: place) : binding(place) {
                return found
            }
        }
        if let body = with.json, let other = without.json {
            return body.first { keys, value in
                value == keys.reduce(other, { $0?[$1] }) ? nil : binding(keys, value)
            }
        }
        // A file's path is not sent: if the file is required, no other one changes anything here.
        let files = places.filter(\.isFile)
        return with.items == without.items && files.count == 1
            ? CallBinding(parameter: parameter, place: files[0]) : nil
    }

    /// The binding to items that have the value's keys in brackets, or to those that are called like its fields.
    private func nestedBinding(_ json: JSONValue) -> CallBinding? {
        let roots = with.items.compactMap { item in
            item.place.name.map { item.place.with(QueryItem.keys(of: $0)[0]) }
        }
        for place in roots + [.query(""), .field("")] {
            let binding = CallBinding(parameter: parameter, place: place, nested: type(of: change.call).coding)
            let found = with.items.filter { binding.covers($0.place) }
            for isIndexed in [false, true] where !found.isEmpty {
                let items = QueryItem.items(place.name == "" ? nil : place.name, json, isIndexed: isIndexed)
                if found == items.map({ .init(place.with($0.name), $0.value.description) }) { return binding }
            }
        }
        return nil
    }

    /// The binding to a place; nil if what is written there are not this parameter's texts.
    private func binding(_ place: RequestParts.Place) -> CallBinding? {
        let values = with.texts(at: place)
        var binding = CallBinding(parameter: parameter, place: place)
        let texts = change.texts
        if parameter.type.isArray, values == texts { return binding }
        guard values.count == 1, let first = texts.first, let start = values[0].firstRange(of: first) else {
            return nil
        }
        let prefix = values[0][..<start.lowerBound]
        var rest = values[0][start.upperBound...]
        if texts.count == 2 {
            guard let next = rest.firstRange(of: texts[1]), next.lowerBound > rest.startIndex else { return nil }
            binding.separator = String(rest[..<next.lowerBound])
            rest = rest[next.upperBound...]
        }
        binding.pattern = TextPattern(literals: [prefix, rest].map { String($0).exactBytes })
        return binding
    }

    /// The binding to a value in JSON; nil if it is not this parameter's.
    private func binding(_ keys: [String], _ value: JSONValue) -> CallBinding? {
        let values = parameter.type.isArray ? value.elements.map { Array($0) } ?? [] : [value]
        guard let first = values.first, first.elements == nil, first.members == nil else { return nil }
        let binding = CallBinding(parameter: parameter, place: .json(keys), isString: first.string != nil)
        return binding.areAlike(values.map(\.plainText), change.texts) ? binding : nil
    }
}

extension JSONValue {
    /// The first result of `find` for this value and the members in it, with their keys.
    fileprivate func first<Found>(_ keys: [String] = [], where find: ([String], JSONValue) -> Found?) -> Found? {
        if let found = find(keys, self) { return found }
        for (key, member) in members.map({ Array($0) }) ?? [] {
            if let found = member.first(keys + [key], where: find) { return found }
        }
        return nil
    }
}

extension CallBinding {
    /// This binding with what is around the values of all that share its place: `location=-33.8,151.2`. Nil if they can't be told apart.
    fileprivate func apart(_ sharing: [CallBinding], in original: RequestParts) -> CallBinding? {
        guard sharing.count > 1 else { return self }
        // What stands around one value are the others' values.
        guard let text = original.texts(at: place).first?.exactBytes else { return nil }
        let ranges = sharing.map { ($0.pattern.literals[0].count, text.count - $0.pattern.literals[1].count) }
            .sorted { $0.0 < $1.0 }
        var (binding, literals, end) = (self, [[UInt8]](), 0)
        for (place, range) in ranges.enumerated() {
            guard range.0 < range.1, place == 0 || end < range.0 else { return nil }
            if range.0 == pattern.literals[0].count { binding.index = place }
            literals.append(Array(text[end..<range.0]))
            end = range.1
        }
        binding.pattern = TextPattern(literals: literals + [Array(text[end...])])
        return binding
    }
}
