import JSONText

/// The JSON body of an API's failed responses, as ``API/errorModel`` names it.
///
///     struct Problem: ErrorModel {
///         var code: Int
///         var message: String
///     }
public protocol ErrorModel: Decodable, Sendable {
    /// What a person should read about the failure.
    var message: String { get }
}

extension API {
    /// The API's own message about a failure; nil if `body` has none.
    package static func failureMessage(in body: [UInt8]) -> String? {
        if let model = errorModel, let failure = try? coding.decode(model, from: body), !failure.message.isEmpty {
            return failure.message
        }
        return ServerMessage.find(in: body)
    }
}
