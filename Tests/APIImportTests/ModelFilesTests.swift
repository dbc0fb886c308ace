import APIImport
import Foundation
import JSONText
import Testing

/// Writes what `Tests/Integration/models.py` compiles.
@Suite struct ModelFilesTests {
    private static let directory = ProcessInfo.processInfo.environment["APICTL_MODELS"].map { URL(fileURLWithPath: $0) }

    private struct Input: Decodable {
        let name: String
        let subject: String
        let text: String
    }

    private struct Output: Encodable {
        let root: String
        let coding: String?
        let notes: [String]
    }

    @Test(.enabled(if: directory != nil)) func modelsAreWritten() throws {
        guard let directory = Self.directory else { return }
        let inputs = try JSONDecoder().decode(
            [Input].self, from: Data(contentsOf: directory.appending(path: "in.json")))
        var outputs: [String: Output] = [:]
        var options = ImportChoices()
        for input in inputs {
            let models = try InferredModels(
                [(input.subject, [JSONDocument(Array(input.text.utf8))])], options: options)
            options.taken.formUnion(models.declarations.map(\.name))
            let imports = models.declarations.reduce(into: Set<String>()) { $0.formUnion($1.imports) }
            let text = InferredModels.imports(imports) + models.declarations.map(\.text).joined(separator: "\n")
            try text.write(to: directory.appending(path: "\(input.name).swift"), atomically: true, encoding: .utf8)
            outputs[input.name] = Output(root: models.roots[0], coding: models.coding, notes: models.notes)
        }
        try JSONEncoder().encode(outputs).write(to: directory.appending(path: "out.json"))
    }
}
