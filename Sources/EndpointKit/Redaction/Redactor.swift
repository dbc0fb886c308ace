import JSONText
import Locking

/// Removes known secrets from text that may repeat them: wire traffic, messages of servers and libraries, recordings.
///
/// The secrets are found in the spellings of ``SecretSpellings``. Nothing is prepared before there is a text.
package struct Redactor: Sendable {
    /// The secrets of the request and of the other texts that the redactor was created with.
    private let initialGroup: SecretGroup
    /// The secrets that were added later, from the largest group to the smallest.
    private var addedGroups: [SecretGroup] = []
    /// The values that the request's signers have added by the time a text is redacted; nil without signers.
    private var signedValues: SignedValues?

    /// The longest text, in bytes, that is treated as a message. In a message, a server or a library shortens what it
    /// quotes, so the text may contain only the beginning of a secret.
    private static let maxMessageLength = 4096

    /// Creates a redactor of the secrets of `request` and of `others`.
    package init(_ request: Request? = nil, others: [SensitiveText] = []) {
        initialGroup = SecretGroup(makeSecrets: {
            guard let request else { return Self.secrets(of: [], others: others) }
            return Self.secrets(of: [request], others: others)
        })
        signedValues = request?.signing?.signedValues
    }

    /// Makes this redactor remove `secrets` too.
    ///
    /// The new secrets become a group, which has one search for all of them. A search can't grow, so it is prepared
    /// anew whenever its group changes. To keep that rare, the new group takes over each group that is not larger than
    /// itself. Therefore the groups double in size, and a secret takes part in about log₂(n) preparations if n secrets
    /// are added one by one.
    package mutating func add(_ secrets: Set<String>) {
        var newGroup = secrets.filter { secret in
            let isInAnyGroup = addedGroups.contains { group in group.secrets.contains(secret) }
            return !isInAnyGroup
        }
        if newGroup.isEmpty { return }
        while let smallestGroup = addedGroups.last, smallestGroup.secrets.count <= newGroup.count {
            newGroup.formUnion(smallestGroup.secrets)
            addedGroups.removeLast()
        }
        addedGroups.append(SecretGroup(makeSecrets: { [newGroup] in newGroup }))
    }

    /// Makes this redactor remove the values of `cookies` too.
    package mutating func add(cookies: CookieJar) {
        let cookiePairs = cookies.cookies.map { "\($0.id.name)=\($0.value)" }
        add(Set(cookiePairs.compactMap { Self.cookieSecret($0[...]) }))
    }

    /// A group of secrets that are searched for together.
    private final class SecretGroup: Sendable {
        private let makeSecrets: @Sendable () -> Set<String>
        private let preparedSearch = Lock<SecretSearch?>(nil)

        /// Creates a group of the secrets that `makeSecrets` returns. It is called when the secrets are needed.
        init(makeSecrets: @escaping @Sendable () -> Set<String>) { self.makeSecrets = makeSecrets }

        /// The secrets in plain form.
        var secrets: Set<String> { makeSecrets() }

        /// Returns the search for all spellings of the secrets. The first call prepares it, and later calls reuse it.
        func prepareSearch() -> SecretSearch {
            preparedSearch.withLock { earlierSearch in
                if let earlierSearch { return earlierSearch }
                let search = SecretSearch(Set(secrets.flatMap(SecretSpellings.all)))
                earlierSearch = search
                return search
            }
        }
    }

    /// Returns the secrets of `requests` and `others` in plain form.
    ///
    /// They must be removed from whatever may repeat a part of the requests, such as a response.
    ///
    /// - Parameters:
    ///   - requests: Requests that were sent. Their secrets are credentials in headers and queries, and keys with which
    ///     they are signed. If a request is the result of a redirect, it includes the secrets of the request before it.
    ///   - others: Other texts that hold secrets.
    package static func secrets(of requests: [Request], others: [SensitiveText] = []) -> Set<String> {
        var secrets: Set<String> = []
        for text in others { secrets.formUnion(plainSecrets(in: text)) }
        for request in requests {
            for header in request.headers { secrets.formUnion(plainSecrets(inHeader: header)) }
            for item in request.query { secrets.formUnion(plainSecrets(in: item.content)) }
            let signingKeys = request.signing?.signers.flatMap(\.secrets) ?? []
            for secret in request.formerSecrets + signingKeys {
                if let value = secret.reveal() { secrets.insert(value) }
            }
        }
        return secrets
    }

    /// Returns the secrets of a header, and those parts of its value that a server may repeat alone.
    ///
    ///     Authorization: Bearer abc    →    abc
    ///
    /// Only a value that a person typed has to be taken apart. A declared credential keeps its secret apart from text
    /// such as `Bearer`, and names the variable that the secret comes from.
    private static func plainSecrets(inHeader header: HTTPField) -> [String] {
        var secrets = plainSecrets(in: header.content)
        if header.isConfidential { secrets += confidentialParts(ofTypedValue: header.value, headerName: header.name) }
        for case .secret(let secret) in header.content.pieces where secret.variable == nil {
            guard let typedValue = secret.reveal() else { continue }
            secrets += confidentialParts(ofTypedValue: typedValue, headerName: header.name)
        }
        return secrets
    }

    /// Returns the secrets of a text in plain form, except those whose values are not set.
    ///
    /// For the user and password of Basic authentication, these are the password alone, and the Base64 of both as it is
    /// sent (RFC 7617, section 2). The user name is not a secret, and is often a word that occurs elsewhere.
    private static func plainSecrets(in text: SensitiveText) -> [String] {
        var secrets: [String] = []
        for piece in text.pieces {
            switch piece {
            case .text:
                continue
            case .secret(let secret):
                if let value = secret.reveal() { secrets.append(value) }
            case .basic(_, let password):
                if let value = password.reveal() { secrets.append(value) }
                if let encodedCredentials = try? SensitiveText([piece]).reveal() { secrets.append(encodedCredentials) }
            }
        }
        return secrets
    }

    /// Returns the confidential parts of the value of a header that a person typed.
    ///
    /// A server may repeat everything after the auth scheme, or only the last parameter, so both count.
    ///
    ///     Bearer abc                             →    abc
    ///     Digest username="u", response="r"      →    username="u", response="r"    and    response="r"
    ///     a=first; b=second  (of a Cookie)       →    first    and    second
    private static func confidentialParts(ofTypedValue value: String, headerName: String) -> [String] {
        if headerName.isSameName(as: "Cookie") { return value.split(separator: ";").compactMap(cookieSecret) }
        let schemeAndCredentials = value.split(separator: " ", maxSplits: 1)
        var parts: [String] = []
        if let credentials = schemeAndCredentials.last { parts.append(String(credentials)) }
        if let lastWord = value.split(separator: " ").last { parts.append(String(lastWord)) }
        return parts
    }

    /// The length in bytes from which on the value of a cookie is a secret without its name: a shorter value is part
    /// of many texts.
    private static let minLengthOfCookieValue = 4

    /// Returns what is secret of a cookie: its value without quotes, or `name=value` if the value is very short.
    ///
    ///     sid="abc123"    →    abc123
    ///     theme=1         →    theme=1
    ///
    /// - Parameter cookie: A cookie as in the header `Cookie` (RFC 6265, section 4.2.1). Spaces before it are ignored.
    /// - Returns: The secret; nil if the value is empty.
    private static func cookieSecret(_ cookie: Substring) -> String? {
        let pair = cookie.drop { $0 == " " }
        let nameAndValue = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        // A cookie without a `=` is a value without a name.
        let value = nameAndValue.count == 2 ? nameAndValue[1] : pair
        let isQuoted = value.count > 1 && value.first == "\"" && value.last == "\""
        let unquotedValue = isQuoted ? value.dropFirst().dropLast() : value
        if unquotedValue.isEmpty { return nil }
        let isVeryShort = unquotedValue.utf8.count < minLengthOfCookieValue
        return String(isVeryShort ? pair : unquotedValue)
    }
}

// MARK: Texts

extension Redactor {
    /// Returns `text` with `(redacted)` in place of secrets, and of user and password in a URL such as a proxy's.
    package func redact(_ text: String) -> String {
        let bytes = redact(text.exactBytes)
        let findingsInURLs = PlainTextSecrets(bytes).userInformationOfURLs(in: bytes.indices)
        return String(exactBytes: findingsInURLs.replacingSecrets(in: bytes))
    }

    /// Returns `bytes` with `(redacted)` in place of secrets.
    ///
    /// - Parameters:
    ///   - bytes: Text or binary data. In a text as short as a message, the beginning of a secret before `…` is
    ///     removed too.
    ///   - isCut: Whether the bytes may end within a secret.
    package func redact(_ bytes: [UInt8], isCut: Bool = false) -> [UInt8] {
        // The positions at which a secret may be cut off, so that only its beginning stands before them.
        var cutPositions: Set<Int> = []
        if bytes.count <= Self.maxMessageLength { cutPositions = Self.ellipses(in: bytes) }
        if isCut { cutPositions.insert(bytes.count) }
        let findings = rangesOfSecrets(in: bytes, cutPositions: cutPositions).map { range in
            SecretFinding(range: range, secrets: [])
        }
        return findings.replacingSecrets(in: bytes)
    }

    /// Returns where secrets are in `bytes`: ranges in order that neither overlap nor touch.
    ///
    /// The secrets are kept in several groups, because they become known at different times. Each group is searched for
    /// on its own.
    ///
    /// - Parameter cutPositions: Positions at which a secret may be cut off. Of `s3cret`, only `s3cr` stands before the
    ///   `…` of a shortened message.
    private func rangesOfSecrets(in bytes: [UInt8], cutPositions: Set<Int> = []) -> [Range<Int>] {
        // The values that the signers have added to the request when it was sent.
        let groupsOfSigners = signedValues?.redactor.addedGroups ?? []
        var rangesOfAllGroups: [Range<Int>] = []
        for group in [initialGroup] + addedGroups + groupsOfSigners {
            rangesOfAllGroups += group.prepareSearch().ranges(in: bytes, cutPositions: cutPositions)
        }
        // Ranges can only be joined with the one before them if they are in the order of their ends.
        rangesOfAllGroups.sort { $0.upperBound < $1.upperBound }
        var joinedRanges: [Range<Int>] = []
        for range in rangesOfAllGroups { SecretSearch.append(range, to: &joinedRanges) }
        return joinedRanges
    }

    /// Returns a body with `(redacted)` in place of secrets.
    ///
    /// If the body is JSON, the result is JSON too: a secret that is a number becomes `0`.
    ///
    /// - Parameters:
    ///   - body: The body of a request or response.
    ///   - isCut: Whether the body may end within a secret.
    package func redact(body: [UInt8], isCut: Bool = false) -> [UInt8] {
        let redactedBody = redact(body, isCut: isCut)
        let breaksJSON = redactedBody != body && Self.isJSON(body) && !Self.isJSON(redactedBody)
        return breaksJSON ? Self.replacingRedactedNumbers(in: redactedBody) : redactedBody
    }

    /// Returns whether `bytes` contain a secret in any spelling.
    func findsSecret(in bytes: [UInt8]) -> Bool { !rangesOfSecrets(in: bytes).isEmpty }

    /// Returns whether a text consists of one or more JSON documents.
    private static func isJSON(_ text: [UInt8]) -> Bool { (try? JSONDocument.all(in: text)) != nil }

    /// Returns redacted JSON in which each number that was a secret is `0`, so that it is valid JSON again.
    ///
    ///     {"pin": (redacted), "note": "(redacted)"}    →    {"pin": 0, "note": "(redacted)"}
    ///
    /// In a string, `(redacted)` may stay.
    private static func replacingRedactedNumbers(in json: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var unreadJSON = json[...]
        while let firstByte = unreadJSON.first {
            let token = jsonToken(atStartOf: unreadJSON)
            let isString = firstByte == UInt8(ascii: "\"")
            if !isString, token.firstRange(of: SecretRules.markBytes) != nil {
                result.append(UInt8(ascii: "0"))
            } else {
                result += token
            }
            unreadJSON = unreadJSON[token.endIndex...]
        }
        return result
    }

    /// Returns the token that JSON text begins with (RFC 8259, section 2): a string with its quotes, one space or
    /// structural character such as `{`, or a number or word up to the next of these.
    private static func jsonToken(atStartOf text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let firstByte = text.first else { return text }
        if firstByte == UInt8(ascii: "\"") { return jsonString(atStartOf: text) }
        if " \t\r\n,:[]{}".utf8.contains(firstByte) { return text.prefix(1) }
        return text.prefix { !" \t\r\n,:[]{}\"".utf8.contains($0) }
    }

    /// Returns the JSON string that `text` starts with, including its quotes.
    ///
    /// Without a closing quote, the string ends with `text`.
    private static func jsonString(atStartOf text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var closingQuote = text.startIndex + 1
        while closingQuote < text.endIndex, text[closingQuote] != UInt8(ascii: "\"") {
            let isEscape = text[closingQuote] == UInt8(ascii: "\\")
            closingQuote += isEscape ? 2 : 1
        }
        return text[..<min(closingQuote + 1, text.endIndex)]
    }

    /// Returns the positions of `…` and `...`, with which messages shorten what they quote: `invalid key 's3cr…'`.
    private static func ellipses(in bytes: [UInt8]) -> Set<Int> {
        // The first byte of … in UTF-8.
        let firstByteOfEllipsis: UInt8 = 0xE2
        var positions: Set<Int> = []
        for (position, byte) in bytes.enumerated() where byte == UInt8(ascii: ".") || byte == firstByteOfEllipsis {
            let unreadBytes = bytes[position...]
            if unreadBytes.starts(with: "…".utf8) || unreadBytes.starts(with: "...".utf8) {
                positions.insert(position)
            }
        }
        return positions
    }
}

extension ResponseHead {
    /// Returns this status line and these headers with `(redacted)` in place of secrets, which a server may repeat.
    package func redacted(by redactor: Redactor) -> ResponseHead {
        var head = self
        head.reason = redactor.redact(reason)
        head.fields = fields.map { field in
            let redactedField = HTTPField(redactor.redact(field.name), redactor.redact(field.value))
            // A secret with a colon may begin in the name and end in the value.
            let line = "\(redactedField.name):\(redactedField.value)"
            let holdsSecret = redactor.redact(line) != line
            return holdsSecret ? HTTPField("(redacted)", "(redacted)") : redactedField
        }
        return head
    }

    /// Returns the media type of the body, as it may be shown; nil if no header declares it.
    ///
    /// The secrets are removed from the header before the media type is taken from it. Afterwards, a secret could be
    /// lowercased or cut in half, and would not be found.
    package func mediaType(redactedBy redactor: Redactor) -> String? { redacted(by: redactor).mediaType }
}

extension Response {
    /// Returns this response with `(redacted)` in place of the secrets that `redactor` knows.
    package func redacted(by redactor: Redactor) -> Response {
        Response(head: head.redacted(by: redactor), body: redactor.redact(body: body))
    }
}
