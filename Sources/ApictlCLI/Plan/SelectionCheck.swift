import EndpointKit

extension PlanResolver {
    /// `view`, with the columns of rows as the response model has them.
    ///
    /// Throws ``UsageError`` if `--select` or `--columns` names a field that the model does not have, or if it has several lists.
    func checked(_ view: ResultView, _ endpoint: Endpoint) throws(UsageError) -> ResultView {
        let coding = arguments.declaration.api.coding
        guard var shape = endpoint.response.shape(sample: endpoint.sample?.bytes, coding: coding) else { return view }
        if arguments.options.followsPages, let items = endpoint.pages?.items {
            // The view is of the items of all pages.
            let names = items.split(separator: ".").map(String.init)
            let list = try shapes(at: names, from: [shape.root], in: shape, endpoint, "--all-pages", 0)
            shape = ModelShape(root: list.map { .union($0) } ?? .any, models: shape.models)
        }
        switch view {
        case .selection(let selection):
            guard let names = selection.path.names else { return view }
            let position = arguments.options.selects.last?.position ?? 0
            _ = try shapes(at: names, from: [shape.root], in: shape, endpoint, "--select", position)
            return view
        case .rows(var rows):
            var elements: [Shape] = []
            if rows.paths.isEmpty {
                let layout = try RowLayout(of: shape, columns: rows.columns)
                let list = try shapes(at: layout.path, from: [shape.root], in: shape, endpoint, "--columns", 0)
                elements = list?.flatMap(shape.elements) ?? []
                // The keys of an object without declared fields are in the document only.
                if elements.isKnown(in: shape) { rows.layout = layout }
            }
            for (word, path) in rows.paths {
                guard let names = path.names,
                    let found = try shapes(
                        at: names, from: [shape.root], in: shape, endpoint, "--select", word.position)
                else { return .rows(rows) }
                elements += found.flatMap(shape.elements)
            }
            guard elements.isKnown(in: shape) else { return .rows(rows) }
            for column in rows.columns ?? [] {
                _ = try shapes(at: column.names, from: elements, in: shape, endpoint, "--columns", rows.columnsPosition)
            }
            if !rows.paths.isEmpty {
                let list = ModelShape(root: .array(.union(elements)), models: shape.models)
                rows.layout = RowLayout(rows: list, columns: rows.columns, title: rows.title)
            }
            return .rows(rows)
        }
    }

    /// The shapes of the values at `names`, lists walked through; nil if any name may be there. Throws ``UsageError``.
    private func shapes(
        at names: [String], from start: [Shape], in shape: ModelShape, _ endpoint: Endpoint, _ option: String,
        _ position: Int
    ) throws(UsageError) -> [Shape]? {
        let coding = arguments.declaration.api.coding
        var shapes = start
        for name in names {
            guard let fields = shape.fields(of: .union(shapes)) else { return nil }
            if Int(name) != nil, !fields.contains(where: { $0.key == name }) {
                shapes = shapes.flatMap(shape.elements)
                continue
            }
            // Which of several spellings the server uses is not known without a sample.
            let found = fields.filter { coding.modelKey($0.key) == coding.modelKey(name) }.map(\.shape)
            if found.isEmpty {
                let nearest = Nearest.match(name, in: fields.map(\.key))
                throw .unknownField(
                    name, model: shape.modelName(of: shapes) ?? endpoint.response.name, nearest: nearest,
                    option: option, position: position)
            }
            shapes = found
        }
        return shapes
    }
}

extension ModelShape {
    /// The name of the model that values of these shapes, or the elements of such lists, are of; nil if there is not exactly one.
    fileprivate func modelName(of shapes: [Shape]) -> String? {
        var (shapes, names) = (shapes, Set<String>())
        while let shape = shapes.popLast() {
            switch shape {
            case .model(let name): names.insert(name)
            case .array(let element): shapes.append(element)
            case .union(let alternatives): shapes += alternatives
            case .null: break
            default: return nil
            }
        }
        return names.count == 1 ? names.first : nil
    }
}

extension [Shape] {
    /// Whether objects of these shapes have declared fields only.
    fileprivate func isKnown(in shape: ModelShape) -> Bool {
        !isEmpty && allSatisfy { shape.fields(of: $0) != nil }
    }
}
