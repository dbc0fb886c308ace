import TestSupport
import Testing

/// Calls over real sockets to servers that fail, send wrong data, break off or never end: each ends in time, with its own exit code and message,
/// and shows no secret.
@Suite(.timeLimit(.minutes(3))) struct FaultTests {
    @Test(
        arguments: [
            Fault.connections, Fault.exchanges, Fault.responses, Fault.disclosures,
        ].flatMap(\.self))
    func fault(_ row: Fault) async throws { try await row.check() }

    @Test("A row over TLS needs certificates")
    func certificates() { #expect(SystemCertificates.exist, "\(SystemCertificates.advice)") }
}
