import EndpointKit

/// The cookies of a session while a call uses them (`--session NAME`).
struct CallSession {
    /// The cookies, which the call sends and changes.
    let jar: CookieJar
    private let name: SessionName
    private let store: SessionStore
    private let environment: ProcessEnvironment
    /// The cookies before the call.
    private let initialCookies: [StoredCookie]

    /// Reads the stored cookies of a session; none for a session that does not exist yet.
    ///
    /// - Throws: ``FileError``, also if no session can be stored, because the environment names no directory for it.
    init(_ name: SessionName, environment: ProcessEnvironment) throws {
        guard let store = environment.sessions else {
            throw FileError(.write, "the session", reason: "neither XDG_STATE_HOME nor HOME is set")
        }
        self.name = name
        self.store = store
        self.environment = environment
        initialCookies = try store.cookies(of: name, at: environment.secondsSince1970())
        jar = CookieJar(initialCookies.map(\.line))
    }

    /// Stores the changes that the call has made to the cookies: those that servers have set, changed or removed.
    ///
    /// Only the changes are stored, because another call of the session may have stored others meanwhile.
    ///
    /// - Throws: ``FileError`` and `CancellationError`.
    func saveChanges() async throws {
        let currentCookies = jar.cookies
        // The ID is the name with domain and path. The line also has the value and the attributes.
        let removedIDs = Set(initialCookies.map(\.id)).subtracting(currentCookies.map(\.id))
        let initialLines = Set(initialCookies.map(\.line))
        let changedCookies = currentCookies.filter { !initialLines.contains($0.line) }
        if removedIDs.isEmpty, changedCookies.isEmpty { return }
        let outdatedIDs = removedIDs.union(changedCookies.map(\.id))
        try await store.update(name, at: environment.secondsSince1970()) { stored in
            stored.removeAll { outdatedIDs.contains($0.id) }
            stored += changedCookies
        }
    }

    /// Stores the changes that a call has made to the cookies before it failed.
    ///
    /// - Parameter callError: The error of the call.
    /// - Returns: The error of the call. If the changes can't be stored and the error is a failure, a hint says so.
    func saveChangesReturningError(afterFailure callError: any Error) async -> any Error {
        do {
            try await saveChanges()
        } catch let fileError as FileError {
            guard var failure = callError as? Failure else { return callError }
            failure.hints.append(.fact(fileError.description))
            return failure
        } catch {
            // A signal has ended the call. The error of the call says so.
        }
        return callError
    }
}
