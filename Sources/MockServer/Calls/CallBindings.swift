import EndpointKit
import EndpointTools
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
    /// Places of parameters that have a binding elsewhere: what is there follows from the call.
    private(set) var repeated: [RequestParts.Location] = []
    /// Whether the body is a JSON object that is made of parameters.
    package private(set) var isObject = false
    /// The members of a JSON body that no parameter changes.
    package private(set) var members: [(key: String, value: JSONValue)] = []
    /// The places that change with each parameter; nil if no other value is known.
    let reached: [(parameter: Parameter, places: [RequestParts.Location]?)]

    /// How the body is written.
    package var form: RequestParts.Form { original?.form ?? .none }

    package init(of probe: ParameterProbe) {
        let api = probe.declaration.api
        original = probe.request.hasPath ? probe.request : nil
        reached = probe.trials.map { ($0.parameter, $0.informativeCalls.isEmpty ? nil : $0.difference.map(\.place)) }
        guard let original else { return }
        var (found, changed, isComplete): ([CallBinding], [RequestParts.Item], Bool) = ([], [], true)
        for trial in probe.trials {
            let calls = trial.tellingCalls
            // Whether an item is this parameter's is not known.
            if calls.isEmpty { isComplete = false }
            let binding = calls.lazy.compactMap(trial.binding).first {
                $0.nested != nil || Self.fits($0, trial.unchanged)
            }
            found += binding.map { [$0] } ?? []
            changed += trial.difference + (trial.omission.map { original.difference($0.request) } ?? [])
        }
        bindings = found.compactMap { one in
            one.apart(found.filter { $0.place == one.place && $0.nested == nil }, in: original)
        }
        let bound = Set(bindings.map(\.parameter.name))
        let owned = reached.flatMap { parameter, places in (places ?? []).map { (name: parameter.name, place: $0) } }
        repeated = owned.grouped(by: \.place).filter { place, owners in
            isComplete && place.part != .body && owners.allSatisfy { bound.contains($0.name) }
                && !bindings.contains { $0.covers(place) }
        }.map(\.key)
        isObject = original.json?.members != nil && !found.contains { $0.place == .json([]) }
        let own = probe.declaration.endpoint.headers.fields
        for item in original.items + original.members
        where !changed.contains(item) && !found.contains(where: { $0.covers(item.place) }) {
            switch item.place {
            case .header(let name) where own.contains { $0.isNamed(name) }: constants.append(item)
            // Those that clients set themselves are not compared.
            case .header("accept"), .header("user-agent"): break
            case .header(let name) where api.headers.fields.contains { $0.isNamed(name) }: headers.append(item)
            case .query where isComplete: constants.append(item)
            case .field where isComplete: constants.append(item)
            case .json(let keys) where isComplete && isObject:
                members += original.json?[keys[0]].map { [(keys[0], $0)] } ?? []
            default: break
            }
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

extension ParameterProbe.Trial {
    /// The calls whose requests show how the value is written; none if no other value is accepted.
    fileprivate var tellingCalls: [ParameterProbe.Change] {
        // A value may be read as the same one.
        let others = changes.filter { $0.texts != parameter.example }
        let own = parameter.type.hasParts ? [unchanged] : []
        // An empty object may be anywhere.
        let isEmpty = own.first?.json?.members?.isEmpty == true
        return (isEmpty ? others + own : own + others).filter(\.request.hasPath)
    }

    /// Where the value is in the request of a call; nil if it is not found.
    fileprivate func binding(_ call: ParameterProbe.Change) -> CallBinding? {
        if parameter.type.hasParts {
            guard let json = call.json else { return nil }
            let inBody = call.request.json?.first { keys, value in
                value == json ? CallBinding(parameter: parameter, place: .json(keys)) : nil
            }
            return inBody ?? nestedBinding(json, call)
        }
        return ownBinding(call) ?? (parameter.type.isArray ? call.json.flatMap { nestedBinding($0, call) } : nil)
    }

    /// The binding of a value that is one or several texts.
    private func ownBinding(_ call: ParameterProbe.Change) -> CallBinding? {
        let with = call.request
        // If the parameter is required, that with the first value.
        let without = omission.flatMap { $0.request.hasPath ? $0.request : nil } ?? unchanged.request
        let places = with.items.map(\.place)
        for place in places where with.texts(at: place) != without.texts(at: place) {
            if let found = place.isFile ? CallBinding(parameter: parameter, place: place) : binding(place, call) {
                return found
            }
        }
        if let body = with.json, let other = without.json {
            return body.first { keys, value in
                value == keys.reduce(other, { $0?[$1] }) ? nil : binding(keys, value, call.texts)
            }
        }
        // A file's path is not sent: if the file is required, no other one changes anything here.
        let files = places.filter(\.isFile)
        return with.items == without.items && files.count == 1
            ? CallBinding(parameter: parameter, place: files[0]) : nil
    }

    /// The binding to items that have the value's keys in brackets, or to those that are called like its fields.
    private func nestedBinding(_ json: JSONValue, _ call: ParameterProbe.Change) -> CallBinding? {
        let items = call.request.items
        let roots = items.compactMap { item in
            item.place.name.map { item.place.with(QueryItem.keys(of: $0)[0]) }
        }
        for place in roots + [.query(""), .field("")] {
            let binding = CallBinding(parameter: parameter, place: place, nested: type(of: call.call).coding)
            let found = items.filter { binding.covers($0.place) }
            for isIndexed in [false, true] where !found.isEmpty {
                let parts = QueryItem.items(place.name == "" ? nil : place.name, json, isIndexed: isIndexed)
                if found == parts.map({ .init(place.with($0.name), $0.value.description) }) { return binding }
            }
        }
        return nil
    }

    /// The binding to a place; nil if what is written there are not this parameter's texts.
    private func binding(_ place: RequestParts.Location, _ call: ParameterProbe.Change) -> CallBinding? {
        let (values, texts) = (call.request.texts(at: place), call.texts)
        var binding = CallBinding(parameter: parameter, place: place)
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
    private func binding(_ keys: [String], _ value: JSONValue, _ texts: [String]) -> CallBinding? {
        let values = parameter.type.isArray ? value.elements.map { Array($0) } ?? [] : [value]
        guard let first = values.first, first.elements == nil, first.members == nil else { return nil }
        let binding = CallBinding(parameter: parameter, place: .json(keys), isString: first.string != nil)
        return binding.areAlike(values.map(\.text), texts) ? binding : nil
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
