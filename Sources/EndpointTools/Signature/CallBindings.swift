import EndpointKit
import JSONText

/// The places of an endpoint's parameters in its requests.
///
/// A ``ParameterProbe`` shows them: it changes one parameter after the other, and the part of the request that changes
/// with a parameter is its place. A parameter whose text is not found there, because it is computed with or chooses
/// between requests, has no binding.
package struct CallBindings: Sendable {
    package private(set) var bindings: [CallBinding] = []
    /// The request whose parameters were changed; nil if it can't be made.
    package let original: ParameterTexts?
    /// Query items, form fields and headers of the endpoint that no parameter changes.
    ///
    /// They tell endpoints with the same path and method apart.
    package private(set) var constants: [ParameterTexts.Item] = []
    /// Headers of the API: a request may lack them, but not have another value.
    package private(set) var headers: [ParameterTexts.Item] = []
    /// Places of parameters that have a binding elsewhere: the texts there follow from the call.
    package private(set) var repeated: [ParameterTexts.Location] = []
    /// Whether the body is a JSON object that is made of parameters.
    package private(set) var isObject = false
    /// The members of a JSON body that no parameter changes.
    package private(set) var members: [(key: String, value: JSONValue)] = []
    /// The places that change with each parameter; nil if no other value is known.
    package let reached: [(parameter: Parameter, places: [ParameterTexts.Location]?)]

    /// How the body is written.
    package var form: ParameterTexts.Form { original?.form ?? .none }

    /// Finds the place of each parameter in the endpoint's requests, and the parts of a request that never change.
    ///
    /// A binding says at which place a request has the value of a parameter, and which text is around the value. If the
    /// original request can't be made, there are neither bindings nor constant parts.
    ///
    /// - Parameter probe: The endpoint's requests with one parameter changed at a time.
    package init(of probe: ParameterProbe) {
        original = probe.request.hasPath ? probe.request : nil
        reached = probe.trials.map { trial in
            let isUnknown = trial.informativeCalls.isEmpty
            return (trial.parameter, isUnknown ? nil : trial.difference.map(\.place))
        }
        guard let original else { return }

        let results = TrialResults(probe, in: original)
        let foundBindings = results.bindings
        for binding in foundBindings {
            // Several values may share a text, as latitude and longitude do in `location=-33.8,151.2`.
            let sharing = foundBindings.filter { $0.place == binding.place && $0.nested == nil }
            if let separated = binding.separated(from: sharing, in: original) { bindings.append(separated) }
        }

        let isWholeBodyBound = foundBindings.contains { $0.place == .json([]) }
        isObject = original.json?.members != nil && !isWholeBodyBound
        // Unless each parameter could be changed, nothing is certain to stay the same.
        if results.isComplete { repeated = repeatedPlaces() }
        for item in original.items + original.members where results.isConstant(item) {
            addConstant(item, of: probe.declaration, isComplete: results.isComplete)
        }
    }

    /// The conclusions from all trials of a probe. Each trial changes one parameter of a call.
    private struct TrialResults {
        /// The binding of each parameter that has one; the first that explains the parameter's value.
        private(set) var bindings: [CallBinding] = []
        /// The items that some parameter changes.
        private var changedItems: [ParameterTexts.Item] = []
        /// Whether another value was known for every parameter. If not, nothing is certain to be constant.
        private(set) var isComplete = true

        /// Compares the requests of each trial with the original request.
        init(_ probe: ParameterProbe, in original: ParameterTexts) {
            for trial in probe.trials {
                let calls = trial.callsWithOtherValues
                if calls.isEmpty { isComplete = false }
                if let binding = Self.binding(of: trial, calls, probe.declaration.api.coding) {
                    bindings.append(binding)
                }
                changedItems += trial.difference
                if let omission = trial.omission { changedItems += original.difference(omission.request) }
            }
        }

        /// Returns the binding of the parameter that a trial changes; nil if its value is not found in the requests.
        ///
        /// A binding found with another value must also read the original value from the original request. That rules
        /// out places that change together with the parameter without showing its value. A nested binding needs no
        /// such check, because it was compared item by item.
        ///
        /// - Parameters:
        ///   - calls: The calls of the trial with other values.
        ///   - coding: How the API writes values.
        private static func binding(
            of trial: ParameterProbe.Trial, _ calls: [ParameterProbe.Change], _ coding: Coding
        ) -> CallBinding? {
            for call in calls {
                guard let binding = trial.binding(call, coding) else { continue }
                if binding.nested != nil || CallBindings.fits(binding, trial.unchanged) { return binding }
            }
            return nil
        }

        /// Whether no parameter changes an item of the original request.
        func isConstant(_ item: ParameterTexts.Item) -> Bool {
            if changedItems.contains(item) { return false }
            return !bindings.contains { $0.covers(item.place) }
        }
    }

    /// Returns the places outside the body that only repeat values which are read from other places.
    ///
    /// If an endpoint sends its `id` both in the path and in a header, and the binding reads the path, the header is
    /// such a place. Its text follows from the call, so a request can be checked against it.
    private func repeatedPlaces() -> [ParameterTexts.Location] {
        // A place may depend on several parameters, and a parameter may change several places.
        var dependencies: [(place: ParameterTexts.Location, parameter: String)] = []
        for (parameter, places) in reached {
            for place in places ?? [] { dependencies.append((place, parameter.name)) }
        }
        let boundParameters = Set(bindings.map(\.parameter.name))
        var repeatedPlaces: [ParameterTexts.Location] = []
        for (place, dependencies) in dependencies.grouped(by: \.place) where place.part != .body {
            let isKnownFromCall = dependencies.allSatisfy { boundParameters.contains($0.parameter) }
            let isBound = bindings.contains { $0.covers(place) }
            if isKnownFromCall, !isBound { repeatedPlaces.append(place) }
        }
        return repeatedPlaces
    }

    /// Adds an item that no parameter changes to the items that requests are checked against.
    ///
    /// A header, query item or form field of the endpoint goes to ``constants``: a request must have it. A header of
    /// the whole API goes to ``headers``: a request may lack it. A member of a JSON body goes to ``members``. Items in
    /// the path, files and a body as a whole are left out.
    ///
    /// - Parameters:
    ///   - item: An item of the original request.
    ///   - declaration: The endpoint with its API.
    ///   - isComplete: Whether it is certain that no parameter changes the item. If not, only headers are added.
    private mutating func addConstant(
        _ item: ParameterTexts.Item, of declaration: EndpointDeclaration, isComplete: Bool
    ) {
        switch item.place {
        case .header(let name):
            addConstantHeader(item, name, of: declaration)
        case .query, .field:
            if isComplete { constants.append(item) }
        case .json(let keys):
            guard isComplete, isObject, let value = original?.json?[keys[0]] else { break }
            members.append((keys[0], value))
        case .path, .file, .body:
            break
        }
    }

    /// Adds a header that no parameter changes to ``constants`` if the endpoint itself declares it, and to ``headers``
    /// if only its API does.
    ///
    /// - Parameter name: The name of the header in lower case.
    private mutating func addConstantHeader(
        _ item: ParameterTexts.Item, _ name: String, of declaration: EndpointDeclaration
    ) {
        if declaration.endpoint.headers.fields.contains(where: { $0.isNamed(name) }) {
            constants.append(item)
            return
        }
        // Each client sets these to values of its own.
        if name == "accept" || name == "user-agent" { return }
        if declaration.api.requestBuilder.headers.fields.contains(where: { $0.isNamed(name) }) { headers.append(item) }
    }

    /// Whether a binding reads from the request of a call the value that the parameter has in this call.
    fileprivate static func fits(_ binding: CallBinding, _ call: ParameterProbe.Change) -> Bool {
        switch binding.value(in: call.request) {
        case .texts(let texts): binding.areAlike(texts, call.texts)
        case .json(let value): call.json == value
        // A file's path is not in the request.
        case .present: true
        case nil: call.texts.isEmpty
        case .invalid: false
        }
    }
}

extension ParameterProbe.Trial {
    /// The calls whose requests show how the value is written, the most informative first; none if the parameter's type
    /// accepts no other value.
    ///
    /// A structure or dictionary can be found by its value alone, so the unchanged call comes first. An empty object
    /// may be anywhere, so a call with that comes last.
    fileprivate var callsWithOtherValues: [ParameterProbe.Change] {
        // A type may read a changed value as the original one.
        var calls = changes.filter { $0.texts != parameter.example }
        if parameter.type.hasParts {
            let isEmptyObject = unchanged.json?.members?.isEmpty == true
            calls.insert(unchanged, at: isEmptyObject ? calls.endIndex : 0)
        }
        return calls.filter(\.request.hasPath)
    }

    /// Returns the binding of the parameter to the place of its value in the request of a call; nil if the value is not
    /// found.
    ///
    /// A structure or dictionary is looked for as a whole in a JSON body, then spread over items such as
    /// `filter[colour]=red`. Any other value is looked for as text. An array may be spread over items, too.
    fileprivate func binding(_ call: ParameterProbe.Change, _ coding: Coding) -> CallBinding? {
        if parameter.type.hasParts {
            guard let json = call.json else { return nil }
            return bodyBinding(json, call) ?? nestedBinding(json, call, coding)
        }
        if let binding = textBinding(call) { return binding }
        guard parameter.type.isArray, let json = call.json else { return nil }
        return nestedBinding(json, call, coding)
    }

    /// Returns the binding to the first value in the JSON body that equals `json`; nil if there is none.
    private func bodyBinding(_ json: JSONValue, _ call: ParameterProbe.Change) -> CallBinding? {
        call.request.json?.first { keys, value in
            value == json ? CallBinding(parameter: parameter, place: .json(keys)) : nil
        }
    }

    /// Returns the binding of a value that is one or several texts; nil if the texts are not found.
    ///
    /// Only places where the request with the value differs from one without it are considered: first query items,
    /// headers, form fields and files, then the values in a JSON body.
    private func textBinding(_ call: ParameterProbe.Change) -> CallBinding? {
        let changedRequest = call.request
        let otherRequest = requestWithoutValue
        let places = changedRequest.items.map(\.place)
        for place in places where changedRequest.texts(at: place) != otherRequest.texts(at: place) {
            if place.isFile { return CallBinding(parameter: parameter, place: place) }
            if let binding = patternBinding(at: place, call) { return binding }
        }
        if let body = changedRequest.json, let otherBody = otherRequest.json {
            return body.first { keys, value in
                if value == otherBody.value(at: keys) { return nil }
                return scalarBinding(at: keys, value, call.texts)
            }
        }
        // The path of a file is not sent. So if the file is required, a call with another path changes nothing here.
        let files = places.filter(\.isFile)
        guard changedRequest.items == otherRequest.items, files.count == 1 else { return nil }
        return CallBinding(parameter: parameter, place: files[0])
    }

    /// The request without the parameter. If the parameter is required, the request with its original value.
    private var requestWithoutValue: ParameterTexts {
        if let omission, omission.request.hasPath { return omission.request }
        return unchanged.request
    }

    /// Returns the binding of a structured value that is spread over several query items or form fields.
    ///
    /// For example, the value `{"colour": "red", "size": 2}` may be sent in two ways:
    ///
    ///     filter[colour]=red&filter[size]=2    The place is the query item `filter`.
    ///     colour=red&size=2                    The place is a query item with an empty name.
    ///
    /// The value is written at each place that the request could have it at. The right place is the one that gets
    /// exactly the items that the request has there.
    ///
    /// - Parameters:
    ///   - json: The value of the parameter in `call`, as JSON.
    ///   - call: The call whose request is searched.
    ///   - coding: How the API writes values.
    /// - Returns: The binding, whose `nested` coding tells how the keys are spelled. Nil if no place fits.
    private func nestedBinding(
        _ json: JSONValue, _ call: ParameterProbe.Change, _ coding: Coding
    ) -> CallBinding? {
        let items = call.request.items
        for place in Self.rootPlaces(of: items) {
            let binding = CallBinding(parameter: parameter, place: place, nested: coding)
            let coveredItems = items.filter { binding.covers($0.place) }
            if !coveredItems.isEmpty, Self.isWritten(json, as: coveredItems, at: place) { return binding }
        }
        return nil
    }

    /// Returns the places that a structured value may be at: that of each name before a bracket, such as `filter` for
    /// `filter[colour]`, and last the places with an empty name.
    private static func rootPlaces(of items: [ParameterTexts.Item]) -> [ParameterTexts.Location] {
        var places: [ParameterTexts.Location] = []
        for item in items {
            // Only query items and form fields have names.
            guard let name = item.place.name else { continue }
            places.append(item.place.with(QueryItem.keys(of: name)[0]))
        }
        // An empty name stands for a value without a name of its own: the names of the items are those of its fields.
        return places + [.query(""), .field("")]
    }

    /// Returns whether `items` are exactly those that a structured value becomes when it is written at a place.
    ///
    /// A request does not tell whether its endpoint writes lists as `tags=a` or as `tags[0]=a`, so both are compared.
    private static func isWritten(
        _ json: JSONValue, as items: [ParameterTexts.Item], at place: ParameterTexts.Location
    ) -> Bool {
        let name = place.name == "" ? nil : place.name
        for isIndexed in [false, true] {
            let queryItems = QueryItem.items(name, json, isIndexed: isIndexed)
            let writtenItems = queryItems.map { ParameterTexts.Item(place.with($0.name), $0.value.description) }
            if writtenItems == items { return true }
        }
        return false
    }

    /// Returns the binding to a place whose text contains this parameter's texts; nil if it does not.
    ///
    /// The text before and after them becomes the binding's pattern: `bytes=` of the header `Range: bytes=0-99` if the
    /// value is `0-99`. The text between two elements of an array becomes the separator: the comma of `ids=3,5`.
    ///
    /// - Parameters:
    ///   - place: The place to look at.
    ///   - call: The call, whose `texts` are the parameter's value: several for an array.
    private func patternBinding(at place: ParameterTexts.Location, _ call: ParameterProbe.Change) -> CallBinding? {
        let sentTexts = call.request.texts(at: place)
        let values = call.texts
        var binding = CallBinding(parameter: parameter, place: place)
        if parameter.type.isArray, sentTexts == values { return binding }
        guard sentTexts.count == 1, let firstValue = values.first else { return nil }
        let sentText = sentTexts[0]
        guard let firstRange = sentText.firstRange(of: firstValue) else { return nil }
        let prefix = sentText[..<firstRange.lowerBound]
        var suffix = sentText[firstRange.upperBound...]
        if values.count == 2 {
            guard let secondRange = suffix.firstRange(of: values[1]) else { return nil }
            let separator = suffix[..<secondRange.lowerBound]
            if separator.isEmpty { return nil }
            binding.separator = String(separator)
            suffix = suffix[secondRange.upperBound...]
        }
        binding.pattern = TextPattern(literals: [String(prefix).exactBytes, String(suffix).exactBytes])
        return binding
    }

    /// Returns the binding to a scalar, or a list of scalars, in the JSON body; nil if it is not the parameter's.
    ///
    /// - Parameters:
    ///   - keys: The keys that lead to the scalar or list in the body.
    ///   - value: The scalar or list. It must be a list if the parameter is an array.
    ///   - texts: The parameter's value: several texts for an array.
    private func scalarBinding(at keys: [String], _ value: JSONValue, _ texts: [String]) -> CallBinding? {
        let scalars: [JSONValue]
        if parameter.type.isArray {
            guard let elements = value.elements else { return nil }
            scalars = elements
        } else {
            scalars = [value]
        }
        guard let first = scalars.first, first.elements == nil, first.members == nil else { return nil }
        let binding = CallBinding(parameter: parameter, place: .json(keys), isString: first.string != nil)
        return binding.areAlike(scalars.map(\.text), texts) ? binding : nil
    }
}

extension JSONValue {
    /// Returns the value that keys lead to from this one; nil if there is none.
    package func value(at keys: [String]) -> JSONValue? {
        var value: JSONValue? = self
        for key in keys { value = value?[key] }
        return value
    }

    /// Returns the first result of `find` for this value and the members in it, members of members included.
    ///
    /// - Parameters:
    ///   - keys: The keys that lead to this value.
    ///   - find: Returns a result for a value, and the keys that lead to it, or nil to go on.
    fileprivate func first<Output>(_ keys: [String] = [], where find: ([String], JSONValue) -> Output?) -> Output? {
        if let result = find(keys, self) { return result }
        guard let members else { return nil }
        for (key, member) in members {
            if let result = member.first(keys + [key], where: find) { return result }
        }
        return nil
    }
}

extension CallBinding {
    /// Returns this binding with a pattern of all values that share its place, as two do in `location=-33.8,151.2`.
    ///
    /// Each binding of `sharing` was found alone, so its pattern has the other values as literal text. For the latitude
    /// it is nothing before and `,151.2` after. In the common pattern, only the texts between the values are literal:
    /// nothing, `,` and nothing.
    ///
    /// - Parameters:
    ///   - sharing: The bindings to the same place, this one included.
    ///   - original: The request in which they were found.
    /// - Returns: The binding itself if no other one shares its place. Nil if the values can't be told apart, because
    ///   they overlap or nothing is between them.
    fileprivate func separated(from sharing: [CallBinding], in original: ParameterTexts) -> CallBinding? {
        guard sharing.count > 1 else { return self }
        guard let text = original.texts(at: place).first?.exactBytes else { return nil }
        let valueRanges = sharing.map { other in
            let suffixCount = other.pattern.literals[1].count
            return (start: other.pattern.literals[0].count, end: text.count - suffixCount)
        }
        var binding = self
        var literals: [[UInt8]] = []
        var literalStart = 0
        for (index, range) in valueRanges.sorted(by: { $0.start < $1.start }).enumerated() {
            let isEmpty = range.start >= range.end
            // There must be a text between two values, but not before the first one.
            let touchesPreviousValue = index > 0 && literalStart >= range.start
            if isEmpty || touchesPreviousValue { return nil }
            let isOwnValue = range.start == pattern.literals[0].count
            if isOwnValue { binding.index = index }
            literals.append(Array(text[literalStart..<range.start]))
            literalStart = range.end
        }
        literals.append(Array(text[literalStart...]))
        binding.pattern = TextPattern(literals: literals)
        return binding
    }
}
