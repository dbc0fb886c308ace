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
    private static let maxChangedCalls = 4

    /// The limit for the number of trials times the number of parameters. Each trial builds requests that have all
    /// parameters, so that 10,000 parameters would take minutes. Up to 1,000 parameters are all tried.
    private static let maxTrialsTimesParameters = 1_000_000

    /// A call with another value for one parameter, or without it, and the request of the call.
    package struct ProbedCall: Sendable {
        package let call: EndpointCall
        /// The value's texts: several for an array, none if the parameter is left out.
        package let texts: [String]
        /// The value as the API writes it; nil if the parameter is left out.
        package let json: JSONValue?
        package let request: ParameterTexts

        /// Describes a call by the value that one of its parameters has: the value's texts, and its JSON as the API
        /// writes it.
        ///
        /// - Parameters:
        ///   - call: The call, which differs from the original one in this parameter at most.
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
        package let originalCall: ProbedCall
        /// Calls with other values; empty if the parameter's type accepts none of those that are tried.
        package let changedCalls: [ProbedCall]
        /// The call without the parameter; nil if it is required.
        package let omission: ProbedCall?
        /// The calls that show where the parameter goes: those with other values, or else the one without it.
        package let informativeCalls: [ProbedCall]
        /// The items in which the requests of ``informativeCalls`` and the original request differ, of both requests:
        /// the path's `550` and `71` if 71 is tried in place of 550.
        package let changedItems: [ParameterTexts.Item]

        /// Collects the calls that differ from the original call in one parameter, and compares their requests.
        ///
        /// - Parameters:
        ///   - parameter: The parameter that differs.
        ///   - originalCall: The call with the parameter's original value.
        ///   - changedCalls: Calls with other values for the parameter.
        ///   - omission: The call without the parameter. It only counts in the comparison if `changedCalls` is empty.
        fileprivate init(
            _ parameter: Parameter, originalCall: ProbedCall, changedCalls: [ProbedCall], omission: ProbedCall?
        ) {
            self.parameter = parameter
            self.originalCall = originalCall
            self.changedCalls = changedCalls
            self.omission = omission
            if changedCalls.isEmpty, let omission {
                informativeCalls = [omission]
            } else {
                informativeCalls = changedCalls
            }
            changedItems = informativeCalls.flatMap { originalCall.request.difference(from: $0.request) }
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
    /// The call is the endpoint's first one. If that has no body but another call has one, everything is done again
    /// with the other call, because only a request with a body shows what goes into the body. For example, the endpoint
    /// of `rename(id: Int, name: String?)` may have a body only if there is a name.
    package init(_ declaration: EndpointDeclaration) {
        let firstProbe = ParameterProbe(
            declaration, changing: declaration.firstCall, parameterValues: declaration.firstValues)
        if let callWithBody = firstProbe.otherCallWithBody {
            let parameterValues = try? callWithBody.values()
            self.init(declaration, changing: callWithBody, parameterValues: parameterValues)
        } else {
            self = firstProbe
        }
    }

    /// A call with a body, if ``original`` has none and the method allows one; nil if no call has a body.
    private var otherCallWithBody: EndpointCall? {
        let hasBody = original.endpoint.body != nil
        if hasBody || declaration.endpoint.method.isRetrieval { return nil }
        // A trial has calls with other values for one parameter. Such a call may have an optional parameter that the
        // first call lacks.
        let trialsOfOptionals = trials.filter(\.parameter.isOptional)
        let callsWithOptionals = trialsOfOptionals.flatMap(\.changedCalls).map(\.call)
        let otherCalls = declaration.examples + callsWithOptionals
        return otherCalls.first { $0.endpoint.body != nil }
    }

    /// Changes each parameter of a call in turn, and builds the requests. If there are very many parameters, the last
    /// ones are not changed.
    ///
    /// - Parameters:
    ///   - declaration: The endpoint.
    ///   - original: The call whose parameters are changed.
    ///   - parameterValues: The values of the parameters in `original`. They are nil if they can't be encoded. Each
    ///     call then has only the parameter that is tried.
    private init(
        _ declaration: EndpointDeclaration, changing original: EndpointCall, parameterValues: CallValue?
    ) {
        let editor = CallEditor(declaration, parameterValues: parameterValues)
        let request = editor.buildRequest(of: original)
        var signature = declaration.signature
        // The parameters get their values from the original call, not from the examples.
        if let parameterValues { signature = signature.filled(with: parameterValues) }
        // The root is an object whose fields are the parameters, in the same order.
        let boundedFields = Self.boundedRoot(of: declaration).fields
        let maxTrials = Self.maxTrialsTimesParameters / max(boundedFields.count, 1)
        var trials: [Trial] = []
        for (parameter, field) in zip(signature.parameters, boundedFields) {
            let originalValue = parameterValues?[parameter.name]
            let originalCall = ProbedCall(original, request: request, of: parameter, value: originalValue)
            var changedCalls: [ProbedCall] = []
            var omission: ProbedCall?
            // Otherwise the trial has no other calls, so that nothing is known about its parameter.
            if trials.count < maxTrials {
                changedCalls = Self.makeChangedCalls(
                    of: parameter, toValuesOf: field.shape, originalRequest: request, editor: editor)
                omission = Self.makeOmission(of: parameter, editor: editor)
            }
            trials.append(Trial(parameter, originalCall: originalCall, changedCalls: changedCalls, omission: omission))
        }
        self.declaration = declaration
        self.original = original
        self.request = request
        self.trials = trials
    }

    /// Returns an object of the parameters with the numbers that may be tried.
    ///
    /// Building a request runs the app's code, which may rely on the endpoint's rules. For example,
    /// `months[number - 1]` traps unless a rule keeps `number` within 1...12. So the numbers are within the bounds of
    /// the rules.
    private static func boundedRoot(of declaration: EndpointDeclaration) -> Shape {
        let signature = declaration.signature
        return declaration.bounded(signature.root, in: signature.shape)
    }

    /// Makes calls that differ from the original call in the value of one parameter, and builds their requests.
    ///
    /// If the parameter is 550 in the original call, the other calls may have 71 and 2. For a single value, such as a
    /// number or a text, two calls are enough if one of their requests differs from the original one. Two are needed
    /// because the endpoint may send 71 anyway.
    ///
    /// - Parameters:
    ///   - parameter: The parameter that gets other values.
    ///   - shape: The shape of the other values, within the bounds of the endpoint's rules.
    ///   - originalRequest: The request of the original call.
    ///   - editor: Makes the calls.
    private static func makeChangedCalls(
        of parameter: Parameter, toValuesOf shape: Shape, originalRequest: ParameterTexts, editor: CallEditor
    ) -> [ProbedCall] {
        let newValues = shape.otherValues(than: editor.value(of: parameter.name))
        guard let firstValue = newValues.first else { return [] }
        let maxCount = maxCountOfChangedCalls(
            of: parameter, toValuesOf: shape, firstValue: firstValue, editor: editor)
        let isSingleValue = !parameter.type.hasParts
        var changedCalls: [ProbedCall] = []
        for newValue in newValues {
            let changedCall = makeChangedCall(of: parameter, to: newValue, editor: editor)
            // The parameter's type may refuse the value.
            guard let changedCall else { continue }
            changedCalls.append(changedCall)
            if changedCalls.count == maxCount { break }
            let isAnyRequestChanged = changedCalls.contains { $0.request != originalRequest }
            if isSingleValue, changedCalls.count == 2, isAnyRequestChanged { break }
        }
        return changedCalls
    }

    /// Returns the most calls with other values that are made for a parameter.
    ///
    /// Mostly that is ``maxChangedCalls``. The first value for an object changes all of its fields. If the parameter's
    /// type refuses that value, each field needs a call of its own, because a field that never changes would look like
    /// a constant. There may then be as many calls as copies of the object that change one field, ``Shape/maxCopies``.
    private static func maxCountOfChangedCalls(
        of parameter: Parameter, toValuesOf shape: Shape, firstValue: JSONValue, editor: CallEditor
    ) -> Int {
        let isObject = !shape.fields.isEmpty
        if !isObject { return maxChangedCalls }
        let isFirstValueRefused = editor.makeCall(setting: parameter.name, to: firstValue) == nil
        return isFirstValueRefused ? Shape.maxCopies : maxChangedCalls
    }

    /// Makes the call with another value for one parameter; nil if the parameter's type refuses the value.
    private static func makeChangedCall(
        of parameter: Parameter, to newValue: JSONValue, editor: CallEditor
    ) -> ProbedCall? {
        guard let call = editor.makeCall(setting: parameter.name, to: newValue) else { return nil }
        // Read the value back from the call: its type may have changed the value while it decoded it.
        let decodedValue = (try? call.values())?[parameter.name]
        return ProbedCall(call, request: editor.buildRequest(of: call), of: parameter, value: decodedValue)
    }

    /// Makes the call without an optional parameter; nil if the parameter is required.
    private static func makeOmission(of parameter: Parameter, editor: CallEditor) -> ProbedCall? {
        guard parameter.isOptional else { return nil }
        let callWithoutParameter = editor.makeCall(setting: parameter.name, to: nil)
        guard let call = callWithoutParameter else { return nil }
        return ProbedCall(call, request: editor.buildRequest(of: call), of: parameter, value: nil)
    }
}

/// Makes calls that differ from one call in a single parameter.
///
/// The values of a call are edited as JSON: `{"id": 550}` becomes `{"id": 71}`.
private struct CallEditor {
    private let declaration: EndpointDeclaration
    /// The Swift names of the call's parameters, with values as the models write them.
    private let parameters: [(name: String, value: JSONValue)]

    /// Prepares to edit a call.
    ///
    /// - Parameters:
    ///   - declaration: The endpoint of the call.
    ///   - parameterValues: The call's parameters. If they are nil, each edited call has one parameter only.
    init(_ declaration: EndpointDeclaration, parameterValues: CallValue?) {
        self.declaration = declaration
        let members = parameterValues?.plain.members ?? []
        parameters = members.map { (name: $0.key, value: $0.value) }
    }

    /// Returns the parameter's value in the call; nil if it has none.
    func value(of name: String) -> JSONValue? { parameters.first { $0.name == name }?.value }

    /// Makes the call with another value for a parameter, which then comes last; nil if the parameter's type refuses
    /// the value.
    ///
    /// - Parameters:
    ///   - name: The parameter's Swift name.
    ///   - value: The value as the model writes it; nil leaves the parameter out.
    func makeCall(setting name: String, to value: JSONValue?) -> EndpointCall? {
        var newParameters: [(String, JSONValue)] = parameters.filter { $0.name != name }
        if let value { newParameters.append((name, value)) }
        return try? declaration.source.call(values: JSONValue(newParameters))
    }

    /// Builds the request of a call, and returns its texts. Nothing is sent.
    func buildRequest(of call: EndpointCall) -> ParameterTexts {
        ParameterTexts(call.endpoint, of: declaration.api)
    }
}
