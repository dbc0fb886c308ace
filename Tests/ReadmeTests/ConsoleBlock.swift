import Foundation
import MockServer
import TestSupport
import Testing

/// Commands after a prompt, each with its output in the lines after it.
struct ConsoleBlock: CustomTestStringConvertible {
    let text: String
    var testDescription: String { String(text.prefix { $0 != "\n" }) }

    /// The directory of the programs that were built with this test, or by `make example`.
    static let tools =
        URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().path

    /// The blocks of a document; those that use a program of an example package only if it is built.
    static func read(_ document: Document) -> [ConsoleBlock] {
        let missing = ["moviectl", "petctl", "petapp"].filter {
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
            let command = servers.withStandIns(String(line.dropFirst(2)))
            let result = try ChildProcess.run(
                "/bin/sh", ["-c", command],
                environment: variables.merging(servers.variables(for: command)) { $1 }, in: directory.path)
            return line + "\n" + servers.withRealNames(String(decoding: result.output, as: UTF8.self))
        }.joined()
    }

    /// Returns the text with `N` in place of each number of milliseconds.
    static func comparable(_ text: String) -> String { text.replacing(#/ +[0-9]+ ms/#, with: " N ms") }
}
