import TestSupport
import Testing

@testable import EndpointKit

/// Tests of texts and models that are hard for the second pass, which finds the place of a mismatch.
struct DecodingLimitTests {
    final class Chain: Decodable, Sendable {
        let next: Chain?
        let size: UInt8?
    }

    private static func chain(_ levels: Int, _ inside: String) -> String {
        String(repeating: #"{"next":"#, count: levels - 1) + "{\(inside)}" + String(repeating: "}", count: levels - 1)
    }

    @Test func `A mismatch at the deepest allowed level is found`() throws {
        let error = try #require(throws: ModelMismatch.self) {
            try Coding().decode(Chain.self, from: Self.chain(512, #""size":300"#).bytes)
        }
        #expect(error.mismatch.path.pathText == "$" + String(repeating: ".next", count: 511) + ".size")
        #expect(error.mismatch.problem == "expected integer from 0 to 255, found number 300")
        #expect(error.mismatch.column == 511 * 8 + 9)
    }

    @Test func `A mismatch after many values is found`() throws {
        let text = "[" + String(repeating: "[1,2.5,\"a\\n\"],", count: 20_000) + "[1e999]]"
        let error = try #require(throws: ModelMismatch.self) {
            try Coding().decode([[Anything]].self, from: text.bytes)
        }
        #expect(error.mismatch.path.pathText == "$[20000][0]")
        #expect(error.mismatch.problem == "expected string, found number 1e999")
    }

    /// A number within the range of a double, or a text.
    struct Anything: Decodable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if (try? container.decode(Double.self)) == nil { _ = try container.decode(String.self) }
        }
    }

    /// `JSONDecoder` does not throw a `DecodingError` for the number, so this model cannot recover in it.
    struct Forgiving: Decodable, Sendable {
        var size: UInt8

        enum CodingKeys: CodingKey { case size }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            do {
                size = try container.decode(UInt8.self, forKey: .size)
            } catch is DecodingError {
                size = 0
            }
        }
    }

    @Test func `A number out of range is reported even if the model handles decoding errors`() throws {
        let error = try #require(throws: ModelMismatch.self) {
            try Coding().decode(Forgiving.self, from: #"{"size":300}"#.bytes)
        }
        #expect(error.description == "$.size: expected integer from 0 to 255, found number 300 (line 1, column 9)")
    }

    struct Refusal: Error, Equatable {}

    /// A model that throws a decoding error with its own message, or an error of its own type.
    struct Opinionated: Decodable, Sendable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            switch try container.decode(String.self) {
            case "words":
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not a colour.")
            case "error": throw Refusal()
            default: break
            }
        }
    }

    @Test func `An error of the model's own type is thrown as it is`() {
        #expect(throws: Refusal()) { try Coding().decode([Opinionated].self, from: #"["error"]"#.bytes) }
    }

    @Test func `The model's own message is kept`() throws {
        let error = try #require(throws: ModelMismatch.self) {
            try Coding().decode([Opinionated].self, from: #"["words"]"#.bytes)
        }
        #expect(error.description == #"$[0]: Not a colour; found string "words" (line 1, column 2)"#)
    }
}
