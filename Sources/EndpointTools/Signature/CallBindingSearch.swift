import EndpointKit
import JSONText

/// The search for the place of a parameter in the requests of its trial, which have other values for the parameter.
extension ParameterProbe.Trial {
    /// The calls in whose requests the parameter's value is looked for, the most informative first. There are none if
    /// the parameter's type accepts no other value.
    ///
    /// A structure or dictionary can be found by its value alone, so the original call comes first. An empty object
    /// may be anywhere in a request, so a call with that comes last.
    var callsWithOtherValues: [ParameterProbe.ProbedCall] {
        // A type may read a changed value as the original one. Then nothing can be learned from the call.
        var candidates = changedCalls.filter { $0.texts != parameter.example }
        if parameter.type.hasParts {
            let isEmptyObject = originalCall.json?.members?.isEmpty == true
            candidates.insert(originalCall, at: isEmptyObject ? candidates.endIndex : 0)
        }
        return candidates.filter(\.request.hasCompletePath)
    }

    /// Finds the parameter's value in the request of a call.
    ///
    /// - A structure or dictionary is looked for as a whole in a JSON body, and then spread over query items or form
    ///   fields, such as `filter[colour]=red`.
    /// - Any other value is looked for as text.
    /// - An array that is not found as text may be spread over query items too.
    ///
    /// - Parameters:
    ///   - call: One of ``callsWithOtherValues``.
    ///   - coding: How the API writes values.
    /// - Returns: A binding, which is the place of the value and the way in which it is written there. Nil if the value
    ///   is not found.
    func findBinding(in call: ParameterProbe.ProbedCall, coding: Coding) -> CallBinding? {
        if parameter.type.hasParts {
            guard let parameterValue = call.json else { return nil }
            let bodyBinding = findBodyBinding(of: parameterValue, in: call)
            return bodyBinding ?? findNestedBinding(of: parameterValue, in: call, coding: coding)
        }
        if let textBinding = findTextBinding(in: call) { return textBinding }
        guard parameter.type.isArray, let parameterValue = call.json else { return nil }
        return findNestedBinding(of: parameterValue, in: call, coding: coding)
    }

    /// Finds the first value in the JSON body that equals the parameter's value; nil if there is none.
    private func findBodyBinding(of parameterValue: JSONValue, in call: ParameterProbe.ProbedCall) -> CallBinding? {
        call.request.json?.firstResult { keys, value in
            value == parameterValue ? CallBinding(parameter: parameter, place: .json(keys)) : nil
        }
    }

    /// Finds the texts of the parameter's value in the request of a call, and returns a binding to their place; nil if
    /// they are not found. The value is a single text, or an array of several.
    ///
    /// A text may be in the request by chance, so only places are searched where the request differs from
    /// ``requestToCompare``. These are first the path, query items, headers, form fields and files, then the values in
    /// a JSON body.
    ///
    /// - Parameter call: The call whose request is searched. Its `texts` are the value.
    private func findTextBinding(in call: ParameterProbe.ProbedCall) -> CallBinding? {
        let requestWithValue = call.request
        let otherRequest = requestToCompare
        let places = requestWithValue.items.map(\.place)
        for place in places {
            let isUnchanged = requestWithValue.texts(at: place) == otherRequest.texts(at: place)
            if isUnchanged { continue }
            // The path of a file is the whole value, so no pattern is needed.
            if place.isFile { return CallBinding(parameter: parameter, place: place) }
            if let patternBinding = findPatternBinding(at: place, in: call) { return patternBinding }
        }
        if let body = requestWithValue.json, let otherBody = otherRequest.json {
            return findScalarBinding(of: call.texts, in: body, comparedWith: otherBody)
        }
        // The path of a file is not sent, so another path changes no item. The only file is then the parameter's.
        let areItemsUnchanged = requestWithValue.items == otherRequest.items
        let filePlaces = places.filter(\.isFile)
        guard areItemsUnchanged, filePlaces.count == 1 else { return nil }
        return CallBinding(parameter: parameter, place: filePlaces[0])
    }

    /// Finds the parameter's value in a JSON body; nil if it is not there. A value that another body has at the same
    /// keys too is not taken.
    ///
    /// - Parameters:
    ///   - parameterTexts: The parameter's value: several texts for an array.
    ///   - body: The body of a request with the value.
    ///   - otherBody: The body of a request without the value, or with another one.
    private func findScalarBinding(
        of parameterTexts: [String], in body: JSONValue, comparedWith otherBody: JSONValue
    ) -> CallBinding? {
        body.firstResult { keys, value in
            let isUnchanged = value == otherBody.value(at: keys)
            return isUnchanged ? nil : scalarBinding(at: keys, to: value, ifItHasTexts: parameterTexts)
        }
    }

    /// The request to compare with a request that has another value for the parameter.
    ///
    /// It is the request without the parameter or, if the parameter is required, the one with the original value. A
    /// request in whose path a value is missing is not used.
    private var requestToCompare: ParameterTexts {
        if let omission, omission.request.hasCompletePath { return omission.request }
        return originalCall.request
    }

    /// Finds the place of a structured value that is spread over several query items or form fields, and returns it as
    /// a binding of the parameter.
    ///
    /// For example, the value `{"colour": "red", "size": 2}` may be sent in two ways:
    ///
    ///     filter[colour]=red&filter[size]=2    The place is the query item `filter`.
    ///     colour=red&size=2                    The place is a query item with an empty name.
    ///
    /// The value is written as items at each place where the request could have it. The right place is the one where
    /// these are exactly the items of the request.
    ///
    /// - Parameters:
    ///   - parameterValue: The value of the parameter in `call`, as JSON.
    ///   - call: The call whose request is searched.
    ///   - coding: How the API writes values.
    /// - Returns: The binding, whose `fieldCoding` tells how the keys are spelled. Nil if no place fits.
    private func findNestedBinding(
        of parameterValue: JSONValue, in call: ParameterProbe.ProbedCall, coding: Coding
    ) -> CallBinding? {
        let items = call.request.items
        for place in Self.rootPlaces(of: items) {
            let candidate = CallBinding(parameter: parameter, place: place, fieldCoding: coding)
            let coveredItems = items.filter { candidate.covers($0.place) }
            if coveredItems.isEmpty { continue }
            if Self.isWritten(parameterValue, as: coveredItems, at: place) { return candidate }
        }
        return nil
    }

    /// Returns the places in a request where a structured value may be: `filter` for the item `filter[colour]=red`, and
    /// last the places with an empty name.
    private static func rootPlaces(of items: [ParameterTexts.Item]) -> [ParameterTexts.Location] {
        var places: [ParameterTexts.Location] = []
        for item in items {
            // Only query items and form fields have names.
            guard let name = item.place.name else { continue }
            places.append(item.place.replacingName(with: QueryItem.keys(of: name)[0]))
        }
        // An empty name stands for a value without a name of its own: the names of the items are those of its fields.
        return places + [.query(""), .field("")]
    }

    /// Whether writing a structured value at a place gives exactly `items`.
    ///
    /// A request does not tell whether its endpoint writes lists as `tags=a` or as `tags[0]=a`, so both are compared.
    ///
    /// - Parameters:
    ///   - value: The structured value, such as `{"colour": "red"}`.
    ///   - items: The query items or form fields of the request, such as `filter[colour]=red`.
    ///   - place: The place of the whole value, such as the query item `filter`. Its name is empty if the items are
    ///     named like the fields alone.
    private static func isWritten(
        _ value: JSONValue, as items: [ParameterTexts.Item], at place: ParameterTexts.Location
    ) -> Bool {
        let hasName = place.name != ""
        let name = hasName ? place.name : nil
        for isIndexed in [false, true] {
            let queryItems = QueryItem.items(name, value, isIndexed: isIndexed)
            let writtenItems = queryItems.map {
                ParameterTexts.Item(place.replacingName(with: $0.name), $0.value.description)
            }
            if writtenItems == items { return true }
        }
        return false
    }

    /// Finds the parameter's value in the text at a place in a request; nil if the text does not contain the value.
    ///
    /// The texts around the value become the binding's pattern, and the text between the elements of an array its
    /// separator.
    ///
    /// - Parameters:
    ///   - place: The place, such as a header.
    ///   - call: The call whose request is searched. Its `texts` are the parameter's value: several for an array.
    private func findPatternBinding(
        at place: ParameterTexts.Location, in call: ParameterProbe.ProbedCall
    ) -> CallBinding? {
        let sentTexts = call.request.texts(at: place)
        var binding = CallBinding(parameter: parameter, place: place)
        // Each element of the array may have a text of its own: `tag=a&tag=b`.
        let areSeparateTexts = parameter.type.isArray && sentTexts == call.texts
        if areSeparateTexts { return binding }
        // Otherwise one text has the whole value.
        guard sentTexts.count == 1 else { return nil }
        guard let textsAround = Self.surroundings(of: call.texts, in: sentTexts[0]) else { return nil }
        binding.separator = textsAround.separator
        binding.pattern = TextPattern(literals: [textsAround.prefix.exactBytes, textsAround.suffix.exactBytes])
        return binding
    }

    /// The texts around and between the values that a text of a request holds.
    private struct Surroundings {
        /// The text before the first value.
        let prefix: String
        /// The text between two values; nil if there is only one value.
        let separator: String?
        /// The text after the last value.
        let suffix: String
    }

    /// Returns the texts around and between values in a text; nil if the text does not contain the values.
    ///
    ///     value 0-99 in "bytes=0-99"        prefix "bytes=", suffix ""
    ///     values 3 and 5 in "id:3,5."       prefix "id:", separator ",", suffix "."
    ///
    /// - Parameters:
    ///   - values: One value, or two elements of an array. The arrays that are tried have no more.
    ///   - text: The text of a request, such as that of a header.
    private static func surroundings(of values: [String], in text: String) -> Surroundings? {
        guard let firstValue = values.first, let firstRange = text.firstRange(of: firstValue) else { return nil }
        let prefix = String(text[..<firstRange.lowerBound])
        let textAfterFirst = text[firstRange.upperBound...]
        if values.count != 2 {
            return Surroundings(prefix: prefix, separator: nil, suffix: String(textAfterFirst))
        }
        guard let secondRange = textAfterFirst.firstRange(of: values[1]) else { return nil }
        let separator = String(textAfterFirst[..<secondRange.lowerBound])
        // Without a text between them, a request could not be split into the elements again.
        if separator.isEmpty { return nil }
        let suffix = String(textAfterFirst[secondRange.upperBound...])
        return Surroundings(prefix: prefix, separator: separator, suffix: suffix)
    }

    /// Returns a binding to a value in the JSON body, if it is the parameter's value; nil if it is not.
    ///
    /// - Parameters:
    ///   - keys: The keys that lead to the value in the body.
    ///   - bodyValue: The value in the body. It must be a list if the parameter is an array, or else a scalar.
    ///   - parameterTexts: The parameter's value: several texts for an array.
    private func scalarBinding(
        at keys: [String], to bodyValue: JSONValue, ifItHasTexts parameterTexts: [String]
    ) -> CallBinding? {
        let scalars = parameter.type.isArray ? bodyValue.elements : [bodyValue]
        // An empty list does not show whether its elements are strings.
        guard let scalars, let first = scalars.first else { return nil }
        let isScalar = first.elements == nil && first.members == nil
        guard isScalar else { return nil }
        // The endpoint may write a number as a string. Then only a string is read as the value.
        let isString = first.string != nil
        let binding = CallBinding(parameter: parameter, place: .json(keys), mustBeString: isString)
        let isParameterValue = binding.areSameValues(scalars.map(\.text), parameterTexts)
        return isParameterValue ? binding : nil
    }
}

extension JSONValue {
    /// Returns the first result that a function has for this value or for a member in it, at any depth.
    ///
    /// - Parameters:
    ///   - keys: The keys that lead to this value.
    ///   - examine: Called with a value and the keys that lead to it. If it returns nil, the search goes on.
    fileprivate func firstResult<Output>(
        at keys: [String] = [], of examine: (_ keys: [String], _ value: JSONValue) -> Output?
    ) -> Output? {
        if let ownResult = examine(keys, self) { return ownResult }
        for (key, member) in members ?? [] {
            if let memberResult = member.firstResult(at: keys + [key], of: examine) { return memberResult }
        }
        return nil
    }
}
