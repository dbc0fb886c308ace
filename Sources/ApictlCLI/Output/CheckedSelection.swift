import EndpointKit
import EndpointTools
import JSONText

extension ResultView {
    /// Checks the paths of `--select` and the columns of `--columns` against the response model of a call, before
    /// anything is sent.
    ///
    /// For an endpoint without a declared model, nothing is checked.
    ///
    /// - Parameters:
    ///   - declaration: The declaration of the endpoint, with its response model.
    ///   - endpoint: The endpoint of the call, which also says how its pages are read.
    ///   - followsPages: Whether the view shows the items of all pages instead of one response. Then paths begin at an
    ///     item.
    /// - Returns: This view, with the layout of its rows if the model tells it.
    /// - Throws: ``UsageError`` if `--select` or `--columns` names a field that the model does not have, and for rows
    ///   of a response with several lists.
    func checked(
        against declaration: EndpointDeclaration, endpoint: Endpoint, followsPages: Bool
    ) throws(UsageError) -> ResultView {
        guard var model = SelectableModel(declaration, endpoint) else { return self }
        if followsPages, let items = endpoint.pages?.items { model = try model.modelOfItems(at: items) }
        // The paths are checked in any case, even if the view has no rows whose layout depends on them.
        let selectedShapes = try checkPaths(in: model)
        guard options.rowStyle != nil, let selectedShapes else { return self }
        var view = self
        view.layout = try checkedRowLayout(of: selectedShapes, in: model)
        return view
    }

    /// Checks the paths of `--select`, and returns the shapes of the values that they find: the types that these values
    /// may have.
    ///
    /// All paths are checked, even if it is not known what one of them finds.
    ///
    /// - Parameter model: The model of the result.
    /// - Returns: The shapes; an empty array without `--select`. Nil if they are not known, because a path has more
    ///   than names and indexes, such as a filter, or leads to values that the model leaves open.
    /// - Throws: ``UsageError`` if the model does not have a name in a path.
    private func checkPaths(in model: SelectableModel) throws(UsageError) -> [Shape]? {
        var selectedShapes: [Shape] = []
        var areAllKnown = true
        for (path, word) in zip(paths, options.selects) {
            let option = PathOption(name: "--select", source: word.source)
            let shapesOfPath = try model.resolve(path.steps, from: [model.modelShape.root], option: option)
            let hasOnlyNames = path.names != nil
            if let shapesOfPath, hasOnlyNames {
                selectedShapes += shapesOfPath
            } else {
                areAllKnown = false
            }
        }
        return areAllKnown ? selectedShapes : nil
    }

    /// Finds the list whose elements are the rows, checks that the rows have the fields of `--columns`, and returns
    /// where the list is and which columns its rows have.
    ///
    /// - Parameters:
    ///   - selectedShapes: The shapes of the values that `--select` finds; not used without `--select`.
    ///   - model: The model of the result.
    /// - Returns: The layout; nil if the model does not tell the fields of the rows.
    /// - Throws: ``UsageError`` if `--columns` names a field that the rows do not have, and, without `--select`, if the
    ///   result has several lists.
    private func checkedRowLayout(
        of selectedShapes: [Shape], in model: SelectableModel
    ) throws(UsageError) -> RowLayout? {
        let list: RowList
        if paths.isEmpty {
            list = try RowList.find(in: model.modelShape)
        } else {
            // Each selected value is a list of rows, or a row itself.
            list = RowList(path: [], rowShapes: selectedShapes.flatMap(model.modelShape.elements))
        }
        // An object without declared fields has keys that only the document tells.
        let areFieldsKnown = list.rowShapes.allSatisfy { model.modelShape.fields(of: $0) != nil }
        guard areFieldsKnown, !list.rowShapes.isEmpty else { return nil }
        try checkColumns(of: list.rowShapes, in: model)
        let headingOfValues = paths.isEmpty ? list.path.last : title
        return RowLayout(list: list, in: model.modelShape, headingOfValues: headingOfValues)
    }

    /// Checks that rows have the fields that `--columns` names.
    ///
    /// - Throws: ``UsageError`` for a field that the rows do not have.
    private func checkColumns(of rowShapes: [Shape], in model: SelectableModel) throws(UsageError) {
        let option = PathOption(name: "--columns", source: options.columns?.source ?? .preset)
        for column in columns ?? [] {
            let segments = column.path.map { [JSONPath.Step.walk($0)] }
            // Only the error for an unknown field matters here, not the shapes of the fields.
            _ = try model.resolve(segments, from: rowShapes, option: option)
        }
    }
}
