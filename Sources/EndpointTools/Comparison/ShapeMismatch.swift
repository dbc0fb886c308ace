import JSONText

/// The first value in a document that does not have the shape that it should have.
struct ShapeMismatch {
    /// The difference between a value and its shape.
    enum Problem {
        /// The value is an object without a key that it must have.
        case missingKey(String)
        /// The value is of another kind, or not allowed.
        case unfit(expected: String, found: String)
    }

    /// The path to the value, or to the object without the key.
    let path: [JSONPathComponent]
    let problem: Problem

    /// The expectation in words, such as `integer from 1 to 500`.
    var expected: String {
        switch problem {
        case .missingKey(let key): "an object with \"\(key)\""
        case .unfit(let expected, _): expected
        }
    }

    /// The problem as a sentence: `expected integer, found string "x"`.
    var sentence: String {
        switch problem {
        case .missingKey(let key): "missing key \"\(key)\""
        case .unfit(let expected, let found): "expected \(expected), found \(found)"
        }
    }

    /// Returns the first value of a document that does not fit a shape, such as `"x"` for an integer.
    ///
    /// - Returns: The mismatch; nil if the document has the shape. Keys that the shape does not name are accepted.
    static func first(in document: JSONDocument, as shape: ModelShape) -> ShapeMismatch? {
        var comparison = ShapeComparison(document, with: shape, redact: nil, check: nil)
        // Only `check` throws, and it is nil.
        try? comparison.compare()
        return comparison.firstMismatch
    }
}

extension ModelShape {
    /// Whether a value has this shape. It may have keys that the shape does not name.
    package func accepts(_ value: JSONValue) -> Bool {
        guard let document = try? JSONDocument(Array(value.written)) else { return false }
        return ShapeMismatch.first(in: document, as: self) == nil
    }
}
