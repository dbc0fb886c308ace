/// How long the phases of one transfer took; they add up to ``total``.
package struct TransferTimes: Sendable, Equatable {
    /// The URL of the request, with secrets redacted.
    package var url: String
    /// The final response's status; nil if there was none.
    package var status: Int?
    /// From the start until the host's address was known.
    package var nameLookup: Duration
    /// From then until the connection was made, including through a proxy.
    package var connect: Duration
    /// From then until TLS was set up; nil without TLS, or on a reused connection.
    package var tls: Duration?
    /// From then until the first byte of the response.
    package var firstByte: Duration
    /// From then until the last byte.
    package var content: Duration
    /// From the start of the transfer to its end, successful or not.
    package var total: Duration
    /// The size of the body as transferred (possibly compressed), in bytes.
    package var receivedBytes: Int64
    /// Whether the connection of an earlier transfer was reused.
    package var reusedConnection: Bool

    /// Times; that they add up to `total` is not checked.
    package init(
        url: String = "", status: Int?, nameLookup: Duration, connect: Duration, tls: Duration?, firstByte: Duration,
        content: Duration,
        total: Duration, receivedBytes: Int64, reusedConnection: Bool
    ) {
        self.url = url
        self.status = status
        self.nameLookup = nameLookup
        self.connect = connect
        self.tls = tls
        self.firstByte = firstByte
        self.content = content
        self.total = total
        self.receivedBytes = receivedBytes
        self.reusedConnection = reusedConnection
    }
}
