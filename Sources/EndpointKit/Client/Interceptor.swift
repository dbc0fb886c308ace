/// Code that runs around each attempt to send a request: it may change the request, and look at or replace the
/// response.
///
///     client.interceptors.append(
///         Interceptor { request, next in
///             var request = request
///             request.setHeader("X-Request-ID", UUID().uuidString)
///             let response = try await next(request)
///             metrics.count(response.head.status)
///             return response
///         })
///
/// An interceptor runs before the request is signed, and after redirects have been followed. A retry runs it again. A
/// header that it adds follows the same rules in redirects as every other: another origin does not get it unless it is
/// about content negotiation.
///
/// The value of a header is shown as `(redacted)` in every output if its name is that of a secret, such as
/// `Authorization` or `X-Api-Key`.
public struct Interceptor: Sendable {
    /// Sends the request on, and returns the response once its headers have arrived.
    public typealias Next = @Sendable (Request) async throws -> StreamedResponse

    /// Handles a request. `next` sends it on.
    let intercept: @Sendable (_ request: Request, _ next: Next) async throws -> StreamedResponse

    /// Creates an interceptor.
    ///
    /// - Parameter intercept: Gets the request, and the function `next` that sends it on. It returns the response of
    ///   `next` or another one. It may also return a response without calling `next`.
    public init(
        _ intercept: @escaping @Sendable (_ request: Request, _ next: Next) async throws -> StreamedResponse
    ) {
        self.intercept = intercept
    }
}

extension [Interceptor] {
    /// Sends a request through these interceptors. The first one is outermost: it gets the request first and the
    /// response last.
    ///
    /// - Parameters:
    ///   - request: The request as the client has built it.
    ///   - transport: Sends the request that the last interceptor passes on.
    func send(_ request: Request, transport: @escaping Interceptor.Next) async throws -> StreamedResponse {
        var next = transport
        // From the innermost to the outermost interceptor.
        for interceptor in reversed() {
            let innerNext = next
            next = { request in try await interceptor.intercept(request, innerNext) }
        }
        return try await next(request)
    }
}
