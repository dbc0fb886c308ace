import Foundation
import MockServer
import TestSupport
import Testing

/// Commands after a prompt, with what each prints under it.
struct ConsoleBlock: CustomTestStringConvertible {
    let text: String
    var testDescription: String { String(text.prefix { $0 != "\n" }) }

    /// Where the programs are that were built with this test, or by `make example`.
    static let tools =
        URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().path

    /// The blocks of a document; those that use a program of an example package only if it is built.
    static func read(_ document: Document) -> [ConsoleBlock] {
        let missing = ["todo", "petctl", "petapp"].filter {
            !FileManager.default.isExecutableFile(atPath: "\(tools)/\($0)")
        }
        return document.blocks.filter { $0.language == "console" }.map { ConsoleBlock(text: $0.text) }
            .filter { block in !missing.contains { block.text.contains("$ \($0)") } }
    }

    /// The commands with what they print now on stdout and stderr, each run by a shell in the same new directory.
    func run(_ servers: StandIns) throws -> String {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        return try text.split(separator: "\n").filter { $0.hasPrefix("$ ") }.map { line in
            let variables = ["PATH": "\(Self.tools):/usr/bin:/bin", "HOME": directory.path]
            let result = try ChildProcess.run(
                "/bin/sh", ["-c", String(line.dropFirst(2))],
                environment: variables.merging(servers.variables(for: line.dropFirst(2))) { $1 }, in: directory.path)
            return line + "\n" + servers.withRealNames(String(decoding: result.output, as: UTF8.self))
        }.joined()
    }

    /// The text without times.
    static func comparable(_ text: String) -> String { text.replacing(#/ +[0-9]+ ms/#, with: " N ms") }
}

/// Servers on this machine that respond as the real ones do, or as they might one day.
final class StandIns: Sendable {
    private static let addresses = (
        movies: "https://api.themoviedb.org/3", todos: "https://jsonplaceholder.typicode.com"
    )
    private let movies: MockServer
    private let todos: MockServer

    init() throws {
        let samples = Document.root.appending(path: "Endpoints/Samples")
        let (popular, new, recommended) = try (
            String(contentsOf: samples.appending(path: "movies.popular.json"), encoding: .utf8),
            String(contentsOf: samples.appending(path: "movies.new-movies.json"), encoding: .utf8),
            String(contentsOf: samples.appending(path: "movies.recommended.json"), encoding: .utf8)
        )
        movies = try MockServer { request in
            switch request.path {
            case "/movie/popular": .json(popular)
            case "/movie/now_playing": .json(new.replacing(#""title":"#, with: #""tagline": "", "title":"#))
            case "/movie/550/recommendations": .json(recommended.replacing(#""page": 1"#, with: #""page": "1""#))
            default: .json(#"{"status_message": "The resource you requested could not be found."}"#, status: 404)
            }
        }
        let all = ["delectus aut autem", "quis ut nam facilis et officia qui"].enumerated().map { index, title in
            """
            {
              "userId": 1,
              "id": \(index + 1),
              "title": "\(title)",
              "completed": false
            }
            """
        }
        todos = try MockServer { request in
            request.path == "/todos/1" ? .json(all[0]) : .json("[" + all.joined(separator: ",") + "]")
        }
    }

    /// The variables that lead a command to these servers.
    func variables(for command: Substring) -> [String: String] {
        var variables = ["TODO_TODOS_URL": todos.baseURL]
        if command.hasPrefix("TMDB_API_KEY=") { variables["APICTL_MOVIES_URL"] = movies.baseURL }
        return variables
    }

    /// `text` with the addresses of the real servers.
    func withRealNames(_ text: String) -> String {
        text.replacing(movies.baseURL, with: Self.addresses.movies).replacing(
            todos.baseURL, with: Self.addresses.todos)
    }
}
