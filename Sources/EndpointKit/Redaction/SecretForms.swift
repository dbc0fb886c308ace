import JSONText

/// The forms of all secrets as a tree: those that begin alike share the way from its root.
struct SecretForms: Sendable {
    /// A byte of a form and those before it; the first is before all forms.
    private struct Node {
        let byte: UInt8
        /// How many bytes lead here.
        let depth: Int32
        /// Whether they are a form.
        var isForm = false
        /// The next bytes: the first of them, of which each leads to another. 0 is none.
        var child: Int32 = 0
        var sibling: Int32 = 0
    }

    /// From this many bytes on uppercase letters may be lowercase, as in the name of a host.
    private static let minLowercased = 8
    /// From this many bytes on the encoded forms of a secret are looked for; those of shorter ones are in other words too.
    private static let minEncoded = 3

    private var nodes = [Node(byte: 0, depth: 0)]
    /// Whether a form starts with a byte.
    private var isFirst = [Bool](repeating: false, count: 256)

    var isEmpty: Bool { nodes.count == 1 }

    /// Adds a secret in all its forms: itself, trimmed, lowercased, in base 64 and in hexadecimal digits.
    mutating func insert(_ secret: String) {
        let secret = secret.exactBytes
        // A line of a file from Windows ends in CR; a field is sent without the blanks around it.
        let trimmed = Array(secret.drop(while: Self.isBlank).reversed().drop(while: Self.isBlank).reversed())
        for form in secret.count == trimmed.count || trimmed.isEmpty ? [secret] : [secret, trimmed] {
            insert(form)
            if secret.count >= Self.minLowercased { insert(form.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }) }
            guard form.count >= Self.minEncoded else { continue }
            for encoded in Self.base64(form) { insert(encoded) }
            for digits in ["0123456789abcdef", "0123456789ABCDEF"].map({ Array($0.utf8) }) {
                insert(form.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
            }
        }
    }

    private mutating func insert(_ form: [UInt8]) {
        guard let first = form.first else { return }
        isFirst[Int(first)] = true
        var node = 0
        for byte in form {
            if let known = next(node, byte) {
                node = known
            } else {
                nodes.append(Node(byte: byte, depth: nodes[node].depth + 1, sibling: nodes[node].child))
                nodes[node].child = Int32(nodes.count - 1)
                node = nodes.count - 1
            }
        }
        nodes[node].isForm = true
    }

    /// Whether a form starts with `byte`.
    func begins(with byte: UInt8) -> Bool { isFirst[Int(byte)] }

    /// Whether the bytes up to a node are a whole form.
    func isForm(_ node: Int) -> Bool { nodes[node].isForm }

    /// Whether a form goes on there.
    func isLonger(_ node: Int) -> Bool { nodes[node].child != 0 }

    func depth(_ node: Int) -> Int { Int(nodes[node].depth) }

    /// The node after one; nil if no form goes on with `byte`. 0 is the one before all forms.
    func next(_ node: Int, _ byte: UInt8) -> Int? {
        var child = Int(nodes[node].child)
        while child != 0, nodes[child].byte != byte { child = Int(nodes[child].sibling) }
        return child == 0 ? nil : child
    }

    /// Both alphabets of RFC 4648: the secret alone, and at each of the three places where it may begin in a longer text. Of that only the
    /// characters that its neighbours have no part in.
    private static func base64(_ bytes: [UInt8]) -> [[UInt8]] {
        let within = (0..<3).map { offset -> [UInt8] in
            let text = Data([UInt8](repeating: 0, count: offset) + bytes).base64EncodedString().utf8
            let isWhole = (offset + bytes.count) % 3 == 0
            return Array(
                text.prefix { $0 != UInt8(ascii: "=") }.dropFirst([0, 2, 3][offset]).dropLast(isWhole ? 0 : 1))
        }
        let alone = Array(Data(bytes).base64EncodedString().utf8)
        let forms = [alone, alone.filter { $0 != UInt8(ascii: "=") }] + within.filter { $0.count >= minEncoded }
        let replacements = [UInt8(ascii: "+"): UInt8(ascii: "-"), UInt8(ascii: "/"): UInt8(ascii: "_")]
        return forms + forms.map { form in form.map { replacements[$0] ?? $0 } }
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
