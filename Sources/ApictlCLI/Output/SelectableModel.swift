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
    /// The shape of the response or, with `--all-pages`, of an item.
    private(set) var modelShape: ModelShape
    /// The coding of the API, which decides on the spelling of names in Swift.
    private let coding: Coding
    /// The name of the model, for messages.
    private let name: String
    /// The end of a message about a wrong name. With `--all-pages`, it explains where paths begin.
    private var hint = ""

    /// Reads the model of an endpoint's response; nil if the model is not known.
    init?(_ declaration: EndpointDeclaration, _ endpoint: Endpoint) {
        guard let shape = declaration.responseShape(of: endpoint) else { return nil }
        modelShape = shape
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
        let pathOption = PathOption(name: option, source: source)
        // Only the error for an unknown name matters here, not the shapes at the path.
        _ = try resolve(path.steps, from: [modelShape.root], option: pathOption)
    }

    /// Returns the model of the items of a page. With `--all-pages`, paths begin at an item.
    ///
    /// - Parameter path: The path from a page to its items, such as `data.results`.
    /// - Throws: ``UsageError`` if the model of a page does not have the path.
    func modelOfItems(at path: String) throws(UsageError) -> SelectableModel {
        let segments = path.split(separator: ".").map { [JSONPath.Step.walk(String($0))] }
        let option = PathOption(name: "--all-pages", source: .preset)
        let itemShapes = try resolve(segments, from: [modelShape.root], option: option)
        let root: Shape
        if let itemShapes {
            root = .alternatives(itemShapes)
        } else {
            // The model leaves the items open.
            root = .any
        }
        var model = self
        model.modelShape = ModelShape(root: root, models: modelShape.models)
        model.hint = "; with --all-pages, paths begin at an item"
        return model
    }

    // MARK: Paths

    /// The values that the first segments of a path select.
    private struct SelectedValues {
        /// The shapes that the values may have.
        var shapes: [Shape]
        /// The names and indexes in the segments.
        var names: [String] = []
    }

    /// Follows a path through the model, from the shapes of some values to the shapes of those that the path selects.
    ///
    /// The shape of a value is what the model says about it, such as its type and its fields.
    ///
    /// - Parameters:
    ///   - segments: The segments of the path, each with its steps. A segment such as `["a", "b"]` has two steps side
    ///     by side.
    ///   - start: The shapes of the values where the path begins.
    ///   - option: The option with the path, for messages.
    /// - Returns: The shapes of the values that the path selects; nil if it leads through an object that may have any
    ///   key.
    /// - Throws: ``UsageError`` if the model does not have such values.
    func resolve(
        _ segments: [[JSONPath.Step]], from start: [Shape], option: PathOption
    ) throws(UsageError) -> [Shape]? {
        var values = SelectedValues(shapes: start)
        for steps in segments {
            var selectedShapes: [Shape] = []
            for step in steps {
                guard let stepShapes = try resolveStep(step, from: values, option: option) else { return nil }
                selectedShapes += stepShapes
            }
            values.shapes = selectedShapes
            values.names += steps.compactMap(\.name)
        }
        return values.shapes
    }

    /// Follows one step of a path through the model.
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
    ///   - values: The values that the earlier segments of the path select.
    ///   - option: The option with the path, for messages.
    /// - Returns: The shapes of the values that the step selects; nil if the model does not tell them, so that the rest
    ///   of the path can't be checked.
    /// - Throws: ``UsageError`` if the model has no such values.
    private func resolveStep(
        _ step: JSONPath.Step, from values: SelectedValues, option: PathOption
    ) throws(UsageError) -> [Shape]? {
        // These are the fields of the values that are objects, and of the objects in values that are lists. They are
        // nil for a dictionary and for values that may be any JSON, in which every name may be right.
        guard let fields = modelShape.fields(of: .alternatives(values.shapes)) else { return nil }
        let elementShapes = values.shapes.flatMap(modelShape.elements)
        switch step {
        case .every:
            // The step may also select members of an object, or those that a filter chooses, whose shapes differ.
            return values.shapes.allSatisfy(modelShape.mayBeList) ? elementShapes : nil
        case .element:
            if values.shapes.contains(where: modelShape.mayBeList) { return elementShapes }
            throw error("\(description(of: values)) is no list", option: option)
        case .walk(let name):
            if let fieldShapes = shapesOfFields(named: name, in: fields) { return fieldShapes }
            // A number that is no field is an index. The shape does not tell the elements of a list apart.
            if Int(name) != nil { return elementShapes }
            throw unknownName(name, among: fields, of: values, option: option)
        case .key(let name):
            return try resolveMember(name, of: values, fieldsThroughLists: fields, option: option)
        }
    }

    /// Returns the shapes of a member that a JSONPath names.
    ///
    /// JSONPath selects a member of an object, but not a member of the objects in a list. Dotted paths select both.
    ///
    /// - Parameters:
    ///   - name: The name of the member.
    ///   - values: The values whose member is selected.
    ///   - fieldsThroughLists: The fields of the values that are objects, and of the objects in values that are lists.
    ///   - option: The option with the path, for messages.
    /// - Throws: ``UsageError`` if the values have no such member. If the objects in a list have it, the message says
    ///   how a path selects these.
    private func resolveMember(
        _ name: String, of values: SelectedValues, fieldsThroughLists: [Shape.Field], option: PathOption
    ) throws(UsageError) -> [Shape] {
        let directFields = modelShape.directFields(of: .alternatives(values.shapes))
        if let fieldShapes = shapesOfFields(named: name, in: directFields) { return fieldShapes }
        let areInList = shapesOfFields(named: name, in: fieldsThroughLists) != nil
        guard areInList else { throw unknownName(name, among: fieldsThroughLists, of: values, option: option) }
        let correction = "[*]\(JSONPathComponent.key(name).text)"
        throw error("a list has no '\(name)', its elements have: \(correction)", option: option)
    }

    /// Returns the shapes of the fields with a name; nil if there is none.
    ///
    /// Names are compared in the spelling that the coding gives them in Swift. Whether the server writes `first_name`
    /// or `firstName` is only known from a response, so that both are accepted.
    private func shapesOfFields(named name: String, in fields: [Shape.Field]) -> [Shape]? {
        fields.filter { coding.modelKey($0.key) == coding.modelKey(name) }.map(\.shape).nonEmpty
    }

    // MARK: Messages

    /// Returns what messages call some values: the name of their model, or else the path to them.
    ///
    /// If there are several models, or only indexes lead to the values, it is the name of the response model.
    private func description(of values: SelectedValues) -> String {
        let modelNames = Set(values.shapes.flatMap(\.modelNames))
        if modelNames.count == 1, let modelName = modelNames.first { return modelName }
        let hasName = values.names.contains { Int($0) == nil }
        return modelNames.isEmpty && hasName ? values.names.joined(separator: ".") : name
    }

    /// Returns the error about a name that some values do not have. It suggests the nearest name that they have.
    private func unknownName(
        _ name: String, among fields: [Shape.Field], of values: SelectedValues, option: PathOption
    ) -> UsageError {
        let question = NearestWord.question(name, in: fields.map(\.key))
        return error("\(description(of: values)) has no '\(name)'\(question)", option: option)
    }

    /// Returns the error about the value of an option.
    private func error(_ problem: String, option: PathOption) -> UsageError {
        .unusableValue(option: option.name, problem: problem + hint, source: option.source)
    }
}
