import EndpointKit
import Testing

/// Returns the error of a status other than 2xx that `operation` throws.
func statusError(_ operation: () async throws -> Void) async throws -> HTTPStatusError {
    let error = try await #require(throws: ResponseError.self) { try await operation() }
    guard case .status(let statusError) = error else { throw error }
    return statusError
}

/// Returns the error of a response that does not fit its model that `operation` throws.
func modelMismatch(_ operation: () async throws -> Void) async throws -> ModelMismatch {
    let error = try await #require(throws: ResponseError.self) { try await operation() }
    guard case .modelMismatch(let mismatch) = error else { throw error }
    return mismatch
}
