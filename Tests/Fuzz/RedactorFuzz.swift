// Hostile text around a hostile secret. Whatever they are, nothing may trap or take long, and these must hold: the secret is not in
// what is shown, neither as it is nor in the usual encodings; text without it stays as it is.

@testable import EndpointKit

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = [UInt8](start, count)
    guard let first = input.first else { return 0 }
    // No variable and no header holds a NUL.
    let secret = input.dropFirst().prefix(Int(first & 63)).map { $0 == 0 ? UInt8(ascii: ".") : $0 }
    let text = Array(input.dropFirst(1 + secret.count))
    let redactor = Redactor(nil, others: [SensitiveText([.secret(Secret(String(exactBytes: secret)))])])
    let shown = redactor.redact(text)
    // The mark itself may spell a secret with what stands around it.
    let isTold = Array("(redacted)".utf8)
    // Of what repeats a few bytes, the search follows 64 possible beginnings at most.
    if secret.count >= 8, Set(secret).count > 3, !isTold.contains(where: secret.contains) {
        require(!shown.holds(secret), "the secret is not shown")
        for spelled in [secret, Array(PercentEncoding.encode(bytes: secret).utf8), secret.flatMap(escape)] {
            let half = text.count / 2
            let shown = redactor.redact(Array(text[..<half]) + spelled + Array(text[half...]))
            require(!shown.holds(spelled) && !shown.holds(secret), "no spelling of it is shown")
            let cut = redactor.redact(Array(text[..<half]) + spelled.dropLast(spelled.count / 4), isCut: true)
            let part = Array(spelled.prefix(spelled.count / 2))
            // Blanks may stay; of a few bytes of the secret, with long escapes, more than half of what is spelled.
            let mayStay = spelled.count > 2 * secret.count || part.allSatisfy { $0 <= 0x20 }
            require(mayStay || !cut.holds(part) || text.holds(part), "nor what a cut leaves")
        }
    }
    if secret.isEmpty { require(shown == text, "nothing else is taken out") }
    _ = redactor.redact(String(exactBytes: text))
    return 0
}

/// `\u00XX` for what JSON escapes, everything else as it is.
func escape(_ byte: UInt8) -> [UInt8] {
    guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { return [byte] }
    return Array(("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)).utf8)
}
