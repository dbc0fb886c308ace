/// Finds the members of one object by key: made if there are many, or if keys are converted. Of several with the same key the first counts.
final class KeyTable {
    /// Up to here looking at each key in turn takes no longer than making a table.
    static let fewMembers = 100

    let members: [String: Int]
    /// The distinct keys in the order of the text.
    let keys: [String]

    init(_ session: DecodingSession, _ object: Int, _ path: PathNode?, converts: Bool) {
        let document = session.document
        var members: [String: Int] = [:]
        var keys: [String] = []
        let count = document.count(of: object)
        members.reserveCapacity(count)
        keys.reserveCapacity(count)
        var slot = document.first(in: object)
        for _ in 0..<count {
            // The object's keys have been checked for half surrogate pairs.
            let text = document.string(at: slot) ?? ""
            let key = converts ? session.converted(text, path: path) : text
            let member = members[key]
            if member == nil {
                members[key] = slot &+ 1
                keys.append(key)
            }
            slot = document.next(after: slot &+ 1)
        }
        self.members = members
        self.keys = keys
    }
}
