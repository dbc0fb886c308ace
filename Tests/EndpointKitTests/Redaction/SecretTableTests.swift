import Foundation
import Testing

@testable import EndpointKit

/// Every kind of secret, in every spelling, within every kind of text: nothing of it is left, and nothing else is missing.
struct SecretTableTests {
    static let secrets: [(id: String, text: String)] = [
        ("token", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"), ("eight letters", "hunter22"),
        ("three characters", "k7q"),
        ("percent", "50%off-secret1234"), ("percent before digits", "a%25b%41c%zz"), ("plus", "ab+cd/ef+gh=="),
        ("ampersands", "a&b=c&amp;d=1&#43;"), ("quotes", #"it's "quoted" well"#), ("backslashes", #"C:\new\\table\"#),
        ("nothing but backslashes", #"\\\\\\\\"#), ("emoji", "k🔑ey🔒pässwörd"), ("trailing CR", "s3cretpw1\r"),
        ("blanks around it", " \ts3cret pw2 \n"), ("like JSON", #"{"k":"v\u0041","n":[1,2]}"#),
        ("like a URL", "https://h.test/a?b=c%2Fd&e=f#g"), ("like HTML", "<b class='x'>&lt;bold&gt;</b>"),
        ("repeating itself", "abababababab"),
        ("as long as a header", String(repeating: "0123456789abcdef", count: 64) + "!"),
    ]

    private static func percent(_ text: String) -> String { PercentEncoding.encode(text) }

    private static func json(_ text: String) -> String {
        let quoted = (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return String(quoted.dropFirst().dropLast())
    }

    private static func each(_ text: String, _ spelling: (Unicode.Scalar) -> String) -> String {
        text.unicodeScalars.map(spelling).joined()
    }

    private static func html(_ text: String) -> String {
        let names: [Unicode.Scalar: String] = [
            "&": "amp", "<": "lt", ">": "gt", "\"": "quot", "'": "apos", "+": "plus", "/": "sol", "=": "equals",
        ]
        return each(text) { scalar in names[scalar].map { "&\($0);" } ?? String(scalar) }
    }

    private static func hexadecimal(_ value: UInt32, _ digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func units(_ text: String) -> String {
        text.utf16.map { "\\u" + hexadecimal(UInt32($0), 4) }.joined()
    }

    static let spellings: [(id: String, spell: @Sendable (String) -> [UInt8])] = [
        ("as it is", { $0.bytes }), ("percent", { percent($0).bytes }),
        (
            "percent in small letters",
            { text in
                text.utf8.map { "%" + hexadecimal(UInt32($0), 2) }.joined().bytes
            }
        ),
        ("percent twice", { percent(percent($0)).bytes }),
        ("percent four times", { percent(percent(percent(percent($0)))).bytes }),
        ("form", { percent($0).replacingOccurrences(of: "%20", with: "+").bytes }),
        ("JSON", { json($0).bytes }), ("JSON with every unit escaped", { units($0).bytes }),
        ("JSON with capital digits", { units($0).uppercased().replacingOccurrences(of: "\\U", with: "\\u").bytes }),
        ("JSON within JSON", { json(json($0)).bytes }), ("JSON three times", { json(json(json($0))).bytes }),
        ("percent within JSON", { json(percent($0)).bytes }), ("JSON within a URL", { percent(json($0)).bytes }),
        ("HTML names", { html($0).bytes }), ("HTML decimal", { each($0) { "&#\($0.value);" }.bytes }),
        ("HTML hexadecimal", { each($0) { "&#x\(hexadecimal($0.value, 2));" }.bytes }),
        ("HTML within HTML", { html(html($0)).bytes }),
        ("HTML within JSON", { json(html($0)).bytes }), ("percent within HTML", { html(percent($0)).bytes }),
        ("UTF-16LE", { $0.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] } }),
        ("UTF-16BE", { $0.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] } }),
        ("percent in UTF-16LE", { percent($0).utf16.flatMap { [UInt8($0), 0] } }),
        (
            "every second byte",
            { text in
                text.utf8.enumerated().flatMap { $0 % 2 == 0 ? "%\(hexadecimal(UInt32($1), 2))".bytes : [$1] }
            }
        ),
        ("Swift and Python", { each($0) { "\\u{\(String($0.value, radix: 16))}" }.bytes }),
        ("C", { text in text.utf8.map { "\\x" + hexadecimal(UInt32($0), 2) }.joined().bytes }),
        ("octal", { text in text.utf8.map { "\\" + String(0o1000 + Int($0), radix: 8).dropFirst() }.joined().bytes }),
        (
            "quoted-printable",
            { text in text.utf8.map { "=" + hexadecimal(UInt32($0), 2).uppercased() }.joined().bytes }
        ),
    ]

    /// What may stand before and after it: sentences, syntax, and the start of an escape that would take the secret's first letters in.
    static let places: [(before: String, after: String)] = [
        ("", ""), ("a ", " b"), ("{\"k\":\"", "\"}"), ("?key=", "&x=1"), ("X-Key: ", "\r\nX-B: c"), ("<p>", "</p>"),
        ("%3D", "%26"),
    ]

    private static func redactor(_ secret: String) -> Redactor {
        Redactor(nil, others: [SensitiveText([.secret(Secret(variable: "V", value: secret))])])
    }

    @Test(arguments: secrets.indices)
    func nothingIsLeft(_ index: Int) {
        let secret = Self.secrets[index].text
        let redactor = Self.redactor(secret)
        for spelling in Self.spellings {
            let spelled = spelling.spell(secret)
            for place in Self.places {
                let text = place.before.bytes + spelled + place.after.bytes
                let shown = Self.visible(redactor.redact(text))
                #expect(
                    shown == Self.visible(place.before.bytes + "(redacted)".bytes + place.after.bytes),
                    "\(spelling.id) in \(place): \(String(decoding: shown, as: UTF8.self))")
            }
        }
    }

    /// The NUL that belongs to the first or last character of UTF-16 may stay, and blanks at a secret's ends.
    private static func visible(_ text: [UInt8]) -> [UInt8] { text.filter { $0 > 0x20 } }

    /// The escape of what comes before may take in the first letters of what follows, and a server may choose it.
    @Test(arguments: ["%", "%4", "%e", "\\", "\\u00", "\\u", "&", "&#", "&#x", "&#3", "\\x", "=", "=4", "%u00", "\\1"])
    func nothingBeforeHidesIt(_ before: String) {
        for secret in ["1f3a/b c", "a&b=c%41d", "nabla\"x", "uab12/34"] {
            for spelling in Self.spellings where spelling.id != "UTF-16BE" {
                let shown = Self.redactor(secret).redact(before.bytes + spelling.spell(secret)).filter { $0 != 0 }
                let text = String(decoding: shown, as: UTF8.self)
                #expect(
                    text.hasSuffix("(redacted)") && text.utf8.count <= before.utf8.count + 10, "\(spelling.id): \(text)"
                )
            }
        }
    }

    @Test(arguments: secrets.indices)
    func neitherIsWhatTheCutLeaves(_ index: Int) {
        let secret = Self.secrets[index].text
        let bare = secret.trimmingCharacters(in: .whitespacesAndNewlines)
        guard bare.utf8.count >= 8 else { return }
        for spelling in Self.spellings {
            let spelled = spelling.spell(bare)
            for length in stride(from: spelled.count - 1, to: spelled.count / 2, by: -1) where spelled.count < 400 {
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
        Row(
            "base 64 of more", ("s3cretpw", Data("user:s3cretpw:x".utf8).base64EncodedString()), "dXNlcjp(redacted)zp4"
        ),
        Row(
            "base 64 folded", ("s3cretpw1-s3cretpw2", "czNjcmV0cHcxL\r\n XMzY3JldHB3Mg"), "(redacted)"),
        Row("hexadecimal", ("s3cret", "7333637265 733363726574"), "7333637265 (redacted)"),
        Row("another case", ("S3cret-Token", "s3cret-token S3CRET-TOKEN"), "(redacted) (redacted)"),
        Row("decoded", ("ab%2Fcd", "ab/cd"), "(redacted)"),
        Row("plus as a blank", ("ab+cd", "ab cd"), "(redacted)"),
        Row("folded over two fields' lines", ("s3cretpw1", "X: s3cr\r\n  etpw1\r\nY: b"), "X: (redacted)\r\nY: b"),
        Row("unfolded", ("s3cretpw1", "X: s3cr etpw1"), "X: (redacted)"),
        Row("wrapped by quoted-printable", ("s3cretpw1", "s3cre=\r\ntpw1"), "(redacted)"),
        Row("a short one is not folded", ("s3cre", "s3c re"), "s3c re"),
        Row("cut in a message", ("s3cretpw1", "found \"s3cret…\""), "found \"(redacted)…\""),
        Row("cut in a message by dots", ("s3cretpw1", "found s3cret..."), "found (redacted)..."),
        Row("two that touch", ("s3cret", "s3crets3cret"), "(redacted)"),
        Row("mistaken for Latin-1", ("pässwörd", "pÃ¤sswÃ¶rd"), "(redacted)"),
        Row("UTF-16 of it", ("k🔑", "\u{0}"), "\u{0}"),
    ]

    @Test(arguments: forms)
    func formsAreFound(_ row: Row<(secret: String, text: String), String>) {
        #expect(Self.redactor(row.input.secret).redact(row.input.text) == row.expected)
    }

    @Test func ordinaryTextStays() {
        let text = """
            HTTP/1.1 200 OK
            Date: Sun, 22 Nov 2026 00:00:00 GMT
            {"id": 1, "name": "The quick brown fox", "url": "https://a.test/x?y=z%20b&c=1", "html": "a &amp; b\\n"}
            """
        for secret in Self.secrets { #expect(Self.redactor(secret.text).redact(text) == text) }
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
            return ContinuousClock().measure { _ = redactor.redact(text, isCut: true) }
        }
        _ = time(2000)
        let (short, long) = (time(4000), time(16000))
        #expect(long < short * 12 + .milliseconds(200))
    }
}
