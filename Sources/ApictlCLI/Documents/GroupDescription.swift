import EndpointKit
import EndpointTools
import JSONText

/// A group of APIs, as `describe` and `help` show it.
struct GroupDescription {
    let group: APIGroup
    let apis: [APIDescription]

    /// Describes all APIs of a group with all endpoints, and says which variables have a value.
    ///
    /// - Throws: `NotAnEnumCase`, and the errors of ``Settings``.
    init(_ group: APIGroup, _ context: CommandContext) throws {
        self.group = group
        apis = try group.apis.map { try APIDescription($0, context) }
    }

    /// The JSON that `describe GROUP --json` prints.
    var json: JSONObject { ["version": 1, "name": group.name, "apis": apis.map(\.json)] }

    /// Returns the description as text.
    ///
    /// A server or credential that several APIs have in common is shown once.
    func text(_ context: CommandContext) -> String {
        let table = context.table
        let servers = apis.map { described in
            Rows(api: described.api.name, rows: described.api.servers.map { [$0.name, $0.url] })
        }
        let credentials = apis.map { described in
            Rows(api: described.api.name, rows: described.credentialRows)
        }
        return "\(group.name): \(group.apis.count.counted("API"))\n"
            + table.section("Servers", Self.merged(servers)) + table.section("Credentials", Self.merged(credentials))
            + table.section("APIs", group.apis.map { [$0.name, $0.summary] })
            + table.section("Endpoints", apis.flatMap(\.endpoints).map(\.row))
            + table.section("Try", APIDescription.trials(apis.flatMap(\.endpoints).first, context))
    }

    /// The rows of a table that are about one API.
    private struct Rows {
        let api: String
        let rows: [[String]]
    }

    /// Returns each different row once. A row that only some of the APIs have ends with the names of these APIs.
    ///
    ///     Rows of a: [main, https://x], rows of b: [main, https://x], [test, https://y]
    ///     Result:    [main, https://x], [test, https://y, b]
    private static func merged(_ all: [Rows]) -> [[String]] {
        var owners: [[String]: [String]] = [:]
        for described in all {
            for row in described.rows.withoutRepetitions { owners[row, default: []].append(described.api) }
        }
        return all.flatMap(\.rows).withoutRepetitions.map { row in
            let names = owners[row] ?? []
            return names.count == all.count ? row : row + [names.joined(separator: ", ")]
        }
    }
}
