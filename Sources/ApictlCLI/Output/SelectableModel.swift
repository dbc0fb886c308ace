import EndpointKit
import EndpointTools
import JSONText

/// The option, or the member of a case file, whose path is checked against a model. Messages name it.
struct PathOption {
    /// The name as the user writes it, such as `--select`.
    let name: String
    let source: ValueSource
}

/// A response model whose fields a path can select, so that a misspelled path is noticed before a request is sent.
struct SelectableModel {
    private(set) var shape: ModelShape
    private let coding: Coding
    /// The name of the model, for messages.
    private let name: String
    /// The end of a message about a wrong name. With `--all-pages`, it explains where paths begin.
    private var hint = ""

    /// Reads the model of an endpoint's response; nil if the model is not known.
    init?(_ declaration: EndpointDeclaration, _ endpoint: Endpoint) {
        guard let shape = declaration.responseShape(of: endpoint) else { return nil }
        self.shape = shape
        coding = declaration.api.coding
        name = declaration.responseName(of: endpoint)
    }

    /// Checks that the model has the names of a path.
    ///
    /// - Parameters:
    ///   - path: The path from the response to values in it.
    ///   - option: The name of the option or member that has the path, for messages.
    ///   - source: The place of the path.
    /// - Throws: ``UsageError`` for a name that the model does not have.
    func check(_ path: JSONPath, option: String, _ source: ValueSource) throws(UsageError) {
        _ = try shapes(at: path.steps, from: [shape.root], PathOption(name: option, source: source))
    }

    /// Returns the model of the items of a page. With `--all-pages`, paths begin at an item.
    ///
    /// - Parameter path: The path from a page to its items, such as `data.results`.
    /// - Throws: ``UsageError`` if the model of a page does not have the path.
    func modelOfItems(at path: String) throws(UsageError) -> SelectableModel {
        let steps = path.split(separator: ".").map { [JSONPath.Step.walk(String($0))] }
        let option = PathOption(name: "--all-pages", source: .preset)
        let itemShapes = try shapes(at: steps, from: [shape.root], option)
        var model = self
        model.shape = ModelShape(root: itemShapes.map { .alternatives($0) } ?? .any, models: shape.models)
        model.hint = "; with --all-pages, paths begin at an item"
        return model
    }

    // MARK: Shapes at a path

    /// The values that the first segments of a path select.
    private struct Position {
        /// The shapes that the values may have.
        var shapes: [Shape]
        /// The names and indexes in the segments.
        var names: [String] = []
    }

    /// Returns the shapes of the values that a path selects.
    ///
    /// - Parameters:
    ///   - steps: The steps of each segment of the path. A segment such as `["a", "b"]` has two steps side by side.
    ///   - start: The shapes of the values where the path begins.
    ///   - option: The option with the path, for messages.
    /// - Returns: The shapes; nil if the path leads through an object that may have any key.
    /// - Throws: ``UsageError`` if the model does not have such values.
    func shapes(
        at steps: [[JSONPath.Step]], from start: [Shape], _ option: PathOption
    ) throws(UsageError) -> [Shape]? {
        var position = Position(shapes: start)
        for segment in steps {
            var selectedShapes: [Shape] = []
            for step in segment {
                guard let stepShapes = try shapes(after: step, from: position, option) else { return nil }
                selectedShapes += stepShapes
            }
            position.shapes = selectedShapes
            position.names += segment.compactMap(\.name)
        }
        return position.shapes
    }

    /// Returns the shapes of the values that one step of a path selects.
    ///
    /// For the response `{"results": [{"title": "…"}]}`:
    ///
    /// | Step | From | Result |
    /// |---|---|---|
    /// | walk `title` | `results` | the titles, because names in a dotted path walk through lists |
    /// | walk `0` | `results` | an element |
    /// | key `title` | `results` | an error: a member in JSONPath must be one of an object, not of a list |
    /// | element (`[0]`) | `results` | an element |
    /// | element (`[0]`) | the response | an error: it is no list |
    /// | every (`[*]`) | `results` | the elements |
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - position: The values that the earlier segments of the path select.
    ///   - option: The option with the path, for messages.
    /// - Returns: The shapes; nil if the model does not tell them, so that the rest of the path can't be checked.
    /// - Throws: ``UsageError`` if the model has no such values.
    private func shapes(
        after step: JSONPath.Step, from position: Position, _ option: PathOption
    ) throws(UsageError) -> [Shape]? {
        // These are the fields of the objects at the position, and of the objects in its lists. They are nil for a
        // dictionary and for values that may be any JSON, in which every name may be right.
        guard let fields = shape.fields(of: .alternatives(position.shapes)) else { return nil }
        let elements = position.shapes.flatMap(shape.elements)
        switch step {
        case .every:
            // The step may also select members of an object, or those that a filter chooses, whose shapes differ.
            return position.shapes.allSatisfy(shape.isList) ? elements : nil
        case .element:
            if position.shapes.contains(where: shape.isList) { return elements }
            throw error("\(description(of: position)) is no list", option)
        case .walk(let name):
            if let fieldShapes = shapes(ofFieldsNamed: name, in: fields) { return fieldShapes }
            // A number that is no field is an index. The shape does not tell the elements of a list apart.
            if Int(name) != nil { return elements }
            throw unknownName(name, fields, at: position, option)
        case .key(let name):
            return try shapes(ofMember: name, at: position, fields, option)
        }
    }

    /// Returns the shapes of a member of objects, which JSONPath selects only in objects, not in the objects of a list.
    ///
    /// - Parameters:
    ///   - name: The name of the member.
    ///   - position: The values that the earlier segments of the path select.
    ///   - fields: The fields of the objects at the position, and of the objects in its lists.
    ///   - option: The option with the path, for messages.
    /// - Throws: ``UsageError`` if the objects have no such member. If the objects of a list have it, the message says
    ///   how these are selected.
    private func shapes(
        ofMember name: String, at position: Position, _ fields: [Shape.Field], _ option: PathOption
    ) throws(UsageError) -> [Shape] {
        let directFields = shape.directFields(of: .alternatives(position.shapes))
        if let fieldShapes = shapes(ofFieldsNamed: name, in: directFields) { return fieldShapes }
        let isInElements = shapes(ofFieldsNamed: name, in: fields) != nil
        guard isInElements else { throw unknownName(name, fields, at: position, option) }
        let correction = "[*]\(JSONPathComponent.key(name).text)"
        throw error("a list has no '\(name)', its elements have: \(correction)", option)
    }

    /// Returns the shapes of the fields with a name; nil if there is none.
    ///
    /// Names are compared in the spelling that the coding gives them in Swift. Whether the server writes `first_name`
    /// or `firstName` is only known from a response, so that both are accepted.
    private func shapes(ofFieldsNamed name: String, in fields: [Shape.Field]) -> [Shape]? {
        fields.filter { coding.modelKey($0.key) == coding.modelKey(name) }.map(\.shape).nonEmpty
    }

    // MARK: Messages

    /// Returns what messages call the values at a position: the name of their model, or else their path.
    ///
    /// If there are several models, or only indexes lead to the values, it is the name of the response model.
    private func description(of position: Position) -> String {
        let modelNames = Set(position.shapes.flatMap(\.modelNames))
        if modelNames.count == 1, let modelName = modelNames.first { return modelName }
        let hasName = position.names.contains { Int($0) == nil }
        return modelNames.isEmpty && hasName ? position.names.joined(separator: ".") : name
    }

    /// Returns the error about a name that the values at a position do not have. It suggests the nearest name that they
    /// have.
    private func unknownName(
        _ name: String, _ fields: [Shape.Field], at position: Position, _ option: PathOption
    ) -> UsageError {
        let question = NearestWord.question(name, in: fields.map(\.key))
        return error("\(description(of: position)) has no '\(name)'\(question)", option)
    }

    /// Returns the error about the value of an option.
    private func error(_ problem: String, _ option: PathOption) -> UsageError {
        .unusableValue(option: option.name, problem: problem + hint, source: option.source)
    }
}
