import JSONText

/// The values of an enum that lists its cases.
enum AllowedValues {
    /// The raw values of the cases, if the type is such an enum and refuses all others.
    ///
    /// A type with an `init(from:)` of its own may accept values outside its list, for example as its case `unknown`.
    static func of(_ type: Any.Type, coding: Coding) -> [Shape.AllowedValue]? {
        guard let type = type as? any (RawRepresentable & CaseIterable & Decodable).Type,
            let values = values(of: type), !values.isEmpty, !takesOthers(type, values, coding)
        else { return nil }
        return values
    }

    private static func values<T: RawRepresentable & CaseIterable>(of type: T.Type) -> [Shape.AllowedValue]? {
        let values = type.allCases.compactMap { value -> Shape.AllowedValue? in
            switch value.rawValue {
            case let text as String: .string(text)
            case let number as any BinaryInteger: Int(exactly: number).map { .integer($0) }
            case let number as any BinaryFloatingPoint: .number(Double(number))
            default: nil
            }
        }
        return values.count == type.allCases.count ? values : nil
    }

    private static func takesOthers<T: Decodable>(
        _ type: T.Type, _ values: [Shape.AllowedValue], _ coding: Coding
    ) -> Bool {
        let texts: [String]
        if case .string = values[0] {
            // Longer than any of them.
            let longest = values.map { if case .string(let text) = $0 { text.utf8.count } else { 0 } }.max() ?? 0
            texts = ["\"" + String(repeating: "x", count: longest + 1) + "\""]
        } else {
            let isAllowed = Set(values)
            // One more than there are values, so that one is not among them.
            let other = (0...values.count).first { number in
                !isAllowed.contains(.integer(number)) && !isAllowed.contains(.number(Double(number)))
            }
            texts = other.map { ["\($0)"] } ?? []
        }
        return texts.contains { text in
            do {
                _ = try JSONTextDecoder(coding: coding).decode(type, from: Array(text.utf8))
                return true
            } catch {
                return false
            }
        }
    }
}
