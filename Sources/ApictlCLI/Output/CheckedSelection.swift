import EndpointKit
import EndpointTools
import JSONText

extension ResultView {
    /// Checks the paths and columns against the response model of a call, before it is sent.
    ///
    /// Without a model, nothing is checked.
    ///
    /// - Parameters:
    ///   - declaration: The declaration of the endpoint.
    ///   - endpoint: The endpoint of the call.
    ///   - followsPages: Whether the view is of the items of all pages instead of a response.
    /// - Returns: This view, with the layout of its rows if the model tells it.
    /// - Throws: ``UsageError`` if `--select` or `--columns` names a field that the model does not have, and for rows
    ///   of a response with several lists.
    func checked(
        _ declaration: EndpointDeclaration, _ endpoint: Endpoint, followsPages: Bool
    ) throws(UsageError) -> ResultView {
        guard var model = SelectableModel(declaration, endpoint) else { return self }
        if followsPages, let items = endpoint.pages?.items { model = try model.items(at: items) }
        var view = self
        view.layout = try rowLayout(in: model)
        return view
    }

    /// Returns the layout of the rows. Checks the paths of `--select` in any case.
    ///
    /// - Returns: Nil if the view has no rows, or if the model does not tell their columns.
    private func rowLayout(in model: SelectableModel) throws(UsageError) -> RowLayout? {
        let selected = try selectedShapes(in: model)
        guard options.rowStyle != nil, let selected else { return nil }
        let list: RowList
        if paths.isEmpty {
            list = try RowList.find(in: model.shape)
        } else {
            list = RowList(path: [], rows: selected.flatMap(model.shape.elements))
        }
        // An object without declared fields has keys that only the document tells.
        let areKnown = list.rows.allSatisfy { model.shape.fields(of: $0) != nil }
        guard areKnown, !list.rows.isEmpty else { return nil }
        try checkColumns(of: list.rows, in: model)
        return RowLayout(
            path: list.path, rows: list.rows, of: model.shape, title: paths.isEmpty ? list.path.last : title)
    }

    /// Returns the shapes of the values that `--select` finds. All paths are checked, even if the result is nil.
    ///
    /// - Returns: Nil if the model does not tell the shapes, or if a path has more than names and indexes, such as a
    ///   filter, so that the check does not see all that it selects.
    private func selectedShapes(in model: SelectableModel) throws(UsageError) -> [Shape]? {
        var selected: [Shape]? = []
        for (path, word) in zip(paths, options.selects) {
            let option = PathOption(name: "--select", source: word.source)
            let shapes = try model.shapes(at: path.steps, from: [model.shape.root], option)
            if let shapes, path.names != nil {
                selected?.append(contentsOf: shapes)
            } else {
                selected = nil
            }
        }
        return selected
    }

    /// Checks that rows have the fields that `--columns` names.
    private func checkColumns(of rows: [Shape], in model: SelectableModel) throws(UsageError) {
        let option = PathOption(name: "--columns", source: options.columns?.source ?? .preset)
        for column in columns ?? [] {
            let steps = column.names.map { [JSONPath.Step.walk($0)] }
            _ = try model.shapes(at: steps, from: rows, option)
        }
    }
}

/// The option whose path is checked.
fileprivate struct PathOption {
    /// The name with its dashes.
    let name: String
    let source: ValueSource
}

/// A response model whose fields a path can select.
struct SelectableModel {
    fileprivate var shape: ModelShape
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

    /// Returns the model of a page's items, where paths begin with `--all-pages`.
    ///
    /// - Parameter path: The path from a page to its items, such as `data.results`.
    /// - Throws: ``UsageError`` if the model of a page does not have the path.
    fileprivate func items(at path: String) throws(UsageError) -> SelectableModel {
        let steps = path.split(separator: ".").map { [JSONPath.Step.walk(String($0))] }
        let option = PathOption(name: "--all-pages", source: .preset)
        let items = try shapes(at: steps, from: [shape.root], option)
        var model = self
        model.shape = ModelShape(root: items.map { .alternatives($0) } ?? .any, models: shape.models)
        model.hint = "; with --all-pages, paths begin at an item"
        return model
    }

    /// Returns the shapes of the values that a path selects.
    ///
    /// - Parameters:
    ///   - steps: The steps of each segment of the path. A segment such as `["a", "b"]` has two steps side by side.
    ///   - start: The shapes of the values where the path begins.
    ///   - option: The option with the path, for messages.
    /// - Returns: The shapes; nil if the path leads through an object that may have any key.
    /// - Throws: ``UsageError`` if the model does not have such values.
    fileprivate func shapes(
        at steps: [[JSONPath.Step]], from start: [Shape], _ option: PathOption
    ) throws(UsageError) -> [Shape]? {
        var position = Position(shapes: start)
        for segment in steps {
            var selected: [Shape] = []
            for step in segment {
                guard let shapes = try shapes(at: step, from: position, option) else { return nil }
                selected += shapes
            }
            position.shapes = selected
            position.names += segment.compactMap(\.name)
        }
        return position.shapes
    }

    /// The values that the segments of a path so far select.
    private struct Position {
        var shapes: [Shape]
        /// The names and indexes of the segments.
        var names: [String] = []
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
    ///   - position: The values that the earlier segments select.
    ///   - option: The option with the path, for messages.
    /// - Returns: The shapes; nil if the model does not tell them, so that the rest of the path can't be checked.
    /// - Throws: ``UsageError`` if the model has no such values.
    private func shapes(
        at step: JSONPath.Step, from position: Position, _ option: PathOption
    ) throws(UsageError) -> [Shape]? {
        let shapes = position.shapes
        // A dictionary or any JSON has no declared fields, so that every name may be right.
        guard let fields = shape.fields(of: .alternatives(shapes)) else { return nil }
        let elements = shapes.flatMap(shape.elements)
        switch step {
        case .every:
            // The step may also select members of an object, or those that a filter chooses, whose shapes differ.
            return shapes.allSatisfy(shape.isList) ? elements : nil
        case .element:
            if shapes.contains(where: shape.isList) { return elements }
            throw error("\(owner(at: position)) is no list", option)
        case .walk(let name):
            if let found = self.shapes(of: name, in: fields) { return found }
            // A number that is no field is an index. The shape does not tell the elements of a list apart.
            if Int(name) != nil { return elements }
            throw unknownName(name, fields, at: position, option)
        case .key(let name):
            // Unlike `fields`, these are not those of objects in lists.
            let directFields = shape.directFields(of: .alternatives(shapes))
            if let found = self.shapes(of: name, in: directFields) { return found }
            if self.shapes(of: name, in: fields) == nil { throw unknownName(name, fields, at: position, option) }
            let correction = "[*]\(JSONPathComponent.key(name).text)"
            throw error("a list has no '\(name)', its elements have: \(correction)", option)
        }
    }

    /// Returns the shapes of the fields with a name; nil if there is none.
    ///
    /// Names are compared in the spelling that the coding gives them in Swift. Whether the server writes `first_name`
    /// or `firstName` is only known from a response, so that both are accepted.
    private func shapes(of name: String, in fields: [Shape.Field]) -> [Shape]? {
        fields.filter { coding.modelKey($0.key) == coding.modelKey(name) }.map(\.shape).nonEmpty
    }

    /// Returns a name for the values at a position, for messages: the name of their model, or else their path.
    ///
    /// If there are several models, or only indexes lead to the values, it is the name of the response model.
    private func owner(at position: Position) -> String {
        let models = Set(position.shapes.flatMap(\.modelNames))
        if models.count == 1, let model = models.first { return model }
        let isInside = models.isEmpty && position.names.contains { Int($0) == nil }
        return isInside ? position.names.joined(separator: ".") : name
    }

    /// Returns the error about a name that the values at a position do not have, with the nearest name that they have.
    private func unknownName(
        _ name: String, _ fields: [Shape.Field], at position: Position, _ option: PathOption
    ) -> UsageError {
        let question = NearestWord.question(name, in: fields.map(\.key))
        return error("\(owner(at: position)) has no '\(name)'\(question)", option)
    }

    /// Returns the error about the value of an option.
    private func error(_ problem: String, _ option: PathOption) -> UsageError {
        .unusableValue(option: option.name, problem: problem + hint, source: option.source)
    }
}
