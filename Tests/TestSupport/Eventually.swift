/// Asks again and again whether something holds, for at most a minute.
///
/// - Returns: Whether it held at last.
package func eventually(_ holds: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<6000 {
        if try await holds() { return true }
        try await Task.sleep(for: .milliseconds(10))
    }
    return try await holds()
}
