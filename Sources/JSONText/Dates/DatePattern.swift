#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A form of dates by a pattern of Unicode TS 35, part 4, with numeric fields only: `yyyy-MM-dd HH:mm:ss`.
///
/// `y`, `M`, `d`, `H`, `m`, `s`, `S`, `Z`, `X` and `x` are fields, letters between apostrophes stand for themselves, and `''` is an
/// apostrophe. A number is written with at least as many digits as its field has letters. When read, it may have more or fewer,
/// unless another field follows at once (`yyyyMMdd`). `yy` takes a year below 100 as one from 1950 to 2049. An offset from UTC
/// is read in every form. Without one the text is in UTC; other fields that are missing are those of 2000-01-01 00:00:00.
package struct DatePattern: Sendable {
    /// A letter that is not a supported field, or too many of one.
    package struct UnsupportedField: Error, CustomStringConvertible {
        package let field: String
        package let pattern: String

        package var description: String {
            "the date pattern '\(pattern)' has the field '\(field)'; supported are y, M, d, H, m, s, S, Z, X, x"
        }
    }

    private enum Part {
        case literal(UInt8)
        case number(WritableKeyPath<CalendarTime, Int> & Sendable, width: Int, isExact: Bool)
        case fraction(digits: Int)
        /// The text of offset zero; dates are always written in UTC.
        case offset(zero: String)
    }

    private var parts: [Part] = []

    package init(_ pattern: String) throws(UnsupportedField) {
        let apostrophe = UInt8(ascii: "'")
        var rest = Array(pattern.utf8)[...]
        var isQuoted = false
        while let byte = rest.popFirst() {
            if byte == apostrophe, rest.first == apostrophe {
                rest.removeFirst()
                parts.append(.literal(apostrophe))
            } else if byte == apostrophe {
                isQuoted.toggle()
            } else if !isQuoted, UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 {
                let count = 1 + rest.prefix { $0 == byte }.count
                rest.removeFirst(count - 1)
                guard let part = Self.part(letter: byte, count: count) else {
                    throw UnsupportedField(
                        field: String(repeating: Character(Unicode.Scalar(byte)), count: count), pattern: pattern)
                }
                append(part)
            } else {
                parts.append(.literal(byte))
            }
        }
    }

    private static func part(letter: UInt8, count: Int) -> Part? {
        switch (Unicode.Scalar(letter), count) {
        case ("y", 2): .number(\.shortYear, width: 2, isExact: false)
        case ("y", 1...4): .number(\.year, width: count, isExact: false)
        case ("M", 1...2): .number(\.month, width: count, isExact: false)
        case ("d", 1...2): .number(\.day, width: count, isExact: false)
        case ("H", 1...2): .number(\.hour, width: count, isExact: false)
        case ("m", 1...2): .number(\.minute, width: count, isExact: false)
        case ("s", 1...2): .number(\.second, width: count, isExact: false)
        case ("S", 1...9): .fraction(digits: count)
        case ("Z", 5), ("X", 1...3): .offset(zero: "Z")
        case ("Z", 1...3), ("x", 2): .offset(zero: "+0000")
        case ("x", 1): .offset(zero: "+00")
        case ("x", 3): .offset(zero: "+00:00")
        default: nil
        }
    }

    /// If two numbers follow each other, both have as many digits as letters.
    private mutating func append(_ part: Part) {
        var part = part
        if case .number(let field, let width, _) = parts.last {
            switch part {
            case .number(let next, let nextWidth, _):
                part = .number(next, width: nextWidth, isExact: true)
                fallthrough
            case .fraction: parts[parts.count - 1] = .number(field, width: width, isExact: true)
            case .literal, .offset: break
            }
        }
        parts.append(part)
    }

    /// The date that `text`, UTF-8, names in this form; nil if it has another.
    package func parse(_ text: UnsafeRawBufferPointer) -> Date? {
        var reader = DateReader(text)
        var time = CalendarTime(year: 2000)
        for part in parts {
            switch part {
            case .literal(let byte):
                guard reader.take(byte) else { return nil }
            case .number(let field, let width, let isExact):
                guard let number = isExact ? reader.number(digits: width) : reader.number() else { return nil }
                time[keyPath: field] = number
            case .fraction:
                guard let fraction = reader.fraction() else { return nil }
                time.fraction = fraction
            case .offset:
                guard let offset = reader.take(UInt8(ascii: "Z")) ? 0 : reader.offset() else { return nil }
                time.offsetSeconds = offset
            }
        }
        return reader.isAtEnd ? time.date : nil
    }

    /// `date` in UTC, rounded to milliseconds or, if the pattern shows more, microseconds; nil outside the years 1 to 9999.
    package func format(_ date: Date) -> String? {
        let showsMicroseconds = parts.contains {
            if case .fraction(let digits) = $0 { digits > 3 } else { false }
        }
        guard let time = CalendarTime(date, unitsPerSecond: showsMicroseconds ? 1_000_000 : 1000) else { return nil }
        var text: [UInt8] = []
        for part in parts {
            switch part {
            case .literal(let byte): text.append(byte)
            case .number(let field, let width, _): text.append(contentsOf: Self.digits(time[keyPath: field], width))
            case .fraction(let digits):
                let nanoseconds = Self.digits(time.microseconds * 1000, 9)
                text.append(contentsOf: nanoseconds.prefix(digits))
            case .offset(let zero): text.append(contentsOf: zero.utf8)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func digits(_ number: Int, _ width: Int) -> [UInt8] {
        let digits = Array(number.description.utf8)
        return Array(repeating: UInt8(ascii: "0"), count: max(0, width - digits.count)) + digits
    }
}

extension CalendarTime {
    /// The last two digits of the year; values below 100 mean the years 1950 to 2049.
    fileprivate var shortYear: Int {
        get { year % 100 }
        set { year = newValue < 50 ? newValue + 2000 : newValue < 100 ? newValue + 1900 : newValue }
    }
}
