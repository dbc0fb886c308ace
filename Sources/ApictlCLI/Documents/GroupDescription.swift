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
        let endpoints = apis.flatMap(\.endpoints)
        let serverRows = apis.map { described in
            APIRows(api: described.api.name, rows: described.api.servers.map { [$0.name, $0.url] })
        }
        let credentialRows = apis.map { described in
            APIRows(api: described.api.name, rows: described.credentialRows)
        }
        return [
            "\(group.name): \(group.apis.count.counted("API"))\n",
            table.section("Servers", Self.mergedRows(serverRows)),
            table.section("Credentials", Self.mergedRows(credentialRows)),
            table.section("APIs", group.apis.map { [$0.name, $0.summary] }),
            table.section("Endpoints", endpoints.map(\.row)),
            table.section("Try", APIDescription.commandsToTry(with: endpoints.first, context)),
        ].joined()
    }

    /// The rows of a table that are about one API.
    private struct APIRows {
        /// The name of the API.
        let api: String
        let rows: [[String]]
    }

    /// Returns each different row once. A row that only some of the APIs have ends with the names of these APIs.
    ///
    ///     Rows of a: [main, https://x], rows of b: [main, https://x], [test, https://y]
    ///     Result:    [main, https://x], [test, https://y, b]
    private static func mergedRows(_ rowsOfAPIs: [APIRows]) -> [[String]] {
        var apisWithRow: [[String]: [String]] = [:]
        for rowsOfAPI in rowsOfAPIs {
            for row in rowsOfAPI.rows.withoutRepetitions { apisWithRow[row, default: []].append(rowsOfAPI.api) }
        }
        return rowsOfAPIs.flatMap(\.rows).withoutRepetitions.map { row in
            let apiNames = apisWithRow[row] ?? []
            let isCommon = apiNames.count == rowsOfAPIs.count
            return isCommon ? row : row + [apiNames.joined(separator: ", ")]
        }
    }
}
