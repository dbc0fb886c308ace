import EndpointKit

/// Literal texts with a value between each two: `n-` and `.json` around the value `5` of `n-5.json`.
package struct TextPattern: Sendable {
    /// The UTF-8 of each literal text, which may be empty. There is at least one.
    package let literals: [[UInt8]]

    /// Makes a pattern of its literal texts.
    ///
    /// - Parameter literals: The UTF-8 of each text. There is at least one.
    package init(literals: [[UInt8]]) { self.literals = literals }

    /// Returns the values in a text: `5` in `n-5.json` for the literals `n-` and `.json`.
    ///
    /// Each literal is taken at its first occurrence, because that leaves the most for the literals after it. So the
    /// search never goes back, and a hostile text takes no more time than another one.
    ///
    /// - Parameter bytes: The UTF-8 of the text.
    /// - Returns: The values, none of them empty; nil if the text does not match.
    package func values(in bytes: [UInt8]) -> [String]? {
        let firstLiteral = literals[0]
        let lastLiteral = literals[literals.count - 1]
        // A single literal has no values around it, so it must be the whole text.
        if literals.count == 1 { return bytes == firstLiteral ? [] : nil }
        guard bytes.starts(with: firstLiteral) else { return nil }
        var unmatched = bytes.dropFirst(firstLiteral.count)
        var matchedValues: [ArraySlice<UInt8>] = []
        for literal in literals.dropFirst().dropLast() {
            guard let literalStart = Self.start(of: literal, afterValueIn: unmatched) else { return nil }
            matchedValues.append(unmatched[..<literalStart])
            unmatched = unmatched[(literalStart + literal.count)...]
        }
        let endsWithLiteral = unmatched.suffix(lastLiteral.count).elementsEqual(lastLiteral)
        let hasLastValue = unmatched.count > lastLiteral.count
        guard endsWithLiteral, hasLastValue else { return nil }
        matchedValues.append(unmatched.dropLast(lastLiteral.count))
        return matchedValues.map { String(exactBytes: $0) }
    }

    /// Returns the index of the first occurrence of a literal that leaves at least one byte before it for a value.
    ///
    /// - Parameters:
    ///   - literal: The literal. If it is empty, it is right after the first byte.
    ///   - bytes: The bytes to search.
    /// - Returns: The index; nil if there is no such occurrence.
    private static func start(of literal: [UInt8], afterValueIn bytes: ArraySlice<UInt8>) -> Int? {
        if bytes.isEmpty { return nil }
        let candidates = bytes.dropFirst()
        if literal.isEmpty { return candidates.startIndex }
        return candidates.firstRange(of: literal)?.lowerBound
    }
}
