import EndpointKit
import JSONText

/// The search for the place of a parameter in the requests of its trial, which have other values for the parameter.
extension ParameterProbe.Trial {
    /// The calls in whose requests the parameter's value is looked for, the most informative first. There are none if
    /// the parameter's type accepts no other value.
    ///
    /// A structure or dictionary can be found by its value alone, so the unchanged call comes first. An empty object
    /// may be anywhere in a request, so a call with that comes last.
    var callsWithOtherValues: [ParameterProbe.Change] {
        // A type may read a changed value as the original one.
        var calls = changes.filter { $0.texts != parameter.example }
        if parameter.type.hasParts {
            let isEmptyObject = unchanged.json?.members?.isEmpty == true
            calls.insert(unchanged, at: isEmptyObject ? calls.endIndex : 0)
        }
        return calls.filter(\.request.hasPath)
    }

    /// Returns the place where the request of a call has the parameter's value, as a binding; nil if the value is not
    /// found.
    ///
    /// - A structure or dictionary is looked for as a whole in a JSON body, and then spread over query items or form
    ///   fields, such as `filter[colour]=red`.
    /// - Any other value is looked for as text.
    /// - An array that is not found as text may be spread over query items too.
    ///
    /// - Parameters:
    ///   - call: One of ``callsWithOtherValues``.
    ///   - coding: How the API writes values.
    func binding(_ call: ParameterProbe.Change, _ coding: Coding) -> CallBinding? {
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

    /// Returns the place where the request of a call has a value that is one or several texts, as a binding; nil if the
    /// texts are not found.
    ///
    /// A text may be in the request by chance, so only places are searched where the request differs from one without
    /// the value. These are first the path, query items, headers, form fields and files, then the values in a JSON
    /// body.
    ///
    /// - Parameter call: The call, whose `texts` are the value.
    private func textBinding(_ call: ParameterProbe.Change) -> CallBinding? {
        let requestWithValue = call.request
        let requestWithoutValue = requestWithoutValue
        let places = requestWithValue.items.map(\.place)
        for place in places where requestWithValue.texts(at: place) != requestWithoutValue.texts(at: place) {
            if place.isFile { return CallBinding(parameter: parameter, place: place) }
            if let binding = patternBinding(at: place, call) { return binding }
        }
        if let body = requestWithValue.json, let otherBody = requestWithoutValue.json {
            return body.first { keys, value in
                let isUnchanged = value == otherBody.value(at: keys)
                return isUnchanged ? nil : scalarBinding(at: keys, value, call.texts)
            }
        }
        // The path of a file is not sent. So if the file is required, a call with another path changes nothing here.
        let files = places.filter(\.isFile)
        let isUnchanged = requestWithValue.items == requestWithoutValue.items
        guard isUnchanged, files.count == 1 else { return nil }
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
    /// The value is written as items at each place where the request could have it. The right place is the one where
    /// these are exactly the items of the request.
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

    /// Returns the places in a request where a structured value may be: `filter` for the item `filter[colour]=red`, and
    /// last the places with an empty name.
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

    /// Returns the binding to a place in a request, if the text there contains the parameter's value; nil if it does
    /// not.
    ///
    /// The texts around the value become the binding's pattern, and the text between the elements of an array its
    /// separator.
    ///
    /// - Parameters:
    ///   - place: The place, such as a header.
    ///   - call: The call whose request is searched. Its `texts` are the parameter's value: several for an array.
    private func patternBinding(at place: ParameterTexts.Location, _ call: ParameterProbe.Change) -> CallBinding? {
        let sentTexts = call.request.texts(at: place)
        var binding = CallBinding(parameter: parameter, place: place)
        let areSeparateTexts = parameter.type.isArray && sentTexts == call.texts
        if areSeparateTexts { return binding }
        guard sentTexts.count == 1 else { return nil }
        guard let surroundings = Self.surroundings(of: call.texts, in: sentTexts[0]) else { return nil }
        binding.separator = surroundings.separator
        binding.pattern = TextPattern(literals: [surroundings.prefix.exactBytes, surroundings.suffix.exactBytes])
        return binding
    }

    /// Returns the texts around and between values in a text; nil if the text does not contain the values.
    ///
    ///     value 0-99 in "bytes=0-99"        prefix "bytes=", suffix ""
    ///     values 3 and 5 in "id:3,5."       prefix "id:", separator ",", suffix "."
    ///
    /// - Parameters:
    ///   - values: One value, or two elements of an array. The arrays that are tried have no more.
    ///   - text: The text of a request, such as that of a header.
    private static func surroundings(
        of values: [String], in text: String
    ) -> (prefix: String, separator: String?, suffix: String)? {
        guard let firstValue = values.first, let firstRange = text.firstRange(of: firstValue) else { return nil }
        let prefix = text[..<firstRange.lowerBound]
        let textAfterFirst = text[firstRange.upperBound...]
        if values.count != 2 { return (String(prefix), nil, String(textAfterFirst)) }
        guard let secondRange = textAfterFirst.firstRange(of: values[1]) else { return nil }
        let separator = textAfterFirst[..<secondRange.lowerBound]
        if separator.isEmpty { return nil }
        let suffix = textAfterFirst[secondRange.upperBound...]
        return (String(prefix), String(separator), String(suffix))
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
    /// Returns the first result that a function has for this value or for a member in it, members of members included.
    ///
    /// - Parameters:
    ///   - keys: The keys that lead to this value.
    ///   - result: Returns the result for a value, by the keys that lead to it and the value itself; nil to go on with
    ///     the next value.
    fileprivate func first<Output>(_ keys: [String] = [], result: ([String], JSONValue) -> Output?) -> Output? {
        if let found = result(keys, self) { return found }
        guard let members else { return nil }
        for (key, member) in members {
            if let found = member.first(keys + [key], result: result) { return found }
        }
        return nil
    }
}
