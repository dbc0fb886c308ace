import JSONText

/// Finds out what is wrong with a text that `JSONDecoder` refused.
enum Diagnosis {
    /// Why `text`, which is valid JSON, does not fit `model`; `error` is what `JSONDecoder` says.
    static func mismatch<Model: Decodable>(
        _ model: Model.Type, _ text: [UInt8], after error: DecodingError
    ) -> ModelMismatch {
        let name = String(describing: model)
        let tree: JSONTree
        do {
            tree = try JSONTree(text)
        } catch {
            return mismatch(name, text, error)
        }
        do {
            _ = try DiagnosedValue(tree: tree, node: tree.nodes.isEmpty ? nil : 0, path: .root).decode(model)
        } catch let found as DecodingError {
            return ModelMismatch(found, model: name, text: text)
        } catch {
            // Another error of the model's own: the first one counts.
        }
        if case .dataCorrupted(let context) = error, context.codingPath.isEmpty {
            // The library's words would be that the text is not valid JSON, which it is.
            return ModelMismatch(
                model: name, path: "$", problem: "a value does not fit, and the decoder does not say which", line: nil,
                column: nil)
        }
        return ModelMismatch(error, model: name, text: text)
    }

    private static func mismatch(_ model: String, _ text: [UInt8], _ problem: JSONTree.Problem) -> ModelMismatch {
        let (offset, words) =
            switch problem {
            case .tooDeep(let offset):
                (offset, "expected at most \(JSONTree.deepestLevel) levels of nesting, found more")
            case .secondDocument(let offset): (offset, "expected one JSON document, found a second one")
            case .recordSeparator(let offset): (offset, "expected one JSON document, found a record separator")
            }
        let (line, column) = JSONLocator.position(of: offset, in: text)
        return ModelMismatch(model: model, path: "$", problem: words, line: line, column: column)
    }
}
