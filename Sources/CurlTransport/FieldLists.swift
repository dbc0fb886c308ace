import EndpointKit

extension ResponseHead {
    /// The members of the lists in the headers of that name, without spaces around them, empty ones included.
    ///
    /// Several headers count as one list (RFC 9110, section 5.3).
    func members(of name: String) -> [Substring.UTF8View] {
        fields.lazy.filter { $0.name.isSameName(as: name) }.flatMap {
            $0.value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        }.map { $0.trimmingBlanks() }
    }
}

extension Substring.UTF8View {
    fileprivate func trimmingBlanks() -> Substring.UTF8View {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let start = drop(while: isBlank)
        guard let end = start.lastIndex(where: { !isBlank($0) }) else { return start }
        return start[...end]
    }
}
