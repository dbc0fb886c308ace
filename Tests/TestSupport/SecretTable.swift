import Foundation

/// Kinds of secrets, and the ways in which servers and libraries spell them.
public enum SecretTable {
    public static let secrets: [(id: String, text: String)] = [
        ("token", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"), ("eight letters", "hunter22"),
        ("three characters", "k7q"),
        ("percent", "50%off-secret1234"), ("percent before digits", "a%25b%41c%zz"), ("plus", "ab+cd/ef+gh=="),
        ("ampersands", "a&b=c&amp;d=1&#43;"), ("quotes", #"it's "quoted" well"#), ("backslashes", #"C:\new\\table\"#),
        ("nothing but backslashes", #"\\\\\\\\"#), ("emoji", "k🔑ey🔒pässwörd"), ("trailing CR", "s3cretpw1\r"),
        ("blanks around it", " \ts3cret pw2 \n"), ("like JSON", #"{"k":"v","n":[1,2]}"#),
        ("like a URL", "app://h.test/a?b=c%2Fd&e=f#g"), ("like HTML", "<b class='x'>&lt;bold&gt;</b>"),
        ("repeating itself", "abababababab"),
        ("as long as a header", String(repeating: "0123456789abcdef", count: 64) + "!"),
    ]

    private static func percent(_ text: String) -> String {
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static func json(_ text: String, _ options: JSONEncoder.OutputFormatting = []) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = options
        let quoted = (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return String(quoted.dropFirst().dropLast())
    }

    private static func each(_ text: String, _ spelling: (Unicode.Scalar) -> String) -> String {
        text.unicodeScalars.map(spelling).joined()
    }

    private static func html(_ text: String, quote: String, apostrophe: String) -> String {
        let names: [Unicode.Scalar: String] = [
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": quote, "'": apostrophe,
        ]
        return each(text) { names[$0] ?? String($0) }
    }

    /// Returns `text` in JSON, with each character beyond ASCII as `\uXXXX`.
    private static func ascii(_ text: String) -> String {
        each(json(text)) { scalar in
            scalar.isASCII ? String(scalar) : String(scalar).utf16.map { "\\u" + hexadecimal($0) }.joined()
        }
    }

    private static func hexadecimal(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    private static func lowercasedEscapes(_ text: String) -> String {
        text.replacing(/%[0-9A-F]{2}/) { $0.output.lowercased() }
    }

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    /// The spellings that a redactor must know.
    public static let spellings: [(id: String, spell: @Sendable (String) -> [UInt8])] = [
        ("as it is", { $0.bytes }), ("percent", { percent($0).bytes }),
        ("percent in small letters", { lowercasedEscapes(percent($0)).bytes }),
        ("form", { percent($0).replacingOccurrences(of: "%20", with: "+").bytes }),
        ("plus as a space", { $0.replacingOccurrences(of: "+", with: " ").bytes }),
        ("JSON", { json($0).bytes }), ("JSON with plain slashes", { json($0, .withoutEscapingSlashes).bytes }),
        ("JSON in ASCII", { ascii($0).bytes }),
        ("HTML names", { html($0, quote: "&quot;", apostrophe: "&apos;").bytes }),
        ("HTML numbers", { html($0, quote: "&#34;", apostrophe: "&#39;").bytes }),
        ("HTML of Python", { html($0, quote: "&quot;", apostrophe: "&#x27;").bytes }),
        ("HTML of PHP", { html($0, quote: "&quot;", apostrophe: "&#039;").bytes }),
        ("HTML in JSON", { json(html($0, quote: "&quot;", apostrophe: "&#x27;"), .withoutEscapingSlashes).bytes }),
        ("Base64", { base64($0).bytes }),
        ("Base64 without padding", { base64($0).replacingOccurrences(of: "=", with: "").bytes }),
        (
            "Base64 for URLs",
            {
                base64($0).replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_").bytes
            }
        ),
        ("Base64 in a query", { percent(base64($0)).bytes }), ("Base64 in JSON", { json(base64($0)).bytes }),
    ]

    /// Returns whether `output` holds any eight successive bytes of `text`.
    ///
    /// A shorter text is only searched for after a character that may precede a value, such as `=`.
    public static func holds(_ output: [UInt8], partOf text: [UInt8]) -> Bool {
        guard text.count >= 8 else {
            return ["=", "\"", " ", "'", ">"].contains { before in output.contains(before.bytes + text) }
        }
        var runs: Set<UInt64> = []
        _ = hasRun(text) { run in
            runs.insert(run)
            return false
        }
        return hasRun(output, runs.contains)
    }

    /// Returns whether `isWanted` is true for any eight successive bytes of `bytes`, as a big-endian number.
    private static func hasRun(_ bytes: [UInt8], _ isWanted: (UInt64) -> Bool) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            var run: UInt64 = 0
            var index = 0
            while index < bytes.count {
                run = run << 8 | UInt64(bytes[index])
                if index >= 7, isWanted(run) { return true }
                index += 1
            }
            return false
        }
    }
}
