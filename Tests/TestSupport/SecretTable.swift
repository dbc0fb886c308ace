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

    private static func json(_ text: String) -> String {
        let quoted = (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return String(quoted.dropFirst().dropLast())
    }

    private static func each(_ text: String, _ spelling: (Unicode.Scalar) -> String) -> String {
        text.unicodeScalars.map(spelling).joined()
    }

    private static func html(_ text: String) -> String {
        let names: [Unicode.Scalar: String] = [
            "&": "amp", "<": "lt", ">": "gt", "\"": "quot", "'": "apos",
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

    public static let spellings: [(id: String, spell: @Sendable (String) -> [UInt8])] = [
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
        (
            "every second byte",
            { text in
                text.utf8.enumerated().flatMap { $0 % 2 == 0 ? "%\(hexadecimal(UInt32($1), 2))".bytes : [$1] }
            }
        ),
    ]

    /// Whether `output` holds any eight successive bytes of `text`; a shorter text is sought as a value.
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

    /// Whether `isWanted` is true for eight successive bytes, as a number.
    private static func hasRun(_ bytes: [UInt8], _ isWanted: (UInt64) -> Bool) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            var (run, index) = (UInt64(0), 0)
            while index < bytes.count {
                run = run << 8 | UInt64(bytes[index])
                if index >= 7, isWanted(run) { return true }
                index += 1
            }
            return false
        }
    }
}
