import JSONText

/// What `mock` responds to a request, before it is decided how that is sent.
struct MockReply: Sendable {
    var status: Int
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// Where its latency is in the range, from 0 to 1; nil if it has none.
    var latency: Double?
    /// The endpoint's name, for the log.
    var endpoint: String?
    /// What else the log says.
    var note: String?

    init(_ status: Int) { self.status = status }

    /// A reply with a `message` in a JSON object, before the other members.
    init(
        _ status: Int, message: String, _ members: [(String, JSONValue)] = [],
        fields: [(name: String, value: String)] = []
    ) {
        self.status = status
        self.fields = [("Content-Type", "application/json")] + fields
        body = Array("\(JSONValue([("message", JSONValue(message))] + members))\n".utf8)
    }
}
