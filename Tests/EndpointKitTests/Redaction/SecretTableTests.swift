import Foundation
import TestSupport
import Testing

@testable import EndpointKit

/// Tests of every kind of secret, in every spelling, within every kind of text: the secret is removed, and all other
/// text stays.
struct SecretTableTests {
    /// Texts before and after a secret: sentences, syntax, and an escape that ends right before the secret.
    static let places: [(before: String, after: String)] = [
        ("", ""), ("a ", " b"), ("{\"k\":\"", "\"}"), ("?key=", "&x=1"), ("X-Key: ", "\r\nX-B: c"), ("<p>", "</p>"),
        ("%3D", "%26"),
    ]

    private static func redactor(_ secret: String) -> Redactor {
        Redactor(nil, others: [SensitiveText([.secret(Secret(variable: "V", value: secret))])])
    }

    @Test(arguments: SecretTable.secrets.indices)
    func `A secret is removed in every spelling`(_ index: Int) {
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

    /// Returns a text without blanks. Those at the ends of a secret may stay.
    private static func visible(_ text: [UInt8]) -> [UInt8] { text.filter { $0 > 0x20 } }

    /// A server may choose the text before a secret. With the start of an escape there, the first letters of the secret
    /// could be read as the end of the escape.
    @Test(arguments: ["%", "%4", "%e", "\\", "\\u00", "\\u", "&", "&#", "&#x", "&#3"])
    func `The start of an escape does not hide the secret after it`(_ before: String) {
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
    func `The start of a secret is removed at the end of a text that is cut off`(_ index: Int) {
        let secret = SecretTable.secrets[index].text
        let trimmedSecret = secret.trimmingCharacters(in: .whitespacesAndNewlines)
        guard trimmedSecret.utf8.count >= 8 else { return }
        for spelling in SecretTable.spellings {
            let spelled = spelling.spell(trimmedSecret)
            // To save time, every third length is tested. Other secrets test the other lengths.
            let longest = spelled.count - 1 - index % 3
            for length in stride(from: longest, to: spelled.count / 2, by: -3) where spelled.count < 400 {
                let shown = Self.visible(
                    Self.redactor(secret).redact("a ".bytes + spelled.prefix(length), isCut: true))
                // Up to five bytes of an escape that is cut off may stay.
                #expect(
                    shown.starts(with: "a(redacted)".bytes) && shown.count <= "a(redacted)".utf8.count + 5,
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
    func `A secret is found in several forms`(_ row: Row<(secret: String, text: String), String>) {
        let redactor = Self.redactor(row.input.secret)
        #expect(redactor.redact(row.input.text) == row.expected)
        #expect(redactor.redact(row.input.text.bytes) == row.expected.bytes)
    }

    @Test func `A secret of thousands of bytes is found like any other`() {
        let secret = (0..<300).map { "Key \($0)+" }.joined()
        let redactor = Self.redactor(secret)
        var spelledSecrets = [secret.lowercased().bytes, Data(secret.utf8).base64EncodedString().bytes]
        for spelling in SecretTable.spellings where ["as it is", "percent", "form", "JSON"].contains(spelling.id) {
            spelledSecrets.append(spelling.spell(secret))
        }
        for spelledSecret in spelledSecrets {
            let shown = redactor.redact("?k=".bytes + spelledSecret + "&x".bytes)
            #expect(
                shown.count < 30 && shown.starts(with: "?k=".bytes),
                "\(String(decoding: shown.prefix(60), as: UTF8.self))")
        }
    }

    @Test func `Hundreds of secrets that are added one by one are found`() {
        let secrets = (0..<500).map { "captured-\($0 * 7919)-\($0)" }
        var redactor = Redactor()
        for secret in secrets { redactor.add([secret]) }
        let redactedText = Array(repeating: "(redacted)", count: secrets.count).joined(separator: " ")
        #expect(redactor.redact(secrets.joined(separator: " ")) == redactedText)
    }

    @Test func `Ordinary text stays as it is`() {
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

    /// The time must be proportional to the length of the text. Four times the length may take up to twelve times the
    /// time, because short measurements vary.
    @Test(arguments: ["\\", "%25", "&amp;", "&", "%", "\\u0025", " ", "=\n", "&#38;", "%5c", "\0", "ab", "s3cretpw"])
    func `Hostile text takes no longer than other text`(_ unit: String) {
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

    /// A secret that repeats one unit may start at any place of a text that repeats the same unit.
    @Test(arguments: ["\\", "%", "%25", "&amp;", "\\u005c", "%5C", "=5C", "\\\\", "a", "+", "\0"])
    func `A secret that repeats itself takes no longer than another`(_ unit: String) {
        let redactor = Self.redactor(String(repeating: unit, count: 200 / unit.utf8.count))
        func text(_ length: Int) -> [UInt8] { String(repeating: unit, count: length / unit.utf8.count).bytes }
        func time(_ length: Int) -> Duration { processorTime { _ = redactor.redact(text(length)) } }
        _ = time(200)
        let (short, long) = (time(500), time(2000))
        #expect(long < short * 8 + .milliseconds(500))
        #expect(redactor.redact(text(400)).count < 60)
    }
}
