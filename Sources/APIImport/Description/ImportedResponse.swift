import EndpointKit
import JSONText

/// The model and the sample that are made of the responses of an endpoint.
struct ImportedResponse {
    /// The expression for `returns:`, such as `Pet.self`.
    let returns: String
    /// Whether it is JSON of any kind, or bytes.
    let isLoose: Bool
    /// Remarks about the responses, for people to look at.
    private(set) var notes: [String] = []
    /// The sample without secrets, indented.
    private(set) var sample: [UInt8]?

    /// Makes the model and the sample of an endpoint's responses.
    ///
    /// - Parameters:
    ///   - source: The requests with their responses.
    ///   - model: The expression for the model of the responses, such as `[Pet].self`; nil if no response is JSON.
    init(_ source: EndpointSource, model: String?) {
        let responses = source.group.requests.compactMap(\.response)
        let success = responses.first(where: \.head.isSuccess)
        let isEmpty = model == nil && success?.body.isEmpty == true
        if source.group.method == "HEAD" || isEmpty {
            returns = "EmptyResponse.self"
            isLoose = false
        } else if let model {
            returns = model
            // The model may be `[JSONValue].self`.
            isLoose = model.contains("JSONValue")
        } else {
            // Broken JSON is JSON in other responses. Without a success, JSON is the best guess.
            let isBytes = success?.isBrokenJSON == false
            returns = isBytes ? "RawResponse.self" : "JSONValue.self"
            isLoose = true
            notes.append(Self.reasonForMissingModel(success ?? responses.first))
        }
        guard let text = source.samples.first?.text else { return }
        if let problem = ImportedEndpoint.sampleProblem(byteCount: text.count) {
            notes.append(problem)
        } else {
            // Several documents in one response, as in NDJSON, can't be indented.
            sample = JSONFormatter.indented(text) ?? text
        }
    }

    /// Returns the reason why the responses of an endpoint have no model, and what the endpoint returns instead.
    ///
    /// - Parameter response: The first success, or else the first response; nil if none was seen.
    private static func reasonForMissingModel(_ response: Response?) -> String {
        guard let response else { return "no response was seen; it returns JSON of any kind" }
        let status = response.head.status
        if !response.head.isSuccess { return "the response had the status \(status); it returns JSON of any kind" }
        guard response.isBrokenJSON else { return "the response is not JSON; it returns bytes" }
        let error = syntaxError(in: response.body)
        let reason = error.map { "\($0)" } ?? ""
        let endsTooEarly = (error as? JSONSyntaxError)?.offset == response.body.count
        let hint = endsTooEarly ? ", perhaps cut off" : ""
        return "the response is not valid JSON\(hint) (\(reason)); it returns JSON of any kind"
    }

    /// Returns the error of parsing a text as JSON; nil if it is JSON.
    private static func syntaxError(in text: [UInt8]) -> (any Error)? {
        do {
            _ = try JSONDocument(text)
            return nil
        } catch {
            return error
        }
    }
}

extension Response {
    /// Whether a body that is not valid JSON begins like an object or array, so that it is JSON with a mistake.
    var isBrokenJSON: Bool {
        let first = body.first { !" \t\r\n".utf8.contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
}
