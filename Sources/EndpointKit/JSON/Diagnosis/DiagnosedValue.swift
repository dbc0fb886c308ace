import JSONText

/// A value of a tree, and the way to it.
struct DiagnosedValue: Sendable {
    enum Kind {
        case null, boolean, number, string, array, object
    }

    let tree: JSONTree
    /// Nil stands for a null that is not in the text: what `superDecoder` decodes from where there is no such member.
    let node: Int?
    let path: CodingPath

    var kind: Kind {
        guard let node else { return .null }
        return switch tree.text[tree.nodes[node].range.lowerBound] {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    /// The value as it stands in the text.
    var text: ArraySlice<UInt8> { node.map { tree.text[tree.nodes[$0].range] } ?? [] }

    func child(_ node: Int?, _ key: any CodingKey) -> DiagnosedValue {
        DiagnosedValue(tree: tree, node: node, path: .child(of: path, key: key))
    }

    /// Nodes directly inside this value.
    var children: [Int] { node.map(tree.children(of:)) ?? [] }

    /// The error for a value of another kind than `type` takes.
    func mismatch(_ type: Any.Type) -> DecodingError {
        let context = DecodingError.Context(codingPath: path.codingPath, debugDescription: "another kind of value")
        return kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// The error for a value of the right kind that does not do; `expected` is what would.
    func unfit(_ expected: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: path.codingPath, debugDescription: "expected \(expected)"))
    }
}
