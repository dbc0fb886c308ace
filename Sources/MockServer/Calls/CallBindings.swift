import EndpointKit
import EndpointTools
import JSONText

/// The places of an endpoint's parameters in its requests.
///
/// A ``ParameterProbe`` shows them: it changes one parameter after the other, and the part of the request that changes
/// with a parameter is its place. A parameter whose text is not found there, because it is computed with or chooses
/// between requests, has no binding.
package struct CallBindings: Sendable {
    package private(set) var bindings: [CallBinding] = []
    /// The request whose parameters were changed; nil if it can't be made.
    package let original: RequestParts?
    /// Query items, form fields and headers of the endpoint that no parameter changes.
    ///
    /// They tell endpoints with the same path and method apart.
    package private(set) var constants: [RequestParts.Item] = []
    /// Headers of the API: a request may lack them, but not have another value.
    package private(set) var headers: [RequestParts.Item] = []
    /// Places of parameters that have a binding elsewhere: the texts there follow from the call.
    private(set) var repeated: [RequestParts.Location] = []
    /// Whether the body is a JSON object that is made of parameters.
    package private(set) var isObject = false
    /// The members of a JSON body that no parameter changes.
    package private(set) var members: [(key: String, value: JSONValue)] = []
    /// The places that change with each parameter; nil if no other value is known.
    package let reached: [(parameter: Parameter, places: [RequestParts.Location]?)]

    /// How the body is written.
    package var form: RequestParts.Form { original?.form ?? .none }

    /// Finds the place of each parameter in the endpoint's requests, and the parts of a request that never change.
    ///
    /// If the original request can't be made, there are neither bindings nor constants.
    ///
    /// - Parameter probe: The endpoint's requests with one parameter changed at a time.
    package init(of probe: ParameterProbe) {
        original = probe.request.hasPath ? probe.request : nil
        reached = probe.trials.map { trial in
            (trial.parameter, trial.informativeCalls.isEmpty ? nil : trial.difference.map(\.place))
        }
        guard let original else { return }
        let findings = Findings(probe, in: original)
        bindings = findings.bindings.compactMap { binding in
            let sharing = findings.bindings.filter { $0.place == binding.place && $0.nested == nil }
            return binding.apart(sharing, in: original)
        }
        isObject = original.json?.members != nil && !findings.bindings.contains { $0.place == .json([]) }
        if findings.isComplete { repeated = repeatedPlaces() }
        for item in original.items + original.members where findings.isConstant(item) {
            addConstant(item, of: probe.declaration, isComplete: findings.isComplete)
        }
    }

    /// The result of all trials of a probe.
    private struct Findings {
        /// The binding of each parameter that has one; the first that explains the parameter's value.
        private(set) var bindings: [CallBinding] = []
        /// The items that some parameter changes.
        private var changed: [RequestParts.Item] = []
        /// Whether another value was known for every parameter. If not, nothing is certain to be constant.
        private(set) var isComplete = true

        /// Compares the requests of each trial, which changes one parameter, with the original request.
        ///
        /// A binding is accepted only if it also reads the original value from the original request. That rules out
        /// places that change together with the parameter without showing its value. A nested binding needs no such
        /// check, because it was compared item by item.
        init(_ probe: ParameterProbe, in original: RequestParts) {
            for trial in probe.trials {
                let calls = trial.callsWithOtherValues
                if calls.isEmpty { isComplete = false }
                let binding = calls.lazy.compactMap(trial.binding).first { binding in
                    binding.nested != nil || CallBindings.fits(binding, trial.unchanged)
                }
                if let binding { bindings.append(binding) }
                changed += trial.difference
                if let omission = trial.omission { changed += original.difference(omission.request) }
            }
        }

        /// Whether no parameter changes an item of the original request.
        func isConstant(_ item: RequestParts.Item) -> Bool {
            !changed.contains(item) && !bindings.contains { $0.covers(item.place) }
        }
    }

    /// Returns the places outside the body that only repeat values which are read from other places.
    ///
    /// If an endpoint sends its `id` both in the path and in a header, and the binding reads the path, the header is
    /// such a place. Its text follows from the call, so a request can be checked against it.
    private func repeatedPlaces() -> [RequestParts.Location] {
        let boundNames = Set(bindings.map(\.parameter.name))
        let reachedPlaces = reached.flatMap { parameter, places in
            (places ?? []).map { (name: parameter.name, place: $0) }
        }
        return reachedPlaces.grouped(by: \.place).filter { place, owners in
            place.part != .body && owners.allSatisfy { boundNames.contains($0.name) }
                && !bindings.contains { $0.covers(place) }
        }.map(\.key)
    }

    /// Adds an item that no parameter changes to ``constants``, ``headers`` or ``members``.
    ///
    /// A header of the endpoint itself becomes a constant, which a request must have. A header of the whole API goes
    /// to ``headers``, because a request may lack it. Items in the path, files and a body as a whole are left out.
    ///
    /// - Parameters:
    ///   - item: An item of the original request.
    ///   - declaration: The endpoint with its API, whose headers are told apart.
    ///   - isComplete: Whether it is certain that no parameter changes the item. If not, only headers are added.
    private mutating func addConstant(
        _ item: RequestParts.Item, of declaration: EndpointDeclaration, isComplete: Bool
    ) {
        switch item.place {
        case .header(let name):
            if declaration.endpoint.headers.fields.contains(where: { $0.isNamed(name) }) {
                constants.append(item)
            } else if name == "accept" || name == "user-agent" {
                // Clients set these themselves.
                break
            } else if declaration.api.headers.fields.contains(where: { $0.isNamed(name) }) {
                headers.append(item)
            }
        case .query, .field:
            if isComplete { constants.append(item) }
        case .json(let keys):
            guard isComplete, isObject, let value = original?.json?[keys[0]] else { break }
            members.append((keys[0], value))
        case .path, .file, .body:
            break
        }
    }

    /// Whether the binding finds the value of a call in its request.
    fileprivate static func fits(_ binding: CallBinding, _ call: ParameterProbe.Change) -> Bool {
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
    ///
    /// A value with parts is found by itself, so the unchanged call comes first, unless it is an empty object, which
    /// may be anywhere.
    fileprivate var callsWithOtherValues: [ParameterProbe.Change] {
        // A changed value may be read as the same one.
        var calls = changes.filter { $0.texts != parameter.example }
        if parameter.type.hasParts {
            let isEmptyObject = unchanged.json?.members?.isEmpty == true
            calls.insert(unchanged, at: isEmptyObject ? calls.endIndex : 0)
        }
        return calls.filter(\.request.hasPath)
    }

    /// Returns the place of the value in the request of a call, or nil if it is not found.
    ///
    /// A structure or dictionary is looked for as a whole in a JSON body, then spread over items such as
    /// `filter[colour]=red`. Any other value is looked for as text. An array may be spread over items, too.
    fileprivate func binding(_ call: ParameterProbe.Change) -> CallBinding? {
        if parameter.type.hasParts {
            guard let json = call.json else { return nil }
            return bodyBinding(json, call) ?? nestedBinding(json, call)
        }
        if let binding = textBinding(call) { return binding }
        guard parameter.type.isArray, let json = call.json else { return nil }
        return nestedBinding(json, call)
    }

    /// The binding to an equal value in the JSON body.
    private func bodyBinding(_ json: JSONValue, _ call: ParameterProbe.Change) -> CallBinding? {
        call.request.json?.first { keys, value in
            value == json ? CallBinding(parameter: parameter, place: .json(keys)) : nil
        }
    }

    /// Returns the binding of a value that is one or several texts.
    ///
    /// Only places where the request with the value differs from one without it are considered: first query items,
    /// headers, form fields and files, then the values in a JSON body.
    private func textBinding(_ call: ParameterProbe.Change) -> CallBinding? {
        let with = call.request
        let without = requestWithoutValue
        let places = with.items.map(\.place)
        for place in places where with.texts(at: place) != without.texts(at: place) {
            if place.isFile { return CallBinding(parameter: parameter, place: place) }
            if let found = binding(place, call) { return found }
        }
        if let body = with.json, let other = without.json {
            return body.first { keys, value in
                let isUnchanged = value == keys.reduce(other, { $0?[$1] })
                return isUnchanged ? nil : binding(keys, value, call.texts)
            }
        }
        // A file's path is not sent: if the file is required, no other path changes anything here.
        let files = places.filter(\.isFile)
        guard with.items == without.items, files.count == 1 else { return nil }
        return CallBinding(parameter: parameter, place: files[0])
    }

    /// The request without the parameter, or with its first value if it is required.
    private var requestWithoutValue: RequestParts {
        if let omission, omission.request.hasPath { return omission.request }
        return unchanged.request
    }

    /// Returns the binding of a structured value that is spread over several query items or form fields.
    ///
    ///     {"colour": "red", "size": 2}    →    filter[colour]=red, filter[size]=2    place: .query("filter")
    ///                                     →    colour=red, size=2                    place: .query("")
    ///
    /// Each place is tried: if the value, written there, gives exactly the items that the place covers, it is the one.
    ///
    /// - Parameters:
    ///   - json: The value of the parameter in `call`, as JSON.
    ///   - call: The call whose request is searched.
    /// - Returns: The binding, whose `nested` coding tells how the keys are spelled. Nil if no place fits.
    private func nestedBinding(_ json: JSONValue, _ call: ParameterProbe.Change) -> CallBinding? {
        let items = call.request.items
        // The name before the first bracket of each item: `filter` for `filter[colour]`.
        let roots = items.compactMap { item in
            item.place.name.map { item.place.with(QueryItem.keys(of: $0)[0]) }
        }
        // An empty name stands for a value without a name of its own: its fields are the items' names.
        for place in roots + [.query(""), .field("")] {
            let binding = CallBinding(parameter: parameter, place: place, nested: type(of: call.call).coding)
            let covered = items.filter { binding.covers($0.place) }
            if covered.isEmpty { continue }
            // A request does not tell whether its endpoint writes lists as `tags=a` or `tags[0]=a`, so both are
            // compared.
            for isIndexed in [false, true] {
                let parts = QueryItem.items(place.name == "" ? nil : place.name, json, isIndexed: isIndexed)
                let written = parts.map { RequestParts.Item(place.with($0.name), $0.value.description) }
                if covered == written { return binding }
            }
        }
        return nil
    }

    /// Returns the binding to a place whose text contains this parameter's texts; nil if it does not.
    ///
    /// The text before and after them becomes the binding's pattern: `bytes=` of the header `Range: bytes=0-99` if the
    /// value is `0-99`. The text between two elements of an array becomes the separator: the comma of `ids=3,5`.
    ///
    /// - Parameters:
    ///   - place: The place to look at.
    ///   - call: The call, whose `texts` are the parameter's value: several for an array.
    private func binding(_ place: RequestParts.Location, _ call: ParameterProbe.Change) -> CallBinding? {
        let values = call.request.texts(at: place)
        let texts = call.texts
        var binding = CallBinding(parameter: parameter, place: place)
        if parameter.type.isArray, values == texts { return binding }
        guard values.count == 1, let first = texts.first, let start = values[0].firstRange(of: first) else {
            return nil
        }
        let prefix = values[0][..<start.lowerBound]
        var suffix = values[0][start.upperBound...]
        if texts.count == 2 {
            guard let second = suffix.firstRange(of: texts[1]), second.lowerBound > suffix.startIndex else {
                return nil
            }
            binding.separator = String(suffix[..<second.lowerBound])
            suffix = suffix[second.upperBound...]
        }
        binding.pattern = TextPattern(literals: [String(prefix).exactBytes, String(suffix).exactBytes])
        return binding
    }

    /// Returns the binding to a value in the JSON body; nil if it is not this parameter's.
    ///
    /// - Parameters:
    ///   - keys: The keys that lead to the value in the body.
    ///   - value: The value, which must be a scalar, or a list of scalars if the parameter is an array.
    ///   - texts: The parameter's value: several texts for an array.
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
    /// Returns this binding with a pattern of all values at its place, such as the two of `location=-33.8,151.2`.
    ///
    /// Each binding of `sharing` was found alone, so its pattern holds the other values as literal text: for the
    /// latitude it is nothing before and `,151.2` after. Here the patterns become a common one, whose literals are only
    /// the text between the values: nothing, `,` and nothing.
    ///
    /// - Parameters:
    ///   - sharing: The bindings to the same place, this one included.
    ///   - original: The request in which they were found.
    /// - Returns: Nil if the values can't be told apart, because they overlap or nothing is between them.
    fileprivate func apart(_ sharing: [CallBinding], in original: RequestParts) -> CallBinding? {
        guard sharing.count > 1 else { return self }
        guard let text = original.texts(at: place).first?.exactBytes else { return nil }
        let ranges = sharing.map { other in
            (start: other.pattern.literals[0].count, end: text.count - other.pattern.literals[1].count)
        }.sorted { $0.start < $1.start }
        let ownStart = pattern.literals[0].count
        var binding = self
        var literals: [[UInt8]] = []
        var end = 0
        for (index, range) in ranges.enumerated() {
            guard range.start < range.end, index == 0 || end < range.start else { return nil }
            if range.start == ownStart { binding.index = index }
            literals.append(Array(text[end..<range.start]))
            end = range.end
        }
        literals.append(Array(text[end...]))
        binding.pattern = TextPattern(literals: literals)
        return binding
    }
}
