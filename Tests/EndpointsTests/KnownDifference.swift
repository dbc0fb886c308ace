import EndpointKit
import Foundation
import JSONText
import Testing

/// All that is known to differ from Foundation's decoder on Linux when the models of the catalogue are decoded, with the reasons.
///
/// A model with a dictionary has another one: Foundation reads members in the order of a hash table, so of several errors in one dictionary it tells
/// any; here it is the first one in the text.
enum KnownDifference {
    /// Whether `text` holds what `JSONValue` keeps as it is, because it is JSON (RFC 8259, sections 6 and 8.2), and Foundation can't: half a surrogate
    /// pair and a number beyond the range of a double are refused there, and a fraction beyond 2^53 is rounded to an integer.
    static func isBeyondFoundation(_ text: [UInt8]) -> Bool {
        func isBeyond(_ value: JSONValue) -> Bool {
            switch value.content {
            case .number(let text):
                value.double.map { abs($0) > 9e15 && text.contains(".") } ?? true
            case .array(let elements): elements.contains(where: isBeyond)
            case .object(let members): members.contains { $0.key.contains("\u{FFFD}") || isBeyond($0.value) }
            case .string(let text): text.contains("\u{FFFD}")
            case .null, .bool: false
            }
        }
        return (try? JSONValue(text: text)).map(isBeyond) ?? false
    }

    /// Whether an object in `text` has a key twice: `JSONValue` has both members and writes both, and Foundation's encoder writes one of those that a value
    /// encodes under the same key.
    static func hasKeyTwice(_ text: [UInt8]) -> Bool {
        func hasIt(_ value: JSONValue) -> Bool {
            switch value.content {
            case .array(let elements): elements.contains(where: hasIt)
            case .object(let members):
                Set(members.map(\.key)).count < members.count || members.contains { hasIt($0.value) }
            default: false
            }
        }
        return (try? JSONValue(text: text)).map(hasIt) ?? false
    }

    /// Whether `error` says that a text is not JSON, for which Foundation has a `DecodingError`.
    static func hasOtherError(_ error: any Error) -> Bool { error is JSONSyntaxError }

    /// Foundation's decoder with our dates: of ISO 8601 it reads no day alone, but `2026-02-30` and text after the date. What both read must
    /// be the same.
    static func decoder(_ coding: Coding) -> JSONDecoder {
        let decoder = JSONDecoder()
        if case .convertFromSnakeCase(let exceptions) = coding.keys {
            decoder.keyDecodingStrategy =
                exceptions.isEmpty
                ? .convertFromSnakeCase
                : .custom { path in PositionKey(stringValue: coding.modelKey(path.last?.stringValue ?? "")) }
        }
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = try? Coding().decode(Date.self, from: Array(JSONValue(text).written)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not a date")
            }
            return (try? Date.ISO8601FormatStyle().parse(text)) ?? date
        }
        return decoder
    }

    /// Foundation's encoder with our keys.
    static func encoder(_ coding: Coding) -> JSONEncoder {
        let encoder = JSONEncoder()
        if case .convertFromSnakeCase(let exceptions) = coding.keys {
            encoder.keyEncodingStrategy =
                exceptions.isEmpty
                ? .convertToSnakeCase
                : .custom { path in PositionKey(stringValue: coding.writtenKey(path.last?.stringValue ?? "")) }
        }
        return encoder
    }
}

/// The differences are still there: what is listed without need would hide others.
@Suite struct KnownDifferenceTests {
    @Test(arguments: [#"["\ud800"]"#, "[1e400]", "[9007199254740993.5]"])
    func foundationCannotHoldIt(_ text: String) throws {
        #expect(KnownDifference.isBeyondFoundation(Array(text.utf8)))
        let value = try Coding().decode(JSONValue.self, from: Array(text.utf8))
        #expect(value.description == text)
        #expect((try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)))?.description != text)
    }

    @Test func foundationWritesKeysOnce() throws {
        let text = Array(#"{"a":1,"a":2}"#.utf8)
        #expect(KnownDifference.hasKeyTwice(text))
        let value = try JSONValue(text: text)
        #expect(try Coding().encode(value) == text)
        #expect(try JSONEncoder().encode(value).count < text.count)
    }

    @Test(arguments: [("2026-11-21", true), ("2026-02-30T00:00:00Z", false)])
    func foundationReadsOtherDates(_ text: String, _ isReadHere: Bool) {
        let json = Array(JSONValue(text).written)
        #expect(((try? Coding().decode(Date.self, from: json)) != nil) == isReadHere)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        #expect(((try? decoder.decode(Date.self, from: Data(json))) != nil) != isReadHere)
    }
}
