import Foundation
import MockServer
import TestSupport
import Testing

/// The article about smoke checks in CI: its scripts are run, and its files are those that are run elsewhere.
struct SmokeChecksTests {
    private static let flows = Document.root.appending(path: "Tests/Integration/flows")

    private static func article() throws -> Document {
        try #require(Document.articles.first { $0.file.lastPathComponent == "SmokeChecks.md" })
    }

    /// A server that is in order: it serves the samples of movies.
    private static func healthyServer() throws -> MockServer {
        let names = [
            "/movie/popular": "popular", "/movie/now_playing": "newMovies",
            "/movie/550/recommendations": "recommended",
            "/movie/550/videos": "video",
            "/authentication/token/new": "newToken",
        ]
        let texts = try names.mapValues(BuiltInSamples.movie)
        return try MockServer { request in
            texts[request.path].map { .json($0) } ?? .json(#"{"status_message": "none"}"#, status: 404)
        }
    }

    /// Returns the shell commands of a block: all of a script, or those of the jobs of a CI system.
    ///
    /// A step of GitHub Actions has them under `run: |`, a job of GitLab CI as items of `script:`. Both end at the
    /// first line that is indented less.
    private static func commands(of block: Document.Block) -> String? {
        switch block.language {
        case "sh": return block.text
        case "yaml":
            let lines = block.text.split(separator: "\n").map(String.init)
            guard let start = lines.firstIndex(where: { $0.hasSuffix("run: |") || $0.hasSuffix("script:") }) else {
                return nil
            }
            func indentation(_ line: String) -> Int { line.prefix { $0 == " " }.count }
            let following = lines[(start + 1)...]
            let depth = following.first.map(indentation) ?? 0
            let body = following.prefix { indentation($0) >= depth }
            return body.map { line in
                let command = line.drop { $0 == " " }
                return String(command.hasPrefix("- ") ? command.dropFirst(2) : command) + "\n"
            }.joined().replacing("${{ matrix.shard }}", with: "1")
        default: return nil
        }
    }

    @Test("Every script of the article succeeds against a server that is in order")
    func scripts() throws {
        let server = try Self.healthyServer()
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        let scripts = try Self.article().blocks.compactMap(Self.commands)
        #expect(scripts.count == 6)
        for script in scripts {
            #expect(script.contains("apictl check") && !script.contains("${{"))
            let variables = [
                "PATH": "\(ConsoleBlock.tools):/usr/bin:/bin", "HOME": directory.path, "TMDB_API_KEY": "secret",
                "API_URL": server.baseURL, "CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "2",
            ]
            let result = try ChildProcess.run(
                "/bin/sh", ["-ec", script], environment: variables, in: directory.path)
            #expect(result.status == 0, "\(script)\n\(String(decoding: result.output, as: UTF8.self))")
        }
        // The files that the jobs keep are there.
        for name in ["checks.xml", "checks.html", "checks.md", "checks.json"] {
            #expect(
                FileManager.default.fileExists(atPath: directory.appending(path: "reports/\(name)").path), "\(name)")
        }
    }

    @Test("The script fails against a server that is not in order, and shows the report")
    func failingScript() throws {
        let server = try MockServer { _ in .json("{}", status: 500) }
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        let script = try #require(try Self.article().blocks.compactMap(Self.commands).first { $0.contains("--bail") })
        try #"{"version": 1, "known": []}"#.write(
            to: directory.appending(path: "drift.json"), atomically: true, encoding: .utf8)
        let variables = [
            "PATH": "\(ConsoleBlock.tools):/usr/bin:/bin", "HOME": directory.path, "TMDB_API_KEY": "secret",
            "API_URL": server.baseURL,
        ]
        let result = try ChildProcess.run("/bin/sh", ["-ec", script], environment: variables, in: directory.path)
        let output = String(decoding: result.output, as: UTF8.self)
        #expect(result.status == 1 && output.contains("### Failed"), "\(output)")
    }

    @Test("The README's workflow is a whole file, whose last command checks with the program that the first one builds")
    func workflow() throws {
        let block = try #require(Document.readme.blocks.first { $0.language == "yaml" })
        let lines = block.text.split(separator: "\n").map(String.init)
        #expect(lines.filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } } == ["name", "on", "jobs"])
        #expect(
            lines.contains { $0.contains("actions/checkout@") } && block.text.contains("${{ secrets.TMDB_API_KEY }}"))
        let commands = lines.compactMap { line in
            line.firstRange(of: "- run: ").map { String(line[$0.upperBound...]) }
        }
        #expect(commands.count == 2 && commands.first == "swift build --product moviectl")

        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let build = directory.appending(path: ".build")
        try FileManager.default.createDirectory(at: build, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try FileManager.default.createSymbolicLink(
            at: build.appending(path: "debug"), withDestinationURL: URL(filePath: ConsoleBlock.tools))
        let server = try MockServer { request in
            .json(request.path == "/movie/popular" ? #"{"page": 1, "results": []}"# : #"{"id": 238, "title": "A"}"#)
        }
        func check(_ key: String) throws -> (status: Int32, output: String) {
            let variables = [
                "PATH": "/usr/bin:/bin", "HOME": directory.path, "TMDB_API_KEY": key,
                "MOVIECTL_MOVIES_URL": server.baseURL,
            ]
            let result = try ChildProcess.run(
                "/bin/sh", ["-ec", try #require(commands.last)], environment: variables, in: directory.path)
            return (result.status, String(decoding: result.output, as: UTF8.self))
        }
        let outcome = try check("secret")
        #expect(outcome.status == 0 && outcome.output.contains("2 checks: 2 passed"), "\(outcome)")
        let report = try String(contentsOf: directory.appending(path: "checks.xml"), encoding: .utf8)
        #expect(report.contains(#"tests="2" failures="0""#))
        // A secret that the CI does not have is an empty variable.
        let withoutKey = try check("")
        #expect(withoutKey.status == 1 && withoutKey.output.contains("Nothing was checked."), "\(withoutKey)")
    }

    @Test("The flows of the article are those that run against the servers")
    func flows() throws {
        let blocks = try Self.article().blocks
        for (name, language) in [("kinto.json", "json"), ("kinto.hurl", "hurl")] {
            let text = try String(contentsOf: Self.flows.appending(path: name), encoding: .utf8)
            #expect(blocks.contains { $0.language == language && $0.text == text }, "\(name)")
        }
    }

    @Test("Lines and characters of the flows are counted rightly", arguments: ["kinto", "pdns", "jupyter"])
    func numbers(_ name: String) throws {
        let texts = try ["json", "hurl"].map {
            try String(contentsOf: Self.flows.appending(path: "\(name).\($0)"), encoding: .utf8)
        }
        let counts = texts.map { $0.split(separator: "\n").count } + texts.map { $0.unicodeScalars.count }
        let row = "| " + counts.map(String.init).joined(separator: " | ") + " |"
        #expect(try Self.article().prose.contains { $0.hasSuffix(row) }, "\(row)")
    }
}
