#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The forms of all secrets: the way from the root to a node spells the start of one.
struct SecretTrie: Sendable {
    static let root = 0

    private struct Node {
        let byte: UInt8
        /// How many bytes lie between the root and this node.
        let depth: Int32
        var isForm = false
        /// Nodes are numbers; 0 is the root, and as a child means none.
        var firstChild: Int32 = 0
        var nextSibling: Int32 = 0
    }

    private var nodes = [Node(byte: 0, depth: 0)]
    /// The children of the root, which nearly every byte of a text asks for.
    private var first = [Int32](repeating: 0, count: 256)

    var isEmpty: Bool { nodes.count == 1 }

    /// Adds a secret in all its forms.
    mutating func insert(_ secret: String) {
        for form in SecretForms.all(of: secret.exactBytes) {
            var node = Self.root
            for byte in form { node = child(of: node, byte) ?? add(byte, to: node) }
            nodes[node].isForm = node != Self.root
        }
    }

    /// Whether a form starts with `byte`.
    func begins(with byte: UInt8) -> Bool { first[Int(byte)] != 0 }

    /// Whether a whole form lies between the root and `node`.
    func isForm(_ node: Int) -> Bool { nodes[node].isForm }

    /// Whether a form continues after `node`.
    func isLonger(_ node: Int) -> Bool { nodes[node].firstChild != 0 }

    func depth(_ node: Int) -> Int { Int(nodes[node].depth) }

    func child(of node: Int, _ byte: UInt8) -> Int? {
        if node == Self.root { return first[Int(byte)] == 0 ? nil : Int(first[Int(byte)]) }
        var child = nodes[node].firstChild
        while child != 0 {
            if nodes[Int(child)].byte == byte { return Int(child) }
            child = nodes[Int(child)].nextSibling
        }
        return nil
    }

    private mutating func add(_ byte: UInt8, to parent: Int) -> Int {
        let node = nodes.count
        var new = Node(byte: byte, depth: nodes[parent].depth + 1)
        if parent == Self.root {
            first[Int(byte)] = Int32(node)
        } else {
            new.nextSibling = nodes[parent].firstChild
            nodes[parent].firstChild = Int32(node)
        }
        nodes.append(new)
        return node
    }
}

/// The forms that a secret may take before it is escaped byte by byte.
private enum SecretForms {
    /// From this many bytes on capital letters may be small ones, as in the name of a host.
    private static let shortestFolded = 8
    /// From this many bytes on the encoded forms of a secret are looked for; those of shorter ones are in other words too.
    private static let shortestEncoded = 3
    /// Up to this many bytes: no token is longer, and each form takes memory.
    private static let longestEncoded = 8192

    /// `secret` itself, trimmed, in small letters, in base 64 and in hexadecimal digits.
    static func all(of secret: [UInt8]) -> [[UInt8]] {
        // A line of a file from Windows ends in CR; a field is sent without the blanks around it.
        let start = secret.firstIndex { !SecretSearch.isBlank($0) } ?? secret.endIndex
        let end = secret.lastIndex { !SecretSearch.isBlank($0) }.map { $0 + 1 } ?? start
        let plain = start < end && end - start < secret.count ? [secret, Array(secret[start..<end])] : [secret]
        let folded =
            secret.count < shortestFolded ? [] : plain.map { $0.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
        return plain + folded
            + plain.filter { (shortestEncoded...longestEncoded).contains($0.count) }.flatMap { form in
                base64(form) + [hexadecimal(form, "0123456789abcdef"), hexadecimal(form, "0123456789ABCDEF")]
            }
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
        let forms = [alone, alone.filter { $0 != UInt8(ascii: "=") }] + within.filter { $0.count >= shortestEncoded }
        let replacements = [UInt8(ascii: "+"): UInt8(ascii: "-"), UInt8(ascii: "/"): UInt8(ascii: "_")]
        return forms + forms.map { form in form.map { replacements[$0] ?? $0 } }
    }

    private static func hexadecimal(_ bytes: [UInt8], _ digits: StaticString) -> [UInt8] {
        digits.withUTF8Buffer { digits in bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] } }
    }
}
