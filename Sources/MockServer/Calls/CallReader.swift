import EndpointKit
import JSONText
import Synchronization

/// Recovers the call that a request to an endpoint makes.
package final class CallReader: Sendable {
    package let declaration: EndpointDeclaration
    /// Found at the first request: a server with many endpoints starts at once.
    private let known = Mutex<CallBindings?>(nil)

    package init(_ declaration: EndpointDeclaration) { self.declaration = declaration }

    private var bindings: CallBindings {
        known.withLock { known in
            let bindings = known ?? CallBindings(of: declaration)
            known = bindings
            return bindings
        }
    }

    /// What `request` says of the endpoint's parameters; `pathValues` are the values of the route's template.
    func read(
        _ request: ReceivedRequest, on route: CallRoutes.Route, under prefix: String, pathValues: [String]
    ) -> CallReading {
        let bindings = bindings
        let parts = CallParts(request, pathValues: pathValues, expecting: bindings.form)
        var reading = CallReading(request, route, prefix)
        reading.rank = rank(request, parts, bindings)
        if let problem = parts.problem {
            reading.problems = [CallProblem(.missing, problem)]
            return reading
        }
        var arguments: [Argument] = []
        for parameter in declaration.firstParameters {
            guard let binding = bindings.bindings.first(where: { $0.parameter.name == parameter.name }) else {
                // Nothing is known of it.
                if !parameter.isOptional { arguments += parameter.exampleArguments }
                continue
            }
            switch binding.value(in: parts) {
            case .texts(let texts) where texts.isEmpty:
                // In JSON a list can be there and empty.
                arguments.append(Argument([parameter.name], .json(Array("[]".utf8), source: binding.phrase)))
            case .texts(let texts): arguments += texts.map { Argument([parameter.name], $0) }
            case .json(let value):
                let missing = MissingFields(coding: declaration.api.coding).find(
                    parameter.type, in: value, binding.keys)
                reading.problems += missing.map { CallProblem(.missing, "\($0) is missing") }
                arguments.append(Argument([parameter.name], .json(Array(value.written), source: binding.phrase)))
            case .present: arguments += parameter.exampleArguments
            case .invalid(let expected, let found):
                reading.problems.append(CallProblem(.invalid, "\(binding.phrase): expected \(expected), got \(found)"))
            case nil:
                if !parameter.isOptional {
                    reading.problems.append(CallProblem(.missing, "\(binding.phrase) is missing"))
                }
            }
        }
        guard reading.problems.isEmpty else { return reading }
        do {
            let call = try declaration.call(arguments)
            try call.checkRules(call.resolvedEndpoint)
            reading.call = call
        } catch {
            reading.problems = [problem(error, bindings)]
        }
        return reading
    }

    /// How well a request fits, apart from the parameters' values; a later number counts only if the earlier ones are alike.
    private func rank(_ request: ReceivedRequest, _ parts: CallParts, _ bindings: CallBindings) -> [Int] {
        let form = CallParts.Form(request["Content-Type"], isEmpty: request.body.isEmpty)
        let absent = bindings.constants.count { constant in !parts.items.contains { $0.isSame(as: constant) } }
        let known = bindings.constants.map(\.place) + bindings.bindings.map(\.place)
        let unknown = parts.items.count { $0.place.queryName != nil && !known.contains($0.place) }
        return [form == bindings.form ? 1 : 0, -absent, -unknown]
    }

    private func problem(_ error: any Error, _ bindings: CallBindings) -> CallProblem {
        func phrase(_ path: [String]) -> String {
            let binding = bindings.bindings.first { $0.parameter.name == path.first }
            let fields = path.dropFirst().map { "." + $0 }.joined()
            return (binding?.phrase ?? path.first ?? "") + fields
        }
        func swiftName(_ name: String) -> String { declaration.signature.parameter(named: name)?.name ?? name }
        switch error {
        case ArgumentError.missing(let paths):
            return CallProblem(.missing, paths.map { phrase($0) + " is missing" }.joined(separator: "; "))
        case ArgumentError.repeated(let path, _):
            return CallProblem(.invalid, "\(phrase(path)) is there more than once")
        case ArgumentError.invalid(let path, let text, let expected, _):
            return CallProblem(.invalid, "\(phrase(path)): expected \(expected), got '\(text)'")
        case RuleViolation.outOfBounds(let name, let value, let bounds):
            return CallProblem(.invalid, "\(phrase([swiftName(name)])): expected \(bounds), got '\(value)'")
        case RuleViolation.exclusive(let one, let other):
            let phrases = [one, other].map { phrase([swiftName($0)]) }
            return CallProblem(.invalid, phrases.joined(separator: " and ") + " can't be used together")
        case ArgumentError.invalidJSON(let path, _, let problem, _):
            return CallProblem(.invalid, "\(phrase(path)): \(problem)")
        default:
            return CallProblem(.invalid, "\(error)")
        }
    }
}

/// What a request says of an endpoint's parameters.
package struct CallReading: Sendable {
    package let request: ReceivedRequest
    package let route: CallRoutes.Route
    /// The path of the request as it was sent, without that of the mount and of the API's server.
    package let path: String
    /// The enum case; nil if there are problems.
    package fileprivate(set) var call: (any API)?
    package fileprivate(set) var problems: [CallProblem] = []
    fileprivate var rank: [Int] = []

    fileprivate init(_ request: ReceivedRequest, _ route: CallRoutes.Route, _ prefix: String) {
        self.request = request
        self.route = route
        let segments = PathSegments.split(request.path)
        path = segments.dropFirst(prefix.isEmpty ? 0 : PathSegments.split(prefix).count).map { "/" + $0 }.joined()
    }

    package var declaration: EndpointDeclaration { route.declaration }

    /// The response of the endpoint's sample; 501 if there is none.
    package var sample: Response {
        route.endpoint.sampleResponse(query: request.queryItems.map { QueryItem($0.name, $0.value) })
            ?? Response(501, message: "\(declaration.name) has no sample")
    }

    /// The call's parameters with their texts; nil if there are problems.
    package var signature: Signature? { call.flatMap { try? declaration.signature.filled(from: $0) } }

    /// How well the request fits; a later number counts only if the earlier ones are equal.
    var fit: [Int] { rank.prefix(2) + [problems.isEmpty ? 1 : 0] + rank.suffix(1) }
}

/// Why a request is not a call of the endpoint.
package struct CallProblem: Sendable, Equatable {
    package enum Kind: Sendable {
        /// A required parameter is missing, or the body that has them can't be read.
        case missing
        /// A value is of another type.
        case invalid
    }

    package let kind: Kind
    package let message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

extension CallBinding {
    fileprivate var keys: [String] { if case .json(let keys) = place { keys } else { [] } }
}

/// Finds the fields that a JSON value lacks.
private struct MissingFields {
    let coding: Coding

    /// The paths of the required fields of `type` that `value` lacks.
    func find(_ type: ParameterType, in value: JSONValue, _ path: [String]) -> [String] {
        switch type {
        case .object(let fields):
            guard JSONKind(value) == .object else { return [] }
            return fields.flatMap { field -> [String] in
                let key = key(field.name)
                let inner = path + [key]
                guard let member = value[key], !member.isNull else {
                    return field.isOptional ? [] : [CallBinding.path(inner)]
                }
                return find(field.type, in: member, inner)
            }
        case .array(let element):
            return value.elements.map { Array($0) }?.lazy.compactMap { find(element, in: $0, path + ["*"]).first }.first
                .map { [$0] } ?? []
        default: return []
        }
    }

    /// The name of a field as the API writes it.
    private func key(_ name: String) -> String {
        guard let text = try? coding.encode(OneField(name: name)), let value = try? JSONValue(text: text),
            let members = value.members, let first = Array(members).first
        else { return name }
        return first.key
    }

    private struct OneField: Encodable {
        let name: String

        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(true, forKey: Key(stringValue: name))
        }
    }
}
