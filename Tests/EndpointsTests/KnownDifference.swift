import EndpointKit
import Foundation
import JSONText
import Testing

/// The known differences between our decoder and Foundation's on Linux for the models of the catalogue, with reasons.
///
/// A model with a dictionary has one difference more. Of several errors in one dictionary, our decoder reports the
/// first one in the text. Foundation reports any of them, because it reads members in the order of a hash table.
enum KnownDifference {
    /// Returns whether `text` has a value that `JSONValue` keeps as it is and Foundation can't (RFC 8259, sections 6
    /// and 8.2).
    ///
    /// Foundation refuses half a surrogate pair and a number beyond the range of a double, and rounds a fraction beyond
    /// 2^53 to an integer.
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

    /// Returns whether an object in `text` has a key twice.
    ///
    /// `JSONValue` has both members and writes both. Of values with the same key, Foundation's encoder writes only one.
    static func hasKeyTwice(_ text: [UInt8]) -> Bool {
        func hasRepeatedKey(_ value: JSONValue) -> Bool {
            switch value.content {
            case .array(let elements): elements.contains(where: hasRepeatedKey)
            case .object(let members):
                Set(members.map(\.key)).count < members.count || members.contains { hasRepeatedKey($0.value) }
            default: false
            }
        }
        return (try? JSONValue(text: text)).map(hasRepeatedKey) ?? false
    }

    /// Whether `error` says that a text is not JSON, for which Foundation has a `DecodingError`.
    static func hasOtherError(_ error: any Error) -> Bool { error is JSONSyntaxError }

    /// Returns Foundation's decoder with the key strategy of `coding` and our dates.
    ///
    /// As ISO 8601, Foundation refuses a day without a time, and accepts `2026-02-30` and text after the date. A date
    /// that both accept is the one that Foundation reads.
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

    /// Returns Foundation's encoder with the key strategy of `coding`.
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

/// The listed differences still exist. A difference that is listed without need would hide others.
@Suite struct KnownDifferenceTests {
    @Test(arguments: [#"["\ud800"]"#, "[1e400]", "[9007199254740993.5]"])
    func foundationCannotKeepTheText(_ text: String) throws {
        #expect(KnownDifference.isBeyondFoundation(Array(text.utf8)))
        let value = try Coding().decode(JSONValue.self, from: Array(text.utf8))
        #expect(value.description == text)
        #expect((try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)))?.description != text)
    }

    @Test func foundationWritesARepeatedKeyOnce() throws {
        let text = Array(#"{"a":1,"a":2}"#.utf8)
        #expect(KnownDifference.hasKeyTwice(text))
        let value = try JSONValue(text: text)
        #expect(try Coding().encode(value) == text)
        #expect(try JSONEncoder().encode(value).count < text.count)
    }

    @Test(arguments: [("2026-11-21", true), ("2026-02-30T00:00:00Z", false)])
    func onlyOneOfTheTwoReadsTheDate(_ text: String, _ isReadHere: Bool) {
        let json = Array(JSONValue(text).written)
        #expect(((try? Coding().decode(Date.self, from: json)) != nil) == isReadHere)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        #expect(((try? decoder.decode(Date.self, from: Data(json))) != nil) != isReadHere)
    }
}
