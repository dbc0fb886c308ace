import EndpointKit
import JSONText

/// A group of requests, with what is read of them once: their bodies, and the JSON of their responses.
struct EndpointSource {
    let group: RequestGroups.Group
    let bodies: [ImportedBody]
    /// The responses that are a success and JSON, without secrets.
    let samples: [SecretSweep.CleanSample]

    /// The values of one key in the bodies of the requests.
    typealias Field<Value> = (key: String, values: [[Value]])

    init(_ group: RequestGroups.Group, _ sweep: SecretSweep) {
        self.group = group
        bodies = group.requests.map { ImportedBody($0, sweep) }
        let responses = group.requests.compactMap(\.response).filter(\.head.isSuccess)
        samples = responses.compactMap { sweep.sample($0.body) }
    }

    /// The keys of the bodies with objects in their values, which may become structures. The variables of GraphQL have
    /// a type for each operation, and stay JSON.
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

    /// Returns whether a value is an object, or a list of objects.
    private static func holdsObject(_ value: JSONValue) -> Bool {
        value.kind == .object || value.elements?.contains { $0.kind == .object } == true
    }

    /// Returns the values of each key in several requests, in the order of the first request that has the key.
    ///
    ///     [("a", 1)], [("b", 2), ("a", 3)]    →    a: [[1], [3]], b: [[], [2]]
    static func fields<Value>(of requests: [[(key: String, value: Value)]]) -> [Field<Value>] {
        let all = requests.enumerated().flatMap { index, fields in fields.map { (index, $0.key, $0.value) } }
        return all.grouped { $0.1 }.map { key, found in
            var values = Array(repeating: [Value](), count: requests.count)
            for (index, _, value) in found { values[index].append(value) }
            return (key, values)
        }
    }
}
