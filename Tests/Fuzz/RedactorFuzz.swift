// Hostile text around a hostile secret. Whatever they are, nothing may trap or take long, and these must hold: the
// secret is not in what is shown, neither as it is nor in the usual encodings; text without it stays as it is; the
// rules leave nothing that they would find again.

@testable import EndpointKit

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = [UInt8](start, count)
    guard let first = input.first else { return 0 }
    // No variable and no header holds a NUL, or blanks at its ends.
    let secret = input.dropFirst().prefix(Int(first & 63)).map { $0 <= 0x20 ? UInt8(ascii: ".") : $0 }
    let text = Array(input.dropFirst(1 + secret.count))
    let redactor = Redactor(nil, others: [SensitiveText([.secret(Secret(String(exactBytes: secret)))])])
    let shown = redactor.redact(text)
    // The mark itself may spell a secret with what stands around it.
    let mark = Array("(redacted)".utf8)
    // A number is only a secret where no other digit is beside it.
    if secret.count >= 8, !secret.allSatisfy(\.isDigit), !mark.contains(where: secret.contains) {
        require(!shown.holds(secret), "the secret is not shown")
        for spelled in [secret, Array(PercentEncoding.encode(bytes: secret).utf8)] {
            let half = text.count / 2
            let shown = redactor.redact(Array(text[..<half]) + spelled + Array(text[half...]))
            require(!shown.holds(spelled) && !shown.holds(secret), "no spelling of it is shown")
            let cut = redactor.redact(Array(text[..<half]) + spelled.dropLast(spelled.count / 4), isCut: true)
            let part = Array(spelled.prefix(spelled.count / 2))
            require(!cut.holds(part) || text.holds(part) || part.count < 4, "nor what a cut leaves")
        }
    }
    if secret.isEmpty { require(shown == text, "nothing else is taken out") }
    _ = redactor.redact(String(exactBytes: text))
    _ = redactor.redact(body: text)
    for type in [nil, "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        _ = SecretRules.redacted(text, contentType: type)
        _ = SecretRules.secrets(in: text, contentType: type)
    }
    return 0
}
