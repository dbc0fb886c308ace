/// Ends the process if the rule does not hold, so that libFuzzer keeps the input.
func require(_ holds: Bool, _ rule: String) {
    if !holds { fatalError("does not hold: \(rule)") }
}

/// Returns whether `text` has no control character except for line breaks and tabs.
///
/// C1 and bidirectional controls are control characters too.
func isSafeForTerminal(_ text: String) -> Bool {
    !text.unicodeScalars.contains { scalar in
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension [UInt8] {
    /// The input of a fuzz target.
    init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
        self.init(UnsafeBufferPointer(start: start, count: count))
    }

    /// Returns whether `part` occurs in the array. An empty part does not.
    func holds(_ part: [UInt8]) -> Bool { !part.isEmpty && firstRange(of: part) != nil }
}
