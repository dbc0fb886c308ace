import Foundation
import Testing

/// A Markdown file of the project.
struct Document: CustomTestStringConvertible {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let readme = document("README.md")
    static let articles: [Document] = {
        let directory = "Sources/EndpointKit/EndpointKit.docc"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: directory).path)) ?? []
        return names.filter { $0.hasSuffix(".md") }.sorted().map { document("\(directory)/\($0)") }
    }()
    static let all = [readme] + articles + [document("Tests/Benchmarks/README.md")]

    /// A fenced block, with the language after its opening fence.
    struct Block {
        let language: String
        var text = ""
    }

    let file: URL
    let lines: [String]
    private(set) var blocks: [Block] = []
    /// The lines outside the blocks.
    private(set) var prose: [String] = []

    var testDescription: String { file.lastPathComponent }

    init(_ file: URL) throws {
        self.file = file
        lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init).dropLast()
        var open: Block?
        for line in lines {
            if var block = open {
                if line == "```" {
                    blocks.append(block)
                    open = nil
                } else {
                    block.text += line + "\n"
                    open = block
                }
            } else if line.hasPrefix("```") {
                open = Block(language: String(line.dropFirst(3)))
            } else {
                prose.append(line)
            }
        }
    }

    private static func document(_ path: String) -> Document {
        do { return try Document(root.appending(path: path)) } catch { fatalError("can't read \(path): \(error)") }
    }

    /// The targets of links to other files of the project, and to headings.
    var links: [String] {
        prose.flatMap { $0.matches(of: /\]\(([^)]+)\)/).map { String($0.1) } }.filter { !$0.contains(":") }
    }

    /// The anchors that GitHub makes of headings.
    var anchors: [String] {
        prose.filter { $0.hasPrefix("#") }.map { line in
            let title = line.drop { $0 == "#" }.dropFirst().lowercased()
            return String(title.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }).replacing(" ", with: "-")
        }
    }
}
