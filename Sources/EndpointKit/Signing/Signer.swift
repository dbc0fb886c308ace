import JSONText

/// Signs requests: adds headers or query items that are computed from the request, a secret key and the time.
///
///     struct ShopSignature: Signer {
///         let variables = ["SHOP_SECRET"]
///
///         func sign(_ request: inout Request, secrets: SignerSecrets, now: Date) throws {
///             let time = String(Int(now.timeIntervalSince1970))
///             let url = try request.revealedURL()
///             let key = Array(secrets["SHOP_SECRET"].utf8)
///             let code = MessageDigest.sha256.authenticationCode(of: time + url, key: key)
///             request.setHeader("X-Shop-Time", time)
///             request.setHeader("X-Shop-Signature", MessageDigest.hexadecimal(code))
///         }
///     }
///
/// An API declares it with ``Credential/signed(by:helpURL:)``. Each attempt to send a request is signed with the
/// current time, also retries, further pages and redirects within the origin. A redirect to another origin is not
/// signed.
///
/// The headers and query items that a signer sets are secret in every output.
public protocol Signer: Hashable, Sendable {
    /// The name by which people choose the signature, such as `shop-signature`. By default, it is the type's name.
    var name: String { get }
    /// The environment variables of the secrets that the signer needs.
    var variables: [String] { get }
    /// The environment variables of secrets that the signer uses if they are set. By default, there are none.
    var optionalVariables: [String] { get }

    /// Adds the signature to a request, with ``Request/setHeader(_:_:)`` and ``Request/setQueryItem(_:_:)``.
    ///
    /// To find out which headers and query items it sets, the function is also called with a request without a path,
    /// and with secrets that are made up.
    ///
    /// - Parameters:
    ///   - request: The complete request except for its signatures.
    ///   - secrets: The values of ``variables`` and ``optionalVariables``.
    ///   - now: The current time.
    /// - Throws: Any error. The request is not sent then.
    func sign(_ request: inout Request, secrets: SignerSecrets, now: Date) throws
}

extension Signer {
    /// The name of the type in kebab case: `shop-signature` for `ShopSignature`.
    public var name: String { KebabCase.text(TypeName.text(of: Self.self)) }
    /// No variables.
    public var optionalVariables: [String] { [] }
}

/// The values of a signer's variables. Printing them shows no value.
public struct SignerSecrets: Sendable, CustomStringConvertible, CustomReflectable {
    private let values: [String: String]

    /// Creates secrets from the values of variables.
    public init(_ values: [String: String]) { self.values = values }

    /// Returns the value of a variable; an empty text if it is not set.
    public subscript(variable: String) -> String { values[variable] ?? "" }

    /// The text `(redacted)`.
    public var description: String { "(redacted)" }
    /// The secrets as `dump` shows them: with the names of the variables, and without values.
    public var customMirror: Mirror { Mirror(self, children: ["variables": values.keys.sorted()]) }
}

/// A signer of any type, which can be compared with others.
package struct AnySigner: Sendable, Hashable {
    /// The signer itself.
    package let signer: any Signer

    /// Wraps a signer.
    package init(_ signer: some Signer) { self.signer = signer }

    /// Returns whether two signers are of the same type and equal.
    package static func == (left: AnySigner, right: AnySigner) -> Bool {
        AnyHashable(left.signer) == AnyHashable(right.signer)
    }

    /// Hashes the signer.
    package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(signer)) }

    /// The headers and query items that the signer sets in a request.
    ///
    /// They are found by signing a request without a path, with made-up values for the required secrets.
    package var parts: [SignedPart] {
        guard let base = try? BaseURL("https://api.example.com") else { return [] }
        let secrets = signer.variables.map { Secret(variable: $0, value: nil) }
        let request = Request(.get, base, path: "/")
        return RequestSigner(signer: self, secrets: secrets).signedParts(of: request, now: Date())
    }
}

/// A header or query item that a signer sets.
package enum SignedPart: Sendable, Hashable {
    /// The header with this name.
    case header(String)
    /// The query item with this name.
    case query(String)

    /// The name of the header or query item.
    package var name: String {
        switch self {
        case .header(let name), .query(let name): name
        }
    }
}
