/// Code that runs around each attempt to send a request: it may change the request, and look at or replace the response.
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
/// The value of a header is a secret in every output if its name is in the list of such names, such as `Authorization`.
public struct Interceptor: Sendable {
    /// Sends the request on, and returns the response once its headers have arrived.
    public typealias Next = @Sendable (Request) async throws -> StreamedResponse

    let intercept: @Sendable (_ request: Request, _ next: Next) async throws -> StreamedResponse

    /// Creates an interceptor.
    ///
    /// - Parameter intercept: Gets the request and a function that sends it on. It returns a response: the one of that
    ///   function, another one, or one without sending anything.
    public init(
        _ intercept: @escaping @Sendable (_ request: Request, _ next: Next) async throws -> StreamedResponse
    ) {
        self.intercept = intercept
    }
}

extension [Interceptor] {
    /// Sends a request through the interceptors, the first one outermost, to `last`.
    func send(_ request: Request, _ last: @escaping Interceptor.Next) async throws -> StreamedResponse {
        var next = last
        for interceptor in reversed() {
            let inner = next
            next = { request in try await interceptor.intercept(request, inner) }
        }
        return try await next(request)
    }
}
