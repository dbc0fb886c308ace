import Foundation
import MockServer
import TestSupport

/// Servers on this machine that respond as the real ones do, or as they might one day.
final class StandIns: Sendable {
    private static let moviesAddress = "https://api.themoviedb.org/3"
    private static let todosAddress = "https://jsonplaceholder.typicode.com"

    private let movies: MockServer
    private let todos: MockServer

    init() throws {
        let popular = try Self.sample("movies.popular")
        let new = try Self.sample("movies.new-movies")
        let recommended = try Self.sample("movies.recommended")
        movies = try MockServer { request in
            switch request.path {
            case "/movie/popular": .json(popular)
            case "/movie/now_playing": .json(new.replacing(#""title":"#, with: #""tagline": "", "title":"#))
            case "/movie/550/recommendations": .json(recommended.replacing(#""page": 1"#, with: #""page": "1""#))
            default: .json(#"{"status_message": "The resource you requested could not be found."}"#, status: 404)
            }
        }
        todos = try MockServer { _ in
            .json(#"{"userId": 1, "id": 1, "title": "delectus aut autem", "completed": false}"#)
        }
    }

    /// A response that is recorded for a built-in API.
    private static func sample(_ endpoint: String) throws -> String {
        let file = Document.root.appending(path: "Endpoints/Samples/\(endpoint).json")
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// The variables that lead the commands that send a key to the stand-in of its API.
    func variables(for command: String) -> [String: String] {
        guard command.hasPrefix("TMDB_API_KEY=") else { return [:] }
        return ["APICTL_MOVIES_URL": movies.baseURL, "MOVIECTL_MOVIES_URL": movies.baseURL]
    }

    /// A command with the address of a stand-in where it has that of a real server.
    func withStandIns(_ command: String) -> String {
        command.replacing(Self.todosAddress, with: todos.baseURL)
    }

    /// What a command printed, with the addresses of the real servers.
    func withRealNames(_ text: String) -> String {
        text.replacing(movies.baseURL, with: Self.moviesAddress).replacing(todos.baseURL, with: Self.todosAddress)
    }
}
