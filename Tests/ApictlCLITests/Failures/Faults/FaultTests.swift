import Testing

/// Calls over real sockets to servers that fail, send wrong data, break off or never end: each ends in time, with its own exit code and message,
/// and shows no secret.
@Suite(.timeLimit(.minutes(3))) struct FaultTests {
    @Test(arguments: Fault.connections)
    func connection(_ row: Fault) async throws { try await row.check() }

    @Test(arguments: Fault.proxies)
    func proxy(_ row: Fault) async throws { try await row.check() }

    @Test(arguments: Fault.times)
    func time(_ row: Fault) async throws { try await row.check() }

    @Test(arguments: Fault.heads)
    func head(_ row: Fault) async throws { try await row.check() }

    @Test(arguments: Fault.lengths)
    func length(_ row: Fault) async throws { try await row.check() }

    @Test(arguments: Fault.bodies)
    func body(_ row: Fault) async throws { try await row.check() }

    @Test(arguments: Fault.redirects)
    func redirect(_ row: Fault) async throws { try await row.check() }

    @Test(arguments: Fault.reuses)
    func reuse(_ row: Fault) async throws { try await row.check() }

    @Test(arguments: Fault.uploads)
    func upload(_ row: Fault) async throws { try await row.check() }

    @Test(arguments: Fault.disclosures)
    func disclosure(_ row: Fault) async throws { try await row.check() }
}
