import Foundation
import TestSupport
import Testing

/// The README and the articles are true.
///
/// The commands print what is shown, the code is built, and the links lead to files and headings.
struct ReadmeTests {
    private static let standIns = Result { try StandIns() }

    @Test("Every command prints what is shown", arguments: Document.all.flatMap(ConsoleBlock.read))
    func commands(_ block: ConsoleBlock) throws {
        let run = try block.run(Self.standIns.get())
        #expect(ConsoleBlock.comparable(run) == ConsoleBlock.comparable(block.text))
    }

    @Test("There are commands to check")
    func hasCommands() {
        #expect(Document.all.flatMap(ConsoleBlock.read).count >= 8)
    }

    @Test("Every piece of Swift stands in one of the packages that are built")
    func swift() throws {
        let texts = try ["ExamplePackage", "FirstPackage"].flatMap { try Self.sources(of: $0).values }
            .map(Self.withoutIndentation)
        for block in Document.all.flatMap(\.blocks) where block.language == "swift" {
            #expect(
                texts.contains { $0.contains(Self.withoutIndentation(block.text)) },
                "not in the example packages:\n\(block.text)")
        }
    }

    @Test("The package that the article shows is the whole package")
    func firstPackage() throws {
        let article = try #require(Document.articles.first { $0.file.lastPathComponent == "FirstAPI.md" })
        let shown = article.blocks.map(\.text)
        for (name, text) in try Self.sources(of: "FirstPackage") {
            #expect(shown.contains(text), "the article does not show \(name) as it is")
        }
    }

    @Test("Cases and configurations are accepted")
    func json() throws {
        // These are run against servers by `make integration`.
        let flow = try String(
            contentsOf: Document.root.appending(path: "Tests/Integration/flows/kinto.json"), encoding: .utf8)
        for block in Document.all.flatMap(\.blocks) where block.language == "json" && block.text != flow {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(block.text.utf8)) as? [String: Any])
            let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".json").path
            try block.text.write(toFile: file, atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(atPath: file) }
            let words =
                object["cases"] == nil
                ? ["config"] : ["check", "--cases", file, "--sample", "--base-url", "https://a.test"]
            let result = try ChildProcess.run(
                ConsoleBlock.tools + "/apictl", words,
                environment: object["apis"] == nil ? [:] : ["APICTL_CONFIG": file])
            #expect(result.status == 0, "\(String(decoding: result.output, as: UTF8.self))")
        }
    }

    @Test("Every link leads to a file of the project, and to a heading in it", arguments: Document.all)
    func links(_ document: Document) throws {
        for link in document.links {
            let parts = link.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
            let file =
                parts[0].isEmpty ? document.file : document.file.deletingLastPathComponent().appending(path: parts[0])
            #expect(FileManager.default.fileExists(atPath: file.standardized.path), "\(link)")
            if parts.count > 1 { #expect(try Document(file.standardized).anchors.contains(parts[1]), "\(link)") }
        }
    }

    @Test("The files that the architecture names are there")
    func files() throws {
        let article = try #require(Document.articles.first { $0.file.lastPathComponent == "Architecture.md" })
        let names = article.prose.flatMap { $0.matches(of: /`([A-Za-z\/]+\.swift)`/).map { String($0.1) } }
        #expect(names.count > 10)
        for name in names {
            let paths = [name, "Sources/ApictlCLI/\(name)"].map { Document.root.appending(path: $0).path }
            #expect(paths.contains(where: FileManager.default.fileExists), "\(name)")
        }
    }

    @Test("Every article can be reached from the README")
    func reachable() {
        let linked = Set(Document.readme.links.map { $0.prefix { $0 != "#" }.split(separator: "/").last ?? "" })
        for article in Document.articles { #expect(linked.contains(article.file.lastPathComponent[...])) }
    }

    @Test("The changed lines of a router are counted rightly")
    func routers() throws {
        let article = try #require(Document.articles.first { $0.file.lastPathComponent == "ExistingEnums.md" })
        let said = article.prose.compactMap { $0.wholeMatch(of: /(\d+) lines removed, (\d+) added:/) }
            .map { [Int($0.1), Int($0.2)] }
        let codes = article.blocks.map { $0.text.split(separator: "\n").map(String.init) }
        let counted = stride(from: 0, to: codes.count - 1, by: 2).map { index in
            let difference = codes[index + 1].difference(from: codes[index])
            return [difference.removals.count, difference.insertions.count]
        }
        #expect(said == counted)
        #expect(said.count == 3)
    }

    /// The picture has what the commands print now. If it differs, the new one is written for a look at it.
    @Test("The README's picture is a picture of real output")
    func picture() throws {
        let commands = [
            "apictl describe movies.popular | head -n 6",
            "apictl call movies.popular --sample --table --columns id,title --color always | head -n 5",
            "TMDB_API_KEY=secret apictl check movies.popular movies.new-movies --color always",
        ]
        let lines = try commands.flatMap { command in
            let printed = try ConsoleBlock(text: "$ \(command)").run(Self.standIns.get())
            // The first line is the command, and nothing follows the last line feed.
            let output = printed.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast()
            let shown = command.replacing(" --color always", with: "")
            return ["\u{1B}[32m$\u{1B}[0m \(shown)"] + output.map(String.init)
        }
        let svg = TerminalPicture(lines: lines).svg
        let file = Document.root.appending(path: "Sources/EndpointKit/EndpointKit.docc/terminal.svg")
        let committed = try? String(contentsOf: file, encoding: .utf8)
        if committed.map(ConsoleBlock.comparable) == ConsoleBlock.comparable(svg) { return }
        let new = Document.root.appending(path: ".build/terminal.svg")
        try svg.write(to: new, atomically: true, encoding: .utf8)
        Issue.record("the commands print something else now: look at \(new.path), and copy it to \(file.path)")
    }

    @Test("The README is short")
    func length() {
        #expect(Document.readme.lines.count <= 200)
    }

    /// Returns the texts of the Swift files and samples of a package in `Tests`, by their names.
    ///
    /// The texts have the address of this package as other packages have it.
    private static func sources(of package: String) throws -> [String: String] {
        let root = Document.root.appending(path: "Tests/\(package)")
        let names = try FileManager.default.subpathsOfDirectory(atPath: root.path)
            .filter { ($0.hasSuffix(".swift") || $0.hasSuffix(".json")) && !$0.hasPrefix(".") }
        return Dictionary(
            uniqueKeysWithValues: try names.map { name in
                let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
                return (
                    name,
                    text.replacing(
                        #"(name: "apictl", path: "../..")"#,
                        with: #"(url: "https://git.example.com/apictl.git", branch: "main")"#)
                )
            })
    }

    /// Returns `text` without the spaces at the start of each line.
    private static func withoutIndentation(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
            .joined(separator: "\n")
    }
}
