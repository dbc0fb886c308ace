/// How long the phases of one transfer took; they add up to ``total``.
package struct TransferTimes: Sendable, Equatable {
    /// The URL of the request, with secrets redacted.
    package var url = ""
    /// The final response's status; nil if there was none.
    package var status: Int?
    /// From the start until the host's address was known.
    package var nameLookup = Duration.zero
    /// From then until the connection was made, including through a proxy.
    package var connect = Duration.zero
    /// From then until TLS was set up; nil without TLS, or on a reused connection.
    package var tls: Duration?
    /// From then until the first byte of the response.
    package var firstByte = Duration.zero
    /// From then until the last byte.
    package var content = Duration.zero
    /// From the start of the transfer to its end, successful or not.
    package var total = Duration.zero
    /// The size of the body as transferred (possibly compressed), in bytes.
    package var receivedBytes: Int64 = 0
    /// Whether the connection of an earlier transfer was reused.
    package var reusedConnection = false

    /// Of nothing that has happened yet.
    package init() {}
}
