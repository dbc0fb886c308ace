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

    /// Describes the responses of an endpoint.
    ///
    /// - Parameters:
    ///   - source: The requests with their responses.
    ///   - model: The expression for their model; nil if no response is JSON.
    init(_ source: EndpointSource, model: String?) {
        let responses = source.group.requests.compactMap(\.response)
        let success = responses.first(where: \.head.isSuccess)
        if source.group.method == "HEAD" || model == nil && success?.body.isEmpty == true {
            (returns, isLoose) = ("EmptyResponse.self", false)
        } else if let model {
            (returns, isLoose) = (model, model.contains("JSONValue"))
        } else {
            let isBytes = success.map { !$0.isBrokenJSON } ?? false
            (returns, isLoose) = (isBytes ? "RawResponse.self" : "JSONValue.self", true)
            notes.append(Self.problem(success ?? responses.first))
        }
        guard let text = source.samples.first?.text else { return }
        if let problem = ImportedEndpoint.problem(ofSample: text.count) {
            notes.append(problem)
        } else {
            sample = JSONFormatter.indented(text) ?? text
        }
    }

    /// Returns why there is no model of a response.
    private static func problem(_ response: Response?) -> String {
        guard let response else { return "no response was seen; it returns JSON of any kind" }
        let status = response.head.status
        if !response.head.isSuccess { return "the response had the status \(status); it returns JSON of any kind" }
        guard response.isBrokenJSON else { return "the response is not JSON; it returns bytes" }
        var (problem, isCutOff) = ("", false)
        do {
            _ = try JSONDocument(response.body)
        } catch {
            (problem, isCutOff) = ("\(error)", (error as? JSONSyntaxError)?.offset == response.body.count)
        }
        let kind = isCutOff ? "valid JSON, perhaps cut off" : "valid JSON"
        return "the response is not \(kind) (\(problem)); it returns JSON of any kind"
    }
}

extension Response {
    /// Whether a body that is not JSON begins as that of an API does: it is JSON with a mistake then, and no other text.
    var isBrokenJSON: Bool { body.first { !" \t\r\n".utf8.contains($0) }.map("{[".utf8.contains) ?? false }
}
