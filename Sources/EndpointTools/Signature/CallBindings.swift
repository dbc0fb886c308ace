import EndpointKit
import JSONText

/// The places of an endpoint's parameters in its requests, by which a request can be read back as a call.
///
/// A ``ParameterProbe`` shows them: it changes one parameter after the other, and the part of the request that changes
/// with a parameter is its place. For example, `id` is in the path and `language` in the query of
/// `/movie/550?language=en`. A parameter has no binding if its text is not found in the request, because the endpoint
/// computes something of it, or chooses between requests by it.
package struct CallBindings: Sendable {
    /// A parameter and the places in a request that change with it.
    package struct PlacesOfParameter: Sendable {
        package let parameter: Parameter
        /// The places; nil if the parameter could neither be changed nor left out, so that nothing is known about its
        /// places.
        package let places: [ParameterTexts.Location]?
    }

    /// The place of each parameter that has one.
    package private(set) var bindings: [CallBinding] = []
    /// The request whose parameters were changed; nil if it can't be made.
    package let original: ParameterTexts?
    /// Query items, form fields and headers of the endpoint that no parameter changes.
    ///
    /// They distinguish endpoints with the same method and path.
    package private(set) var constants: [ParameterTexts.Item] = []
    /// Headers of the API that no parameter changes. A request may lack them, but may not have other values for them.
    package private(set) var apiHeaders: [ParameterTexts.Item] = []
    /// Places that repeat the values of parameters with a binding to another place.
    package private(set) var repeatedPlaces: [ParameterTexts.Location] = []
    /// Whether the body is a JSON object that is made of parameters.
    package private(set) var isBodyObject = false
    /// The members of a JSON body that no parameter changes.
    package private(set) var constantMembers: [(key: String, value: JSONValue)] = []
    /// The places that change with each parameter.
    package let placesOfParameters: [PlacesOfParameter]

    /// The format of the body; `none` also if the original request can't be made.
    package var bodyFormat: ParameterTexts.BodyFormat { original?.bodyFormat ?? .none }

    /// Finds the place of each parameter in the endpoint's requests, and the parts of a request that never change.
    ///
    /// A *binding* is the place of a parameter, and how its value is written there. If the original request can't be
    /// made, there are neither bindings nor constant parts.
    ///
    /// - Parameter probe: The endpoint's requests with one parameter changed at a time.
    package init(of probe: ParameterProbe) {
        original = probe.request.hasCompletePath ? probe.request : nil
        placesOfParameters = probe.trials.map { trial in
            let isUnknown = trial.informativeCalls.isEmpty
            let changedPlaces = isUnknown ? nil : trial.changedItems.map(\.place)
            return PlacesOfParameter(parameter: trial.parameter, places: changedPlaces)
        }
        guard let original else { return }
        let results = TrialResults(probe, in: original)
        bindings = Self.separatingSharedTexts(of: results.bindings, in: original)
        // If one parameter is the whole body, the members of the body are not parameters.
        let isWholeBodyBound = results.bindings.contains { $0.place == .json([]) }
        isBodyObject = original.json?.members != nil && !isWholeBodyBound
        // A place can only be called repeated or constant if it is known what each parameter changes.
        if results.isEveryParameterTried { repeatedPlaces = findRepeatedPlaces(in: probe.trials) }
        for item in original.items + original.members where results.isConstant(item) {
            addConstant(item, of: probe.declaration, isCertain: results.isEveryParameterTried)
        }
    }

    /// Returns bindings that each read a single value, even from a text with several, such as `location=-33.8,151.2`
    /// with latitude and longitude. A value that can't be separated from the others gets no binding.
    private static func separatingSharedTexts(
        of bindings: [CallBinding], in original: ParameterTexts
    ) -> [CallBinding] {
        bindings.compactMap { binding in
            // A structure with a field coding is spread over several items, so it shares no text.
            let bindingsToText = bindings.filter { $0.place == binding.place && $0.fieldCoding == nil }
            return binding.separated(from: bindingsToText, in: original)
        }
    }

    /// The conclusions from all trials of a probe. Each trial changes one parameter of a call.
    private struct TrialResults {
        /// The binding of each parameter that has one, before values that share a text are separated.
        private(set) var bindings: [CallBinding] = []
        /// The items of requests that some parameter changes.
        private var changedItems: [ParameterTexts.Item] = []
        /// Whether other values were tried for every parameter. If not, a parameter may change any item.
        private(set) var isEveryParameterTried = true

        /// Finds the binding of each parameter, which is the place where a request has its value, and the items of
        /// requests that the parameters change.
        ///
        /// For example, the trial of `id` has requests for `/movie/71` and `/movie/2` in place of `/movie/550`. So its
        /// binding is to the path.
        ///
        /// - Parameters:
        ///   - probe: The trials. Each has requests with other values for one parameter, and maybe one without it.
        ///   - original: The request in which all parameters have their original values.
        init(_ probe: ParameterProbe, in original: ParameterTexts) {
            for trial in probe.trials {
                let callsWithOtherValues = trial.callsWithOtherValues
                // Without other values, it is not known which items the parameter changes.
                if callsWithOtherValues.isEmpty { isEveryParameterTried = false }
                let binding = Self.findBinding(
                    of: trial, in: callsWithOtherValues, coding: probe.declaration.api.coding)
                if let binding { bindings.append(binding) }
                changedItems += trial.changedItems
                // If there are calls with other values, the items above come from these alone. Leaving the parameter
                // out may change further items.
                if let omission = trial.omission { changedItems += original.difference(from: omission.request) }
            }
        }

        /// Finds the binding of the parameter that a trial changes, which is the place of its value in requests. Nil if
        /// the value is not found.
        ///
        /// A binding found with another value must also read the original value from the original request. That rules
        /// out places that change together with the parameter without showing its value. A nested binding, whose value
        /// is spread over several items, needs no such check, because it was compared item by item.
        ///
        /// - Parameters:
        ///   - calls: The calls of the trial with other values.
        ///   - coding: How the API writes values.
        private static func findBinding(
            of trial: ParameterProbe.Trial, in calls: [ParameterProbe.ProbedCall], coding: Coding
        ) -> CallBinding? {
            for call in calls {
                guard let binding = trial.findBinding(in: call, coding: coding) else { continue }
                let isNested = binding.fieldCoding != nil
                if isNested || CallBindings.reads(binding, valueOf: trial.originalCall) { return binding }
            }
            return nil
        }

        /// Whether no parameter changes an item of the original request.
        func isConstant(_ item: ParameterTexts.Item) -> Bool {
            if changedItems.contains(item) { return false }
            return !bindings.contains { $0.covers(item.place) }
        }
    }

    /// Finds the places outside the body that only repeat values of parameters.
    ///
    /// For example, an endpoint may send its `id` both in the path and in a header. The binding of `id` reads the value
    /// from the path, so the header only repeats it. A place that also changes with a parameter without a binding does
    /// more than repeat, so it is left out.
    ///
    /// - Parameter trials: A trial of each parameter, with the items of requests that change with it.
    private func findRepeatedPlaces(in trials: [ParameterProbe.Trial]) -> [ParameterTexts.Location] {
        let boundParameters = Set(bindings.map(\.parameter.name))
        let trialsWithoutBinding = trials.filter { !boundParameters.contains($0.parameter.name) }
        let placesOfUnboundParameters = Set(trialsWithoutBinding.flatMap(\.changedItems).map(\.place))
        let changedPlaces = trials.flatMap(\.changedItems).map(\.place)
        return changedPlaces.withoutRepetitions.filter { place in
            if place.part == .body || placesOfUnboundParameters.contains(place) { return false }
            let isReadByBinding = bindings.contains { $0.covers(place) }
            return !isReadByBinding
        }
    }

    /// Adds an item that no parameter changes to the items that requests are checked against.
    ///
    /// A header, query item or form field of the endpoint goes to ``constants``: a request must have it. A header of
    /// the whole API goes to ``apiHeaders``: a request may lack it. A member of a JSON body goes to
    /// ``constantMembers``. Items in the path, files and a body as a whole are left out.
    ///
    /// - Parameters:
    ///   - item: An item of the original request.
    ///   - declaration: The endpoint with its API.
    ///   - isCertain: Whether it is certain that no parameter changes the item. If not, only headers are added.
    private mutating func addConstant(
        _ item: ParameterTexts.Item, of declaration: EndpointDeclaration, isCertain: Bool
    ) {
        switch item.place {
        case .header(let name):
            addConstantHeader(item, named: name, of: declaration)
        case .query, .field:
            if isCertain { constants.append(item) }
        case .json(let keys):
            // Only the items of an object have keys: each has the key of its member.
            guard isCertain, isBodyObject, let value = original?.json?[keys[0]] else { break }
            constantMembers.append((keys[0], value))
        case .path, .file, .body:
            break
        }
    }

    /// Adds a header that no parameter changes to ``constants`` if the endpoint itself declares it, and to
    /// ``apiHeaders`` if only its API does. Any other header is left out.
    ///
    /// - Parameters:
    ///   - item: The header with its text in the original request.
    ///   - name: The name of the header in lower case.
    ///   - declaration: The endpoint with its API.
    private mutating func addConstantHeader(
        _ item: ParameterTexts.Item, named name: String, of declaration: EndpointDeclaration
    ) {
        let isOfEndpoint = declaration.endpoint.headers.fields.contains { $0.isNamed(name) }
        if isOfEndpoint {
            constants.append(item)
            return
        }
        // Each client has values of its own for these.
        if name == "accept" || name == "user-agent" { return }
        let isOfAPI = declaration.api.requestBuilder.headers.fields.contains { $0.isNamed(name) }
        if isOfAPI { apiHeaders.append(item) }
    }

    /// Whether reading a call's request by a binding gives the value that the parameter has in the call.
    fileprivate static func reads(_ binding: CallBinding, valueOf call: ParameterProbe.ProbedCall) -> Bool {
        switch binding.value(in: call.request) {
        case .texts(let texts): binding.areSameValues(texts, call.texts)
        case .json(let value): call.json == value
        // A file's path is not in the request.
        case .present: true
        // A call without the parameter sends nothing at its place.
        case nil: call.texts.isEmpty
        case .invalid: false
        }
    }
}

extension CallBinding {
    /// Returns this binding with a pattern that separates its value from the others in the same text, such as latitude
    /// and longitude in `location=-33.8,151.2`.
    ///
    /// A *pattern* is the literal texts around values. Each binding was found alone, so its pattern has the other
    /// values as literal text. In the common pattern, only the texts between the values are literal:
    ///
    ///     latitude alone     value + ",151.2"
    ///     longitude alone    "-33.8," + value
    ///     common pattern     value + "," + value
    ///
    /// - Parameters:
    ///   - bindingsToText: All bindings to the same text, this one included.
    ///   - original: The request in which they were found.
    /// - Returns: The binding itself if no other one shares its text. Nil if the values can't be told apart, because
    ///   they overlap or nothing is between them.
    fileprivate func separated(from bindingsToText: [CallBinding], in original: ParameterTexts) -> CallBinding? {
        guard bindingsToText.count > 1 else { return self }
        guard let text = original.texts(at: place).first?.exactBytes else { return nil }
        let sortedBindings = bindingsToText.sorted { $0.valueStart < $1.valueStart }
        guard let textsAround = Self.literals(around: sortedBindings, in: text) else { return nil }
        var separatedBinding = self
        separatedBinding.pattern = TextPattern(literals: textsAround)
        // No two values start at the same place, or there would be no text between them.
        if let index = sortedBindings.firstIndex(where: { $0.valueStart == valueStart }) {
            separatedBinding.indexInPattern = index
        }
        return separatedBinding
    }

    /// Returns the texts before, between and after the values of bindings: `lat=`, `,` and an empty text for
    /// `lat=-33.8,151.2`.
    ///
    /// - Parameters:
    ///   - sortedBindings: The bindings, in the order of their values in the text.
    ///   - text: The text that holds all values.
    /// - Returns: The texts; nil if a value is empty, or if nothing is between two values.
    private static func literals(around sortedBindings: [CallBinding], in text: [UInt8]) -> [[UInt8]]? {
        var textsAround: [[UInt8]] = []
        var previousValueEnd = 0
        for binding in sortedBindings {
            let valueStart = binding.valueStart
            let valueEnd = binding.valueEnd(in: text)
            let isEmpty = valueStart >= valueEnd
            if isEmpty { return nil }
            // Only the first value may be without a text before it.
            let isFirst = textsAround.isEmpty
            let touchesPreviousValue = previousValueEnd >= valueStart
            if !isFirst, touchesPreviousValue { return nil }
            textsAround.append(Array(text[previousValueEnd..<valueStart]))
            previousValueEnd = valueEnd
        }
        textsAround.append(Array(text[previousValueEnd...]))
        return textsAround
    }

    /// The offset of the value in the text, for a pattern of one value.
    private var valueStart: Int { pattern.literals[0].count }

    /// Returns the offset of the end of the value in the text, for a pattern of one value.
    private func valueEnd(in text: [UInt8]) -> Int { text.count - pattern.literals[1].count }
}
