import Foundation
import JSONText
import MockServer
import TestSupport
import Testing

/// Servers on this machine that respond as the real ones do, or as they might one day.
final class StandIns: Sendable {
    private static let moviesAddress = "https://api.themoviedb.org/3"
    private static let todosAddress = "https://jsonplaceholder.typicode.com"

    private let movies: MockServer
    private let todos: MockServer

    init() throws {
        let popular = try BuiltInSamples.movie("popular")
        let new = try BuiltInSamples.movie("newMovies")
        let recommended = try BuiltInSamples.movie("recommended")
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

    /// The variables that lead the commands that send a key to the stand-in of its API.
    func variables(for command: String) -> [String: String] {
        guard command.hasPrefix("TMDB_API_KEY=") else { return [:] }
        return ["APICTL_MOVIES_URL": movies.baseURL, "MOVIECTL_MOVIES_URL": movies.baseURL]
    }

    /// Returns a command with the address of a stand-in in place of that of a real server.
    func withStandIns(_ command: String) -> String {
        command.replacing(Self.todosAddress, with: todos.baseURL)
    }

    /// Returns the output of a command with the addresses of the real servers.
    func withRealNames(_ text: String) -> String {
        text.replacing(movies.baseURL, with: Self.moviesAddress).replacing(todos.baseURL, with: Self.todosAddress)
    }
}

/// The recorded responses of the built-in APIs.
enum BuiltInSamples {
    /// Returns the recorded response of an endpoint of `movies`, by its name in Swift.
    static func movie(_ endpoint: String) throws -> String {
        let file = Document.root.appending(path: "Endpoints/Samples/movies.json")
        let samples = try JSONValue(text: Array(Data(contentsOf: file)))
        return try String(decoding: #require(samples[endpoint]).written, as: UTF8.self)
    }
}
