import EndpointKit

/// One call of one endpoint, ready to be checked as often as needed.
struct CheckCase: Sendable {
    /// What is done about it.
    enum Action: Sendable {
        case send(EndpointCheck, Client)
        /// Nothing is sent; without a problem, because there is no sample.
        case skip(CheckProblem?)
        /// Waits for what earlier cases capture; nil if one of them did not.
        case wait(@Sendable () async throws -> CheckPreparation.Prepared?)
    }

    let declaration: EndpointDeclaration
    /// Which of the endpoint's examples, or of the file's cases, it is, from 1.
    let example: Int
    /// `example 1`, `case 3`.
    let title: String
    /// The endpoint's name, with the number if that is needed to tell it from others.
    let label: String
    let method: HTTPMethod
    /// Where the endpoint is declared.
    let source: SourceLine
    /// Nil if there is none, or it is only known later.
    let request: RequestText?
    let action: Action
    /// What it captures for later cases, and needs of earlier ones.
    var captures: Captures?

    /// The endpoint's name: `movies.popular`.
    var name: String { declaration.name }
}

/// A request as reports show it, without secrets.
struct RequestText: Sendable {
    let url: String
    /// The curl command that sends the same.
    let curl: String
}
