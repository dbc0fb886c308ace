import Foundation
import TestSupport
import Testing

@testable import EndpointKit

/// Every kind of secret, in every spelling, within every kind of text: nothing of it is left, and nothing else is
/// missing.
struct SecretTableTests {
    /// What may stand before and after it: sentences, syntax, and the start of an escape that would take the secret's
    /// first letters in.
    static let places: [(before: String, after: String)] = [
        ("", ""), ("a ", " b"), ("{\"k\":\"", "\"}"), ("?key=", "&x=1"), ("X-Key: ", "\r\nX-B: c"), ("<p>", "</p>"),
        ("%3D", "%26"),
    ]

    private static func redactor(_ secret: String) -> Redactor {
        Redactor(nil, others: [SensitiveText([.secret(Secret(variable: "V", value: secret))])])
    }

    @Test(arguments: SecretTable.secrets.indices)
    func nothingIsLeft(_ index: Int) {
        let secret = SecretTable.secrets[index].text
        let redactor = Self.redactor(secret)
        for spelling in SecretTable.spellings {
            // A header is sent without the blanks at its ends.
            let spelled = spelling.spell(secret.trimmingCharacters(in: .whitespacesAndNewlines))
            for place in Self.places {
                let text = place.before.bytes + spelled + place.after.bytes
                let shown = Self.visible(redactor.redact(text))
                #expect(
                    shown == Self.visible(place.before.bytes + "(redacted)".bytes + place.after.bytes),
                    "\(spelling.id) in \(place): \(String(decoding: shown, as: UTF8.self))")
            }
        }
    }

    /// Blanks at a secret's ends may stay.
    private static func visible(_ text: [UInt8]) -> [UInt8] { text.filter { $0 > 0x20 } }

    /// The escape of what comes before may take in the first letters of what follows, and a server may choose it.
    @Test(arguments: ["%", "%4", "%e", "\\", "\\u00", "\\u", "&", "&#", "&#x", "&#3"])
    func nothingBeforeHidesIt(_ before: String) {
        for secret in ["1f3a/b c", "a&b=c%41d", "nabla\"x", "uab12/34"] {
            for spelling in SecretTable.spellings {
                let shown = Self.redactor(secret).redact(before.bytes + spelling.spell(secret))
                let text = String(decoding: shown, as: UTF8.self)
                #expect(
                    text.hasSuffix("(redacted)") && text.utf8.count <= before.utf8.count + 10, "\(spelling.id): \(text)"
                )
            }
        }
    }

    @Test(arguments: SecretTable.secrets.indices)
    func neitherIsWhatTheCutLeaves(_ index: Int) {
        let secret = SecretTable.secrets[index].text
        let bare = secret.trimmingCharacters(in: .whitespacesAndNewlines)
        guard bare.utf8.count >= 8 else { return }
        for spelling in SecretTable.spellings {
            let spelled = spelling.spell(bare)
            // Every third length, and the others with the next secrets.
            let longest = spelled.count - 1 - index % 3
            for length in stride(from: longest, to: spelled.count / 2, by: -3) where spelled.count < 400 {
                let shown = Self.visible(
                    Self.redactor(secret).redact("a ".bytes + spelled.prefix(length), isCut: true))
                // Of the last character, half an escape may stay where the rest was read as all of it.
                #expect(
                    shown.starts(with: "a(redacted)".bytes) && shown.count < 11 + 6,
                    "\(spelling.id), \(length): \(String(decoding: shown, as: UTF8.self))")
            }
        }
    }

    static let forms: [Row<(secret: String, text: String), String>] = [
        Row("trimmed", ("s3cretpw1\r", "k=s3cretpw1;"), "k=(redacted);"),
        Row("trimmed on both sides", ("\t s3cretpw1 \n", "k=s3cretpw1;"), "k=(redacted);"),
        Row("base 64", ("s3cret pw1?>", "czNjcmV0IHB3MT8+ and czNjcmV0IHB3MT8-"), "(redacted) and (redacted)"),
        Row("padded base 64", ("s3cret", "x czNjcmV0 y"), "x (redacted) y"),
        Row("escaped twice", ("a\"b/c", "a%2522b%252Fc"), "a%2522b%252Fc"),
        Row("cut in a message", ("s3cretpw1", "found \"s3cret…\""), "found \"(redacted)…\""),
        Row("cut in a message by dots", ("s3cretpw1", "found s3cret..."), "found (redacted)..."),
        Row("two that touch", ("s3cret", "s3crets3cret"), "(redacted)"),
    ]

    @Test(arguments: forms)
    func formsAreFound(_ row: Row<(secret: String, text: String), String>) {
        let redactor = Self.redactor(row.input.secret)
        #expect(redactor.redact(row.input.text) == row.expected)
        #expect(redactor.redact(row.input.text.bytes) == row.expected.bytes)
    }

    /// The time is that of the text and of the secret.
    @Test func aLongSecretIsFoundLikeAnyOther() {
        let secret = (0..<300).map { "Key \($0)+" }.joined()
        let redactor = Self.redactor(secret)
        let encoded = Data(secret.utf8).base64EncodedString()
        let spellings =
            SecretTable.spellings.filter { ["as it is", "percent", "form", "JSON"].contains($0.id) }.map {
                $0.spell(secret)
            }
            + [
                secret.lowercased(), encoded,
            ].map(\.bytes)
        for spelled in spellings {
            let shown = redactor.redact("?k=".bytes + spelled + "&x".bytes)
            #expect(
                shown.count < 30 && shown.starts(with: "?k=".bytes),
                "\(String(decoding: shown.prefix(60), as: UTF8.self))")
        }
    }

    @Test func hundredsOfSecretsAreFound() {
        let secrets = (0..<500).map { "captured-\($0 * 7919)-\($0)" }
        var redactor = Redactor()
        for secret in secrets { redactor.add([secret]) }
        #expect(
            redactor.redact(secrets.joined(separator: " ")) == secrets.map { _ in "(redacted)" }.joined(separator: " "))
    }

    @Test func ordinaryTextStays() {
        let text = """
            HTTP/1.1 200 OK
            Date: Sun, 22 Nov 2026 00:00:00 GMT
            {"id": 1, "name": "The quick brown fox", "url": "https://a.test/x?y=z%20b&c=1", "html": "a &amp; b\\n"}
            """
        for secret in SecretTable.secrets { #expect(Self.redactor(secret.text).redact(text) == text) }
        for secret in ["1", "0", "OK", "a", "200"] {
            let shown = Self.redactor(secret).redact(text)
            #expect(shown.hasPrefix("HTTP/1.1 "), "\(shown)")
        }
    }

    /// The time is that of the text, whatever it holds: a second for a million bytes without optimisation is a lot.
    @Test(arguments: ["\\", "%25", "&amp;", "&", "%", "\\u0025", " ", "=\n", "&#38;", "%5c", "\0", "ab", "s3cretpw"])
    func hostileTextTakesNoLonger(_ unit: String) {
        let secrets = (0..<20).map { SensitiveText([.secret(Secret("s3cretpw-\($0)-\($0 * 7919)"))]) }
        let redactor = Redactor(nil, others: secrets)
        func time(_ length: Int) -> Duration {
            let text = String(repeating: unit, count: length / unit.utf8.count).bytes
            return processorTime { _ = redactor.redact(text, isCut: true) }
        }
        _ = time(2000)
        let (short, long) = (time(4000), time(16000))
        #expect(long < short * 12 + .milliseconds(200))
    }

    /// A secret that repeats itself may start anywhere in a text of the same: no other takes longer.
    @Test(arguments: ["\\", "%", "%25", "&amp;", "\\u005c", "%5C", "=5C", "\\\\", "a", "+", "\0"])
    func aSecretOfTheSameTakesNoLonger(_ unit: String) {
        let redactor = Self.redactor(String(repeating: unit, count: 200 / unit.utf8.count))
        func text(_ length: Int) -> [UInt8] { String(repeating: unit, count: length / unit.utf8.count).bytes }
        func time(_ length: Int) -> Duration { processorTime { _ = redactor.redact(text(length)) } }
        _ = time(200)
        let (short, long) = (time(500), time(2000))
        #expect(long < short * 8 + .milliseconds(500))
        #expect(redactor.redact(text(400)).count < 60)
    }
}
