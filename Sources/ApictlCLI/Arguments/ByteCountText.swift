/// Parses sizes on the command line: `65536` bytes, `64k`, `10M`, `1G`. The units are powers of 1024, as in curl.
enum ByteCountText {
    static let expectation = "a size such as 65536, 64k, 10M or 1G"

    /// The number of bytes, or nil if `text` is not a size.
    static func parse(_ text: String) -> Int? {
        let units: [UInt8: Int] = [
            UInt8(ascii: "k"): 1 << 10, UInt8(ascii: "m"): 1 << 20, UInt8(ascii: "g"): 1 << 30,
        ]
        let unit = text.lowercased().utf8.last.flatMap { units[$0] }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(digits) else {
            return nil
        }
        let (bytes, overflow) = count.multipliedReportingOverflow(by: unit ?? 1)
        return overflow ? nil : bytes
    }
}
