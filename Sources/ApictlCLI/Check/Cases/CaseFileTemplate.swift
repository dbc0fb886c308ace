import EndpointKit
import EndpointTools
import JSONText

/// The file of cases that `check --init` prints, as a start for people to edit.
///
/// It has a case for each example of an endpoint, and one for each endpoint without an example. Where no value is
/// known, there is a placeholder such as `{{id}}`, which must be replaced before the file can be run.
///
/// Writes come last. Each has the member `skip`, so that it is not sent before someone has looked at it, whatever
/// options the run has.
struct CaseFileTemplate {
    /// The value of `skip` in cases that may change data.
    static let skipReason = "may change data: remove this line to send it with --unsafe"

    /// The endpoints that the file has cases for.
    let declarations: [EndpointDeclaration]

    /// Returns the text of the file.
    ///
    /// - Throws: The error of encoding the values of an example.
    func text() throws -> [UInt8] {
        let reads = declarations.filter { $0.endpoint.method.isSafe }
        let writes = declarations.filter { !$0.endpoint.method.isSafe }
        // Writes come last, because they are skipped until a person has edited their cases.
        let cases = try (reads + writes).flatMap(Self.cases)
        let file: JSONValue = ["version": 1, "cases": JSONValue(cases)]
        return try JSONFormatter(style: .pretty(indent: .spaces(2))).formatted(JSONTextEncoder().encode(file))
    }

    /// Returns the cases of an endpoint: one for each example, or one with placeholders if it has no example.
    private static func cases(of declaration: EndpointDeclaration) throws -> [JSONValue] {
        if declaration.examples.isEmpty {
            return [caseObject(of: declaration, arguments: argumentsWithPlaceholders(of: declaration))]
        }
        return try declaration.examples.map { example in
            let parameters = try example.values().parameters.sorted { $0.name < $1.name }
            return caseObject(of: declaration, arguments: parameters.map { ($0.name, $0.value) })
        }
    }

    /// Returns the arguments of an endpoint without an example. A parameter has the value that the declaration knows.
    /// Any other required parameter has a placeholder.
    ///
    ///     /movie/{id}/videos    →    {"id": "{{id}}"}
    private static func argumentsWithPlaceholders(of declaration: EndpointDeclaration) -> JSONMembers {
        var arguments: JSONMembers = []
        for parameter in declaration.signature.parameters {
            if let knownValue = declaration.knownValues[parameter.name] {
                arguments.append((parameter.name, knownValue))
            } else if !parameter.mayBeLeftOut {
                arguments.append((parameter.name, JSONValue(Placeholder.text(parameter.name))))
            }
        }
        return arguments
    }

    /// Returns a case of the file. A case that may change data has the member `skip`.
    ///
    ///     .video(id: 550)   →   {"endpoint": "movies.video", "arguments": {"id": 550}}
    private static func caseObject(of declaration: EndpointDeclaration, arguments: JSONMembers) -> JSONValue {
        var members: JSONMembers = []
        // `skip` is the first member, so that its line can be removed without a change of the others.
        if !declaration.endpoint.method.isSafe { members.append(("skip", JSONValue(skipReason))) }
        members.append(("endpoint", JSONValue(declaration.name)))
        if !arguments.isEmpty { members.append(("arguments", JSONValue(arguments))) }
        // A body of bytes can't be made up from the declaration, so a person must replace the placeholder.
        if declaration.needsBytes { members.append(("body", JSONValue(Placeholder.text("body")))) }
        return JSONValue(members)
    }
}
