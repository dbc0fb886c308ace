import EndpointKit
import JSONText

/// The requests that become one endpoint, with their bodies, and with the JSON of their responses as samples.
struct EndpointSource {
    let group: RequestGroups.Group
    let bodies: [ImportedBody]
    /// The responses that are a success and JSON, without secrets.
    let samples: [ImportSecrets.CleanSample]
    /// Removes secrets from examples.
    let secrets: ImportSecrets

    /// A key with its values in several requests: a list for each request, empty if the request lacks the key.
    typealias KeyWithValues<Value> = (key: String, valuesOfRequests: [[Value]])

    /// Reads the bodies of a group's requests, and the samples in their responses.
    ///
    /// - Parameters:
    ///   - group: The requests that become the endpoint.
    ///   - secrets: Removes secrets from samples and examples.
    init(_ group: RequestGroups.Group, secrets: ImportSecrets) {
        self.group = group
        self.secrets = secrets
        bodies = group.requests.map { ImportedBody($0, secrets: secrets) }
        let responses = group.requests.compactMap(\.response).filter(\.head.isSuccess)
        // A response that is not JSON gives no sample.
        samples = responses.compactMap { secrets.sample($0.body) }
    }

    /// The keys of the bodies under which there are objects, which may become structures.
    ///
    /// There are none in an operation of GraphQL, whose variables stay JSON.
    var sentKeys: [String] {
        if group.operation != nil { return [] }
        let fieldsWithObjects = bodyFields.filter { field in
            field.valuesOfRequests.joined().contains(where: Self.holdsObject)
        }
        return fieldsWithObjects.map(\.key)
    }

    /// The values under ``sentKeys``.
    var sentValues: [SentValues] {
        let keys = Set(sentKeys)
        let parent = SwiftNames.typeName(SwiftNames.words(group.name))
        return bodyFields.filter { keys.contains($0.key) }.map { key, valuesOfRequests in
            SentValues(words: SwiftNames.words(key), parent: parent, values: Array(valuesOfRequests.joined()))
        }
    }

    /// The keys of the bodies, each with its values in all requests.
    private var bodyFields: [KeyWithValues<JSONValue>] { Self.groupedByKey(bodies.map(\.members)) }

    /// Whether a value is an object, or a list of objects.
    private static func holdsObject(_ value: JSONValue) -> Bool {
        value.kind == .object || value.elements?.contains { $0.kind == .object } == true
    }

    /// Returns each key of several requests with its values in all of them. The keys are in the order in which they
    /// first appear.
    ///
    ///     [("a", 1)], [("b", 2), ("a", 3)]    →    a: [[1], [3]], b: [[], [2]]
    ///
    /// - Parameter requests: The keys and values of each request. A request may have a key several times.
    static func groupedByKey<Value>(_ requests: [[(key: String, value: Value)]]) -> [KeyWithValues<Value>] {
        let noValues = Array(repeating: [Value](), count: requests.count)
        var orderedKeys: [String] = []
        var valuesByKey: [String: [[Value]]] = [:]
        for (requestIndex, items) in requests.enumerated() {
            for (key, value) in items {
                if valuesByKey[key] == nil { orderedKeys.append(key) }
                valuesByKey[key, default: noValues][requestIndex].append(value)
            }
        }
        return orderedKeys.map { key in (key, valuesByKey[key] ?? noValues) }
    }
}
