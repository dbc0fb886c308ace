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

    /// The values under one key in several requests. There is a list for each request, empty if it lacks the key.
    typealias Field<Value> = (key: String, values: [[Value]])

    /// Reads the bodies of a group's requests, and the samples in their responses.
    ///
    /// - Parameters:
    ///   - group: The requests.
    ///   - secrets: Removes secrets from samples and examples.
    init(_ group: RequestGroups.Group, secrets: ImportSecrets) {
        self.group = group
        self.secrets = secrets
        bodies = group.requests.map { ImportedBody($0, secrets: secrets) }
        let responses = group.requests.compactMap(\.response).filter(\.head.isSuccess)
        samples = responses.compactMap { secrets.sample($0.body) }
    }

    /// The keys of the bodies under which there are objects, which may become structures.
    ///
    /// There are none in an operation of GraphQL, whose variables stay JSON.
    var sentKeys: [String] {
        if group.operation != nil { return [] }
        return fields.filter { $0.values.joined().contains(where: Self.holdsObject) }.map(\.key)
    }

    /// The values under ``sentKeys``.
    var sentValues: [SentValues] {
        let keys = Set(sentKeys)
        let parent = SwiftNames.typeName(SwiftNames.words(group.name))
        return fields.filter { keys.contains($0.key) }.map { key, values in
            SentValues(words: SwiftNames.words(key), parent: parent, values: Array(values.joined()))
        }
    }

    /// The members of the bodies by their keys.
    private var fields: [Field<JSONValue>] { Self.fields(of: bodies.map(\.members)) }

    /// Whether a value is an object, or a list of objects.
    private static func holdsObject(_ value: JSONValue) -> Bool {
        value.kind == .object || value.elements?.contains { $0.kind == .object } == true
    }

    /// Returns the values of each key in several requests, in the order of the first request that has the key.
    ///
    ///     [("a", 1)], [("b", 2), ("a", 3)]    →    a: [[1], [3]], b: [[], [2]]
    ///
    /// - Parameter requests: The keys and values of each request. A key may come several times.
    static func fields<Value>(of requests: [[(key: String, value: Value)]]) -> [Field<Value>] {
        let occurrences = requests.enumerated().flatMap { requestIndex, fields in
            fields.map { (requestIndex: requestIndex, key: $0.key, value: $0.value) }
        }
        return occurrences.grouped { $0.key }.map { key, occurrencesOfKey in
            var valuesOfRequests = Array(repeating: [Value](), count: requests.count)
            for occurrence in occurrencesOfKey {
                valuesOfRequests[occurrence.requestIndex].append(occurrence.value)
            }
            return (key, valuesOfRequests)
        }
    }
}
