import Foundation
import TestSupport
import Testing

/// The README is true: its commands print what it shows, its code is code that is built.
struct ReadmeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let blocks = (try? MarkdownBlock.read(root.appending(path: "README.md"))) ?? []

    @Test("Every command prints what is shown", arguments: commands)
    func command(_ example: ShellExample) throws {
        #expect(try example.run() == example.output)
    }

    @Test("There are commands to check")
    func hasCommands() {
        #expect(Self.commands.count >= 8)
    }

    @Test("Every piece of Swift stands in the example package")
    func swift() throws {
        let sources = Self.root.appending(path: "Tests/ExamplePackage")
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
        let texts = try files.map { try String(contentsOf: sources.appending(path: $0), encoding: .utf8) }
        let blocks = Self.blocks.filter { $0.language == "swift" }
        #expect(blocks.count == 5)
        for block in blocks {
            #expect(texts.contains { $0.contains(block.text) }, "not in the example package:\n\(block.text)")
        }
    }

    @Test("The examples are short", arguments: [("public enum Pets: API", 40), ("@Test func", 20)])
    func exampleLength(text: String, most: Int) throws {
        let example = try #require(Self.blocks.first { $0.language == "swift" && $0.text.contains(text) })
        #expect(example.text.split(separator: "\n", omittingEmptySubsequences: false).count <= most + 1)
    }

    private static var commands: [ShellExample] {
        blocks.filter { $0.language == "console" }.flatMap { ShellExample.read($0.text) }
    }
}

/// A fenced block of a Markdown file.
struct MarkdownBlock {
    let language: String
    let text: String

    static func read(_ file: URL) throws -> [MarkdownBlock] {
        var blocks: [MarkdownBlock] = []
        var open: (language: String, lines: [String])?
        for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
            if let block = open {
                if line == "```" {
                    blocks.append(
                        MarkdownBlock(language: block.language, text: block.lines.joined(separator: "\n") + "\n"))
                    open = nil
                } else {
                    open?.lines.append(line)
                }
            } else if line.hasPrefix("```") {
                open = (String(line.dropFirst(3)), [])
            }
        }
        return blocks
    }
}

/// A command behind a prompt, and what is shown under it.
struct ShellExample: CustomTestStringConvertible {
    let command: String
    var output: String
    var testDescription: String { command }

    static func read(_ text: String) -> [ShellExample] {
        var examples: [ShellExample] = []
        for line in text.components(separatedBy: "\n").dropLast() {
            if line.hasPrefix("$ ") {
                examples.append(ShellExample(command: String(line.dropFirst(2)), output: ""))
            } else if !examples.isEmpty {
                examples[examples.count - 1].output += line + "\n"
            }
        }
        return examples
    }

    /// What the command prints on stdout and stderr, run by a shell with nothing set but the path.
    func run() throws -> String {
        let tools = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().path
        let result = try ChildProcess.run("/bin/sh", ["-c", command], environment: ["PATH": "\(tools):/usr/bin:/bin"])
        return String(decoding: result.output, as: UTF8.self)
    }
}
