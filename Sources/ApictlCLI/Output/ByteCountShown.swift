extension ByteCountText {
    /// A number of bytes for display, in powers of 1000: `512 B`, `63.1 MB`.
    static func shown(_ count: Int) -> String {
        guard count >= 1000 else { return "\(count) B" }
        var unit = 1000
        var names = ["kB", "MB", "GB", "TB", "PB", "EB"][...]
        // Rounded to tenths, 999.95 kB is 1.0 MB.
        while names.count > 1, count >= unit * 1000 - unit / 20 {
            unit *= 1000
            names = names.dropFirst()
        }
        let (whole, rest) = count.quotientAndRemainder(dividingBy: unit)
        let tenths = (rest / (unit / 100) + 5) / 10
        return "\(whole + tenths / 10).\(tenths % 10) \(names.first ?? "")"
    }
}
